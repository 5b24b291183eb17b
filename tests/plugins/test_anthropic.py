"""The brain `anthropic`: its requests are what Anthropic's own types describe, its answers read as their client reads
them."""

from __future__ import annotations

import json
from typing import get_args, get_type_hints

import pytest
from asking import a_view
from batllm_arcade_plugins.anthropic import Anthropic
from model_server import ScriptedServer, answer, endless
from outages import quick_brain
from providers import (
    CANARY,
    claude_block,
    claude_end,
    claude_error,
    claude_event,
    claude_start,
    claude_text,
    reply,
    sse,
)  # fmt: skip

from batllm_arcade import BrainError, Spec
from batllm_arcade.cli.main import main
from batllm_arcade.models.messages_api import closed_schema

SAID = sse(claude_start(), claude_text("B"), claude_end())


def a_brain(url, **options):
    return quick_brain("anthropic", url, **options)


def asked(step=SAID, model="claude-haiku-4-5", view=None, **options):
    """The decision and the one request."""
    with ScriptedServer(step) as fake:
        decision = a_brain(fake.url, model=model, **options).decide(view or a_view())
    (request,) = fake.requests
    return decision, request


def capabilities(**types):
    """What Anthropic says of a model that can think in these ways."""
    ways = {
        name: {"supported": types.get(name, False)} for name in ("adaptive", "enabled", "disabled", "between_tools")
    }
    return {"type": "model", "id": "claude-x", "capabilities": {"thinking": {"supported": True, "types": ways}}}


def test_it_is_asked_in_the_words_of_the_messages_api():
    decision, request = asked()
    body = request.json
    assert (decision.command, decision.tokens) == ("B", {"prompt": 487, "completion": 63, "cached": 7})
    assert (request.path, request.headers["x-api-key"]) == ("/v1/messages", CANARY)
    assert request.headers["anthropic-version"] == "2023-06-01"
    assert [each["role"] for each in body["messages"]] == ["user"]
    assert body["system"].startswith("Duel.")
    assert body["max_tokens"] == 48
    assert not {"temperature", "thinking", "seed", "tools"} & body.keys(), "newer models refuse what nobody asked for"
    assert body["output_config"]["format"]["type"] == "json_schema"


@pytest.mark.parametrize("options", [
    {}, {"reply": "json"}, {"context": "conversation"}, {"context": "conversation", "rendering": "chat"},
    {"think": "high"}, {"think": "low", "model": "claude-opus-5"}, {"think": "off"}, {"form": "tool"},
    {"form": "tool", "think": "high"}, {"form": "none", "temperature": "0.5"},
], ids=str)  # fmt: skip
def test_every_request_is_one_that_the_official_types_describe(options):
    pytest.importorskip("anthropic")
    from anthropic.types.message_create_params import MessageCreateParamsStreaming
    from pydantic import TypeAdapter

    text = reply() if options.get("reply") == "json" else "B"
    _, request = asked(sse(claude_start(), claude_text(text), claude_end()), **{"model": "claude-haiku-4-5", **options})
    body = request.json
    sampling = {"temperature"} & options.keys()  # which they no longer have, but older models take
    assert body.keys() - sampling <= get_type_hints(MessageCreateParamsStreaming).keys()
    TypeAdapter(MessageCreateParamsStreaming).validate_python(body)
    for schema in schemas(body.get("output_config", {}).get("format", {}).get("schema", {})):
        assert schema.get("additionalProperties") is False or "anyOf" in schema
        assert not {"pattern", "minimum", "maximum", "minLength", "maxLength", "maxItems"} & schema.keys()


def schemas(schema):
    """Every object in a JSON schema."""
    if "properties" in schema or "anyOf" in schema:
        yield schema
    for each in [*schema.get("properties", {}).values(), *schema.get("anyOf", ())]:
        yield from schemas(each)


def test_objects_in_lists_are_closed_too():
    inner = {"type": "object", "properties": {"a": {"type": "string", "pattern": "x"}}}
    said = closed_schema({"type": "array", "items": inner, "maxItems": 3})
    closed = {"type": "object", "properties": {"a": {"type": "string"}}, "additionalProperties": False}
    assert said == {"type": "array", "items": closed}


