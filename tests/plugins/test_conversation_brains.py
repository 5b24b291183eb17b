"""Model brains with `context=conversation`: what their model is sent, what becomes of its answers; one for real."""

from __future__ import annotations

import json
import os
import re
from dataclasses import replace
from itertools import pairwise
from random import Random

import pytest
from asking import a_view
from batllm_arcade_plugins.embedded import Raw, missing, model_file
from conversations import assert_valid
from fakes import FakeTable
from short_model import shortened

from batllm_arcade import Live, ModelBrain, ModelProcess, ModelReply, ProcessReply, Spec
from batllm_arcade.core.model import Rules
from batllm_arcade.match import runner
from batllm_arcade.match.records import Play
from batllm_arcade.match.runner import MatchPlan
from batllm_arcade.match.transcript import Transcript, all_lines
from batllm_arcade.prompts import conversation as tool_calls
from batllm_arcade.prompts.conversation import (
    INSTRUCTIONS,
    action_instructions,
    answer_gbnf,
    answer_schema,
    read_answer,
)
from batllm_arcade.prompts.formats import command_grammar, portable_schema

RULES = Rules(total_rounds=1, turns_per_round=3)
AIM = '{"toolCall":"playCommand","command":"C45","reasoning":"aiming"}'
BOO = '{"toolCall":"postMessage","text":"Boo!","reasoning":"fun"}'
PRESS = '{"button_presses":["up","up"],"reasoning":"r","observations":"o","context_detected":"battle"}'


class Scripted(ModelBrain):
    """A model that answers what its list says."""

    label, home, suggested = "Scripted", "http://127.0.0.1:1", "parrot"

    def __init__(self, *replies, **options):
        super().__init__(Spec("scripted", "", {"context": "conversation", **options}))
        self.replies, self.requests = list(replies), []

    def ask(self, request):
        self.requests.append(request)
        return ModelReply(self.replies.pop(0))

    def catalogue(self):
        return "/models"

    def choose(self, listing):
        pass


def against(brain, rules=RULES, prompt="win"):
    """The brain's plays against a bot that turns."""
    turns = rules.turns_per_round * rules.total_rounds
    table = FakeTable([brain.decide] * turns, ["C5"] * turns)
    plan = MatchPlan(rules, 1, prompts=(prompt, ""), header_template="Hits take $bullet_damage.")
    return [each for each in runner.play(plan, table) if isinstance(each, Play) and each.bot == 0]


LONG = "Is it near? " * 400


@pytest.mark.parametrize("rendering", ["array", "chat"])
@pytest.mark.parametrize("answer", [AIM, PRESS.replace('"up","up"', '"up"'), "M"])
def test_of_a_thought_in_an_answer_only_the_beginning_is_sent_again(rendering, answer):
    form = {AIM: {}, "M": {"reply": "token"}}.get(answer, {"reply": "json"})
    brain = Scripted(*[f"<think>{LONG}</think>\n{answer}"] * 3, rendering=rendering, **form)
    plays = against(brain)
    assert [play.status for play in plays] == ["ok"] * 3
    assert all(LONG.strip()[:3000] in play.decision.thought for play in plays)
    sent = json.dumps(brain.requests[-1].messages)
    assert "</think>" not in sent
    assert sent.count("Is it near?") < 100
    assert set(brain._dialogue._exact.values()) == {answer}


def test_an_array_is_asked_for_and_its_answers_are_commands_and_words_said_aloud():
    brain = Scripted(AIM, BOO, "M")
    plays = against(brain)
    assert [(play.command.token, play.status, play.decision.say) for play in plays] == [
        ("C45", "ok", ""), ("ERR", "ok", "Boo!"), ("M", "ok", ""),
    ]  # fmt: skip
    assert [play.decision.thought for play in plays] == ["aiming", "fun", ""]
    first, _, last = brain.requests
    assert [each["role"] for each in first.messages] == ["system", "user"]
    assert first.messages[0]["content"].endswith(INSTRUCTIONS)
    assert first.schema == answer_schema()
    array = json.loads(last.messages[1]["content"])
    assert_valid(array)
    calls = [each["content"] for each in array if each["role"] == "assistant"]
    assert calls == [json.loads(AIM), json.loads(BOO)]
    chat = Scripted(AIM, BOO, "M", rendering="chat")
    against(chat)
    messages = chat.requests[-1].messages
    assert [each["role"] for each in messages] == ["system", "user", "assistant", "user", "assistant", "user"]
    assert [messages[2]["content"], messages[4]["content"]] == [AIM, BOO]


