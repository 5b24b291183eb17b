"""Replacing a file in one step: a reader sees the old or the new content, never a part."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def replacing(path: Path) -> Iterator[Path]:
    """Yield a temporary path in the same folder that replaces `path` on success and is removed on failure.

    The content is flushed to the disk first, so that a power cut leaves the old or the new file. Raise
    OSError if the disk does not take it.
    """
    temporary = path.with_name(f".{path.name}.tmp")
    try:
        yield temporary
        move_into_place(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)


def move_into_place(finished: Path, path: Path) -> None:
    """Flush a finished file to the disk and rename it to `path`, replacing what is there; raise OSError on failure."""
    with open(finished, "rb+") as file:  # Windows flushes only what was opened for writing
        os.fsync(file.fileno())
    os.replace(finished, path)


def write_text(path: Path, parts: Iterable[str]) -> None:
    """Replace a text file (UTF-8, newlines as given) by these parts, in one step; raise OSError on failure."""
    with replacing(path) as temporary, open(temporary, "w", encoding="utf-8", newline="") as file:
        file.writelines(parts)
