"""Addresses of servers as a person writes them."""

from __future__ import annotations

import ipaddress
import re
from urllib.parse import urlsplit

from batllm_arcade.errors import UsageError


def address(text: str, option: str = "base_url") -> str:
    """A base address without what follows it in every request (`/`, `/v1`, `/v1beta`); UsageError if it is none."""
    _check(text, option)
    parts = urlsplit(text)
    if parts.query or parts.fragment:
        raise UsageError(f"{option} must end with the host or a path, without ? and #, unlike {text!r}")
    path = re.sub(r"/(v1|v1beta)$", "", parts.path.rstrip("/")).rstrip("/")
    return f"{parts.scheme}://{parts.netloc}{path}"


def proxy_address(text: str) -> str:
    """A proxy's address, "" for none; UsageError if it is no http address."""
    if text:
        _check(text, "proxy")
    return text


def is_loopback(url: str) -> bool:
    """Whether an address is on this very computer, so that nobody else can listen in."""
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
