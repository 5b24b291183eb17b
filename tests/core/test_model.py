"""The rules' figures: defaults, handicaps, and a plain sentence for each that makes no game."""

from __future__ import annotations

import pytest
from values import changeable, roomy

from batllm_arcade.core.model import Arena, BotState, Rules, RulesError, rules_from


def test_the_default_rules_are_the_payload_documents_figures():
    rules = rules_from({})
    assert (rules.arena_width, rules.arena_height, rules.bot_radius, rules.step_length) == (1000, 1000, 50, 50)
    assert (rules.bullet_damage, rules.shield_degrees, rules.initial_health) == ((5, 5), 64, (100, 100))
    assert (rules.initial_shield, rules.bots_collide, rules.free_move) == (True, True, False)
    assert (rules.total_rounds, rules.turns_per_round) == (3, 20)


def test_without_a_word_about_them_there_is_no_battery_and_no_armour():
    rules = rules_from({})
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


@pytest.mark.parametrize(
    ("figures", "says"),
    [
        ({"arena_width": 0}, "arena_width must be above 0, not 0"),
        ({"arena_height": -5}, "arena_height must be above 0, not -5"),
        ({"bot_radius": 0}, "bot_radius must be above 0"),
        ({"bot_radius": 1e-12}, "bot_radius must be above 0"),
        ({"step_length": 0}, "step_length must be above 0"),
        ({"shield_degrees": -1}, "shield_degrees must be from 0 to 180, not -1"),
        ({"shield_degrees": 180.5}, "shield_degrees must be from 0 to 180"),
        ({"bullet_damage": -1}, "bullet_damage must be 0 or more"),
        ({"bullet_damage": [5, -1]}, "bullet_damage must be 0 or more"),
        ({"initial_health": 0}, "initial_health must be above 0"),
        ({"initial_health": [0, 10]}, "initial_health must be above 0"),
        ({"total_rounds": 0}, "total_rounds must be 1 or more"),
        ({"turns_per_round": 0}, "turns_per_round must be 1 or more"),
        ({"turns_per_round": 2.0}, "turns_per_round must be a whole number"),
        ({"turns_per_round": True}, "turns_per_round must be a whole number"),
        ({"total_rounds": 1_000_001}, "total_rounds must be a whole number, at most 1000000"),
        ({"arena_width": "wide"}, "arena_width must be a number, at most 1000000, not 'wide'"),
        ({"arena_width": True}, "arena_width must be a number"),
        ({"arena_width": None}, "arena_width must be a number"),
        ({"arena_width": [1000, 1000]}, "arena_width must be a number"),
        ({"arena_width": float("nan")}, "arena_width must be a number, at most 1000000, not nan"),
        ({"arena_width": float("inf")}, "arena_width must be a number, at most 1000000, not inf"),
        ({"arena_width": 1_000_000.5}, "arena_width must be a number, at most 1000000"),
        ({"arena_width": 10**400}, "arena_width must be a number"),
        ({"arena_width": 10**5000}, "arena_width must be a number, at most 1000000, not a huge number"),
        ({"arena_width": "x" * 10_000}, "arena_width must be a number"),
        ({"bullet_damage": [5]}, "bullet_damage must be one number or a list of two, left first, not [5]"),
        ({"bullet_damage": [5, 5, 5]}, "bullet_damage must be one number or a list of two"),
        ({"bullet_damage": "55"}, "bullet_damage must be a number"),
        ({"bullet_damage": b"ab"}, "bullet_damage must be a number"),
        ({"initial_health": [5, None]}, "initial_health must be a number"),
        ({"initial_health": [[5, 5], 5]}, "initial_health must be a number"),
        ({"initial_shield": 2}, "initial_shield must be true or false, not 2"),
        ({"bots_collide": "yes"}, "bots_collide must be true or false"),
        ({"free_move": 1.0}, "free_move must be true or false"),
        ({"gravity": 9.81}, "'gravity' is no rule; the rules are arena_height, arena_width"),
        ({"bot_radius": 250, "step_length": 50}, "bot_radius must be small enough for two bots to stand apart"),
        ({"arena_height": 99}, "bot_radius must be small enough"),
        ({"battery": -1}, "battery must be a whole number from 0 to 1000000, not -1"),
        ({"battery": 9.0}, "battery must be a whole number"),
        ({"battery": True}, "battery must be a whole number"),
        ({"battery": "full"}, "battery must be a whole number from 0 to 1000000, not 'full'"),
        ({"battery": 1_000_001}, "battery must be a whole number"),
        ({"battery": 9, "shot_charge": 10}, "shot_charge must be a whole number from 0 to the battery's 9, not 10"),
        ({"battery": 9, "block_charge": -1}, "block_charge must be a whole number from 0 to the battery's 9, not -1"),
        ({"battery": 9, "shield_charge": 1.0}, "shield_charge must be a whole number"),
        ({"battery": 9, "step_charge": True}, "step_charge must be a whole number"),
        ({"battery": 9, "rest_charge": "1"}, "rest_charge must be a whole number"),
        ({"battery": 9, "initial_charge": None}, "initial_charge must be a whole number"),
        ({"battery": 2}, "initial_charge must be a whole number from 0 to the battery's 2, not 3"),
        ({"side_damage": -0.5}, "side_damage must be 0 or more, not -0.5"),
        ({"back_damage": "double"}, "back_damage must be a number"),
    ],
)
def test_a_figure_that_makes_no_game_is_refused_in_one_sentence_that_names_it(figures, says):
    with pytest.raises(RulesError) as error:
        rules_from(figures)
    assert str(error.value).startswith(says)
    assert "\n" not in str(error.value)
    assert len(str(error.value)) < 450


def test_an_arena_with_room_for_exactly_four_radii_is_accepted():
    assert rules_from({"arena_width": 300, "arena_height": 100}).arena_height == 100
    with pytest.raises(RulesError):
        rules_from({"arena_width": 299.999, "arena_height": 100})


def test_bot_0_is_left_and_bot_1_right():
    left, right = BotState(1, 1, 0, 1, False), BotState(2, 2, 0, 1, False)
    assert (Arena(left, right).bot(0), Arena(left, right).bot(1)) == (left, right)


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
