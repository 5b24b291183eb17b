"""The parser: which texts are commands, what they are recorded as, and that everything else is refused."""

from __future__ import annotations

import pytest

from batllm_arcade.core.commands import Fire, Move, Nothing, Rotate, Shield, canonical, parse


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("C17", Rotate(17.0, "C17")),
        ("A17", Rotate(-17.0, "A17")),
        ("C0", Rotate(0.0, "C0")),
        ("C360", Rotate(360.0, "C360")),
        ("A360", Rotate(-360.0, "A360")),
        ("C12.5", Rotate(12.5, "C12.5")),
        ("A0.000000001", Rotate(-1e-9, "A0.000000001")),
        ("M", Move(None, "M")),
        ("S1", Shield(True, "S1")),
        ("S0", Shield(False, "S0")),
        ("S", Shield(None, "S")),
        ("B", Fire()),
    ],
)
def test_each_token_is_its_command(text, command):
    assert parse(text) == command


@pytest.mark.parametrize(("text", "token"), [("c17", "C17"), ("a5", "A5"), ("m", "M"), ("s1", "S1"), ("b", "B")])
def test_lower_case_is_read_and_recorded_in_upper_case(text, token):
    assert parse(text).token == token


@pytest.mark.parametrize("text", [" M", "M ", "\tM\n", "\r\nM\r\n", "  \n M \t "])
def test_outer_white_space_does_not_matter(text):
    assert parse(text) == Move(None, "M")


@pytest.mark.parametrize(
    ("text", "token"),
    [
        ("C007.50", "C7.5"),
        ("C000", "C0"),
        ("C0.0", "C0"),
        ("A010", "A10"),
        ("C100", "C100"),
        ("C100.00", "C100"),
        ("C0.10", "C0.1"),
        ("A360.000", "A360"),
        ("C0.00000000001", "C0.00000000001"),
        ("C1." + "3" * 40, "C1." + "3" * 40),
        ("C1." + "0" * 5000, "C1"),
    ],
)
def test_the_canonical_form_drops_needless_zeros_and_has_no_exponent(text, token):
    assert parse(text).token == token


@pytest.mark.parametrize(
    ("digits", "expected"),
    [("007.50", "7.5"), ("0", "0"), ("000", "0"), ("-0", "0"), ("-0.00", "0"), ("-00.50", "-0.5"), ("-12", "-12")],
)
def test_a_number_keeps_its_value_and_loses_needless_zeros_and_a_negative_zero(digits, expected):
    assert canonical(digits) == expected


REFUSED = [
    "", " ", "\n", "x", "F", "MM", "M M", "M1", "M0", "BB", "B1", "S2", "S10", "S01", "S 1", "S-1", "s11",
    "C", "A", "C ", "C 17", "C1 7", "C-17", "C+17", "C1.", "C.5", "C1..5", "C1.5.5", "C1,5", "C1e2", "C1_0",
    "C1000", "C0017", "C361", "C360.1", "C360.0000000001", "C360." + "0" * 30 + "1", "C999", "A361", "C17.",
    "Cnan", "Cinf", "C0x1", "C17°", "C17deg", "CA17", "C17A", "17", "17C", "C{angle}", "C17;", "C17\nM", "M\nM",
    "M.", "(M)", "'M'", '"M"', "`M`", "**M**", "[M]", "<M>", "M!", "- M", "ERR", "None", "null", "true",
    '{"cmd":"M"}', "The command is M", "M because", "I choose C17.", "<think>x</think>M",
    "M\x00", "\x00M", "\ufeffM", "M\u200b",
]  # fmt: skip


@pytest.mark.parametrize("text", REFUSED)
def test_anything_else_does_nothing_and_is_recorded_as_err_with_a_reason(text):
    command = parse(text)
    assert isinstance(command, Nothing)
    assert command.token == "ERR"
    assert command.reason.endswith("; a command is C<angle>, A<angle>, M, S1, S0, S or B")


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


def test_an_angle_of_exactly_360_is_the_largest():
    assert parse("C360.0") == Rotate(360.0, "C360")
    assert parse("C359.99999999999999999999").token == "C359.99999999999999999999"
    assert isinstance(parse("C360.00000000000000000001"), Nothing)


def test_nothing_at_all_is_a_deliberate_nothing_without_a_reason():
    assert parse(None) == Nothing("")


@pytest.mark.parametrize("start", ["M", "C1", " ", "C1.5x", "M1"])
def test_a_huge_text_is_refused_with_a_short_reason(start):
    command = parse(start + start[-1] * 1_000_000, free_move=True)
    assert isinstance(command, Nothing)
    assert len(command.reason) < 250


def test_the_reason_quotes_the_culprit_on_one_line():
    assert parse("go\nleft").reason.startswith(r"'go\nleft' is no command")


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("M", Move(None, "M")),
        ("M5", Move(5.0, "M5")),
        ("m-5", Move(-5.0, "M-5")),
        ("M0.05", Move(0.05, "M0.05")),
        ("M-007.50", Move(-7.5, "M-7.5")),
        ("M0", Move(0.0, "M0")),
        ("M-0.0", Move(0.0, "M0")),
        ("M10000", Move(10000.0, "M10000")),
        ("M" + "9" * 300, Move(float("9" * 300), "M" + "9" * 300)),
    ],
)
def test_a_free_move_may_have_a_distance_also_backwards(text, command):
    assert parse(text, free_move=True) == command


@pytest.mark.parametrize(
    "text",
    ["M+5", "M 5", "M- 5", "M--5", "M5.", "M.5", "M1e3", "Minf", "Mnan", "M-", "M" + "9" * 400, "M-" + "9" * 400],
)
def test_a_free_move_that_is_no_finite_plain_number_is_refused(text):
    command = parse(text, free_move=True)
    assert isinstance(command, Nothing)
    assert "M or M<distance>" in command.reason


@pytest.mark.parametrize("text", ["M5", "M-5", "M0.05", "m0"])
def test_without_the_rule_free_move_a_distance_is_refused(text):
    assert isinstance(parse(text), Nothing)


def test_the_rule_free_move_is_not_forgotten_between_two_readings_of_one_text():
    assert isinstance(parse("M7"), Nothing)
    assert parse("M7", free_move=True) == Move(7.0, "M7")
    assert isinstance(parse("M7"), Nothing)


@pytest.mark.parametrize(("letters", "shown"), [(40, "x" * 40 + "'"), (41, "x" * 40 + "...'")])
def test_of_a_long_text_that_is_no_command_the_beginning_is_named(letters, shown):
    assert shown in parse("x" * letters).reason
