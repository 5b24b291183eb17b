"""What is said with a bot, without a process: every state of a greeting and a question, and what nobody asked for."""

from __future__ import annotations

import pytest
from links import FakeLink

from batllm_arcade.brains.protocol import Spec
from batllm_arcade.isolation.dialect import BotAnswer, Garbage, HostDialect, OtherMessage, Ready
from batllm_arcade.isolation.process_brain import BotFaults, BotProtocol, Greeting, PlayQuestion
from batllm_arcade.processes.child import ChildLog, Ended, GivenUp, Unreadable

PLAY = b'{"type":"play","id":%d,"command":"B"}'


class Talk:
    """A protocol with its link, and what was published and reported."""

    def __init__(self) -> None:
        self.log, self.faults, self.link = ChildLog(), BotFaults(), FakeLink()
        self.protocol = BotProtocol(self.log, self.faults)
        self.protocol.connected(self.link)
        self.texts: list[str] = []

    def question(self, number: int) -> PlayQuestion:
        question = PlayQuestion(number, b"decide %d\n" % number, self.texts.append)
        self.protocol.begin(question)
        return question


@pytest.fixture
def talk() -> Talk:
    return Talk()


def test_a_bot_is_listened_to_from_the_question_to_its_answer(talk):
    question = talk.question(7)
    assert (question.state, talk.link.calls) == ("waiting", ["listen", b"decide 7\n"])
    talk.protocol.received(b'{"type":"partial","id":7,"text":"hm"}')
    talk.protocol.received(b'{"type":"partial","id":6,"text":"of the last play"}')
    talk.protocol.received(b"a print")
    talk.protocol.received(PLAY % 7)
    assert (question.state, talk.link.calls[2:]) == ("done", ["rest"])
    assert question.wait(0) == BotAnswer(7, "B")
    assert (talk.texts, talk.log.lines()) == (["hm"], ["a print"])
    talk.protocol.received(PLAY % 7)
    assert str(talk.faults) == "dropped 1"


def test_a_late_answer_is_dropped_and_does_not_end_the_next_question(talk):
    late = talk.question(1)
    late.cancel()
    with pytest.raises(GivenUp):
        late.wait(0)
    following = talk.question(2)
    talk.protocol.received(PLAY % 1)
    assert (late.state, following.state, str(talk.faults)) == ("given up", "waiting", "dropped 1")
    assert "rest" not in talk.link.calls
    talk.protocol.received(PLAY % 2)
    assert following.wait(0) == BotAnswer(2, "B")


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        ([], ""),
        (
            [b"thinking ...", b"{'type': 'play', 'id': 2}", b"{'again': 1}", b"done"],
            "it wrote a line that is no JSON: \"{'type': 'play', 'id': 2}\"",
        ),
        ([b"hm", PLAY % 1], "a play came with the id 1, and 2 was asked"),
        ([b'{"type":"partial","id":2,"text":"hm"}'], ""),
    ],
)
def test_what_came_in_place_of_an_answer_is_kept_for_who_waits(talk, lines, told):
    talk.question(1).cancel()
    question = talk.question(2)
    for line in lines:
        talk.protocol.received(line)
    assert (question.state, question.instead) == ("waiting", told)


@pytest.mark.parametrize(
    ("line", "outcome"),
    [
        (b'{"type":"play","id":1,"command":7}', Garbage("a play whose command is no text")),
        (Unreadable("a line of more than 64 KiB"), Garbage("a line of more than 64 KiB", fatal=True)),
    ],
)
def test_garbage_is_the_outcome_of_who_waits_and_else_a_note(talk, line, outcome):
    question = talk.question(1)
    talk.protocol.received(line)
    assert question.wait(0) == outcome
    talk.protocol.received(line)
    assert talk.log.lines() == [f"-- garbage: {outcome.problem}"]


def test_who_waits_and_who_asks_later_is_told_that_the_bot_has_ended(talk):
    question, ended = talk.question(1), Ended("it ended with exit code 3", 3)
    talk.protocol.gone(ended)
    assert question.wait(0) == ended
    assert talk.question(2).wait(0) == ended


def test_a_question_that_was_given_up_before_it_was_asked_is_not_waited_for(talk):
    question = PlayQuestion(1, b"decide 1\n", talk.texts.append)
    question.cancel()
    talk.protocol.begin(question)
    with pytest.raises(GivenUp):
        question.wait(None)


def test_a_greeting_reports_progress_until_the_bot_is_ready_or_cannot_play(talk):
    def greeted() -> Greeting:
        greeting = Greeting(HostDialect(Spec("x"), 1.0), "left", {}, talk.texts.append)
        talk.protocol.begin(greeting)
        return greeting

    greeting = greeted()
    for line in (b'{"type":"progress","text":"loading"}', PLAY % 1, b'{"type":"novelty"}'):
        talk.protocol.received(line)
    assert (greeting.state, talk.texts) == ("waiting", ["loading"])
    talk.protocol.received(b'{"type":"ready","name":"x"}')
    assert greeting.wait(0) == Ready("x")
    greeting = greeted()
    talk.protocol.received(b'{"type":"failed","reason":"no model"}')
    assert greeting.wait(0) == OtherMessage("failed", {})
    assert not str(talk.faults)
