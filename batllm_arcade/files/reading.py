"""The one reader of texts that others wrote: regular files alone, up to a limit, UTF-8 with or without its mark."""

from __future__ import annotations

import errno
import io
import os
import stat
from pathlib import Path

LARGEST = 1024 * 1024
"""Bytes of the largest configuration, system header or prompt file that is read."""
NOT_TEXT = "it is not UTF-8 text; save it as UTF-8"
"""What is said of a file in another encoding, such as UTF-16."""
_PLAIN = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0) | getattr(os, "O_CLOEXEC", 0)
_NO_LINK = getattr(os, "O_NOFOLLOW", 0)
_BY_FOLDER = bool(_NO_LINK) and os.open in os.supports_dir_fd
_LINKED = (errno.ELOOP, errno.ENOTDIR, errno.ENXIO, errno.EISDIR, errno.EOPNOTSUPP)
"""What an `open` says of a link, of a file in place of a folder, of a socket, of a folder in place of a file."""


def argument_text(given: str) -> str:
    """Return a text from the command line, whose bytes are UTF-8 whatever the locale says; others become U+FFFD."""
    try:
        return given.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    except UnicodeEncodeError:  # lone surrogates that came from no bytes
        return given.encode("utf-8", "replace").decode("utf-8")


def open_regular(path: Path, flags: int = os.O_RDONLY, *, links: bool = True) -> int:
    """Return a descriptor of a file, at once: a pipe would block, and a device may never end.

    Raise OSError, with a `strerror` to tell, if it cannot be opened, is no regular file, or a link without `links`.
    """
    return _regular(os.open(path, flags | _PLAIN | (0 if links else _NO_LINK)), path)


def _regular(handle: int, path: Path) -> int:
    if stat.S_ISREG(os.fstat(handle).st_mode):
        return handle
    os.close(handle)
    raise OSError(errno.EINVAL, "it is not a regular file", str(path))


def content_of(handle: int, limit: int) -> bytes:
    """Return what is in an open file, and close it; of one that holds more than `limit` bytes one more than that."""
    with open(handle, "rb") as file:
        return file.read(min(limit, max(os.fstat(handle).st_size, 64 * 1024)) + 1)  # it makes room for all of that


def read_bytes(path: Path, limit: int = LARGEST) -> bytes:
    """Return what is in a file; raise OSError as `open_regular` does, and if it holds more than `limit` bytes."""
    return _limited(content_of(open_regular(path), limit), limit, path)


def read_text(path: Path, limit: int = LARGEST) -> str:
    """Return a file's text, line ends as "\\n"; raise OSError as `read_bytes` does, and if it is not UTF-8."""
    return _text(read_bytes(path, limit), path)


def _limited(content: bytes, limit: int, path: Path) -> bytes:
    if len(content) > limit:
        raise OSError(errno.EFBIG, f"it is larger than {limit // 1024} KiB", str(path))
    return content


def _text(content: bytes, path: Path) -> str:
    try:
        return io.TextIOWrapper(io.BytesIO(content), "utf-8-sig").read()
    except UnicodeDecodeError:
        raise OSError(errno.EILSEQ, NOT_TEXT, str(path)) from None


def open_within(folder: Path, name: str, flags: int = os.O_RDONLY) -> int:
    """Return a descriptor of the regular file at `name` (its parts joined by "/") in a folder, however that is named.

    Somebody else may have filled it: raise OSError, with a `strerror` to tell, if the file cannot be opened, is a link
    or anything else than a regular file, or a folder on the way to it is a link.
    """
    *folders, last = name.split("/")
    path = folder / name
    try:
        if _BY_FOLDER:
            return _regular(_opened(folder, folders, last, flags | _NO_LINK | _PLAIN), path)
        if os.path.realpath(path) == os.path.join(os.path.realpath(folder), *folders, last):  # Windows
            return _regular(os.open(path, flags | _PLAIN, 0o666), path)
    except OSError as error:
        if error.errno not in (*_LINKED, errno.EINVAL):
            raise
    raise OSError(errno.EINVAL, "it is a link, or no regular file", str(path))


def _opened(folder: Path, folders: list[str], last: str, flags: int) -> int:
    within = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        for part in folders:
            inner = os.open(part, os.O_RDONLY | os.O_DIRECTORY | _NO_LINK, dir_fd=within)
            os.close(within)
            within = inner
        return os.open(last, flags, 0o666, dir_fd=within)
    finally:
        os.close(within)


def read_within(folder: Path, name: str, limit: int) -> str:
    """Return the text, line ends as "\\n", of a file that `open_within` opens.

    Raise OSError as it does, and where the file holds more than `limit` bytes or is not UTF-8.
    """
    path = folder / name
    return _text(_limited(content_of(open_within(folder, name), limit), limit, path), path)
