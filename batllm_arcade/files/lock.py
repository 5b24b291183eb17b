"""A lock on a file that is written, such as a journal; the system drops it when the program dies.

It is on the file itself: a lock file of its own, as lock libraries make, would be one more file to leave behind.
Windows needs none, as it lets nobody remove a file that another program has open.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

if sys.platform != "win32":
    import fcntl


def lock(handle: int) -> None:
    """Lock an open file for this program; raise BlockingIOError if another program has locked it."""
    if sys.platform != "win32":
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)


def is_still_at(handle: int, path: Path) -> bool:
    """Return whether the open file is the one at `path`, and was not removed or replaced meanwhile."""
    try:
        return os.path.samestat(os.fstat(handle), os.lstat(path))
    except OSError:
        return False


def remove_unlocked(path: Path) -> None:
    """Remove a file that may be missing; raise BlockingIOError if another program holds its lock, or OSError."""
    try:
        handle = os.open(path, os.O_RDWR | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOFOLLOW", 0))
    except FileNotFoundError:
        return
    except OSError:
        path.unlink(missing_ok=True)  # a link or something else that is no journal of ours
        return
    try:
        lock(handle)  # kept until it is removed, so that nobody can begin to write into it
        if sys.platform != "win32":
            path.unlink(missing_ok=True)
    finally:
        os.close(handle)
    if sys.platform == "win32":
        path.unlink(missing_ok=True)
