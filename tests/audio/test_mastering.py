"""A film's loudness: measured as ITU-R BS.1770 says, brought to what is asked for, without peaks that clip."""

from __future__ import annotations

import math

import numpy as np
import pytest
from fakes import eventful

from batllm_arcade.audio import mixer
from batllm_arcade.audio.mixer import CEILING_DB, LoudnessScan, mastered, mix
from batllm_arcade.view.sound_cues import RATE, cues
from batllm_arcade.view.timeline import Timeline

TIMELINE = Timeline.of(eventful())
CUES = cues(TIMELINE, 0.0, TIMELINE.end)


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
        ([(1000, -36, 10), (1000, -23, 60), (1000, -36, 10)], -23.0),
        ([(1000, -72, 10), (1000, -36, 10), (1000, -23, 60), (1000, -36, 10)], -23.0),
        ([(1000, -26, 20), (1000, -20, 20.1), (1000, -26, 20)], -23.0),
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
