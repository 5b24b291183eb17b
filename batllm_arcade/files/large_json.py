"""Parse large JSON texts in pieces, so that what nobody asked for takes no memory."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence, Set
from typing import Any

MOST_VALUES = 10_000
"""Values of the largest piece that is read."""
_WINDOW = 8 * 1024
"""Characters within which most pieces end."""
_BLANKS = re.compile(r"[ \t\n\r]*")
_TOKENS = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|[][{},]', re.DOTALL)


class TooManyValues(ValueError):
    """A piece of the text holds more than MOST_VALUES values."""


class LargeJson:
    """A JSON text of nested lists under known names, read piece by piece.

    `spine` holds the names of the nested lists, outermost first; `keep` the names that are kept at each level, the
    last for the innermost list's elements. All else is a piece. Reading raises ValueError where the text is no
    JSON, TooManyValues, and what the decoder's hooks raise.
    """

    def __init__(
        self, text: str, decoder: json.JSONDecoder, spine: Sequence[str] = (), keep: Sequence[Set[str]] = ()
    ) -> None:
        self._text, self._decoder, self._spine, self._keep = text, decoder, spine, keep

    def value(self) -> Any:
        """Return what the text holds, without the members that are not kept."""
        start = self._skip(0)
        value, end = self._object(0, start) if self._spine and self._at(start) == "{" else self._piece(start)
        if self._skip(end) != len(self._text):
            raise ValueError("more than one value")
        return value

    def _object(self, level: int, at: int) -> tuple[dict[str, Any], int]:
        pairs: list[tuple[str, Any]] = []
        at = self._skip(at + 1)
        while self._at(at) != "}":
            if pairs:
                at = self._expect(",", at)
            self._expect('"', at)
            key, at = self._decoder.raw_decode(self._text, at)
            at = self._expect(":", self._skip(at))
            inner = level < len(self._spine) and key == self._spine[level] and self._at(at) == "["
            value, at = self._list(level + 1, at) if inner else self._piece(at)
            pairs.append((key, value if inner or key in self._keep[level] else None))
            at = self._skip(at)
        return self._kept(level, self._decoder.object_pairs_hook(pairs)), at + 1

    def _list(self, level: int, at: int) -> tuple[list[Any], int]:
        found: list[Any] = []
        at = self._skip(at + 1)
        while self._at(at) != "]":
            if found:
                at = self._expect(",", at)
            if level < len(self._spine) and self._at(at) == "{":
                value, at = self._object(level, at)
            else:
                value, at = self._piece(at)
                value = self._kept(level, value) if isinstance(value, dict) else value
            found.append(value)
            at = self._skip(at)
        return found, at + 1

    def _kept(self, level: int, value: dict[str, Any]) -> dict[str, Any]:
        keep = self._keep[level]
        return value if value.keys() <= keep else {key: value[key] for key in value if key in keep}

    def _piece(self, at: int) -> tuple[Any, int]:
        """Return the value that begins there, and where it ends."""
        window = self._text[at : at + _WINDOW]
        try:
            value, length = self._decoder.raw_decode(window)
        except json.JSONDecodeError:
            length = len(window)
        if length < len(window) or at + length == len(self._text):
            return self._decoder.raw_decode(self._text, at) if length == len(window) else (value, at + length)
        self._measure(at)
        return self._decoder.raw_decode(self._text, at)

    def _measure(self, at: int) -> None:
        """Raise TooManyValues if the value that begins there holds too many."""
        depth = values = 0
        for token in _TOKENS.finditer(self._text, at):
            mark = token[0]
            if mark in "[{":
                depth += 1
            elif mark in "]}":
                depth -= 1
            values += mark in ",[{"
            if values > MOST_VALUES:
                raise TooManyValues
            if depth <= 0:
                return

    def _at(self, at: int) -> str:
        return self._text[at : at + 1]

    def _skip(self, at: int) -> int:
        found = _BLANKS.match(self._text, at)
        assert found is not None
        return found.end()

    def _expect(self, mark: str, at: int) -> int:
        if self._at(at) != mark:
            raise ValueError(f"{mark} expected at {at}")
        return self._skip(at + 1)
