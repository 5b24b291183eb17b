"""The window's loop: one clock, one event pump, a small stack of screens of which the top one is shown."""

from __future__ import annotations

import gc
import os
import sys
import time
from collections import deque
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")

import pygame

from batllm_arcade.app.input.controls import Controls
from batllm_arcade.app.match.screen import MatchScreen
from batllm_arcade.app.menus.help import HelpScreen
from batllm_arcade.app.menus.prompts import PromptsScreen
from batllm_arcade.app.menus.sessions import SessionsScreen
from batllm_arcade.app.menus.settings import SettingsScreen
from batllm_arcade.app.menus.setup import SetupScreen
from batllm_arcade.app.menus.title import TitleScreen
from batllm_arcade.app.recording import Recording
from batllm_arcade.app.replay.screen import ReplayScreen
from batllm_arcade.app.services.availability_cache import AvailabilityCache
from batllm_arcade.app.services.film_jobs import FilmJobs
from batllm_arcade.app.services.match_thread import MatchThread
from batllm_arcade.app.ui.screen import Screen
from batllm_arcade.app.window import Window
from batllm_arcade.audio.player import Player
from batllm_arcade.errors import UsageError
from batllm_arcade.history.reader import SessionTape, read
from batllm_arcade.history.replay import replay as replayed
from batllm_arcade.plugin.manager import Plugins
from batllm_arcade.session.live_session import LiveSession, SessionPlan
from batllm_arcade.settings.display import DisplayOptions
from batllm_arcade.settings.store import SettingsFile
from batllm_arcade.settings.user_settings import Settings
from batllm_arcade.view.timeline import Timeline

FRAMES_PER_SECOND = 60
CLOSING_S = 3.0
"""Seconds the closed window waits for its matches to end their files."""
SAVED_S = 1.0
"""Seconds after the last change of a setting in which it is written."""


