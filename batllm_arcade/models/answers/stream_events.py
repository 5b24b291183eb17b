"""The objects of a streamed answer: server-sent events as servers really send them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

from batllm_arcade.models.server_text import json_object

Parse = Callable[[str], dict[str, Any]]
"""Returns the JSON object that a text is; raises a ServerError if it is none."""


class Events(Iterator[dict[str, Any]]):
    """The objects of server-sent events up to `[DONE]`; of a server that does not stream its object, or its list.

    After the last one `ended` says whether `[DONE]` was sent, and `whole` whether it was no stream of events.
    """

    def __init__(self, lines: Iterator[str], parse: Parse) -> None:
        self.ended = self.whole = False
        self._parse = parse
        self._objects = self._read(lines)

    def __next__(self) -> dict[str, Any]:
        return next(self._objects)

    def _read(self, lines: Iterator[str]) -> Iterator[dict[str, Any]]:
        begun: list[str] = []  # the lines of an object that is sent in several
        for number, line in enumerate(lines):
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
                yield from self._not_streamed("\n".join((line, *lines)))
                return

    def _several(self, data: list[str]) -> Iterator[dict[str, Any]]:
        if data:
            yield self._parse("\n".join(data))

    def _not_streamed(self, text: str) -> Iterator[dict[str, Any]]:
        self.whole = True
        if text.lstrip().startswith("["):  # Google's without `alt=sse`
            yield from map(self._parse, _parts(text))
        else:
            yield self._parse(text)


def _parts(text: str) -> list[str]:
    """Return the members of a JSON list as texts, the text itself if it is none."""
    try:
        values = json.loads(text)
    except (ValueError, RecursionError):
        return [text]
    return [json.dumps(value) for value in values] or [text]
