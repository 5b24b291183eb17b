"""The limits of a server: how many requests and tokens a minute it takes, shared by all processes of this computer."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import asdict, dataclass, fields
from functools import cached_property
from pathlib import Path
from typing import Any

from batllm_arcade.files.atomic import locked
from batllm_arcade.files.paths import data_folder

LONGEST_S = 600.0
"""Seconds for which a play waits for limits in all, where that is no time of its own."""
FIRST_S, MORE, LESS = 0.05, 1.5, 0.98
"""Seconds between two requests after a first refusal, how many times as many after a further one, after an answer."""
CUT_S = 0.5
"""Seconds within which further refusals are those of the same moment."""
CHARACTERS = 4.0
"""Characters of a token, roughly."""
WAIT_S = 2.0
"""Seconds for which the file is waited for that another process has."""
_KEPT_S = 86_400.0
_LARGEST = 1 << 20


@dataclass(slots=True)
class _Pace:
    """When a server may be asked next, by requests and by tokens, and from when on again after it refused."""

    request: float = 0.0
    tokens: float = 0.0
    until: float = 0.0
    gap: float = 0.0
    """Seconds between two requests, as far as refusals have taught it."""
    cut: float = 0.0

    @property
    def last(self) -> float:
        """Return until when anybody waited for it."""
        return max(self.request, self.until)


def data_file() -> Path:
    """Return the file in the user's data folder."""
    return data_folder() / "limits.json"


class ServerLimits:
    """The limits of the server at `address`: `rpm` requests and `tpm` tokens a minute (0: as it turns out).

    What is known stands in a file, so that all seats, workers and leagues ask one after the other; where that cannot be
    written it holds in this process alone. `now` is the time in seconds since 1970.
    """

    def __init__(
        self, address: str, rpm: float = 0.0, tpm: float = 0.0, path: Callable[[], Path] = data_file,
        now: Callable[[], float] = time.time,
    ) -> None:  # fmt: skip
        self._address = address
        self._gap, self._token_s = 60 / rpm if rpm else 0.0, 60 / tpm if tpm else 0.0
        self._find, self._now, self._own = path, now, _Pace()
        self._seen: tuple[int, int] | None = None
        self._asked = 0.0  # tokens of the last request, roughly

    @cached_property
    def _path(self) -> Path:
        return self._find()

    @cached_property
    def _key(self) -> str:
        from hashlib import sha256  # an address may hold what is nobody's business

        return sha256(self._address.encode()).hexdigest()[:16]

    @property
    def known(self) -> bool:
        """Whether any was named."""
        return bool(self._gap or self._token_s)

    def wait_s(self, characters: int) -> float:
        """Take the next turn for a request of so many characters; return the seconds until then."""
        if not (self.known or self._changed()):
            return 0.0
        with self._shared() as pace:
            now = self._now()
            begins = max(now, pace.until, pace.request, pace.tokens)
            pace.request = begins + max(self._gap, pace.gap)
            self._asked = characters / CHARACTERS
            pace.tokens = begins + self._asked * self._token_s
            return min(LONGEST_S, begins - now)

    def spent(self, tokens: int) -> None:
        """Count the tokens of the last request and its answer, beyond those that it was taken to be."""
        if self._token_s:
            with self._shared() as pace:
                pace.tokens += max(0.0, tokens - self._asked) * self._token_s

    def refused(self, wait_s: float | None) -> None:
        """Note that the server takes no requests for now, or for so many seconds: everybody asks less often."""
        with self._shared() as pace:
            now = self._now()
            pace.until = max(pace.until, now + min(wait_s or 0.0, LONGEST_S))
            if now - pace.cut >= CUT_S:
                pace.gap, pace.cut = max(FIRST_S, pace.gap * MORE), now

    def worked(self) -> None:
        """Note an answer: what refusals have taught fades."""
        if self._own.gap:
            with self._shared() as pace:
                pace.gap = pace.gap * LESS if pace.gap > FIRST_S / 10 else 0.0

    def _changed(self) -> bool:
        """Return whether this server has refused anybody; looked up only where the file is another one."""
        with suppress(OSError):
            found = os.stat(self._path)
            if (seen := (found.st_mtime_ns, found.st_size)) != self._seen:
                self._seen = seen
                self._own = _read(self._path.read_bytes()).get(self._key, self._own)
        return bool(self._own.gap or self._own.until > self._now())

    @contextmanager
    def _shared(self) -> Iterator[_Pace]:
        with ExitStack() as held:
            try:
                file = held.enter_context(locked(self._path, WAIT_S))
            except OSError:
                yield self._own
                return
            paces = _read(file.read(_LARGEST))
            self._own = paces.setdefault(self._key, _Pace())
            yield self._own
            now = self._now()
            kept = {key: asdict(each) for key, each in paces.items() if each is self._own or each.last > now - _KEPT_S}
            file.seek(0)
            file.truncate()
            file.write(json.dumps({"version": 1, "servers": kept}).encode("ascii"))


def _read(data: bytes) -> dict[str, _Pace]:
    try:
        values: Any = json.loads(data)["servers"]
        names = [field.name for field in fields(_Pace)]
        return {str(key): _Pace(*(float(each[name]) for name in names)) for key, each in values.items()}
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return {}
