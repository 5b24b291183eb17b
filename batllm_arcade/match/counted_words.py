"""Numbers of things as words: `twice`, `three shots`."""

from __future__ import annotations

_TIMES = ("never", "once", "twice")
_NUMBERS = (
    "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve",
)  # fmt: skip


def times(number: int) -> str:
    """Return how often in words: `once`, `twice`, `five times`, `14 times`."""
    return _TIMES[number] if number < len(_TIMES) else f"{number_word(number)} times"


def times_in_digits(number: int) -> str:
    """Return how often, shorter: `never`, `once`, `twice`, `5 times`."""
    return _TIMES[number] if number < len(_TIMES) else f"{number} times"


def count(number: int, what: str) -> str:
    """Return so many of something in words: `one play`, `three plays`."""
    return f"{number_word(number)} {what}{'' if number == 1 else 's'}"


def number_word(number: int) -> str:
    """Return a number as a word up to twelve: `no`, `one`, `twelve`, `13`."""
    return _NUMBERS[number] if number < len(_NUMBERS) else str(number)
