"""What a plugin hands over arrives whole, and what is recorded of an answer that did not come in time."""

from __future__ import annotations

from dataclasses import fields

import pytest
from fakes import WHOLE_ANSWERS

from batllm_arcade.brains.live import Live
from batllm_arcade.brains.protocol import Decision
from batllm_arcade.seats.brain_thread import answer_of
from batllm_arcade.seats.plugin_calls import checked


@pytest.mark.parametrize("answer", WHOLE_ANSWERS)
def test_an_answer_is_kept_with_all_its_fields_of_which_none_is_left_out_here(answer):
    assert checked(answer, "a model") == answer
    plain, names = Decision("", None), {field.name for field in fields(Decision)}
    said = {name for name in names for each in WHOLE_ANSWERS if getattr(each, name) != getattr(plain, name)}
    assert said == names


def test_what_came_in_place_of_an_answer_is_told_with_the_deadline():
    live = Live()
    assert answer_of(None, "", 2.0, 2.0, (), live, "").reason == "no answer within 2 s"
    live.keep_reason("it wrote a line that is no JSON: 'B'")
    live.keep_thought(" hm ")
    answer = answer_of(None, "", 2.0, 2.0, (), live, "")
    assert (answer.status, answer.reason, answer.decision.thought) == (
        "timeout", "no answer within 2 s; it wrote a line that is no JSON: 'B'", "hm",
    )  # fmt: skip
