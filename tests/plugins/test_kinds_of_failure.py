"""What passes is asked again, what will not pass is told at once, and each with the server's own words."""

from __future__ import annotations

import json
import re
import socket
import threading
import time
from dataclasses import replace
from datetime import datetime, timezone

import pytest
from answer_shapes import event, gemini_event
from asking import ARENA, a_view
from model_server import ScriptedServer, answer, endless, ndjson, streamed
from outages import quick_brain, skipping
from providers import (
    DONE,
    PROVIDERS,
    chunk,
    claude_error,
    claude_event,
    claude_start,
    claude_text,
    gemini_error,
    line,
    sse,
)

from batllm_arcade import BrainError, Live
from batllm_arcade.brains.protocol import PastPlay, PastTurn
from batllm_arcade.models.http_client import ModelServer

JSON = '{"cmd": "B"}'
TURNS = tuple(PastTurn(n, (PastPlay(0, "M", "M"), PastPlay(1, "S", "S")), ARENA) for n in range(1, 12))


def error(message, status=200, headers=(), **more):
    return answer({"error": {"message": message, **more}}, status, headers=headers)


def page(title, status):
    html = f"<html><head><title>{title}</title></head><body><h1>{title}</h1></body></html>"
    return answer(html.encode(), status, content_type="text/html")


def bytes_of(data):
    def step(to):
        to.send(data)
        return False

    return step


def decided(brain, *steps, view=None, **options):
    """The decision, how often it was asked for, and the pauses before."""
    pauses = []
    with ScriptedServer(*steps) as fake:
        made = quick_brain(brain, fake.url, **{"reply": "token", **options})
        skipping(made.server, pauses)
        return made.decide(view or a_view(deadline_s=30)), fake.requests, pauses


def told(brain, *steps, deadline_s=30, **options):
    """Why there is no decision, and how often it was asked for."""
    with ScriptedServer(*steps) as fake, pytest.raises(BrainError) as caught:
        quick_brain(brain, fake.url, **{"reply": "token", **options}).decide(a_view(deadline_s=deadline_s))
    return str(caught.value), len(fake.requests)


FLAT = "litellm.APIError: APIError: OpenrouterException - Provider returned error"
PASSES = {
    "groq": ("openai", error("Failed to generate JSON. Please adjust your prompt.", 400, code="json_validate_failed")),
    "groq, buttons": ("mistral", error("JSON does not match the schema.", 400, code="json_validate_failed")),
    "lm studio": ("openai", answer({"error": 'Failed to load model "m". Error: Operation canceled.'}, 400)),
    "lm studio, loading": ("anthropic", error("the model is still loading", 400)),
    "499": ("gemini", answer(gemini_error(499, "CANCELLED", "The operation was cancelled."), 499)),
    "498": ("openai", error("Flex capacity exceeded", 498)),
    "no choices": ("openai", answer({"id": "x", "object": "chat.completion", "choices": None})),
    "no choices, mistral": ("mistral", answer({"choices": None})),
    "a signature alone": ("gemini", sse(gemini_event([{"thoughtSignature": "QUFB"}], "STOP"))),
    "a malformed call": ("gemini", sse(gemini_event([], "MALFORMED_FUNCTION_CALL"))),
    "an error within a 200": ("openai", error("Provider returned error", code=502)),
    "an error within a stream": ("openai", sse(chunk({}), event(error={"message": "overloaded", "code": "503"}))),
    "an error by its type": (
        "anthropic", sse(claude_start(), claude_event("error", error={"type": "overloaded_error", "message": "x"})),
    ),
    "an error line": ("ollama", ndjson({"error": "an error was encountered while running the model: EOF"})),
    "flattened": ("openai", error(FLAT, 500)),
    "flattened, another status": ("mistral", error(FLAT, 502, code="502")),
}  # fmt: skip


@pytest.mark.parametrize("name", PASSES)
def test_what_passes_loses_no_play(name):
    brain, step = PASSES[name]
    decision, requests, _ = decided(brain, step, PROVIDERS[brain].said("B"))
    assert decision.command == "B"
    assert [each.body for each in requests[1:]] == [requests[0].body], "it is the same question"


