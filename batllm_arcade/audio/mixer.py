"""A film's sound: its cues and music mixed offline, and brought to one loudness."""

from __future__ import annotations

import math
import threading
import wave
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from itertools import chain, islice
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from batllm_arcade.view.sound_cues import DUCKING, RATE, Cue, factor, stereo

# The music of films

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


# Mixes a film's cues and music offline

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
    path = files("batllm_arcade.assets") / "sounds" / f"{name}.wav"
    if not path.is_file():
        return np.zeros(0, np.float32)
    with path.open("rb") as stream, wave.open(stream) as file:
        samples = np.frombuffer(file.readframes(file.getnframes()), "<i2")
    return scaled(samples)


# How loud sound is by ITU-R BS.1770

MS = RATE // 1000
"""Samples in a millisecond."""

_FRAME, _LEAD = RATE, 13440  # samples filtered at a time, and those before them in which the filter settles
_SHELF = ((1.53512485958697, -2.69169618940638, 1.19839281085285), (1.0, -1.69065929318241, 0.73248077421585))
_HIGH_PASS = ((1.0, -2.0, 1.0), (1.0, -1.99004745483398, 0.99007225036621))
"""The filter of the standard at 48 kHz: numerators and denominators."""
_TAPS = 12  # of each of the three filters that find the values between two samples
_OFFSET, _ABSOLUTE, _RELATIVE = -0.691, -70.0, -10.0
_STEP, _BLOCK = 100, 4  # milliseconds from one block to the next; a block is so many steps long


