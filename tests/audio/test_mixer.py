"""A film's sound: sample-accurate, never clipped, the same bytes every time, as loud as asked for, in little memory."""

from __future__ import annotations

import math
import tracemalloc
import wave
from itertools import count, pairwise

import numpy as np
import pytest
from fakes import eventful

from batllm_arcade.audio import mixer
from batllm_arcade.audio.mixer import CEILING, CEILING_DB, LoudnessScan, loop, mastered, mix
from batllm_arcade.view.sound_cues import RATE, Cue, cues
from batllm_arcade.view.timeline import Timeline

TIMELINE = Timeline.of(eventful())
CUES = cues(TIMELINE, 0.0, TIMELINE.end)


def whole(*args, **options):
    return np.concatenate(list(mix(*args, **options)))


def rms(samples):
    return float(np.sqrt(np.mean((samples / 32768) ** 2)))


def test_a_film_is_as_long_as_it_says_and_not_silent():
    film = whole(CUES, TIMELINE.end)
    assert film.shape == (round(TIMELINE.end * RATE), 2)
    assert film.dtype == np.int16
    assert 0.02 < rms(film) < 0.3


def test_the_same_film_sounds_the_same_to_the_byte_however_it_is_cut_into_chunks():
    film = whole(CUES, TIMELINE.end).tobytes()
    assert whole(iter(CUES), TIMELINE.end).tobytes() == film
    for chunk in (800, 1024, 48001):
        assert whole(CUES, TIMELINE.end, chunk=chunk).tobytes() == film


def test_a_sound_begins_at_its_very_sample():
    at = 12_345 / RATE
    film = whole([Cue(at, "hit", 1.0, 0.0)], 1.0, music=False)
    assert not film[:12_345].any()
    with wave.open(str(mixer.files("batllm_arcade.assets") / "sounds" / "hit.wav")) as file:
        hit = np.frombuffer(file.readframes(4000), np.int16)
    quiet = np.abs(film[12_345:16_345, 0]) < CEILING / 2 * 32767
    assert film[12_345:16_345, 0][quiet] == pytest.approx(hit[quiet] * 0.8 * 2**-0.5, abs=1.5)


def test_a_sound_comes_from_its_side():
    left, right = whole([Cue(0.1, "block", 1.0, -1.0)], 1.0, music=False).T
    assert rms(left) > 0.01
    assert rms(right) == 0


def test_a_hundred_sounds_at_once_are_bent_and_never_clipped():
    film = whole([Cue(0.2, "knockout"), *(Cue(0.2 + 0.001 * n, "hit") for n in range(100))], 3.0, effects_gain=1.0)
    assert np.abs(film.astype(int)).max() <= CEILING * 32767 + 1
    assert np.abs(film.astype(int)).max() > 0.9 * CEILING * 32767


def test_the_music_comes_in_goes_out_in_time_and_steps_back_for_a_knock_out():
    film = whole([], 12.0)
    assert rms(film[:480]) < 0.01
    assert rms(film[-480:]) < 0.01
    steady = whole([], 30.0)
    ducked = whole([Cue(20.0, "knockout", 0.0)], 30.0)
    there = slice(int(20.2 * RATE), int(21.0 * RATE))
    assert rms(ducked[there]) == pytest.approx(0.2 * rms(steady[there]), rel=0.02)
    assert (ducked[24 * RATE :] == steady[24 * RATE :]).all()
    assert (ducked[: 20 * RATE] == steady[: 20 * RATE]).all()


def test_the_music_goes_round_without_a_seam():
    period = 57.6
    film = whole([], 1.5 * period)
    first, second = (film[round((turn * period + 20) * RATE) :][: 5 * RATE] for turn in (0, 1))
    assert (first == second).all()
    jumps = np.abs(np.diff(film[:, 0].astype(int)))
    seam = round(period * RATE)
    assert jumps[seam - 50 : seam + 50].max() <= jumps[seam - 9600 : seam + 9600].max()


def test_without_music_and_without_cues_there_is_silence():
    assert not whole([], 2.0, music=False).any()
    assert not whole([Cue(0.5, "no_such_sound")], 2.0, music=False).any()


def test_the_end_of_a_film_does_not_click():
    film = whole([Cue(0.0, "knockout")], 0.3, music=False).astype(int)
    assert np.abs(film[-2:]).max() < 40
    assert np.abs(film[-4000:-2000]).max() > 2000


def test_a_long_film_takes_no_more_memory_than_a_short_one():
    def peak(seconds):
        endless = (Cue(0.01 * number, "tick", 1.0, 0.3) for number in count())
        tracemalloc.start()
        for _ in mix(endless, seconds, chunk=RATE):
            pass
        most = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return most

    loop().music(60 * RATE - 1, 60 * RATE)  # music is decoded as far as it is played, and stays
    whole([Cue(0, "tick")], 1.0)  # so do sounds
    short, long = peak(6), peak(60)
    assert long < 1.1 * short


def test_the_cues_of_a_film_are_in_order():
    assert all(a.at <= b.at for a, b in pairwise(CUES))


