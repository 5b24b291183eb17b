"""The parser: which texts are commands, what they are recorded as, and that everything else is refused."""

from __future__ import annotations

from pathlib import Path

import pytest
from approved import approve

from batllm_arcade.core.commands import Nothing, canonical, parse

COMMANDS = Path(__file__).parent / "approved" / "commands.txt"
"""Texts, and whether they are read with the rule `free_move`."""


def test_each_text_is_the_command_or_nothing_that_was_approved():
    approve(COMMANDS, lambda case: repr(parse(*case)))
    approve(COMMANDS, lambda case: repr(parse(*case)))  # no answer is another's, whose rule was another


@pytest.mark.parametrize(
    ("text", "token"),
    [("C1." + "3" * 40, "C1." + "3" * 40), ("C1." + "0" * 5000, "C1"), ("M" + "9" * 300, "M" + "9" * 300)],
)
def test_a_long_number_is_read_to_its_end(text, token):
    assert parse(text, free_move=True).token == token


@pytest.mark.parametrize(
    ("digits", "expected"),
    [("007.50", "7.5"), ("0", "0"), ("000", "0"), ("-0", "0"), ("-0.00", "0"), ("-00.50", "-0.5"), ("-12", "-12")],
)
def test_a_number_keeps_its_value_and_loses_needless_zeros_and_a_negative_zero(digits, expected):
    assert canonical(digits) == expected


LOOK_ALIKES = [
    "ſ", "ſ1", "ſ0",  # long s: its upper case is S
    "Ｍ", "Ｂ", "Ｓ", "Ｓ1", "Ｃ17", "C１７", "C1７",  # full width
    "C١٧", "C۱۷", "C१७", "C²", "C𝟏",  # digits of other scripts, a superscript, a mathematical one
    "М", "В", "Ѕ", "С17", "А17", "Β", "Μ",  # Cyrillic and Greek capitals
    "S¹", "S₁", "C1．5", "C1·5", "M−5",
]  # fmt: skip


@pytest.mark.parametrize("text", LOOK_ALIKES)
@pytest.mark.parametrize("free_move", [False, True])
def test_unicode_look_alikes_are_no_commands(text, free_move):
    assert isinstance(parse(text, free_move), Nothing)


@pytest.mark.parametrize("start", ["M", "C1", " ", "C1.5x", "M1", "M-9", "M9"])
def test_a_huge_text_is_refused_with_a_short_reason(start):
    command = parse(start + start[-1] * 1_000_000, free_move=True)
    assert isinstance(command, Nothing)
    assert len(command.reason) < 250
