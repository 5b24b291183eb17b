"""Makes the sounds: `python assets/sounds/make.py` writes the effects, with `--music` the music loop as well.

Needs numpy (the extra `video`); the loop needs an ffmpeg with libvorbis. Everything is in A minor, so that sounds fit
together. The script writes the same bytes every time. A sound is a line of SOUNDS and a function.
"""

from __future__ import annotations

import argparse
import wave
from collections.abc import Callable
from pathlib import Path

import numpy as np
from synth import (
    RATE,
    Wave,
    band,
    bell,
    decay,
    driven,
    finished,
    noise,
    note,
    padded,
    room,
    sine,
    span,
    sweep,
    swell,
    tone,
)

HERE = Path(__file__).parent


def fire(base: str, seed: int) -> Wave:
    """Return a falling zap with a click and a low thump."""
    low = note(base)
    zap = tone(sweep(9 * low, low, 0.3, 20), 0.3, decay(0.3, 0.05), odd=True) * decay(0.3, 0.05)
    kick = sine(sweep(190, 60, 0.3, 30), 0.3) * decay(0.3, 0.04)
    air = band(noise(0.3, seed), 1500, 9000) * decay(0.3, 0.012)
    return driven(0.5 * zap + 0.8 * kick + 0.25 * air, 1.6)


def hit() -> Wave:
    thump = sine(sweep(210, 46, 0.55, 26), 0.55) * decay(0.55, 0.07)
    crunch = band(noise(0.55, 11), 350, 5200) * decay(0.55, 0.028)
    ring = (bell(note("A4"), 0.55, 0.05) + bell(note("E5"), 0.55, 0.04)) * 0.25
    return room(driven(thump + 0.55 * crunch + ring, 2.4), 0.06, 0.25)


def block() -> Wave:
    ting = bell(note("E6"), 0.7, 0.09, 1.52, 1.6) + 0.6 * bell(note("B6"), 0.7, 0.06, 1.27, 1.0)
    tick = band(noise(0.7, 12), 2500, 12000) * decay(0.7, 0.006)
    body = sine(sweep(420, 220, 0.7, 40), 0.7) * decay(0.7, 0.025)
    return room(ting + 0.4 * tick + 0.7 * body, 0.1, 0.3)


def wall() -> Wave:
    thud = sine(sweep(170, 70, 0.35, 30), 0.35) * decay(0.35, 0.04)
    fizz = band(noise(0.35, 13), 900, 4200) * decay(0.35, 0.03)
    return driven(thud + 0.35 * fizz, 1.4)


def bounce() -> Wave:
    """Return a hard click with a short bright ring: a bullet comes off a wall."""
    click = band(noise(0.3, 19), 2200, 11000) * decay(0.3, 0.005)
    ring = bell(note("C#7"), 0.3, 0.035, 1.41, 1.2) + 0.5 * bell(note("G6"), 0.3, 0.025, 1.73, 1.0)
    knock = sine(sweep(520, 240, 0.3, 50), 0.3) * decay(0.3, 0.015)
    return 0.8 * click + 0.5 * ring + 0.6 * knock


def shield(up: bool) -> Wave:
    """Return a chord that opens, or closes."""
    length = 0.4
    opening = span(length) / length if up else 1 - span(length) / length
    slide = 2 ** ((opening - 1) * 7 / 12)
    chord = sum(tone(note(name) * slide, length, 0.7 * opening**2) for name in ("A3", "E4", "A4"))
    air = band(noise(length, 14), 1200, 7000) * opening**2
    return (chord * 0.4 + 0.12 * air) * swell(length, 0.05 if up else 0.008, 0.12 if up else 0.25)


def move() -> Wave:
    """Return a motor that speeds up and down again within the 0.4 s of a step."""
    length = 0.4
    speed = np.sin(np.pi * span(length) / length)
    hum = tone(note("A2") * (1 + 0.5 * speed), length, 0.25 * speed)
    grit = band(noise(length, 15), 300, 1800) * (0.6 + 0.4 * sine(30, length))
    return (hum + 0.35 * grit) * swell(length, 0.05, 0.15)


