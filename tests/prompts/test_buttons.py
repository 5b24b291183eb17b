"""JSON-only responses: what asks for one, the five criteria, the gamepad."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import asking
import pytest
from approved import approve

from batllm_arcade.brains.protocol import BUTTONS, Gamepad, PastPlay, PastTurn
from batllm_arcade.core.commands import Nothing, parse
from batllm_arcade.core.model import Arena, BotState, Rules
from batllm_arcade.prompts import buttons
from batllm_arcade.prompts.buttons import ButtonFormat, ExtraText, NotJson, TooLong, WrongButton, read
from batllm_arcade.prompts.formats import InvalidReply, instructed, portable_schema

GOOD = {
    "button_presses": ["up", "a"],
    "reasoning": "Closing in, then firing",
    "observations": "Opponent ahead",
    "context_detected": "battle",
}
FACING = Arena(BotState(200, 500, 0, 100, True), BotState(800, 500, 0, 100, True))
BLOCKED = Arena(BotState(200, 500, 0, 100, True), BotState(800, 500, 180, 100, True))
AWAY = Arena(BotState(200, 500, 90, 100, False), BotState(800, 500, 0, 100, False))


def a_view(arena=FACING, **more):
    return asking.a_view(arena=arena, prompts=("", ""), system_header="", **more)


def text(**changes):
    return json.dumps({**GOOD, **changes})


def test_reading_one_is_what_imports_pydantic():
    code = "import sys, batllm_arcade.prompts.buttons, batllm_arcade.cli.main; sys.exit('pydantic' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def criterion(case):
    """What comes of a response: of GOOD with some fields changed, or of a text."""
    raw = text(**case) if isinstance(case, dict) else case.replace("GOOD", text())
    try:
        return f"presses {', '.join(read(raw).button_presses)}"
    except InvalidReply as problem:
        return f"{type(problem).__name__}: {problem}"


def test_each_criterion_has_its_own_error_in_one_sentence():
    approve(Path(__file__).parent / "approved" / "buttons.txt", criterion)


@pytest.mark.parametrize("field", ["reasoning", "observations"])
def test_plain_facts_are_taken_and_role_play_hype_and_narrative_are_not(field):
    wrong = []
    for line in (Path(__file__).parent / "facts.txt").read_text("utf-8").splitlines():
        outcome = criterion({field: line[2:]})
        if outcome.startswith("Prohibited: ") != line.startswith("x "):
            wrong.append((line, outcome))
    assert not wrong


@pytest.mark.parametrize(("error", "raw"), [
    (NotJson, text(turn_degrees=float("nan"))), (NotJson, text(turn_degrees=float("inf"))), (NotJson, "[" * 100_000),
    (NotJson, text()[:-1] + ', "more": ' + "[" * 100_000), (NotJson, text()[:-1] + ', "more": ' + "9" * 10_000 + "}"),
    (TooLong, text(reasoning="é" * 201)), (TooLong, text(observations="x" * 301)),
    (WrongButton, text(button_presses=[], reasoning="x" * 201)),  # the first criterion is the one that is told
    (type(None), text(reasoning="😀" * 200, observations="é" * 300)),
])  # fmt: skip
def test_a_response_of_any_length_is_read(error, raw):
    caught = None
    try:
        read(raw)
    except InvalidReply as problem:
        caught = problem
    assert type(caught) is error
    assert len(str(caught)) < 250


def test_a_key_that_comes_back_a_hundred_thousand_times_costs_no_time():
    with pytest.raises(NotJson):
        read("{" + ",".join(f'"{number}": 1' for number in range(100_000)) + ', "1": 2}')


@pytest.mark.parametrize(("told", "meant"), [("menu", "unknown"), ("unknown", "unknown"), ("navigation", "navigation")])
def test_a_menu_is_treated_as_unknown_and_the_text_stays_with_the_first_press(told, meant):
    raw = text(context_detected=told, confidence="low")
    first, *later = ButtonFormat().read(a_view(), raw)
    assert (first.raw, first.thought) == (raw, f"Closing in, then firing ({meant}, low confidence)")
    assert [(play.raw, play.thought) for play in later] == [("", "")]


def past(*arenas):
    plays = (PastPlay(0, "x", "ERR"), PastPlay(1, "M", "M"))
    return tuple(PastTurn(number, plays, arena) for number, arena in enumerate(arenas, 1))


def moved(arena, **changes):
    return replace(arena, left=replace(arena.left, **changes))


def test_three_plays_without_an_effect_call_for_recovery():
    view = a_view()
    busy_foe = [replace(FACING, right=replace(FACING.right, x=800 - 50 * step)) for step in range(4)]
    assert buttons.template(replace(view, history=past(*busy_foe[:2]))) == "battle"
    assert buttons.template(replace(view, history=past(*busy_foe[:3]))) == "recovery"
    hurt = moved(busy_foe[2], health=95)
    assert buttons.template(replace(view, history=past(*busy_foe[:2], hurt))) == "recovery"


@pytest.mark.parametrize("change", [{"x": 210}, {"rot": 15}, {"shield": False}])
def test_a_play_with_an_effect_is_not_stuck(change):
    history = past(FACING, FACING, moved(FACING, **change))
    assert not buttons.stuck(a_view(history=history))
    struck = replace(FACING, right=replace(FACING.right, health=95))  # so is a hit
    assert not buttons.stuck(a_view(history=past(FACING, FACING, struck)))
    assert buttons.stuck(a_view(history=past(*[moved(FACING, **change)] * 4)))


EXTRA = {
    "battle": {"battle_phase", "move_strategy"},
    "navigation": {"exploration_goal"},
    "recovery": {"recovery_strategy"},
}


@pytest.mark.parametrize("name", EXTRA)
def test_each_template_has_its_extra_fields_in_the_schema_and_none_of_the_others(name):
    schema = buttons.schema(name)
    assert set(schema["properties"]) == {*GOOD, "confidence", "turn_degrees", *EXTRA[name]}
    assert set(schema["required"]) == set(GOOD)
    presses = schema["properties"]["button_presses"]
    assert (presses["minItems"], presses["maxItems"], presses["items"]["enum"]) == (1, 3, list(BUTTONS))
    assert schema["properties"]["reasoning"]["maxLength"] == 200
    assert schema["properties"]["observations"]["maxLength"] == 300


def keywords(schema):
    for key, value in schema.items():
        yield key
        for part in value.values() if key == "properties" else [value] if isinstance(value, dict) else ():
            yield from keywords(part)


@pytest.mark.parametrize("name", EXTRA)
def test_the_portable_schema_has_only_what_every_provider_takes(name):
    known = {"type", "enum", "items", "minItems", "maxItems", "minimum", "maximum", "properties", "required"}
    assert set(keywords(portable_schema(buttons.schema(name)))) <= known


# The prompt text

DOCUMENT = """\
**RESPONSE FORMAT (MANDATORY):**
Return ONLY a JSON object with no additional text:

