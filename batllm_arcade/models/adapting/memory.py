"""What servers have refused, kept in a small file of the data folder, so that it is asked once and not every time."""

from __future__ import annotations

import errno
import json
import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import cached_property
from pathlib import Path
from typing import Any

from batllm_arcade.files.atomic import write_text
from batllm_arcade.files.lock import is_still_at, lock
from batllm_arcade.files.paths import data_folder
from batllm_arcade.files.reading import read_text
from batllm_arcade.models.adapting.adaptation import Adaptation, from_json

KEPT_S = 30 * 86_400.0
"""Seconds after which a server is asked anew: it may have learnt meanwhile."""
MOST = 500
"""Servers and models that are remembered, the last ones."""
TRIES, PAUSE_S = 20, 0.01
"""How often, and after how many seconds each, a file is tried that another program writes just now."""
Kept = dict[str, Any]


def data_file() -> Path:
    """Return the file in the user's data folder."""
    return data_folder() / "adapted.json"


class Memory:
    """The file at `path()`; `now()` is the time in seconds since 1970.

    A file that is missing or damaged is empty, and one that cannot be written is left: what was learnt then holds
    until the program ends.
    """

    def __init__(self, path: Callable[[], Path] = data_file, now: Callable[[], float] = time.time) -> None:
        self._find, self._now = path, now
        self._seen: tuple[int, int] | None = None
        self._kept: Kept = {}

    @cached_property
    def _path(self) -> Path:
        return self._find()  # looked up once: that takes longer than to look at the file

    def recall(self, key: str) -> tuple[Adaptation, ...]:
        """Return what was learnt for a server and model within the last 30 days."""
        path = self._path
        seen = _signature(path)
        if seen != self._seen:
            self._kept, self._seen = _read(path), seen
        entry = self._kept.get(key)
        return _adaptations(entry) if entry is not None and _is_fresh(entry, self._now()) else ()

    def keep(self, key: str, adaptations: Sequence[Adaptation]) -> None:
        """Write down what was learnt for a server and model, beside what others have."""
        path, now = self._path, self._now()
        with suppress(OSError), _locked(path):
            entries = {name: each for name, each in _read(path).items() if _is_fresh(each, now) and name != key}
            entries[key] = {"learnt": int(now), "adaptations": [each.json() for each in adaptations]}
            latest = dict(list(entries.items())[-MOST:])
            write_text(path, [json.dumps({"version": 1, "servers": latest}, indent=1), "\n"])


def _signature(path: Path) -> tuple[int, int] | None:
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_mtime_ns, found.st_ino


def _read(path: Path) -> Kept:
    try:
        values = json.loads(read_text(path))
    except (OSError, ValueError, RecursionError):
        return {}
    servers = values.get("servers") if isinstance(values, dict) else None
    return servers if isinstance(servers, dict) else {}


def _is_fresh(entry: Any, now: float) -> bool:
    learnt = entry.get("learnt") if isinstance(entry, Mapping) else None
    return isinstance(learnt, (int, float)) and 0 <= now - learnt < KEPT_S


def _adaptations(entry: Mapping[str, Any]) -> tuple[Adaptation, ...]:
    listed = entry.get("adaptations")
    found = map(from_json, listed if isinstance(listed, list) else ())
    return tuple(each for each in found if each is not None)


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    """Hold the file for this program alone; raise OSError if that cannot be."""
    path.parent.mkdir(parents=True, exist_ok=True)
    for _ in range(TRIES):
        handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
        try:
            lock(handle)
            if is_still_at(handle, path):  # else another program has just replaced it
                yield
                return
        except BlockingIOError:
            time.sleep(PAUSE_S)
        finally:
            os.close(handle)
    raise OSError(errno.EAGAIN, "another program writes it", str(path))
