"""The rules' figures: defaults, handicaps, and a plain sentence for each that makes no game."""

from __future__ import annotations

from pathlib import Path

import pytest
from approved import approve
from values import changeable, roomy

from batllm_arcade.core.model import BotState, Rules, RulesError, rules_from


def test_the_default_rules_are_the_payload_documents_figures():
    rules = rules_from({})
    assert (rules.arena_width, rules.arena_height, rules.bot_radius, rules.step_length) == (1000, 1000, 50, 50)
    assert (rules.bullet_damage, rules.shield_degrees, rules.initial_health) == ((5, 5), 64, (100, 100))
    assert (rules.initial_shield, rules.bots_collide, rules.free_move) == (True, True, False)
    assert (rules.total_rounds, rules.turns_per_round) == (3, 20)
    assert (rules.battery, rules.side_damage, rules.back_damage) == (0, 1, 1)


def test_a_battery_alone_takes_the_figures_of_the_couch_for_the_rest():
    rules = rules_from({"battery": 9})
    assert (rules.initial_charge, rules.shot_charge, rules.block_charge) == (3, 3, 2)
    assert (rules.shield_charge, rules.step_charge, rules.rest_charge) == (1, 3, 1)
    assert rules_from({"battery": 20, "shot_charge": 20, "rest_charge": 0}).shot_charge == 20


def test_without_a_battery_its_figures_mean_nothing_and_are_not_checked():
    assert rules_from({"shot_charge": 1000, "rest_charge": "much"}) == rules_from({})
    assert rules_from({"battery": 0, "initial_charge": -1}) == rules_from({})


def test_one_figure_counts_for_both_bots_and_a_list_of_two_is_a_handicap_left_first():
    assert rules_from({"initial_health": 30}).initial_health == (30, 30)
    assert rules_from({"bullet_damage": [5, 7.5]}).bullet_damage == (5, 7.5)


def test_whole_figures_stay_whole_and_others_are_rounded_to_nine_decimals():
    rules = rules_from({"bot_radius": 40, "step_length": 12.34567890149})
    assert repr((rules.bot_radius, rules.step_length)) == "(40, 12.345678901)"


@pytest.mark.parametrize("name", ["initial_shield", "bots_collide", "free_move"])
@pytest.mark.parametrize(("written", "meant"), [(True, True), (False, False), (1, True), (0, False)])
def test_a_switch_is_true_or_false_and_may_be_recorded_as_1_or_0(name, written, meant):
    assert getattr(rules_from({name: written}), name) is meant


FIGURES = Path(__file__).parent / "approved" / "figures.txt"


def refusal(figures):
    with pytest.raises(RulesError) as error:
        rules_from(figures)
    assert "\n" not in str(error.value)
    assert len(str(error.value)) < 450
    return str(error.value)


def test_a_figure_that_makes_no_game_is_refused_in_one_sentence_that_names_it():
    approve(FIGURES, refusal)
    assert refusal({"gravity": 9.81}).startswith("'gravity' is no rule; the rules are arena_height, arena_width")
    for odd in (float("nan"), float("inf"), 10**400, 10**5000, "x" * 10_000):
        assert refusal({"arena_width": odd}).startswith("arena_width must be a number, at most 1000000, not ")


def test_an_arena_with_room_for_exactly_four_radii_is_accepted():
    assert rules_from({"arena_width": 300, "arena_height": 100}).arena_height == 100
    with pytest.raises(RulesError):
        rules_from({"arena_width": 299.999, "arena_height": 100})


@pytest.mark.parametrize(("thing", "name"), [(Rules(), "arena_width"), (BotState(1, 1, 0, 1, False), "x")])
def test_what_the_game_is_made_of_is_frozen(thing, name):
    with pytest.raises(AttributeError):
        setattr(thing, name, 5)


def test_whatever_the_rules_speak_of_is_a_value():
    assert changeable("batllm_arcade.core") == roomy("batllm_arcade.core") == set()


@pytest.mark.parametrize(
    ("side", "back", "matters"), [(1, 1, False), (2, 1, True), (1, 2, True), (2, 2, True), (0.5, 1, True)]
)
def test_armour_is_on_where_the_side_or_the_back_is_hurt_otherwise_than_the_front(side, back, matters):
    assert Rules(side_damage=side, back_damage=back).has_armour == matters
