"""What a model is told of battery and armour, and that without them it is told what it always was."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from fakes import plays
from paths import DATA

from batllm_arcade.brains.protocol import PastPlay, PastTurn, PayloadStyle, View
from batllm_arcade.core.model import Arena, BotState, Rules
from batllm_arcade.history.reader import read
from batllm_arcade.history.replay import replay
from batllm_arcade.match.records import RoundStarted
from batllm_arcade.prompts import buttons
from batllm_arcade.prompts.buttons import ButtonFormat
from batllm_arcade.prompts.conversation import RoundFacts, state_text
from batllm_arcade.prompts.payload import header, payload_messages
from batllm_arcade.settings.config import load

OLD = {"default": "before_battery", "classic": "before_battery", "couch": "before_bounce"}
"""Sessions from before a rule; `payloads.json` beside them is what was sent in their last play."""
RULES = Rules(shield_degrees=50, battery=9, side_damage=2, back_damage=3)
TEMPLATE = "A hit takes $bullet_damage.$more_rules\nBe brief."
ARENA = Arena(BotState(200, 500, 0, 100, False, 3), BotState(800, 500, 90, 64, True, 2))
"""Left has what it takes and the other's side before it; right has too little."""
PAST = (PastTurn(1, (PastPlay(0, "B", "B"),), replace(ARENA, left=replace(ARENA.left, charge=0))),)


def view(rules=RULES, seat=0, arena=ARENA, history=PAST, **style):
    return View(
        seat=seat, rules=rules, game=1, round=1, turn=2, number=3, acting_order=(0, 1), prompts=("", ""), arena=arena,
        initial=ARENA, history=history, system_header="", style=PayloadStyle(**style),
    )  # fmt: skip


def sent(asked):
    return json.loads(payload_messages(asked)[-1]["content"])


def golden_views(name: str, seat: int) -> View:
    """The view of the last play of a recorded session."""
    config, records = load(name), list(replay(read(DATA / OLD[name] / f"{name}.json")))
    rules = next(record.rules for record in records if hasattr(record, "rules"))
    began = [record for record in records if isinstance(record, RoundStarted)][-1]
    done = [play for play in plays(records) if play.round == began.round]
    history = tuple(
        PastTurn(one.turn, tuple(PastPlay(p.bot, p.decision.raw, p.command.token) for p in (one, two)), two.after)
        for one, two in zip(done[::2], done[1::2], strict=True)
    )[:-1]
    return View(
        seat=seat, rules=rules, game=1, round=2, turn=done[-1].turn, number=done[-1].number,
        acting_order=began.acting_order, prompts=began.prompts, arena=done[-1].before, initial=began.arena,
        history=history, system_header=header(config.header_template, rules, seat), style=config.style,
    )  # fmt: skip


@pytest.mark.parametrize(("name", "seat"), [("default", 0), ("classic", 1), ("couch", 0), ("couch", 1)])
def test_without_a_rule_everything_sent_is_as_it_was_before_it_to_the_letter(name, seat):
    before = json.loads((DATA / OLD[name] / "payloads.json").read_text("utf-8"))[name]
    asked = golden_views(name, seat)
    for mode in ("shared", "independent"):
        for aug in (True, False):
            for order in ("append", "document"):
                style = replace(asked.style, mode=mode, aug=aug, order=order, history_window=2)
                text = payload_messages(replace(asked, style=style))[-1]["content"]
                assert text == before[f"{seat} {mode} {aug} {order}"]
    facts = RoundFacts(
        seat, asked.rules, 2, asked.acting_order[0] == seat, True, True, asked.prompts, asked.system_header,
        asked.style.decimals,
    )  # fmt: skip
    assert state_text(facts, asked.turn, asked.arena, asked.history[-1]) == before[f"{seat} conversation"]
    assert asked.system_header == before[f"{seat} header"]
    assert name == "couch" or "charge" not in ButtonFormat().instructions(asked) + ButtonFormat().this_turn(asked)


@pytest.mark.parametrize("order", ["append", "document"])
def test_every_state_shows_both_charges_in_either_order(order):
    shown = sent(view(order=order))
    for key in ("initial_state", "current_state"):
        assert (shown[key]["self"]["charge"], shown[key]["opp"]["charge"]) == (3, 2)
    assert shown["history"][0]["post_state"]["self"]["charge"] == 0
    assert list(shown["current_state"]["self"]) == ["x", "y", "rot", "health", "shield", "charge"]


