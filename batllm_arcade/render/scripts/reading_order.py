"""The order in which the characters of a line are drawn: scripts from right to left are turned by python-bidi."""

from __future__ import annotations

import re
from functools import lru_cache
from unicodedata import bidirectional

_RIGHT_TO_LEFT = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]")


@lru_cache(maxsize=1)
def can_order() -> bool:
    """Return whether the library is installed that puts characters in order."""
    try:
        import bidi  # noqa: F401 - costs time, and only such texts need it
    except ImportError:
        return False
    return True


def from_the_right(line: str) -> bool:
    """Return whether a line begins at the right: its first letter is of a script that does, and can be put in order."""
    if line.isascii() or not _RIGHT_TO_LEFT.search(line) or not can_order():
        return False
    return next((kind != "L" for kind in map(bidirectional, line) if kind in ("L", "R", "AL")), False)


def as_drawn(line: str) -> str:
    """Return a line's characters from left to right; those of most scripts stay as they are."""
    if line.isascii() or not _RIGHT_TO_LEFT.search(line) or not can_order():
        return line
    from bidi import get_display

    ordered = get_display(line)
    return ordered if isinstance(ordered, str) else line