class App:
    """The shell the screens live in; without a `file` the settings are as shipped and not kept."""

    def __init__(
        self,
        plan: SessionPlan | None,
        plugins: Plugins,
        *,
        with_title: bool = False,
        file: SettingsFile | None = None,
        record: Path | None = None,
    ) -> None:
        self.plugins = plugins
        self._plan, self._with_title, self._file = plan, with_title, file
        self.settings = file.settings if file else Settings()
        self.controls = Controls(self.settings)
        self.sounds: Player
        self.availability = AvailabilityCache(plugins.kinds)
        self.films = FilmJobs()
        self._recording = Recording(record)
        self.window: Window | None = None
        self._stack: list[Screen] = []
        self._running = True
        self._typing = False
        self._unsaved_since: float | None = None
        self._began = time.monotonic()
        self.frame_gaps: deque[float] = deque(maxlen=100_000)
        """Seconds between the frames shown so far."""
        self.bug: BaseException | None = None
        self._matches: list[MatchThread] = []  # left, and perhaps not quite gone
        self._told = len(plugins.problems)
        if file is not None and file.problem:
            plugins.problems.append(file.problem)
        if plan is not None:
            self.session = LiveSession(plan, plugins)

    # -- screens --------------------------------------------------------------------------------

    @property
    def screen(self) -> Screen | None:
        """The screen that is shown."""
        return self._stack[-1] if self._stack else None

    def _now(self) -> float:
        return time.monotonic() - self._began

    def show(self, screen: Screen) -> None:
        """Put another screen in this one's place."""
        if self._stack:
            self._let_go(self._stack.pop())
        self._put(screen)

    def push(self, screen: Screen) -> None:
        """Put a screen over this one, which is kept and held still."""
        if self._stack:
            self._stack[-1].cover(self._now())
        self._put(screen)

    def pop(self) -> None:
        """Leave the screen on top and go back to the one below; the last one closes the window."""
        if len(self._stack) < 2:
            self.quit()
            return
        self._let_go(self._stack.pop())
        self._settle()
        self._stack[-1].uncover(self._now())

    def _only(self, screen: Screen) -> None:
        while self._stack:
            self._let_go(self._stack.pop())
        self._put(screen)

    def _put(self, screen: Screen) -> None:
        self._stack.append(screen)
        self._settle()

    def _settle(self) -> None:
        self.controls.let_go()
        self.controls.listening = False

    def title(self) -> None:
        """Show the title, with the last match's choices; in a window opened for one match or replay, close it."""
        if self._plan is None:
            self.quit()
        else:
            self._with_title = True
            self._only(TitleScreen(self, self._plan))

    def remember(self, plan: SessionPlan) -> None:
        """Take these choices as the last match's, for the title."""
        self._plan = plan

    def seats(self, plan: SessionPlan) -> None:
        """Show who plays, and by which rules."""
        self._plan = plan
        self._only(SetupScreen(self, plan))

    def prompts(self, plan: SessionPlan) -> None:
        """Show both players' prompts."""
        self._plan = plan
        self._only(PromptsScreen(self, plan))

    def sessions(self) -> None:
        """Show the recorded sessions."""
        self._only(SessionsScreen(self))

    def open_session(self, path: Path, game: int | None = None) -> None:
        """Put a recorded session's replay over this screen, at this game's start; UsageError where there is none."""
        screen = ReplayScreen(self, _timeline(read(path), self.settings.display), path)
        if game is not None:
            screen.seek_game(game)
        self.push(screen)

    def settings_screen(self) -> None:
        """Put the settings over this screen."""
        self.push(SettingsScreen(self))

    def help_screen(self) -> None:
        """Put the help with the controls over this screen, or take it away again."""
        if isinstance(self.screen, HelpScreen):
            self.pop()
        else:
            self.push(HelpScreen(self))

    def leave_match(self) -> None:
        """Back to where the match was started from: the title, or the command line."""
        if self._with_title:
            self.title()
        else:
            self.quit()

    def start(self, plan: SessionPlan) -> None:
        """A match with this plan; UsageError where a seat's options are wrong."""
        self._plan = plan
        self._only(MatchScreen(self, plan))

    def new_problems(self) -> list[str]:
        """The plugins dropped since the window was opened, a sentence each."""
        return self.plugins.problems[self._told :]

    def quit(self) -> None:
        """Close the window after this frame."""
        self._running = False

    # -- settings -------------------------------------------------------------------------------

    def apply(self, settings: Settings) -> None:
        """Take these settings from now on, and keep them in the person's file."""
        self.settings = self.controls.settings = settings
        if self.window is not None:
            self.sounds.apply(settings)
            self.window.set_fullscreen(settings.fullscreen)
        self._unsaved_since = self._now()

    def _save(self) -> None:
        if self._file is not None and self._unsaved_since is not None:
            problem = self._file.save(self.settings)
            if problem:
                self.plugins.problems.append(problem)
        self._unsaved_since = None

    def text_input(self, on: bool) -> None:
        """Take text (or no longer): letters are typed then and no keys of the window, and held keys repeat."""
        if on != self._typing:
            self._typing = on
            (pygame.key.start_text_input if on else pygame.key.stop_text_input)()
            pygame.key.set_repeat(*((350, 35) if on else ()))

    # -- the loop -------------------------------------------------------------------------------

    def run(self, first: Callable[[App], None], each_frame: Callable[[App], None] | None = None) -> int:
        """Open the window and run until it is closed; the exit code is 1 where a recorder was lost."""
        self.window = Window(self.settings.fullscreen)
        self.sounds = player = Player(self.settings)
        player.on_cue = self._recording.recorder.add_sound
        player.music(True)
        self.controls.pads.open()
        clock, last = pygame.time.Clock(), None
        try:
            first(self)
            gc.freeze()  # what is loaded by now stays: looking through all of it for garbage costs more than a frame
            while self._running:
                now = self._now()
                self._pump(now)
                if self.screen is not None:
                    self.screen.update(now)
                self._draw(self.window, now)
                self.sounds.update()
                if last is not None:
                    self.frame_gaps.append(now - last)
                last = now
                if each_frame is not None:
                    each_frame(self)
                clock.tick(FRAMES_PER_SECOND)
        finally:
            gc.unfreeze()
            self._close()
        if self.bug is not None:
            raise self.bug
        return 1 if self._plan is not None and self.session.lost else 0

    def _pump(self, now: float) -> None:
        for event in pygame.event.get():
            if event.type == pygame.QUIT:
                self.quit()
            for given in self.controls.feed(event, now):
                self._give(given, now)
        for given in self.controls.repeats(now) if getattr(self.screen, "repeats", False) else ():
            self._give(given, now)
        if self._unsaved_since is not None and now - self._unsaved_since > SAVED_S:
            self._save()

    def _give(self, event: pygame.event.Event, now: float) -> None:
        action = self.controls.action(event)
        types_letter = self._typing and event.type == pygame.KEYDOWN and len(pygame.key.name(event.key)) == 1
        if action == "fullscreen" and not types_letter:
            self.apply(replace(self.settings, fullscreen=not self.settings.fullscreen))
        elif action == "mute" and not types_letter:
            self.apply(replace(self.settings, muted=not self.settings.muted))
        elif action == "record" and not types_letter:
            self._recording.toggle()
        elif action == "clip" and not types_letter:
            self._recording.clip()
        elif action == "help" and not types_letter:
            self.help_screen()
        elif self.screen is not None:
            self.screen.handle(event, now)

    def _draw(self, window: Window, now: float) -> None:
        if self.screen is not None:
            surface = window.surface(now)
            self.screen.draw(surface)
            self._recording.frame(surface, self.settings, music=self.sounds.music_on)
        window.present()

    def _let_go(self, screen: Screen) -> None:
        screen.leave()
        if isinstance(screen, MatchScreen):
            others = [match for match in self._matches if match is not screen.worker]
            self._matches = [match for match in others if match.alive or match.bug] + [screen.worker]

    def _close(self) -> None:
        for screen in reversed(self._stack):
            self._let_go(screen)
        ends = time.monotonic() + CLOSING_S
        for worker in self._matches:
            worker.join(max(0.0, ends - time.monotonic()))
            self.bug = self.bug or worker.bug
        if self._plan is not None:
            self.session.close()
        self._save()
        self.films.close()
        self.sounds.close()
        pygame.display.quit()
        news = self._recording.close()
        if news:
            print(news, file=sys.stderr)
        pygame.quit()