@pytest.mark.parametrize("order", ["append", "document"])
def test_the_constants_name_the_figures_of_battery_and_armour(order):
    const = sent(view(order=order))["const"]
    assert const["battery"] == {"capacity": 9, "shot": 3, "block": 2, "shield": 1, "step": 3, "rest": 1}
    assert const["armour"] == {"side": 2, "back": 3}


def test_each_rule_is_told_of_only_where_it_is_on():
    no_armour = sent(view(replace(RULES, side_damage=1, back_damage=1)))
    no_battery = sent(view(replace(RULES, battery=0)))
    assert ("battery" in no_armour["const"], "armour" in no_armour["const"]) == (True, False)
    assert list(no_armour["sensors"]) == ["bearing", "distance", "ready"]
    assert ("battery" in no_battery["const"], "armour" in no_battery["const"]) == (False, True)
    assert list(no_battery["sensors"]) == ["bearing", "distance", "part", "my_part"]
    assert "charge" not in no_battery["current_state"]["self"]
    assert "armour" in sent(view(replace(RULES, side_damage=1)))["const"]


@pytest.mark.parametrize(
    ("seat", "sensors"),
    [(0, {"part": "side", "my_part": "front", "ready": 1}), (1, {"part": "front", "my_part": "side", "ready": 0})],
)
def test_sensors_say_what_is_towards_whom_and_whether_there_is_enough_for_a_shot(seat, sensors):
    assert sensors.items() <= sent(view(seat=seat))["sensors"].items()
    assert "sensors" not in sent(view(seat=seat, order="document"))
    assert sensors.items() <= sent(view(seat=seat, order="document", sensors=True))["sensors"].items()


@pytest.mark.parametrize(
    ("rot", "part"), [(180, "front"), (230, "front"), (230.1, "side"), (310, "back"), (309.9, "side"), (0, "back")]
)
def test_the_part_goes_by_the_direction_between_the_centres(rot, part):
    arena = Arena(ARENA.left, replace(ARENA.right, rot=rot))
    assert sent(view(arena=arena))["sensors"]["part"] == part


def test_the_conversation_says_the_charge_and_whether_it_is_enough():
    facts = RoundFacts(0, RULES, 1, True, True, True, ("", ""), "")
    text = state_text(facts, 2, ARENA, None)
    assert "You: x 200, y 500, rot 0, health 100, shield down, charge 3, ready." in text
    assert "shield up, charge 2, not ready, bearing 0, distance 600, part side, my_part front." in text


# The header


def test_the_header_says_the_optional_rules_behind_the_damage_with_their_own_figures():
    rules = Rules(shield_degrees=40, battery=8, shot_charge=4, step_charge=2, rest_charge=0, shield_charge=3,
                  block_charge=5, side_damage=1.5, back_damage=2.5)  # fmt: skip
    assert header(TEMPLATE, rules, 0) == (
        "A hit takes 5.\n"
        "- Charge: B takes 4 of at most 8; a step M gives 2, any other play 0; nothing while the shield is up, which "
        "takes 3 a play and 5 a blocked bullet and drops at 0.\n"
        "- Armour: your hits do 1.5 times the damage to the side, 2.5 times within 40 degrees of straight behind; "
        "its front is within 40 degrees of its rot.\n"
        "Be brief."
    )
    assert header(TEMPLATE, Rules(), 0) == "A hit takes 5.\nBe brief."
    assert "Armour" not in header(TEMPLATE, Rules(battery=9), 0)
    assert "Charge" not in header(TEMPLATE, Rules(back_damage=2), 0)


# The buttons' templates


def aimed(charge, shield=False, rules=RULES):
    me = BotState(200, 500, 0, 100, shield, charge)
    return view(rules, arena=Arena(me, BotState(800, 500, 0, 100, False, 3)), history=())


@pytest.mark.parametrize(("charge", "name"), [(0, "navigation"), (2, "navigation"), (3, "battle"), (9, "battle")])
@pytest.mark.parametrize("shield", [True, False])
def test_without_enough_charge_for_a_shot_the_template_is_navigation(charge, name, shield):
    assert buttons.template(aimed(charge, shield)) == name
    assert buttons.template(aimed(charge, shield, replace(RULES, battery=0))) == "battle"


def test_a_charge_that_rises_or_falls_is_a_change():
    def standing(*charges):
        turns = [Arena(replace(ARENA.left, charge=charge), ARENA.right) for charge in charges]
        past = tuple(PastTurn(number, (PastPlay(0, "", "ERR"),), arena) for number, arena in enumerate(turns, 1))
        return view(arena=turns[-1], history=past)

    assert buttons.stuck(standing(6, 6, 6, 6))
    assert not buttons.stuck(standing(6, 6, 6, 7))
    assert not buttons.stuck(standing(9, 8, 8, 8))
