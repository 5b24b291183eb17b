"""The files of a league's folder, which somebody else may have filled: regular files only, and none too large."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Sequence
from pathlib import Path

from batllm_arcade.errors import UsageError

LEAGUE, PAIRS, TABLE, WORKERS_LOG = "league.json", "pairs.jsonl", "table.json", "workers.log"
MARKDOWN, PAGE = "table.md", "report.html"
SESSIONS, PAGES, PAIRINGS = "sessions", "pages", "pairings"
FILES, FOLDERS = (LEAGUE, PAIRS, TABLE, WORKERS_LOG, MARKDOWN, PAGE), (SESSIONS, PAGES, PAIRINGS)
"""All that a league writes into its folder, and the folders in it."""
LARGEST_SESSION = 64 * 1024 * 1024
"""Bytes of the largest session of one game that is read."""


def check_files(folder: Path, files: Sequence[str] = FILES) -> None:
    """Raise UsageError if one of the `files`, a league's, is a link or no regular file, or a session is too large.

    What links lead to would be published, read without end, or written over.
    """
    try:
        for path in _odd(folder, files):
            where = path.relative_to(folder).as_posix()
            raise UsageError(
                f"{where!r} in {str(folder)!r} is a link, no regular file or too large; "
                "nothing is kept in such files, so take the whole folder from a backup"
            )
    except OSError as error:
        raise UsageError(f"what is kept in {str(folder)!r} cannot be read: {error.strerror}") from None


def _odd(folder: Path, files: Sequence[str]) -> Iterator[Path]:
    for name in files:
        mode = _mode(folder / name)
        if mode and not stat.S_ISREG(mode):
            yield folder / name
    for name in FOLDERS:
        mode = _mode(folder / name)
        if mode and not stat.S_ISDIR(mode):
            yield folder / name
        elif mode:
            with os.scandir(folder / name) as listing:
                yield from (Path(each.path) for each in listing if not _is_kept(each))


def _is_kept(entry: os.DirEntry[str]) -> bool:
    """Return whether this may be in a folder of kept games: a file of a fitting size, a folder of somebody's own."""
    if not entry.is_file(follow_symlinks=False):
        return entry.is_dir(follow_symlinks=False)
    return not entry.name.endswith(".json") or entry.stat(follow_symlinks=False).st_size <= LARGEST_SESSION


def _mode(path: Path) -> int:
    try:
        return os.lstat(path).st_mode
    except FileNotFoundError:
        return 0
