"""A model server's key: looked up at every request, sent in one header to its own host, kept out of all text."""

from __future__ import annotations

import os
from dataclasses import dataclass

from batllm_arcade.errors import ArcadeError
from batllm_arcade.models.finding.addresses import is_loopback
from batllm_arcade.models.keys.hiding import without_key
from batllm_arcade.models.keys.source import KeySource
from batllm_arcade.models.keys.store import key_store, problem_of
from batllm_arcade.models.server_error import ServerError


@dataclass(frozen=True, slots=True)
class ApiKey:
    """The key from `source` for the server at `base_url`.

    It is sent in `header`, as a bearer token if that is Authorization. With `proxied` even a server on this computer
    gets it over https only.
    """

    source: KeySource
    header: str
    base_url: str
    proxied: bool = False

    def headers(self, where: str) -> dict[str, str]:
        """Return the header that carries the key, none without a key; raise ServerError that says what to set."""
        name, key = self._found(where)
        self._check(where, name, key)
        if not key:
            return {}
        return {self.header: f"Bearer {key}" if self.header == "Authorization" else key}

    @property
    def is_there(self) -> bool:
        """Whether there is a key that is sent."""
        try:
            return bool(self._found("")[1])
        except ServerError:
            return False

    @property
    def hint(self) -> str:
        """What to do about a key that a server refuses, or that it wants."""
        source = self.source
        if self.is_there:
            name = self._found("")[0]
            return f"check the key in {name}" if name in source.variables else f"check {name}"
        name = source.hint or source.variable or "NAME"
        return f"it wants a key or a permission; say which variable holds its key: key_env={name}"

    def redact(self, text: str) -> str:
        """Return the text without the key."""
        try:
            _, key = self._found("")
        except ServerError:
            return text
        return without_key(text, key)

    def _found(self, where: str) -> tuple[str, str]:
        """Return where the key is from, in words, and the key itself, "" without one."""
        source = self.source
        try:
            stored = "" if source.named else key_store().key(source.origin)
        except ArcadeError as problem:
            raise ServerError(f"{where} needs a key: {problem}", fatal=True, why="key") from None
        if stored:
            return "the key that you have kept", stored
        values = ((name, os.environ.get(name, "").strip()) for name in source.variables)
        return next((found for found in values if found[1]), (source.variable, ""))

    def _check(self, where: str, name: str, key: str) -> None:
        if not key and self.source.needed:
            sentence = f"{where} needs a key; set the environment variable {self.source.variable}"
            raise ServerError(sentence, fatal=True, why="key")
        if key and problem_of(key):
            raise ServerError(f"{name} holds characters that no key has; set it again", fatal=True, why="wrong key")
        if key and not self.base_url.startswith("https://") and (self.proxied or not is_loopback(self.base_url)):
            mine = f"the key in {name}" if name in self.source.variables else "your key"
            sentence = f"{mine} must not travel to {self.base_url} unencrypted; use an https:// address"
            raise ServerError(sentence, fatal=True, why="options")
