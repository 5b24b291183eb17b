"""The session in a page: written into its script element, and read from there like a session file."""

from __future__ import annotations

import json
import re
from typing import Any

_OPENING = '<script type="application/json" id="session">'
_CLOSING = "</script>"
_HEAD = re.compile(r"\s*<!doctype html", re.IGNORECASE)
_ACTIVE = re.compile("[<>&\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]")
"""What could end the element or is no text; lone surrogates are none."""


def compact_json(value: Any) -> str:
    """Return a value as short JSON that means nothing to HTML: what could end its element is escaped."""
    text = json.dumps(value, separators=(",", ":"), ensure_ascii=False)
    return _ACTIVE.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def session_element(session: Any) -> str:
    """Return the script element that holds a session, given as plain JSON values."""
    return f"{_OPENING}{compact_json(session)}{_CLOSING}"


def is_page(text: str) -> bool:
    """Return whether this text begins like a page."""
    return _HEAD.match(text) is not None


def session_text(page: str) -> str | None:
    """Return the JSON text of the session in a page, None if there is none."""
    return _parts(page)[1]


def without_session(page: str) -> str:
    """Return a page without the session in it; raise ValueError if there is none, or one that may end its element."""
    before, session, after = _parts(page)
    if session is None or "<" in session:
        raise ValueError("no session")
    return before + after


def _parts(page: str) -> tuple[str, str | None, str]:
    """Return what is before the session in a page, the session, and what is after it."""
    start = page.find(_OPENING)
    end = page.find(_CLOSING, start) if start >= 0 else -1
    begin = start + len(_OPENING)
    return (page[:begin], page[begin:end], page[end:]) if end >= 0 else (page, None, "")
