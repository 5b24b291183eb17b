"""Servers as they are in use, each told by what it refuses and how its model thinks.

    with ShapeServer(Shape("openai", refuses=(TEMPERATURE,))) as server:
        ...  # ask server.url as often as you like; server.questions has what was asked

A server answers every question: 400 or whatever the shape says for what it refuses, else the text that suits.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from model_server import ReceivedRequest, ScriptedServer, Step, answer, ndjson
from providers import DONE, candidate, chunk, completion, gemini_body, line, reply, sse

TEXTS = {
    "token": "B",
    "json": reply(),
    "tool": '{"toolCall": "playCommand", "command": "B", "reasoning": "Lined up."}',
}
"""An answer of each reply form; all of them fire."""
LENGTHS = ("max_tokens", "max_completion_tokens", "num_predict", "maxOutputTokens")
Body = dict[str, Any]


@dataclass(frozen=True)
class Refused:
    """What is refused: the requests for which `when(body)` is true, with this status and body (bytes: as they are)."""

    when: Callable[[Body], bool]
    said: Any
    status: int = 400


@dataclass(frozen=True)
class Shape:
    """A server of one brain's kind: what it refuses, and how many tokens its model thinks before it answers.

    `thought(text, thought, cut)` is how it sends an answer; None is the usual way of that kind. `model` is what it
    serves.
    """

    brain: str
    refuses: tuple[Refused, ...] = ()
    thinks: int = 0
    thought: Callable[[str, str, bool], Step] | None = None
    model: str = "m1"


class ShapeServer(ScriptedServer):
    """A server on loopback of this shape, whose model answers in the reply form `form`."""

    def __init__(self, shape: Shape, form: str = "token") -> None:
        super().__init__()
        self._shape, self._form = shape, form

    @property
    def questions(self) -> list[Body]:
        """The bodies of all questions to the model."""
        return [request.json for request in self.requests if _is_question(request)]

    def _next(self, request: ReceivedRequest) -> Step:
        with self._lock:
            self.requests.append(request)
            self.asked.set()
        return self._answer(request.json) if _is_question(request) else self._listed(request)

    def _answer(self, body: Body) -> Step:
        shape = self._shape
        for refused in shape.refuses:
            if refused.when(body):
                return answer(refused.said, refused.status)
        text, limit = TEXTS[self._form], limit_of(body)
        need = shape.thinks + len(text) // 3 + 1
        cut = limit is not None and limit < need
        thought = "hm " * min(shape.thinks, limit or shape.thinks)
        told = text if not cut else text[: max(0, (limit or 0) - shape.thinks)]
        return (shape.thought or SAYS[shape.brain])(told, thought, cut)

    def _listed(self, request: ReceivedRequest) -> Step:
        name = self._shape.model
        if self._shape.brain == "ollama":
            return answer({"models": [{"name": name, "details": {"family": "llama"}}]})
        if self._shape.brain == "gemini":
            return answer({"name": f"models/{name}"})
        return answer({"object": "list", "data": [{"id": name, "object": "model"}]})


def _is_question(request: ReceivedRequest) -> bool:
    return request.method == "POST" and any(key in request.json for key in ("messages", "contents"))


def members(body: Any, inside: str = "") -> Iterator[tuple[str, Any]]:
    """Every parameter of a request with its dotted name, and its value; messages and schemas are not looked into."""
    for key, value in body.items() if isinstance(body, dict) else ():
        if key not in ("messages", "contents", "schema", "systemInstruction"):
            yield f"{inside}{key}", value
            yield from members(value, f"{inside}{key}.")


def has(*names: str) -> Callable[[Body], bool]:
    """Whether one of these parameters is in a request, at any depth."""
    return lambda body: any(name.rpartition(".")[2] in names for name, _ in members(body))


def value_of(body: Body, name: str) -> Any:
    """The value of a parameter at any depth, None where it is missing."""
    return next((value for path, value in members(body) if path.rpartition(".")[2] == name), None)


def limit_of(body: Body) -> int | None:
    """How many tokens an answer may have."""
    return next((value for name in LENGTHS if (value := value_of(body, name)) is not None), None)


def roles(body: Body) -> list[str]:
    """The roles of all messages."""
    return [each["role"] for each in body.get("messages", ())]


# How each kind of server sends an answer: its text, what was thought before, and whether it was cut off


def openai_says(text: str, thought: str, cut: bool, key: str = "reasoning_content") -> Step:
    """An event stream with the thought under `key`."""
    deltas = [{"role": "assistant"}, *([{key: thought}] if thought else ()), *([{"content": text}] if text else ())]
    usage = {"choices": [], "usage": {"prompt_tokens": 487, "completion_tokens": len(text + thought) // 3}}
    end = b"data: " + json.dumps(usage).encode() + b"\n\n"
    return sse(*map(chunk, deltas), chunk({}, "length" if cut else "stop"), end, DONE)


def in_think_tags(text: str, thought: str, cut: bool) -> Step:
    """An event stream with the thought in the text, as `<think>`."""
    closed = "</think>" if text or not cut else ""
    return openai_says(f"<think>{thought}{closed}{text}", "", cut)


def ollama_says(text: str, thought: str, cut: bool) -> Step:
    """Lines, with the thought beside the text."""
    first = {
        **line(text),
        "message": {"role": "assistant", "content": text, **({"thinking": thought} if thought else {})},
    }
    return ndjson(first, {**line(done=True), "done_reason": "length" if cut else "stop"})


def gemini_says(text: str, thought: str, cut: bool) -> Step:
    """One candidate, with the thought counted."""
    body = candidate(text, "MAX_TOKENS" if cut else "STOP")
    if not text:
        body["content"] = {"role": "model"}
    usage = {"promptTokenCount": 487, "candidatesTokenCount": len(text) // 3}
    if thought:
        usage["thoughtsTokenCount"] = len(thought) // 3
    return answer(gemini_body(body, usageMetadata=usage))


def mistral_says(text: str, thought: str, cut: bool) -> Step:
    """A whole completion, with the thought as a chunk."""
    chunks = [{"type": "thinking", "thinking": [{"type": "text", "text": thought}]}, {"type": "text", "text": text}]
    return answer(completion(chunks if thought else text, "length" if cut else "stop"))


SAYS: dict[str, Callable[[str, str, bool], Step]] = {
    "openai": openai_says, "ollama": ollama_says, "gemini": gemini_says, "mistral": mistral_says,
}  # fmt: skip


# What servers refuse, in their own words


def openai_error(message: str, param: str | None = None, code: str | None = None) -> Body:
    """An error as OpenAI sends it."""
    return {"error": {"message": message, "type": "invalid_request_error", "param": param, "code": code}}


def gemini_refusal(message: str) -> Body:
    """An error as Google sends it."""
    return {"error": {"code": 400, "message": message, "status": "INVALID_ARGUMENT"}}


def unknown_field(*where: str, status: int = 422) -> tuple[Body, int]:
    """What servers made with pydantic say of a parameter they do not know."""
    detail = {"type": "extra_forbidden", "loc": ["body", *where], "msg": "Extra inputs are not permitted", "input": 1}
    return {"detail": [detail]}, status


REFUSALS: dict[str, Shape] = {
    "openai: temperature": Shape("openai", (Refused(
        has("temperature"),
        openai_error("Unsupported value: 'temperature' does not support 0.8 with this model. Only the default (1) "
                     "value is supported.", "temperature", "unsupported_value"),
    ),)),
    "openai: temperature, Claude's words": Shape("openai", (Refused(
        has("temperature"), openai_error("`temperature` is deprecated for this model."),
    ),)),
    "openai: max_tokens": Shape("openai", (Refused(
        has("max_tokens"),
        openai_error("Unsupported parameter: 'max_tokens' is not supported with this model. Use "
                     "'max_completion_tokens' instead.", "max_tokens", "unsupported_parameter"),
    ),)),
    "openai: response_format, DeepSeek": Shape("openai", (Refused(
        lambda body: body.get("response_format", {}).get("type") == "json_schema",
        openai_error("This response_format type is unavailable now"),
    ),)),
    "openai: response_format, Groq": Shape("openai", (Refused(
        lambda body: body.get("response_format", {}).get("type") == "json_schema",
        openai_error("This model does not support response format `json_schema`. See supported models at "
                     "https://console.groq.com/docs/structured-outputs#supported-models"),
    ),)),
    "openai: response_format altogether": Shape("openai", (Refused(
        has("response_format"), openai_error("Unknown parameter: 'response_format'.", None, "unknown_parameter"),
    ),)),
    "openai: pattern": Shape("openai", (Refused(
        lambda body: "pattern" in json.dumps(body.get("response_format", "")),
        openai_error("Invalid schema for response_format 'answer': In context=('properties', 'cmd'), 'pattern' is not "
                     "permitted"),
    ),)),
    "openai: seed, 422 with a list": Shape("openai", (Refused(has("seed"), *unknown_field("seed")),)),
    "openai: stream_options": Shape("openai", (Refused(
        has("stream_options"), openai_error("Argument not supported: stream_options"),
    ),)),
    "openai: the system role": Shape("openai", (Refused(
        lambda body: "system" in roles(body),
        {"object": "error", "message": "System role not supported", "type": "BadRequestError", "code": 400},
    ),)),
    "openai: streaming": Shape("openai", (Refused(
        lambda body: body.get("stream") is True,
        openai_error("Your organization must be verified to stream this model. Please go to: "
                     "https://platform.openai.com/settings/organization/general", "stream", "unsupported_value"),
    ),), thought=lambda text, thought, cut: answer(completion(text))),
    "openai: temperature, with the status of an answer": Shape(
        "openai", (Refused(
            has("temperature"), {"error": {"message": "temperature is not supported", "code": 400}}, 200,
        ),),
    ),
    "openai: in a list, Gemini's path": Shape("openai", (Refused(
        has("seed"), [{"error": {"code": 400, "message": 'Invalid JSON payload received. Unknown name "seed": Cannot '
                                 'find field.', "status": "INVALID_ARGUMENT"}}],
    ),)),
    "openai: wants an effort": Shape("openai", (Refused(
        lambda body: body.get("reasoning_effort") != "none",
        openai_error("Function tools with reasoning_effort are not supported for gpt-5.6-terra in "
                     "/v1/chat/completions. To use function tools, use /v1/responses or set reasoning_effort to "
                     "'none'.", "reasoning_effort"),
    ),)),
    "openai: five things": Shape("openai", tuple(
        Refused(has(name), openai_error(f"Unrecognized request argument supplied: {name}"))
        for name in ("temperature", "seed", "stream_options", "response_format", "max_tokens")
    )),
    "ollama: think": Shape("ollama", (Refused(
        has("think"), {"error": '"m1" does not support thinking'},
    ),)),
    "ollama: think, another wording": Shape("ollama", (Refused(
        has("think"), {"error": "json: unknown field \"think\""},
    ),)),
    "ollama: format": Shape("ollama", (Refused(
        lambda body: isinstance(body.get("format"), dict),
        {"error": "json: cannot unmarshal object into Go struct field ChatRequest.format of type string"},
    ),)),
    "ollama: pattern": Shape("ollama", (Refused(
        lambda body: "pattern" in json.dumps(body.get("format", "")), {"error": "invalid JSON schema in format"},
    ),)),
    "gemini: thinkingLevel": Shape("gemini", (Refused(
        has("thinkingLevel"), gemini_refusal("Thinking level is not supported for this model."),
    ),), model="gemini-3-flash"),
    "gemini: budget 0": Shape("gemini", (Refused(
        lambda body: value_of(body, "thinkingBudget") == 0,
        gemini_refusal("Budget 0 is invalid. This model only works in thinking mode."),
    ),), model="gemini-2.5-flash"),
    "gemini: thinking": Shape("gemini", (Refused(
        has("thinkingConfig"), gemini_refusal("Thinking is not enabled for models/gemini-2.5-flash"),
    ),), model="gemini-2.5-flash"),
    "gemini: seed": Shape("gemini", (Refused(
        has("seed"), gemini_refusal('Invalid JSON payload received. Unknown name "seed" at \'generation_config\': '
                                    "Cannot find field."),
    ),)),
    "gemini: JSON mode": Shape("gemini", (Refused(
        has("responseMimeType", "responseJsonSchema"),
        gemini_refusal("JSON mode is not enabled for models/gemma-3-27b-it"),
    ),)),
    "gemini: system": Shape("gemini", (Refused(
        lambda body: "systemInstruction" in body,
        gemini_refusal("Developer instruction is not enabled for models/gemma-3-27b-it"),
    ),)),
    "gemini: without a name": Shape("gemini", (Refused(
        has("seed"), gemini_refusal("Request contains an invalid argument."),
    ),)),
    "mistral: temperature": Shape("mistral", (Refused(has("temperature"), *unknown_field("temperature")),)),
    "mistral: random_seed": Shape("mistral", (Refused(
        has("random_seed"), {"object": "error", "message": unknown_field("random_seed")[0], "type": "invalid_request_"
                             "error", "param": None, "code": None}, 422,
    ),)),
    "mistral: response_format": Shape("mistral", (Refused(
        lambda body: body.get("response_format", {}).get("type") == "json_schema",
        {"message": "This response_format type is unavailable now", "type": "invalid_request_error"},
    ),)),
    "mistral: the system role": Shape("mistral", (Refused(
        lambda body: "system" in roles(body),
        {"detail": "Conversation roles must alternate user/assistant/user/assistant/..."}, 422,
    ),)),
}  # fmt: skip
"""Shapes that refuse something, by name; each thing refused takes one more request, once."""


THINKERS: dict[str, Shape] = {
    f"{name}, {tokens} tokens": Shape(brain, thinks=tokens, thought=says)
    for tokens in (20, 300, 1500)
    for name, brain, says in (
        ("openai: reasoning_content", "openai", None),
        ("openai: reasoning", "openai", lambda text, thought, cut: openai_says(text, thought, cut, "reasoning")),
        ("openai: <think>", "openai", in_think_tags),
        ("ollama: thinking", "ollama", None),
        ("gemini: counted thoughts", "gemini", None),
        ("mistral: thinking chunks", "mistral", None),
    )
}
"""Shapes whose model thinks, by name; a thought that is longer than the room takes one more request, once."""
