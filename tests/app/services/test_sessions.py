"""Opening recorded sessions, their pictures, what runs behind the title, and work on threads."""

from __future__ import annotations

import json
import os
import threading
from dataclasses import replace
from types import SimpleNamespace

import pytest
from fakes import NOON, eventful, written

from batllm_arcade.app.services import sessions as opening
from batllm_arcade.app.services import showreel
from batllm_arcade.app.services.background import BackgroundTask
from batllm_arcade.app.services.sessions import decisive_scene, open_timeline, read_games
from batllm_arcade.app.services.showreel import Showreel, find_highlights, played_out
from batllm_arcade.core.rules import Result
from batllm_arcade.errors import ArcadeError, UsageError
from batllm_arcade.match.records import GameEnded, GameStarted, SessionEnded, SessionStarted
from batllm_arcade.settings.user_settings import DisplayOptions
from batllm_arcade.view.timeline import Timeline


@pytest.fixture
def session(tmp_path):
    """A session of three games."""
    path = written(eventful(), tmp_path / "s.json")
    values = json.loads(path.read_text())
    values["games"] = [{**values["games"][0], "game_number": number} for number in (1, 2, 3)]
    path.write_text(json.dumps(values))
    return path


def test_every_game_that_is_played_again_is_reported(session):
    lines: list[str] = []
    timeline = open_timeline(session, DisplayOptions(), lines.append)
    assert lines == ["reading the file", "1 of 3 games", "2 of 3 games", "3 of 3 games"]
    started = [segment.record.game for segment in timeline.segments if isinstance(segment.record, GameStarted)]
    assert started == [1, 2, 3]


def test_a_session_without_a_game_is_refused(tmp_path):
    records = [SessionStarted(7, NOON, "test"), SessionEnded(NOON)]
    path = written(records, tmp_path / "s.json")
    with pytest.raises(UsageError, match="holds no game to watch"):
        read_games(path)


def test_a_file_that_is_no_session_is_refused_in_one_sentence(tmp_path):
    path = tmp_path / "s.json"
    path.write_text('{"games":')
    with pytest.raises(ArcadeError) as refused:
        open_timeline(path, DisplayOptions(), lambda words: None)
    assert "\n" not in str(refused.value)


def test_the_decisive_moment_of_a_session_is_its_knock_out(tmp_path):
    lines: list[str] = []
    timeline = open_timeline(written(eventful(), tmp_path / "one.json"), DisplayOptions(), lines.append)
    assert any(effect.kind == "knockout" for effect in decisive_scene(timeline).effects)
    assert "2 of 2 games" in lines


@pytest.mark.parametrize("step", range(30))
def test_a_session_whose_opening_is_cancelled_at_any_step_ends_and_shows_nothing(step, tmp_path, monkeypatch):
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
    preview = BackgroundTask("opening", lambda report: open_timeline(path, DisplayOptions(), report))
    assert reached.wait(20)
    preview.cancel()
    cancelled.set()
    preview.join(20)
    assert not preview.alive
    assert (preview.result, preview.error, preview.bug) == (None, None, None)
    assert threading.active_count() == before


DEMO = SimpleNamespace(at=lambda now: f"demo at {now:g}")


def found(folder):
    return find_highlights(folder, DisplayOptions(), lambda words: None)


@pytest.fixture
def folder(tmp_path):
    written(eventful(), tmp_path / "old.json")
    os.utime(tmp_path / "old.json", (1, 1))
    return tmp_path


def test_the_moments_of_the_last_session_run_again_and_again(folder):
    reel = Showreel(DEMO, folder, DisplayOptions())
    reel.task.join(20)
    first = reel.at(10.0)
    assert first.board.seats[1].name == "right"
    assert reel.cut is not None
    lasts = reel.task.result[1].seconds
    assert 1 < lasts <= 30.5
    assert reel.at(10.0 + lasts).board.result is not None
    again = reel.at(10.0 + lasts + 5)
    assert again.t == first.t


@pytest.mark.parametrize("broken", ["{", '{"games": []}', "[" * 9999])
def test_a_broken_newer_session_is_passed_over(broken, folder):
    (folder / "broken.json").write_text(broken)
    assert found(folder)[1].seconds > 1


def abandoned(records, *games):
    """The records with these games left before their end."""
    return [
        replace(each, result=Result(None, "aborted")) if isinstance(each, GameEnded) and each.game in games else each
        for each in records
    ]


def test_games_that_were_abandoned_are_not_shown(tmp_path):
    records = eventful()
    timeline = Timeline.of(records)
    ends = [segment for segment in timeline.segments if isinstance(segment.record, GameEnded)]
    start = next(each for each in timeline.segments if isinstance(each.record, GameStarted) and each.record.game == 2)
    assert played_out(timeline) == (0.0, ends[1].end)
    assert played_out(Timeline.of(abandoned(records, 2))) == (0.0, ends[0].end)
    assert played_out(Timeline.of(abandoned(records, 1))) == (start.start, ends[1].end)
    assert played_out(Timeline.of(abandoned(records, 1, 2))) is None
    written(abandoned(records, 1, 2), tmp_path / "left.json")
    with pytest.raises(ArcadeError):
        found(tmp_path)


def test_without_a_session_that_can_be_shown_the_demo_goes_on(folder, tmp_path, monkeypatch):
    monkeypatch.setattr(showreel, "LARGEST_BYTES", 10)
    with pytest.raises(ArcadeError):
        found(folder)
    for where in (folder, tmp_path / "none"):
        reel = Showreel(DEMO, where, DisplayOptions())
        assert reel.at(1.0) == "demo at 1"
        reel.task.join(20)
        assert reel.at(2.0) == "demo at 2"
        assert reel.cut is None


def test_a_bug_in_what_shows_a_session_leaves_the_demo(folder, monkeypatch):
    monkeypatch.setattr(showreel, "open_timeline", lambda *how: 1 / 0)
    reel = Showreel(DEMO, folder, DisplayOptions())
    reel.task.join(20)
    assert reel.at(2.0) == "demo at 2"
