"""The dialogue a brain leads: what it is sent play by play, and that a match's records tell the same afterwards."""

from __future__ import annotations

import json
from itertools import count, pairwise
from pathlib import Path

import pytest
from approved import approve
from conversations import assert_valid
from fakes import FAILED, LATE, FakeTable

from batllm_arcade.brains.protocol import Decision, PayloadStyle
from batllm_arcade.core.model import Rules
from batllm_arcade.match import runner
from batllm_arcade.match.runner import MatchPlan
from batllm_arcade.match.transcript import Transcript
from batllm_arcade.prompts.conversation import ROOM, ConversationDialogue

RULES = Rules(total_rounds=2, turns_per_round=4)
PLAY = '{"toolCall":"playCommand","command":"%s","reasoning":"as planned"}'
PROSE = Decision("I will fire now", "I will fire now")
BOO = '{"toolCall":"postMessage","text":"You are next!","reasoning":"to frighten it"}'


class Talker:
    """A seat that leads a dialogue: answers what its script says, and keeps what it was sent."""

    def __init__(self, script, times=None, **how):
        times = times or (f"2026-01-01T12:00:00.{tick:06}Z" for tick in count())
        self.dialogue = ConversationDialogue(lambda: next(times), **how)
        self.script, self.sent = list(script), []

    def answers(self):
        return [self.answer for _ in self.script]

    def answer(self, view):
        given = self.script.pop(0)
        if given in (LATE, FAILED):
            self.sent.append(self.dialogue.messages(view))
            return given
        given, dropped = given if isinstance(given, tuple) else (given, None)
        if isinstance(given, Decision):  # a queued play: the model is not asked
            decision = given
        else:
            self.sent.append(self.dialogue.messages(view))
            assert self.dialogue.messages(view) == self.sent[-1], "asked twice, it says the same"
            (decision,) = self.dialogue.form.read(view, given) if given[0] == "{" or " " not in given else (PROSE,)
        self.dialogue.answered(view, decision)
        return dropped or decision


def talk(left, right, **plan):
    """The records of a match between two talkers or scripts."""
    scripts = [each.answers() if isinstance(each, Talker) else each for each in (left, right)]
    table = FakeTable(*scripts)
    plan = {"prompts": ("win", "hide"), "header_template": "Hits take $bullet_damage.", **plan}
    records = list(runner.play(MatchPlan(plan.pop("rules", RULES), plan.pop("seed", 2), **plan), table))
    table.assert_used_up()
    return records


def bare(messages):
    return [{key: value for key, value in each.items() if key != "timestamp"} for each in messages]


def told(records, seat=0):
    transcript = Transcript()
    for record in records:
        transcript.add(record)
    return transcript.conversations[seat].messages


MIXED = ["C10", PLAY % "M", PROSE.raw, BOO, "M", Decision("", "A30", queued_from=1), '"S0"', PLAY % "B"]


@pytest.mark.parametrize("rendering", ["array", "chat"])
def test_what_a_brain_was_sent_is_what_the_records_tell_afterwards(rendering):
    left = Talker(MIXED, rendering=rendering)
    right = Talker([PLAY % "S0", BOO, "M", "M", "M", "C5", "A5", "M"], rendering=rendering)
    records = talk(left, right)
    for seat, talker in enumerate((left, right)):
        ours, theirs = talker.dialogue.array, told(records, seat)
        assert_valid(ours)
        assert_valid(theirs)
        assert theirs[-1]["content"]["toolCall"] == "finishRequest"
        assert bare(theirs)[:-1] == bare(ours)


def texts(messages):
    return "\x00".join(f"{each['role']}\x01{each['content']}" for each in messages)


def test_a_chat_is_only_ever_added_to():
    left = Talker(MIXED, rendering="chat")
    talk(left, ["M", BOO, *["M"] * 6])
    assert len(left.sent) == 7
    for earlier, later in zip(left.sent, left.sent[1:], strict=False):
        assert texts(later).startswith(texts(earlier))
        assert len({each["role"] for each in later[1:3]}) == 2, "roles take turns"


