"""What a model is told of optional rules, that without them it is told what it always was, and how it may answer."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from approved import approve
from fakes import plays
from paths import DATA

from batllm_arcade.brains.protocol import PastPlay, PastTurn, PayloadStyle, View
from batllm_arcade.core.commands import Nothing, StepBack, parse
from batllm_arcade.core.model import Arena, BotState, Rules
from batllm_arcade.history.reader import read
from batllm_arcade.history.replay import replay
from batllm_arcade.match.records import RoundStarted
from batllm_arcade.prompts import buttons
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
from batllm_arcade.prompts.formats import TokenFormat, command_grammar, command_schema, pattern, portable_schema
from batllm_arcade.prompts.payload import header, payload_messages
from batllm_arcade.prompts.unwrap import command
from batllm_arcade.settings.config import load

OLD = {"default": "before_battery", "classic": "before_battery", "couch": "before_bounce"}
"""Sessions from before a rule; `payloads.json` beside them is what was sent in their last play."""
RULES = Rules(shield_degrees=50, battery=9, side_damage=2, back_damage=3)
WALLS = replace(RULES, bot_radius=60, step_length=100, ricochet=1, back_step=60)
TEMPLATE = "A hit takes $bullet_damage.$more_rules\nBe brief."
ARENA = Arena(BotState(200, 500, 0, 100, False, 3), BotState(800, 500, 90, 64, True, 2))
"""Left has what it takes and the other's side before it; right has too little."""
PAST = (PastTurn(1, (PastPlay(0, "B", "B"),), replace(ARENA, left=replace(ARENA.left, charge=0))),)


def view(rules=RULES, seat=0, arena=ARENA, history=PAST, **style):
    return View(
        seat=seat, rules=rules, game=1, round=1, turn=2, number=3, acting_order=(0, 1), prompts=("", ""), arena=arena,
        initial=ARENA, history=history, system_header="", style=PayloadStyle(**style),
    )  # fmt: skip


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


def told(case):
    """What differs by rules: lines of the header, constants, states, sensors, and the line of a conversation."""
    base, changes, left, right, seat, style = case
    rules = replace({"": Rules(), "battery": RULES, "walls": WALLS}[base], **changes)
    arena = Arena(BotState(*left), BotState(*right))
    asked = replace(view(rules, seat, arena, (), **style), initial=arena)
    body = json.loads(payload_messages(asked)[-1]["content"])
    usual = ("step_length", "bullet_damage", "shield_degrees", "initial_health", "arena_width", "arena_height")
    constants = {key: value for key, value in body["const"].items() if key not in (*usual, "bot_radius")}
    states = body["initial_state"], body["current_state"]
    assert list(states[0]["self"]) == ["x", "y", "rot", "health", "shield", *(["charge"] if rules.battery else [])]
    charges = [state[bot].get("charge") for state in states for bot in ("self", "opp")]
    facts = RoundFacts(seat, rules, 1, True, True, True, ("", ""), "", asked.style.decimals)
    said = header(TEMPLATE, rules, seat).splitlines()
    assert (said[0], said[-1]) == (f"A hit takes {rules.bullet_damage[seat]:g}.", "Be brief.")
    figures = (f"{name}: {json.dumps(value)}" for name, value in (
        ("constants", constants), ("charges", charges), ("sensors", body.get("sensors")),
    ))  # fmt: skip
    return "\n".join([*said[1:-1], *figures, state_text(facts, 1, arena, None).partition("act first. ")[2]])


def test_what_a_model_is_told_of_optional_rules_is_as_approved():
    approve(Path(__file__).parent / "approved" / "rules.txt", told)


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
    asked = view(WALLS)
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
    rules = replace(WALLS, back_step=back_step)
    for form in (TokenFormat(actions=True), ToolCallFormat(actions=True)):
        assert ("step_back (M-60)" in form.instructions(view(rules))) == bool(back_step)


