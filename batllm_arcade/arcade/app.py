"""The window's loop: one clock, one event pump, one screen at a time."""

from __future__ import annotations

import os
import sys
import time
from collections import deque
from collections.abc import Callable

os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")

import pygame

from batllm_arcade.arcade.match_screen import MatchScreen
from batllm_arcade.arcade.replay_screen import ReplayScreen
from batllm_arcade.arcade.screen import Screen
from batllm_arcade.arcade.title_screen import TitleScreen
from batllm_arcade.arcade.worker import MatchWorker
from batllm_arcade.errors import UsageError
from batllm_arcade.history.reader import SessionTape
from batllm_arcade.history.replay import replay as replayed
from batllm_arcade.plugin_manager import Plugins
from batllm_arcade.session import LiveSession, SessionPlan
from batllm_arcade.view import theme
from batllm_arcade.view.timeline import Timeline

FRAMES_PER_SECOND = 60
CLOSING_S = 3.0
"""Seconds the closed window waits for its matches to end their files."""


class App:
    """The shell the screens live in; `first` makes the screen that is shown at the start."""

    def __init__(self, plan: SessionPlan | None, plugins: Plugins, *, with_title: bool = False) -> None:
        self.plugins = plugins
        self._plan, self._with_title = plan, with_title
        self.screen: Screen | None = None
        self._next: Screen | None = None
        self._running = True
        self._began = time.monotonic()
        self.frame_gaps: deque[float] = deque(maxlen=100_000)
        """Seconds between the frames shown so far."""
        self.bug: BaseException | None = None
        self._matches: list[MatchWorker] = []  # left, and perhaps not quite gone
        self._told = len(plugins.problems)
        if plan is not None:
            self.session = LiveSession(plan, plugins)

    def show(self, screen: Screen) -> None:
        """Put this screen in the other one's place, before the next frame."""
        self._next = screen

    def title(self) -> None:
        """Show the title, with the last match's choices."""
        if self._plan is not None:
            self._with_title = True
            self.show(TitleScreen(self, self._plan))

    def leave_match(self) -> None:
        """Back to where the match was started from: the title, or the command line."""
        if self._with_title:
            self.title()
        else:
            self.quit()

    def start(self, plan: SessionPlan) -> None:
        """A match with this plan; UsageError where a seat's options are wrong."""
        self._plan = plan
        self.show(MatchScreen(self, plan))

    def new_problems(self) -> list[str]:
        """The plugins dropped since the window was opened, a sentence each."""
        return self.plugins.problems[self._told :]

    def quit(self) -> None:
        """Close the window after this frame."""
        self._running = False

    def run(self, first: Callable[[App], None], each_frame: Callable[[App], None] | None = None) -> int:
        """Open the window and run until it is closed; the exit code is 1 where a recorder was lost."""
        surface = _open_window()
        clock, last = pygame.time.Clock(), None
        try:
            first(self)
            while self._running:
                self._switch()
                now = time.monotonic() - self._began
                for event in pygame.event.get():
                    if event.type == pygame.QUIT:
                        self.quit()
                    elif self.screen is not None:
                        self.screen.handle(event, now)
                surface = pygame.display.get_surface() or surface
                if self.screen is not None:
                    self.screen.draw(surface, now)
                pygame.display.flip()
                if last is not None:
                    self.frame_gaps.append(now - last)
                last = now
                if each_frame is not None:
                    each_frame(self)
                clock.tick(FRAMES_PER_SECOND)
        finally:
            self._close()
        if self.bug is not None:
            raise self.bug
        return 1 if self._plan is not None and self.session.lost else 0

    def _switch(self) -> None:
        if self._next is not None:
            if self.screen is not None:
                self._let_go(self.screen)
            self.screen, self._next = self._next, None

    def _let_go(self, screen: Screen) -> None:
        screen.leave()
        if isinstance(screen, MatchScreen):
            self._matches = [match for match in self._matches if match is not screen.worker] + [screen.worker]

    def _close(self) -> None:
        for screen in (self.screen, self._next):
            if screen is not None:
                self._let_go(screen)
        ends = time.monotonic() + CLOSING_S
        for worker in self._matches:
            worker.join(max(0.0, ends - time.monotonic()))
            self.bug = self.bug or worker.bug
        if self._plan is not None:
            self.session.close()
        pygame.quit()


def _open_window() -> pygame.Surface:
    try:
        pygame.display.init()
        pygame.display.set_caption("BatLLM Arcade")
        surface = pygame.display.set_mode((theme.WIDTH, theme.HEIGHT), pygame.RESIZABLE)
    except pygame.error as error:
        raise UsageError(f"no window can be opened ({error}); 'batllm-arcade run' plays without one") from None
    if pygame.display.get_driver() == "offscreen":
        pygame.quit()
        raise UsageError("there is no display to open a window on; 'batllm-arcade run' plays without one")
    pygame.key.stop_text_input()
    return surface


def play(plan: SessionPlan, plugins: Plugins) -> int:
    """Straight into a match."""
    app = App(plan, plugins)
    return _finished(app, plan, app.run(lambda shell: shell.start(plan)))


def arcade(plan: SessionPlan, plugins: Plugins) -> int:
    """The arcade, from the title."""
    app = App(plan, plugins, with_title=True)
    return _finished(app, plan, app.run(App.title))


def _finished(app: App, plan: SessionPlan, code: int) -> int:
    for problem in app.new_problems():
        print(f"batllm-arcade: {problem}", file=sys.stderr)
    if plan.history is not None and plan.history.exists():
        print(f"session: {plan.history}", file=sys.stderr)
    return code


def replay(session: SessionTape) -> int:
    """Watch a recorded session; UsageError where it holds no game."""
    timeline = Timeline.of(replayed(session))
    if not timeline.segments:
        raise UsageError("this session holds no game to watch")
    app = App(None, Plugins.none())
    return app.run(lambda shell: shell.show(ReplayScreen(shell, timeline)))
