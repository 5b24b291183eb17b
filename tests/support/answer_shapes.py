"""Answers as servers really send them, each told by how it says a given text; all of them are whole answers."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from model_server import Step, answer, ndjson
from providers import (
    DONE,
    USAGE,
    candidate,
    chunk,
    completion,
    gemini_body,
    gemini_said,
    line,
    mistral_said,
    reply,
    sse,
)

TEXTS = {
    "token": "B",
    "json": reply(),
    "tool": '{"toolCall": "playCommand", "command": "B", "reasoning": "Lined up."}',
}
"""An answer of each reply form; all of them fire."""
THOUGHT = "They are ahead. "
"""What a model thinks in these answers."""


@dataclass(frozen=True)
class AnswerShape:
    """How a server of one brain's kind says a text; `thought` is what the model thinks with it.

    `forms` are the reply forms that can be said so, `sdk` whether the official client reads the same.
    """

    brain: str
    says: Callable[[str], Step]
    thought: str = ""
    forms: tuple[str, ...] = ("token", "json", "tool")
    sdk: bool = True


def event(**body: Any) -> bytes:
    """An event with this object."""
    return b"data: " + json.dumps(body).encode() + b"\n\n"


def choice(delta: Any, **more: Any) -> bytes:
    """An event with one choice and only these keys, as third parties leave out the others."""
    return event(id="c1", object="chat.completion.chunk", choices=[{"index": 0, "delta": delta, **more}])


def halves(text: str) -> tuple[str, str]:
    return text[: len(text) // 2], text[len(text) // 2 :]


def streamed_text(text: str) -> list[bytes]:
    return [chunk({"role": "assistant"}), *[chunk({"content": each}) for each in halves(text)]]


def before_the_text(*deltas: Any) -> Callable[[str], Step]:
    """An event stream that sends these deltas first."""
    return lambda text: sse(*map(chunk, deltas), *streamed_text(text), chunk({}, "stop"), DONE)


def as_arguments(text: str) -> str:
    """The arguments with which a model calls a tool instead of writing this text."""
    given = json.loads(text) if text.startswith("{") else {"cmd": text}
    given.pop("toolCall", None)
    return json.dumps(given)


def called(text: str, **more: Any) -> dict[str, Any]:
    """A tool call in place of this text."""
    name = "playCommand" if "toolCall" in text else "answer"
    return {"id": "t1", "type": "function", "function": {"name": name, "arguments": as_arguments(text)}, **more}


def function(text: str, key: str) -> dict[str, Any]:
    """The same where the arguments are an object, under `key`."""
    return {"name": called(text)["function"]["name"], key: json.loads(as_arguments(text))}


def call_in_pieces(text: str) -> Step:
    whole = called(text, index=0)
    first, *rest = (as_arguments(text)[at : at + 7] for at in range(0, len(as_arguments(text)), 7))
    head = {**whole, "function": {"name": whole["function"]["name"], "arguments": first}}
    name = head["function"]["name"]  # which some repeat
    calls = [head, *({"index": 0, "function": {"name": name, "arguments": each}} for each in rest)]
    other = {"index": 1, "id": "t2", "function": {"name": "other", "arguments": "{}"}}
    deltas = [{"role": "assistant", "content": None}, *({"tool_calls": [each]} for each in (*calls, other))]
    return sse(*map(chunk, deltas), chunk({}, "tool_calls"), DONE)


def whole(text: str, why: Any = "stop", **message: Any) -> Step:
    """One object, not streamed."""
    body = completion(text, why)
    body["choices"][0]["message"].update(message)
    return answer(body)


def parts(text: str) -> list[dict[str, str]]:
    return [{"type": "text", "text": each} for each in halves(text)]


REFERENCE = {"type": "reference", "reference_ids": [1, 2]}
THINKING = {"type": "thinking", "thinking": [{"type": "text", "text": THOUGHT}]}
DETAILS = [
    {"type": "reasoning.text", "text": THOUGHT, "format": "unknown", "index": 0},
    {"type": "reasoning.encrypted", "data": "AAAA", "index": 1},
]
SUMMARY = [{"type": "reasoning.summary", "summary": THOUGHT, "index": 0}]

OPENAI = {
    "reasoning_content": AnswerShape("openai", before_the_text({"reasoning_content": THOUGHT}), THOUGHT),
    "reasoning": AnswerShape("openai", before_the_text({"reasoning": THOUGHT}), THOUGHT),
    "reasoning and its details": AnswerShape(
        "openai", before_the_text({"reasoning": THOUGHT, "reasoning_details": DETAILS}), THOUGHT
    ),
    "reasoning_details": AnswerShape("openai", before_the_text({"reasoning_details": DETAILS}), THOUGHT),
    "a summary": AnswerShape("openai", before_the_text({"reasoning_details": SUMMARY}), THOUGHT),
    "usage without choices": AnswerShape(
        "openai", lambda text: sse(*streamed_text(text), chunk({}, "stop"), event(**USAGE), DONE)
    ),
    "choices that are null": AnswerShape(
        "openai", lambda text: sse(event(choices=None), *streamed_text(text), chunk({}, "stop"), DONE)
    ),
    "no finish_reason": AnswerShape(
        "openai", lambda text: sse(*[choice({"content": each}) for each in halves(text)], DONE)
    ),
    "an empty finish_reason": AnswerShape("openai", lambda text: sse(*streamed_text(text), chunk({}, ""), DONE)),
    "STOP": AnswerShape("openai", lambda text: sse(*streamed_text(text), chunk({}, "STOP"), DONE)),
    "a last delta that is null": AnswerShape(
        "openai", lambda text: sse(*streamed_text(text), choice(None, finish_reason="stop"), DONE)
    ),
    "no [DONE]": AnswerShape("openai", lambda text: sse(*streamed_text(text), chunk({}, "stop"))),
    "keep-alives": AnswerShape(
        "openai",
        lambda text: sse(b": OPENROUTER PROCESSING\n\n\n", *streamed_text(text), chunk({}, "stop"), DONE),
    ),
    "data in several lines": AnswerShape(
        "openai",
        lambda text: sse(
            *[each.replace(b', "', b',\ndata: "', 2) for each in streamed_text(text)], chunk({}, "stop"), DONE
        ),
    ),
    "a byte order mark": AnswerShape(
        "openai", lambda text: sse("\ufeff".encode(), *streamed_text(text), chunk({}, "stop"), DONE), sdk=False
    ),
    "empty data": AnswerShape(
        "openai",
        lambda text: sse(b"event: ping\ndata:\n\n", *streamed_text(text), chunk({}, "stop"), DONE),
        sdk=False,
    ),
    "content as chunks": AnswerShape(
        "openai",
        lambda text: sse(chunk({"content": [THINKING]}), chunk({"content": parts(text)}), chunk({}, "stop"), DONE),
        THOUGHT,
        sdk=False,
    ),
    "a tool call in pieces": AnswerShape("openai", call_in_pieces),
    "a function call": AnswerShape(
        "openai",
        lambda text: sse(chunk({"function_call": called(text)["function"]}), chunk({}, "function_call"), DONE),
    ),
    "text, and a tool call": AnswerShape(
        "openai",
        lambda text: sse(
            *streamed_text(text), chunk({"tool_calls": [called("M", index=0)]}), chunk({}, "tool_calls"), DONE
        ),
    ),
    "not streamed": AnswerShape("openai", whole, sdk=False),
    "not streamed, no finish_reason": AnswerShape("openai", lambda text: whole(text, None), sdk=False),
    "not streamed, a tool call": AnswerShape(
        "openai", lambda text: whole("", "tool_calls", content=None, tool_calls=[called(text), called("M")]), sdk=False
    ),
    "not streamed, reasoning": AnswerShape("openai", lambda text: whole(text, reasoning=THOUGHT), THOUGHT, sdk=False),
}  # fmt: skip
MISTRAL = {
    "streamed": AnswerShape("mistral", lambda text: mistral_said(*halves(text))),
    "not streamed": AnswerShape("mistral", whole, sdk=False),
    "chunks, then texts": AnswerShape(
        "mistral",
        lambda text: sse(
            chunk({"content": [THINKING]}), chunk({"content": parts(text)[:1]}), chunk({"content": halves(text)[1]}),
            chunk({"content": ""}, "stop"), DONE,
        ),
        THOUGHT,
    ),
    "a thought with references": AnswerShape(
        "mistral",
        lambda text: mistral_deltas([{"type": "thinking", "thinking": [*THINKING["thinking"], REFERENCE]}], text),
        THOUGHT,
    ),
    "a thought as a text": AnswerShape(
        "mistral", lambda text: mistral_deltas([{"type": "thinking", "thinking": THOUGHT}], text), THOUGHT, sdk=False
    ),
    "texts and references": AnswerShape(
        "mistral", lambda text: mistral_deltas([REFERENCE, *parts(text), REFERENCE], "")
    ),
    "chunks of tomorrow": AnswerShape("mistral", lambda text: mistral_deltas([{"type": "hologram"}], text)),
    "a tool call": AnswerShape(
        "mistral", lambda text: sse(chunk({"content": "", "tool_calls": [called(text)]}, "tool_calls"), DONE)
    ),
    "not streamed, chunks": AnswerShape(
        "mistral", lambda text: answer(completion([THINKING, *parts(text)])), THOUGHT, sdk=False
    ),
    "no finish_reason": AnswerShape(
        "mistral", lambda text: sse(*[chunk({"content": each}) for each in halves(text)], DONE)
    ),
}  # fmt: skip
OLLAMA = {
    "streamed": AnswerShape("ollama", lambda text: ndjson(*map(line, halves(text)), line(done=True))),
    "thinking": AnswerShape(
        "ollama", lambda text: ndjson(message(thinking=THOUGHT), *map(line, halves(text)), line(done=True)), THOUGHT
    ),
    "STOP": AnswerShape("ollama", lambda text: ndjson(line(text), line(done=True, done_reason="STOP"))),
    "no done_reason": AnswerShape("ollama", lambda text: ndjson(line(text), {**line(), "done": True})),
    "a last line without a message": AnswerShape(
        "ollama", lambda text: ndjson(line(text), {"model": "m", "done": True, "done_reason": "stop"}), sdk=False
    ),
    "one line that does not say it is the last": AnswerShape(
        "ollama", lambda text: answer({"message": {"role": "assistant", "content": text}}), sdk=False
    ),
    "a tool call": AnswerShape(
        "ollama",
        lambda text: ndjson(message(tool_calls=[{"function": function(text, "arguments")}]), line(done=True)),
    ),
}  # fmt: skip
GEMINI = {
    "streamed": AnswerShape("gemini", lambda text: gemini_said(*halves(text))),
    "not streamed": AnswerShape("gemini", lambda text: answer(gemini_body(candidate(text))), sdk=False),
    "not streamed, no finishReason": AnswerShape(
        "gemini", lambda text: answer(gemini_body(candidate(text, None))), sdk=False
    ),
    "a list": AnswerShape(
        "gemini",
        lambda text: answer([gemini_body(candidate(halves(text)[0], None)), gemini_body(candidate(halves(text)[1]))]),
        sdk=False,
    ),
    "thought parts and a signature": AnswerShape(
        "gemini",
        lambda text: gemini_parts(
            [{"text": THOUGHT, "thought": True}], [{"text": text, "thoughtSignature": "QUFB"}], [{"text": ""}]
        ),
        THOUGHT,
    ),
    "several parts": AnswerShape("gemini", lambda text: gemini_parts([{"text": each} for each in halves(text)])),
    "reasons that say nothing": AnswerShape(
        "gemini",
        lambda text: sse(
            *[gemini_event([{"text": each}], "FINISH_REASON_UNSPECIFIED") for each in halves(text)],
            gemini_event([], "STOP"), gemini_event([], "FINISH_REASON_UNSPECIFIED"),
        ),
    ),
    "small letters": AnswerShape("gemini", lambda text: gemini_parts([{"text": text}], why="stop")),
    "usage at the end": AnswerShape(
        "gemini", lambda text: sse(gemini_event([{"text": text}], "STOP"), event(usageMetadata={"promptTokenCount": 4}))
    ),
    "a function call": AnswerShape(
        "gemini",
        lambda text: gemini_parts([{"functionCall": function(text, "args")}]),
    ),
}  # fmt: skip
SHAPES = {
    f"{kind}: {name}": shape
    for kind, shapes in (("openai", OPENAI), ("mistral", MISTRAL), ("ollama", OLLAMA), ("gemini", GEMINI))
    for name, shape in shapes.items()
}
"""Every shape by its brain and name."""
MARKED = {
    "<think>": f"<think>\n{THOUGHT}\n</think>\n\n",
    "white space before it": f" \n<think>{THOUGHT}</think>",
    "only </think>": f"{THOUGHT}\n</think>\n",
    "<thinking>": f"<thinking>{THOUGHT}</thinking>\n",
    "[THINK]": f"[THINK]{THOUGHT}[/THINK]",
    "<seed:think>": f"<seed:think>{THOUGHT}</seed:think>",
    "Kimi's triangles": f"\u25c1think\u25b7{THOUGHT}\u25c1/think\u25b7",
    "begin_of_thought": f"<|begin_of_thought|>{THOUGHT}<|end_of_thought|>\n",
    "channels": (f"<|channel|>analysis<|message|>{THOUGHT}<|end|><|start|>assistant<|channel|>final<|message|>"),
}
"""What stands before an answer whose thought is in its text."""


def mistral_deltas(first: list[Any], text: str) -> Step:
    return sse(chunk({"content": first}), chunk({"content": text}, "stop", **USAGE), DONE)


def message(text: str = "", **more: Any) -> dict[str, Any]:
    """A line of Ollama's whose message has more than a text."""
    told = line(text)
    return {**told, "message": {**told["message"], **more}}


def gemini_event(said: list[Any], why: str | None = None) -> bytes:
    return event(**gemini_body({"content": {"role": "model", "parts": said}, "finishReason": why, "index": 0}))


def gemini_parts(*events: list[Any], why: str = "STOP") -> Step:
    """A stream of events with these parts."""
    *first, last = events
    return sse(*map(gemini_event, first), gemini_event(last, why))
