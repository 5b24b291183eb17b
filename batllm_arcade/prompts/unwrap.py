"""Extract the token from a model's exact text; wrappers are removed, prose is never searched."""

from __future__ import annotations

import json

_OPEN, _CLOSE = "<think>", "</think>"


def unwrap(raw: str) -> str:
    """Return the token in `raw`, without a closed leading `<think>` block, JSON quotes or `{"cmd": ...}`.

    Any other text is returned unchanged, for the rules to refuse.
    """
    text = _bare(raw)
    if text.startswith(_OPEN) and _CLOSE in text:
        text = text.split(_CLOSE, 1)[1].strip()
    if len(text) <= 1000 and text[:1] in ('"', "{"):
        try:
            value = json.loads(text)
        except (ValueError, RecursionError):
            return text
        if isinstance(value, dict):
            value = value.get("cmd")
        if isinstance(value, str):
            return value
    return text


def thought(raw: str) -> str:
    """Return the text of a closed leading `<think>` block, "" if there is none."""
    text = _bare(raw)
    if text.startswith(_OPEN) and _CLOSE in text:
        return text[len(_OPEN) :].split(_CLOSE, 1)[0].strip()
    return ""


def _bare(raw: str) -> str:
    return raw.strip().lstrip("\ufeff").strip()


def is_json(text: str) -> bool:
    """Return True if the text is one complete JSON value, apart from a leading `<think>` block."""
    text = _bare(text)
    if text.startswith(_OPEN) and _CLOSE in text:
        text = text.split(_CLOSE, 1)[1].strip()
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True