def test_an_array_is_only_ever_added_to_and_is_one_user_message():
    left = Talker(MIXED)
    talk(left, ["M"] * 8)
    for earlier, later in zip(left.sent, left.sent[1:], strict=False):
        assert [each["role"] for each in later] == ["system", "user"]
        assert later[0] == earlier[0]
        assert later[1]["content"].startswith(earlier[1]["content"][:-1])
        assert_valid(json.loads(later[1]["content"]))


def test_a_long_game_leaves_out_its_oldest_turns_many_at_once():
    rules = Rules(total_rounds=2, turns_per_round=60)
    left = Talker([PLAY % "M"] * 120)
    talk(left, ["C5"] * 120, rules=rules)
    sent = [json.loads(each[1]["content"]) for each in left.sent]
    for each in sent:
        assert_valid(each)
        assert len(json.dumps(each, separators=(",", ":"))) <= ROOM
        assert each[0]["role"] == "system"
        assert {"userid": "<@left>", "text": "win"} in [one["content"] for one in each]
    assert min(len(each) for each in sent[20:]) > 20
    cuts = sum(len(later) < len(earlier) for earlier, later in pairwise(sent))
    assert 1 <= cuts <= 8
    assert len(left.dialogue.array) > 240, "the conversation itself stays whole"


def test_a_brain_that_takes_a_seat_over_is_told_this_rounds_turns():
    views = []

    def keep(view):
        views.append(view)
        return Decision("M", "M")

    records = talk([keep] * 4, ["C9", "B", "M", "M"], rules=Rules(total_rounds=1, turns_per_round=4))
    fresh = ConversationDialogue(lambda: "2026-01-01T12:00:00Z")
    fresh.messages(views[-1])
    assert bare(fresh.array) == bare(told(records))[:-2]


def test_a_clock_that_is_put_back_does_not_put_messages_out_of_order():
    times = iter(["2026-01-01T12:00:05Z", *["2026-01-01T12:00:01Z"] * 99])
    left = Talker(["M"] * 4, times)
    talk(left, ["M"] * 4, rules=Rules(total_rounds=1, turns_per_round=4))
    assert_valid(left.dialogue.array)


ANSWERS = {
    "late": LATE, "failed": FAILED, "late, but answered": ("B", LATE), "BOO": BOO, "PROSE": PROSE.raw,
    "queued": Decision("", "A30", queued_from=1), "PLAY": PLAY % "M", "QUOTED": '"S0"',
    "says": Decision('{"buttons":["up"],"say":"You are next!"}', "M", say="You are next!"),
    "boo": Decision(BOO, None, say="You are next!"),
}  # fmt: skip


def lines_of(messages):
    return [f"{each.get('turn', '')} {each['role']}: {json.dumps(each['content'])}" for each in bare(messages)]


def dialogue(case):
    """What the left one was asked last, its conversation, and where a match's records tell another one."""
    rendering, rounds, turns, plan, *scripts = case
    left, right = ([ANSWERS.get(each, each) for each in script.split(" | ")] for script in scripts)
    talker = Talker(left, rendering=rendering)
    plan = {**plan, "style": PayloadStyle(**plan.get("style", {}))}
    records = talk(talker, right, rules=Rules(total_rounds=rounds, turns_per_round=turns), **plan)
    ours, theirs = talker.dialogue.array, told(records)
    assert_valid(ours)
    assert_valid(theirs)
    asked = talker.sent[-1] if rendering == "chat" or plan["style"].history_window else ()
    other = [f"in the records {each}" for each in lines_of(theirs)[:-1] if each not in lines_of(ours)]
    return "\n".join([*lines_of(ours), *other, *(f"asked as {each['role']}: {each['content']!r}" for each in asked)])


def test_a_dialogue_holds_what_its_format_asks_for():
    approve(Path(__file__).parent / "approved" / "dialogues.txt", dialogue)