def test_the_action_plays_the_back_step():
    back = WALLS
    (decision,) = TokenFormat(actions=True).read(view(back), '{"action": "step_back", "degrees": 0}')
    assert decision.command == "M-60"
    called = '{"toolCall":"playCommand","action":"step_back","degrees":0,"reasoning":"too close"}'
    (decision,) = ToolCallFormat(actions=True).read(view(back), called)
    assert (decision.command, decision.thought) == ("M-60", "too close")
    (shown,) = past_contents(PastPlay(0, called, "M-60"))
    assert shown == {"toolCall": "playCommand", "command": "M-60", "reasoning": "too close"}


def test_a_button_may_be_the_back_step_and_the_shipped_arena_has_one():
    pad = load("arena").gamepad
    assert isinstance(parse(pad.start, back_step=60), StepBack)
    assert "start: M-60" in ButtonFormat().instructions(replace(view(), gamepad=pad))


PLAIN = ["M", "S1", "S0", "S", "B"] + [f"{side}{degrees}" for side in "CA" for degrees in range(361)]
FREE = ["M0", "M5", "M-5", "M130", "M-1000", "M9999"]


def as_expression(grammar):
    """A GBNF grammar without recursion as a regular expression; enough of the language for ours."""
    rules = dict(line.split(" ::= ") for line in grammar.strip().splitlines())

    def expand(name):
        pieces = re.findall(r'"[^"]*"|\[[^\]]*\]|[a-z-]+|[()|?*+]|\s+', rules[name])
        assert "".join(pieces) == rules[name]
        out = []
        for piece in pieces:
            if piece.startswith('"'):
                out.append(f"(?:{re.escape(piece[1:-1])})")
            elif re.fullmatch("[a-z-]+", piece):
                out.append(f"(?:{expand(piece)})")
            elif not piece.isspace():
                out.append(piece)
        return "".join(out)

    return expand("root")


def constraints(free_move):
    return {"pattern": pattern(free_move), "gbnf": as_expression(command_grammar(free_move))}


@pytest.mark.parametrize("kind", ["pattern", "gbnf"])
@pytest.mark.parametrize("free_move", [False, True])
def test_every_whole_degree_command_is_accepted(kind, free_move):
    expression = re.compile(constraints(free_move)[kind])
    for token in PLAIN + (FREE if free_move else []):
        assert expression.fullmatch(token), token


@pytest.mark.parametrize("kind", ["pattern", "gbnf"])
@pytest.mark.parametrize("free_move", [False, True])
def test_what_is_accepted_is_a_command_for_the_parser(kind, free_move):
    expression = re.compile(constraints(free_move)[kind])
    rng, accepted = Random(1), 0
    texts = [f"{head}{digits}" for head in ("C", "A", "M", "S", "B", "") for digits in ["", *range(1100)]]
    texts += ["".join(rng.choices("CAMSB0123456789-. ", k=rng.randint(0, 5))) for _ in range(20_000)]
    for text in texts:
        if expression.fullmatch(text):
            accepted += 1
            assert not isinstance(parse(text, free_move), Nothing), text
    assert accepted >= 727


@pytest.mark.parametrize("kind", ["pattern", "gbnf"])
@pytest.mark.parametrize(
    "text", ["", "C", "C361", "C007", "C-5", "S2", "M5", "MB", "C17 ", "c17", "B1", "xM", "36", "C1.5"]
)
def test_what_no_model_should_write_is_not_accepted(kind, text):
    assert not re.fullmatch(constraints(False)[kind], text)


def test_the_pattern_is_anchored_for_servers_that_search_with_it():
    assert not re.search(pattern(), "go M")
    assert not re.search(pattern(), "Sure! C17 it is")


def test_without_patterns_only_actions_and_whole_angles_can_be_said():
    schema = portable_schema(command_schema())
    assert schema["required"] == list(schema["properties"]) == ["action", "degrees"]
    assert schema["properties"]["degrees"] == {"type": "integer", "minimum": -180, "maximum": 180}
    for action in schema["properties"]["action"]["enum"]:
        for degrees in (-180, -1, 0, 180):
            token = command(f'{{"action": "{action}", "degrees": {degrees}}}')
            assert token is None if action == "nothing" else not isinstance(parse(token), Nothing)
