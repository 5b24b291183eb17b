"""Sharing from the window: the page is written beside it, and it is said where it is."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from fakes import eventful, written

from batllm_arcade.app.services import film_jobs as page_job
from batllm_arcade.app.services.film_jobs import pages_folder, share_page
from batllm_arcade.history.reader import read
from batllm_arcade.share.shown import Selection


@pytest.fixture
def session(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    return written(eventful(), tmp_path / "one.json")


def test_a_page_is_kept_beside_the_sessions_under_a_free_name_and_its_folder_is_shown(session, monkeypatch):
    films, shown = SimpleNamespace(words=""), []
    monkeypatch.setenv("SDL_VIDEODRIVER", "x11")
    monkeypatch.setattr(page_job, "show_folder", shown.append)
    for name in ("one.html", "one-2.html"):
        task = share_page(films, session, Selection(game=2))
        task.join(60)
        assert task.result == pages_folder() / name
        assert films.words.startswith(f"{name}: ")
        assert "pages" in films.words
    assert shown == [pages_folder()] * 2
    assert read(pages_folder() / "one.html") == read(session)


def test_what_cannot_be_shared_is_said(session):
    films = SimpleNamespace(words="")
    session.write_text("{}")
    task = share_page(films, session)
    task.join(60)
    assert task.result is None
    assert films.words.startswith("no page was made: this is no session file")
    pages_folder().rmdir()
    pages_folder().write_text("in the way")
    share_page(films, session).join(60)
    assert films.words.startswith("pages cannot be kept in ")
