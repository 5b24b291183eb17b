"""Replacing a file in one step: a reader sees the old or the new content, never a part."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Yield a new empty file in the same folder that replaces `path` on success and is removed on failure.

    It has a name that nothing else has. The content is flushed to the disk first, so that a power cut leaves the
    old or the new file. Raise OSError if the disk does not take it.
    """
    temporary = _create_first(path.with_name(f".{os.urandom(8).hex()}.tmp") for _ in count())
    try:
        yield temporary
        move_into_place(temporary, path)
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


def move_into_place(finished: Path, path: Path) -> None:
    """Flush a finished file to the disk and rename it to `path`, replacing what is there; raise OSError on failure."""
    with open(finished, "rb+") as file:  # Windows flushes only what was opened for writing
        os.fsync(file.fileno())
    os.replace(finished, path)


def write_text(path: Path, parts: Iterable[str]) -> None:
    """Replace a text file (UTF-8, newlines as given) by these parts, in one step; raise OSError on failure."""
    with replacing(path) as temporary, open(temporary, "w", encoding="utf-8", newline="") as file:
        file.writelines(parts)
