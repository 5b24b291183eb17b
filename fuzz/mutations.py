"""Changes of JSON texts that keep them JSON, so that most inputs get past the parser."""

from __future__ import annotations

import json
from collections.abc import Callable
from copy import deepcopy
from random import Random
from typing import Any

ODD: tuple[Any, ...] = (
    None, True, False, 0, 1, -1, 2, 3, 7, 0.5, -0.0, 1e-9, 1e308, 10**12, 10**18, 10**30, 360, -360, 359.9999999999,
    "", "M", "B", "S0", "C45", "M0.1", "M-1e5", "C1e9", "ERR", "1",
    "é\u202e\x1b[2J", "\ud800", "x" * 300, [], {}, [0, 1],
    [1, 0], [[]], {"1": {}, "2": {}}, "2026-01-01T00:00:00Z", "yesterday", "ok", "timeout", "forfeit", "fallback",
)  # fmt: skip
"""Values that something may not be ready for."""


def mutated(data: bytes, longest: int, rng: Random) -> bytes | None:
    """Return the data with a few changes in one of its JSON texts, None where it holds none or grows too long.

    The data is one JSON text, or lines of which some are JSON, perhaps after a name and a colon.
    """
    text = data.decode("utf-8", "replace")
    found = _changed(text, rng)
    if found is None:
        lines = text.split("\n")
        number = rng.randrange(len(lines))
        name, colon, rest = lines[number].partition(": ") if lines[number][:1] != "{" else ("", "", lines[number])
        line = _changed(rest, rng)
        if line is None:
            return None
        lines[number] = name + colon + line
        if rng.random() < 0.2:
            lines.insert(rng.randrange(len(lines) + 1), lines[number])
        found = "\n".join(lines)
    result = found.encode("utf-8", "surrogatepass")
    return result if len(result) <= longest else None


def _changed(text: str, rng: Random) -> str | None:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(value, (dict, list)):
        return None
    try:
        for _ in range(rng.choice((1, 1, 2, 4))):
            _change(value, rng)
        return json.dumps(value)
    except RecursionError:
        return None


def _change(value: Any, rng: Random) -> None:
    """Change one random place of a JSON value."""
    inner: list[tuple[Any, Any]] = []
    _collect(value, inner)
    if not inner:
        return
    holder, key = rng.choice(inner)
    other_holder, other_key = rng.choice(inner)
    change: Callable[[], None] = rng.choice((
        lambda: holder.__setitem__(key, deepcopy(rng.choice(ODD))),
        lambda: holder.__setitem__(key, _near(holder[key], rng)),
        lambda: holder.__setitem__(key, json.loads(json.dumps(other_holder[other_key]))),
        lambda: holder.__delitem__(key),
        lambda: holder.insert(key, json.loads(json.dumps(holder[key]))) if isinstance(holder, list) else None,
    ))  # fmt: skip
    change()


def _near(value: Any, rng: Random) -> Any:
    """Return a value of the same type near this one."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + rng.choice((-1, 1, 10, -10))
    if isinstance(value, float):
        return value * rng.choice((-1, 0.5, 1.0001, 1e6))
    if isinstance(value, str):
        place = rng.randrange(len(value) + 1)
        return value[:place] + rng.choice(("0", " ", "-", "\x00", ".", "e5", "M", "")) + value[place + 1 :]
    return value


def _collect(value: Any, found: list[tuple[Any, Any]]) -> None:
    """Append every place within a JSON value: what holds it, and its key."""
    waiting = [value]
    while waiting:
        holder = waiting.pop()
        if not isinstance(holder, (dict, list)):
            continue
        for key in list(holder) if isinstance(holder, dict) else range(len(holder)):
            found.append((holder, key))
            waiting.append(holder[key])
