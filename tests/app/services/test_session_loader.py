"""Loading a session for the list's picture: it may be cancelled at any moment."""

from __future__ import annotations

import threading

import pytest
from fakes import eventful, written

from batllm_arcade.app.services import sessions as opening
from batllm_arcade.app.services.sessions import SessionPreview, load_session
from batllm_arcade.settings.user_settings import DisplayOptions


def test_a_loaded_session_shows_its_decisive_moment(tmp_path):
    lines: list[str] = []
    loaded = load_session(written(eventful(), tmp_path / "one.json"), DisplayOptions(), lines.append)
    assert any(effect.kind == "knockout" for effect in loaded.decisive.effects)
    assert "2 of 2 games" in lines


@pytest.mark.parametrize("step", range(30))
def test_a_preview_that_is_cancelled_at_any_step_ends_and_shows_nothing(step, tmp_path, monkeypatch):
    """Cancelled before it reads, and at each of its records; its thread ends and nothing is left of it."""
    path = written(eventful(), tmp_path / "one.json")
    before, reached, cancelled = threading.active_count(), threading.Event(), threading.Event()
    read, replay = opening.read, opening.replay

    def wait_for_cancel():
        reached.set()
        assert cancelled.wait(20)

    def stepping(session):
        for number, record in enumerate(replay(session), 1):
            if number == step:
                wait_for_cancel()
            yield record

    monkeypatch.setattr(opening, "read", lambda path: (step or wait_for_cancel(), read(path))[1])
    monkeypatch.setattr(opening, "replay", stepping)
    preview = SessionPreview(path, DisplayOptions())
    assert reached.wait(20)
    preview.cancel()
    cancelled.set()
    preview.join(20)
    assert not preview.alive
    assert (preview.result, preview.error, preview.bug) == (None, None, None)
    assert threading.active_count() == before
