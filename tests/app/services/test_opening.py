"""Opening recorded sessions: how far it is, and files that hold nothing to watch."""

from __future__ import annotations

import json

import pytest
from fakes import NOON, eventful, written

from batllm_arcade.app.services.sessions import open_timeline, read_games
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
