"""Find the accepted command in a raw reply and cut an excerpt around it."""

from __future__ import annotations

import re
from functools import lru_cache

from batllm_arcade.prompts.thoughts import split

_BUTTONS = re.compile(r'"button_presses"\s*:\s*\[\s*([^\]]{1,200}?)\s*\]')
_KEY = re.compile(r'"(?:cmd|command)"\s*:\s*"\s*$', re.IGNORECASE)
_MAX_CHARACTERS = 65_536


@lru_cache(maxsize=64)
def command_span(raw: str, command: str | None) -> tuple[int, int] | None:
    """Return start and end in `raw` of the command or of its button presses; None if neither is found."""
    raw = raw[:_MAX_CHARACTERS]
    if not command or not raw:
        return None
    answer = raw.rfind(split(raw)[1])
    token = re.compile(rf"(?<![\w.+-]){re.escape(command.strip())}(?![\w.])", re.IGNORECASE)
    found = list(token.finditer(raw, answer)) or list(token.finditer(raw))
    keyed = [match for match in found if _KEY.search(raw, max(0, match.start() - 40), match.start())]
    for match in (*keyed[-1:], *found[:1]):
        return match.span()
    buttons = _BUTTONS.search(raw)
    return buttons.span(1) if buttons else None


def excerpt(raw: str, span: tuple[int, int] | None, before: int, after: int) -> tuple[str, str, str]:
    """Return the text before `span`, the span and the text after it, without line breaks.

    Before it at most `before` characters are kept, after it at most `after`; cuts are marked by an ellipsis.
    """
    if span is None:
        return "", "", _single_line(raw[: after + 1], after, keep_start=True)
    first, last = span
    return (
        _single_line(raw[max(0, first - before - 1) : first], before, keep_start=False),
        _single_line(raw[first:last], after, keep_start=True),
        _single_line(raw[last : last + after + 1], after, keep_start=True),
    )


def _single_line(text: str, limit: int, *, keep_start: bool) -> str:
    line = re.sub(r"\s+", " ", text)
    if len(text) <= limit:
        return line
    return line[:limit] + "\u2026" if keep_start else "\u2026" + line[-limit:]
