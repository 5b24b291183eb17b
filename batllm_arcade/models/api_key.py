"""A model server's key: read from the environment at every request, sent in one header, kept out of all text."""

from __future__ import annotations

import os
from base64 import b64encode, urlsafe_b64encode
from dataclasses import dataclass
from functools import lru_cache
from urllib.parse import quote

from batllm_arcade.models.finding.addresses import is_loopback
from batllm_arcade.models.server_error import ServerError


@dataclass(frozen=True, slots=True)
class ApiKey:
    """The key in the environment variable `variable` ("": none is needed) for the server at `base_url`.

    It is sent in `header`, as a bearer token if that is Authorization; `optional`: a server on this computer
    may do without. With `proxied` even a server on this computer gets it over https only.
    """

    variable: str
    header: str
    base_url: str
    optional: bool = False
    proxied: bool = False

    def headers(self, where: str) -> dict[str, str]:
        """Return the header that carries the key, none without a key; raise ServerError that names the variable."""
        key = self._checked(where)
        if not key:
            return {}
        return {self.header: f"Bearer {key}" if self.header == "Authorization" else key}

    def redact(self, text: str) -> str:
        """Return the text without the key."""
        key = self._value()
        # A placeholder such as `x`, which local servers take for a key, stands in half of all words.
        for form in _forms(key) if len(key) >= 8 else ():
            text = text.replace(form, "***")
        return text

    def _value(self) -> str:
        return os.environ.get(self.variable, "").strip() if self.variable else ""

    def _checked(self, where: str) -> str:
        name, key, near = self.variable, self._value(), is_loopback(self.base_url)
        if name and not key and not (near and self.optional):
            raise ServerError(f"{where} needs a key; set the environment variable {name}", fatal=True)
        if not (key.isascii() and key.isprintable()) or " " in key:
            raise ServerError(f"{name} holds characters that no key has; set it again", fatal=True)
        if key and not self.base_url.startswith("https://") and (self.proxied or not near):
            raise ServerError(
                f"the key in {name} must not travel to {self.base_url} unencrypted; use an https:// address", fatal=True
            )
        return key


@lru_cache(maxsize=8)
def _forms(key: str) -> tuple[str, ...]:
    """Return how a key may stand in a text: as it is, in an address, in base64, also within what was encoded."""
    found = [key, quote(key, safe="")]
    for before in range(3):  # which of four characters the key begins with depends on what stands before it
        data = bytes(before) + key.encode()
        whole = slice(-(-8 * before // 6), 8 * len(data) // 6)
        found += [b64encode(data).decode()[whole], urlsafe_b64encode(data).decode()[whole]]
    return tuple(dict.fromkeys(found))
