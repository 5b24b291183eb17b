"""What orders say outright is looked up, the rest is left to a model."""

from __future__ import annotations

import pytest

from batllm_arcade.brains.orders import STYLES, Reading, bound, normalised, outright, outspoken, stages


def said(orders):
    return outright(normalised(orders))


@pytest.mark.parametrize(
    ("orders", "rules", "rest"),
    [
        ("Never shoot. Keep your shield up.", ("no_fire",), "keep your shield up"),
        ("Circle him, but don't fire!", ("no_fire",), "circle him"),
        ("follow him without shooting", ("no_fire",), "follow him"),
        ("Stop shooting", ("no_fire",), ""),
        ("Stand still and shoot", ("stand",), "shoot"),
        ("Don't move an inch, never attack", ("no_fire", "stand"), ""),
        ("hold your ground", ("stand",), ""),
        ("no shield, rush him", ("no_shield",), "rush him"),
        ("never give ground, and shoot", ("no_retreat",), "shoot"),
        ("Only shoot when his shield is down", ("open",), ""),
        ("never fire while he's shielded", ("open",), ""),
        ("don't waste a shot", ("spare",), ""),
        ("get behind him and shoot", ("flank",), "shoot"),
        ("rush it, shoot it in the back", ("flank",), "rush it"),
        ("bounce your bullets off the walls", ("bank",), ""),
        ("Bleib stehen und schieß", ("stand",), "shoot"),
        ("ne tire jamais", ("no_fire",), ""),
        ("no te muevas", ("stand",), ""),
    ],
)
def test_a_rule_is_found_in_its_clause_and_the_rest_is_left(orders, rules, rest):
    assert said(orders) == (rules, rest)


@pytest.mark.parametrize(
    "orders",
    [
        "never stop shooting", "don't hold your fire", "don't shoot until he is open", "do not shoot, unless he does",
        "never shoot first", "don't stand still", "never stay where you are", "avoid the bullets",
        "don't drop your shield",
        "keep your shield up", "hide behind your shield", "don't let him get behind you", "stay by his side",
        "never be without your shield", "back to the wall", "when he stands still, shoot him",
    ],
)  # fmt: skip
def test_what_only_sounds_like_a_rule_is_left_to_the_model_whole(orders):
    assert said(orders) == ((), orders)


def test_orders_that_name_a_first_thing_are_read_in_turn():
    assert stages("first hide in the corner, then attack") == ("hide in the corner", "attack")
    assert stages("start by running away and after that fight") == ("running away", "fight")
    for one in ("wait for him, then shoot", "first run, then shoot, then hide", "attack first"):
        assert stages(one) == (one,)


def shares(**weights):
    return dict.fromkeys(STYLES, 0.0) | weights


def test_who_may_not_fire_does_the_rest_of_its_orders():
    held = bound(("no_fire",), shares(shield=0.9, attack=0.1))
    assert held["hold_fire"] == pytest.approx(0.6)
    assert held["shield"] == pytest.approx(0.36)
    assert sum(held.values()) == pytest.approx(1)
    assert bound(("no_fire",), shares(idle=1.0))["idle"] == 1.0  # who does nothing does not fire either


def test_a_rule_changes_what_speaks_against_it():
    assert bound(("no_shield",), shares(shield=0.5, charge=0.5))["charge"] == 1.0
    assert bound(("no_retreat",), shares(retreat=0.5, attack=0.5))["charge"] == 0.5
    assert bound(("open",), shares(counter=1.0))["attack"] == 1.0
    assert outspoken(("open",))["attack"] == 1.0
    assert outspoken(("no_fire",))["hold_fire"] == 1.0
    assert outspoken(("no_fire", "stand"))["idle"] == 1.0


def test_rules_are_shown_before_the_styles_and_what_comes_then_behind_them():
    then = Reading(shares(attack=1.0))
    reading = Reading(shares(camp=0.9, idle=0.1), rules=("no_fire", "no_shield"), then=then)
    assert reading.summary() == "no_fire; no_shield; camp 90%, idle 10%; then attack 100%"
    assert reading.in_words() == "no shield, corner 90%, does nothing 10%; then attacks 100%"
    assert reading.shown() == "no_shield 1.00 · camp 0.90 · idle 0.10"
    assert not reading.in_doubt
    assert Reading(shares(camp=1.0), then=Reading(shares(camp=0.5, idle=0.5))).in_doubt
