"""Where each screen of the arcade leads, and what is done on threads on the way there."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from batllm_arcade.app.input.controls import Controls
from batllm_arcade.app.loading_screen import LoadingScreen
from batllm_arcade.app.match.renderer import MatchRenderer
from batllm_arcade.app.match.screen import MatchScreen
from batllm_arcade.app.menus.help import HelpScreen
from batllm_arcade.app.menus.leagues import LeaguesScreen
from batllm_arcade.app.menus.prompts import PromptsScreen
from batllm_arcade.app.menus.sessions import SessionsScreen
from batllm_arcade.app.menus.settings import SettingsScreen
from batllm_arcade.app.menus.setup import SetupScreen
from batllm_arcade.app.menus.title import TitleScreen
from batllm_arcade.app.replay.screen import ReplayScreen
from batllm_arcade.app.screen_stack import ScreenStack
from batllm_arcade.app.services.availability_cache import AvailabilityCache
from batllm_arcade.app.services.background import BackgroundTask, Leftover, Leftovers
from batllm_arcade.app.services.films.film_jobs import FilmJobs
from batllm_arcade.app.services.opening import open_timeline, timeline_of
from batllm_arcade.app.ui.screen import Screen
from batllm_arcade.audio.player import Player
from batllm_arcade.errors import ArcadeError
from batllm_arcade.history.reader import SessionTape
from batllm_arcade.match.series import Series
from batllm_arcade.plugin.manager import Plugins
from batllm_arcade.seats.table import Table
from batllm_arcade.session.live_session import LiveSession, SessionPlan
from batllm_arcade.settings.people import named, people
from batllm_arcade.settings.user_settings import Settings, with_bot
from batllm_arcade.view.timeline import Timeline

T = TypeVar("T")


class ScreenNavigation(ABC):
    """The screens' shell without its window; `plan` is None in a window opened for a replay.

    `clock` gives the time in seconds for everything that is shown.
    """

    sounds: Player

    def __init__(
        self,
        plan: SessionPlan | None,
        plugins: Plugins,
        settings: Settings,
        *,
        with_title: bool,
        clock: Callable[[], float],
    ) -> None:
        self.plugins, self.settings = plugins, settings
        self.controls = Controls(settings)
        self.availability = AvailabilityCache(plugins.kinds)
        self.films = FilmJobs()
        self._plan, self._with_title = plan, with_title
        self._stack = ScreenStack(clock, self._screen_changed)
        self._leftovers = Leftovers()
        self._match_renderer = MatchRenderer()
        self._failure: BaseException | None = None
        self._known_problems = len(plugins.problems)
        if plan is not None:
            self.session = LiveSession(plan, plugins)

    @abstractmethod
    def apply(self, settings: Settings) -> None:
        """Take these settings from now on, and keep them in the user's file."""

    @abstractmethod
    def text_input(self, on: bool) -> None:
        """Switch text input on or off; while on, letters are typed instead of working as keys, and held keys repeat."""

    @abstractmethod
    def show_films(self) -> None:
        """Open the folder of films on the desktop."""

    @abstractmethod
    def quit(self) -> None:
        """Close the window after this frame."""

    # -- the stack ------------------------------------------------------------------------------

    @property
    def screen(self) -> Screen | None:
        """The screen that is shown."""
        return self._stack.top

    def show(self, screen: Screen) -> None:
        """Put another screen in this one's place."""
        self._stack.replace_top(screen)

    def push(self, screen: Screen) -> None:
        """Put a screen over this one, which is kept and held still."""
        self._stack.push(screen)

    def pop(self) -> None:
        """Leave the screen on top and go back to the one below; the last one closes the window."""
        if len(self._stack) < 2:
            self.quit()
        else:
            self._stack.pop()

    def _screen_changed(self) -> None:
        self.controls.let_go()
        self.controls.listening = False

    # -- where they lead ------------------------------------------------------------------------

    def title(self) -> None:
        """Show the title, with the last match's choices; in a window opened for one match or replay, close it."""
        if self._plan is None:
            self.quit()
        else:
            self._with_title = True
            self._stack.replace_all(TitleScreen(self, self._plan))

    def remember(self, plan: SessionPlan) -> None:
        """Take these choices as the last match's, for the title."""
        self._plan = plan

    def seats(self, plan: SessionPlan) -> None:
        """Show who plays, and by which rules."""
        self._plan = plan
        self._stack.replace_all(SetupScreen(self, plan))

    def prompts(self, plan: SessionPlan) -> None:
        """Show both players' prompts."""
        self._plan = plan
        self._stack.replace_all(PromptsScreen(self, plan))

    def sessions(self) -> None:
        """Show the recorded sessions."""
        self._stack.replace_all(SessionsScreen(self))

    def leagues(self) -> None:
        """Show the leagues."""
        self._stack.replace_all(LeaguesScreen(self))

    def open_session(
        self,
        path: Path,
        game: int | None = None,
        failed: Callable[[str], None] | None = None,
        *,
        session: SessionTape | None = None,
    ) -> None:
        """Put a recorded session's replay over this screen, at this game's start, once it has been read on a thread.

        `failed` is given one sentence if that cannot be done; without it the window closes with the error. `session`
        is what the file holds, if it has been read already.
        """
        display = self.settings.display

        def opened(timeline: Timeline) -> None:
            screen = ReplayScreen(self, timeline, path)
            if game is not None:
                screen.seek_game(game)
            self.show(screen)

        task = BackgroundTask(
            "opening a session",
            lambda report: (
                open_timeline(path, display, report) if session is None else timeline_of(session, display, report)
            ),
        )
        self._wait_for(f"Opening {path.name}", task, opened, failed)

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

    def start(self, plan: SessionPlan, failed: Callable[[str], None] | None = None) -> None:
        """Play a match with this plan, once its brains have been made on a thread.

        `failed` is given one sentence if a seat's options are wrong; without it the window closes with the error.
        """
        settings = self.settings
        plan = replace(plan, seats=named(plan.seats, self.plugins.kinds, (settings.left_name, settings.right_name)))
        self._remember_files(plan)
        series = plan.series or Series()  # endless, unless something else was chosen
        live = replace(plan, intervals=True, turn_clock_s=settings.turn_clock_s, series=series)

        def made(table: Table) -> None:
            self._plan = replace(plan, series=series.anew())
            guided = self.settings.guided and any(people(plan.seats, self.plugins.kinds))
            if guided or not self.settings.played:
                self.apply(replace(self.settings, played=True, guided=self.settings.guided and not guided))
            self._stack.replace_all(MatchScreen(self, live, table, self._match_renderer, guided=guided))

        task = BackgroundTask("making brains", lambda report: self.session.table(live), discard=Table.close)
        self._wait_for("Getting the players ready", task, made, failed)

    def _remember_files(self, plan: SessionPlan) -> None:
        """Keep the files of bots that play, for the next time seats are chosen."""
        settings = self.settings
        for spec in plan.seats:
            kind = self.plugins.kinds.get(spec.name)
            if kind is not None and kind.files and spec.variant:
                settings = with_bot(settings, os.path.abspath(os.path.expanduser(spec.variant)))
        if settings.bots != self.settings.bots:
            self.apply(settings)

    def _wait_for(
        self,
        title: str,
        task: BackgroundTask[T],
        finished: Callable[[T], None],
        failed: Callable[[str], None] | None,
    ) -> None:
        """Show how far a task is over this screen, and go on as soon as it is done."""

        def refuse(error: ArcadeError) -> None:
            if failed is not None:
                failed(str(error))
            else:
                self._failure = error
                self.quit()

        self.push(LoadingScreen(self, self.screen, title, task, finished, refuse))

    def wait_at_end(self, work: Leftover) -> None:
        """Wait for this work when the window closes, for a few seconds."""
        self._leftovers.add(work)

    def new_problems(self) -> list[str]:
        """Return what was dropped since the window was opened, a sentence each."""
        return self.plugins.problems[self._known_problems :]
