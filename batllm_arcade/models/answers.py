"""A question to a model and its answer, whole or streamed: thoughts, text, tool calls, repairs."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from batllm_arcade.brains.live import Live
from batllm_arcade.brains.protocol import BrainError
from batllm_arcade.models.failures import clean
from batllm_arcade.prompts.conversation import PLAY, POST, compact
from batllm_arcade.prompts.unwrap import joined_thoughts, json_object, json_value, partial_text, split_thought


@dataclass(frozen=True, slots=True)
class ModelRequest:
    """One question to a model: its messages, and the form its answer is to have."""

    messages: list[dict[str, Any]]
    """Each with `role` (`system`, `user`, `assistant`) and `content`; one with a picture is as `pictured` makes it."""
    schema: dict[str, Any]
    """The JSON schema of the answer."""
    grammar: str
    """The answer's GBNF for llama.cpp, "" where there is none."""
    max_tokens: int
    """What the answer takes at most, with what the model thinks before."""
    seed: int
    """For servers that sample by one."""
    live: Live
    """To be handed to `server.fetch` or `server.stream`: it has the deadline and cancels."""
    redact: Callable[[str], str] = str
    """Returns a text without the server's key."""

    def publish(self, text: str, thought: str = "") -> None:
        """Show the partial answer, all that is there so far, without the server's key; until it begins, the thought."""
        self.live.keep_thought(self.redact(thought))
        self.live.publish(self.redact(partial_text(text, thought)))


@dataclass(frozen=True, slots=True)
class ModelReply:
    """A model's whole answer."""

    text: str
    """What it wrote."""
    thinking: str = ""
    """What it thought apart from the text."""
    tokens: Mapping[str, int] | None = None
    """What it read and wrote (`prompt`, `completion`), None where the server does not count."""
    cut: bool = False
    """Whether it ran into `max_tokens`."""
    refusal: str = ""
    """Its words where it refused to answer."""
    raw: str = ""
    """The exact text received, "" if that is `text`."""


def separated(reply: ModelReply, redact: Callable[[str], str]) -> ModelReply:
    """Return the answer with what `text` marks as its thought moved to `thinking`, the exact text in `raw`, no key.

    A key that is quoted whole never gets past the server's lines; one that comes in pieces is only seen here.
    """
    inside, text = split_thought(redact(reply.text))
    thinking, refusal = joined_thoughts(redact(reply.thinking), inside), redact(reply.refusal).strip()
    return replace(reply, text=text, thinking=thinking, refusal=refusal, raw=redact(reply.raw or reply.text))


def no_command(model: str, reply: ModelReply) -> str:
    """Return the sentence for an answer without a text."""
    if reply.refusal:
        return f"{model} refused to answer: {clean(reply.refusal, 200)}; change the players' prompts, or the model"
    if reply.cut and (reply.thinking or not reply.raw):  # some models write blanks without end
        return f"{model} spent all its tokens on thinking; set think=off or think=low, or use a model that thinks less"
    why = "it only thought" if reply.thinking else "its answer was empty"
    return f"{model} gave no command, {why}; use a model that answers at once"


def too_long(model: str, most: int) -> str:
    """Return the sentence for an answer that was cut off after `most` tokens and cannot be read."""
    return f"{model} wrote too much, it was cut off after {most} tokens; use a model that keeps to the form"


def keep_in(error: BrainError, first: ModelReply) -> None:
    """Note in the error of a second request what there was of the first one's answer: its text, thought and tokens."""
    error.raw, error.thought = error.raw or first.raw, joined_thoughts(first.thinking, error.thought)
    error.tokens = added(first.tokens, error.tokens)


def added(first: Mapping[str, int] | None, second: Mapping[str, int] | None) -> Mapping[str, int] | None:
    """Return the tokens of two answers together, None if neither counts them."""
    counts = dict(first or {})
    for name, count in (second or {}).items():
        counts[name] = counts.get(name, 0) + count
    return counts or None