@pytest.mark.parametrize(("model", "types", "think", "thinking", "effort"), [
    ("claude-haiku-4-5", None, "auto", None, None),
    ("claude-haiku-4-5", None, "off", {"type": "disabled"}, None),
    ("claude-haiku-4-5", None, "low", {"type": "enabled", "budget_tokens": 1024}, None),
    ("claude-sonnet-4-20250514", None, "high", {"type": "enabled", "budget_tokens": 3072}, None),
    ("claude-opus-4-7", None, "low", {"type": "adaptive", "display": "summarized"}, "low"),
    ("qwen3", None, "high", {"type": "enabled", "budget_tokens": 3072}, None),
    ("claude-x", {"adaptive": True}, "auto", {"type": "adaptive", "display": "summarized"}, None),
    ("claude-x", {"adaptive": True}, "off", {"type": "adaptive", "display": "summarized"}, "low"),
    ("claude-x", {"adaptive": True, "between_tools": True}, "off", {"type": "between_tools"}, None),
    ("claude-x", {"adaptive": True, "disabled": True}, "off", {"type": "disabled"}, None),
    ("claude-x", {"enabled": True, "disabled": True}, "high", {"type": "enabled", "budget_tokens": 3072}, None),
])  # fmt: skip
def test_how_much_it_thinks_is_what_the_server_says_that_the_model_can(model, types, think, thinking, effort):
    listed = [answer({"data": [capabilities(**types)]})] if types is not None else []
    with ScriptedServer(*listed, *([SAID] if types is None else [SAID, SAID])) as fake:
        brain = a_brain(fake.url, model=model, think=think)
        if listed:
            brain.prepare(lambda line: None)
        brain.decide(a_view())
    body = fake.requests[-1].json
    assert body.get("thinking") == thinking
    assert body["output_config"].get("effort") == effort
    if thinking and thinking["type"] in ("adaptive", "enabled"):
        assert body["max_tokens"] == 48 + 4096
        assert thinking.get("budget_tokens", 0) < body["max_tokens"]


def test_a_model_that_thinks_is_not_forced_to_call_a_tool():
    tool = {"type": "tool_use", "id": "toolu_1", "name": "answer", "input": {}}
    parts = ({"type": "input_json_delta", "partial_json": each} for each in ('{"action": "fi', 're", "degrees": 0}'))
    step = sse(claude_start(), claude_block(0, tool, *parts), claude_end("tool_use"))
    decision, request = asked(step, form="tool")
    assert decision.command == "B"
    assert request.json["tool_choice"] == {"type": "tool", "name": "answer"}
    _, request = asked(form="tool", think="high")
    assert request.json["tool_choice"] == {"type": "auto"}


@pytest.mark.parametrize(("refusal", "left"), [
    ("`temperature` is deprecated for this model.", "temperature"),
    ("output_config.format: Extra inputs are not permitted", "output_config"),
    ("output_config: Extra inputs are not permitted", "output_config"),
])  # fmt: skip
def test_what_it_refuses_is_left_out_and_it_is_asked_again(refusal, left):
    with ScriptedServer(answer(claude_error(refusal), 400), SAID) as fake:
        brain = a_brain(fake.url, temperature="0.5")
        assert brain.decide(a_view()).command == "B"
    assert [left in request.json for request in fake.requests] == [True, False]


def test_another_server_plays_the_first_of_its_own_models():
    with ScriptedServer(answer({"data": [{"id": "nomic-embed-text"}, {"id": "qwen3"}]}), SAID, SAID) as fake:
        brain = Anthropic(Spec("anthropic", "", {"base_url": fake.url}))
        brain.prepare(lambda line: None)
        assert (brain.model, brain.decide(a_view()).command) == ("qwen3", "B")
    assert "x-api-key" not in fake.requests[-1].headers, "its key is for its own host"


def test_another_name_of_a_model_is_looked_up_by_itself():
    with ScriptedServer(answer({"data": [{"id": "claude-x-1"}]}), answer(capabilities(adaptive=True)), SAID) as fake:
        brain = a_brain(fake.url, model="claude-x")
        brain.prepare(lambda line: None)
    assert (fake.requests[1].path, brain.thinks) == ("/v1/models/claude-x", True)


