"""From the exact text a model sent to the token it meant; unwraps packaging, never reads prose."""

from __future__ import annotations

import json

_OPEN, _CLOSE = "<think>", "</think>"


def unwrap(raw: str) -> str:
    """The token inside `raw`: one closed leading `<think>` block, a JSON string or `{"cmd": ...}` come off.

    Everything else is returned as it is, for the rules to refuse.
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
    """What a leading closed `<think>` block says, or "" without one."""
    text = _bare(raw)
    if text.startswith(_OPEN) and _CLOSE in text:
        return text[len(_OPEN) :].split(_CLOSE, 1)[0].strip()
    return ""


def _bare(raw: str) -> str:
    return raw.strip().lstrip("\ufeff").strip()


def is_json(text: str) -> bool:
    """Whether the text is one complete JSON value, packaging aside."""
    text = _bare(text)
    if text.startswith(_OPEN) and _CLOSE in text:
        text = text.split(_CLOSE, 1)[1].strip()
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True