def turn() -> Wave:
    length = 0.24
    whirr = tone(note("E3") * (1 + 0.25 * np.sin(np.pi * span(length) / length)), length, 0.2, odd=True)
    return whirr * (0.65 + 0.35 * np.sign(sine(42, length))) * swell(length, 0.02, 0.1)


def bump() -> Wave:
    return driven(
        sine(sweep(150, 65, 0.25, 35), 0.25) * decay(0.25, 0.035)
        + 0.2 * band(noise(0.25, 16), 200, 1500) * decay(0.25, 0.015),
        1.5,
    )


def thud() -> Wave:
    """Return a heavy body that is run into."""
    return driven(
        sine(sweep(190, 45, 0.4, 25), 0.4) * decay(0.4, 0.07)
        + 0.5 * band(noise(0.4, 18), 150, 2500) * decay(0.4, 0.02)
        + 0.15 * band(noise(0.4, 19), 2500, 7000) * decay(0.4, 0.06),
        2.0,
    )


def refused() -> Wave:
    """Return two dry clicks of a trigger with a low buzz."""
    buzz = tone(note("A2"), 0.1, 0.35, odd=True) * swell(0.1, 0.004, 0.04)
    click = band(noise(0.05, 17), 1500, 6000) * decay(0.05, 0.004)
    return sum(padded(buzz, 0.32, at) + 0.7 * padded(click, 0.32, at) for at in (0.0, 0.14))


def empty() -> Wave:
    """Return the dry click of a trigger with nothing behind it: very short, very high."""
    click = band(noise(0.07, 23), 3500, 6000) * decay(0.07, 0.005)
    return click + 0.5 * padded(band(noise(0.03, 24), 4000, 7000) * decay(0.03, 0.004), 0.07, 0.022)


def load() -> Wave:
    """Return a cartridge that slides in: a low slide, then a latch."""
    slide = band(noise(0.12, 25), 300, 900) * swell(0.12, 0.04, 0.03)
    latch = sine(sweep(700, 380, 0.1, 60), 0.1) * decay(0.1, 0.012)
    latch += 0.3 * band(noise(0.1, 26), 700, 2000) * decay(0.1, 0.006)
    return 0.45 * padded(slide, 0.24) + padded(latch, 0.24, 0.11)


def full() -> Wave:
    """Return two notes that ring upwards: there is no more room."""
    low, high = (bell(note(name), 0.4, 0.045, 2.0, 0.5) for name in ("A6", "E7"))
    return room(padded(low, 0.5) + padded(high, 0.5, 0.09), 0.05, 0.15)


def shield_break() -> Wave:
    """Return glass that bursts, and its pieces as they fall."""
    length = 0.9
    burst = band(noise(length, 27), 2200, 4500) * decay(length, 0.05)
    pieces = sum(
        padded(bell(note(name), 0.4, 0.05, 1.41 + 0.13 * number, 1.6), length, 0.03 + 0.055 * number)
        for number, name in enumerate(("A6", "D7", "E6", "B6", "G6", "C7", "E7", "A6"))
    )
    snap = sine(sweep(700, 180, length, 40), length) * decay(length, 0.02)
    return room(burst + 0.35 * pieces + 0.5 * snap, 0.14, 0.35)


def hit_side() -> Wave:
    """Return a blow that tears thin metal."""
    length = 0.5
    thump = sine(sweep(320, 90, length, 24), length) * decay(length, 0.05)
    tear = band(noise(length, 28), 1400, 3800) * decay(length, 0.06) * (0.6 + 0.4 * np.sign(sine(64, length)))
    clang = bell(note("C#5"), length, 0.07, 1.73, 3.0)
    return driven(0.5 * thump + 0.85 * tear + 0.45 * clang, 1.6)


def hit_back() -> Wave:
    """Return a blow into the machine: a deep blast that goes on, and what is left of the engine running down."""
    length = 0.9
    blast = sine(sweep(150, 34, length, 9), length) * decay(length, 0.2)
    rumble = band(noise(length, 29), 45, 320) * decay(length, 0.2)
    dying = tone(sweep(note("A3"), note("A1"), length, 2.2), length, 0.1) * decay(length, 0.24, 0.02)
    return driven(1.2 * blast + 0.8 * rumble + 0.35 * dying, 2.4)


