"""Payload v3.2: what a model is sent for one play."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
from approved import approve
from paths import DATA

from batllm_arcade.brains.protocol import PastPlay, PastTurn, PayloadStyle, View
from batllm_arcade.core.commands import Nothing
from batllm_arcade.core.model import Arena, BotState, Rules
from batllm_arcade.core.rules import read_command
from batllm_arcade.prompts.payload import body, header, payload_messages
from batllm_arcade.settings.config import SHIPPED, load

EXAMPLE = (DATA / "payload_v3_2_example.json").read_text("utf-8").strip()
MODES = [(mode, aug) for mode in ("shared", "independent") for aug in (True, False)]
ORDERS = ("document", "append")


def arena(left, right):
    return Arena(BotState(*left), BotState(*right))


START = arena((20, 30, 23, 20, True), (22, 22, 22, 21, False))


def example_view(**changes):
    """The values of the document's complete example, for a bot in the left seat."""
    after_1 = arena((20, 30, 23, 20, False), (22, 22, 22, 21, True))
    after_2 = arena((20, 30, 40, 20, False), (22, 72, 22, 21, True))
    view = View(
        seat=0, rules=Rules(), game=1, round=1, turn=3, number=5, acting_order=(0, 1),
        prompts=(
            "Close distance and shoot when shield is down.",
            "Keep distance and keep shield up; only move when threatened.",
        ),
        arena=START, initial=START,
        history=(
            PastTurn(1, (PastPlay(0, "S0", "S0"), PastPlay(1, "S1", "S1")), after_1),
            PastTurn(2, (PastPlay(0, "C17", "C17"), PastPlay(1, "M", "M")), after_2),
        ),
        system_header="You control SELF.",
        style=PayloadStyle(order="document"),
    )  # fmt: skip
    return replace(view, **changes)


def style(view, **changes):
    return replace(view, style=replace(view.style, **changes))


def sent(view):
    return json.loads(payload_messages(view)[-1]["content"])


def test_in_document_order_the_documents_example_comes_out_to_the_letter():
    ids = '"ids":{"self":"left","opp":"right"}'
    text = payload_messages(example_view())[-1]["content"]
    assert ids in text
    assert text.replace(ids, '"ids":{"self":"MY_BOT","opp":"OPPONENT_BOT"}') == EXAMPLE


def test_the_right_seat_is_sent_the_same_example_when_all_is_mirrored():
    view = example_view()

    def mirrored(one):
        return Arena(one.right, one.left)

    history = tuple(
        PastTurn(
            turn.turn, tuple(PastPlay(1 - play.bot, play.raw, play.cmd) for play in turn.plays), mirrored(turn.after)
        )
        for turn in view.history
    )
    view = replace(
        view, seat=1, acting_order=(1, 0), prompts=view.prompts[::-1], arena=mirrored(START), initial=mirrored(START),
        history=history,
    )  # fmt: skip
    assert sent(view) == {**json.loads(EXAMPLE), "ids": {"self": "right", "opp": "left"}}


def payload(case):
    """The keys of a payload and what they hold: of the document's example with these changes of view and style."""
    changes, styled, *places = case
    view = example_view(**{key: value for key, value in changes.items() if key not in ("rules", "config", "plays")})
    for turn, plays in enumerate(changes.get("plays", ()), 1):  # what both bots wrote, in the order in which they acted
        past = view.history if turn > 1 else ()
        done = tuple(PastPlay(bot, raw, read_command(raw, view.rules).token) for bot, raw in plays)
        view = replace(view, history=(*past, PastTurn(turn, done, START)))
    rules = load(changes["config"]).rules if "config" in changes else Rules(**changes.get("rules", {}))
    view = replace(view, rules=rules, arena=arena(*places) if places else view.arena)
    return "\n".join(f"{key}: {json.dumps(value)}" for key, value in sent(style(view, **styled)).items())


