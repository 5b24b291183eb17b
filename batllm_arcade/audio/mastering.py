"""Brings a film's sound to one loudness: a gain for the whole of it, and a limiter for its peaks."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from itertools import chain, islice

import numpy as np
from numpy.typing import NDArray

from batllm_arcade.audio.loudness_scan import MS, LoudnessScan, Values
from batllm_arcade.view.loudness import factor
from batllm_arcade.view.sound_cues import RATE

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
