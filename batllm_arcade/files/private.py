"""Files that only this user can read: written with mode 0600, no link is followed, refused where others can read."""

from __future__ import annotations

import errno
import os
import stat
from contextlib import suppress
from pathlib import Path

from batllm_arcade.files.atomic import move_into_place


def read_private(path: Path, most: int) -> bytes:
    """Return what is in the file; raise OSError if it is a link, others can read it or it has over `most` bytes."""
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0)
    try:
        handle = os.open(path, flags | getattr(os, "O_BINARY", 0))
    except OSError as error:
        if error.errno in (errno.ELOOP, errno.EMLINK):
            raise OSError(error.errno, "it is a link; put the file itself there") from None
        raise
    with open(handle, "rb") as file:
        _check_private(os.fstat(handle))
        content = file.read(most + 1)
    if len(content) > most:
        raise OSError(errno.EFBIG, "it is larger than any such file is")
    return content


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


def write_private(path: Path, content: bytes, *, new: bool = False) -> None:
    """Write the file in one step, its folder too; what a link leads to is never touched. Raise OSError on failure.

    With `new` nothing is replaced: raise FileExistsError if anything is there.
    """
    path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    temporary = path.with_name(f".{os.urandom(8).hex()}.tmp")
    handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0), 0o600)
    try:
        with open(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        if new:
            move_into_place(temporary, path, new=True)
        else:
            os.replace(temporary, path)
    finally:
        with suppress(FileNotFoundError):
            temporary.unlink()
