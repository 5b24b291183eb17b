"""The coach: the best play and why, three times a game, counted in the session."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from fakes import eventful, session_values, written
from plays import COUCH, bot

from batllm_arcade.app.match import guide as coach
from batllm_arcade.app.match.guide import Coach, advised
from batllm_arcade.brains.live import Live
from batllm_arcade.brains.protocol import SeatInfo, View
from batllm_arcade.core.model import Arena
from batllm_arcade.history.reader import read
from batllm_arcade.history.replay import replay
from batllm_arcade.match.records import GameEnded
from batllm_arcade.seats.table import OpenRequest
from batllm_arcade.view.reading_words import advice_sentence

AIMED = Arena(bot(300, 0, charge=9), bot(500, 90, health=10))


def request(arena=AIMED):
    view = View(0, COUCH, 1, 1, 1, 1, (0, 1), ("", ""), arena, arena, live=Live())
    return OpenRequest(0, SeatInfo("Human", "keyboard", human=True), view, 0.0)


class Counts:
    """The part of a table that counts what was shown."""

    hints = (0, 0)

    def hint(self, index):
        self.hints = (self.hints[0] + (index == 0), self.hints[1] + (index == 1))


def state(humans=(True, False)):
    return SimpleNamespace(humans=humans, table=Counts())


def test_three_times_a_game_the_person_asked_gets_the_best_play_and_why():
    there = state()
    made = Coach(there)
    for number in range(coach.MOST):
        asked = request()
        assert (made.ask(asked, on=True), made.ask(asked, on=True)) == ("", "")
        assert there.table.hints == (number + 1, 0)
        made._task.join(60)
        advice = made.advice(asked)
        assert advice.sentence.startswith("Fire: it wins the game (100% to win")
        assert advice.best.words == "best: fire"
        assert made.advice(request()) is None
    assert made.ask(request(), on=True) == coach.USED_UP


@pytest.mark.parametrize(
    ("humans", "on", "asked", "said"),
    [
        ((True, False), False, True, coach.OFF),
        ((True, True), True, True, coach.NOBODY),
        ((False, False), True, False, coach.NOBODY),
        ((True, False), True, False, coach.NOT_NOW),
    ],
)
def test_it_says_why_it_does_not_help(humans, on, asked, said):
    there = state(humans)
    assert Coach(there).ask(request() if asked else None, on=on) == said
    assert there.table.hints == (0, 0)


@pytest.mark.parametrize(
    ("arena", "token", "why"),
    [
        (Arena(bot(300, 0, charge=9), bot(500, 180)), "B", "it takes "),
        (Arena(bot(300, 90, charge=9), bot(500, 90)), "A90", "then you aim at them"),
        (Arena(bot(300, 90, charge=0), bot(500, 90)), "M", "it loads your gun"),
        (Arena(bot(300, 0, charge=9), bot(600, 180, charge=9)), "S1", "the next shot would hit you here"),
    ],
)
def test_the_reason_is_what_the_play_leads_to(arena, token, why):
    sentence = advice_sentence(arena, 0, token, (0.61, 0.4), COUCH)
    assert why in sentence
    assert sentence.endswith("(61% to win, 40% if you wait).")


def test_the_best_play_of_a_turn_is_found():
    advice = advised(request(Arena(bot(300, 90, charge=9), bot(500, 90))).view, lambda words: None)
    assert advice.best.bot == 0


def test_a_session_says_how_often_each_player_was_helped(tmp_path):
    records = [
        GameEnded(each.game, each.rounds, each.result, each.arena, (2, 0)) if isinstance(each, GameEnded) else each
        for each in eventful()
    ]
    path = written(records, tmp_path / "s.json")
    assert [game.get("hints") for game in session_values(records)["games"]] == [[2, 0]] * 2
    session = read(path)
    assert [game.hints for game in session.games] == [(2, 0)] * 2
    assert next(each for each in replay(session) if isinstance(each, GameEnded)).hints == (2, 0)
    assert "hints" not in session_values(eventful())["games"][0]
