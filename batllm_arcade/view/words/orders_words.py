"""Orders on one line: where there is no room for their lines, what begins a new one begins a new sentence."""

from __future__ import annotations

from itertools import pairwise

from batllm_arcade.brains.orders import GOES_ON

_LINE_OF_A_LETTER = 40  # characters: such a line may have been broken anywhere


def in_one_line(orders: str) -> str:
    """Return orders on one line; one of theirs that was a sentence ends like one: `Stay close. Never shoot`."""
    lines = [line.strip().removeprefix("- ") for line in orders.splitlines() if line.strip()]
    ended = [line + _end(line, following) for line, following in pairwise(lines)]
    return " ".join(" ".join([*ended, *lines[-1:]]).split())


def quoted(orders: str) -> str:
    """Return orders on one line in quotation marks, "" if there are none."""
    return f"\u201c{in_one_line(orders)}\u201d" if orders.strip() else ""


def _end(line: str, following: str) -> str:
    """Return what a line lacks before the next one: nothing where it goes on there, as the lines of a letter do."""
    if GOES_ON.search(line):
        return ""
    if following[0].islower():
        return "," if len(line) < _LINE_OF_A_LETTER else ""
    return "."
