"""A file of keys that only its owner can read: its folder's other programs are kept out, links are not followed."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from batllm_arcade.errors import ArcadeError
from batllm_arcade.files.private import read_private, write_private

LARGEST = 256 * 1024
"""Bytes of the largest file that is read; one with fifty keys has some ten thousand."""
_VERSION = 1


class KeyFileError(ArcadeError):
    """The file of keys cannot be used; `str()` is one sentence that says what to do."""


class KeyFile:
    """The file at `path`: by a server's origin, `{"key": TEXT}` or `{"keyring": true}`."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._seen: tuple[int, int, int] | None = None
        self._entries: Mapping[str, Mapping[str, Any]] = {}

    def entries(self) -> Mapping[str, Mapping[str, Any]]:
        """Return what is kept, {} if nothing is; raise KeyFileError if others can read the file or it is damaged."""
        try:
            found = os.lstat(self.path)
        except OSError:
            self._seen, self._entries = None, {}
            return {}
        seen = (found.st_mtime_ns, found.st_ino, found.st_size)
        if seen != self._seen:
            self._entries, self._seen = self._read(), seen
        return self._entries

    def change(self, origin: str, entry: Mapping[str, Any] | None) -> None:
        """Write the file with this entry, None: without it; raise KeyFileError if that cannot be done."""
        entries = {name: dict(each) for name, each in self.entries().items() if name != origin}
        if entry is not None:
            entries[origin] = dict(entry)
        try:
            text = json.dumps({"version": _VERSION, "keys": entries}, indent=1) + "\n"
            write_private(self.path, text.encode())
        except OSError as error:
            raise KeyFileError(
                f"the key could not be kept in {self.path.name!r} of your data folder ({error.strerror}); it can be "
                "used for this run only"
            ) from None

    def _read(self) -> Mapping[str, Mapping[str, Any]]:
        try:
            values = json.loads(read_private(self.path, LARGEST).decode("utf-8", "replace"))
        except OSError as error:
            raise KeyFileError(f"your file of keys {self.path.name!r} cannot be used: {error.strerror}") from None
        except (ValueError, RecursionError):
            values = None
        keys = values.get("keys") if isinstance(values, dict) else None
        if not isinstance(keys, dict):
            raise KeyFileError(f"your file of keys {self.path.name!r} is damaged; remove it, and give the keys again")
        return {name: each for name, each in keys.items() if isinstance(each, dict)}
