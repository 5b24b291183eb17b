"""What a plugin hands over arrives whole: a field that is added to a decision has to be carried on."""

from __future__ import annotations

from dataclasses import fields

import pytest
from fakes import WHOLE_ANSWERS

from batllm_arcade.brains.protocol import Decision
from batllm_arcade.seats.plugin_calls import checked


def test_between_them_the_whole_answers_say_something_in_every_field():
    plain = Decision("", None)
    said = {
        field.name
        for field in fields(Decision)
        for answer in WHOLE_ANSWERS
        if getattr(answer, field.name) != getattr(plain, field.name)
    }
    assert said == {field.name for field in fields(Decision)}


@pytest.mark.parametrize("answer", WHOLE_ANSWERS)
def test_an_answer_is_kept_with_all_its_fields(answer):
    assert checked(answer, "a model") == answer
