"""Options that a brain declares once: their errors, what `brains NAME --options` lists, what a card sets."""

from __future__ import annotations

import pytest

from batllm_arcade import BrainKind, Option, Spec, UsageError
from batllm_arcade.brains.protocol import check_options, option_lines, options_of, with_option
from batllm_arcade.cli.main import main
from batllm_arcade.plugin import manager

SIDES = Option("sides", "whole", "6", "how many sides it has", least=2, most=100)
HEAT = Option("heat", "number", "0.5", "how hot it is", words=("none",))
MOOD = Option("mood", "choice", "calm", "how it feels", ("calm", "wild"), variants=("beast",))
LOUD = Option("loud", "yes_no", "no", "whether it shouts")
KIND = BrainKind("dice", "rolls", lambda spec: None, variants=("plain", "beast"), options=(SIDES, HEAT, MOOD, LOUD))


@pytest.mark.parametrize(("spec", "said"), [
    ("dice:sides=6,heat=none,loud=Yes", ""),
    ("dice:beast,mood=wild,deadline_s=3,name=Ann", ""),
    ("dice:sides=1", "sides of dice must be a whole number from 2 to 100, not '1'"),
    ("dice:sides=2.5", "sides of dice must be a whole number from 2 to 100, not '2.5'"),
    ("dice:heat=hot", "heat of dice must be a number from 0 up or none, not 'hot'"),
    ("dice:heat=nan", "heat of dice must be a number from 0 up or none, not 'nan'"),
    ("dice:beast,mood=sad", "mood of dice:beast must be calm or wild, not 'sad'"),
    ("dice:loud=maybe", "loud of dice must be yes or no, not 'maybe'"),
    ("dice:mood=wild", "dice has no option 'mood'; it knows sides, heat, loud, deadline_s, name, prepare_s"),
    ("dice:deadline_s=0", "deadline_s of dice must be a number from 0.01 up, not '0'"),
])  # fmt: skip
def test_a_wrong_option_is_one_sentence_that_says_what_it_may_be(spec, said):
    if said:
        with pytest.raises(UsageError) as caught:
            check_options(KIND, Spec.parse(spec))
        assert str(caught.value) == said
    else:
        check_options(KIND, Spec.parse(spec))


def test_a_kind_that_declares_none_checks_them_itself_and_one_may_take_others_too():
    check_options(BrainKind("own", "", lambda spec: None), Spec.parse("own:anything=1"))
    check_options(
        BrainKind("bots", "", lambda spec: None, options=(SIDES,), other_options=True), Spec.parse("bots:x=1")
    )
    with pytest.raises(UsageError, match="none has no option 'x'"):
        check_options(BrainKind("none", "", lambda spec: None, options=()), Spec.parse("none:x=1"))


def test_setting_an_option_to_its_default_takes_it_out():
    spec = with_option(Spec.parse("dice:sides=8"), LOUD, "yes")
    assert str(spec) == "dice:sides=8,loud=yes"
    assert str(with_option(with_option(spec, SIDES, "6"), LOUD, "")) == "dice"


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
