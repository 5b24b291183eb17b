"""Text about and by servers: addresses, JSON, error bodies, Retry-After."""

from __future__ import annotations

import ipaddress
import json
import re
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from typing import Any
from urllib.parse import urlsplit

from batllm_arcade.errors import UsageError


def address(text: str, option: str = "base_url") -> str:
    """Return a base address without what follows it in every request (`/`, `/v1`, `/v1beta`).

    Raise UsageError, naming `option`, if it is not an http address.
    """
    _check(text, option)
    parts = urlsplit(text)
    if parts.query or parts.fragment:
        raise UsageError(
            f"{option} must end with the host or a path, without ? and #, unlike {re.split('[?#]', text)[0]!r}"
        )
    path = re.sub(r"/(v1|v1beta)$", "", parts.path.rstrip("/")).rstrip("/")
    return f"{parts.scheme}://{parts.netloc}{path}"


def proxy_address(text: str) -> str:
    """Return a proxy's address, "" for none; raise UsageError if it is not an http address."""
    if text:
        _check(text, "proxy")
    return text


def is_loopback(url: str) -> bool:
    """Return whether an address is on this very computer, so that nobody else can listen in."""
    host = urlsplit(url).hostname or ""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


def _check(text: str, option: str) -> None:
    if "@" in text:  # not quoted: it may hold a password
        raise UsageError(f"{option} must not hold a user name or a password; leave out what is before the @")
    try:
        parts = urlsplit(text)
        good = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        good = False
    if not good or not text.isascii() or not text.isprintable() or " " in text or "\\" in text:
        raise UsageError(f"{option} must be an address like http://127.0.0.1:11434, not {text!r}")


def json_object(text: str) -> dict[str, Any] | None:
    """Return the JSON object that `text` is, also behind a byte order mark, or None."""
    try:
        value = json.loads(text.removeprefix("\ufeff"))
    except (ValueError, RecursionError):
        return None
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
