"""What has come of a model's answer while it is read: text, thought, a tool call, a refusal, why it ended."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from batllm_arcade.models.server_text import json_object
from batllm_arcade.prompts.conversation import PLAY, POST, compact


@dataclass(slots=True)
class ReplyParts:
    """What has come of an answer so far; `begun` says that any of it has, `why` is the reason it ended, or ""."""

    text: str = ""
    thought: str = ""
    refusal: str = ""
    why: str = ""
    begun: bool = False
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
        self.thought += next((words for value in values if (words := _words(value))), "")

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
    def answer(self) -> str:
        """The text; the call's arguments where a model called a tool instead of writing one."""
        return self.text if self.text.strip() or not self.arguments else _as_text(self.tool, self.arguments)


def _as_text(tool: str, arguments: str) -> str:
    """Return a call's arguments, for the tools of conversations with the tool's name, as the model would write it."""
    given = json_object(arguments) if tool in (PLAY, POST) else None
    return arguments if given is None or "toolCall" in given else compact({"toolCall": tool, **given})


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


def _words(value: Any) -> str:
    if isinstance(value, list):
        return "".join(map(_word, value))
    return _word(value)


def _word(value: Any) -> str:
    if isinstance(value, Mapping):  # a reference or an encrypted part has none
        return next((each for key in ("text", "summary") if isinstance(each := value.get(key), str)), "")
    return value if isinstance(value, str) else ""
