"""What a server says in the body of an error, whatever shape it has: its sentences, and the parameters it names."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

_NAMES = ("param", "loc", "field", "parameter", "property")
"""Keys whose value names what is wrong."""
_ECHOES = ("input", "url", "id", "request_id", "user_id", "documentation_url", "model", "help")
"""Keys whose value says nothing about the error; `input` quotes the request."""
_LONGEST = 4000
_DEEPEST = 8


@dataclass(frozen=True, slots=True)
class ServerWords:
    """All sentences in an error's body, joined, and the parameters that it names outside of them."""

    text: str = ""
    names: tuple[str, ...] = ()


def words_of(body: str) -> ServerWords:
    """Return what the text of an error's body says: JSON of any shape, also JSON in a string, or plain text."""
    texts: list[str] = []
    names: list[str] = []
    _collect(_parsed(body[: 16 * _LONGEST]), texts, names, 0)
    return ServerWords(" \n ".join(texts)[:_LONGEST], tuple(names))


def _parsed(text: str) -> Any:
    if text.lstrip()[:1] in ("{", "["):
        try:
            return json.loads(text)
        except (ValueError, RecursionError):
            pass
    return None if text.lstrip()[:1] == "<" else text  # a page of HTML says nothing about a parameter


def _collect(value: Any, texts: list[str], names: list[str], depth: int) -> None:
    if depth > _DEEPEST or len(texts) > 50:
        return
    if isinstance(value, str):
        inner = _parsed(value) if depth and value[:1] in ("{", "[") else value
        if isinstance(inner, str):
            texts.append(inner)
        else:
            _collect(inner, texts, names, depth + 1)
    elif isinstance(value, list):
        for each in value:
            _collect(each, texts, names, depth + 1)
    elif isinstance(value, dict):
        for key, each in value.items():
            if key in _NAMES:
                names += _named(each)
            elif key not in _ECHOES:
                _collect(each, texts, names, depth + 1)


def _named(value: Any) -> list[str]:
    """Return the parameter at `param: NAME` or `loc: ["body", "options", NAME]`."""
    if isinstance(value, str):
        return [value]
    parts = [part for part in value if isinstance(part, str) and part != "body"] if isinstance(value, list) else []
    return [".".join(parts)] if parts else []
