"""What our own host for Python bots sends of an answer is what the program makes of it."""

from __future__ import annotations

import json

import pytest
from fakes import WHOLE_ANSWERS
from views import view

from batllm_arcade.brains.live import Live
from batllm_arcade.brains.protocol import Spec
from batllm_arcade.isolation.dialect import BotAnswer, HostDialect, ViewReader, read_line, write_line

VIEW = view(turn=2, number=3)


@pytest.mark.parametrize("answer", WHOLE_ANSWERS)
def test_an_answer_comes_out_of_the_process_with_all_its_fields(answer):
    dialect, there = HostDialect(Spec("bot"), 1.0), ViewReader()
    seen = there.view(json.loads(dialect.question(7, VIEW, None)), Live())
    said = read_line(write_line("play", there.answer(7, seen, answer, "")).rstrip())
    assert isinstance(said, BotAnswer)
    assert dialect.decision(said, VIEW) == answer