Z_AI = "Usage limit reached for 5 hour. Your limit will reset at 2026-12-04 19:01:25"
FREE = "Rate limit exceeded: free-models-per-day"
USED_UP = {
    "z.ai": ("openai", error(Z_AI, 429, code="1308"), "19:01:25"),
    "z.ai within a 200": ("openai", error(Z_AI, code="1308"), "19:01:25"),
    "z.ai, anthropic's way": ("anthropic", answer(claude_error(Z_AI, "rate_limit_error"), 429), "19:01:25"),
    "ollama's cloud": ("ollama", answer({"error": "you have reached your weekly usage limit"}, 429), "weekly usage"),
    "openrouter, by the header": (
        "openai", error(FREE, 429, headers=(f"X-RateLimit-Reset: {int(time.time() + 18_030) * 1000}",)), "for 5 h",
    ),
    "openrouter, in the body": (
        "openai", error(FREE, 429, metadata={"headers": {"X-RateLimit-Reset": str(int(time.time() + 18_030) * 1000)}}),
        "for 5 h",
    ),
    "money": ("mistral", error("Insufficient balance or no resource package.", 429, code="1113"), "add credit"),
    "money within a 200": ("openai", error("Insufficient credits", code=402), "add credit"),
}  # fmt: skip


@pytest.mark.parametrize("name", USED_UP)
def test_what_is_used_up_is_told_at_once_with_when_it_ends(name):
    brain, step, words = USED_UP[name]
    sentence, asked = told(brain, step)
    assert asked == 1
    assert words in sentence
    assert re.search("is used up|wants to be paid", sentence)


@pytest.mark.parametrize("deadline_s", [30, 600])
@pytest.mark.parametrize("brain", PROVIDERS)
def test_a_limit_without_a_word_on_its_end_is_asked_a_few_times(brain, deadline_s):
    sentence, asked = told(brain, endless(answer(PROVIDERS[brain].error("slow down"), 429)), deadline_s=deadline_s)
    assert "takes no requests for now (429: slow down)" in sentence
    assert 3 <= asked <= 6


SOON = time.time() + 6000
DATE = f"{datetime.fromtimestamp(SOON, timezone.utc):%FT%TZ}"
WAITS = {
    "requests that are used up": ({"x-ratelimit-remaining-requests": "0", "x-ratelimit-reset-requests": "1m30s",
                                   "x-ratelimit-remaining-tokens": "500", "x-ratelimit-reset-tokens": "6m0s"}, "", 90),
    "tokens that are used up": ({"x-ratelimit-remaining-tokens": "0", "x-ratelimit-reset-tokens": "7.66s"}, "", 7.66),
    "milliseconds": ({"retry-after-ms": "9500"}, "", 9.5),
    "seconds and a part": ({"Retry-After": "9.5"}, "", 9.5),
    "since 1970": ({"X-RateLimit-Reset": f"{SOON:.0f}"}, "", 6000),
    "since 1970, in milliseconds": ({"X-RateLimit-Reset": f"{SOON * 1000:.0f}"}, "", 6000),
    "a date": ({"anthropic-ratelimit-requests-reset": DATE}, "", 6000),
    "words": ({}, "Rate limit reached on tokens per minute (TPM). Please try again in 1m7.5s. Visit us.", 67.5),
    "other words": ({}, "Quota exceeded. Please retry in 24.5s.", 24.5),
}  # fmt: skip


@pytest.mark.parametrize("name", WAITS)
def test_a_limit_is_waited_for_as_long_as_it_says(name):
    headers, words, expected = WAITS[name]
    busy = error(words, 429, headers=tuple(f"{key}: {value}" for key, value in headers.items()))
    pauses = []
    with ScriptedServer(busy, answer({"good": True})) as fake:
        skipping(ModelServer("Fake", fake.url), pauses).fetch("/x", {}, live=Live(9000))
    assert pauses == [pytest.approx(expected, abs=900 if expected == 6000 else 0.2)]


