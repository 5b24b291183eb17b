"""Opening recorded sessions, their pictures, and work on threads."""

from __future__ import annotations

import json
import threading

import pytest
from fakes import NOON, eventful, written

from batllm_arcade.app.services import sessions as opening
from batllm_arcade.app.services.background import BackgroundTask
from batllm_arcade.app.services.sessions import decisive_scene, open_timeline, read_games
from batllm_arcade.errors import ArcadeError, UsageError
from batllm_arcade.match.records import GameStarted, SessionEnded, SessionStarted
from batllm_arcade.settings.user_settings import DisplayOptions


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
