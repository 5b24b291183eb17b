"""Orders as they are read, and how a model's probabilities become the weights of styles."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from approved import approve
from paths import ROOT

from batllm_arcade.brains.bots import BotView
from batllm_arcade.brains.cases import CONDITIONS, split
from batllm_arcade.brains.manner import Axis, Manner, read_manner
from batllm_arcade.brains.orders import (
    EXAMPLES,
    FEW_SHOT,
    LONGEST,
    STYLE_WORDS,
    STYLES,
    FittedReader,
    Reading,
    bound,
    in_english,
    normalised,
    outright,
    outspoken,
    stages,
    strange,
    unfitted_weights,
    unread,
    without,
)
from batllm_arcade.brains.styles import place_named, place_words
from batllm_arcade.brains.temper import HOLDS
from batllm_arcade.core.model import Arena, BotState, Rules

APPROVED = Path(__file__).parent / "approved"
ASSET = Path(__file__).resolve().parents[2] / "assets" / "orders" / "smollm2-135m.json"


def fitted(**changes):
    """A reader of one question and two words: the first speaks for attacking, the second for idling."""
    weights = [[0.0, 0.0] for _ in STYLES]
    weights[STYLES.index("attack")] = [1.0, 0.0]
    weights[STYLES.index("idle")] = [0.0, 1.0]
    data = {
        "sha256": "", "size": 1, "styles": list(STYLES), "words": ["shoot", "rest"], "heat": 0.5,
        "questions": [{"header": "", "tail": "{}"}], "bias": [0.0] * len(STYLES), "weights": weights,
    }  # fmt: skip
    return FittedReader.from_json({**data, **changes})


def test_a_script_without_spaces_is_read_to_a_length_that_fits():
    assert len(normalised("\N{FIRE}" * 5000).encode()) <= LONGEST


def test_orders_cannot_pass_for_an_example():
    asked = FEW_SHOT.about(normalised("win\n\nOrders: sleep Tactic: hide\n"))
    assert asked.count("\n") == len(EXAMPLES) == len(STYLES)


def test_the_fitted_layer_is_a_softmax_over_log_probabilities():
    reader = fitted()
    weights = reader.read(reader.features([{" shoot": 0.8, " rest": 0.2}]))
    assert sum(weights.values()) == pytest.approx(1)
    # The scores are ln 0.8 and ln 0.2, the temperature 0.5: the shares are as 0.64 to 0.04, others as 1.
    assert weights["attack"] / weights["idle"] == pytest.approx(16)
    assert weights["camp"] / weights["attack"] == pytest.approx(1 / 0.64)


@pytest.mark.parametrize("wrong", [{"styles": ["attack"]}, {"words": ["shoot"]}, {"weights": [[0.0, 0.0]]}])
def test_damaged_numbers_are_refused(wrong):
    with pytest.raises(ValueError, match="do not match"):
        fitted(**wrong)


def test_the_shipped_numbers_fit_the_styles_and_ask_the_few_shot_first():
    reader = FittedReader.from_json(json.loads(ASSET.read_text("utf-8")))
    assert len(reader.words) == 257
    assert reader.questions[0] == FEW_SHOT
    assert {word for words in STYLE_WORDS.values() for word in words} <= set(reader.words)


def test_without_a_fit_habits_are_divided_out():
    habits = {f" {word}": 0.01 for words in STYLE_WORDS.values() for word in words} | {" shoot": 0.5}
    heard = {**habits, " corner": 0.2}
    weights = unfitted_weights(heard, habits)
    assert max(weights, key=weights.get) == "camp"
    assert weights["attack"] == pytest.approx(weights["idle"])
    assert sum(weights.values()) == pytest.approx(1)


def test_a_reading_is_summed_up_by_what_stands_out():
    reading = Reading(dict.fromkeys(STYLES, 0.0) | {"hold_fire": 0.12, "camp": 0.81, "idle": 0.04, "mixed": 0.03})
    assert reading.summary() == "camp 81%, hold_fire 12%"
    assert reading.shown() == "camp 0.81 · hold_fire 0.12"
    assert not reading.in_doubt
    assert Reading({"camp": 0.59, "idle": 0.41}).in_doubt


def test_who_is_to_wait_for_something_fires_no_shot_before_it_in_other_languages_too():
    for orders in ("wait until he is empty, then attack", "warte bis er leer ist, dann greif an"):
        usual, cases = split(normalised(orders))
        assert "no_fire" in outright(usual).rules
        assert [condition for condition, _ in cases] == ["empty"]
    assert outright(normalised("recule et continue de viser")) == (("kite",), "")
    assert outright("attack from behind your shield").rules == ()


def understood(orders):
    """How orders are read: each stage in one line of English, what it says outright, and the rest."""
    read = normalised(orders)
    usual, cases = split(read)
    lines = [
        f"{stage!r}: {', '.join(outright(stage).rules) or '-'}, rest {outright(stage).rest!r}"
        for stage in stages(usual or read)
    ]
    lines += [f"{condition}: {deed!r}" for condition, deed in cases]
    return "\n".join(lines)


def test_orders_are_read_in_english_in_turn_and_what_they_say_outright_is_looked_up():
    approve(APPROVED / "orders.txt", understood)
    assert normalised("go " * 60) == "go " * 39 + "go"


def test_no_english_order_of_the_table_is_changed():
    orders = [line.split("\t")[0] for line in (ROOT / "training/orders/orders.tsv").read_text("utf-8").splitlines()]
    assert [each for each in orders if in_english(each) != each] == []


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


def test_cases_and_the_manner_are_shown_and_conditions_all_have_words():
    case = Reading(shares(camp=1.0), manner=Manner())
    reading = Reading(shares(attack=1.0), manner=Manner(near=1.0, lively=0.9), cases=(("hurt", case),))
    assert reading.in_words() == "attacks 100%, keeps 150 away, sidesteps; when hurt: corner 100%"
    assert reading.aside == "keeps 150 away, sidesteps, when hurt: corner"
    assert Reading(shares(idle=1.0), manner=Manner(lively=0.9)).in_words() == "does nothing 100%"  # however it does it
    assert reading.summary() == "attack 100%; when hurt: camp 100%"
    assert set(CONDITIONS) == set(HOLDS)


def test_the_manner_is_how_much_likelier_some_words_are_than_usual():
    axes = {"near": Axis(("close",), ("far",), 0.0, 1.0)}
    nears = [read_manner(axes, ("close", "far"), features).near for features in ([1, 0], [0, 0], [0, 1])]
    assert nears == pytest.approx([0.841, 0.5, 0.159])


def test_what_reaches_nothing_is_named():
    assert unread("go to the centre and spin around there") == ("spin around there",)
    assert unread("teleport behind him, after turn 10 rush him") == ("teleport behind him", "after turn 10 rush him")
    assert unread("keep a distance of 150") == ("150",)
    assert strange("sing a song and shoot him") == ("sing a song",)
    assert not strange("get in there, hit him and don't let up")
    assert without("sing a song and shoot him", ["sing a song"]) == "shoot him"
    assert outright("go to the centre and spin around there") == (("place", "spin"), "")


def test_a_condition_may_name_a_number_and_a_case_a_place():
    said = "when your health is below 50%, run to the top right corner and keep your shield up"
    assert split(said) == ("", (("hurt", "run to the top right corner and keep your shield up"),))
    assert [place_words(orders) for orders in (said, "hold the middle", "left wall", "camp in a corner")] == [
        "top right corner", "middle", "left wall", "",
    ]  # fmt: skip


def test_only_its_back_is_no_shot_at_its_front():
    for orders in ("shoot only its back", "only shoot him in the back", "never its front", "don't shoot at his front"):
        assert "unfaced" in outright(orders).rules, orders
    assert "unfaced" not in outright("only step back when you are hit").rules


RULES = Rules()


def named(orders, foe=(800.0, 700.0)):
    arena = Arena(BotState(300.0, 400.0, 0.0, 100.0, False), BotState(*foe, 0.0, 100.0, False))
    return place_named(orders, *BotView.pair(arena, 0, RULES))


def test_a_place_is_the_nearest_that_fits_the_words():
    approve(APPROVED / "places.txt", lambda orders: "{2}: {0:g}, {1:g}".format(*named(orders)))


def test_a_corner_the_foe_stands_in_is_left_to_it_unless_it_was_named():
    low, high = RULES.bot_radius, RULES.arena_width - RULES.bot_radius
    assert named("a corner", foe=(70.0, 70.0))[:2] == (low, high)
    assert named("top left corner", foe=(70.0, 70.0))[:2] == (low, low)
