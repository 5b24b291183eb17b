"""What is recorded of an answer that did not come in time."""

from __future__ import annotations

from batllm_arcade.brains.live import Live
from batllm_arcade.brains.protocol import SeatInfo
from batllm_arcade.seats.brain_thread import answer_of


class Late:
    deadline_s = 2.0
    info = SeatInfo("Ann", "proc:ann.py")


def test_what_came_in_place_of_an_answer_is_told_with_the_deadline():
    live = Live()
    assert answer_of(None, "", 2.0, Late(), live, "").reason == "no answer within 2 s"
    live.keep_reason("it wrote a line that is no JSON: 'B'")
    live.keep_thought(" hm ")
    answer = answer_of(None, "", 2.0, Late(), live, "")
    assert (answer.status, answer.reason, answer.decision.thought) == (
        "timeout", "no answer within 2 s; it wrote a line that is no JSON: 'B'", "hm",
    )  # fmt: skip
