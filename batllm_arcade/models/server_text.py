"""Text by servers: JSON, error bodies, Retry-After."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from typing import Any


def json_value(text: str) -> Any:
    """Return the JSON value that `text` is, also behind a byte order mark, or None."""
    try:
        return json.loads(text.removeprefix("\ufeff"))
    except (ValueError, RecursionError):
        return None


def unescaped(value: Any, change: Callable[[str], str]) -> Any:
    """Return a JSON value with `change` made to its text without escapes; None if there is none then."""
    try:
        return json_value(change(json.dumps(value, ensure_ascii=False)))
    except RecursionError:
        return None


def json_object(text: str) -> dict[str, Any] | None:
    """Return the JSON object that `text` is, or None."""
    value = json_value(text)
    return value if isinstance(value, dict) else None


def words(body: Any) -> str:
    """Return a server's own words for an error, wherever its kind of body keeps them, or ""."""
    for _ in range(3):
        if not isinstance(body, dict):
            break
        body = next((body[key] for key in ("error", "message", "detail") if body.get(key)), None)
    return clean(body, 200) if isinstance(body, str) else ""


def clean(text: str, longest: int) -> str:
    """Return one line of visible characters, cut to `longest`."""
    # isprintable is False for line ends, escape codes and marks that turn the reading direction
    text = " ".join("".join(char if char.isprintable() else " " for char in text[: 4 * longest]).split())
    return text if len(text) <= longest else text[: longest - 3] + "..."


def retry_after(text: str) -> float | None:
    """Return the seconds a Retry-After header asks for, in either of its spellings, or None."""
    text = text.strip()
    if re.fullmatch(r"[0-9]{1,9}", text):
        return float(text)
    try:
        when = parsedate_to_datetime(text)
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
    if when.tzinfo is None:
        when = when.replace(tzinfo=timezone.utc)
    return max(0.0, (when - datetime.now(timezone.utc)).total_seconds())