@dataclass(frozen=True, slots=True)
class LoudnessScan:
    """Sound, a value a millisecond: `energy` is the K-weighted mean square of both channels, `peak` the true peak."""

    energy: Samples
    peak: Samples

    @classmethod
    def of(cls, chunks: Iterable[NDArray[np.int16]]) -> LoudnessScan:
        """Return the scan of stereo sound in chunks of shape (n, 2), int16 at 48 kHz."""
        energy, peak = [np.zeros(0, np.float32)], [np.zeros(0, np.float32)]
        before, count = np.zeros((2, _LEAD), np.float32), 0

        def counted() -> Iterator[NDArray[np.int16]]:
            nonlocal count
            for chunk in chunks:
                count += len(chunk)
                yield chunk

        for frame in _frames(counted()):
            both = np.concatenate((before, frame), axis=1)
            energy.append(_by_ms(_weighted(both)[:, _LEAD:] ** 2).mean(axis=2).sum(axis=0))
            peak.append(_by_ms(_peaks(both[:, _LEAD - _TAPS :])[:, _TAPS:]).max(axis=(0, 2)))
            before = both[:, -_LEAD:]
        length = -(-count // MS)
        return cls(np.concatenate(energy)[:length], np.concatenate(peak)[:length])

    def integrated(self, gain: Samples | float = 1.0) -> float:
        """Return the loudness in LUFS, gated as the standard says, with a gain for every millisecond; -inf: silence."""
        energy = (self.energy * gain**2).astype(np.float64)
        steps = energy[: len(energy) // _STEP * _STEP].reshape(-1, _STEP).mean(axis=1)
        if len(steps) < _BLOCK:
            steps = np.full(_BLOCK, energy.mean() if len(energy) else 0.0)
        blocks = np.lib.stride_tricks.sliding_window_view(steps, _BLOCK).mean(axis=1)
        loud = blocks[_lufs(blocks) > _ABSOLUTE]
        if len(loud):
            loud = loud[_lufs(loud) > float(_lufs(loud.mean())) + _RELATIVE]
        return float(_lufs(loud.mean())) if len(loud) else -math.inf


def _lufs(energy: NDArray[np.float64]) -> NDArray[np.float64]:
    with np.errstate(divide="ignore"):
        found: NDArray[np.float64] = _OFFSET + 10 * np.log10(energy)
    return found


def _frames(chunks: Iterable[NDArray[np.int16]]) -> Iterator[Samples]:
    waiting, count = list[NDArray[np.int16]](), 0
    for chunk in chunks:
        waiting.append(chunk)
        count += len(chunk)
        while count >= _FRAME:
            whole = np.concatenate(waiting)
            yield _scaled(whole[:_FRAME])
            waiting, count = [whole[_FRAME:]], count - _FRAME
    if count:
        yield np.pad(_scaled(np.concatenate(waiting)), ((0, 0), (0, _FRAME - count)))


def _scaled(samples: NDArray[np.int16]) -> Samples:
    found: Samples = np.ascontiguousarray(samples.T, np.float32) / np.float32(32768)
    return found


def _by_ms(values: Samples) -> Samples:
    return values.reshape(len(values), -1, MS)


def _response(count: int) -> NDArray[np.complex64]:
    """Return the filter's response at the frequencies of a Fourier transform of so many samples."""
    z = np.exp(-2j * np.pi * np.arange(count // 2 + 1) / count)
    found = np.ones(len(z), np.complex128)
    for above, below in (_SHELF, _HIGH_PASS):
        found *= np.polyval(above[::-1], z) / np.polyval(below[::-1], z)
    return found.astype(np.complex64)


_RESPONSE = _response(_FRAME + _LEAD)


def _weighted(both: Samples) -> Samples:
    found: Samples = np.fft.irfft(np.fft.rfft(both) * _RESPONSE, both.shape[1]).astype(np.float32)
    return found


def _between() -> list[Samples]:
    """Return the filters that give the values a quarter, a half and three quarters on the way to the next sample."""
    places = np.arange(_TAPS) - (_TAPS / 2 - 1)
    filters = []
    for quarter in (1, 2, 3):
        away = quarter / 4 - places
        taps = np.sinc(away) * np.cos(np.pi * away / (_TAPS + 1)) ** 2
        filters.append((taps / taps.sum())[::-1].astype(np.float32))
    return filters


_FILTERS = _between()


def _peaks(both: Samples) -> Samples:
    """Return how far the wave goes from zero at each sample and on the way to the next one."""
    found, half, count = np.abs(both), _TAPS // 2, both.shape[1]
    padded = np.pad(both, ((0, 0), (half - 1, half)))
    for taps in _FILTERS:  # tap by tap over all samples: a third of the time of np.convolve
        middle = np.zeros_like(both)
        for place, tap in enumerate(taps[::-1]):
            middle += padded[:, place : place + count] * tap
        np.maximum(found, np.abs(middle), out=found)
    return found


CEILING_DB = -3.0
"""The highest true peak in dB of full scale before the sound is compressed, which adds up to 1.7 dB."""
_MOST_DB = 30.0  # that sound is made louder
_ATTACK_MS, _RELEASE_MS = 4, 60  # in which the limiter closes, and opens again to a third
_KEPT = 120 * RATE  # samples that need not be mixed again after they were measured
_LOOKS, _CLOSE = 8, 0.005  # at the loudness behind the limiter, at most, and in LUFS what is near enough

Sound = NDArray[np.int16]


def mastered(track: Callable[[], Iterator[Sound]], lufs: float) -> Iterator[Sound]:
    """Yield a soundtrack with this integrated loudness in LUFS (ITU-R BS.1770) and true peaks below the ceiling.

    `track` gives the same chunks of shape (n, 2), int16 at 48 kHz, each time it is called: once to be measured.
    """
    kept, count = list[Sound](), 0

    def noted() -> Iterator[Sound]:
        nonlocal count
        for chunk in track():
            if count < _KEPT:
                kept.append(chunk)
            count += len(chunk)
            yield chunk

    gain, first = gains(LoudnessScan.of(noted()), lufs), 0
    middles = (np.arange(len(gain)) + 0.5) * MS
    rest = islice(track(), len(kept), None) if count > sum(map(len, kept)) else ()
    for chunk in chain(kept, rest):
        at = np.arange(first, first + len(chunk)) + 0.5
        near = slice(max(0, first // MS - 1), (first + len(chunk)) // MS + 2)
        louder = chunk * np.interp(at, middles[near], gain[near])[:, None] if len(gain) else chunk
        yield np.clip(np.rint(louder), -32767, 32767).astype(np.int16)
        first += len(chunk)


def gains(scan: LoudnessScan, lufs: float) -> Samples:
    """Return the gain for every millisecond of what was scanned; 1 for silence."""
    whole, ones = 1.0, np.ones(len(scan.peak), np.float32)
    limited = ones
    for _ in range(_LOOKS):
        loud = scan.integrated(whole * limited)
        if math.isinf(loud):
            return ones
        if abs(lufs - loud) < _CLOSE:
            break
        whole = min(whole * factor(lufs - loud), factor(_MOST_DB))
        limited = _limited(scan.peak * np.float32(whole))
    found: Samples = limited * np.float32(whole)
    return found


def _limited(peak: Samples) -> Samples:
    """Return the gain for every millisecond that keeps these peaks below the ceiling."""
    less = 1 - np.minimum(1, factor(CEILING_DB) / np.maximum(peak, 1e-9))
    less = _widened(less, _ATTACK_MS + 1)
    step = 1
    while step < 4 * _RELEASE_MS and step < len(less):
        less[step:] = np.maximum(less[step:], less[:-step] * math.exp(-step / _RELEASE_MS))
        step *= 2
    padded = np.pad(less, _ATTACK_MS, mode="edge")
    smooth = np.convolve(padded, np.full(2 * _ATTACK_MS + 1, 1 / (2 * _ATTACK_MS + 1)), "valid")
    found: Samples = (1 - smooth).astype(np.float32)
    return found


def _widened(values: Samples, by: int) -> Samples:
    """Return the largest of the values that are at most so far away."""
    windows = np.lib.stride_tricks.sliding_window_view(np.pad(values, by), 2 * by + 1)
    found: Samples = windows.max(axis=1)
    return found
