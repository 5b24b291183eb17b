"""What a model is told of bounces and back steps, and how it may answer with one."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import pytest

from batllm_arcade.brains.protocol import PastPlay, PayloadStyle, View
from batllm_arcade.core.commands import StepBack, parse
from batllm_arcade.core.model import Arena, BotState, Rules
from batllm_arcade.prompts import formats as grammar
from batllm_arcade.prompts.buttons import ButtonFormat
from batllm_arcade.prompts.conversation import (
    RoundFacts,
    ToolCallFormat,
    answer_gbnf,
    answer_schema,
    past_contents,
    state_text,
)
from batllm_arcade.prompts.formats import TokenFormat, portable_schema
from batllm_arcade.prompts.payload import header, payload_messages
from batllm_arcade.settings.config import load

RULES = Rules(
    bot_radius=60, step_length=100, shield_degrees=50, battery=9, side_damage=2, back_damage=3, ricochet=1, back_step=60
)
OFF = replace(RULES, ricochet=0, back_step=0)
ARENA = Arena(BotState(300, 500, 0, 100, False, 3), BotState(700, 500, 90, 100, False, 3))
"""The left bot aims straight at the other, which looks down; a bullet off the wall above strikes its back."""
TEMPLATE = "A hit takes $bullet_damage.$more_rules\nBe brief."


def view(rules=RULES, arena=ARENA, seat=0, **style):
    return View(
        seat=seat, rules=rules, game=1, round=1, turn=1, number=1, acting_order=(0, 1), prompts=("", ""), arena=arena,
        initial=arena, style=PayloadStyle(**style),
    )  # fmt: skip


def sent(asked):
    return json.loads(payload_messages(asked)[-1]["content"])


NEW = ("ricochet", "bounce_cap", "back_step")


@pytest.mark.parametrize("order", ["append", "document"])
def test_the_constants_name_the_rules_that_are_on(order):
    const = sent(view(order=order))["const"]
    assert {key: const.get(key) for key in NEW} == {"ricochet": 1, "bounce_cap": 1, "back_step": 60}
    only_bounce = sent(view(replace(RULES, back_step=0, bounce_cap=0), order=order))["const"]
    assert {key: only_bounce.get(key) for key in NEW} == {"ricochet": 1, "bounce_cap": 0, "back_step": None}
    assert not set(NEW) & set(sent(view(OFF, order=order))["const"])


def test_the_sensor_is_the_best_shot_off_a_wall_that_strikes():
    uncapped = replace(RULES, bounce_cap=0)
    best = sent(view(uncapped))["sensors"]["bank"]
    assert best == {"turn": -68.2, "part": "back"}
    # With the cap every part costs the same: the smallest turn.
    level = Arena(replace(ARENA.left, y=300), replace(ARENA.right, y=300))
    assert sent(view(arena=level))["sensors"]["bank"] == {"turn": -56.3, "part": "back"}
    assert sent(view(arena=level, decimals=0))["sensors"]["bank"]["turn"] == -56
    assert "bank" not in sent(view(OFF))["sensors"]
    assert "sensors" not in sent(view(order="document"))
    assert "bank" in sent(view(order="document", sensors=True))["sensors"]


def test_the_sensor_s_turn_is_180_where_rounding_would_make_it_the_other_way_round():
    behind = Arena(ARENA.left, replace(ARENA.right, y=498, rot=0))
    uncapped = replace(RULES, bounce_cap=0)
    assert sent(view(uncapped, behind, decimals=2))["sensors"]["bank"] == {"turn": -179.89, "part": "back"}
    assert sent(view(uncapped, behind, decimals=0))["sensors"]["bank"] == {"turn": 180, "part": "back"}


def test_the_sensor_is_null_where_no_bounce_strikes():
    within = Arena(ARENA.left, replace(ARENA.right, x=330))  # every bullet strikes at once
    overlapping = replace(RULES, bots_collide=False)
    shown = sent(view(overlapping, within))["sensors"]
    assert (list(shown)[-1], shown["bank"]) == ("bank", None)
    facts = RoundFacts(0, overlapping, 1, True, True, True, ("", ""), "")
    assert "wall" not in state_text(facts, 1, within, None)


def test_the_conversation_says_the_shot_off_a_wall_in_words():
    facts = RoundFacts(0, RULES, 1, True, True, True, ("", ""), "")
    level = Arena(replace(ARENA.left, y=300), replace(ARENA.right, y=300))
    assert "distance 400, part side, my_part front, off a wall turn -56.3 strikes its back." in state_text(
        facts, 1, level, None
    )
    assert "wall" not in state_text(replace(facts, rules=OFF), 1, level, None)


@pytest.mark.parametrize(
    ("figures", "says"),
    [
        ({}, " and then takes the front's damage wherever it strikes"),
        ({"bounce_cap": 1.5}, " and then does at most 1.5 times the damage"),
        ({"bounce_cap": 0.5}, " and then does at most 0.5 times the damage"),
        ({"bounce_cap": 0}, ""),
        ({"bounce_cap": 3}, ""),
        ({"side_damage": 1, "back_damage": 1}, ""),
    ],
)
def test_the_header_says_what_a_bounced_bullet_does(figures, says):
    text = header(TEMPLATE, replace(RULES, battery=0, back_step=0, **figures), 0)
    assert f"\n- A bullet bounces off a wall once{says}.\nBe brief." in text


def test_the_header_says_the_back_step_with_its_figure_and_what_it_gives():
    assert "\n- M-60: one step back; gives rest charge.\nBe brief." in header(TEMPLATE, RULES, 0)
    assert "\n- M-7: one step back.\n" in header(TEMPLATE, replace(RULES, battery=0, back_step=7), 0)
    assert "wall" not in header(TEMPLATE, OFF, 0)
    assert "M-" not in header(TEMPLATE, OFF, 0)


# Answers


def test_pattern_and_grammar_let_a_back_step_through_and_no_other_distance():
    expression = re.compile(grammar.pattern(back_step=60))
    for token in ("M", "M-60", "M-1", "M-9999", "C17", "B"):
        assert expression.fullmatch(token), token
    for token in ("M60", "M-", "M-12345", "M--6", "M-6.5"):
        assert not expression.fullmatch(token), token
    assert r"(-[0-9]{1,4})?" in expression.pattern
    assert '"M" ("-" [0-9] [0-9]? [0-9]? [0-9]?)?' in grammar.command_grammar(back_step=60)
    assert '"M" ("-" [0-9]' in answer_gbnf(back_step=60)
    assert grammar.is_pattern(expression.pattern)
    asked = view()
    assert TokenFormat().schema(asked) == grammar.command_schema(back_step=60)
    assert TokenFormat().grammar(asked) == grammar.command_grammar(back_step=60)
    assert ToolCallFormat().schema(asked) == answer_schema(back_step=60)
    assert ToolCallFormat().grammar(asked) == answer_gbnf(back_step=60)


@pytest.mark.parametrize("back_step", [0, 60])
def test_without_patterns_a_back_step_is_an_action(back_step):
    schema = portable_schema(grammar.command_schema(back_step=back_step))
    assert ("step_back" in schema["properties"]["action"]["enum"]) == bool(back_step)
    played, _ = portable_schema(answer_schema(back_step=back_step))["anyOf"]
    assert ("step_back" in played["properties"]["action"]["enum"]) == bool(back_step)
    rules = replace(RULES, back_step=back_step)
    for form in (TokenFormat(actions=True), ToolCallFormat(actions=True)):
        assert ("step_back (M-60)" in form.instructions(view(rules))) == bool(back_step)


def test_the_action_plays_the_back_step():
    (decision,) = TokenFormat(actions=True).read(view(), '{"action": "step_back", "degrees": 0}')
    assert decision.command == "M-60"
    called = '{"toolCall":"playCommand","action":"step_back","degrees":0,"reasoning":"too close"}'
    (decision,) = ToolCallFormat(actions=True).read(view(), called)
    assert (decision.command, decision.thought) == ("M-60", "too close")
    (shown,) = past_contents(PastPlay(0, called, "M-60"))
    assert shown == {"toolCall": "playCommand", "command": "M-60", "reasoning": "too close"}


def test_a_button_may_be_the_back_step_and_the_shipped_arena_has_one():
    pad = load("arena").gamepad
    assert isinstance(parse(pad.start, back_step=60), StepBack)
    assert "start: M-60" in ButtonFormat().instructions(replace(view(), gamepad=pad))


def test_the_turn_limit_and_the_bump_are_told_only_where_they_are_on():
    on = replace(RULES, turn_limit=90, bump_push=60, bump_turn=150)
    told = sent(view(on))
    assert (told["const"]["turn_limit"], told["const"]["bump"]) == (90, {"push": 60, "turn": 150})
    assert told["sensors"]["bump"] == 0
    near = Arena(ARENA.left, replace(ARENA.right, x=450))
    assert sent(view(on, near))["sensors"]["bump"] == 1
    assert "a step runs into it" in state_text(RoundFacts(0, on, 1, True, True, True, ("", ""), ""), 1, near, None)
    assert header(TEMPLATE, on, 0).splitlines()[-3:-1] == [
        "- A play turns you at most 90 degrees.",
        "- A step M into the other shoves it 60, turns it 150 clockwise and loads only 1.",
    ]
    off = sent(view())
    assert not {"turn_limit", "bump"} & {*off["const"], *off["sensors"]}
