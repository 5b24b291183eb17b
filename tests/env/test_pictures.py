"""Pictures of games: the array shows the last play, the window all that moves until then."""

from __future__ import annotations

import pytest

pytest.importorskip("pettingzoo")

import pygame

from batllm_arcade.env import make_single, parallel_env, raw_env
from batllm_arcade.env import picture as module


class Clock:
    """A clock that goes on where somebody sleeps, and what is shown meanwhile."""

    def __init__(self, monkeypatch):
        self.now, self.shown = 0.0, []
        monkeypatch.setattr(module, "time", self)
        monkeypatch.setattr(module.pygame.display, "flip", lambda: self.shown.append(self.now))

    def monotonic(self):
        return self.now

    def sleep(self, seconds):
        self.now += seconds


@pytest.fixture
def clock(monkeypatch):
    monkeypatch.setattr(module, "FPS", 5)
    return Clock(monkeypatch)


def test_an_array_shows_the_last_play():
    environment = raw_env(config="couch", render_mode="rgb_array", seed=3)
    environment.reset()
    before = environment.render()
    environment.step(20)  # half a turn
    after = environment.render()
    assert before.shape == after.shape == (720, 1280, 3)
    assert (before != after).any()
    environment.close()


@pytest.mark.parametrize("made", [parallel_env, make_single])
def test_the_window_shows_a_play_for_as_long_as_it_takes(made, clock):
    environment = made(config="couch", render_mode="human", seed=3)
    environment.reset()
    opening = clock.now
    assert opening > 1
    environment.step({"player_0": 20, "player_1": 20} if made is parallel_env else 20)
    assert clock.now > opening + 0.5
    assert len(clock.shown) > 5
    environment.close()


def test_a_window_that_is_closed_shows_nothing_more_and_the_game_goes_on(clock):
    environment = raw_env(config="couch", render_mode="human", seed=3)
    environment.reset()
    pygame.event.post(pygame.event.Event(pygame.QUIT))
    environment.step(1)
    shown = len(clock.shown)
    environment.step(1)
    assert len(clock.shown) == shown
    assert not environment.terminations["player_0"]
    environment.close()
