"""The parameters of a request's body by their dotted names, such as `options.temperature`; bodies are never changed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

Body = Mapping[str, Any]

CONTENT = ("model", "messages", "contents", "systemInstruction", "system", "prompt", "input")
"""What a request is about: never a parameter that could be left out."""
_MISSING = object()


def parameters(body: Body, inside: str = "") -> Iterator[tuple[str, Any]]:
    """Yield every parameter's dotted name and its value, those within another one after it; schemas stay whole."""
    for key, value in body.items():
        if inside or key not in CONTENT:
            yield f"{inside}{key}", value
            if isinstance(value, Mapping) and not is_schema(value):
                yield from parameters(value, f"{inside}{key}.")


def is_schema(value: object) -> bool:
    """Return whether a value is a JSON schema of an object."""
    return isinstance(value, Mapping) and ("properties" in value or "anyOf" in value)


def named(body: Body, name: str) -> list[str]:
    """Return the dotted names of the parameters that a name means: that one, or those of this name at any depth."""
    return [path for path, _ in parameters(body) if path == name or path.endswith(f".{name}")]


def value_at(body: Body, path: str, default: Any = None) -> Any:
    """Return a parameter's value, `default` if it is missing."""
    value: Any = body
    for key in path.split("."):
        value = value.get(key, _MISSING) if isinstance(value, Mapping) else _MISSING
        if value is _MISSING:
            return default
    return value


def with_value(body: Body, path: str, value: Any) -> dict[str, Any]:
    """Return the body with a parameter set; a new one comes last."""
    key, _, rest = path.partition(".")
    if not rest:
        return {**body, key: value}
    inner = body.get(key)
    return {**body, key: with_value(inner if isinstance(inner, Mapping) else {}, rest, value)}


def without(body: Body, path: str) -> dict[str, Any]:
    """Return the body without a parameter, and without what is empty then."""
    key, _, rest = path.partition(".")
    inner = body.get(key)
    if rest and isinstance(inner, Mapping):
        left = without(inner, rest)
        if left:
            return {**body, key: left}
    elif rest:
        return dict(body)
    return {name: value for name, value in body.items() if name != key}


def renamed(body: Body, path: str, name: str) -> dict[str, Any]:
    """Return the body with a parameter under another name, in the same place."""
    key, _, rest = path.partition(".")
    return {
        (other if other != key or rest else name): (
            renamed(value, rest, name) if other == key and rest and isinstance(value, Mapping) else value
        )
        for other, value in body.items()
    }


def spaced(name: str) -> str:
    """Return a name or a sentence as words in lower case, `thinkingLevel` and `thinking_level` alike."""
    return " ".join(re.sub(r"([a-z0-9])([A-Z])", r"\1 \2", re.sub(r"[^A-Za-z0-9]+", " ", name)).lower().split())