def test_an_answer_that_is_no_tool_call_is_asked_for_again_with_the_reason():
    brain = Scripted("I shall fire!", AIM, '{"toolCall":"dance"}', "No.  Never.", "M")
    plays = against(brain)
    assert [(play.command.token, play.status) for play in plays] == [("C45", "ok"), ("ERR", "invalid"), ("M", "ok")]
    assert "Refused: it is not a JSON object with a toolCall" in brain.requests[1].messages[-1]["content"]
    assert "Refused: there is no tool 'dance'" in brain.requests[3].messages[-1]["content"]
    assert brain.requests[0].messages == brain.requests[1].messages[:-2]
    array = json.loads(brain.requests[-1].messages[1]["content"])
    assert [each["content"]["command"] for each in array if each["role"] == "assistant"] == ["C45", "No.  Never."]


def test_a_reply_form_that_is_set_is_converted():
    tokens = Scripted("M", "C5", "B", reply="token", rendering="chat")
    assert [play.command.token for play in against(tokens)] == ["M", "C5", "B"]
    assert [each["content"] for each in tokens.requests[-1].messages if each["role"] == "assistant"] == ["M", "C5"]
    assert INSTRUCTIONS not in tokens.requests[0].messages[0]["content"]

    buttons = Scripted(PRESS, PRESS, reply="json", rendering="array")
    assert [play.command.token for play in against(buttons)] == ["M", "M", "M"]
    array = json.loads(buttons.requests[-1].messages[1]["content"])
    assert [each["content"]["command"] for each in array if each["role"] == "assistant"] == ["M", "M"]

    chat = Scripted(PRESS, PRESS, reply="json", rendering="chat")
    against(chat)
    assert chat.requests[-1].messages[2] == {"role": "assistant", "content": PRESS}


@pytest.mark.parametrize("text", [INSTRUCTIONS, action_instructions(), action_instructions(60)])
def test_instructions_show_forms_and_no_command_that_could_be_copied(text):
    examples = re.findall(r'"(?:command|degrees|action|text|reasoning)":([^,}]*)', text)
    assert len(examples) >= 4
    assert all(re.fullmatch("[A-Z]+", each) for each in examples)


class WithoutPatterns(Scripted):
    """A provider whose schemas know no patterns."""

    patterns = False


def test_without_patterns_a_command_is_asked_for_as_an_action_and_an_angle():
    called = '{"toolCall":"playCommand","action":"turn","degrees":-20,"reasoning":"aiming"}'
    idle = '{"toolCall":"playCommand","action":"nothing","degrees":0,"reasoning":"resting"}'
    brain = WithoutPatterns(called, idle, BOO)
    plays = against(brain)
    assert [(each.command.token, each.status) for each in plays] == [("A20", "ok"), ("ERR", "ok"), ("ERR", "ok")]
    assert [each.decision.thought for each in plays] == ["aiming", "resting", "fun"]
    request = brain.requests[0]
    assert request.messages[0]["content"].endswith(action_instructions())
    assert (request.schema, request.grammar) == (portable_schema(answer_schema()), "")


@pytest.mark.parametrize("rendering", ["array", "chat"])
def test_without_patterns_a_token_is_an_action_too_and_a_chat_shows_it_as_it_was_written(rendering):
    turn, fire = '{"action": "turn", "degrees": 20}', '{"action": "fire", "degrees": 0}'
    brain = WithoutPatterns(turn, fire, fire, reply="token", rendering=rendering)
    assert [(each.command.token, each.decision.raw) for each in against(brain)] == [
        ("C20", turn), ("B", fire), ("B", fire),
    ]  # fmt: skip
    request = brain.requests[-1]
    assert "ACTION is turn" in request.messages[0]["content"]
    assert request.schema["properties"]["action"]["enum"] == [
        "turn", "move", "fire", "shield_up", "shield_down", "nothing",
    ]  # fmt: skip
    if rendering == "chat":
        assert [each["content"] for each in request.messages if each["role"] == "assistant"] == [turn, fire]
    else:
        array = json.loads(request.messages[1]["content"])
        assert [each["content"]["command"] for each in array if each["role"] == "assistant"] == ["C20", "B"]


def test_the_transcript_has_a_response_s_observations_and_its_reasoning_to_the_letter():
    brain = Scripted(PRESS, PRESS, reply="json")
    table = FakeTable([brain.decide] * 3, ["M"] * 3)
    records = list(runner.play(MatchPlan(RULES, 1, prompts=("win", "")), table))
    for array in (brain._dialogue.array, transcript_of(records)):
        told = [each["content"] for each in array if each["role"] == "assistant"]
        assert told[0] == {"toolCall": "playCommand", "command": "M", "observations": "o", "reasoning": "r"}
        assert "observations" not in told[1], "a queued play has no text of its own"
    assert any("(command: M, observations: o)" in line for line in all_lines(records))


