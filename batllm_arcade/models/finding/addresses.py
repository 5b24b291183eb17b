"""Where a model server is: its base address as people write it, and the address of each request."""

from __future__ import annotations

import ipaddress
import re
from dataclasses import dataclass, replace
from urllib.parse import parse_qsl, urlsplit

from batllm_arcade.brains.redaction import is_secret
from batllm_arcade.errors import UsageError

_ENDPOINT = re.compile(
    r"/(chat/completions|completions|responses|messages|api/(chat|generate|tags|show|version)|models(/[^/]+)?)$"
)
"""The end of an address that was copied whole out of a provider's documentation."""
_VERSION = re.compile(r"v[0-9]+[a-z0-9]*")
_OURS = re.compile(r"/(v1|v1beta)$")
"""The versions that stand in the requests themselves."""


@dataclass(frozen=True, slots=True)
class Address:
    """A server's `base` address without the version of each request, and the `query` that ends every request.

    With `exact` nothing is put between the base and the last part of a request: the base has its own version, or was
    cut out of a whole address.
    """

    base: str
    query: str = ""
    exact: bool = False

    def url(self, path: str) -> str:
        """Return the address of a path such as `/v1/models` or `/api/chat`, without what the base has already."""
        path, _, own = path.partition("?")
        first, slash, rest = path.removeprefix("/").partition("/")
        present = self.exact and _VERSION.fullmatch(first)
        if slash and (present or self.base.endswith(f"/{first}")):
            path = f"/{rest}"
        query = "&".join(part for part in (own, self.query) if part)
        return f"{self.base}{path}{'?' if query else ''}{query}"

    @property
    def without_version(self) -> Address | None:
        """Return where the server may be if it knows no version, None for an address that leaves no doubt."""
        return replace(self, exact=True) if urlsplit(self.base).path and not self.exact else None


def parse_address(text: str, option: str = "base_url") -> Address:
    """Return the address that `text` means; raise UsageError, naming `option`, if it is not an http address."""
    check_address(text, option)
    parts = urlsplit(text)
    if parts.fragment or "#" in text:
        raise UsageError(f"{option} must end without #, unlike {text.partition('#')[0]!r}")
    for name, _ in parse_qsl(parts.query, keep_blank_values=True):
        if is_secret(name) or name in ("sig", "code"):
            raise UsageError(f"{option} must not hold a key ({name}=); leave it out and set the key's variable")
    path = parts.path.rstrip("/")
    short = _ENDPOINT.sub("", path)
    pasted = path[len(short) :] if short != path else ""
    base = _OURS.sub("", short)
    whole = (pasted and not pasted.startswith("/api/")) or "api-version=" in parts.query or _has_version(short)
    return Address(f"{parts.scheme}://{parts.netloc}{base.rstrip('/')}", parts.query, bool(whole) and base == short)


def _has_version(path: str) -> bool:
    """Return whether a base path ends with a version of its own, or with an OpenAI-style branch of one."""
    parts = path.split("/")
    return bool(_VERSION.fullmatch(parts[-1])) or (
        parts[-1] == "openai" and any(_VERSION.fullmatch(part) for part in parts)
    )


def proxy_address(text: str) -> str:
    """Return a proxy's address, "" for none; raise UsageError if it is not an http address."""
    if text:
        check_address(text, "proxy")
    return text


def check_address(text: str, option: str) -> None:
    """Raise UsageError, naming `option`, if `text` is not an http address."""
    if "@" in text:  # not quoted: it may hold a password
        raise UsageError(f"{option} must not hold a user name or a password; leave out what is before the @")
    try:
        parts = urlsplit(text)
        good = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        good = False
    if not good or not text.isascii() or not text.isprintable() or " " in text or "\\" in text:
        raise UsageError(f"{option} must be an address like http://127.0.0.1:11434, not {text.partition('?')[0]!r}")


def is_loopback(url: str) -> bool:
    """Return whether an address is on this very computer, so that nobody else can listen in."""
    host = urlsplit(url).hostname or ""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


def is_near(url: str) -> bool:
    """Return whether an address is on this computer or in its own network: nobody is paid for a question there."""
    host = urlsplit(url).hostname or ""
    try:
        return ipaddress.ip_address(host).is_private
    except ValueError:
        return "." not in host or host.endswith((".localhost", ".local", ".lan", ".home", ".internal"))