@dataclass(slots=True)
class ReplyParts:
    """What has come of an answer so far; `begun` says that any of it has, `why` is the reason it ended, or ""."""

    text: str = ""
    thought: str = ""
    refusal: str = ""
    why: str = ""
    begun: bool = False
    in_deltas: bool = False
    """Whether it comes in parts, after which some servers send the whole once more."""
    usage: Mapping[str, Any] | None = None
    tool: str = ""
    arguments: str = ""
    _first: tuple[Any, Any] | None = None

    def add_content(self, content: Any) -> None:
        """Add a text (or None), or a list of chunks: texts, thoughts, refusals; raise TypeError for what is neither."""
        if isinstance(content, str):
            self.text += content
        elif isinstance(content, list):
            for chunk in content:
                self._add_chunk({"text": chunk} if isinstance(chunk, str) else mapping(chunk))
        elif content is not None:
            raise TypeError("a content is a text or a list of chunks")

    def _add_chunk(self, chunk: Mapping[str, Any]) -> None:
        kind = chunk.get("type", "text")
        if kind in ("text", "output_text"):
            self.text += text_of(chunk.get("text"))
        elif kind == "refusal":
            self.refusal += text_of(chunk.get("refusal"))
        elif kind in ("thinking", "reasoning"):
            self.add_thought(*map(chunk.get, ("thinking", "reasoning", "text", "summary")))

    def add_thought(self, *values: Any) -> None:
        """Add the words of the first value that has any: a text, or a list of texts and parts of one."""
        parts = ("".join(map(_word, value)) if isinstance(value, list) else _word(value) for value in values)
        self.thought += next(filter(None, parts), "")

    def reply(self, prompt: Any, completion: Any, *, cut: bool) -> ModelReply:
        """Return what has come as an answer; `prompt` and `completion` are what the server says that it counted."""
        counts = {"prompt": prompt, "completion": completion}
        tokens = {name: count for name, count in counts.items() if type(count) is int and count >= 0}
        # A prompt has tokens: a server that says 0 does not count them.
        counted = tokens if tokens.get("prompt") != 0 else {}
        return ModelReply(self.answer, self.thought, counted or None, cut, refusal=self.refusal)

    def add_calls(self, calls: Any) -> None:
        """Add what has come of the first of a list of tool calls, as OpenAI has them; raise TypeError."""
        for position, call in enumerate(calls if isinstance(calls, list) else ()):
            place, name = mapping(call).get("index", position), call.get("id")
            self._first = self._first or (place, name)
            if place == self._first[0] and name in (None, "", self._first[1]):
                self.add_call(call.get("function"))

    def add_call(self, function: Any) -> None:
        """Add the name and the arguments of a called function, or a part of them as they arrive; raise TypeError."""
        if function is None:
            return
        given = mapping(function).get("arguments", function.get("args"))
        self.tool = self.tool or text_of(function.get("name"))  # some repeat it with every part
        self.arguments += compact(dict(given)) if isinstance(given, Mapping) else text_of(given)

    @property
    def whole(self) -> bool:
        """Whether the answer is one object, which is no part of another: it needs no end that says so."""
        return json_object(self.answer) is not None

    @property
    def answer(self) -> str:
        """The text; the call's arguments where a model called a tool instead of writing one."""
        if self.text.strip() or not self.arguments:
            return self.text
        given = json_object(self.arguments) if self.tool in (PLAY, POST) else None  # the tools of conversations
        return self.arguments if given is None or "toolCall" in given else compact({"toolCall": self.tool, **given})


def mapping(value: Any) -> Mapping[str, Any]:
    """Return the value; raise TypeError if it is no object."""
    if not isinstance(value, Mapping):
        raise TypeError("not an object")
    return value


def text_of(value: Any) -> str:
    """Return the text, "" for None; raise TypeError if it is anything else."""
    if value is not None and not isinstance(value, str):
        raise TypeError("not a text")
    return value or ""


def _word(value: Any) -> str:
    if isinstance(value, Mapping):  # a reference or an encrypted part has none
        return next((each for key in ("text", "summary") if isinstance(each := value.get(key), str)), "")
    return value if isinstance(value, str) else ""


class Events(Iterator[dict[str, Any]]):
    """The objects of server-sent events up to `[DONE]`; of a server that does not stream its object, or its list.

    After the last one `ended` says whether `[DONE]` was sent, and `whole` whether it was no stream of events. `parse`
    returns the JSON object that a text is, and raises a ServerError if it is none.
    """

    def __init__(self, lines: Iterator[str], parse: Callable[[str], dict[str, Any]]) -> None:
        self.ended = self.whole = False
        self._parse = parse
        self._objects = self._read(lines)

    def __next__(self) -> dict[str, Any]:
        return next(self._objects)

    def _read(self, lines: Iterator[str]) -> Iterator[dict[str, Any]]:
        begun: list[str] = []  # the lines of an object that is sent in several
        rows = (row for line in lines for row in line.removesuffix("\r").split("\r"))
        for number, line in enumerate(rows):
            line = line if number else line.lstrip("\ufeff")
            name, colon, data = line.partition(":")
            if not line.strip():
                yield from self._several(begun)
                begun = []
            elif name in ("data", "error"):
                if data.strip() == "[DONE]":
                    yield from self._several(begun)
                    self.ended = True
                    return
                value = None if begun else json_object(data)
                if value is not None:
                    yield value
                elif data.strip():
                    begun.append(data)
            elif not (colon and name in ("", "event", "id", "retry")):
                self.whole = True
                text = "\n".join((line, *rows))
                members = json_value(text)  # Google's answers without `alt=sse` are a list
                parts = list(map(json.dumps, members)) if isinstance(members, list) and members else [text]
                yield from map(self._parse, parts)
                return

    def _several(self, data: list[str]) -> Iterator[dict[str, Any]]:
        if data:
            yield self._parse("\n".join(data))


QUOTED = 2000
"""Characters of a refused answer that are sent back with the reason."""
