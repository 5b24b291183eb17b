"""Models that are served through OpenAI's Responses API alone: found out, remembered, read as its client does."""

from __future__ import annotations

import json
from typing import Any

import pytest
from asking import a_view
from fakes import PublishedTexts
from model_server import ScriptedServer, answer, endless
from official_clients import openai_client
from outages import quick_brain
from providers import sse

from batllm_arcade import BrainError
from batllm_arcade.models.adaptation import RESPONSES, adapt

ONLY = "This model is only supported in v1/responses and not in v1/chat/completions."
UNVERIFIED = "Your organization must be verified to generate reasoning summaries."
THOUGHT = ("They are ", "ahead.")
USAGE = {
    "input_tokens": 487, "output_tokens": 63, "total_tokens": 550, "output_tokens_details": {"reasoning_tokens": 40},
    "input_tokens_details": {"cached_tokens": 400, "cache_write_tokens": 0},
}  # fmt: skip


def response(status="completed", output=(), **more):
    """A whole answer as the API's types have it."""
    given = {
        "id": "resp_1", "object": "response", "created_at": 1.0, "model": "gpt-5-codex", "status": status,
        "output": list(output), "parallel_tool_calls": True, "tool_choice": "auto", "tools": [], "error": None,
        "incomplete_details": None, "instructions": None, "metadata": {}, "temperature": 1.0, "top_p": 1.0,
        "usage": USAGE,
    }  # fmt: skip
    return {**given, **more}


def message(*content, phase=None, number=1):
    return {
        "id": f"msg_{number}", "type": "message", "role": "assistant", "status": "completed", "content": list(content),
        **({"phase": phase} if phase else {}),
    }  # fmt: skip


def written(text):
    return {"type": "output_text", "text": text, "annotations": [], "logprobs": []}


REASONING = {"id": "rs_1", "type": "reasoning", "summary": [{"type": "summary_text", "text": "".join(THOUGHT)}]}
REFUSED = {"type": "refusal", "refusal": "Not this."}


def stream(*events: dict[str, Any]) -> list[dict[str, Any]]:
    """The events between the first and the last of a stream, numbered."""
    begun = {"type": "response.created", "response": response("in_progress", usage=None)}
    return [{**event, "sequence_number": number} for number, event in enumerate((begun, *events))]


def deltas(kind, place, *texts, **more):
    at = {"item_id": f"i{place}", "output_index": place, **more}
    return [{"type": f"response.{kind}.delta", "delta": text, **at} for text in texts]


def part(index):
    about = {"item_id": "i0", "output_index": 0, "summary_index": index, "part": {"type": "summary_text", "text": ""}}
    return {"type": "response.reasoning_summary_part.added", **about}


def ended(kind="completed", **more):
    return {"type": f"response.{kind}", "response": response(kind, **more)}


def added(item, place):
    return {"type": "response.output_item.added", "item": item, "output_index": place}


def said(*texts):
    """A stream with a summary in two parts and an answer in pieces."""
    summary = [part(0), *deltas("reasoning_summary_text", 0, *THOUGHT, summary_index=0), part(1)]
    more = deltas("reasoning_summary_text", 0, "Fire.", summary_index=1)
    text = deltas("output_text", 1, *texts, content_index=0, logprobs=[])
    whole = [REASONING, message(written("".join(texts)))]
    return stream(
        added(REASONING | {"summary": []}, 0), *summary, *more, added(message(), 1), *text, ended(output=whole)
    )


def sent(events):
    return sse(*(f"event: {each['type']}\ndata: {json.dumps(each)}\n\n".encode() for each in events))


NO_CHAT, NO_ROUTE = answer({"error": {"message": ONLY, "param": "model"}}, 404), answer(b"404 page not found", 404)


def only_responses(said, chat=NO_CHAT, *, verified=True):
    """A server that has its model for the Responses API alone; one not `verified` refuses summaries."""

    def step(to):
        if to.request.path == "/v1/models":
            return answer({"data": [{"id": "local-model"}]})(to)
        if to.request.path != "/v1/responses":
            return chat(to)
        if not verified and "summary" in to.request.json.get("reasoning", {}):
            return answer({"error": {"message": UNVERIFIED, "param": "reasoning.summary"}}, 400)(to)
        if not to.request.json.get("stream"):
            return answer(response(output=[message(written("A"))]))(to)
        return said(to)

    return ScriptedServer(endless(step))


def failure(events):
    with only_responses(sent(events)) as fake, pytest.raises(BrainError) as caught:
        quick_brain("openai", fake.url, reply="token").decide(a_view(deadline_s=2.0))
    return caught.value


@pytest.mark.parametrize("chat", [NO_CHAT, NO_ROUTE])
@pytest.mark.parametrize("verified", [True, False])
def test_ten_of_ten_are_played_streamed_with_their_thoughts_and_the_other_api_is_asked_once(chat, verified):
    with only_responses(sent(said('{"cmd"', ': "B"}')), chat=chat, verified=verified) as fake:
        brain, live = quick_brain("openai", fake.url, reply="token", think="low"), PublishedTexts(20)
        brain.prepare(lambda text: None)
        plays = [brain.decide(a_view(number, live=live)) for number in range(1, 20, 2)]
        again = quick_brain("openai", fake.url, reply="token", think="low")
        plays.append(again.decide(a_view()))
    assert {play.command for play in plays} == {"B"}
    assert {play.thought for play in plays} == {"They are ahead.\n\nFire."}
    assert plays[0].tokens == {"prompt": 487, "completion": 63, "cached": 400}
    assert '{"cmd"' in live.texts, "it is shown as it comes"
    assert "They are" in " ".join(live.texts)
    assert [each.path for each in fake.requests].count("/v1/chat/completions") == 1
    assert "asked through the Responses API" in again.adapted
    assert "think" not in again.unlike


