"""Encoding on a thread of its own, behind a bounded queue: drawing goes on meanwhile, memory stays flat."""

from __future__ import annotations

import queue
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
from numpy.typing import NDArray

from batllm_arcade.video.encode.mp4_webm import FilmFile
from batllm_arcade.view.sound_cues import RATE

Samples = NDArray[np.int16]
_AHEAD = 4  # frames that wait for the encoder
_SWITCH_S = 0.0005


@contextmanager
def quick_turns() -> Iterator[None]:
    """Let the encoder's thread have the interpreter soon when it asks: at Python's five milliseconds it idles."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(_SWITCH_S)
    try:
        yield
    finally:
        sys.setswitchinterval(before)


class EncoderThread:
    """Hands pictures to a film file, and the sound that belongs to them; `frames` takes and joins them."""

    def __init__(self, file: FilmFile, frames: Any, fps: int, track: Iterator[Samples] | None) -> None:
        self._file, self._frames, self._fps = file, frames, fps
        self._track, self._left, self._heard = track, np.zeros((0, 2), np.int16), 0
        self._queue: queue.Queue[tuple[Any, int] | None] = queue.Queue(_AHEAD)
        self._problem: BaseException | None = None
        self._thread = threading.Thread(target=self._run, name="film", daemon=True)
        self._thread.start()

    def put(self, taken: Any, number: int) -> None:
        """The next picture, as it was taken; raises what the encoder ran into."""
        self._queue.put((taken, number))
        self._complain()

    def close(self) -> None:
        """Wait until all is encoded; raises what the encoder ran into."""
        self.stop()
        self._complain()

    def stop(self) -> None:
        """Encode what is on the belt and no more; afterwards nobody uses the file."""
        self._queue.put(None)
        self._thread.join()

    def _complain(self) -> None:
        if self._problem is not None:
            raise self._problem

    def _run(self) -> None:
        until = 0
        while (item := self._queue.get()) is not None:
            taken, number = item
            until = round((number + 1) * RATE / self._fps)
            self._try(lambda taken=taken, number=number: self._file.picture(self._frames.joined(taken), number))  # type: ignore[misc]
            self._try(lambda until=until: self._play(until))  # type: ignore[misc]
        self._try(lambda: self._play(until, whole=False))

    def _try(self, step: Callable[[], None]) -> None:
        try:
            if self._problem is None:
                step()
        except BaseException as error:  # noqa: BLE001 - raised again where the film is made
            self._problem = error

    def _play(self, until: int, *, whole: bool = True) -> None:
        """Hand on the sound up to that sample; only chunks that are `whole` while there is more to come."""
        while self._track is not None and self._heard < until:
            if not len(self._left):
                self._left = next(self._track, np.zeros((until - self._heard, 2), np.int16))
            if whole and self._heard + len(self._left) > until:
                return
            part = self._left[: until - self._heard]
            self._left = self._left[len(part) :]
            self._heard += len(part)
            self._file.sound(part)
