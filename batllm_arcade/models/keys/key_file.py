"""A file of keys that only its owner can read: its folder's other programs are kept out, links are not followed."""

from __future__ import annotations

import errno
import json
import os
import stat
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from batllm_arcade.errors import ArcadeError

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
            self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            _write(self.path, json.dumps({"version": _VERSION, "keys": entries}, indent=1) + "\n")
        except OSError as error:
            raise KeyFileError(
                f"the key could not be kept in {self.path.name!r} of your data folder ({error.strerror}); it can be "
                "used for this run only"
            ) from None

    def _read(self) -> Mapping[str, Mapping[str, Any]]:
        try:
            values = json.loads(self._text())
        except OSError as error:
            raise KeyFileError(f"your file of keys {self.path.name!r} cannot be used: {error.strerror}") from None
        except (ValueError, RecursionError):
            values = None
        keys = values.get("keys") if isinstance(values, dict) else None
        if not isinstance(keys, dict):
            raise KeyFileError(f"your file of keys {self.path.name!r} is damaged; remove it, and give the keys again")
        return {name: each for name, each in keys.items() if isinstance(each, dict)}

    def _text(self) -> str:
        flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0)
        try:
            handle = os.open(self.path, flags)
        except OSError as error:
            if error.errno in (errno.ELOOP, errno.EMLINK):
                raise OSError(error.errno, "it is a link; put the file itself there") from None
            raise
        with open(handle, "rb") as file:
            _check_private(os.fstat(handle))
            content = file.read(LARGEST + 1)
        if len(content) > LARGEST:
            raise OSError(errno.EFBIG, "it is larger than any file of keys is")
        return content.decode("utf-8", "replace")


def _check_private(found: os.stat_result) -> None:
    """Raise OSError if a file is not this user's alone."""
    if not stat.S_ISREG(found.st_mode):
        raise OSError(errno.EINVAL, "it is not a regular file")
    if os.name != "posix":
        return  # a user's own folder is what keeps others out there
    if found.st_uid != os.getuid():
        raise OSError(errno.EPERM, "it belongs to another user")
    if found.st_mode & 0o077:
        raise OSError(errno.EPERM, "other users can read it; run chmod 600 on it, and make new keys")


def _write(path: Path, text: str) -> None:
    """Replace the file in one step by one that only this user can read; what a link leads to is never touched."""
    temporary = path.with_name(f".{os.urandom(8).hex()}.tmp")
    handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0), 0o600)
    try:
        with open(handle, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    finally:
        with suppress(FileNotFoundError):
            temporary.unlink()