@pytest.mark.parametrize("view", ["figures", "picture"])
def test_a_request_is_one_that_the_official_types_know(view):
    types = pytest.importorskip("openai.types.responses.response_create_params")
    from pydantic import TypeAdapter

    with only_responses(sent(said('{"cmd": "B"}'))) as fake:
        quick_brain("openai", fake.url, reply="token", think="high", view=view).decide(a_view())
    body = fake.requests[-1].json
    TypeAdapter(types.ResponseCreateParamsStreaming).validate_python(body)
    known = types.ResponseCreateParamsBase.__annotations__.keys() | {"stream"}
    assert body.keys() <= known
    assert body["text"]["format"]["type"] == "json_schema"
    assert (body["reasoning"], body["store"]) == ({"effort": "high", "summary": "auto"}, False)
    assert {each["role"] for each in body["input"]} == {"system", "user"}
    parts = [part["type"] for each in body["input"] if isinstance(each["content"], list) for part in each["content"]]
    assert parts == (["input_text", "input_image"] if view == "picture" else [])


def test_notes_are_asked_for_and_sent_there_too():
    with only_responses(sent(said('{"notes": "Far.", "cmd": "B"}'))) as fake:
        brain = quick_brain("openai", fake.url, reply="token", notes="9")
        noted = brain.note(a_view(over=True)).raw
        brain.decide(a_view(notes=noted))
    *_, asked, told = (request.json for request in fake.requests)
    assert "at most 9 words" in json.dumps(asked["input"])
    assert json.loads(told["input"][-1]["content"])["notes"] == "Far."


LATE = deltas("output_text", 1, '{"cmd": "B"}', content_index=0, logprobs=[])
ASIDE = deltas("output_text", 0, "I will look.", content_index=0, logprobs=[])
STREAMS = {
    "pieces": (said('{"c', 'md": "B"}'), "B"),
    "the end alone": (stream(ended(output=[REASONING, message(written('{"cmd": "B"}'))])), "B"),
    "said before the answer": (
        stream(added(message(phase="commentary"), 0), *ASIDE, added(message(number=2), 1), *LATE, ended()), "B",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("events", "command"), STREAMS.values(), ids=STREAMS)
def test_the_official_client_reads_the_same_streams_alike(events, command):
    from openai.types.responses import ResponseStreamEvent
    from pydantic import TypeAdapter

    for event in events:
        TypeAdapter(ResponseStreamEvent).validate_python(event)
    with only_responses(sent(events)) as fake:
        ours = quick_brain("openai", fake.url, reply="token").decide(a_view())
        with openai_client.OpenAI(base_url=f"{fake.url}/v1", api_key="x", max_retries=0) as client:
            theirs = list(client.responses.create(model="m", input="?", stream=True))
    text = theirs[-1].response.output_text or "".join(
        each.delta for each in theirs if each.type == "response.output_text.delta" and each.output_index
    )
    assert (ours.command, ours.raw) == (command, text)
    assert ours.tokens["prompt"] == theirs[-1].response.usage.input_tokens


FAILED = ended("failed", error={"code": "server_error", "message": "It broke."}, usage=None)
FAILURES = {
    "refusal": (
        stream(*deltas("refusal", 0, "Not ", "this.", content_index=0), ended(output=[message(REFUSED)])),
        "refused to answer: Not this.",
    ),
    "refusal at the end": (stream(ended(output=[message(REFUSED)])), "refused to answer: Not this."),
    "filter": (
        stream(*LATE[:1], ended("incomplete", incomplete_details={"reason": "content_filter"})),
        "stopped its answer (content_filter)",
    ),
    "cut": (
        stream(*deltas("output_text", 0, "I think", content_index=0, logprobs=[]),
               ended("incomplete", incomplete_details={"reason": "max_output_tokens"})),
        "wrote too much",
    ),
    "failed": (stream(FAILED), "It broke."),
    "error": (stream({"type": "error", "code": "x", "message": "Out of order.", "param": None}), "Out of order."),
    "no shape of details": (stream(ended(usage={"input_tokens_details": [1]})), "does not answer as OpenAI does"),
    "no place": (stream(added(message(phase="commentary"), [])), "does not answer as OpenAI does"),
    "broken off": (stream(*deltas("output_text", 0, "I", content_index=0, logprobs=[])), "hung up"),
}  # fmt: skip


@pytest.mark.parametrize(("events", "words"), FAILURES.values(), ids=FAILURES)
def test_what_is_no_answer_is_said(events, words):
    assert words in str(failure(events))


def test_a_server_with_neither_is_told_by_its_first_words():
    with ScriptedServer(NO_ROUTE, NO_ROUTE) as fake, pytest.raises(BrainError, match="knows no such model or address"):
        quick_brain("openai", fake.url, reply="token").decide(a_view())
    assert [each.path for each in fake.requests] == ["/v1/chat/completions", "/v1/responses"]


def test_a_chat_without_a_form_or_a_wish_to_think_becomes_a_plain_request():
    body = adapt({"model": "m", "messages": [], "seed": 1, "max_tokens": 1, "reasoning_effort": "none"}, [RESPONSES])
    expected = {"model": "m", "input": [], "max_output_tokens": 16, "reasoning": {"effort": "none"}, "store": False}
    assert body == expected
