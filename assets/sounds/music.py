"""The music loop: 24 bars of synthwave in A minor at 100 beats a minute, 57.6 s, without a seam.

Every part wraps around the end: what rings on after the last bar is added to the first one.
"""

from __future__ import annotations

import subprocess
from itertools import groupby
from pathlib import Path

import numpy as np
from synth import RATE, Wave, band, decay, driven, loudness, noise, note, sine, span, sweep, swell, tone

STEP = 7200
"""Samples of a sixteenth; a bar has 16 of them."""
BARS = 24
LENGTH = BARS * 16 * STEP
STEP_S = STEP / RATE
LOUDNESS = -17.0
QUALITY = 3

CHORDS = (
    *(("A2", "E3", "A3", "C4"),) * 2, *(("F2", "F3", "A3", "C4"),) * 2,
    *(("C3", "E3", "G3", "C4"),) * 2, *(("G2", "D3", "G3", "B3"),) * 2,
    *(("A2", "E3", "A3", "C4"),) * 2, *(("F2", "F3", "A3", "C4"),) * 2,
    *(("C3", "E3", "G3", "C4"),) * 2, *(("G2", "D3", "G3", "B3"),) * 2,
    *(("D2", "F3", "A3", "D4"),) * 2, *(("A2", "E3", "A3", "C4"),) * 2,
    *(("F2", "F3", "A3", "C4"),) * 2, ("E2", "E3", "A3", "B3"), ("E2", "E3", "G#3", "B3"),
)  # fmt: skip
"""Per bar the bass and three voices."""

MELODY = (
    (8, 0, "E5", 6), (8, 6, "D5", 2), (8, 8, "C5", 8), (9, 8, "A4", 4), (9, 12, "B4", 4),
    (10, 0, "C5", 10), (10, 12, "A4", 4), (11, 0, "F4", 8),
    (12, 0, "G4", 6), (12, 6, "E4", 2), (12, 8, "G4", 8), (13, 8, "C5", 4), (13, 12, "D5", 4),
    (14, 0, "B4", 12), (15, 0, "G4", 6), (15, 8, "B4", 8),
    (20, 0, "A4", 12), (21, 0, "C5", 6), (21, 8, "F5", 8), (22, 0, "E5", 14), (23, 0, "D5", 6), (23, 8, "B4", 8),
)  # fmt: skip
"""Bar, step, note and duration in steps; the first eight bars and the quiet ones have no melody."""

QUIET = range(16, 20)
"""The bars with fewer drums."""


def placed(track: Wave, wave: Wave, bar: int, step: float = 0, gain: float = 1.0) -> None:
    """Add the wave to the track at a bar's step; what exceeds the end is added at the beginning."""
    first = round((bar * 16 + step) * STEP)
    np.add.at(track, (first + np.arange(len(wave))) % LENGTH, gain * wave)


def echoing(track: Wave, seconds: float, wet: float, seed: int) -> Wave:
    """Return the track with the echo of a large room, wrapped around the end."""
    length = min(4.0, 8 * seconds)
    tail = np.zeros(LENGTH)
    ring = band(noise(length, seed), 300, 5000) * decay(length, seconds, 0.02)
    tail[: len(ring)] = ring / np.sqrt(np.sum(ring**2))
    return track + wet * np.fft.irfft(np.fft.rfft(track) * np.fft.rfft(tail), LENGTH)


def drums() -> tuple[Wave, Wave, Wave]:
    """Return kick, snare and hats; the kick also ducks the other parts."""
    kick, snare, hats = np.zeros(LENGTH), np.zeros(LENGTH), np.zeros(LENGTH)
    thud = driven(sine(sweep(180, 47, 0.35, 28), 0.35) * decay(0.35, 0.075), 1.5)
    crack = band(noise(0.3, 31), 700, 7000) * decay(0.3, 0.045)
    crack += 0.7 * sine(sweep(260, 180, 0.3, 30), 0.3) * decay(0.3, 0.04)
    tss = band(noise(0.12, 32), 6500, 14000)
    for bar in range(BARS):
        beats = (0,) if bar in QUIET else (0, 4, 8, 12)
        for step in beats:
            placed(kick, thud, bar, step)
        for step in () if bar in QUIET else (4, 12):
            placed(snare, crack, bar, step)
        if bar == 7 or bar == 15 or bar == 23:
            for step, gain in ((14, 0.5), (15, 0.7)):
                placed(snare, crack, bar, step, gain)
        for step in range(2 if bar in QUIET else 0, 16, 4 if bar in QUIET else 2):
            loud = 1.0 if step % 4 == 2 else 0.45
            placed(hats, tss * decay(0.12, 0.03 if step == 14 else 0.012), bar, step, loud)
    return kick, snare, hats


def bass() -> Wave:
    track = np.zeros(LENGTH)
    for bar, chord in enumerate(CHORDS):
        low = note(chord[0]) / (2 if note(chord[0]) > 95 else 1)
        length = 1.6 * STEP_S
        for step in range(0, 16, 2):
            sharp = 0.5 * decay(length, 0.06) * (0.5 if bar in QUIET else 1.0)
            octave = 2 if step in (6, 14) and bar not in QUIET else 1
            voice = tone(low * octave, length, sharp) + 0.5 * sine(low * octave, length)
            placed(track, voice * swell(length, 0.004, 0.05), bar, step, 0.8 if step % 4 else 1.0)
    return track