def fumble() -> Wave:
    """Return a sad falling tone."""
    length = 0.65
    times = span(length)
    glide = note("E4") * 2 ** (-(np.clip(times - 0.18, 0, None) ** 1.3) * 26 / 12)
    wobble = 1 + 0.03 * np.sin(2 * np.pi * 9 * times) * np.clip(times / 0.2, 0, 1)
    return tone(glide * wobble, length, 0.35, odd=True) * swell(length, 0.015, 0.3)


def knockout() -> Wave:
    length = 1.9
    drop = sine(sweep(170, 34, length, 4.5), length) * decay(length, 0.35)
    blast = noise(length, 18)
    rumble = band(blast, 40, 420) * decay(length, 0.3) + 0.5 * band(blast, 400, 6000) * decay(length, 0.09)
    chord = sum(tone(sweep(note(name), note(name) / 2, length, 1.6), length, 0.5) for name in ("A3", "C4", "E4"))
    return room(driven(1.3 * drop + 0.9 * rumble + 0.16 * chord * decay(length, 0.3), 2.2), 0.2, 0.35)


def ring(strikes: tuple[float, ...], length: float) -> Wave:
    """Return strokes of a boxing bell at these seconds."""
    one = bell(note("A5"), 1.2, 0.16, 1.4, 2.0) + 0.5 * bell(note("E6"), 1.2, 0.1, 1.73, 1.2)
    one += 0.25 * sine(note("A4"), 1.2) * decay(1.2, 0.2)
    return sum(padded(one, length, at) for at in strikes)


def brass(names: tuple[str, ...], length: float, half: float) -> Wave:
    """Return a chord of a bright, slightly detuned synthesiser."""
    bright = 0.15 + 0.75 * decay(length, half * 0.6, 0.02)
    voices = [tone(note(name) * detune, length, bright) for name in names for detune in (0.997, 1.003)]
    return sum(voices) * decay(length, half, 0.012) / len(voices)


def phrase(chords: tuple[tuple[float, tuple[str, ...], float], ...], length: float) -> Wave:
    """Return a sequence of chords (start in seconds, notes, half-life in seconds)."""
    return sum(padded(brass(names, min(length, 6 * half), half), length, at) for at, names, half in chords)


def start() -> Wave:
    run = ((0.0, ("A3",), 0.1), (0.12, ("C4", "A3"), 0.1), (0.24, ("E4", "A3"), 0.1), (0.36, ("A3", "E4", "A4"), 0.25))
    riser = band(noise(1.25, 19), 600, 5000) * np.clip(span(1.25) / 0.36, 0, 1) ** 3 * (span(1.25) < 0.36)
    return room(phrase(run, 1.25) + 0.05 * riser, 0.14, 0.5)


def win() -> Wave:
    chords = (
        (0.0, ("F3", "A4", "C5"), 0.13),
        (0.2, ("G3", "B4", "D5"), 0.13),
        (0.4, ("C3", "G4", "C5", "E5"), 0.42),
        (0.4, ("G5",), 0.2),
        (0.6, ("C6",), 0.3),
    )
    return room(phrase(chords, 2.0), 0.18, 0.55)


def draw() -> Wave:
    return room(phrase(((0.0, ("F3", "A4", "C5"), 0.16), (0.3, ("E3", "A4", "B4"), 0.3)), 1.4), 0.18, 0.5)


def swap() -> Wave:
    """Somebody else sits down: a rush of air and a call."""
    air = band(noise(0.7, 20), 500, 4500) * np.sin(np.pi * np.clip(span(0.7) / 0.3, 0, 1)) ** 2
    call = phrase(((0.12, ("E4", "B4"), 0.09), (0.26, ("A4", "E5"), 0.14)), 0.7)
    return room(call + 0.08 * air, 0.1, 0.4)


def wheel() -> Wave:
    """Return a ratchet and a call, played when a person takes over."""
    click = band(noise(0.04, 21), 1200, 7000) * decay(0.04, 0.005)
    ratchet = sum(padded(click, 0.6, at) for at in (0.0, 0.045, 0.08, 0.11))
    return room(0.35 * ratchet + phrase(((0.12, ("A3", "A4"), 0.08), (0.22, ("E4", "E5"), 0.12)), 0.6), 0.08, 0.3)