def play(plan: SessionPlan, plugins: Plugins, record: Path | None = None) -> int:
    """Straight into a match, filmed into `record`."""
    app = App(plan, plugins, file=_settings(plan), record=record)
    return _finished(app, plan, app.run(lambda shell: shell.start(plan)))


def arcade(plan: SessionPlan, plugins: Plugins) -> int:
    """The arcade, from the title."""
    app = App(plan, plugins, with_title=True, file=_settings(plan))
    return _finished(app, plan, app.run(App.title))


def replay(path: Path) -> int:
    """Watch a recorded session; UsageError where there is none or it holds no game."""
    settings = _settings()
    timeline = _timeline(read(path), settings.settings.display)
    app = App(None, Plugins.none(), file=settings)
    return app.run(lambda shell: shell.push(ReplayScreen(shell, timeline, path)))


def _settings(plan: SessionPlan | None = None) -> SettingsFile:
    file = SettingsFile(over=plan.config.settings if plan else None)
    if file.problem:
        print(f"batllm-arcade: {file.problem}", file=sys.stderr)
    return file


def _timeline(session: SessionTape, display: DisplayOptions) -> Timeline:
    timeline = Timeline.of(replayed(session), display)
    if not timeline.segments:
        raise UsageError("this session holds no game to watch")
    return timeline


def _finished(app: App, plan: SessionPlan, code: int) -> int:
    for problem in app.new_problems():
        print(f"batllm-arcade: {problem}", file=sys.stderr)
    if plan.history is not None and plan.history.exists():
        print(f"session: {plan.history}", file=sys.stderr)
    return code