@pytest.mark.parametrize(
    ("sound", "least", "most"), [("hit", 7.5, 8.5), ("speech_left", 5.5, 6.5), ("knockout", 13, 15)]
)
def test_the_music_steps_back_under_hits_and_voices_by_some_decibels_and_comes_again(sound, least, most):
    """Measured on the film's samples, with the sound itself silent."""
    steady = whole([], 20.0)
    ducked = whole([Cue(10.0, sound, 0.0)], 20.0)
    under = slice(int(10.1 * RATE), int(10.25 * RATE))
    fell = 20 * np.log10(rms(steady[under]) / rms(ducked[under]))
    assert least < fell < most
    assert (ducked[14 * RATE :] == steady[14 * RATE :]).all()


def tone(hertz: float, decibels: float, seconds: float = 5.0, right: bool = True, phase: float = 0.0) -> np.ndarray:
    """A sine whose crests are so many decibels below full scale."""
    wave = 10 ** (decibels / 20) * np.sin(math.tau * hertz * np.arange(round(seconds * RATE)) / RATE + phase)
    return np.rint(32767 * np.stack((wave, wave if right else 0 * wave), axis=1)).astype(np.int16)


def decibels(peak: float) -> float:
    return 20 * math.log10(peak)


@pytest.mark.parametrize(
    ("tones", "lufs"),
    [
        ([(997, 0, 5.0, False)], -3.01),  # the standard's own reference
        ([(1000, -23)], -23.0),  # and those of EBU Tech 3341
        ([(1000, -33)], -33.0),
        ([(1000, -72, 3), (1000, -36, 3), (1000, -23, 18), (1000, -36, 3)], -23.0),  # these two of a third's length
        ([(1000, -26, 6.7), (1000, -20, 6.7), (1000, -26, 6.7)], -23.0),
        ([(1000, -23, 0.3)], -23.0),
    ],
)
def test_loudness_is_what_the_standards_say_of_their_test_signals(tones, lufs):
    whole = np.concatenate([tone(*each) for each in tones])
    measured = LoudnessScan.of([whole]).integrated()
    assert measured == pytest.approx(lufs, abs=0.1)
    assert LoudnessScan.of(np.array_split(whole, 77)).integrated() == pytest.approx(measured, abs=1e-3)


def test_silence_has_no_loudness_and_stays_silent():
    silence = np.zeros((RATE, 2), np.int16)
    assert LoudnessScan.of([silence]).integrated() == -math.inf
    assert LoudnessScan.of([]).integrated() == -math.inf
    assert not np.concatenate(list(mastered(lambda: iter([silence]), -14))).any()
    assert list(mastered(lambda: iter([]), -14)) == []


def test_a_peak_between_two_samples_is_seen():
    hidden = tone(RATE / 4, -6, phase=math.pi / 4)  # its crests lie between the samples, 3 dB above them
    assert decibels(np.abs(hidden).max() / 32768) == pytest.approx(-9, abs=0.1)
    assert decibels(float(LoudnessScan.of([hidden]).peak.max())) == pytest.approx(-6, abs=0.2)


@pytest.mark.parametrize(("lufs", "music"), [(-14.0, True), (-14.0, False), (-23.0, True), (-9.0, True)])
def test_a_soundtrack_is_as_loud_as_asked_for_and_its_peaks_stay_below_the_ceiling(lufs, music):
    made = np.concatenate(list(mastered(lambda: mix(CUES, TIMELINE.end, music=music), lufs)))
    assert made.shape == (round(TIMELINE.end * RATE), 2)
    scan = LoudnessScan.of([made])
    assert scan.integrated() == pytest.approx(lufs, abs=0.5)
    assert decibels(float(scan.peak.max())) <= CEILING_DB + 0.05


def test_the_same_soundtrack_is_mastered_to_the_same_bytes_however_it_is_cut_into_chunks():
    track = np.concatenate(list(mix(CUES, TIMELINE.end)))
    made = [
        np.concatenate(list(mastered(lambda n=pieces: iter(np.array_split(track, n)), -14))).tobytes()
        for pieces in (1, 1, 7, 333)
    ]
    assert made[0] == made[1]
    assert all(
        np.abs(np.frombuffer(each, "<i2").astype(int) - np.frombuffer(made[0], "<i2")).max() <= 1 for each in made
    )


@pytest.mark.parametrize(("kept", "times"), [(120.0, 1), (0.5, 2)])
def test_a_film_of_two_minutes_is_mixed_once_and_a_longer_one_sounds_no_different(monkeypatch, kept, times):
    chunks = np.array_split(np.concatenate(list(mix(CUES, 3.0))), 13)
    wanted = np.concatenate(list(mastered(lambda: iter(chunks), -14)))
    monkeypatch.setattr(mixer, "_KEPT", round(kept * RATE))
    mixed = []

    def track():
        mixed.append(1)
        yield from chunks

    assert np.array_equal(np.concatenate(list(mastered(track, -14))), wanted)
    assert len(mixed) == times