@pytest.mark.parametrize("step", [page("413 Request Entity Too Large", 413), error("request body too large", 413)])
def test_a_body_that_is_too_large_costs_turns_and_no_play(step):
    view = replace(a_view(23, deadline_s=30), history=TURNS)
    decision, requests, _ = decided("openai", step, PROVIDERS["openai"].said("B"), view=view)
    assert decision.command == "B"
    assert [len(json.loads(each.json["messages"][-1]["content"])["history"]) for each in requests] == [11, 6]


def ends_early(text):
    """Streams of each brain that end well, but without a word on their end."""
    return {
        "openai": sse(chunk({"content": text[:5]}), chunk({"content": text[5:]})),
        "mistral": sse(chunk({"content": text})),
        "anthropic": sse(claude_start(), claude_text(text)),
        "gemini": sse(gemini_event([{"text": text}])),
        "ollama": ndjson(line(text)),
    }


@pytest.mark.parametrize("brain", PROVIDERS)
def test_a_whole_object_needs_no_word_on_its_end(brain):
    decision, requests, _ = decided(brain, ends_early(JSON)[brain])
    assert (decision.command, len(requests)) == ("B", 1)
    assert decided(brain, ends_early("C1")[brain], PROVIDERS[brain].said("C17"))[0].command == "C17"


def test_a_stream_whose_lines_end_in_cr_alone_is_read():
    events = b"".join([chunk({"content": "B"}), chunk({}, "stop"), DONE]).replace(b"\n", b"\r")
    assert decided("openai", streamed(events, content_type="text/event-stream"))[0].command == "B"


def test_a_pattern_of_names_is_no_model():
    listing = answer({"data": [{"id": "*"}, {"id": "openai/*"}, {"id": "m1"}]})
    with ScriptedServer(listing, PROVIDERS["openai"].said("B")) as fake:
        brain = quick_brain("openai", fake.url, model="")
        brain.prepare(lambda line: None)
    assert brain.model == "m1"


GONE = {
    "aimock": answer({"error": {"code": 404, "message": "Not found", "status": "NOT_FOUND"}}, 404),
    "a path": answer({"error": "Cannot GET /v1beta/models/gemini-2.5-flash: no such model or route"}, 404),
    "a page": page("404 Not Found", 404),
    "not allowed": answer({"detail": "Method Not Allowed"}, 405),
}


@pytest.mark.parametrize("brain", PROVIDERS)
@pytest.mark.parametrize("name", GONE)
def test_a_missing_list_is_no_end(brain, name):
    gone, provider = GONE[name], PROVIDERS[brain]
    looks = {"gemini": {"a page": 2, "not allowed": 2}.get(name, 1), "ollama": 1}.get(brain, 1)
    with ScriptedServer(*[gone] * looks, provider.said("B"), provider.said("B")) as fake:
        made, said = quick_brain(brain, fake.url, reply="token"), []
        made.prepare(said.append)
        assert made.decide(a_view()).command == "B"
    assert "does not list" in said[-1]


