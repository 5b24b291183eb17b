"""Payload v3.2: what a model is sent for one play."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import pytest
from paths import DATA

from batllm_arcade.brains.protocol import PastPlay, PastTurn, PayloadStyle, View
from batllm_arcade.core.commands import Nothing, parse
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


KEYS = {
    ("document", True): "schema ctx ids round_info round_prompt const initial_state current_state history",
    ("document", False): "schema ctx ids round_info round_prompt history",
    ("append", True): "schema ctx ids round_prompt const initial_state history current_state sensors round_info",
    ("append", False): "schema ctx ids round_prompt history round_info",
}


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize(("mode", "aug"), MODES)
def test_each_mode_has_its_keys_in_each_order(mode, aug, order):
    view = style(example_view(), mode=mode, aug=aug, order=order)
    shown = sent(view)
    assert list(shown) == KEYS[order, aug].split()
    assert shown["schema"] == "batllm.v3.2"
    assert shown["ctx"] == {"mode": mode, "aug": aug}
    assert list(shown["round_prompt"]) == (["self", "opp"] if mode == "shared" else ["self"])
    for state in (shown["initial_state"], shown["current_state"]) if aug else ():
        assert list(state) == ["self", "opp"]
        assert list(state["self"]) == ["x", "y", "rot", "health", "shield"]
    for turn in shown["history"]:
        assert list(turn) == (["turn", "plays", "post_state"] if aug else ["turn", "plays"])
        assert [play["bot"] for play in turn["plays"]] == (["self", "opp"] if mode == "shared" else ["self"])
        assert all(list(play) == ["bot", "llm_raw", "cmd"] for play in turn["plays"])


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


def test_the_counters_are_those_of_the_view_and_the_acting_order_is_told_from_self():
    info = sent(example_view(round=2, turn=7, acting_order=(1, 0)))["round_info"]
    assert list(info.items()) == [
        ("current_round", 2), ("current_turn", 7), ("total_rounds", 3), ("turns_per_round", 20),
        ("acting_order", "opp_first"),
    ]  # fmt: skip
    assert sent(example_view(seat=1, acting_order=(1, 0)))["round_info"]["acting_order"] == "self_first"


def test_self_comes_first_among_a_turns_plays_whoever_acted_first():
    turn = PastTurn(1, (PastPlay(1, "M", "M"), PastPlay(0, "B", "B")), START)
    assert [play["cmd"] for play in sent(example_view(history=(turn,)))["history"][0]["plays"]] == ["B", "M"]


# Additions under new keys


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("arena_const", [None, True, False])
@pytest.mark.parametrize("sensors", [None, True, False])
def test_each_addition_can_be_switched_by_itself_and_is_there_in_append_order(order, arena_const, sensors):
    view = style(example_view(), order=order, arena_const=arena_const, sensors=sensors)
    usual = order == "append"
    assert ("sensors" in sent(view)) == (usual if sensors is None else sensors)
    plain, more = ["step_length", "bullet_damage", "shield_degrees", "initial_health"], usual
    more = usual if arena_const is None else arena_const
    assert list(sent(view)["const"]) == plain + (["arena_width", "arena_height", "bot_radius"] if more else [])
    assert "sensors" not in sent(style(view, aug=False))


@pytest.mark.parametrize(
    ("me", "foe", "bearing", "distance"),
    [
        ((500, 500, 0), (800, 500), 0, 300),
        ((500, 500, 0), (500, 900), 90, 400),  # to the right: clockwise
        ((500, 500, 0), (500, 100), -90, 400),
        ((500, 500, 350), (530, 540), 63.1, 50),
        ((500, 500, 0), (100, 500), 180, 400),
        ((500, 500, 0.02), (100, 500), 180, 400),  # 179.98
        ((500, 500, 359.98), (100, 500), 180, 400),  # -179.98 rounds to half a turn, which is written as 180
        ((500, 500, 90), (500, 500), 0, 0),
    ],
)
def test_the_sensors_tell_bearing_and_distance_to_the_opponent(me, foe, bearing, distance):
    view = example_view(arena=arena((*me, 20, True), (*foe, 0, 20, True)))
    shown = sent(style(view, sensors=True))
    assert list(shown["sensors"].items()) == [("bearing", bearing), ("distance", distance)]
    assert parse(f"{'C' if bearing >= 0 else 'A'}{abs(bearing)}").token != "ERR"


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize(("window", "turns", "omitted"), [(0, [1, 2, 3], None), (2, [2, 3], 1), (3, [1, 2, 3], None)])
def test_a_history_window_shows_the_last_turns_and_counts_the_others(window, turns, omitted, order):
    past = tuple(PastTurn(turn, (PastPlay(0, "M", "M"), PastPlay(1, "M", "M")), START) for turn in (1, 2, 3))
    shown = sent(style(example_view(history=past, turn=4), history_window=window, order=order))
    assert [turn["turn"] for turn in shown["history"]] == turns
    assert shown.get("history_omitted") == omitted


def test_a_long_reply_is_cut_and_marked():
    plays = (PastPlay(0, "x" * 201, "ERR"), PastPlay(1, "y" * 200, "ERR"))
    mine, theirs = sent(example_view(history=(PastTurn(1, plays, START),)))["history"][0]["plays"]
    assert mine == {"bot": "self", "llm_raw": "x" * 200, "cmd": "ERR", "llm_raw_cut": True}
    assert theirs == {"bot": "opp", "llm_raw": "y" * 200, "cmd": "ERR"}
    plays = sent(style(example_view(), raw_limit=2))["history"][1]["plays"]
    assert [(play["llm_raw"], play.get("llm_raw_cut")) for play in plays] == [("C1", True), ("M", None)]


@pytest.mark.parametrize("raw", ['say "hi"\n\\', "日本語 🦇", "\ud800", "\x00", "</think>"])
def test_a_reply_arrives_exactly_as_it_was_whatever_is_in_it(raw):
    turn = PastTurn(1, (PastPlay(0, raw, "ERR"), PastPlay(1, "M", "M")), START)
    view = example_view(history=(turn,), prompts=(raw, raw))
    assert payload_messages(view)[-1]["content"].isascii()
    assert sent(view)["history"][0]["plays"][0]["llm_raw"] == raw
    assert sent(view)["round_prompt"] == {"self": raw, "opp": raw}


# Numbers


@pytest.mark.parametrize(
    ("decimals", "value", "shown"),
    [
        (1, 123.456, "123.5"),
        (1, 100.04, "100"),
        (1, 50.0, "50"),
        (0, 12.5, "12"),
        (4, 0.12345678, "0.1235"),
        (1, 0.04, "0"),
    ],
)
def test_numbers_are_rounded_and_whole_ones_are_written_as_integers(decimals, value, shown):
    bot = BotState(value, value, value, value, True)
    text = payload_messages(style(example_view(arena=Arena(bot, bot)), decimals=decimals))[-1]["content"]
    state = f'{{"x":{shown},"y":{shown},"rot":{shown},"health":{shown},"shield":1}}'
    assert f'"current_state":{{"self":{state},"opp":{state}}}' in text


@pytest.mark.parametrize(("rot", "shown"), [(359.94, 359.9), (359.96, 0), (359.999999999, 0), (0.04, 0)])
def test_a_direction_is_wrapped_again_after_rounding(rot, shown):
    assert (
        sent(example_view(arena=arena((1, 1, rot, 1, True), (1, 1, 0, 1, True))))["current_state"]["self"]["rot"]
        == shown
    )


def test_the_constants_are_exact_even_where_states_are_rounded():
    rules = load("classic").rules
    const = sent(style(example_view(rules=rules), order="append", decimals=1))["const"]
    assert const == {
        "step_length": 0.03, "bullet_damage": 5, "shield_degrees": 88, "initial_health": 30,
        "arena_width": 1, "arena_height": 1, "bot_radius": 0.05,
    }  # fmt: skip


@pytest.mark.parametrize(("damage", "health"), [((5, 7.5), (100, 100)), ((5, 5), (30, 100)), ((5, 5), (100, 100))])
@pytest.mark.parametrize("seat", [0, 1])
def test_with_a_handicap_the_constants_are_selfs_and_the_opponents_stand_under_opp(seat, damage, health):
    const = sent(example_view(rules=Rules(bullet_damage=damage, initial_health=health), seat=seat))["const"]
    assert (const["bullet_damage"], const["initial_health"]) == (damage[seat], health[seat])
    other = {"bullet_damage": damage[1 - seat], "initial_health": health[1 - seat]}
    assert const.get("opp") == (other if len({*damage}) + len({*health}) > 2 else None)


# The envelope and its header


EXAMPLE_TOKEN = re.compile(r"\b(?:[CA][0-9.]+|M-?[0-9.]+[0-9]|S[0-9]?|[MB])\b(?!\{)")


@pytest.mark.parametrize("name", SHIPPED)
@pytest.mark.parametrize("free_move", [True, False])
@pytest.mark.parametrize("seat", [0, 1])
def test_the_shipped_header_is_filled_with_the_live_rules_and_holds_no_example_the_parser_refuses(
    name, free_move, seat
):
    config = load(name)
    back_step = 0 if free_move else config.rules.back_step
    rules = replace(config.rules, free_move=free_move, back_step=back_step, bullet_damage=(3.25, 4.75))
    text = header(config.header_template, rules, seat)
    assert "$" not in text
    figures = (rules.step_length, rules.shield_degrees, rules.bullet_damage[seat], rules.arena_width)
    for figure in (*figures, rules.arena_height):
        assert re.search(rf"(?<![\d.]){re.escape(str(figure))}(?![\d]|\.\d)", text), figure
    examples = EXAMPLE_TOKEN.findall(text)
    assert {"C45", "A10", "M", "S1", "S0", "S", "B"} <= set(examples)
    for example in examples:
        assert not isinstance(read_command(example, rules), Nothing), example
    assert ("M-60" in examples) == bool(back_step)
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
