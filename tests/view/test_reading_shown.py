"""A play's thought tells how its orders were read."""

from __future__ import annotations

import pytest

from batllm_arcade.brains.orders import STYLES, Reading
from batllm_arcade.brains.tactician import StylePlay
from batllm_arcade.view.reading_words import reading_of


def test_what_the_tactician_writes_is_found_again():
    reading = Reading(dict.fromkeys(STYLES, 0.0) | {"camp": 0.81, "hold_fire": 0.12, "idle": 0.07})
    thought = f"{reading.shown()} — {StylePlay('camp', 'S1', 'in the corner, shield up').sentence}"
    shown = reading_of(thought)
    assert shown.shares == [("corner", 0.81), ("holds fire", 0.12), ("does nothing", 0.07)]
    assert shown.sentence == "In the corner: shield up"


def test_rules_that_are_said_outright_are_no_shares():
    reading = Reading(dict.fromkeys(STYLES, 0.0) | {"attack": 1.0}, rules=("flank",))
    shown = reading_of(f"{reading.shown()} \u2014 {StylePlay('attack', 'S1', 'taking aim').sentence}")
    assert [share for _, share in shown.shares] == [1.0]


def test_three_bars_are_enough():
    many = " · ".join(f"{style} 0.20" for style in STYLES[:5])
    assert len(reading_of(f"{many} — attacking: taking aim").shares) == 3


def test_who_says_that_its_orders_are_unclear_says_it_in_plain_words():
    reading = Reading(dict.fromkeys(STYLES, 0.0) | {"retreat": 0.46, "charge": 0.54})
    first = StylePlay("snipe", "C90", "turning to get away: too near", reading, unclear=True)
    assert reading_of(first.thought).sentence == "Unclear orders: too close, turning away"
    assert reading_of(first.thought).does == "Too close: turning away"  # who watches need not know
    assert reading_of(first._replace(unclear=False).thought).sentence == "Too close: turning away"


@pytest.mark.parametrize(
    "thought", ["", "I turn left", "patience 0.81 — waiting", "camp 0.81", "camp 81 — camping: x", "camp 0.81 — "]
)
def test_other_thoughts_are_text(thought):
    assert reading_of(thought) is None
