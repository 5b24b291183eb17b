"""How evenly the real window goes on while a brain hangs for 30 seconds.

    xvfb-run -s "-screen 0 1280x720x24" python benchmarks/window.py [--seconds 30]

Whoever acts first is asked, shows some words and never answers.
`work` is what a frame costs (events, match, picture, and handing it to the display); `gap` is the time from one
frame to the next, of which the clock waits for most. On a busy machine the display is waited for; the processor time
of the window's thread says what the program itself needs. The slowest frame is taken apart.
"""

from __future__ import annotations

import os
import statistics
import threading
import time
from collections.abc import Callable
from typing import Any

os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
os.environ.setdefault("SDL_AUDIODRIVER", "dummy")

import pygame
from common import BenchmarkParser, progress

from batllm_arcade.app.application import App, FrameClock
from batllm_arcade.app.match.screen import MatchScreen
from batllm_arcade.brains.protocol import BrainKind, Decision, Spec, View
from batllm_arcade.plugin import manager
from batllm_arcade.session.live_session import SessionPlan
from batllm_arcade.settings import config

FEWEST = 3
"""Frames that are measured at least, on however slow a machine."""


class Hanging:
    """Publishes a few words and never answers."""

    def decide(self, view: View) -> Decision:
        view.live.publish("let me think about this for a while")
        threading.Event().wait()
        raise AssertionError


class NotingClock(FrameClock):
    """The window's clock; notes when each frame begins."""

    began = 0.0

    def next_frame(self) -> None:
        """Wait until the next frame is due."""
        super().next_frame()
        self.began = time.monotonic()


class Stopwatch:
    """What each part of every frame took, in milliseconds."""

    def __init__(self) -> None:
        self.parts: dict[str, float] = {}
        self.frames: list[tuple[float, dict[str, float]]] = []
        self.processor: list[float] = []
        self.gaps: list[float] = []
        self.began_at = 0.0
        self._used = time.thread_time()

    def wrap(self, owner: Any, name: str, part: str) -> None:
        """Time every call of a method."""
        inner: Callable[..., Any] = getattr(owner, name)

        def timed(*given: Any, **named: Any) -> Any:
            began = time.perf_counter()
            try:
                return inner(*given, **named)
            finally:
                self.parts[part] = self.parts.get(part, 0.0) + (time.perf_counter() - began) * 1000

        setattr(owner, name, timed)

    def watch(self, app: App, match: MatchScreen) -> None:
        """Time the parts of every frame of a match."""
        self.wrap(app, "_pump", "events")
        self.wrap(app.ui.window, "present", "display")
        self.wrap(match, "update", "update")
        self.wrap(match, "lay_out", "layout")
        self.wrap(match, "draw", "draw")

    def frame(self, began: float) -> None:
        """The frame that began at `began` is over."""
        self.gaps.append((began - self.began_at) * 1000)
        self.began_at = began
        work = sum(self.parts.get(part, 0.0) for part in ("events", "update", "layout", "draw", "display"))
        self.frames.append((work, self.parts))
        used, self._used = self._used, time.thread_time()
        self.processor.append((self._used - used) * 1000)
        self.parts = {}


def measured(seconds: float, warm: float) -> tuple[Stopwatch, str]:
    """Run the window for so long, a brain hanging; return what was measured, and the display's driver.

    It has some seconds before that to warm up: the match begins, caches are filled.
    """
    plugins = manager.load()
    plugins.kinds["hanging"] = BrainKind("hanging", "never answers", lambda spec: Hanging())
    couch = config.load("couch")
    seats = (Spec("hanging", "", {"deadline_s": "999"}), Spec("hanging", "", {"deadline_s": "999"}))
    plan = SessionPlan(couch, seats, seed=7)
    clock, watch = NotingClock(), Stopwatch()
    app = App(plan, plugins, clock=clock)
    state: dict[str, Any] = {"driver": ""}
    begun: list[float] = []

    def each_frame(app: App) -> None:
        match = app.screen
        now = time.monotonic()
        if not begun and isinstance(match, MatchScreen) and match.state.table.thinking is not None:
            begun.append(now)
            state["driver"] = pygame.display.get_driver()
            watch.watch(app, match)
        if begun and now < begun[0] + warm:
            watch.parts, watch.began_at = {}, clock.began
        elif begun:
            watch.frame(clock.began)
        if begun and now > begun[0] + warm + seconds and len(watch.frames) > FEWEST:
            assert isinstance(match, MatchScreen)
            assert match.state.table.thinking is not None, "the brain does not hang"
            app.go.quit()

    app.run(lambda app: app.go.start(plan), each_frame)
    return watch, state["driver"]


def main() -> None:
    parser = BenchmarkParser(__doc__, seconds=1.0, warm=0.5)
    parser.add_argument("--warm", type=float, default=4.0, help="seconds before the measurement")
    parser.add_argument("--seconds", type=float, default=30.0)
    options = parser.parse()
    progress(f"{options.warm + options.seconds:g} s in the window")
    watch, driver = measured(options.seconds, options.warm)
    frames = watch.frames[1:]
    print(f"{len(frames)} frames, display driver {driver}\n")
    print("| | median ms | 99% ms | slowest ms |")
    print("| --- | ---: | ---: | ---: |")
    rows = {
        "work": [work for work, _ in frames],
        "of it the display": [parts.get("display", 0.0) for _, parts in frames],
        "processor time of the window's thread": watch.processor[1:],
        "gap": watch.gaps[1:],
    }
    for name, values in rows.items():
        ordered = sorted(values)
        late = ordered[int(0.99 * len(ordered))]
        print(f"| {name} | {statistics.median(ordered):.2f} | {late:.2f} | {ordered[-1]:.2f} |")
    work, parts = max(frames, key=lambda frame: frame[0])
    shown = ", ".join(f"{part} {cost:.2f}" for part, cost in sorted(parts.items(), key=lambda item: -item[1]))
    print(f"\nThe slowest frame, {work:.2f} ms: {shown}.")


if __name__ == "__main__":
    main()
