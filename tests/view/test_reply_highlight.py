"""The command is found in what a model wrote, wherever it stands."""

from __future__ import annotations

import pytest

from batllm_arcade.view.reading_words import command_span, excerpt


@pytest.mark.parametrize(
    ("raw", "command", "before"),
    [
        ("C17", "C17", ""),
        ('"C17"', "C17", '"'),
        (" c17\n", "C17", " "),
        ('{"cmd": "B", "reasoning": "B is best"}', "B", '{"cmd": "'),
        ('{"reasoning": "B is best", "cmd" : "B"}', "B", '{"reasoning": "B is best", "cmd" : "'),
        ("<think>M or B? B!</think>B", "B", "<think>M or B? B!</think>"),
        ("<think>M</think>{}", "M", "<think>"),
        ("M or B?[/THINK]B", "B", "M or B?[/THINK]"),
        (
            "<|channel|>analysis<|message|>B!<|end|><|channel|>final<|message|>B<|return|>",
            "B",
            "<|channel|>analysis<|message|>B!<|end|><|channel|>final<|message|>",
        ),
        ('{"button_presses": ["right", "a"], "reasoning": "hit"}', "C15", '{"button_presses": ['),
        ("x" * 50_000 + " S0", "S0", "x" * 50_000 + " "),
    ],
)
def test_the_command_is_picked_out(raw, command, before):
    span = command_span(raw, command)
    assert span is not None
    assert raw[: span[0]] == before


@pytest.mark.parametrize(("raw", "command"), [("", "B"), ("B", None), ("C175", "C17"), ("Back", "B"), ("x1.5", "5")])
def test_what_only_looks_like_the_command_is_not(raw, command):
    assert command_span(raw, command) is None


def test_an_excerpt_shows_the_surroundings_of_the_command():
    raw = "a" * 500 + " M " + "b" * 500
    before, token, after = excerpt(raw, command_span(raw, "M"), 20, 30)
    assert (before, token, after) == ("\u2026" + "a" * 19 + " ", "M", " " + "b" * 29 + "\u2026")
    assert excerpt("one\n two", None, 5, 40) == ("", "", "one two")
