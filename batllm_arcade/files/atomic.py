"""Files written whole or not at all, locked, for one user alone."""

from __future__ import annotations

import errno
import os
import shutil
import stat
import sys
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from typing import IO

from batllm_arcade.files.reading import content_of, open_regular


@contextmanager
def replacing(path: Path, *, new: bool = False) -> Iterator[Path]:
    """Yield a new empty file in the same folder that replaces `path` on success and is removed on failure.

    It has a name that nothing else has. The content is flushed to the disk first, so that a power cut leaves the
    old or the new file. Raise OSError if the disk does not take it; with `new` FileExistsError if there is anything.
    """
    target = target_of(path)
    temporary = _create_first(target.with_name(f".{os.urandom(8).hex()}.tmp") for _ in count())
    try:
        yield temporary
        move_into_place(temporary, target, new=new)
    finally:
        temporary.unlink(missing_ok=True)


def create_beside(path: Path, mark: str) -> Path:
    """Create an empty file `NAME.MARK.EXT`, else `NAME.MARK-2.EXT` ..., beside `path`; raise OSError on failure.

    Nothing that is there is touched, and no link is followed.
    """
    numbered = (mark if number == 1 else f"{mark}-{number}" for number in count(1))
    return _create_first(path.with_name(f"{path.stem}.{each}{path.suffix}") for each in numbered)


def _create_first(candidates: Iterable[Path]) -> Path:
    for candidate in candidates:
        try:
            os.close(os.open(candidate, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666))
        except FileExistsError:
            continue
        return candidate
    raise AssertionError("there is always another name")


def move_into_place(finished: Path, path: Path, *, new: bool = False) -> None:
    """Flush a finished file to the disk and rename it to `path`, replacing what is there; raise OSError on failure.

    With `new` nothing is replaced: raise FileExistsError if anything has appeared there meanwhile.
    """
    target = target_of(path)
    with open(finished, "rb+") as file:  # Windows flushes only what was opened for writing
        os.fsync(file.fileno())
    try:
        (_rename_new if new else _replace)(finished, target)
    except OSError as error:
        if error.errno != errno.EXDEV:
            raise
        with replacing(target, new=new) as copy:  # a link led to another disk
            shutil.copyfile(finished, copy)
        finished.unlink()


def target_of(path: Path) -> Path:
    """Return the file that is meant: what a link leads to, also where that is not there yet."""
    return Path(os.path.realpath(path)) if path.is_symlink() else path


def _replace(finished: Path, target: Path) -> None:
    check_regular(target)
    os.replace(finished, target)


def _rename_new(finished: Path, target: Path) -> None:
    if os.name == "nt":  # which never renames to what is there
        os.rename(finished, target)
        return
    try:
        os.link(finished, target)
    except FileExistsError:
        raise
    except OSError as error:
        if error.errno == errno.EXDEV:
            raise
        # Not every file system has links: an empty file keeps the name for a moment.
        os.close(os.open(target, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o666))
        os.replace(finished, target)
        return
    os.unlink(finished)


def check_regular(path: Path) -> None:
    """Raise OSError if there is something at this path, or where its link leads, that is no regular file."""
    try:
        mode = os.stat(path).st_mode
    except FileNotFoundError:
        return
    if not stat.S_ISREG(mode):
        raise OSError(errno.EINVAL, "it is no regular file", str(path))


def write_text(path: Path, parts: Iterable[str], *, new: bool = False) -> None:
    """Replace a text file (UTF-8, newlines as given) by these parts, in one step; raise OSError on failure.

    With `new` nothing is replaced: raise FileExistsError if anything is there.
    """
    with replacing(path, new=new) as temporary, open(temporary, "w", encoding="utf-8", newline="") as file:
        file.writelines(parts)


if sys.platform != "win32":
    import fcntl


NO_LOCKS = (errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP)
"""What a file system says that has no locks, as some on a network."""


def lock(handle: int) -> bool:
    """Lock an open file for this program; raise BlockingIOError if another program has locked it.

    Return False where the file system has no locks: then only the file's name, created anew, keeps others off.
    """
    if sys.platform == "win32":
        return False
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        if error.errno in NO_LOCKS:
            return False
        raise
    return True


def is_still_at(handle: int, path: Path) -> bool:
    """Return whether the open file is the one at `path`, and was not removed or replaced meanwhile."""
    try:
        return os.path.samestat(os.fstat(handle), os.lstat(path))
    except OSError:
        return False


@contextmanager
def locked(path: Path, wait_s: float) -> Iterator[IO[bytes]]:
    """Yield the file at `path`, created where it is missing, for this program alone.

    Raise OSError if it cannot be opened, or another program has it for longer than about `wait_s` seconds.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    last = time.monotonic() + wait_s
    while True:
        with os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT, 0o600), "r+b") as file:
            try:
                lock(file.fileno())
                mine = is_still_at(file.fileno(), path)  # else another program has just replaced it
            except BlockingIOError:
                mine = False
            if mine:
                yield file
                return
        if time.monotonic() >= last:
            raise OSError(errno.EAGAIN, "another program writes it", str(path))
        time.sleep(0.005)


def remove_unlocked(path: Path) -> None:
    """Remove a file that may be missing; raise BlockingIOError if another program holds its lock, or OSError."""
    try:
        handle = open_regular(path, os.O_RDWR, links=False)
    except FileNotFoundError:
        return
    except OSError:
        path.unlink(missing_ok=True)  # a link or something else that is no journal of ours
        return
    try:
        locked = lock(handle)  # kept until it is removed, so that nobody can begin to write into it
        if not locked and sys.platform != "win32":
            raise BlockingIOError(errno.EAGAIN, "another program may be writing it", str(path))
        if sys.platform != "win32":
            path.unlink(missing_ok=True)
    finally:
        os.close(handle)
    if sys.platform == "win32":
        path.unlink(missing_ok=True)


def read_private(path: Path, most: int) -> bytes:
    """Return what is in the file; raise OSError if it is a link, others can read it or it has over `most` bytes."""
    try:
        handle = open_regular(path, links=False)
    except OSError as error:
        if error.errno in (errno.ELOOP, errno.EMLINK):
            raise OSError(error.errno, "it is a link; put the file itself there") from None
        raise
    status = os.fstat(handle)
    content = content_of(handle, most)
    if os.name == "posix":  # elsewhere a user's own folder is what keeps others out
        if status.st_uid != os.getuid():
            raise OSError(errno.EPERM, "it belongs to another user")
        if status.st_mode & 0o077:
            raise OSError(errno.EPERM, "other users can read it; run chmod 600 on it, and make new keys")
    if len(content) > most:
        raise OSError(errno.EFBIG, "it is larger than any such file is")
    return content


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
