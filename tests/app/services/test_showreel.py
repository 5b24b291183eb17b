"""Behind the title: the best moments of the last session, and a demo where there is none that can be shown."""

from __future__ import annotations

import os
from dataclasses import replace
from types import SimpleNamespace

import pytest
from fakes import eventful, written

from batllm_arcade.app.services import showreel
from batllm_arcade.app.services.showreel import Showreel, find_highlights, played_out
from batllm_arcade.core.rules import Result
from batllm_arcade.errors import ArcadeError
from batllm_arcade.match.records import GameEnded, GameStarted
from batllm_arcade.settings.user_settings import DisplayOptions
from batllm_arcade.view.timeline import Timeline

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
    lasts = reel.task.result.seconds
    assert 1 < lasts <= 30.5
    assert reel.at(10.0 + lasts).board.result is not None
    again = reel.at(10.0 + lasts + 5)
    assert again.t == first.t


@pytest.mark.parametrize("broken", ["{", '{"games": []}', "[" * 9999])
def test_a_broken_newer_session_is_passed_over(broken, folder):
    (folder / "broken.json").write_text(broken)
    assert found(folder).seconds > 1


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
