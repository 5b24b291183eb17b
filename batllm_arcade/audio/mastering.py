"""Loudness, measured and set."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, islice

import numpy as np
from numpy.typing import NDArray

from batllm_arcade.view.sound_cues import RATE, factor

# -- How loud sound is by ITU-R BS.1770: its K-weighted energy and its true peaks, a millisecond at

MS = RATE // 1000
"""Samples in a millisecond."""
Values = NDArray[np.float32]

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

    energy: Values
    peak: Values

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

    def integrated(self, gain: Values | float = 1.0) -> float:
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


def _frames(chunks: Iterable[NDArray[np.int16]]) -> Iterator[Values]:
    """Yield the samples in frames of shape (2, a second), the last one filled up with silence."""
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


def _scaled(samples: NDArray[np.int16]) -> Values:
    found: Values = np.ascontiguousarray(samples.T, np.float32) / np.float32(32768)
    return found


def _by_ms(values: Values) -> Values:
    return values.reshape(len(values), -1, MS)


def _response(count: int) -> NDArray[np.complex64]:
    """Return the filter's response at the frequencies of a Fourier transform of so many samples."""
    z = np.exp(-2j * np.pi * np.arange(count // 2 + 1) / count)
    found = np.ones(len(z), np.complex128)
    for above, below in (_SHELF, _HIGH_PASS):
        found *= np.polyval(above[::-1], z) / np.polyval(below[::-1], z)
    return found.astype(np.complex64)


_RESPONSE = _response(_FRAME + _LEAD)


def _weighted(both: Values) -> Values:
    found: Values = np.fft.irfft(np.fft.rfft(both) * _RESPONSE, both.shape[1]).astype(np.float32)
    return found


def _between() -> list[Values]:
    """Return the filters that give the values a quarter, a half and three quarters on the way to the next sample."""
    places = np.arange(_TAPS) - (_TAPS / 2 - 1)
    filters = []
    for quarter in (1, 2, 3):
        away = quarter / 4 - places
        taps = np.sinc(away) * np.cos(np.pi * away / (_TAPS + 1)) ** 2
        filters.append((taps / taps.sum())[::-1].astype(np.float32))
    return filters


_FILTERS = _between()


def _peaks(both: Values) -> Values:
    """Return how far the wave goes from zero at each sample and on the way to the next one."""
    found, half, count = np.abs(both), _TAPS // 2, both.shape[1]
    padded = np.pad(both, ((0, 0), (half - 1, half)))
    for taps in _FILTERS:  # tap by tap over all samples: a third of the time of np.convolve
        middle = np.zeros_like(both)
        for place, tap in enumerate(taps[::-1]):
            middle += padded[:, place : place + count] * tap
        np.maximum(found, np.abs(middle), out=found)
    return found


# -- Brings a film's sound to one loudness: a gain for the whole of it, and a limiter for its peaks

CEILING_DB = -3.0
"""The highest true peak in dB of full scale before the sound is compressed, which adds up to 1.7 dB."""
_MOST_DB = 30.0  # that sound is made louder
_ATTACK_MS, _RELEASE_MS = 4, 60  # in which the limiter closes, and opens again to a third
_KEPT = 120 * RATE  # samples that need not be mixed again after they were measured
_LOOKS, _CLOSE = 8, 0.005  # at the loudness behind the limiter, at most, and in LUFS what is near enough

Samples = NDArray[np.int16]


def mastered(track: Callable[[], Iterator[Samples]], lufs: float) -> Iterator[Samples]:
    """Yield a soundtrack with this integrated loudness in LUFS (ITU-R BS.1770) and true peaks below the ceiling.

    `track` gives the same chunks of shape (n, 2), int16 at 48 kHz, each time it is called: once to be measured.
    """
    kept, count = list[Samples](), 0

    def noted() -> Iterator[Samples]:
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


def gains(scan: LoudnessScan, lufs: float) -> Values:
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
    found: Values = limited * np.float32(whole)
    return found


def _limited(peak: Values) -> Values:
    """Return the gain for every millisecond that keeps these peaks below the ceiling."""
    less = 1 - np.minimum(1, factor(CEILING_DB) / np.maximum(peak, 1e-9))
    less = _widened(less, _ATTACK_MS + 1)
    step = 1
    while step < 4 * _RELEASE_MS and step < len(less):
        less[step:] = np.maximum(less[step:], less[:-step] * math.exp(-step / _RELEASE_MS))
        step *= 2
    padded = np.pad(less, _ATTACK_MS, mode="edge")
    smooth = np.convolve(padded, np.full(2 * _ATTACK_MS + 1, 1 / (2 * _ATTACK_MS + 1)), "valid")
    found: Values = (1 - smooth).astype(np.float32)
    return found


def _widened(values: Values, by: int) -> Values:
    """Return the largest of the values that are at most so far away."""
    windows = np.lib.stride_tricks.sliding_window_view(np.pad(values, by), 2 * by + 1)
    found: Values = windows.max(axis=1)
    return found
