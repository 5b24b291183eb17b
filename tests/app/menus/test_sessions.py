"""The sessions screen: every recorded match is found, looked at, opened, filmed and deleted, and none can break it."""

from __future__ import annotations

import json
import os
import threading
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pygame
import pytest
from fakes import eventful, session_values, written
from golden import assert_looks_like
from layout import SIZES, assert_fits
from menus import finish
from shells import FakeShell, button, draw, key, mouse, parts

from batllm_arcade.app.menus.sessions import SessionRow, SessionsScreen
from batllm_arcade.app.services import sessions as opening
from batllm_arcade.app.services import sessions as session_list
from batllm_arcade.app.services.sessions import UNEXPECTED, SessionEntry, with_forks
from batllm_arcade.history import schema
from batllm_arcade.history.paths import journal_of
from batllm_arcade.history.reader import read, session_of
from batllm_arcade.history.summary import summary
from batllm_arcade.history.writer import SessionWriter
from batllm_arcade.match.records import ForkedFrom

K = pygame
RECORDS = eventful()
SESSION = session_values(RECORDS)


@pytest.fixture(autouse=True)
def _off_screen(monkeypatch):
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    monkeypatch.setenv("TZ", "UTC")
    if hasattr(time, "tzset"):
        time.tzset()
    pygame.display.init()
    pygame.display.set_mode((1, 1))


@pytest.fixture
def folder(tmp_path, monkeypatch) -> Path:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    made = tmp_path / "batllm-arcade" / "sessions"
    made.mkdir(parents=True)
    return made


def aged(path: Path, minutes: int) -> Path:
    """A file that was written so many minutes before the year 2026's noon."""
    os.utime(path, (1_767_268_800 - 60 * minutes,) * 2)
    return path


def kept(folder: Path, name: str = "one.json", minutes: int = 0) -> Path:
    return aged(written(RECORDS, folder / name), minutes)


def opened(size: tuple[int, int] = (1280, 720), session: Any = None) -> SessionsScreen:
    """The screen with everything read."""
    screen = SessionsScreen(*parts(FakeShell()), session)
    frames(screen, size)
    return screen


def drawn(screen: SessionsScreen, now: float, size: tuple[int, int] = (1280, 720)) -> pygame.Surface:
    surface = pygame.Surface(size)
    screen.update(now)
    draw(screen, surface)
    return surface


def picture(surface: pygame.Surface) -> bytes:
    """The place of the decisive moment, in a window of 1280 x 720."""
    return pygame.image.tobytes(surface.subsurface((850, 110, 380, 240)), "RGB")


def frames(screen: SessionsScreen, size: tuple[int, int] = (1280, 720), start: float = 0.0) -> pygame.Surface:
    """Draw for a while, until everything that goes on on threads is done."""
    for frame in range(6):
        surface = drawn(screen, start + frame * 0.2, size)
        finish("session ")
    return surface


def delete(screen: SessionsScreen) -> None:
    """Ask for it, and answer that it is meant."""
    key(screen, K.K_DELETE)
    frames(screen)
    key(screen, K.K_DOWN, K.K_RETURN)


def names(screen: SessionsScreen) -> list[str]:
    return [row.entry.path.name for row in screen.rows]


def test_the_newest_session_is_first_and_selected(folder):
    for number, name in enumerate(("old.json", "older.json", "oldest.json")):
        kept(folder, name, number)
    kept(folder, "new.json", -5)
    screen = opened()
    assert names(screen) == ["new.json", "old.json", "older.json", "oldest.json"]
    assert screen.selected is screen.rows[0]
    told = screen.rows[0].entry.summary
    assert (told.games, told.turns, told.plays, told.ended) == (2, 11, 22, True)
    assert told.names == ("fallback", "right")


@pytest.mark.parametrize(
    ("origins", "listed"),
    [
        ({"a": "", "b": "", "c": ""}, "cba"),
        ({"a": "", "b": "", "c": "a"}, "bac"),
        ({"a": "", "b": "a", "c": "b"}, "abc"),
        ({"a": "", "b": "a", "c": "a"}, "acb"),
        ({"a": "", "b": "gone", "c": "b"}, "bca"),
        ({"a": "b", "b": "a", "c": ""}, "cba"),  # which nobody can have made
    ],
)
def test_what_was_played_on_stands_below_what_it_comes_from(origins, listed):
    known = summary(session_of(session_values(RECORDS)))
    entries = [
        SessionEntry(Path(name), 1, 0.0, replace(known, start=name, forked_from=_forked(origin)))
        for name, origin in reversed(origins.items())
    ]
    assert "".join(entry.path.name for entry in with_forks(entries)) == listed


def _forked(origin: str) -> ForkedFrom | None:
    return ForkedFrom(origin, 1, 1, 2) if origin else None


