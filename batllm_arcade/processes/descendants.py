"""What a child may leave behind, ended and removed: its processes and its folder, by the system calls alone."""

from __future__ import annotations

import contextlib
import os
import signal
import stat
import sys
import time
from collections.abc import Collection, Iterator
from contextlib import suppress

ENDING_S = 5.0
"""Seconds after which processes that do not even end when killed (stuck in the kernel) are given up."""
LINUX = sys.platform == "linux"
_SUBREAPER, _DEATH_SIGNAL = 36, 1
"""Numbers of prctl's PR_SET_CHILD_SUBREAPER and PR_SET_PDEATHSIG."""


def adopt_orphans() -> None:
    """Become the parent of every process below whose own parent has died, where the system can do that."""
    if LINUX:
        _prctl(_SUBREAPER, 1)


def die_with_parent() -> None:
    """Be killed when the parent has died, where the system can do that."""
    if LINUX:
        _prctl(_DEATH_SIGNAL, signal.SIGKILL)


def descendants(apart: Collection[int] = ()) -> set[int]:
    """Return all processes below this one, as far as the system tells them, without those `apart` and below these."""
    found: set[int] = set()
    looking = [os.getpid()] if LINUX else []
    while looking:
        for pid in _children(looking.pop()):
            if pid not in found and pid not in apart:
                found.add(pid)
                looking.append(pid)
    return found


def _children(pid: int) -> list[int]:
    found: list[int] = []
    with contextlib.suppress(OSError):
        for task in os.listdir(f"/proc/{pid}/task"):
            with contextlib.suppress(OSError), open(f"/proc/{pid}/task/{task}/children", "rb") as file:
                found += map(int, file.read().split())
    return found


def reap(child: int) -> int | None:
    """Forget processes that have ended; return the child's status once it is among them."""
    found = None
    with contextlib.suppress(ChildProcessError):
        while True:
            pid, status = os.waitpid(-1, os.WNOHANG)
            if pid == 0:
                break
            if pid == child:
                found = status
    return found


def end_all(child: int) -> None:
    """Kill the child's group and all below this process, again and again: one that starts others must not get ahead."""
    ends = time.monotonic() + ENDING_S
    while time.monotonic() < ends:
        with contextlib.suppress(OSError):
            os.killpg(child, signal.SIGKILL)
        for pid in descendants():
            send(pid, signal.SIGKILL)
        reap(child)
        try:
            os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return
        time.sleep(0.001)


def end_marked(mark: str) -> bool:
    """Kill every process of this user whose environment or name began with `mark`; return whether there was one."""
    found, ends = False, time.monotonic() + ENDING_S
    while (pids := _marked(mark.encode())) and time.monotonic() < ends:
        found = True
        for pid in pids:
            send(pid, signal.SIGKILL)
        time.sleep(0.01)
    return found


def _marked(mark: bytes) -> list[int]:
    found = []
    for name in os.listdir("/proc") if LINUX else ():
        if name.isdecimal() and int(name) != os.getpid():
            named = _read(f"/proc/{name}/cmdline").startswith(mark)
            if named or mark in _read(f"/proc/{name}/environ").split(b"\0"):
                found.append(int(name))
    return found


def _read(path: str) -> bytes:
    with contextlib.suppress(OSError), open(path, "rb") as file:
        return file.read()
    return b""


def send(pid: int, number: int) -> None:
    """Send a signal to a process that may have ended."""
    with contextlib.suppress(OSError):
        os.kill(pid, number)


def _prctl(option: int, value: int) -> None:
    import ctypes

    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None, use_errno=True).prctl(option, value, 0, 0, 0)


# -- Removing a folder and what is in it

_FOLDER = getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)
_MOST_MOVES = 100
"""Names that are tried until one is free; they are drawn, so that nobody can have taken them all."""


def hold(folder: str) -> int:
    """Return a descriptor of a folder, by which it is removed wherever it is then; -1 if it is none, or a link."""
    if os.rmdir not in os.supports_dir_fd:  # Windows
        return -1
    try:
        return os.open(folder, os.O_RDONLY | _FOLDER)
    except OSError:
        return -1


