"""The sound of a match, mixed."""

from __future__ import annotations

import threading
import wave
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from importlib.resources import files
from itertools import islice
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from batllm_arcade.view.sound_cues import DUCKING, RATE, Cue, stereo

# -- The music of films: the arcade's loop, or any file that PyAV decodes. Needs the extra `video`

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


# -- Mixes a film's cues and music offline, in little memory. Needs the extra `video`

CHUNK = 4800
"""The default number of samples in a chunk: a tenth of a second."""
MUSIC_IN_S, MUSIC_OUT_S = 0.4, 2.0
"""Seconds in which the music fades in and, at the film's end, out."""
END = 1440
"""Samples at a film's end over which everything fades out, so that cut sounds do not click."""
CEILING = 0.94
"""The highest sample value; from half of it on loud passages are compressed instead of clipped."""


def mix(
    cues: Iterable[Cue],
    seconds: float,
    *,
    music: bool | Path = True,
    effects_gain: float = 0.8,
    music_gain: float = 0.4,
    chunk: int = CHUNK,
) -> Iterator[NDArray[np.int16]]:
    """Yield the sound of a film of that length as chunks of shape (n, 2), int16, 48 kHz, the last one shorter.

    `music` is whether there is the arcade's, or the file of another one. Cues have to be in order of `at` and are read
    only as far as needed, so that both they and the film may be endless. Equal arguments give equal bytes, whatever the
    chunk size.
    """
    mixer = Mixer(effects_gain=effects_gain, music_gain=music_gain if music else 0.0, music=music)
    length, upcoming = round(seconds * RATE), iter(cues)
    cue = next(upcoming, None)
    for first in range(0, length, chunk):
        end = min(first + chunk, length)
        while cue is not None and _sample(cue) < end:
            mixer.add(cue)
            cue = next(upcoming, None)
        yield mixer.mixed(first, end, length)


class Mixer:
    """Mixes one range of samples after the other, for films of unknown length. The gains are those of `mix`."""

    def __init__(self, *, effects_gain: float = 0.8, music_gain: float = 0.4, music: bool | Path = True) -> None:
        self.effects_gain, self.music_gain = effects_gain, music_gain
        self._loop = loop(music if isinstance(music, Path) else None)
        self._voices: list[tuple[int, Samples, float, float]] = []  # first sample, sound, left, right
        self._ducked: list[tuple[float, str]] = []  # the sounds that the music steps back for, and when they begin

    def add(self, cue: Cue) -> None:
        """Add a sound; the part of it before the next range is lost."""
        left, right = stereo(cue)
        self._voices.append((_sample(cue), _sound(cue.sound), left * self.effects_gain, right * self.effects_gain))
        if cue.sound in DUCKING:
            self._ducked.append((cue.at, cue.sound))

    def mixed(self, first: int, end: int, length: int | None = None) -> NDArray[np.int16]:
        """Return the samples from `first` to `end`, shape (n, 2); `length` is the film's number of samples if known."""
        out = np.zeros((end - first, 2), np.float32)
        if self.music_gain:
            times = np.arange(first, end) / RATE
            level = self.music_gain * self._ducking_level(times) * _fade_level(times, length)
            out += self._loop.music(first, end) * level.astype(np.float32)[:, None]
        for start, sound, left, right in self._voices:
            into, until = max(first, start), min(end, start + len(sound))
            if into < until:
                piece = sound[into - start : until - start]
                out[into - first : until - first, 0] += piece * np.float32(left)
                out[into - first : until - first, 1] += piece * np.float32(right)
        self._voices = [voice for voice in self._voices if voice[0] + len(voice[1]) > end]
        if length is not None:
            out *= np.clip((length - np.arange(first, end)) / END, 0.0, 1.0).astype(np.float32)[:, None]
        return _compressed(out)

    def _ducking_level(self, times: NDArray[np.float64]) -> NDArray[np.float64]:
        level = np.ones(len(times))
        self._ducked = [(at, sound) for at, sound in self._ducked if times[0] < at + DUCKING[sound][-1][0]]
        for at, sound in self._ducked:
            if at <= times[-1]:
                seconds, shares = (np.array(column) for column in zip(*DUCKING[sound], strict=True))
                level = np.minimum(level, np.interp(times - at, seconds, shares))
        return level


def _sample(cue: Cue) -> int:
    return round(cue.at * RATE)


def _fade_level(times: NDArray[np.float64], length: int | None) -> NDArray[np.float64]:
    """Return the factor for the music's volume at these times: it fades in, and out before the end."""
    share = times / MUSIC_IN_S
    if length is not None:
        share = np.minimum(share, (length / RATE - times) / MUSIC_OUT_S)
    return np.clip(share, 0.0, 1.0)


def _compressed(mixed: Samples) -> NDArray[np.int16]:
    """Return the samples as int16, with loud passages compressed below the ceiling; `mixed` is changed."""
    knee = np.float32(CEILING / 2)
    loud = np.abs(mixed) > knee
    if loud.any():
        over = mixed[loud]
        mixed[loud] = np.copysign(knee + knee * np.tanh((np.abs(over) - knee) / knee), over)
    whole: NDArray[np.int16] = np.rint(mixed * np.float32(32767)).astype(np.int16)
    return whole


@cache
def _sound(name: str) -> Samples:
    """Return an effect's samples; silence if there is no such file, as in the player of the window."""
    path = files("batllm_arcade.assets") / "sounds" / f"{name}.wav"
    if not path.is_file():
        return np.zeros(0, np.float32)
    with path.open("rb") as stream, wave.open(stream) as file:
        samples = np.frombuffer(file.readframes(file.getnframes()), "<i2")
    return scaled(samples)