def danger() -> Wave:
    beep = tone(note("E5"), 0.1, 0.4, odd=True) * swell(0.1, 0.006, 0.04)
    lower = tone(note("C5"), 0.12, 0.4, odd=True) * swell(0.12, 0.006, 0.06)
    return padded(beep, 0.3) + padded(lower, 0.3, 0.12)


def speech(names: tuple[str, ...]) -> Wave:
    """Return three syllables of an invented language."""
    one = [band(tone(note(name), 0.075, 0.6, odd=True) * swell(0.075, 0.012, 0.03), 350, 1900) for name in names]
    return sum(padded(blip, 0.28, 0.085 * index) for index, blip in enumerate(one))


def pluck(name: str, length: float = 0.16, half: float = 0.022) -> Wave:
    return (sine(note(name), length) + 0.3 * sine(2 * note(name), length)) * decay(length, half, 0.003)


def pair(first: str, second: str) -> Wave:
    return padded(pluck(first), 0.28) + padded(pluck(second, 0.2, 0.035), 0.28, 0.07)


def error() -> Wave:
    return (tone(note("A3"), 0.22, 0.3, odd=True) + tone(note("A#3"), 0.22, 0.3, odd=True)) * swell(0.22, 0.006, 0.1)


def tick() -> Wave:
    return pluck("E6", 0.08, 0.008) + 0.2 * padded(band(noise(0.02, 22), 2000, 9000) * decay(0.02, 0.003), 0.08)


SOUNDS: dict[str, tuple[Callable[[], Wave], float]] = {
    "fire_left": (lambda: fire("A3", 1), -17),
    "fire_right": (lambda: fire("D4", 2), -17),
    "hit": (hit, -13),
    "hit_side": (hit_side, -14),
    "hit_back": (hit_back, -12),
    "block": (block, -16.5),
    "wall": (wall, -20),
    "bounce": (bounce, -21),
    "shield_up": (lambda: shield(True), -21),
    "shield_down": (lambda: shield(False), -22),
    "move": (move, -25),
    "turn": (turn, -28),
    "bump": (bump, -22),
    "thud": (thud, -18),
    "refused": (refused, -21),
    "empty": (empty, -30),
    "load": (load, -25),
    "full": (full, -23),
    "shield_break": (shield_break, -16),
    "fumble": (fumble, -20),
    "knockout": (knockout, -11),
    "bell": (lambda: ring((0.0,), 1.1), -18),
    "bell_end": (lambda: ring((0.0, 0.17, 0.34), 1.4), -18),
    "start": (start, -16),
    "win": (win, -15),
    "draw": (draw, -17),
    "swap": (swap, -19),
    "wheel": (wheel, -19),
    "danger": (danger, -22),
    "speech_left": (lambda: speech(("A3", "C4", "A3")), -27),
    "speech_right": (lambda: speech(("E4", "D4", "G4")), -27),
    "ui_move": (lambda: pluck("A5"), -29),
    "ui_confirm": (lambda: pair("A5", "E6"), -25),
    "ui_back": (lambda: pair("E5", "A4"), -26),
    "ui_error": (error, -25),
    "tick": (tick, -28),
}
"""The function of each sound and the level of its loudest tenth of a second, in dB relative to full scale."""


def render(name: str) -> np.ndarray:
    """Return the samples of one sound, int16."""
    make, target = SOUNDS[name]
    return np.round(finished(make(), target) * 32767).astype(np.int16)


def write(path: Path, samples: np.ndarray) -> None:
    """Write a WAV file: mono, 48 kHz, 16 bit."""
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(RATE)
        file.writeframes(samples.tobytes())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help="only these effects")
    parser.add_argument("--music", action="store_true", help="make the loop as well (half a minute)")
    options = parser.parse_args()
    for name in options.names or SOUNDS:
        write(HERE / f"{name}.wav", render(name))
    if options.music:
        import music

        music.write(HERE / "loop.ogg")


if __name__ == "__main__":
    main()