def transcript_of(records):
    told = Transcript()
    for record in records:
        told.add(record)
    return told.conversations[0].messages


@pytest.mark.parametrize("rendering", ["array", "chat"])
def test_what_belongs_to_this_turn_ends_the_last_message_and_what_was_sent_before_can_be_reused(
    rendering,
):
    brain = Scripted(PRESS, PRESS, PRESS, reply="json", rendering=rendering)
    against(brain, Rules(total_rounds=1, turns_per_round=5))
    for request in brain.requests:
        last = request.messages[-1]["content"]
        text = json.loads(last)[-1]["content"]["text"] if rendering == "array" else last
        assert re.search(r"THIS TURN: (battle|navigation|recovery): .*\ba shot\b.*$", text)
    for earlier, later in pairwise(brain.requests):
        assert earlier.messages[0] == later.messages[0], "the system message is the same for every play"
        if rendering == "array":
            assert later.messages[1]["content"].startswith(earlier.messages[1]["content"].removesuffix("]"))
        else:
            assert later.messages[: len(earlier.messages) + 1] == [
                *earlier.messages, {"role": "assistant", "content": PRESS}
            ]  # fmt: skip


class Recorder:
    """An engine that notes what it is asked."""

    def __init__(self, answer):
        self.answer, self.bodies = answer, []

    def ask(self, body, live):
        self.bodies.append(body)
        return ProcessReply(self.answer, {"prompt": 9, "completion": 3}, {})


def raw(options, answer):
    brain = Raw(Spec.parse(f"embedded:raw,{options}"))
    brain._engine = Recorder(answer)
    return brain


def test_embedded_raw_sends_conversations_and_keeps_a_slot_for_each_seat():
    brain = raw("context=conversation,rendering=chat", AIM)
    (*_, last) = against(brain)
    assert (last.command.token, last.decision.thought, last.decision.tokens["prompt"]) == ("C45", "aiming", 9)
    body = brain._engine.bodies[-1]
    assert [each["role"] for each in body["messages"]] == ["system", "user", "assistant", "user", "assistant", "user"]
    assert body["grammar"] == answer_gbnf()
    assert (body["id_slot"], body["cache_prompt"]) == (0, True)
    tokens = raw("context=conversation,reply=token", "M")
    against(tokens)
    assert tokens._engine.bodies[0]["grammar"] == command_grammar()


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    """The file of a model that writes nonsense if nothing holds it."""
    if problem := missing(Spec("embedded")):
        (pytest.fail if os.environ.get("BATLLM_REQUIRE_MODEL") else pytest.skip)(problem)
    return shortened(model_file(Spec("embedded")), tmp_path_factory.mktemp("model"))


@pytest.fixture
def real(model, monkeypatch):
    """Makes prepared brains with a real model; their process ends with the test."""
    monkeypatch.setattr(ModelProcess, "_shared", {})  # nobody else's process
    made = []

    def prepared(options: str) -> Raw:
        made.append(Raw(Spec.parse(f"embedded:raw,model={model},{options}")))
        made[-1].prepare(lambda _: None)
        return made[-1]

    yield prepared
    for each in made:
        each.close()


@pytest.mark.parametrize("rendering", ["array", "chat"])
def test_the_real_model_answers_with_tool_calls(real, rendering, monkeypatch):
    monkeypatch.setattr(tool_calls, "REASON_LIMIT", 24)  # so small a model writes as much as it may
    view = a_view(rules=RULES, prompts=("win", "hide"), rng=Random(0), live=Live(60.0))
    decision = real(f"context=conversation,rendering={rendering}").decide(view)
    said = read_answer(decision.raw)
    assert json.loads(decision.raw)["toolCall"] in ("playCommand", "postMessage")
    assert not said.problem
    assert (decision.command, decision.say) == (said.command, said.say)
    assert not decision.invalid


def test_two_bots_on_one_model_do_not_evict_each_other(real, monkeypatch):
    options, header = "context=conversation,rendering=chat,reply=token", "Answer."
    seen, ask = [], ModelProcess.ask

    def counted(engine, body, live=None):
        reply = ask(engine, body, live)
        seen.append((reply.tokens["prompt"], reply.cached))
        return reply

    monkeypatch.setattr(ModelProcess, "ask", counted)
    bots = [real(options), real(options)]
    assert bots[0].engine is bots[1].engine
    table, rules = FakeTable(*([bot.decide] * 2 for bot in bots)), replace(RULES, turns_per_round=2)
    list(runner.play(MatchPlan(rules, 1, prompts=("win", "hide"), header_template=header), table))
    assert len(seen) == 4
    for (earlier, _), (sent, cached) in zip(seen, seen[2:], strict=False):
        assert cached > 0.6 * earlier, "each bot finds what it sent last"
        assert cached < sent
