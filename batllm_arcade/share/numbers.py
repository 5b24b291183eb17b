"""Numbers and colours as a page holds them: short, and exact where it matters."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from batllm_arcade.core.model import plain
from batllm_arcade.view.theme import Color


def short(value: float, digits: int) -> float:
    """Return a number with at most so many decimals, a whole one without a point."""
    return plain(round(value, digits) + 0.0)


def seconds(value: float) -> float:
    """Return a time in seconds, to the millisecond."""
    return short(value, 3)


def hexadecimal(color: Color) -> str:
    """Return a colour as `#rrggbb`."""
    return "#{:02x}{:02x}{:02x}".format(*color)


def utf16(text: str, index: int) -> int:
    """Return where a browser counts the character at this index of a text: beyond the first plane they count twice."""
    return index if text.isascii() else index + sum(character > "\uffff" for character in text[:index])


def trimmed(values: Sequence[Any]) -> list[Any]:
    """Return a list without the zeros and empty values at its end."""
    found = list(values)
    while found and not found[-1]:
        found.pop()
    return found
