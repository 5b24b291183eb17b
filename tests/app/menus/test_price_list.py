"""What the help says of each act's price, against what the rules do."""

from __future__ import annotations

from batllm_arcade.app.menus.help import prices
from batllm_arcade.core.commands import parse
from batllm_arcade.core.model import Arena, BotState
from batllm_arcade.core.rules import step
from batllm_arcade.settings import config

ARENA = config.load("arena").rules


def change(token: str) -> int:
    """By how much a play changes a battery that is neither full nor empty."""
    arena = Arena(BotState(500, 500, 0, 100, False, 5), BotState(800, 100, 90, 100, False, 5))
    return step(arena, 0, parse(token, back_step=60), ARENA)[0].left.charge - 5


def test_the_prices_are_those_of_the_rules():
    told = [figure for figure, _ in prices(ARENA)]
    assert told[:4] == [f"{change(token):+d}" for token in ("M", "M-60", "B", "S1")]
    assert told[4:] == ["-2", "9", "14", "28", "42", "14"]
