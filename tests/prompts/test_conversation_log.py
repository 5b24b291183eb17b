"""The dialogue a brain leads: what it is sent play by play, and that a match's records tell the same afterwards."""

from __future__ import annotations

import json
from itertools import count, pairwise

import pytest
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
        if isinstance(given, Decision):  # a queued play: the model is not asked
            decision = given
        else:
            self.sent.append(self.dialogue.messages(view))
            assert self.dialogue.messages(view) == self.sent[-1], "asked twice, it says the same"
            (decision,) = self.dialogue.form.read(view, given) if given[0] == "{" or " " not in given else (PROSE,)
        self.dialogue.answered(view, decision)
        return decision


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


def test_the_array_holds_what_the_document_asks_for():
    left = Talker(MIXED)
    array = told(talk(left, ["M"] * 8))
    kinds = [(each["turn"], each["role"]) for each in array[:5]]
    assert kinds == [(0, "system"), (1, "user"), (1, "user"), (1, "user"), (1, "assistant")]
    assert [each["content"]["userid"] for each in array[1:4]] == ["<@left>", "<@right>", "<@left>"]
    assert [each["content"]["text"] for each in array[1:3]] == ["win", "hide"]
    calls = [each["content"] for each in array if each["role"] == "assistant"]
    assert calls == [
        {"toolCall": "playCommand", "command": "C10"},
        {"toolCall": "playCommand", "command": "M", "reasoning": "as planned"},
        {"toolCall": "playCommand", "command": "I will fire now"},
        {"toolCall": "postMessage", "text": "You are next!", "reasoning": "to frighten it"},
        {"toolCall": "finishRequest", "reasoning": "Round 1 is over."},
        {"toolCall": "playCommand", "command": "M"},
        {"toolCall": "playCommand", "command": "A30"},
        {"toolCall": "playCommand", "command": "S0"},
        {"toolCall": "playCommand", "command": "B", "reasoning": "as planned"},
        {"toolCall": "finishRequest", "reasoning": "Round 2 is over."},
    ]
    finish = next(index for index, each in enumerate(array) if each["content"] == calls[4])
    assert [each["turn"] for each in array[finish : finish + 4]] == [4, 5, 5, 5], "turns count through the game"
    assert {each["turn"] for each in array} == set(range(9))


def test_a_state_tells_counters_both_bots_and_the_last_turn_in_one_line():
    left = Talker(["C10", "M", "B", "M"])
    talk(left, ["M"] * 4, rules=Rules(total_rounds=1, turns_per_round=4), seed=3)
    states = [each["content"]["text"] for each in left.dialogue.array if each["role"] == "user"][2:]
    first, second = states[:2]
    assert first.startswith("Round 1 of 1, turn 1 of 4, you act ")
    for word in ("You: x ", ", rot ", ", health 100, shield up. Opponent: x ", ", bearing ", ", distance "):
        assert word in first
    assert "Last turn" not in first
    assert "\n" not in "".join(states)
    assert second.endswith("Last turn: you C10, opponent M.")


def test_what_the_opponent_says_aloud_is_heard_a_turn_later():
    left = Talker(["M", "M", "M", "M"])
    pressed = Decision('{"buttons":["up"],"say":"You are next!"}', "M", say="You are next!")
    records = talk(left, [pressed, "M", "M", "M"], rules=Rules(total_rounds=1, turns_per_round=4))
    for array in (left.dialogue.array, told(records)):
        heard = [each["turn"] for each in array if "Opponent said" in str(each["content"])]
        assert heard == [2]
        assert 'Opponent said: "You are next!"' in str(array)


def test_independent_bots_hear_and_see_nothing_of_each_other_but_the_arena():
    left = Talker(["M", "M", "M", "M"])
    style = PayloadStyle(mode="independent")
    boo = Decision(BOO, None, say="You are next!")
    talk(left, [boo, "C77", "M", "M"], rules=Rules(total_rounds=1, turns_per_round=4), style=style)
    shown = json.dumps(left.dialogue.array)
    assert "hide" not in shown
    assert "You are next!" not in shown
    assert "C77" not in shown
    assert "Last turn: you M." in shown
    bare_one = Talker(["M"] * 4)  # without augmentation there is no header and no state
    talk(bare_one, ["M"] * 4, rules=Rules(total_rounds=1, turns_per_round=4), style=PayloadStyle(aug=False))
    assert {each["role"] for each in bare_one.sent[0]} == {"user"} == {bare_one.dialogue.array[0]["role"]}
    assert "health" not in json.dumps(bare_one.dialogue.array)


def test_a_failure_is_no_answer_of_the_assistant():
    left = Talker(["M", LATE, "M", FAILED])
    records = talk(left, ["M"] * 4, rules=Rules(total_rounds=1, turns_per_round=4))
    for array in (left.dialogue.array, told(records)):
        assert_valid(array)
        played = [each["turn"] for each in array if each["content"].__class__ is dict and "command" in each["content"]]
        assert played == [1, 3]
    assert "No answer (no answer within 30 s): nothing was done." in json.dumps(told(records))
    assert "No answer (it came too late, or there was none)" in json.dumps(left.dialogue.array)


def test_an_answer_that_the_match_dropped_is_taken_back():
    class Slow(Talker):
        def answer(self, view):
            super().answer(view)
            return LATE if view.turn == 1 else Decision("M", "M")

    left = Slow(["B", "M", "M", "M"])
    talk(left, ["M"] * 4, rules=Rules(total_rounds=1, turns_per_round=4))
    turn_one = [each["content"] for each in left.dialogue.array if each["turn"] == 1]
    assert turn_one[-2]["command"] == "B"
    assert turn_one[-1]["text"].startswith("No answer")


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


def test_a_history_window_leaves_the_header_the_prompts_and_the_last_turns():
    left = Talker(["M"] * 8)
    talk(left, ["C5"] * 8, style=PayloadStyle(history_window=2))
    sent = json.loads(left.sent[-1][1]["content"])
    assert_valid(sent)
    assert [each["turn"] for each in sent] == [0, 5, 5, 6, 6, 7, 7, 8]
    assert [each["content"]["text"] for each in sent[1:3]] == ["win", "hide"]


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


def test_a_new_game_begins_a_new_array():
    left = Talker(["M"] * 4)
    records = talk(left, ["M"] * 4, rules=Rules(total_rounds=1, turns_per_round=2), games=2)
    assert [each["turn"] for each in left.dialogue.array] == [0, 1, 1, 1, 1, 2, 2]
    assert left.dialogue.array[0]["index"] == 0
    assert bare(told(records))[:-1] == bare(left.dialogue.array)


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


@pytest.mark.parametrize("answer", [LATE, FAILED])
def test_a_failure_in_a_rounds_last_turn_is_told_before_the_round_is_closed(answer):
    left = Talker(["M", "M", "M", answer, "M", "M", "M", "M"])
    records = talk(left, ["S"] * 8)
    ours, theirs = left.dialogue.array, told(records)
    assert_valid(ours)
    ending = next(at for at, each in enumerate(ours) if "finishRequest" in str(each["content"]))
    assert ours[ending - 1]["content"]["text"].startswith("No answer (")
    assert ours[ending - 1]["turn"] == ours[ending]["turn"] == 4
    assert [each["role"] for each in ours] == [each["role"] for each in theirs[:-1]]
