"""A model server's key: read from the environment at every request, sent in one header, kept out of all text."""

from __future__ import annotations

import os
from dataclasses import dataclass

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
        return text.replace(key, "***") if len(key) >= 8 else text

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
