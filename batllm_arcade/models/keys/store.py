"""The keys that the user has given: for this run only, in the system's keyring, or in a file that only they can read.

A key is kept for one origin (scheme, host, port) and is never looked up for another.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Literal

from batllm_arcade.brains.redaction import SECRETS
from batllm_arcade.errors import ArcadeError, UsageError
from batllm_arcade.files.paths import data_folder
from batllm_arcade.models.keys import keyring_access
from batllm_arcade.models.keys.key_file import KeyFile

Place = Literal["run", "keyring", "file"]


@dataclass(frozen=True, slots=True)
class KeptKey:
    """Where a key is: `where` is "" without one; `name` is the environment variable of one that is there."""

    where: Literal["", "run", "keyring", "file", "variable"] = ""
    name: str = ""


def data_file() -> Path:
    """Return the file of keys in the user's data folder."""
    return data_folder() / "keys.json"


class KeyStore:
    """The keys of one user; every method is thread-safe. `keep`, `forget` and `places` may take their time."""

    def __init__(self, path: Callable[[], Path] = data_file) -> None:
        self._path = path
        self._lock = threading.RLock()
        self._file: KeyFile | None = None
        self._run: dict[str, str] = {}
        self._from_keyring: dict[str, str] = {}

    def places(self) -> tuple[Place, ...]:
        """Return where keys can be kept here, the safest that lasts first."""
        lasting: tuple[Place, ...] = ("keyring", "file") if keyring_access.has_keyring() else ("file",)
        return (*lasting, "run")

    def keep(self, origin: str, key: str, where: Place) -> None:
        """Keep a key for a server's origin, in place of any other; raise an ArcadeError that says why it cannot be."""
        key = key.strip()
        if problem := problem_of(key):
            raise UsageError(f"that is no key: {problem}")
        SECRETS.add(key)
        if where == "keyring":  # which may ask the user first: nobody else waits for that
            keyring_access.write(origin, key)
        with self._lock:
            if where == "run":
                self._run[origin] = key
                return
            self._kept.change(origin, {"keyring": True} if where == "keyring" else {"key": key})
            self._run.pop(origin, None)
            self._from_keyring.pop(origin, None)

    def forget(self, origin: str, where: Place | None = None) -> None:
        """Remove the key kept for an origin, wherever it is, or only there; raise an ArcadeError if that cannot be."""
        with self._lock:
            if where in (None, "run"):
                self._run.pop(origin, None)
            entry = self._kept.entries().get(origin)
            lasting: Place = "keyring" if entry and entry.get("keyring") else "file"
            if entry is None or where not in (None, lasting):
                return
            self._from_keyring.pop(origin, None)
        if lasting == "keyring":
            keyring_access.forget(origin)
        with self._lock:
            self._kept.change(origin, None)

    def kept(self, origin: str) -> KeptKey:
        """Return where the key for an origin is kept; quick, and it never raises."""
        with self._lock:
            if origin in self._run:
                return KeptKey("run")
            try:
                entry = self._kept.entries().get(origin)
            except ArcadeError:
                return KeptKey()
        return KeptKey() if entry is None else KeptKey("keyring" if entry.get("keyring") else "file")

    def key(self, origin: str) -> str:
        """Return the key kept for an origin, "" without one; raise an ArcadeError if its place cannot be read.

        A keyring that is locked may ask the user first.
        """
        with self._lock:
            known = self._run.get(origin) or self._from_keyring.get(origin)
            entry = None if known else self._kept.entries().get(origin)
        if known or entry is None:
            return known or ""
        if not entry.get("keyring"):
            key = entry.get("key")
            return SECRETS.add(key) if isinstance(key, str) else ""
        found = SECRETS.add(keyring_access.read(origin))
        with self._lock:
            self._from_keyring[origin] = found
        return found

    @property
    def _kept(self) -> KeyFile:
        path = self._path()
        if self._file is None or self._file.path != path:
            self._file = KeyFile(path)
        return self._file


@lru_cache(maxsize=1)
def key_store() -> KeyStore:
    """Return the keys of the user who runs the program."""
    return KeyStore()


def problem_of(key: str) -> str:
    """Return why a text cannot be a key, in a few words; "" if it can."""
    if not key:
        return "it is empty"
    if not (key.isascii() and key.isprintable()) or " " in key:
        return "it holds characters that no key has"
    return "" if len(key) <= 8192 else "it is too long"
