"""Expected failures: each becomes one plain sentence and an exit code; bugs keep their traceback."""

from __future__ import annotations

import reprlib


class ArcadeError(Exception):
    """The base of every expected failure; `str()` is one sentence that says what to do."""


class UsageError(ArcadeError):
    """Bad arguments, configuration or files (exit code 2)."""


def one_line(error: BaseException, limit: int = 300) -> str:
    """Return an exception's text on one line, with its type in front unless it is an ArcadeError; never raises."""
    try:
        text = " ".join(str(error).split())[:limit]
    except BaseException:  # noqa: BLE001 - a plugin's exception may fail even when it is printed
        text = ""
    if isinstance(error, ArcadeError) and text:
        return text
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


_QUOTED = 120
"""Characters of the longest quotation: a value may hold others, level by level."""
_SHORT = reprlib.Repr()
_SHORT.maxstring = _SHORT.maxother = _SHORT.maxlong = 40


def quoted(value: object) -> str:
    """Return a value as quoted in a sentence: its repr on one line, shortened if long."""
    try:
        text = _SHORT.repr(value)
    except ValueError:  # an int of thousands of digits
        return "a huge number"
    except BaseException:  # noqa: BLE001 - a plugin's object may fail even when it is printed
        return f"a {type(value).__name__}"
    return text if len(text) <= _QUOTED else text[: _QUOTED - 3] + "..."
