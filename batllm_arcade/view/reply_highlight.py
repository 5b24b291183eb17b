"""Where in a reply the command stands that the engine took: pure text, no pixels."""

from __future__ import annotations

import re
from functools import lru_cache

_BUTTONS = re.compile(r'"button_presses"\s*:\s*\[\s*([^\]]{1,200}?)\s*\]')
_KEY = re.compile(r'"(?:cmd|command)"\s*:\s*"\s*$', re.IGNORECASE)
_MOST = 65_536


@lru_cache(maxsize=64)
def picked_out(raw: str, command: str | None) -> tuple[int, int] | None:
    """From where to where in `raw` the command stands, or the buttons it was pressed with; None if it does not."""
    raw = raw[:_MOST]
    if not command or not raw:
        return None
    answer = raw.rfind("</think>") + 1
    token = re.compile(rf"(?<![\w.+-]){re.escape(command.strip())}(?![\w.])", re.IGNORECASE)
    found = list(token.finditer(raw, answer)) or list(token.finditer(raw))
    keyed = [match for match in found if _KEY.search(raw, max(0, match.start() - 40), match.start())]
    for match in (*keyed[-1:], *found[:1]):
        return match.span()
    buttons = _BUTTONS.search(raw)
    return buttons.span(1) if buttons else None


def excerpt(raw: str, span: tuple[int, int] | None, before: int, after: int) -> tuple[str, str, str]:
    """What stands before the command, the command, and what follows, on one line and cut to so many characters."""
    if span is None:
        return "", "", _on_one_line(raw[: after + 1], after, start=True)
    first, last = span
    lead = _on_one_line(raw[max(0, first - before - 1) : first], before, start=False)
    return (
        lead,
        _on_one_line(raw[first:last], after, start=True),
        _on_one_line(raw[last : last + after + 1], after, True),
    )


def _on_one_line(text: str, most: int, start: bool) -> str:
    line = re.sub(r"\s+", " ", text)
    if len(text) <= most:
        return line
    return line[:most] + "\u2026" if start else "\u2026" + line[-most:]
