"""Files read with limits, also out of others' folders."""

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


_NO_LINK = getattr(os, "O_NOFOLLOW", 0)
_PLAIN = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
_BY_FOLDER = bool(_NO_LINK) and os.open in os.supports_dir_fd
_LINKED = (errno.ELOOP, errno.ENOTDIR, errno.ENXIO, errno.EISDIR, errno.EOPNOTSUPP)
"""What an `open` says of a link, of a file in place of a folder, of a socket, of a folder in place of a file."""


def open_within(folder: Path, name: str, flags: int = os.O_RDONLY) -> int:
    """Return a descriptor of the regular file at `name` (its parts joined by "/") in a folder, however that is named.

    Raise OSError, with a `strerror` to tell, if it cannot be opened, is a link or anything else than a regular file,
    or a folder on the way to it is a link.
    """
    *folders, last = name.split("/")
    try:
        handle = _opened(folder, folders, last, flags | _NO_LINK | _PLAIN)
    except OSError as error:
        raise not_its_own(folder / name) if error.errno in _LINKED else error from None
    if stat.S_ISREG(os.fstat(handle).st_mode):
        return handle
    os.close(handle)
    raise not_its_own(folder / name)


def not_its_own(path: Path) -> OSError:
    """Return the error of a file that is none of its folder's own."""
    return OSError(errno.EINVAL, "it is a link, or no regular file", str(path))


def _opened(folder: Path, folders: list[str], last: str, flags: int) -> int:
    if not _BY_FOLDER:  # Windows
        path = folder.joinpath(*folders, last)
        if os.path.realpath(path) != os.path.join(os.path.realpath(folder), *folders, last):
            raise not_its_own(path)
        return os.open(path, flags, 0o666)
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
    """Return the text (UTF-8, line ends as "\\n") of a file that `open_within` opens.

    Raise OSError as it does, and where the file holds more than `limit` bytes or is not UTF-8.
    """
    with open(open_within(folder, name), "rb") as file:
        content = file.read(min(limit, os.fstat(file.fileno()).st_size) + 1)
    if len(content) > limit:
        raise OSError(errno.EFBIG, f"it is larger than {limit // 1024} KiB", str(folder / name))
    try:
        return io.TextIOWrapper(io.BytesIO(content), "utf-8").read()
    except UnicodeDecodeError:
        raise OSError(errno.EILSEQ, "it is not UTF-8 text", str(folder / name)) from None
