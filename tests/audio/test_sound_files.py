"""The sounds themselves, judged by numbers: no clicks, no clipping, loudness in order, a loop without a seam."""

from __future__ import annotations

import ast
import inspect
import sys
import wave
from importlib import import_module
from importlib.resources import files
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from paths import ROOT

from batllm_arcade.view import sound_cues
from batllm_arcade.view.sound_cues import DUCKING, LOUDNESS, QUIET, night, trim

FOLDER = Path(str(files("batllm_arcade.assets") / "sounds"))
NAMES = sorted(path.stem for path in FOLDER.glob("*.wav"))


@pytest.fixture(scope="module")
def makers():
    """The scripts that make the sounds; they are not installed."""
    folder = ROOT / "assets" / "sounds"
    if not (folder / "make.py").exists():
        pytest.skip("the scripts that make the sounds are in the repository alone")
    sys.path.insert(0, str(folder))
    yield import_module("make"), import_module("synth")
    sys.path.remove(str(folder))


def samples(name):
    with wave.open(str(FOLDER / f"{name}.wav")) as file:
        assert (file.getnchannels(), file.getsampwidth(), file.getframerate()) == (1, 2, 48000)
        return np.frombuffer(file.readframes(file.getnframes()), np.int16) / 32768


@pytest.mark.parametrize("name", NAMES)
def test_a_sound_neither_clips_nor_clicks_nor_leans(name):
    sound = samples(name)
    peak = np.abs(sound).max()
    assert 0.03 < peak < 0.9
    assert max(abs(sound[0]), abs(sound[-1])) < 0.002
    assert np.abs(sound[-240:]).max() < 0.05 * peak
    assert abs(sound.mean()) < 0.001
    assert np.abs(np.diff(sound)).max() < 0.4


@pytest.mark.parametrize("name", ["fire_left", "fire_right", "hit", "block", "wall", "bump", "bell", "tick", "ui_move"])
def test_what_answers_to_a_moment_is_there_at_once(name):
    sound = np.abs(samples(name))
    assert np.argmax(sound > 0.5 * sound.max()) < 0.005 * 48000


def test_what_matters_more_is_louder(makers):
    loud = {name: makers[1].loudness(samples(name)) for name in NAMES}
    assert loud["knockout"] > loud["hit"] > loud["block"] > loud["wall"] > loud["move"] > loud["turn"]
    assert all(loud[name] < loud["wall"] for name in NAMES if name.startswith(("ui_", "speech", "tick")))
    assert min(loud.values()) > -31
    assert max(loud.values()) < -10


def character(name):
    """The middle of a sound's spectrum (hertz) and the time until nearly all of it has been heard (seconds)."""
    sound = samples(name)
    power, frequencies = np.abs(np.fft.rfft(sound)) ** 2, np.fft.rfftfreq(len(sound), 1 / 48000)
    power[frequencies < 60] = 0.0  # not heard from small loudspeakers
    heard = np.cumsum(sound**2) / np.sum(sound**2)
    return (power * frequencies).sum() / power.sum(), np.searchsorted(heard, 0.95) / 48000


DUEL = ("hit", "hit_side", "hit_back", "block", "shield_break", "empty", "refused", "load", "full")


def test_the_sounds_of_the_duel_are_told_apart_with_closed_eyes():
    """Each two by spectrum or length: at least two thirds of an octave, or that factor."""
    heard = {name: np.log2(character(name)) for name in DUEL}
    close = [pair for pair in combinations(DUEL, 2) if np.abs(heard[pair[0]] - heard[pair[1]]).max() < 2 / 3]
    assert not close


def test_the_sounds_kept_are_those_the_script_makes(makers):
    assert sorted(makers[0].SOUNDS) == NAMES
    for name in NAMES:
        kept, made = samples(name) * 32768, makers[0].render(name)
        assert len(kept) == len(made)
        assert np.abs(kept - made).max() <= 2, name  # a processor's rounding


def texts(*nodes):
    """The texts that are written anywhere in parts of a program."""
    parts = [part for node in nodes for part in ast.walk(node)]
    return {part.value for part in parts if isinstance(part, ast.Constant) and isinstance(part.value, str)}


def test_every_cue_has_its_sound_and_every_sound_its_cue():
    """Each seat's own sounds are named in two parts; those of the menus and the clock are the window's."""
    code = ast.parse(inspect.getsource(sound_cues))
    calls = [node for node in ast.walk(code) if isinstance(node, ast.Call) and ast.unparse(node.func) == "Cue"]
    cued = texts(*(call.args[1] for call in calls if len(call.args) > 1))
    assert {"bell_end", "win", "load"} <= cued
    tables = {*sound_cues._SOUNDS.values(), *sound_cues._HITS.values()}
    assert sorted((cued | tables | {*LOUDNESS, *DUCKING}) - {*NAMES}) == []
    of_seats = {f"{name}_{seat}" for name in ("fire", "speech") for seat in ("left", "right")}
    of_window = {name for name in NAMES if name.startswith("ui_")} | {"tick"}
    assert sorted({*NAMES} - of_seats - of_window - texts(code)) == []


def test_all_sounds_together_are_small():
    """All of them are in the wheel, and in memory while the window is open: some twenty short ones have room yet."""
    assert sum(path.stat().st_size for path in FOLDER.iterdir()) < 3_500_000


def test_the_loop_has_no_seam_and_leaves_room_for_the_effects():
    from batllm_arcade.audio.mixer import loop as music_loop

    length = 24 * 16 * 7200
    loop = music_loop().music(0, length)
    assert np.array_equal(music_loop().music(length - 5, length + 5), np.concatenate((loop[-5:], loop[:5])))
    assert np.abs(loop).max() < 0.7
    round_the_end = np.abs(np.diff(np.concatenate((loop[-24000:], loop[:24000])), axis=0))
    assert round_the_end[23_990:24_010].max() < np.quantile(round_the_end, 0.999)
    level = 20 * np.log10(np.sqrt(np.mean(loop**2)))
    assert -24 < level < -16


def loudest_tenth(name):
    """The loudest tenth of a second of a sound, in dB below full scale."""
    so_far = np.cumsum(np.pad(samples(name) ** 2, 4800))
    return 10 * np.log10((so_far[4800:] - so_far[:-4800]).max() / 4800)


def test_a_hit_startles_nobody_whom_the_shot_did_not():
    """Half of what a sound is louder than a shot is held back; at night all of them are within 6 dB, and quieter."""
    heard = {name: loudest_tenth(name) for name in NAMES}
    for name in NAMES:
        assert heard[name] == pytest.approx(LOUDNESS[name], abs=0.5) if name in LOUDNESS else heard[name] < QUIET + 3
    shot, played = heard["fire_left"], {name: heard[name] + decibels(trim(name)) for name in NAMES}
    assert shot - 0.5 < played["hit"] < played["knockout"] + 0.1 < shot + 3.0
    assert max(played.values()) < shot + 3.0
    at_night = {name: played[name] + decibels(night(name)) for name in NAMES}
    duel = [at_night[name] for name in ("hit", "hit_back", "fire_left", "block", "wall", "shield_up", "knockout")]
    assert max(at_night.values()) < shot - 8.0
    assert max(duel) - min(duel) < 6.0


def decibels(factor):
    return 20 * np.log10(factor)
