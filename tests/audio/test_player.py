"""The window's sound: heard once, silent where it must be, and never in anybody's way."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from itertools import pairwise

import pytest
from fakes import eventful

from batllm_arcade.audio import player as module
from batllm_arcade.audio.player import Player
from batllm_arcade.settings.user_settings import Settings
from batllm_arcade.view.sound_cues import cues
from batllm_arcade.view.timeline import Timeline

TIMELINE = Timeline.of(eventful())


class Clock:
    """A clock that goes on when it is told to, in seconds."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def player(monkeypatch, clock):
    monkeypatch.setenv("SDL_AUDIODRIVER", "dummy")
    sounds = Player(Settings(), clock)
    assert sounds.problem == ""
    yield sounds
    sounds.close()


def heard(player, clock, frames, **options):
    """Return the sounds played while the timeline goes through these moments, ten windows' frames apart."""
    found = []
    player.on_cue = found.append
    for before, now in pairwise(frames):
        clock.now += 1 / 6
        player.follow(TIMELINE, before, now, **options)
        player.update()
    return [cue.sound for cue in found]


FRAMES = [number / 60 for number in range(int(60 * TIMELINE.end) + 2)]


def test_a_match_is_heard_frame_by_frame(player, clock):
    assert heard(player, clock, FRAMES) == [cue.sound for cue in cues(TIMELINE, 0, FRAMES[-1])]
    assert module.pygame.mixer.get_busy()


def test_a_sound_is_begun_once_in_a_frame(player):
    found = []
    player.on_cue = found.append
    player.ui("confirm")
    player.ui("confirm")
    assert [cue.sound for cue in found] == ["ui_confirm"]


def test_nothing_is_heard_while_paused_while_sought_or_above_four_times_the_speed(player, clock):
    assert heard(player, clock, [5.0, 5.0, 5.0]) == []
    assert heard(player, clock, FRAMES[::-1]) == []
    assert heard(player, clock, FRAMES, speed=8) == []
    assert heard(player, clock, FRAMES, speed=0) == []


def test_at_twice_the_speed_only_what_matters_is_heard(player, clock):
    fast = heard(player, clock, FRAMES[::2], speed=2)
    assert not {"turn", "move"} & set(fast)
    assert {"hit", "knockout", "bell"} <= set(fast)


def test_after_a_hung_window_the_sounds_missed_do_not_all_come_at_once(player, clock):
    assert len(heard(player, clock, [0.0, TIMELINE.end])) <= 2


@pytest.mark.parametrize("settings", [Settings(muted=True), Settings(effects_volume=0, music_volume=0)])
def test_a_muted_player_plays_nothing_but_tells_a_recorder_what_would_be_heard(player, clock, settings):
    player.apply(settings)
    player.music(True)
    assert "hit" in heard(player, clock, FRAMES)
    assert not module.pygame.mixer.get_busy()
    assert not module.pygame.mixer.music.get_busy()


def test_the_music_comes_steps_back_for_a_knock_out_and_goes(player, clock):
    def volume_after(seconds):
        for _ in range(int(seconds * 20)):
            clock.now += 0.05
            player.update()
        return module.pygame.mixer.music.get_volume()

    player.music(True)
    full = volume_after(2)
    assert full == pytest.approx(Settings().music_volume, abs=0.02)
    player.play("knockout")
    assert volume_after(0.5) < 0.4 * full
    assert volume_after(4) == full
    player.apply(replace(Settings(), muted=True))
    assert volume_after(0.1) == 0
    player.apply(Settings())
    assert volume_after(0.1) == full
    player.music(False)
    assert volume_after(2) == 0


def test_music_goes_and_comes_again_while_sounds_end(player):
    """In a process of its own: where two threads wait for each other nothing is left but to end it."""
    toggling = """
from itertools import count
from batllm_arcade.audio.player import Player
from batllm_arcade.settings.user_settings import Settings
import pygame
time = count()
player = Player(Settings(), lambda: float(next(time)))
player.music(True)
short = pygame.mixer.Sound(bytes(4 * 44))
played = toggles = 0
while played < 60 or toggles < 400:  # no channel is free until one of 24 sounds has ended
    channel = short.play()
    player.apply(Settings(muted=toggles % 2 == 0))
    player.update()
    toggles += 1
    played += channel is not None
player.close()
"""
    done = subprocess.run([sys.executable, "-c", toggling], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_device_that_disappears_is_no_failure(player):
    player.music(True)
    player.update()
    module.pygame.mixer.quit()
    player.play("hit")
    player.update()
    player.follow(TIMELINE, 0.0, 0.1)
    assert "no sound" in player.problem


def test_a_machine_without_a_device_plays_the_same_game_in_silence(monkeypatch, clock):
    monkeypatch.setenv("SDL_AUDIODRIVER", "nonsense")
    silent = Player(Settings(), clock)
    assert "no sound" in silent.problem
    assert "hit" in heard(silent, clock, FRAMES)
    silent.ui("error")
    silent.music(True)
    silent.apply(Settings(muted=True))
    silent.close()


def test_no_page_of_complaints_is_written_where_there_is_no_device():
    names = "from batllm_arcade.audio.player import Player; from batllm_arcade.settings.user_settings import Settings"
    environment = {**os.environ, "SDL_AUDIODRIVER": "alsa", "PYGAME_HIDE_SUPPORT_PROMPT": "1"}
    ran = subprocess.run(
        [sys.executable, "-c", f"{names}; Player(Settings())"],
        env=environment,
        capture_output=True,
        check=True,
        text=True,
    )
    assert ran.stderr == ""


def test_a_closed_player_releases_the_device_and_stays_silent(player):
    player.music(True)
    player.update()
    player.close()
    assert module.pygame.mixer.get_init() is None
    player.ui("move")
    player.music(True)
    player.update()
    assert module.pygame.mixer.get_init() is None


def test_sound_does_not_slow_the_command_line():
    code = "import sys, batllm_arcade.view.sound_cues, batllm_arcade.cli.main; sys.exit('pygame' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
