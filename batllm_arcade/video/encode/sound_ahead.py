"""Computes a film's sound one chunk ahead, so that its encoder never waits for it."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import numpy as np
from numpy.typing import NDArray

Samples = NDArray[np.int16]


class SoundAhead:
    """The chunks of a soundtrack, each computed on a thread of its own before it is wanted.

    For the first one a whole film's sound is measured.
    """

    def __init__(self, track: Iterator[Samples]) -> None:
        self._track = track
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="film sound")
        self._next = self._thread.submit(self._chunk)

    def _chunk(self) -> Samples | None:
        return next(self._track, None)

    def __iter__(self) -> Iterator[Samples]:
        return self

    def __next__(self) -> Samples:
        chunk = self._next.result()
        if chunk is None:
            raise StopIteration
        self._next = self._thread.submit(self._chunk)
        return chunk