def remove(folder: str, held: int) -> None:
    """Remove the folder that is held, and close it; a link that stands in its place is unlinked and not followed.

    Another folder that was put there stays, unless it is empty: nobody knows whose it is.
    """
    if held >= 0:
        try:
            _empty(held)
            for name in (folder, _path_now(held)):
                with suppress(OSError):
                    if name and os.path.samestat(os.lstat(name), os.fstat(held)):
                        os.rmdir(name)
        finally:
            os.close(held)
    elif os.rmdir not in os.supports_dir_fd:
        import shutil

        shutil.rmtree(folder, ignore_errors=True)
    with suppress(OSError):
        os.unlink(folder) if os.path.islink(folder) else os.rmdir(folder)


def _path_now(held: int) -> str:
    try:
        if sys.platform == "linux":
            return os.readlink(f"/proc/self/fd/{held}")
        import fcntl

        found = fcntl.fcntl(held, fcntl.F_GETPATH, bytes(1024))
        return os.fsdecode(found.rstrip(b"\0"))
    except (OSError, ImportError, AttributeError):
        return ""


def _empty(top: int) -> None:
    """Remove what is in a folder, as far as it can be; no call is nested, and three descriptors are open at most."""
    device, names = os.fstat(top).st_dev, _free_names()
    progress = True
    while progress:
        progress = False
        for name in _listed(top):
            progress |= _remove_entry(top, name, device, names)


def _remove_entry(top: int, name: str, device: int, names: Iterator[str]) -> bool:
    """Remove an entry, or bring what is in it up into `top`; return whether something has changed."""
    try:
        if not _is_folder(top, name):
            os.unlink(name, dir_fd=top)
            return True
        _open_up(top, name)
        inner = os.open(name, os.O_RDONLY | _FOLDER, dir_fd=top)
    except OSError:
        return False
    try:
        # What is mounted there is somebody else's.
        return os.fstat(inner).st_dev == device and _bring_up(inner, top, names) | _rmdir(top, name)
    finally:
        os.close(inner)


def _bring_up(inner: int, top: int, names: Iterator[str]) -> bool:
    """Remove a folder's files and move its folders into `top`; return whether there was something to do."""
    changed = False
    for name in _listed(inner):
        with suppress(OSError):
            if not _is_folder(inner, name):
                os.unlink(name, dir_fd=inner)
                changed = True
            elif not _rmdir(inner, name):
                _open_up(inner, name)
                changed |= _move(inner, name, top, names)
            else:
                changed = True
    return changed


def _move(inner: int, name: str, top: int, names: Iterator[str]) -> bool:
    for _ in range(_MOST_MOVES):
        try:
            os.rename(name, next(names), src_dir_fd=inner, dst_dir_fd=top)
            return True
        except (FileExistsError, NotADirectoryError):
            continue
        except OSError as error:
            import errno

            if error.errno != errno.ENOTEMPTY:
                return False
    return False


def _free_names() -> Iterator[str]:
    start, number = os.urandom(8).hex(), 0
    while True:
        number += 1
        yield f"{start}-{number}"


def _listed(folder: int) -> list[str]:
    try:
        return os.listdir(folder)
    except OSError:
        return []


def _is_folder(parent: int, name: str) -> bool:
    return stat.S_ISDIR(os.stat(name, dir_fd=parent, follow_symlinks=False).st_mode)


def _rmdir(parent: int, name: str) -> bool:
    try:
        os.rmdir(name, dir_fd=parent)
    except OSError:
        return False
    return True


def _open_up(parent: int, name: str) -> None:
    """Let this user into a folder whose mode keeps everybody out, where that can be done without following a link."""
    if hasattr(os, "O_PATH"):
        found = os.open(name, os.O_PATH | _FOLDER, dir_fd=parent)
        try:
            os.chmod(f"/proc/self/fd/{found}", 0o700)
        finally:
            os.close(found)
