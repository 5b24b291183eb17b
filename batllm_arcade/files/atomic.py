"""Replacing a file in one step: a reader sees the old or the new content, never a part.

Links are followed: what a link leads to is replaced, not the link. What is no regular file is never replaced.
"""

from __future__ import annotations

import errno
import os
import shutil
import stat
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path


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