{
  "button_presses": ["button"],
  "reasoning": "why this action",
  "observations": "what you see",
  "context_detected": "battle|navigation|menu|unknown",
  "confidence": "high|medium|low"
}

Do not include any text before or after the JSON. No markdown, no code blocks, no explanations.
"""


def test_the_prompt_holds_the_document_s_block_the_prohibitions_and_both_examples():
    told = ButtonFormat().instructions(a_view())
    assert DOCUMENT in told
    for word in ("role play", "narrative", "bold", "<think>"):
        assert word in told
    correct = told.partition("**CORRECT:**")[2].partition("\n\n")[0].splitlines()[1:]
    assert len({tuple(read(each).button_presses) for each in correct}) >= 3, "one alone would be copied"
    for (name, fields), example in zip(EXTRA.items(), correct, strict=True):
        (line,) = [each for each in told.splitlines() if each.startswith(f"- {name}: ")]
        assert fields == {other for others in EXTRA.values() for other in others if other in line}
        assert set(json.loads(example)) == {*GOOD, "confidence", *fields}
    incorrect = told.partition("**INCORRECT:**\n")[2].partition("\n\n")[0]
    with pytest.raises(ExtraText):
        read(incorrect)


def test_the_prompt_names_every_button_with_what_it_does_and_this_play_s_template():
    told = ButtonFormat().instructions(a_view(gamepad=Gamepad(turn_degrees=22.5, b="", start="S1")))
    assert "up: M; down: S1; left: A22.5; right: C22.5; a: B; b: nothing; start: S1; select: S0" in told


def test_what_belongs_to_this_turn_is_told_apart_from_what_holds_for_all():
    views = [a_view(), a_view(AWAY), a_view(history=past(FACING, FACING, FACING)), replace(a_view(), turn=7)]
    assert len({ButtonFormat().instructions(view) for view in views}) == 1
    assert [ButtonFormat().this_turn(view).partition(":")[0] for view in views[:3]] == list(EXTRA)


def told_this_turn(case):
    """What the bot in either seat is told of this turn, with some buttons changed."""
    battery, mine, theirs, pad = case
    us, them, rules = BotState(*mine), BotState(*theirs), Rules(battery=battery)
    views = a_view(Arena(us, them), rules=rules), a_view(Arena(them, us), rules=rules, seat=1)
    left, right = (ButtonFormat().this_turn(replace(view, gamepad=Gamepad(**pad))) for view in views)
    assert left == right
    assert left.startswith(buttons.template(views[0]))
    return left


def test_this_turn_says_what_a_shot_would_do_and_what_bars_it():
    approve(Path(__file__).parent / "approved" / "turns.txt", told_this_turn)


def test_instructions_end_the_system_message_or_are_one():
    system, user = {"role": "system", "content": "Duel."}, {"role": "user", "content": "{}"}
    assert instructed([system, user], "") == [system, user]
    assert instructed([system, user], "Press.") == [{"role": "system", "content": "Duel.\n\nPress."}, user]
    assert instructed([user], "Press.") == [{"role": "system", "content": "Press."}, user]


def pressed(case):
    """The commands of some presses, with other values of a response and of the gamepad."""
    presses, changes, pad = case
    raw = text(button_presses=presses.split(), **changes)
    given = [play.command for play in ButtonFormat().read(a_view(gamepad=Gamepad(**pad)), raw)]
    assert all(not isinstance(parse(command), Nothing) for command in given if command)
    return ", ".join(command or "nothing" for command in given)


def test_a_button_is_a_command_and_equal_turns_in_a_row_are_one():
    approve(Path(__file__).parent / "approved" / "presses.txt", pressed)
