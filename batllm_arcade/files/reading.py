"""Reading a small text file that a person named: only a regular file, and only up to a limit."""

from __future__ import annotations

import errno
import io
import os
import stat
from pathlib import Path

LARGEST = 1024 * 1024
"""Bytes of the largest configuration, system header or prompt file that is read."""


def argument_text(given: str) -> str:
    """Return a text from the command line, whose bytes are UTF-8 whatever the locale says; others become U+FFFD."""
    try:
        return given.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    except UnicodeEncodeError:  # lone surrogates that came from no bytes
        return given.encode("utf-8", "replace").decode("utf-8")


def read_text(path: Path, limit: int = LARGEST) -> str:
    """Return a file's text (UTF-8, line ends as "\\n").

    Raise OSError, with a `strerror` to tell, if `read_bytes` does, or it is not UTF-8.
    """
    try:
        return io.TextIOWrapper(io.BytesIO(read_bytes(path, limit)), "utf-8").read()
    except UnicodeDecodeError:
        raise OSError(errno.EILSEQ, "it is not UTF-8 text", str(path)) from None


def read_bytes(path: Path, limit: int = LARGEST) -> bytes:
    """Return what is in a file.

    Raise OSError, with a `strerror` to tell, if it cannot be read, is no regular file (a pipe would block, a device
    may never end), or holds more than `limit` bytes.
    """
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    with open(handle, "rb") as file:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise OSError(errno.EINVAL, "it is not a regular file", str(path))
        content = file.read(limit + 1)
    if len(content) > limit:
        raise OSError(errno.EFBIG, f"it is larger than {limit // 1024} KiB", str(path))
    return content
