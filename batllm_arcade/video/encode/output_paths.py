"""Where films are written: asked before any work begins, put in place when they are whole."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from batllm_arcade.errors import UsageError


def partial_of(out: Path) -> Path:
    """Where a film is while it is being written."""
    return out.with_name(f"{out.stem}.partial{out.suffix}")


def check(path: Path, *, force: bool) -> None:
    """Make sure a file can be written there; UsageError otherwise, and for an existing one without `force`."""
    try:
        if path.is_dir():
            raise UsageError(f"{str(path)!r} is a folder; name a file to write")
        if path.exists() and not force:
            raise UsageError(f"{str(path)!r} exists already; name another file or add --force")
        if not path.parent.is_dir():
            raise UsageError(f"the folder {str(path.parent)!r} does not exist; create it or name another file")
        if not os.access(path.parent, os.W_OK):
            raise UsageError(f"the folder {str(path.parent)!r} cannot be written to; name a file somewhere else")
        with suppress(FileNotFoundError):
            os.lstat(partial_of(path))  # a name can be too long for the disk
    except (OSError, ValueError) as error:
        said = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise UsageError(f"{str(path)!r} cannot be written: {said}") from None


@contextmanager
def in_place(path: Path) -> Iterator[Path]:
    """Where to write a file that takes its place in one step when all went well."""
    beside = path.with_name(f".{path.name}.tmp")
    try:
        yield beside
        os.replace(beside, path)
    finally:
        beside.unlink(missing_ok=True)


def replace_text(path: Path, text: str) -> None:
    """Write a text file in one step."""
    with in_place(path) as beside:
        beside.write_text(text, "utf-8")
