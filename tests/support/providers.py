"""The five providers as the tests know them: how each answers, in shapes their official types accept."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from batllm_arcade_plugins import anthropic, gemini, mistral, ollama, openai
from model_server import Step, answer, ndjson, streamed, truncated

CANARY = "canary-5c1d7e90-key"
GOOD = {"button_presses": ["a"], "reasoning": "Lined up", "observations": "Ahead", "context_detected": "battle"}


def reply(**changes: Any) -> str:
    """A JSON-only response."""
    return json.dumps({**GOOD, **changes})


# Gemini


def candidate(text: str, why: str | None = "STOP", **more: Any) -> dict[str, Any]:
    return {"content": {"role": "model", "parts": [{"text": text}]}, "finishReason": why, "index": 0, **more}


def gemini_body(*candidates: Any, **more: Any) -> dict[str, Any]:
    usage = {"promptTokenCount": 487, "candidatesTokenCount": 60, "thoughtsTokenCount": 3, "totalTokenCount": 550}
    head = {"modelVersion": "gemini-2.5-flash", "responseId": "r1"}
    return {"candidates": list(candidates), "usageMetadata": usage, **head, **more}


def gemini_error(status: int, name: str, message: str, *details: Any) -> dict[str, Any]:
    error = {"code": status, "message": message, "status": name, "details": list(details)}
    return {"error": error}


def gemini_said(*texts: str, why: str = "STOP") -> Step:
    """A stream of Gemini's that says these texts one after the other."""
    parts = [gemini_body(candidate(text, None)) for text in texts[:-1]]
    events = [*parts, gemini_body(candidate(texts[-1], why))]
    return sse(*[b"data: " + json.dumps(event).encode() + b"\r\n\r\n" for event in events])


# Mistral and OpenAI


def completion(content: Any, why: str = "stop") -> dict[str, Any]:
    message = {"role": "assistant", "content": content, "tool_calls": None}
    return {
        "id": "c1", "object": "chat.completion", "created": 1_795_300_000, "model": "mistral-small-latest",
        "choices": [{"index": 0, "message": message, "finish_reason": why}],
        "usage": {"prompt_tokens": 487, "completion_tokens": 63, "total_tokens": 550},
    }  # fmt: skip


def mistral_error(message: Any, code: str = "1300", kind: str = "invalid_request_error") -> dict[str, Any]:
    return {"object": "error", "message": message, "type": kind, "param": None, "code": code}