THINKS = claude_block(
    0, {"type": "thinking", "thinking": "", "signature": ""}, {"type": "thinking_delta", "thinking": "Hm"},
    {"type": "thinking_delta", "thinking": "m."}, {"type": "signature_delta", "signature": "c2ln"},
)  # fmt: skip
STREAMS = {
    "text": (claude_start(), claude_text("A", "3", "0"), claude_end()),
    "a thought before it": (claude_start(), THINKS, claude_text("A30", index=1), claude_end()),
    "a thought without words": (
        claude_start(), claude_block(0, {"type": "redacted_thinking", "data": "x"}), claude_text("A30", index=1),
        claude_end(),
    ),
    "pings and an unknown event": (
        claude_start(), claude_event("ping"), claude_text("A3", "0"), claude_event("ping"), claude_end(),
    ),
    "two texts": (claude_start(), claude_text("A3"), claude_text("0", index=1), claude_end("stop_sequence")),
}  # fmt: skip


@pytest.mark.parametrize("case", STREAMS)
def test_their_own_client_reads_the_same_text_and_thought(case):
    decision, _ = asked(sse(*STREAMS[case]))
    assert decision.command == "A30"
    sdk = pytest.importorskip("anthropic")
    with ScriptedServer(sse(*STREAMS[case])) as fake:
        client = sdk.Anthropic(api_key="x", base_url=fake.url, max_retries=0)
        with (
            client,
            client.messages.stream(
                model="claude-haiku-4-5", max_tokens=48, messages=[{"role": "user", "content": "x"}]
            ) as stream,
        ):
            theirs = stream.get_final_message()
    assert decision.raw == "".join(block.text for block in theirs.content if block.type == "text")
    assert decision.thought == "".join(block.thinking for block in theirs.content if block.type == "thinking")
    assert decision.tokens["completion"] == theirs.usage.output_tokens


def test_an_answer_that_is_not_streamed_is_read_too():
    message = {
        "id": "msg_1", "type": "message", "role": "assistant", "model": "m", "stop_reason": "end_turn",
        "content": [{"type": "thinking", "thinking": "Hm."}, {"type": "text", "text": "B"}],
        "usage": {"input_tokens": 480, "cache_read_input_tokens": 7, "output_tokens": 63},
    }  # fmt: skip
    decision, _ = asked(answer(message))
    assert (decision.command, decision.thought, decision.tokens["prompt"]) == ("B", "Hm.", 487)


@pytest.mark.parametrize(("kind", "words", "requests"), [
    ("overloaded_error", "failed \\(529: no room\\)", 9),
    ("invalid_request_error", "refused the request \\(400: no room\\)", 1),
    ("authentication_error", "does not let us in \\(401: no room\\)", 1),
    ("billing_error", "wants to be paid", 1),
])  # fmt: skip
def test_an_error_within_a_stream_is_told_as_its_type_says(kind, words, requests):
    broken = sse(claude_start(), claude_text("B"), claude_event("error", error={"type": kind, "message": "no room"}))
    steps = [endless(broken)] if requests > 1 else [broken]
    with ScriptedServer(*steps) as fake, pytest.raises(BrainError, match=words):
        a_brain(fake.url).decide(a_view())
    assert (len(fake.requests) > 1) == (requests > 1)


def test_every_type_of_error_has_the_status_that_their_documentation_gives_it():
    shared = pytest.importorskip("anthropic.types.shared")
    from batllm_arcade.models.failures import STATUSES

    union = get_args(shared.ErrorObject)[0] if get_args(shared.ErrorObject) else shared.ErrorObject
    known = {get_args(each.model_fields["type"].annotation)[0] for each in get_args(union)}
    assert known <= {*STATUSES, "gateway_timeout_error"}, known - STATUSES.keys()


def test_a_refusal_is_a_failure_with_its_reason_that_keeps_what_there_was():
    details = {"type": "refusal", "category": "cyber", "explanation": "Not this."}
    step = sse(claude_start(), claude_text("I"), claude_end("refusal", stop_details=details))
    with (
        ScriptedServer(step) as fake,
        pytest.raises(BrainError, match=r"refused to answer: cyber: Not this\.") as caught,
    ):
        a_brain(fake.url).decide(a_view())
    assert (caught.value.raw, caught.value.tokens) == ("I", {"prompt": 487, "completion": 63, "cached": 7})


