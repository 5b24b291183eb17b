"""The real loop of the arcade off screen, driven frame by frame; its animation at twenty times its speed."""

from __future__ import annotations

import time
from typing import Any

import pygame

from batllm_arcade.app.application import App
from batllm_arcade.app.match.screen import MatchScreen
from batllm_arcade.view import theme

HASTY = (
    "MOVE_S", "SHIELD_S", "NOTHING_S", "WINDUP_S", "IMPACT_S", "KNOCKOUT_S", "PAUSE_S", "GAME_BANNER_S",
    "ROUND_BANNER_S", "SWAP_BANNER_S", "RESULT_S", "TURN_S", "FLIGHT_S",
)  # fmt: skip


def hasten(put: Any = setattr, times: float = 20.0) -> None:
    """Let everything be over so many times as fast; `put` like setattr."""
    for name in HASTY:
        value = getattr(theme, name)
        put(theme, name, tuple(part / times for part in value) if isinstance(value, tuple) else value / times)


class VirtualClock:
    """So many frames a second of its own time, as fast as the machine can; other threads get their turn."""

    def __init__(self, frames: int = 20) -> None:
        self.time = time.monotonic()  # brains began to think by that
        self._frame_s = 1 / frames

    def now(self) -> float:
        return self.time

    def next_frame(self) -> None:
        self.time += self._frame_s
        time.sleep(0.001)


def press(key: int, **how) -> None:
    """Press a key and keep it down; `tap` lets it go again."""
    pygame.event.post(pygame.event.Event(pygame.KEYDOWN, key=key, mod=how.pop("mod", 0), unicode="", **how))


def tap(key: int) -> None:
    press(key)
    release(key)


def release(key: int) -> None:
    pygame.event.post(pygame.event.Event(pygame.KEYUP, key=key, mod=0))


def run_until(app: App, first, done, seconds: float = 60.0) -> None:
    """Run the window until `done(app)` is true; fails when that takes too long."""
    ends = time.monotonic() + seconds
    state = {"done": False}

    def each_frame(app: App) -> None:
        state["done"] = bool(done(app))
        if state["done"] or time.monotonic() > ends:
            app.go.quit()

    app.run(first, each_frame)
    assert state["done"], "what was waited for did not happen"


def over(app: App) -> bool:
    return isinstance(app.screen, MatchScreen) and app.screen.state.over


def shown(app: App) -> list:
    """The records that a match has shown so far."""
    match = app.screen
    return [segment.record for segment in match.state.timeline.segments] if isinstance(match, MatchScreen) else []
