"""Options that a brain declares once: their errors, what `brains NAME --options` lists, what a card sets."""

from __future__ import annotations

from pathlib import Path

import pytest
from approved import approve

from batllm_arcade import BrainKind, Option, Spec, UsageError
from batllm_arcade.brains.protocol import check_options, option_lines, options_of
from batllm_arcade.cli.main import main
from batllm_arcade.plugin import manager

SIDES = Option("sides", "whole", "6", "how many sides it has", least=2, most=100)
HEAT = Option("heat", "number", "0.5", "how hot it is", words=("none",))
MOOD = Option("mood", "choice", "calm", "how it feels", ("calm", "wild"), variants=("beast",))
LOUD = Option("loud", "yes_no", "no", "whether it shouts")
KIND = BrainKind("dice", "rolls", lambda spec: None, variants=("plain", "beast"), options=(SIDES, HEAT, MOOD, LOUD))


def problem(spec):
    try:
        check_options(KIND, Spec.parse(spec))
    except UsageError as error:
        return str(error)
    return "right"


def test_a_wrong_option_is_one_sentence_that_says_what_it_may_be():
    approve(Path(__file__).parent / "approved" / "options.txt", problem)


def test_a_kind_that_declares_none_checks_them_itself_and_one_may_take_others_too():
    check_options(BrainKind("own", "", lambda spec: None), Spec.parse("own:anything=1"))
    check_options(
        BrainKind("bots", "", lambda spec: None, options=(SIDES,), other_options=True), Spec.parse("bots:x=1")
    )
    with pytest.raises(UsageError, match="none has no option 'x'"):
        check_options(BrainKind("none", "", lambda spec: None, options=()), Spec.parse("none:x=1"))


def test_a_type_that_there_is_not_is_told_to_the_author():
    with pytest.raises(UsageError, match="the type of the option 'sides' must be one of text, number"):
        Option("sides", "integer")


def test_every_bundled_brain_declares_its_options_with_a_sentence_and_a_default_that_is_right():
    for kind in manager.load().kinds.values():
        assert kind.options is not None, kind.name
        for variant in kind.variants or ("",):
            for option in options_of(kind, variant):
                assert option.sentence
                assert not option.default or not option.problem(kind.name, option.default)


def test_they_are_listed_for_a_person(capsys):
    assert main(["brains", "ollama", "scripted:strategist", "--options"]) == 0
    out = capsys.readouterr().out
    assert "num_ctx      8192" in out
    assert "depth        2 " in out
    assert "known servers, as ollama:NAME: cloud" in out
    assert [line.split()[0] for line in option_lines(KIND, "beast")][:4] == ["sides", "heat", "mood", "loud"]