def test_the_list_puts_a_fork_below_its_origin_once_both_are_read(folder):
    values = json.loads(kept(folder, "new.json", 1).read_text())
    place = {"session_start": values["session_start"], "game_number": 1, "round_number": 1, "turn": 2}
    fork, other = kept(folder, "fork.json"), kept(folder, "other.json")
    values["games"][0]["forked_from"] = place
    fork.write_text(json.dumps(values | {"session_start": "2026-01-09T12:00:00Z"}))
    aged(fork, 5)
    other.write_text(other.read_text().replace(values["session_start"], "2026-01-08T12:00:00Z"))
    aged(other, 3)
    assert names(opened()) == ["new.json", "fork.json", "other.json"]


def test_what_is_broken_or_odd_is_listed_with_the_reason_and_never_stops_the_list(folder):
    kept(folder, "good.json", 9)
    (folder / "cut.json").write_text('{"games":')
    (folder / "binary.json").write_bytes(bytes(range(256)) * 100)
    (folder / "deep.json").write_text("[" * 50_000)
    (folder / "a folder.json").mkdir()
    if hasattr(os, "mkfifo"):
        os.mkfifo(folder / "pipe.json")
    (folder / "notes.txt").write_text("no session")
    screen = opened()
    problems = {row.entry.path.name: row.entry.problem for row in screen.rows}
    assert problems.pop("good.json") == ""
    assert "notes.txt" not in problems
    assert len(problems) == (5 if hasattr(os, "mkfifo") else 4)
    assert all(problems.values())
    for _ in screen.rows:
        key(screen, K.K_DOWN)
        frames(screen, start=1.0)


def test_unfinished_sessions_are_listed_once_with_or_without_their_file(folder):
    journal = [json.dumps(schema.entry(record)) + "\n" for record in RECORDS]
    (folder / "killed.json.journal").write_text("".join(journal[:12]))
    (folder / "later.json.journal").write_text("".join(journal[:30]))
    (folder / "later.json").write_text(json.dumps({**SESSION, "games": SESSION["games"][:1], "session_end": None}))
    screen = opened()
    assert sorted(names(screen)) == ["killed.json.journal", "later.json"]
    assert not any(row.entry.summary.ended for row in screen.rows)


def test_the_list_is_there_before_the_files_are_read(folder, monkeypatch):
    for number in range(300):
        (folder / f"{number:03}.json").write_text("{}")
    gate = threading.Event()
    monkeypatch.setattr(session_list, "read", lambda path: gate.wait(20) and read(path))
    screen = SessionsScreen(*parts(FakeShell()), None)
    finish("session search")
    drawn(screen, 0.0)
    assert len(screen.rows) == 300
    assert screen.session_list.read == 0
    key(screen, K.K_END)
    assert screen.selected is screen.rows[-1]
    screen.leave()
    gate.set()
    finish("session ")
    assert screen.session_list.read <= 1, "nobody reads on for a screen that was left"


def test_a_giant_is_not_read_for_the_list_but_can_be_opened(folder, monkeypatch):
    kept(folder)
    monkeypatch.setattr(session_list, "LARGEST_BYTES", 100)
    screen = opened()
    assert "it is read when it is opened" in screen.rows[0].entry.problem
    key(screen, K.K_RETURN)
    assert screen.ui.opened == [screen.rows[0].entry.path]


def test_enter_opens_the_selected_session_in_the_replay(folder):
    kept(folder, "a.json", 0)
    kept(folder, "b.json", 5)
    screen = opened()
    key(screen, K.K_DOWN, K.K_RETURN)
    assert screen.ui.opened == [folder / "b.json"]


def test_the_selected_session_shows_its_decisive_moment(folder):
    kept(folder)
    screen = SessionsScreen(*parts(FakeShell()), None)
    finish("session ")
    looking = picture(drawn(screen, 0.0))
    assert picture(frames(screen, start=0.1)) != looking


def test_a_bug_met_in_one_file_of_the_list_leaves_the_others_read(folder, monkeypatch):
    for number in range(4):
        kept(folder, f"{number}.json", number)

    def broken(path: Path):
        if path.name in ("1.json", "2.json"):
            raise KeyError("a bug")
        return read(path)

    monkeypatch.setattr(session_list, "read", broken)
    screen = opened()
    assert [row.entry.problem for row in screen.rows] == ["", UNEXPECTED, UNEXPECTED, ""]


def test_a_screen_that_is_left_while_a_picture_is_painted_leaves_no_thread_behind(folder, monkeypatch):
    kept(folder)
    screen = opened()
    loading, gate = threading.Event(), threading.Event()
    monkeypatch.setattr(opening, "read", lambda path: (loading.set(), gate.wait(20), read(path))[2])
    screen.select(None)
    screen.select(screen.rows[0])
    for now in (5.0, 6.0):
        drawn(screen, now)
    assert loading.wait(20)
    screen.leave()
    gate.set()
    finish("session ")


