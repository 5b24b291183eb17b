"""Unwrapping a model's reply: packaging comes off, prose stays for the rules to refuse."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from batllm_arcade.core.commands import Nothing, parse
from batllm_arcade.prompts.unwrap import command, think_block, unwrap


@pytest.mark.parametrize(
    "raw",
    [
        "C17",
        " C17\n",
        '"C17"',
        ' "C17" \n',
        '{"cmd":"C17"}',
        '{"cmd": " c17 "}',
        '{"reason": "it is behind me", "cmd": "C17"}',
        '{\n  "cmd": "C17"\n}',
        "<think>left or right?</think>C17",
        "<think>\nleft\n\nor right?\n</think>\n\nC17",
        '<think>?</think>"C17"',
        '<think></think>{"cmd":"C17"}',
        "\ufeffC17",
        '\ufeff"C17"',
        "\ufeff<think>x</think>C17",
        '"\\u0043\\u0031\\u0037"',
        "<think>a</think><think>b</think>C17",
        "<think>a<think>b</think>c</think>C17",
        "left or right?</think>C17",
        "```\nC17\n```",
        "```C17```",
        '```json\n{"cmd":"C17"}\n```',
        '```json\r\n{"cmd":"C17"}\r\n```\r\n',
        '```json {"action": "turn", "degrees": 17} ```',
        '<think>x</think>\n```text\n"C17"\n```',
    ],
)
def test_a_token_in_its_packaging_is_found(raw):
    assert parse(unwrap(raw)).token == "C17"


@pytest.mark.parametrize(
    "raw",
    [
        "",
        "I turn: C17",
        "C17.",
        "C17 because it is behind me",
        "`C17`",
        "Sure:\n```\nC17\n```",
        "```\nC17\n```\nThat is my move.",
        "```\nC17\nM\n```",
        "```\nC17\n```\n```\nM\n```",
        "```\n```\nC17\n```\n```",
        "```C17",
        "'C17'",
        '["C17"]',
        '{"command":"C17"}',
        '{"cmd":17}',
        '{"cmd":null}',
        '{"cmd":["C17"]}',
        '{"cmd":{"cmd":"C17"}}',
        '{"cmd":"C17"',
        '{"cmd":"C17"} done',
        'Sure: {"cmd":"C17"}',
        '"C17',
        '"\\"C17\\""',
        "<think>C17",
        "C17</think>",
        "C17<think>was that right?</think>",
        "so <think>x</think>C17",
        "<think>a</think>I turn C17",
        "17",
        "{}",
        "{" * 900,
        '{"cmd":' * 140,
        '"' + "C" * 2000 + '"',
        '{"cmd": ' + "9" * 5000 + "}",
    ],
)
def test_prose_and_broken_packaging_come_to_nothing(raw):
    assert isinstance(parse(unwrap(raw)), Nothing)


@given(st.one_of(st.text(), st.text(alphabet='{}[]":,cmdCM17\\<>/think ')))
def test_unwrapping_never_raises_on_any_text(raw):
    assert isinstance(unwrap(raw), str)
    assert isinstance(think_block(raw), str)


# An action and an angle


@pytest.mark.parametrize(
    ("raw", "token"),
    [
        ('{"action": "turn", "degrees": 30}', "C30"),
        ('{"action": "turn", "degrees": -30}', "A30"),
        ('{"degrees": 12.5, "action": "turn"}', "C12.5"),
        ('{"action": "turn", "degrees": -180}', "A180"),
        ('{"action": "turn", "degrees": 0}', "C0"),
        ('{"action": "turn", "degrees": -0.0}', "C0"),
        ('{"action": "turn", "degrees": 1e-7}', "C0.0000001"),
        ('{"action": "move", "degrees": 90}', "M"),
        ('{"action": "fire"}', "B"),
        ('{"action": "shield_up", "degrees": 0}', "S1"),
        ('<think>up?</think>{"action": "shield_down", "degrees": 0}', "S0"),
        ('{"cmd": "M", "action": "fire"}', "M"),
    ],
)
def test_an_action_and_an_angle_are_joined_into_the_token(raw, token):
    assert unwrap(raw) == command(raw) == token
    assert parse(token).token == token


def test_the_action_nothing_is_a_play_without_a_command():
    assert command('{"action": "nothing", "degrees": 0}') is None
    assert isinstance(parse(unwrap('{"action": "nothing"}')), Nothing)


def test_a_step_back_is_an_action_only_where_the_rules_have_one():
    raw = '{"action": "step_back", "degrees": 0}'
    assert unwrap(raw, 60) == command(raw, 60) == "M-60"
    assert unwrap(raw) == command(raw) == raw


@pytest.mark.parametrize(
    "raw",
    [
        '{"action": "turn"}',
        '{"action": "turn", "degrees": 181}',
        '{"action": "turn", "degrees": -180.5}',
        '{"action": "turn", "degrees": NaN}',
        '{"action": "turn", "degrees": 1e999}',
        '{"action": "turn", "degrees": "30"}',
        '{"action": "turn", "degrees": true}',
        '{"action": "turn", "degrees": null}',
        '{"action": "dance", "degrees": 30}',
        '{"action": ["fire"]}',
        '{"action": null}',
        '{"toolCall": "playCommand", "action": "fire"}',
        'I choose {"action": "fire"}',
        '{"cmd": ""}',
    ],
)
def test_what_is_no_action_is_left_for_the_rules_to_refuse(raw):
    assert isinstance(parse(command(raw)), Nothing)
    assert command(raw) is not None