def chunk(delta: Any, why: str | None = None, **more: Any) -> bytes:
    choices = [{"index": 0, "delta": delta, "finish_reason": why}]
    body = {"id": "c1", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": choices, **more}
    return b"data: " + json.dumps(body).encode() + b"\n\n"


USAGE = {"usage": {"prompt_tokens": 487, "completion_tokens": 63, "total_tokens": 550}}
DONE = b"data: [DONE]\n\n"


def sse(*parts: bytes, **how: Any) -> Step:
    """An event stream with these events."""
    return streamed(*parts, content_type="text/event-stream", **how)


def spoken(*texts: str, why: str = "stop", **how: Any) -> Step:
    """An OpenAI-style stream that says these texts one after the other."""
    tail = b"data: " + json.dumps({"choices": [], **USAGE}).encode() + b"\n\n"
    head = chunk({"role": "assistant", "content": None})
    return sse(head, *[chunk({"content": text}) for text in texts], chunk({}, why), tail, DONE, **how)


def mistral_said(*texts: str) -> Step:
    """A stream of Mistral's, whose last event has the usage."""
    head = chunk({"role": "assistant", "content": ""})
    return sse(head, *[chunk({"content": text}) for text in texts], chunk({"content": ""}, "stop", **USAGE), DONE)


# Ollama


def line(text: str = "", done: bool = False, **more: Any) -> dict[str, Any]:
    end = {"done_reason": "stop", "prompt_eval_count": 487, "eval_count": 63} if done else {}
    head = {"model": "llama3.2", "created_at": "2026-11-21T10:00:00.0Z"}
    return {**head, "message": {"role": "assistant", "content": text}, "done": done, **end, **more}


@dataclass(frozen=True)
class Provider:
    """A brain and its server's side: a whole answer, one without its end, errors, shapes that are none."""

    make: Callable[..., Any]
    model: str
    said: Callable[[str], Step]
    cut_off: Callable[[str], Step]
    unknown_model: Callable[[], Step]
    no_shape: Callable[[], Step]
    error: Callable[[str], Any]
    key: str = ""

    @property
    def name(self) -> str:
        return str(self.make.__name__).lower()


# Anthropic


def claude_event(kind: str, **more: Any) -> bytes:
    return f"event: {kind}\ndata: {json.dumps({'type': kind, **more})}\n\n".encode()


def claude_start(**counts: int) -> bytes:
    usage = {"input_tokens": 480, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 7, "output_tokens": 1}
    usage |= counts
    message = {
        "id": "msg_1", "type": "message", "role": "assistant", "model": "claude-haiku-4-5", "content": [],
        "stop_reason": None, "stop_sequence": None, "usage": usage,
    }  # fmt: skip
    return claude_event("message_start", message=message)


def claude_block(index: int, start: dict[str, Any], *deltas: dict[str, Any]) -> bytes:
    parts = (claude_event("content_block_delta", index=index, delta=delta) for delta in deltas)
    begun = claude_event("content_block_start", index=index, content_block=start)
    return b"".join((begun, *parts, claude_event("content_block_stop", index=index)))


def claude_text(*texts: str, index: int = 0) -> bytes:
    return claude_block(index, {"type": "text", "text": ""}, *({"type": "text_delta", "text": each} for each in texts))


def claude_end(why: str = "end_turn", **details: Any) -> bytes:
    delta = {"stop_reason": why, "stop_sequence": None, **details}
    stop = claude_event("message_delta", delta=delta, usage={"output_tokens": 63})
    return stop + claude_event("message_stop")


def claude_error(message: str, kind: str = "invalid_request_error") -> dict[str, Any]:
    return {"type": "error", "error": {"type": kind, "message": message}, "request_id": "req_1"}


PROVIDERS = {
    each.name: each
    for each in (
        Provider(
            gemini.Gemini, "gemini-2.5-flash",
            lambda text: gemini_said(text[:9], text[9:]),
            lambda text: truncated(gemini_body(candidate(text))),
            lambda: answer(gemini_error(404, "NOT_FOUND", "models/x is not found for API version v1beta"), 404),
            lambda: answer(gemini_body(candidate(7), candidate("B"))),  # type: ignore[arg-type]
            lambda text: gemini_error(0, "UNAVAILABLE", text),
            "GEMINI_API_KEY",
        ),
        Provider(
            mistral.Mistral, "mistral-small-latest",
            lambda text: mistral_said(text[:9], text[9:]),
            lambda text: truncated(completion(text)),
            lambda: answer(mistral_error("Invalid model: x", "1500", "invalid_model"), 400),
            lambda: answer(completion({"text": "B"})),
            mistral_error,
            "MISTRAL_API_KEY",
        ),
        Provider(
            openai.OpenAI, "local-model",
            spoken,
            lambda text: sse(chunk({"content": text})),
            lambda: answer({"error": {"message": "The model 'x' does not exist", "code": "model_not_found"}}, 404),
            lambda: sse(chunk({"content": 7}), chunk({}, "stop"), DONE),
            lambda text: {"error": {"message": text, "type": "server_error", "code": None}},
            "OPENAI_API_KEY",
        ),
        Provider(
            anthropic.Anthropic, "claude-haiku-4-5",
            lambda text: sse(claude_start(), claude_event("ping"), claude_text(text), claude_end()),
            lambda text: sse(claude_start(), claude_block(0, {"type": "text", "text": text})),
            lambda: answer(claude_error("model: claude-x", "not_found_error"), 404),
            lambda: sse(claude_start(), claude_block(0, {"type": "text", "text": 7}), claude_end()),
            claude_error,
            "ANTHROPIC_API_KEY",
        ),
        Provider(
            ollama.Ollama, "llama3.2",
            lambda text: ndjson(line(text), line(done=True)),
            lambda text: ndjson(line(text)),
            lambda: answer({"error": "model 'llama3.2' not found"}, 404),
            lambda: ndjson({"message": {"content": 7}, "done": True}),
            lambda text: {"error": text},
        ),
    )
}  # fmt: skip