ONLY = "This model is only supported in v1/responses and not in v1/chat/completions."
RAW = {"raw": json.dumps({"error": {"message": "Input validation error: seed must be positive"}}), "provider_name": "X"}
DETAIL = [{"type": "extra_forbidden", "loc": ["body", "colour"], "msg": "Extra inputs are not permitted"}]
SIGN_IN = {"error": "unauthorized", "signin_url": "https://ollama.com/connect?name=host"}
MOVED = "https://llm.example/v1/chat/completions"
TELLS = {
    "cloudflare": ("openai", page("Just a moment...", 403), "lets only browsers through (403: Just a moment...)"),
    "cloudflare, 503": ("gemini", page("Attention Required! | Cloudflare", 503), "set base_url to an address"),
    "responses": ("openai", error(ONLY, 404), f"another API than chats (404: {ONLY}); set model to one that chats"),
    "responses, azure": (
        "openai",
        error("The chatCompletion operation does not work with the specified model, gpt-5.1-codex.", 400),
        "set model to one that chats",
    ),
    "signed out": ("ollama", answer(SIGN_IN, 401), "https://ollama.com/connect?name=host); run `ollama signin`"),
    "signed out, openai's way": ("openai", answer(SIGN_IN, 401), "run `ollama signin` on its computer"),
    "moved": (
        "openai", answer({}, 308, headers=(f"Location: {MOVED}",)), f"elsewhere (308) to {MOVED}; set base_url to",
    ),
    "moved for now": ("mistral", answer({}, 307, headers=("Location: /v2/chat",)), "elsewhere (307) to /v2/chat"),
    "metadata.raw": (
        "openai", error("Provider returned error", 412, metadata=RAW),
        "(412: Provider returned error: Input validation error: seed must be positive)",
    ),
    "metadata.raw within a 200": (
        "mistral", error("Provider returned error", code=412, metadata={"raw": "upstream says no"}), "upstream says no",
    ),
    "detail": ("mistral", answer({"message": {"detail": DETAIL}}, 422), "Extra inputs are not permitted (colour)"),
    "a list": ("gemini", answer([{"error": {"message": "It failed", "code": 412}}], 412), "(412: It failed)"),
    "http/2": ("openai", bytes_of(b"\0\0\x12\x04\0\0\0\0\0\0\x03\0\0\0d"), "does not speak HTTP/1.1"),
    "tls": ("ollama", bytes_of(b"\x15\x03\x01\x00\x02\x02\x0a"), "does not speak HTTP/1.1"),
    "zstd": ("openai", answer(b"(\xb5/\xfd", headers=("Content-Encoding: zstd",)), "cannot be unpacked here"),
    "zstd, an error": (
        "mistral", answer(b"(\xb5/\xfd", 400, headers=("Content-Encoding: x-new",)), "refused the request (400)",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", TELLS)
def test_a_sentence_has_the_server_s_own_words_and_what_to_do(name):
    brain, step, words = TELLS[name]
    apis = 1 + name.startswith("responses")
    sentence, asked = told(brain, *[step] * apis)
    assert words in sentence
    assert asked == apis
    assert "check the key" not in sentence
    assert "has no model" not in sentence


@pytest.mark.parametrize("said", [b"HTTP/1.1 400 Bad Request\r\n\r\n", b"\x15\x03\x03\0\x02\x02\x78"])
def test_a_port_without_its_tls_is_no_certificate_that_is_not_trusted(said):
    def answer_once(tcp):
        with tcp.accept()[0] as sock:
            sock.recv(1 << 16)
            sock.sendall(said)

    with socket.create_server(("127.0.0.1", 0)) as tcp:
        thread = threading.Thread(target=answer_once, args=(tcp,))
        thread.start()
        brain = quick_brain("openai", f"https://127.0.0.1:{tcp.getsockname()[1]}", reply="token")
        with pytest.raises(BrainError, match="does not speak TLS there"):
            brain.decide(a_view())
        thread.join()


def test_a_refusal_without_a_word_of_its_own_is_still_learnt():
    def picky(to):
        flat = error("litellm.BadRequestError: OpenrouterException - Provider returned error", 400)
        return (flat if "seed" in to.request.json else PROVIDERS["openai"].said("B"))(to)

    decision, requests, _ = decided("openai", endless(picky))
    assert decision.command == "B"
    assert (len(requests), "seed" in requests[-1].json) == (3, False)  # the schema, the seed: likely ones first


def test_the_same_holds_before_the_match():
    listing = answer({"data": [{"id": "local-model"}]})
    with ScriptedServer(listing, error("Provider returned error", code=502), PROVIDERS["openai"].said("B")) as fake:
        brain = quick_brain("openai", fake.url, reply="token")
        brain.prepare(lambda line: None)  # what has passed by the first play is no end
        assert brain.decide(a_view()).command == "B"
    with ScriptedServer(listing, error("Usage limit reached", code=429)) as fake:
        brain = quick_brain("openai", fake.url, reply="token")
        with pytest.raises(BrainError, match=r"is used up \(429: Usage limit reached\)"):
            brain.prepare(lambda line: None)
