"""The base of brains whose server speaks Anthropic's Messages API: what is sent, and how its events are read."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any, ClassVar

from batllm_arcade.brains.protocol import Spec
from batllm_arcade.models.answers import ModelReply, ModelRequest, ReplyParts, mapping, text_of
from batllm_arcade.models.base import ModelBrain
from batllm_arcade.models.failures import ServerError
from batllm_arcade.prompts.payload import stays_until

PATH = "/v1/messages"
VERSION = {"anthropic-version": "2023-06-01"}
"""The header that every request has."""
ENDS = ("end_turn", "stop_sequence", "tool_use")
"""Reasons to stop that leave a whole answer."""
CUT = ("max_tokens", "model_context_window_exceeded")
"""Reasons that leave one which is cut off."""
_PICTURE = "picture"
_UNKNOWN = ("pattern", "minLength", "maxLength", "minimum", "maximum", "maxItems", "$schema", "title", "default")
"""Keywords of JSON schemas that its structured outputs refuse."""


class CacheMarks:
    """Cuts the requests of one seat into blocks and marks the last that the next request will repeat.

    Servers that cache find the longest row of blocks again that is the same, up to a mark: so what was one block stays
    one.
    """

    def __init__(self) -> None:
        self._text, self._cuts = "", [0]

    def marked(self, messages: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
        """Return the messages with one mark: in a text that grows from turn to turn, else at the end of a chat."""
        growing = ((place, end) for place, each in enumerate(messages) if (end := stays_until(each["content"])))
        place, stays = next(growing, (len(messages) - 1, 0))
        text = messages[place]["content"]
        cuts = [cut for cut in self._cuts if cut < (stays or 1) and text.startswith(self._text[:cut])]
        cuts.append(stays or len(text))
        if stays:
            self._text, self._cuts = text, cuts
        blocks: list[dict[str, Any]] = [{"type": "text", "text": text[start:end]} for start, end in pairwise(cuts)]
        blocks[-1]["cache_control"] = {"type": "ephemeral"}
        rest = [{"type": "text", "text": text[cuts[-1] :]}] if stays else []
        changed = {**messages[place], "content": [*blocks, *rest]}
        return [*map(dict, messages[:place]), changed, *map(dict, messages[place + 1 :])]


class MessagesAPI(ModelBrain):
    """A model behind a server that speaks the Messages API; a provider asks, and hands the lines to `read`."""

    style: ClassVar[str] = "Anthropic"
    """Whose shape of answers it is, as in "does not answer as Anthropic does"."""
    headers: ClassVar[Mapping[str, str]] = VERSION
    patterns = False

    def __init__(self, spec: Spec) -> None:
        super().__init__(spec)
        local = self.preset is not None and self.preset.local
        self._marks = None if local else CacheMarks()

    def marked(self, ask: Callable[[dict[str, Any]], ModelReply], request: ModelRequest) -> ModelReply:
        """Return `ask(SPOKEN)`, the request's messages as the Messages API has them, with a mark for its cache.

        A server that refuses marks gets none from then on.
        """
        spoken = spoken_messages(request)
        messages = spoken["messages"]
        if self._marks is not None and messages:
            try:
                return ask({**spoken, "messages": _seen(self._marks.marked(messages))})
            except ServerError as error:
                if "cache_control" not in error.answer:
                    raise
            self._marks = None
        return ask({**spoken, "messages": _seen(messages)})

    def pictured(self, message: Mapping[str, Any], picture: str) -> dict[str, Any]:
        """Return a message with a picture under a key of its own, until it is cut into blocks."""
        return {**message, _PICTURE: picture}

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
                raise self.no_shape(self.style) from None
            if error := event.get("error"):
                raise self.gave_up(error, answer.reply)
            request.publish(answer.parts.text, answer.parts.thought)
            if answer.ended:
                break
        why, reply = answer.parts.why, answer.reply
        if not (why or answer.ended or answer.parts.whole or (events.whole and answer.parts.begun)):
            if events.whole:
                raise self.no_shape(self.style)
            return None
        if why == "refusal":
            words = reply.refusal or "it gives no reason"
            sentence = f"{self.model} refused to answer: {words}; change the players' prompts, or the model"
            raise self.failed(sentence, reply)
        if why and why not in ENDS and not reply.cut:
            raise self.stopped(why, reply)
        return self.said(reply)


class _Answer:
    """What has come of an answer; `ended` says that the server has said so."""

    def __init__(self) -> None:
        self.parts, self.ended = ReplyParts(), False
        self._usage: dict[str, Any] = {}
        self._tool: Any = None  # the place of the first tool that is called

    @property
    def reply(self) -> ModelReply:
        stored, cached = (self._count(f"cache_{name}_input_tokens") for name in ("creation", "read"))
        prompt = self._count("input_tokens") + stored + cached
        reply = self.parts.reply(prompt, self._usage.get("output_tokens") or None, cut=self.parts.why in CUT)
        counts = {name: count for name, count in (("cached", cached), ("stored", stored)) if count}
        return replace(reply, tokens={**(reply.tokens or {}), **counts} or None)

    def _count(self, name: str) -> int:
        count = self._usage.get(name)
        return count if type(count) is int and count > 0 else 0

    def add(self, event: Mapping[str, Any]) -> None:
        """Add an event of a stream, or a whole answer; raise TypeError for one of another shape."""
        kind = event.get("type")
        if kind == "message":
            self._begin(event)
            blocks = event.get("content")
            if not isinstance(blocks, list):
                raise TypeError("a content is a list of blocks")
            for place, block in enumerate(blocks):
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


def _seen(messages: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Return the messages with a picture as the last block of its message: what is cached ends before it."""
    seen: list[Mapping[str, Any]] = []
    for each in messages:
        said, data = each["content"], each.get(_PICTURE)
        blocks = [{"type": "text", "text": said}] if isinstance(said, str) else said
        image = {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": data}}
        seen.append({"role": each["role"], "content": [*blocks, image]} if data else each)
    return seen


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
