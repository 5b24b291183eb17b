"""The music of films: the arcade's loop, or any file that PyAV decodes. Needs the extra `video`."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from functools import lru_cache
from importlib.resources import files
from itertools import islice
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from batllm_arcade.view.sound_cues import RATE

_PACKETS = 250  # decoded at a time, some seconds
_LEVEL, _MEASURED_S, _MOST = 0.11, 20.0, 4.0
"""How loud the arcade's loop is (the root of its mean square), by how many seconds another music is brought to that,
and how many times louder it is made at most."""
_FORMATS = "mp3,ogg,flac,wav,aiff,aac,mov,mp4,m4a,matroska,webm"
"""What a file of music may be: none that names other files, as playlists do."""

Samples = NDArray[np.float32]


class Loop:
    """Music without an end, decoded only as far as needed, which keeps short films cheap."""

    def __init__(self, path: Path | None) -> None:
        self._lock = threading.Lock()
        self._upcoming = decoded(path)
        self._samples = np.zeros((0, 2), np.int16)
        self._complete = False
        self._gain = np.float32(self._own_gain() if path else 1.0)

    def music(self, first: int, end: int) -> Samples:
        """Return the samples of the endless music from `first` to `end`."""
        samples = self._decoded(end)
        part = samples[first:end] if end <= len(samples) else samples[np.arange(first, end) % len(samples)]
        found: Samples = self._gain * scaled(part)
        return found

    def _decoded(self, end: int) -> NDArray[np.int16]:
        """Return the samples up to `end` at least, or all there are."""
        with self._lock:
            while len(self._samples) < end and not self._complete:
                packets = [*islice(self._upcoming, _PACKETS)]
                self._complete = len(packets) < _PACKETS
                if packets:
                    whole = np.clip(np.rint(np.concatenate(packets, axis=1).T * 32767), -32768, 32767).astype(np.int16)
                    self._samples = np.concatenate((self._samples, whole))
            return self._samples

    def _own_gain(self) -> float:
        """Return what brings the music to the level of the arcade's."""
        begun = scaled(self._decoded(round(_MEASURED_S * RATE)))
        level = float(np.sqrt(np.mean(np.square(begun)))) if len(begun) else 0.0
        return min(_MOST, _LEVEL / level) if level else 1.0


@lru_cache(maxsize=2)
def loop(path: Path | None = None) -> Loop:
    """Return the music of a file, else the arcade's."""
    return Loop(path)


def decoded(path: Path | None = None) -> Iterator[Samples]:
    """Yield the music of a file, else the arcade's, in pieces of shape (2, n); up to where it is broken, if it is.

    Raise OSError if it is no file that can be read, PyAV's FFmpegError if it is none of sound.
    """
    import av

    own = files("batllm_arcade.assets") / "sounds" / "loop.ogg"
    with (
        (own if path is None else path).open("rb") as stream,
        av.open(stream, options={"format_whitelist": _FORMATS}) as file,
    ):
        if not file.streams.audio:
            return
        resampler, some = av.AudioResampler("fltp", "stereo", RATE), False
        try:
            for frame in file.decode(audio=0):
                for piece in resampler.resample(frame):
                    some = True
                    yield piece.to_ndarray().astype(np.float32, copy=False)
        except av.error.FFmpegError:
            if not some:
                raise


def scaled(samples: NDArray[np.int16]) -> Samples:
    """Return samples from -1 to 1."""
    found: Samples = samples.astype(np.float32) / np.float32(32768)
    return found
