"""What a person is spared: commands that would do nothing but cost a play."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from batllm_arcade.core.commands import parse
from batllm_arcade.core.model import Arena, BotState
from batllm_arcade.core.rules import refusal, step
from batllm_arcade.settings import config

COUCH, PLAIN = config.load("couch").rules, config.load("default").rules
FOE = BotState(800, 500, 180, 100, False, 3)


def why(token, rules=COUCH, **me):
    bot = BotState(**{"x": 300, "y": 500, "rot": 0, "health": 100, "shield": False, "charge": 9, **me})
    return refusal(Arena(bot, FOE), 0, parse(token), rules)


@pytest.mark.parametrize(
    ("token", "me", "expected"),
    [
        ("B", {}, None),
        ("B", {"charge": 3}, None),
        ("B", {"charge": 2}, "empty"),
        ("B", {"shield": True}, "shield"),
        ("B", {"shield": True, "charge": 0}, "shield"),
        ("S", {"charge": 2}, None),
        ("S", {"charge": 1}, "weak"),
        ("S", {"charge": 1, "shield": True}, None),
        ("M", {}, None),
        ("M", {"x": 940 - 560, "rot": 0}, None),
        ("M", {"x": 60, "rot": 180}, "wall"),
        ("M", {"x": 60.5, "rot": 180}, None),
        ("M", {"x": 60, "rot": 100}, None),
        ("M", {"x": 680}, "bot"),
        ("M", {"x": 679.9999999995}, "bot"),
        ("M", {"x": 679}, None),
        ("C1", {"charge": 0, "shield": True}, None),
        ("", {"charge": 0, "shield": True}, None),
    ],
)
def test_a_command_that_would_do_nothing_is_refused_with_its_reason(token, me, expected):
    assert why(token, **me) == expected


def test_without_a_battery_nothing_is_refused_for_want_of_charge():
    assert why("B", PLAIN, charge=0) is None
    assert why("S", PLAIN, charge=0) is None
    assert why("B", PLAIN, charge=0, shield=True) == "shield"


_BOTS = st.builds(
    BotState, st.floats(60, 400), st.floats(60, 940), st.sampled_from([0.0, 37.5, 90.0, 180.0, 270.0]), st.just(100),
    st.booleans(), st.integers(0, 9),
)  # fmt: skip


@given(_BOTS, st.sampled_from(["B", "S", "M", "C1"]), st.booleans())
def test_what_is_refused_would_have_left_both_bots_as_they_are_but_for_charge(me, token, mirrored):
    foe = replace(FOE, x=560.0)
    arena = Arena(foe, me) if mirrored else Arena(me, foe)
    command = parse(token)
    after, _ = step(arena, int(mirrored), command, COUCH)
    if refusal(arena, int(mirrored), command, COUCH) is None:
        assert after != arena
        return
    for bot in (0, 1):
        old, new = arena.bot(bot), after.bot(bot)
        assert (new.health, new.rot) == (old.health, old.rot)
        assert abs(new.x - old.x) + abs(new.y - old.y) < 0.01