def test_delete_asks_first_and_removes_file_and_journal(folder):
    a, b = kept(folder, "a.json", 0), kept(folder, "b.json", 5)
    journal_of(a).write_text("left over")
    screen = opened()
    key(screen, K.K_DELETE)
    assert screen.picker is not None
    key(screen, K.K_RETURN)  # keep it
    assert a.exists()
    delete(screen)
    frames(screen)
    assert not a.exists()
    assert not journal_of(a).exists()
    assert names(screen) == ["b.json"]
    assert screen.selected is screen.rows[0]
    delete(screen)
    frames(screen)
    assert not b.exists()
    key(screen, K.K_DELETE, K.K_v)
    assert screen.picker is None
    assert screen.ui.films.asked == []


@pytest.mark.parametrize("name", ["now.json", "now.json.journal"])
def test_the_session_being_played_is_not_deleted(folder, name):
    path = folder / "now.json"
    kept(folder).rename(folder / name)
    if name.endswith(".journal"):
        (folder / name).unlink()
        writer = SessionWriter(path)
        for record in RECORDS[:12]:
            writer.notify(record)

    class Live:
        observers = object()

        class plan:
            history = path

    screen = opened(session=Live)
    key(screen, K.K_DELETE)
    assert screen.picker is None
    assert "still being played" in screen.problem
    assert (folder / name).exists()


def test_a_file_that_vanished_is_one_sentence(folder):
    path = kept(folder)
    screen = opened()
    path.unlink()
    delete(screen)
    frames(screen)
    assert "cannot be deleted" in screen.problem


def test_v_makes_a_film_and_stops_it_and_share_makes_a_page(folder, monkeypatch):
    path, shared = kept(folder), []
    screen = opened()
    monkeypatch.setattr("batllm_arcade.app.menus.sessions.share_page", lambda films, session: shared.append(session))
    screen.share_button.do()
    assert shared == [path]
    key(screen, K.K_v)
    assert screen.ui.films.asked[0][0] == path
    assert screen.ui.films.asked[0][1].parent.name == "films"
    frames(screen)
    key(screen, K.K_v)
    assert screen.ui.films.stopped == 1


def test_the_mouse_selects_by_a_click_opens_by_two_and_hovering_does_neither(folder):
    for number in range(3):
        kept(folder, f"{number}.json", number)
    screen = opened()
    place = screen.form.shown(screen.rows[2]).middle
    at = (round(place[0]), round(place[1]))
    mouse(screen, K.MOUSEMOTION, at)
    assert screen.selected is screen.rows[0]
    mouse(screen, K.MOUSEBUTTONDOWN, at, now=1.0)
    mouse(screen, K.MOUSEBUTTONUP, at)
    assert screen.selected is screen.rows[2]
    frames(screen, start=1.0)
    assert screen.ui.opened == []
    mouse(screen, K.MOUSEBUTTONDOWN, at, now=1.1)
    assert screen.ui.opened == [folder / "2.json"]


def test_every_button_can_be_reached_and_pressed_with_the_mouse(folder):
    kept(folder)
    screen = opened()
    for widget in screen.form.widgets:
        x, y = screen.form.shown(widget).middle
        mouse(screen, K.MOUSEMOTION, (round(x), round(y)))
        assert screen.form.focus is widget
    x, y = screen.form.shown(screen.back_button).middle
    mouse(screen, K.MOUSEBUTTONDOWN, (round(x), round(y)))
    assert "title" in screen.ui.calls


def test_a_gamepad_walks_the_list_opens_and_goes_back(folder):
    for number in range(3):
        kept(folder, f"{number}.json", number)
    screen = opened()
    button(screen, "dpdown")
    assert screen.selected is screen.rows[1]
    button(screen, "rightshoulder")
    assert not isinstance(screen.form.focus, SessionRow)
    button(screen, "leftshoulder", "a")
    assert screen.ui.opened == [folder / "1.json"]
    button(screen, "b")
    assert screen.ui.calls[-1] == "title"


@pytest.mark.parametrize("what", ["list", "question", "none"])
def test_the_sessions_look_as_they_were_judged_and_fit_into_windows_of_all_sizes(what, folder, monkeypatch):
    for number in range(0 if what == "none" else 7):
        kept(folder, f"20260101-12{number:02}00.json", number)
    if what != "none":
        (folder / "20251231-235959.json").write_text('{"games":')
        aged(folder / "20251231-235959.json", 1000)
        (folder / "20260101-120300.json").write_text("[]")
        aged(folder / "20260101-120300.json", 3)
    screen = opened()
    monkeypatch.setattr(screen.session_list, "folder", Path("sessions"))
    if what == "question":
        key(screen, K.K_DELETE)
    assert_looks_like(f"sessions-{what}", frames(screen, start=0.5))
    for size in SIZES:
        assert_fits(screen, size)
