"""What our own host for Python bots sends of an answer is what the program makes of it."""

from __future__ import annotations

import json

import pytest
from fakes import WHOLE_ANSWERS

from batllm_arcade.brains.live import Live
from batllm_arcade.brains.protocol import Spec, View
from batllm_arcade.core.model import Arena, BotState, Rules
from batllm_arcade.isolation.dialect import BotAnswer, HostDialect, ViewReader, read_line, write_line

BOT = BotState(100, 100, 0, 100, True)
VIEW = View(
    seat=0, rules=Rules(), game=1, round=1, turn=2, number=3, acting_order=(0, 1), prompts=("", ""),
    arena=Arena(BOT, BOT), initial=Arena(BOT, BOT),
)  # fmt: skip


@pytest.mark.parametrize("answer", WHOLE_ANSWERS)
def test_an_answer_comes_out_of_the_process_with_all_its_fields(answer):
    dialect, there = HostDialect(Spec("bot"), 1.0), ViewReader()
    seen = there.view(json.loads(dialect.question(7, VIEW, None)), Live())
    said = read_line(write_line("play", there.answer(7, seen, answer, "")).rstrip())
    assert isinstance(said, BotAnswer)
    assert dialect.decision(said, VIEW) == answer
