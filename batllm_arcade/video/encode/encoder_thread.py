"""Encodes on threads of their own behind bounded queues, so that drawing goes on and memory stays flat."""

from __future__ import annotations

import math
import queue
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

import numpy as np
from numpy.typing import NDArray

from batllm_arcade.video.encode.film_files import FilmFile
from batllm_arcade.view.sound_cues import RATE

Samples = NDArray[np.int16]
_MAX_WAITING, _FEW_WAITING = 48, 8
"""Frames in the queue at most, and with how few left the next ones are drawn: in long runs both take less time."""
_MAX_SOUND_WAITING = 200  # chunks, 20 s: encoding them in one go takes less time
_SOUND_LATER_S = 1.0  # of pictures come first, so that they are encoded while the sound is measured
SWITCH_S = 0.0005
"""After which threads switch while a film is made: with Python's default the encoder would idle."""


class _SoundThread:
    """Encodes a film's sound ahead of its pictures: `length` samples of `track`, then silence if it ends sooner."""

    def __init__(self, file: FilmFile, track: Iterator[Samples], length: int) -> None:
        self._file, self._track, self._length = file, track, length
        self._encoded = queue.Queue[tuple[float, Any]](_MAX_SOUND_WAITING)
        """Samples so far, and the packets that came with them, or what went wrong."""
        self._next: tuple[float, Any] | None = None
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, name="film sound", daemon=True)
        self._thread.start()

    def write(self, until: int) -> None:
        """Write the chunks that end by that sample, once they are encoded; raise what went wrong with the sound."""
        while self._upcoming()[0] <= until:
            self._file.write(self._upcoming()[1])
            self._next = None

    def end(self, until: int) -> None:
        """Write all that begins before that sample; raise what went wrong with the sound."""
        self.write(until)
        self._file.write([packet for packet in self._upcoming()[1] if packet.pts < until])

    def _upcoming(self) -> tuple[float, Any]:
        if self._next is None:
            self._next = self._encoded.get()
        if isinstance(self._next[1], BaseException):
            raise self._next[1]
        return self._next

    def stop(self) -> None:
        """Encode no more; afterwards the thread does not use the file."""
        self._stopped.set()
        with suppress(queue.Empty):  # it may wait for room
            while True:
                self._encoded.get_nowait()
        self._thread.join()

    def _run(self) -> None:
        try:
            done = 0
            for chunk in _of_length(self._track, self._length):
                done += len(chunk)
                self._encoded.put((done, self._file.encode_sound(chunk)))
                if self._stopped.is_set():
                    return
            self._encoded.put((done, self._file.encode_sound(None)))
            self._encoded.put((math.inf, []))
        except BaseException as error:  # noqa: BLE001 - raised where the chunk is wanted
            self._encoded.put((math.inf, error))


def _of_length(track: Iterator[Samples], length: int) -> Iterator[Samples]:
    while length > 0:
        chunk = next(track, np.zeros((length, 2), np.int16))[:length]
        length -= len(chunk)
        yield chunk


class EncoderThread:
    """Passes frames and the sound that belongs to them to a film file; `frames` joins converted parts.

    A film with sound has `count` frames unless it is ended sooner.
    """

    def __init__(
        self, file: FilmFile, frames: Any, fps: int, track: Iterator[Samples] | None = None, count: int = 0
    ) -> None:
        self._file, self._frames, self._fps = file, frames, fps
        self._sound = None if track is None else _SoundThread(file, track, self._samples(count))
        self._queue = queue.SimpleQueue[tuple[Any, int] | None]()
        self._drained = threading.Event()
        self._problem: BaseException | None = None
        self._thread = threading.Thread(target=self._run, name="film", daemon=True)
        self._thread.start()

    def put(self, converted: Any, number: int) -> None:
        """Queue the next frame as it was converted; raise what the encoder raised.

        Where many wait there, return when few are left.
        """
        self._queue.put((converted, number))
        if self._queue.qsize() >= _MAX_WAITING:
            self._drained.clear()
            if self._queue.qsize() > _FEW_WAITING:  # else all may be taken already
                self._drained.wait()
        self._raise_problem()

    def close(self) -> None:
        """Wait until all is encoded; raise what the encoder raised."""
        self.stop()
        self._raise_problem()

    def stop(self) -> None:
        """Encode what is queued and no more; afterwards no thread uses the file."""
        self._queue.put(None)
        self._thread.join()

    def _raise_problem(self) -> None:
        if self._problem is not None:
            raise self._problem

    def _run(self) -> None:
        done = 0
        while (item := self._queue.get()) is not None:
            if self._queue.qsize() <= _FEW_WAITING and not self._drained.is_set():
                self._drained.set()
            converted, number = item
            done = number + 1
            self._try(self._encode, converted, number)
        if self._sound is not None:
            self._try(self._sound.end, self._samples(done))
            self._sound.stop()

    def _samples(self, frames: int) -> int:
        return round(frames * RATE / self._fps)

    def _try(self, step: Callable[..., None], *arguments: Any) -> None:
        try:
            if self._problem is None:
                step(*arguments)
        except BaseException as error:  # noqa: BLE001 - raised again by put or close
            self._problem = error

    def _encode(self, converted: Any, number: int) -> None:
        self._file.add_frame(self._frames.join(converted), number)
        if self._sound is not None and number >= self._fps * _SOUND_LATER_S:
            self._sound.write(self._samples(number + 1))
