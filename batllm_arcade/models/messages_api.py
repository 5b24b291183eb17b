"""The base of brains whose server speaks Anthropic's Messages API: what is sent, and how its events are read."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

from batllm_arcade.brains.protocol import BrainError
from batllm_arcade.models.answers import ModelReply, ModelRequest, ReplyParts, mapping, text_of
from batllm_arcade.models.base import ModelBrain

PATH = "/v1/messages"
VERSION = {"anthropic-version": "2023-06-01"}
"""The header that every request has."""
ENDS = ("end_turn", "stop_sequence", "tool_use")
"""Reasons to stop that leave a whole answer."""
CUT = ("max_tokens", "model_context_window_exceeded")
"""Reasons that leave one which is cut off."""
STATUSES = {
    "invalid_request_error": 400, "authentication_error": 401, "billing_error": 402, "permission_error": 403,
    "not_found_error": 404, "request_too_large": 413, "rate_limit_error": 429, "api_error": 500, "timeout_error": 504,
    "overloaded_error": 529,
}  # fmt: skip
"""What the status of an error would have been that comes within an answer."""
_UNKNOWN = ("pattern", "minLength", "maxLength", "minimum", "maximum", "maxItems", "$schema", "title", "default")
"""Keywords of JSON schemas that its structured outputs refuse."""


class MessagesAPI(ModelBrain):
    """A model behind a server that speaks the Messages API; a provider asks, and hands the lines to `read`."""

    style: ClassVar[str] = "Anthropic"
    """Whose shape of answers it is, as in "does not answer as Anthropic does"."""
    headers: ClassVar[Mapping[str, str]] = VERSION
    patterns = False

    def catalogue(self) -> str:
        """Return the path that lists the models it serves, all on one page."""
        return "/v1/models?limit=1000"

    def question(self) -> tuple[str, Any]:
        """Return a question of four words, answered in one token."""
        ask = {"role": "user", "content": "Answer with one letter."}
        return PATH, {"model": self.model, "max_tokens": 1, "messages": [ask]}

    def read(self, lines: Iterator[str], request: ModelRequest) -> ModelReply | None:
        """Publish an answer as it grows and return it, streamed or not; None if its end is missing.

        Raise BrainError for an answer of another shape and for one that the server ended itself.
        """
        answer, events = _Answer(), self.server.events(lines)
        for event in events:
            try:
                answer.add(event)
            except (TypeError, AttributeError):
                raise self._no_shape() from None
            if event.get("error"):
                error = event["error"]
                kind = error.get("type") if isinstance(error, Mapping) else None
                code = STATUSES.get(str(kind))
                raise self.gave_up({**error, "code": code} if isinstance(error, Mapping) else error, answer.reply)
            request.publish(answer.parts.text, answer.parts.thought)
            if answer.ended:
                break
        if not (answer.parts.why or answer.ended or (events.whole and answer.parts.begun)):
            if events.whole:
                raise self._no_shape()
            return None
        return self._ended(answer)

    def _ended(self, answer: _Answer) -> ModelReply:
        why, reply = answer.parts.why, answer.reply
        if why == "refusal":
            words = reply.refusal or "it gives no reason"
            raise self.failed(
                f"{self.model} refused to answer: {words}; change the players' prompts, or the model", reply
            )
        if why and why not in ENDS and not reply.cut:
            raise self.failed(f"{self.model} stopped its answer ({why}); ask again, or use another model", reply)
        return reply

    def _no_shape(self) -> BrainError:
        return self.server.failure(f"{self.server.where} does not answer as {self.style} does; check base_url")


class _Answer:
    """What has come of an answer; `ended` says that the server has said so."""

    def __init__(self) -> None:
        self.parts, self.ended = ReplyParts(), False
        self._usage: dict[str, Any] = {}
        self._tool: Any = None  # the place of the first tool that is called

    @property
    def reply(self) -> ModelReply:
        parts = self.parts
        return ModelReply(parts.answer, parts.thought, _tokens(self._usage), parts.why in CUT, refusal=parts.refusal)

    def add(self, event: Mapping[str, Any]) -> None:
        """Add an event of a stream, or a whole answer; raise TypeError for one of another shape."""
        kind = event.get("type")
        if kind == "message":
            self._begin(event)
            for place, block in enumerate(_list(event.get("content"))):
                self._block(place, mapping(block))
            self._end(event)
        elif kind == "message_start":
            self._begin(mapping(event.get("message")))
        elif kind == "content_block_start":
            self._block(event.get("index"), mapping(event.get("content_block")))
        elif kind == "content_block_delta":
            self._delta(event.get("index"), mapping(event.get("delta")))
        elif kind == "message_delta":
            self._usage |= {name: count for name, count in mapping(event.get("usage") or {}).items() if count}
            self._end(mapping(event.get("delta") or {}))
        elif kind == "message_stop":
            self.ended = True

    def _begin(self, message: Mapping[str, Any]) -> None:
        self.parts.begun = True
        self._usage |= mapping(message.get("usage") or {})

    def _block(self, place: Any, block: Mapping[str, Any]) -> None:
        kind = block.get("type")
        if kind == "text":
            self.parts.text += text_of(block.get("text"))
        elif kind == "thinking":  # one that is `redacted_thinking` has no words
            self.parts.add_thought(block.get("thinking"))
        elif kind == "tool_use" and self._tool is None:
            self._tool = place
            self.parts.add_call({"name": block.get("name"), "arguments": block.get("input") or None})

    def _delta(self, place: Any, delta: Mapping[str, Any]) -> None:
        kind = delta.get("type")
        if kind == "text_delta":
            self.parts.text += text_of(delta.get("text"))
        elif kind == "thinking_delta":
            self.parts.add_thought(delta.get("thinking"))
        elif kind == "input_json_delta" and place == self._tool:
            self.parts.arguments += text_of(delta.get("partial_json"))

    def _end(self, said: Mapping[str, Any]) -> None:
        self.parts.why = text_of(said.get("stop_reason")) or self.parts.why
        details = mapping(said.get("stop_details") or {})
        words = (text_of(details.get(name)) for name in ("category", "explanation"))
        self.parts.refusal = ": ".join(filter(None, words)) or self.parts.refusal


def spoken_messages(request: ModelRequest) -> dict[str, Any]:
    """Return a request's messages as the Messages API has them: what the system says stands apart."""
    system = [message["content"] for message in request.messages if message["role"] == "system"]
    said = [message for message in request.messages if message["role"] != "system"]
    return {"messages": said, **({"system": "\n\n".join(system)} if system else {})}


def closed_schema(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Return a JSON schema as structured outputs take it: objects allow nothing else, no lengths, no ranges."""
    found = {name: value for name, value in schema.items() if name not in _UNKNOWN}
    if "anyOf" in found:
        found.pop("type", None)
        found["anyOf"] = [closed_schema(each) for each in found["anyOf"]]
    if "properties" in found:
        found["properties"] = {name: closed_schema(each) for name, each in found["properties"].items()}
        found["additionalProperties"] = False
    if isinstance(found.get("items"), Mapping):
        found["items"] = closed_schema(found["items"])
    return found


def _list(value: Any) -> list[Any]:
    if not isinstance(value, list):
        raise TypeError("not a list")
    return value


def _tokens(usage: Mapping[str, Any]) -> dict[str, int] | None:
    read = [usage.get(name) for name in ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")]
    counts = {"prompt": sum(each for each in read if type(each) is int), "completion": usage.get("output_tokens")}
    found = {name: count for name, count in counts.items() if type(count) is int and count > 0}
    return found if "prompt" in found else None  # a prompt has tokens: this server does not count them
