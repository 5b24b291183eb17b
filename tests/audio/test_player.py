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


@pytest.fixture
def player(monkeypatch):
    monkeypatch.setenv("SDL_AUDIODRIVER", "dummy")
    sounds = Player(Settings())
    assert sounds.problem == ""
    yield sounds
    sounds.close()


def heard(player, frames, **options):
    """The sounds played while the timeline goes through these moments."""
    found = []
    player.heard = found.append
    for before, now in pairwise(frames):
        player._last.clear()  # the test's frames follow faster than a window's
        player.follow(TIMELINE, before, now, **options)
        player.update()
    return [cue.sound for cue in found]


FRAMES = [number / 60 for number in range(int(60 * TIMELINE.end) + 2)]


def test_a_match_is_heard_frame_by_frame(player):
    assert heard(player, FRAMES) == [cue.sound for cue in cues(TIMELINE, 0, FRAMES[-1])]
    assert module.pygame.mixer.get_busy()


def test_a_sound_is_begun_once_in_a_frame(player):
    found = []
    player.heard = found.append
    player.ui("confirm")
    player.ui("confirm")
    assert [cue.sound for cue in found] == ["ui_confirm"]


def test_nothing_is_heard_while_paused_while_sought_or_above_four_times_the_speed(player):
    assert heard(player, [5.0, 5.0, 5.0]) == []
    assert heard(player, FRAMES[::-1]) == []
    assert heard(player, FRAMES, speed=8) == []
    assert heard(player, FRAMES, speed=0) == []


def test_at_twice_the_speed_only_what_matters_is_heard(player):
    fast = heard(player, FRAMES[::2], speed=2)
    assert not {"turn", "move"} & set(fast)
    assert {"hit", "knockout", "bell"} <= set(fast)


def test_after_a_hung_window_the_sounds_missed_do_not_all_come_at_once(player):
    assert len(heard(player, [0.0, TIMELINE.end])) <= 2


@pytest.mark.parametrize("settings", [Settings(muted=True), Settings(effects_volume=0, music_volume=0)])
def test_a_muted_player_plays_nothing_but_tells_a_recorder_what_would_be_heard(player, settings):
    player.apply(settings)
    player.music(True)
    assert "hit" in heard(player, FRAMES)
    assert not module.pygame.mixer.get_busy()
    assert not player._music_going


def test_the_music_comes_steps_back_for_a_knock_out_and_goes(player, monkeypatch):
    now = [module.time.monotonic()]
    monkeypatch.setattr(module.time, "monotonic", lambda: now[0])

    def volume_after(seconds):
        for _ in range(int(seconds * 20)):
            now[0] += 0.05
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


def test_a_device_that_disappears_is_no_failure(player):
    player.music(True)
    player.update()
    module.pygame.mixer.quit()
    player.play("hit")
    player.update()
    player.follow(TIMELINE, 0.0, 0.1)
    assert "no sound" in player.problem


def test_a_machine_without_a_device_plays_the_same_game_in_silence(monkeypatch):
    monkeypatch.setenv("SDL_AUDIODRIVER", "nonsense")
    silent = Player(Settings())
    assert "no sound" in silent.problem
    assert "hit" in heard(silent, FRAMES)
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


def test_a_closed_player_stays_silent(player):
    player.close()
    player.ui("move")
    player.update()


def test_every_sound_a_match_and_a_menu_ask_for_exists(player):
    wanted = {cue.sound for cue in cues(TIMELINE, 0, 1e6)} | {f"ui_{n}" for n in ("move", "confirm", "back", "error")}
    wanted |= {"block", "danger", "wheel", "tick"}
    assert wanted <= set(player._sounds)


def test_sound_does_not_slow_the_command_line():
    code = "import sys, batllm_arcade.view.sound_cues, batllm_arcade.cli.main; sys.exit('pygame' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