def test_a_payload_holds_what_its_document_and_its_style_ask_for():
    approve(Path(__file__).parent / "approved" / "payloads.txt", payload)


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize(("mode", "aug"), MODES)
def test_the_body_and_the_text_that_is_sent_say_the_same(mode, aug, order):
    view = style(example_view(), mode=mode, aug=aug, order=order, history_window=1)
    said = payload_messages(view)
    assert [list(message) for message in said] == [["role", "content"]] * len(said)
    assert [message["role"] for message in said] == (["system", "user"] if aug else ["user"])
    assert said[0]["content"] == "You control SELF." or not aug
    assert said[-1]["content"] == json.dumps(body(view), separators=(",", ":"))
    (*_, having) = payload_messages(view, "a shot would hit")  # what belongs to this turn is the last key
    assert having["content"] == f'{said[-1]["content"][:-1]},"this_turn":"a shot would hit"}}'
    assert sent(style(example_view(history=()), order=order))["history"] == []


def test_in_append_order_the_text_of_a_turn_begins_with_that_of_the_turn_before_up_to_its_history():
    view = style(example_view(), order="append")
    first = payload_messages(replace(view, turn=2, history=view.history[:1]))[-1]["content"]
    second = payload_messages(view)[-1]["content"]
    assert second.startswith(first[: first.index('],"current_state"')])


@pytest.mark.parametrize("raw", ['say "hi"\n\\', "日本語 🦇", "\ud800", "\x00", "</think>"])
def test_a_reply_arrives_exactly_as_it_was_whatever_is_in_it(raw):
    turn = PastTurn(1, (PastPlay(0, raw, "ERR"), PastPlay(1, "M", "M")), START)
    view = example_view(history=(turn,), prompts=(raw, raw))
    assert payload_messages(view)[-1]["content"].isascii()
    assert sent(view)["history"][0]["plays"][0]["llm_raw"] == raw
    assert sent(view)["round_prompt"] == {"self": raw, "opp": raw}


EXAMPLE_TOKEN = re.compile(r"\b(?:[CA][0-9.]+|M-?[0-9.]+[0-9]|S[0-9]?|[MB])\b(?!\{)")


@pytest.mark.parametrize("name", SHIPPED)
@pytest.mark.parametrize("free_move", [True, False])
@pytest.mark.parametrize("seat", [0, 1])
def test_the_shipped_header_is_filled_with_the_live_rules_and_holds_no_example_the_parser_refuses(
    name, free_move, seat
):
    config = load(name)
    free = {"back_step": 0, "bump_push": 0, "bump_turn": 0} if free_move else {}
    rules = replace(config.rules, free_move=free_move, bullet_damage=(3.25, 4.75), **free)
    text = header(config.header_template, rules, seat)
    assert "$" not in text
    figures = (rules.step_length, rules.shield_degrees, rules.bullet_damage[seat], rules.arena_width)
    for figure in (*figures, rules.arena_height):
        assert re.search(rf"(?<![\d.]){re.escape(str(figure))}(?![\d]|\.\d)", text), figure
    examples = EXAMPLE_TOKEN.findall(text)
    assert {"C45", "A10", "M", "S1", "S0", "S", "B"} <= set(examples)
    for example in examples:
        assert not isinstance(read_command(example, rules), Nothing), example
    assert ("M-60" in examples) == bool(rules.back_step)
    assert ("M{distance}" in text) == free_move


def test_every_rule_a_header_may_name_is_filled_in_for_its_seat():
    template = (
        "$commands;$arena_width;$arena_height;$bot_radius;$step_length;$bullet_damage;$shield_degrees;"
        "$initial_health;$total_rounds;$turns_per_round;$$"
    )
    rules = Rules(800, 600, 20.5, 0.00012, (5, 6), 70, (100, 90), total_rounds=2, turns_per_round=9)
    assert header(template, rules, 1) == (
        "C{angle} | A{angle} | M | S1 | S0 | S | B;800;600;20.5;0.00012;6;70;90;2;9;$"
    )


@pytest.mark.parametrize(("template", "error"), [("$speed", KeyError), ("5 $ a hit", ValueError)])
def test_a_header_that_asks_for_what_is_no_rule_is_refused(template, error):
    with pytest.raises(error):
        header(template, Rules(), 0)