def test_every_reason_to_stop_is_an_end_a_cut_or_a_failure():
    types = pytest.importorskip("anthropic.types")
    from batllm_arcade.models.messages_api import CUT, ENDS

    assert set(get_args(types.StopReason)) - {*ENDS, *CUT} == {"refusal", "pause_turn"}
    step = sse(claude_start(), claude_text("B"), claude_end("pause_turn"))
    with ScriptedServer(step) as fake, pytest.raises(BrainError, match=r"stopped its answer \(pause_turn\)"):
        a_brain(fake.url).decide(a_view())


class Cache:
    """A server that counts as Anthropic does: what is the same, block by block, up to a mark of an earlier request."""

    def __init__(self, said, *, refused=False):
        self.said, self._refused, self.refusals = said, refused, 0
        self.known, self.read, self.sent = set(), [], []

    def __call__(self, to):
        if to.request.method == "GET":
            return answer({"data": [{"type": "model", "id": "claude-haiku-4-5"}]})(to)
        body = to.request.json
        if "system" not in body:  # whether it is there
            return SAID(to)
        blocks = [("system", body["system"], None)]
        for each in body["messages"]:
            content = each["content"]
            parts = [{"text": content}] if isinstance(content, str) else content
            blocks += [(each["role"], part["text"], part.get("cache_control")) for part in parts]
        row, read, length, lengths, marks = (), 0, 0, [], []
        for place, (role, text, mark) in enumerate(blocks):
            row, length = (*row, (role, text)), length + len(text)
            lengths.append((row, length))
            marks += [place] if mark else []
        if self._refused and marks:
            self.refusals += 1
            words = "messages.0.content.0.text.cache_control: Extra inputs are not permitted"
            return answer({"type": "error", "error": {"type": "invalid_request_error", "message": words}}, 400)(to)
        assert len(marks) <= 4
        for mark in marks:
            found = [size for known, size in lengths[max(0, mark - 20) : mark + 1] if known in self.known]
            read = max([read, *found])
        self.known |= {lengths[mark][0] for mark in marks}
        stored = max(0, max((lengths[mark][1] for mark in marks), default=0) - read)
        self.read.append(read // 4)
        self.sent.append(length // 4)
        counts = {"input_tokens": length // 4 - read // 4 - stored // 4, "cache_read_input_tokens": read // 4}
        start = claude_start(**counts, cache_creation_input_tokens=stored // 4)
        return sse(start, claude_text(self.said), claude_end())(to)


TURNED = '{"action":"turn","degrees":3}'
CALLED = '{"toolCall":"playCommand","action":"turn","degrees":3,"reasoning":"closer"}'


@pytest.mark.parametrize(("options", "said", "context"), [
    ("", TURNED, "payload"), (",reply=json", reply(), "payload"), (",context=conversation", CALLED, "array"),
    (",context=conversation,rendering=chat", CALLED, "chat"), ("", TURNED, "refused"),
])  # fmt: skip
def test_of_a_round_most_is_read_from_the_cache_and_the_price_says_so(options, said, context, tmp_path, capsys):
    cache = Cache(said, refused=context == "refused")
    with ScriptedServer(endless(cache)) as fake:
        brain = f"anthropic:base_url={fake.url},model=claude-haiku-4-5,price=1/5{options}"
        match = ["--seed", "3", "--rounds", "2", "--json", "--history", str(tmp_path / "s.json")]
        assert main(["run", "--left", brain, "--right", "scripted:dancer", *match]) == 0
    game = json.loads(capsys.readouterr().out)
    tokens = game["tokens"][0]
    assert tokens["prompt"] == sum(cache.sent)
    if context == "refused":
        assert (sum(cache.read), cache.refusals) == (0, 1)
        return
    assert tokens["cached"] == sum(cache.read)
    for turns in (slice(1, 20), slice(21, 40)):
        assert sum(cache.read[turns]) >= 0.7 * sum(cache.sent[turns]), (cache.read, cache.sent)
    read = tokens["prompt"] - 0.9 * tokens["cached"] + 0.25 * tokens["stored"]
    assert game["cost"][0] == pytest.approx((read + 5 * tokens["completion"]) / 1e6)
    assert game["cost"][0] < 0.6 * (tokens["prompt"] + 5 * tokens["completion"]) / 1e6
