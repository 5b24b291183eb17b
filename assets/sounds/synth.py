"""Synthesis: waves, envelopes, filters, echo. 48 kHz, float64, mono arrays of shape (n,)."""

from __future__ import annotations

import numpy as np

RATE = 48000
Wave = np.ndarray


def note(name: str) -> float:
    """Return the frequency of a note such as `A4` or `C#5`, in hertz."""
    semitone = {"C": -9, "D": -7, "E": -5, "F": -4, "G": -2, "A": 0, "B": 2}[name[0]] + name.count("#")
    return 440.0 * 2 ** (semitone / 12 + int(name[-1]) - 4)


def span(seconds: float) -> Wave:
    """Return the times of that many seconds of samples, in seconds."""
    return np.arange(round(seconds * RATE)) / RATE


def sweep(start: float, end: float, seconds: float, rate: float) -> Wave:
    """Return a frequency that goes from `start` to `end`, most of the way within 1/`rate` seconds."""
    return end + (start - end) * np.exp(-rate * span(seconds))


def phase(frequency: float | Wave, count: int) -> Wave:
    """Return the phase at every sample, in cycles."""
    steps = np.broadcast_to(np.asarray(frequency, float) / RATE, (count,))
    return np.concatenate(([0.0], np.cumsum(steps)[:-1]))


def sine(frequency: float | Wave, seconds: float) -> Wave:
    """Return a sine wave; the frequency may be an array."""
    return np.sin(2 * np.pi * phase(frequency, len(span(seconds))))


def tone(frequency: float | Wave, seconds: float, bright: float | Wave = 1.0, *, odd: bool = False) -> Wave:
    """Return a saw wave (a square wave if `odd`) without aliasing; `bright` 0 keeps the low overtones only, 1 all."""
    top = float(np.max(frequency))
    cycles = phase(frequency, len(span(seconds)))
    dull, sharp = (_table(top, cutoff, odd) for cutoff in (2.5 * top, 9000.0))
    where = np.mod(cycles, 1.0) * (len(dull) - 1)
    grid = np.arange(len(dull))
    bright = np.clip(bright, 0.0, 1.0)
    return (1 - bright) * np.interp(where, grid, dull) + bright * np.interp(where, grid, sharp)


def _table(frequency: float, cutoff: float, odd: bool, size: int = 4096) -> Wave:
    harmonics = np.arange(1, max(2, int(15000 / frequency)), 2 if odd else 1)
    strength = 1 / harmonics / np.sqrt(1 + (harmonics * frequency / cutoff) ** 4)
    around = np.arange(size + 1) / size
    return np.sin(2 * np.pi * np.outer(around, harmonics)) @ strength


def noise(seconds: float, seed: int) -> Wave:
    """Return white noise; RandomState gives the same numbers in every version of numpy."""
    return np.random.RandomState(seed).standard_normal(len(span(seconds)))


def decay(seconds: float, half: float, attack: float = 0.001) -> Wave:
    """Return an envelope: up within `attack` seconds, then halved every `half` seconds."""
    times = span(seconds)
    return np.minimum(1.0, times / attack) * 0.5 ** (np.maximum(0.0, times - attack) / half)


def swell(seconds: float, attack: float, release: float) -> Wave:
    """Return an envelope: up within `attack` seconds, held, down within `release` seconds; smooth."""
    times = span(seconds)
    up, down = np.clip(times / attack, 0, 1), np.clip((seconds - times) / release, 0, 1)
    return np.sin(np.pi / 2 * up) ** 2 * np.sin(np.pi / 2 * down) ** 2


def band(wave: Wave, low: float, high: float) -> Wave:
    """Return the wave between two frequencies (12 dB an octave), wrapped around the end for loops."""
    frequencies = np.fft.rfftfreq(len(wave), 1 / RATE)
    frequencies[0] = 1e-6
    gain = 1 / np.sqrt(1 + (low / frequencies) ** 4) / np.sqrt(1 + (frequencies / high) ** 4)
    gain[0] = 0.0
    return np.fft.irfft(np.fft.rfft(wave) * gain, len(wave))


def bell(frequency: float, seconds: float, half: float, ratio: float = 1.41, depth: float = 2.2) -> Wave:
    """Return a bell: a sine that modulates the phase of another, less and less."""
    bent = depth * decay(seconds, half * 0.6) * sine(frequency * ratio, seconds)
    carrier = np.sin(2 * np.pi * phase(frequency, len(bent)) + bent)
    return carrier * decay(seconds, half)


def padded(wave: Wave, seconds: float, at: float = 0.0) -> Wave:
    """Return that many seconds of silence with the wave from `at` seconds on; what does not fit is cut."""
    whole = np.zeros(len(span(seconds)))
    first = round(at * RATE)
    fits = wave[: max(0, len(whole) - first)]
    whole[first : first + len(fits)] = fits
    return whole


def room(wave: Wave, half: float, wet: float, seed: int = 5) -> Wave:
    """Return the wave with the echo of a room; the tail is cut."""
    size = len(wave) + RATE
    tail = band(noise(1.0, seed), 250, 6000) * decay(1.0, half, 0.01)
    tail /= np.sqrt(np.sum(tail**2))
    echo = np.fft.irfft(np.fft.rfft(wave, size) * np.fft.rfft(tail, size), size)[: len(wave)]
    return wave + wet * echo


def driven(wave: Wave, drive: float) -> Wave:
    """Return the wave saturated below 1; more drive adds more overtones."""
    return np.tanh(drive * wave / np.max(np.abs(wave)))


def loudness(wave: Wave) -> float:
    """Return the level (RMS) of the loudest tenth of a second without its lowest frequencies, in dB of full scale."""
    audible = band(np.concatenate((np.zeros(4800), wave, np.zeros(4800))), 90, 12000)
    so_far = np.concatenate(([0.0], np.cumsum(audible**2)))
    return 10 * float(np.log10(np.max(so_far[4800:] - so_far[:-4800]) / 4800))


def finished(wave: Wave, target: float, peak: float = 0.89) -> Wave:
    """Return the wave without DC and without clicks at the ends, `target` dB loud and never above `peak`."""
    wave = band(np.concatenate((wave, np.zeros(RATE // 4))), 25, 18000)[: len(wave)]
    edge, tail = min(96, len(wave) // 8), min(960, len(wave) // 4)
    wave[:edge] *= np.linspace(0, 1, edge)
    wave[-tail:] *= np.cos(np.pi / 2 * np.linspace(0, 1, tail)) ** 2
    for _ in range(4):  # saturation lowers the level again
        wave = wave * 10 ** ((target - loudness(wave)) / 20)
        wave = np.where(np.abs(wave) > peak / 2, peak * _soft(wave / peak), wave)
    return wave


def _soft(wave: Wave) -> Wave:
    return np.sign(wave) * (0.5 + 0.5 * np.tanh((np.abs(wave) - 0.5) / 0.5))
