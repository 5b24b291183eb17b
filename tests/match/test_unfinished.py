"""A match that is left where nothing can stop it: the session is closed with endings that verify."""

from __future__ import annotations

from typing import Any

import pytest
from fakes import FAILED, LATE, FakeTable, Sits, aim, played

from batllm_arcade.core.model import Rules
from batllm_arcade.history.reader import read
from batllm_arcade.history.verification import verify
from batllm_arcade.history.writer import SessionWriter
from batllm_arcade.match import runner
from batllm_arcade.match.records import GameEnded, RoundEnded, RoundStarted, SessionEnded, UnfinishedGame

RULES = Rules(total_rounds=2, turns_per_round=3, initial_health=(20, 20), bullet_damage=(20, 5), initial_shield=False)
MATCHES: dict[str, Any] = {
    "whole": (["M"] * 6, ["S"] * 6, {}),
    "a knock-out": ([aim, "B"], ["C5"] * 6, {}),
    "a forfeit": ([LATE] * 3, ["S"] * 3, {0: [FAILED] * 3}),
    "a round left": (["M", FakeTable.ABANDON, *["M"] * 3], ["S"] * 5, {}),
    "a swap": (["M", Sits("new"), *["M"] * 5], ["S"] * 6, {}),
}


@pytest.mark.parametrize("name", MATCHES)
def test_wherever_a_match_hangs_its_session_ends_with_what_a_match_could_have_told(tmp_path, name):
    left, right, fallbacks = MATCHES[name]
    table = FakeTable(left, [*right, *["S"] * 6], fallbacks)
    records = list(runner.play(runner.MatchPlan(RULES, 4), table))
    for count in range(2, len(records)):
        path = tmp_path / f"{count}.json"
        writer, game = SessionWriter(path), UnfinishedGame()
        for record in records[:count]:
            writer.notify(record)
            game.notify(record)
        endings = game.endings()
        for record in endings:
            writer.notify(record)
            game.notify(record)
        kinds = [type(record) for record in [*records[:count], *endings]]
        assert kinds.count(RoundEnded) == kinds.count(RoundStarted)
        assert kinds.count(GameEnded) == 1
        assert game.endings() == []
        writer.notify(SessionEnded("2026-01-01T12:59:00Z"))
        assert [str(each) for each in verify(read(path))] == []


def test_between_games_nothing_is_missing():
    game = UnfinishedGame()
    assert game.endings() == []
    for record in played(["M"] * 6, ["S"] * 6, rules=RULES):
        game.notify(record)
    assert game.endings() == []


def test_a_match_left_in_the_middle_was_abandoned():
    game = UnfinishedGame()
    for record in played(["M"] * 6, ["S"] * 6, rules=RULES)[:4]:
        game.notify(record)
    ended, over = game.endings()
    assert isinstance(ended, RoundEnded)
    assert isinstance(over, GameEnded)
    assert (ended.ended, over.result.reason, over.rounds) == ("abandoned", "aborted", 1)
