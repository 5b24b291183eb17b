"""The real loop of the arcade off screen, driven frame by frame; its animation at twenty times its speed."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pygame

from batllm_arcade.app.application import App
from batllm_arcade.app.match.intermission import IntermissionDialog
from batllm_arcade.app.match.screen import MatchRenderer, MatchScreen
from batllm_arcade.app.services.match_thread import MatchThread
from batllm_arcade.plugin.manager import Plugins
from batllm_arcade.session.live_session import SessionPlan
from batllm_arcade.view import theme
from batllm_arcade.view.timeline import Timeline

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


def until(there: Callable[[], Any], meanwhile: Callable[[], object] = lambda: None) -> Iterator[None]:
    """Go on frame by frame until there is something, and return it: `yield from` it in a walk."""
    while not (found := there()):
        meanwhile()
        yield
    return found


def walk(
    app: App, first: Callable[[App], object], steps: Callable[[App], Iterator[None]], seconds: float = 60.0
) -> App:
    """Run the window along `steps(app)`, which yields once a frame, and close it with the last of them."""
    going = steps(app)
    run_until(app, first, lambda app: next(going, "over") == "over", seconds)
    return app


def play(
    plan: SessionPlan, plugins: Plugins, steps: Callable[..., Iterator[None]], *, frames: int = 20, **settings
) -> App:
    """Walk in a match along `steps(match)`, from when something of it is shown."""

    def from_its_start(app: App) -> Iterator[None]:
        yield from until(lambda: isinstance(app.screen, MatchScreen) and app.screen.state.started)
        yield from steps(app.screen)

    app = App(plan, plugins, clock=VirtualClock(frames))
    app.ui.settings = replace(app.ui.settings, **settings)
    return walk(app, lambda app: app.go.start(plan), from_its_start)


def still_match(app: App, plan: SessionPlan, timeline: Timeline, t: float, **how: Any) -> MatchScreen:
    """A match that stands at a moment of a timeline, and of which nothing more will come."""
    thread = MatchThread(app.go.session, plan, app.go.session.table(plan))
    thread.start, thread.join, thread.leave = (lambda: None), (lambda seconds: None), thread.table.close
    screen = MatchScreen(app.ui, app.go, app.services, plan, thread, MatchRenderer(), **how)
    screen.state.timeline, screen.state.clock.t = timeline, t
    return screen


def begin_round(match: MatchScreen) -> None:
    """What has to be confirmed between rounds."""
    if isinstance(match.menu.dialog, IntermissionDialog):
        match.menu.dialog.go_on()


def records(match: MatchScreen, kind: Any = object) -> list:
    """What of a kind a match has shown so far."""
    return [segment.record for segment in match.state.timeline.segments if isinstance(segment.record, kind)]


def over(app: App) -> bool:
    return isinstance(app.screen, MatchScreen) and app.screen.state.over


def shown(app: App) -> list:
    """The records that a match has shown so far."""
    match = app.screen
    return [segment.record for segment in match.state.timeline.segments] if isinstance(match, MatchScreen) else []
