"""The four scripted characters: worth meeting, repeatable, and never stuck."""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import combinations
from typing import Any

import pytest
from batllm_arcade_plugins.scripted import CHARACTERS, make
from fakes import NOON, plays, results

from batllm_arcade.brains.protocol import SeatInfo, Spec, View
from batllm_arcade.errors import UsageError
from batllm_arcade.match import runner
from batllm_arcade.match.records import Record
from batllm_arcade.match.runner import Answer, MatchPlan
from batllm_arcade.settings import config

WINNERS = [name for name in CHARACTERS if name != "random"]
PAIRS = [*((one, "random") for one in WINNERS), *combinations(WINNERS, 2)]
STALLED = 12
"""Times the same command may do nothing in a row: even blind luck ends a longer row sooner."""


class Duel(runner.TableProtocol):
    """A table for two characters without threads."""

    def __init__(self, *names: str) -> None:
        self.brains = [make(Spec("scripted", name)) for name in names]

    def begin_game(self) -> tuple[SeatInfo, SeatInfo]:
        return SeatInfo("left", "scripted"), SeatInfo("right", "scripted")

    def ask(self, bot: int, view: View) -> Answer:
        return Answer(self.brains[bot].decide(view), "ok", "", 0.0, NOON)

    def now(self) -> str:
        return NOON


@cache
def fought(left: str, right: str, games: int = 20, seed: int = 1) -> tuple[Record, ...]:
    rules = config.load("couch").rules
    return tuple(runner.play(MatchPlan(rules, seed, games), Duel(left, right)))


def both_ways(one: str, other: str) -> list[Record]:
    """Forty games, twenty on each side."""
    return [*fought(one, other), *fought(other, one)]


@pytest.mark.parametrize("name", WINNERS)
def test_each_character_beats_blind_luck(name):
    won = sum(winner == 0 for winner, _ in results(fought(name, "random")))
    won += sum(winner == 1 for winner, _ in results(fought("random", name)))
    assert won >= 28


@pytest.mark.parametrize(("one", "other"), PAIRS)
def test_games_on_the_couch_mostly_end_by_knock_out(one, other):
    reasons = Counter(reason for _, reason in results(both_ways(one, other)))
    assert reasons["knockout"] >= 30


@pytest.mark.parametrize(("one", "other"), [*PAIRS, *((name, name) for name in CHARACTERS)])
def test_no_character_repeats_for_ever_what_does_nothing(one, other):
    rows: dict[Any, int] = {}
    last: dict[Any, str] = {}
    for play in plays(both_ways(one, other)):
        key = (play.game, play.bot)
        idle = play.before == play.after
        rows[key] = rows.get(key, 0) + 1 if idle and last.get(key) == play.command.token else int(idle)
        last[key] = play.command.token
        assert rows[key] < STALLED


@pytest.mark.parametrize(("one", "other"), PAIRS)
def test_characters_only_give_commands_that_are_understood(one, other):
    assert {play.status for play in plays(both_ways(one, other))} == {"ok"}


@pytest.mark.parametrize("name", CHARACTERS)
def test_the_same_seed_gives_the_same_games(name):
    again = tuple(runner.play(MatchPlan(config.load("couch").rules, 1, 20), Duel(name, "random")))
    assert again == fought(name, "random")
    assert fought(name, "random", seed=2) != fought(name, "random")


def test_a_character_is_a_bot_of_its_own_name_with_one_sentence_about_it():
    for name, character in CHARACTERS.items():
        assert character.__name__ == name
        assert character.__doc__
        assert character.__doc__.strip().endswith(".")


@pytest.mark.parametrize(
    ("spec", "sentence"),
    [
        ("scripted", "scripted needs a character: scripted:sharpshooter or scripted:turtle or"),
        ("scripted:ninja", "'ninja' is not a variant of scripted; it must be one of sharpshooter, turtle"),
        ("scripted:turtle,speed=3", "scripted has no option 'speed'"),
    ],
)
def test_a_wrong_character_is_refused_with_the_right_ones(spec, sentence):
    with pytest.raises(UsageError, match=sentence):
        make(Spec.parse(spec))
