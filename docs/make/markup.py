"""Tables and links of a page."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence


def table(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a table, "" without rows."""
    lines = [f"| {' | '.join(cells)} |" for cells in rows]
    if not lines:
        return ""
    return "\n".join([f"| {' | '.join(heads)} |", f"| {' | '.join(['---'] * len(heads))} |", *lines])


def code(text: str) -> str:
    """Return a text as code that may stand in a table, "" for none."""
    return f"`{text}`".replace("|", "\\|") if text else ""


def cell(text: str) -> str:
    """Return a sentence that may stand in a table."""
    return " ".join(text.split()).replace("|", "\\|")


def anchor(title: str) -> str:
    """Return what a link to a heading ends with, as GitHub makes it; a heading of the same words again is another."""
    return re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")


def section(title: str, *parts: str, level: int = 2) -> str:
    """Return a heading and what stands under it; empty parts are left out."""
    return "\n\n".join([f"{'#' * level} {title}", *filter(None, parts)])