def pads() -> tuple[Wave, Wave]:
    """Return slow chords for the left and the right channel, detuned against each other."""
    sides, bar = (np.zeros(LENGTH), np.zeros(LENGTH)), 0
    for chord, bars in ((chord, len(list(same))) for chord, same in groupby(CHORDS)):
        seconds = (16 * bars + 2) * STEP_S
        opening = 0.10 + 0.14 * np.sin(np.pi * span(seconds) / seconds) ** 2
        for name in chord[1:]:
            for side, detune in zip(sides, (1.004, 0.996), strict=True):
                voices = (tone(note(name) * pitch, seconds, opening) for pitch in (detune, detune**-0.5))
                placed(side, sum(voices) * swell(seconds, 0.5, 0.6), bar)
        bar += bars
    return sides


def arpeggio() -> tuple[Wave, Wave]:
    """Return sixteenths up and down the chord for the left and the right channel, with echoes from side to side."""
    dry, length = np.zeros(LENGTH), 3 * STEP_S
    pattern = (1, 2, 3, 2, 1, 3, 2, 3)
    for bar, chord in enumerate(CHORDS):
        opened = 0.25 + 0.45 * (1 - np.cos(2 * np.pi * bar / 8)) / 2
        for step in range(16):
            pitch = note(chord[pattern[step % 8]]) * (2 if step % 4 < 3 else 4)
            voice = tone(pitch, length, opened * decay(length, 0.05), odd=True) * decay(length, 0.07, 0.003)
            placed(dry, voice, bar, step, 0.9 if step % 4 == 0 else 0.6)
    left, right = dry.copy(), dry.copy()
    for turn, gain in enumerate((0.5, 0.34, 0.22, 0.14)):
        (left if turn % 2 else right)[:] += gain * np.roll(band(dry, 200, 3500), 3 * STEP * (turn + 1))
    return left, right


def lead() -> Wave:
    track = np.zeros(LENGTH)
    for bar, step, name, held in MELODY:
        length = held * STEP_S + 0.25
        times = span(length)
        sway = 1 + 0.005 * np.sin(2 * np.pi * 5.2 * times) * np.clip((times - 0.3) / 0.4, 0, 1)
        bright = 0.1 + 0.25 * decay(length, 0.25, 0.03)
        voice = tone(note(name) * sway, length, bright, odd=True) + 0.4 * tone(
            note(name) * 1.003 * sway, length, bright
        )
        placed(track, voice * swell(length, 0.03, 0.3), bar, step)
    return track + 0.35 * np.roll(track, 6 * STEP) + 0.16 * np.roll(track, 12 * STEP)


def composed() -> Wave:
    """Return both channels of the loop, shape (n, 2), between -1 and 1."""
    kick, snare, hats = drums()
    pump = 1 - 0.55 * np.clip(_kick_envelope(kick), 0, 1)
    left, right = pads()
    arp_left, arp_right = arpeggio()
    melody = echoing(lead(), 0.35, 0.35, 41)
    middle = 0.85 * kick + 0.34 * echoing(snare, 0.09, 0.5, 42) + 0.36 * bass() * pump + 0.17 * melody
    sides = (
        middle + 0.1 * echoing(left, 0.5, 0.4, 43) * pump + 0.32 * arp_left * pump + 0.2 * hats,
        middle + 0.1 * echoing(right, 0.5, 0.4, 44) * pump + 0.32 * arp_right * pump + 0.25 * hats,
    )
    mixed = np.stack([band(side, 32, 15000) for side in sides], axis=1)
    quiet = 10 ** ((LOUDNESS - loudness(mixed.mean(axis=1))) / 20)
    return 0.8 * np.tanh(mixed * quiet / 0.8)


def _kick_envelope(kick: Wave) -> Wave:
    """Return the envelope of the kicks: 1 at the start of each, 0 after a quaver."""
    fall = np.zeros(LENGTH)
    shape = 0.5 ** (np.arange(2 * STEP) / (0.7 * STEP)) * np.clip(np.arange(2 * STEP) / 200, 0, 1)
    starts = [bar * 16 + step for bar in range(BARS) for step in ((0,) if bar in QUIET else (0, 4, 8, 12))]
    for start in starts:
        fall[start * STEP : start * STEP + len(shape)] = shape
    return fall


def write(path: Path) -> None:
    """Write the loop as Ogg Vorbis, exactly LENGTH samples; needs an ffmpeg with libvorbis, which PyAV lacks."""
    samples = np.round(composed() * 32767).astype("<i2").tobytes()
    source = ["-f", "s16le", "-ar", str(RATE), "-ac", "2", "-i", "-"]
    target = ["-c:a", "libvorbis", "-q:a", str(QUALITY), "-flags", "+bitexact", "-fflags", "+bitexact", str(path)]
    subprocess.run(["ffmpeg", "-y", "-loglevel", "error", *source, *target], input=samples, check=True)
