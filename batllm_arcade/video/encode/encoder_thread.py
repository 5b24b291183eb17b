"""Encodes on a thread of its own behind a bounded queue, so that drawing goes on and memory stays flat."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from batllm_arcade.video.encode.mp4_webm import FilmFile
from batllm_arcade.view.sound_cues import RATE

Samples = NDArray[np.int16]
_MAX_WAITING = 16  # frames in the queue: cheap ones wait there while dear ones are drawn
_SOUND_LATER_S = 1.0  # of pictures come first, so that they are encoded while the sound is measured
SWITCH_S = 0.0005
"""After which threads switch while a film is made: with Python's default the encoder would idle."""


class _BegunAhead:
    """Samples whose first chunk is computed on a thread of its own: for it a whole film's sound is measured."""

    def __init__(self, track: Iterator[Samples]) -> None:
        self._track, self._first, self._problem = track, list[Samples](), list[BaseException]()
        self._thread = threading.Thread(target=self._begin, name="film sound", daemon=True)
        self._thread.start()

    def _begin(self) -> None:
        try:
            self._first += islice(self._track, 1)
        except BaseException as error:  # noqa: BLE001 - raised where the first chunk is wanted
            self._problem.append(error)

    def __iter__(self) -> Iterator[Samples]:
        return self

    def __next__(self) -> Samples:
        self._thread.join()
        if self._problem:
            raise self._problem[0]
        return self._first.pop() if self._first else next(self._track)


class EncoderThread:
    """Passes frames and the sound that belongs to them to a film file; `frames` joins converted parts."""

    def __init__(self, file: FilmFile, frames: Any, fps: int, track: Iterator[Samples] | None) -> None:
        self._file, self._frames, self._fps = file, frames, fps
        self._track = None if track is None else _BegunAhead(track)
        self._rest, self._samples = np.zeros((0, 2), np.int16), 0
        self._queue = queue.SimpleQueue[tuple[Any, int] | None]()
        self._room = queue.SimpleQueue[None]()  # both written in C: a bounded `queue.Queue` takes twice the time
        for _ in range(_MAX_WAITING):
            self._room.put(None)
        self._problem: BaseException | None = None
        self._thread = threading.Thread(target=self._run, name="film", daemon=True)
        self._thread.start()

    def put(self, converted: Any, number: int) -> None:
        """Queue the next frame as it was converted; raise what the encoder raised."""
        self._room.get()
        self._queue.put((converted, number))
        self._raise_problem()

    def close(self) -> None:
        """Wait until all is encoded; raise what the encoder raised."""
        self.stop()
        self._raise_problem()

    def stop(self) -> None:
        """Encode what is queued and no more; afterwards the thread does not use the file."""
        self._queue.put(None)
        self._thread.join()

    def _raise_problem(self) -> None:
        if self._problem is not None:
            raise self._problem

    def _run(self) -> None:
        until = 0
        while (item := self._queue.get()) is not None:
            self._room.put(None)
            converted, number = item
            until = round((number + 1) * RATE / self._fps)
            self._try(self._encode, converted, number, until)
        self._try(self._add_sound, until, False)

    def _try(self, step: Callable[..., None], *arguments: Any) -> None:
        """Run the step unless an earlier one failed; keep its exception."""
        try:
            if self._problem is None:
                step(*arguments)
        except BaseException as error:  # noqa: BLE001 - raised again by put or close
            self._problem = error

    def _encode(self, converted: Any, number: int, until: int) -> None:
        self._file.add_frame(self._frames.join(converted), number)
        if number >= self._fps * _SOUND_LATER_S:
            self._add_sound(until, True)

    def _add_sound(self, until: int, whole: bool) -> None:
        """Pass on the sound up to that sample, with `whole` only in complete chunks."""
        while self._track is not None and self._samples < until:
            if not len(self._rest):
                self._rest = next(self._track, np.zeros((until - self._samples, 2), np.int16))
            if whole and self._samples + len(self._rest) > until:
                return
            part = self._rest[: until - self._samples]
            self._rest = self._rest[len(part) :]
            self._samples += len(part)
            self._file.add_sound(part)
