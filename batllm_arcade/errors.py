"""Expected failures: each becomes one plain sentence and an exit code; bugs keep their traceback."""

from __future__ import annotations

import reprlib


class ArcadeError(Exception):
    """The base of every expected failure; `str()` is one sentence that says what to do."""


class UsageError(ArcadeError):
    """Bad arguments, configuration or files (exit code 2)."""


def one_line(error: BaseException, limit: int = 300) -> str:
    """What an exception says: one line, its type in front unless it is an expected failure; never raises."""
    try:
        said = " ".join(str(error).split())[:limit]
    except BaseException:  # noqa: BLE001 - a plugin's exception may fail even when it is printed
        said = ""
    if isinstance(error, ArcadeError) and said:
        return said
    return f"{type(error).__name__}: {said}" if said else type(error).__name__


_SHORT = reprlib.Repr()
_SHORT.maxstring = _SHORT.maxother = _SHORT.maxlong = 40


def quoted(value: object) -> str:
    """A value as quoted in a sentence: its repr on one line, cut where it is long."""
    try:
        return _SHORT.repr(value)
    except ValueError:  # an int of thousands of digits
        return "a huge number"
