"""From screen to screen."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from batllm_arcade.app.kit.dialog import AddressDialog
from batllm_arcade.app.kit.screen import Screen, Ui
from batllm_arcade.app.loading_screen import LoadingScreen
from batllm_arcade.app.match.renderer import MatchRenderer
from batllm_arcade.app.match.screen import MatchScreen
from batllm_arcade.app.menus.help import HelpScreen
from batllm_arcade.app.menus.leagues import LeaguesScreen
from batllm_arcade.app.menus.new_league import NewLeagueScreen
from batllm_arcade.app.menus.sessions import SessionsScreen
from batllm_arcade.app.menus.settings import SettingsScreen
from batllm_arcade.app.menus.setup import PromptsScreen, SetupScreen
from batllm_arcade.app.menus.title import TitleScreen
from batllm_arcade.app.replay.screen import ReplayScreen
from batllm_arcade.app.services.background import BackgroundTask
from batllm_arcade.app.services.brain_list import file_to_remember
from batllm_arcade.app.services.match_thread import MatchThread
from batllm_arcade.app.services.session_loader import open_timeline, play_on_plan, timeline_of
from batllm_arcade.app.shell import Services
from batllm_arcade.errors import ArcadeError
from batllm_arcade.history.forking import TurnPlace
from batllm_arcade.history.reader import SessionTape
from batllm_arcade.match.series import Series
from batllm_arcade.plugin.manager import Plugins
from batllm_arcade.seats.table import Table
from batllm_arcade.session.live_session import LiveSession, SessionPlan, new_history_file
from batllm_arcade.settings.foreign import ForeignAddress
from batllm_arcade.settings.store import named, people
from batllm_arcade.settings.user_settings import with_bot
from batllm_arcade.view.timeline import Timeline


class ScreenStack:
    """Covers and uncovers screens and lets go of those that will not be shown again.

    `clock` gives the shell's time in seconds; `changed` is called when another screen has come to the top.
    """

    def __init__(self, clock: Callable[[], float], changed: Callable[[], None]) -> None:
        self._clock, self._changed = clock, changed
        self._screens: list[Screen] = []

    def __len__(self) -> int:
        return len(self._screens)

    @property
    def top(self) -> Screen | None:
        """The screen that is shown, None if there is none."""
        return self._screens[-1] if self._screens else None

    def push(self, screen: Screen) -> None:
        """Put a screen over the top one, which is kept and held still."""
        if self._screens:
            self._screens[-1].cover(self._clock())
        self._put(screen)

    def replace_top(self, screen: Screen) -> None:
        """Put a screen in the top one's place."""
        if self._screens:
            self._screens.pop().leave()
        self._put(screen)

    def replace_all(self, screen: Screen) -> None:
        """Put a screen in the place of all of them."""
        self.leave_all()
        self._screens.clear()
        self._put(screen)

    def pop(self) -> None:
        """Leave the top screen and go back to the one below."""
        self._screens.pop().leave()
        self._changed()
        if self._screens:
            self._screens[-1].uncover(self._clock())

    def leave_all(self) -> None:
        """Leave all screens, the top one first: none of them will be drawn again."""
        for screen in reversed(self._screens):
            screen.leave()

    def _put(self, screen: Screen) -> None:
        self._screens.append(screen)
        self._changed()


T = TypeVar("T")


class Navigator:
    """Shows one screen after the other; `plan` is None in a window opened for a replay.

    `clock` gives the time in seconds for everything that is shown; `changed` is called when another screen is shown.
    """

    def __init__(
        self,
        plan: SessionPlan | None,
        ui: Ui,
        services: Services,
        *,
        with_title: bool,
        clock: Callable[[], float],
        changed: Callable[[], None],
    ) -> None:
        self._plan, self._ui, self._services = plan, ui, services
        self._with_title = with_title
        self._stack = ScreenStack(clock, changed)
        self._match_renderer = MatchRenderer()
        self.session = LiveSession(plan, services.plugins) if plan is not None else None
        """The session in which matches are played; in a window for a replay there is none before the first one."""
        self.ended = False
        """Whether the window is to be closed."""
        self.failure: BaseException | None = None
        """Why the one match or replay that the window was opened for could not be shown."""

    def close(self, seconds: float) -> None:
        """Leave all screens and wait for what they have left, `seconds` altogether; end the session."""
        self._stack.leave_all()
        self.failure = self._services.finish(seconds) or self.failure
        if self.session is not None:
            self.session.close()

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

    def quit(self) -> None:
        """Close the window after this frame."""
        self.ended = True

    def title(self, plan: SessionPlan | None = None) -> None:
        """Show the title with these choices, else the last match's; in a window for one match or replay, close it."""
        self._plan = plan or self._plan
        if self._plan is None:
            self.quit()
        else:
            self._with_title = True
            self._stack.replace_all(TitleScreen(self._ui, self, self._services, self._plan))

    def seats(self, plan: SessionPlan) -> None:
        """Show who plays, and by which rules."""
        self._plan = plan
        self._stack.replace_all(SetupScreen(self._ui, self, self._services, plan))

    def prompts(self, plan: SessionPlan) -> None:
        """Show both players' prompts."""
        self._plan = plan
        self._stack.replace_all(PromptsScreen(self._ui, self, self._services, plan))

    def sessions(self) -> None:
        """Show the recorded sessions."""
        self._stack.replace_all(SessionsScreen(self._ui, self, self._services, self.session))

    def leagues(self) -> None:
        """Show the leagues."""
        self._stack.replace_all(LeaguesScreen(self._ui, self, self._services))

    def new_league(self) -> None:
        """Show a league to be set up; bots come from where the window has its own."""
        plugins_dir = self._plan.config.plugins_dir if self._plan is not None else None
        self._stack.replace_all(NewLeagueScreen(self._ui, self, self._services, plugins_dir))

    def open_session(
        self,
        path: Path,
        game: int | None = None,
        failed: Callable[[str], None] | None = None,
        *,
        play: int | None = None,
        session: SessionTape | None = None,
    ) -> None:
        """Put a recorded session's replay over this screen, at this game's start, once it has been read on a thread.

        With `play`, counted from 0, it stands still where that play of the game starts. `failed` is given one sentence
        if that cannot be done; without it the window closes with the error. `session` is what the file holds, if it
        has been read already.
        """
        display = self._ui.settings.display

        def opened(timeline: Timeline) -> None:
            screen = ReplayScreen(self._ui, self, self._services, timeline, path)
            if game is not None:
                screen.show_from(game, play)
            screen.advisor.start(asked=False)
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
        self.push(SettingsScreen(self._ui, self))

    def help_screen(self) -> None:
        """Put the help with the controls over this screen, or take it away again."""
        if isinstance(self.screen, HelpScreen):
            self.pop()
        else:
            self.push(HelpScreen(self._ui, self))

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
        settings, plugins = self._ui.settings, self._services.plugins
        plan = replace(plan, seats=named(plan.seats, plugins.kinds, (settings.left_name, settings.right_name)))
        self._remember_files(plan)
        plan = self._in_a_session(plan)
        session = self.session = self.session or LiveSession(plan, plugins)
        series = plan.series or Series()  # endless, unless something else was chosen
        played = None if plan.fork is not None else series
        live = replace(plan, intervals=True, turn_clock_s=settings.turn_clock_s, series=played)

        def made(table: Table) -> None:
            self._plan = replace(plan, fork=None, series=series.anew())
            guided = self._ui.settings.guided and any(people(plan.seats, self._services.plugins.kinds))
            if guided or not self._ui.settings.played:
                self._ui.apply(replace(self._ui.settings, played=True, guided=self._ui.settings.guided and not guided))
            thread = MatchThread.of(session, live, table)
            self._stack.replace_all(
                MatchScreen(self._ui, self, self._services, live, thread, self._match_renderer, guided=guided)
            )

        task = BackgroundTask("making brains", lambda report: session.table(live), discard=Table.close)
        self._wait_for("Getting the players ready", task, made, failed)

    def _in_a_session(self, plan: SessionPlan) -> SessionPlan:
        """Return a plan with the file it is recorded in: a fork has a session of its own, which ends with it."""
        session, self.session = self.session, None
        if session is None or (plan.fork is None and session.plan.fork is None):
            self.session = session
            return plan
        self._services.wait_at_end(BackgroundTask("ending a session", lambda report: session.close()))
        return plan if plan.fork is not None else replace(plan, history=new_history_file(), history_name="")

    def play_on(
        self,
        path: Path,
        place: TurnPlace,
        bot: int | None,
        failed: Callable[[str], None],
        allowed: frozenset[str] = frozenset(),
    ) -> None:
        """Play on from a turn of a recorded session, a person in the seat of `bot` (None: both as they were).

        `failed` is given one sentence if that cannot be done. An address that only the file names, and nobody has
        `allowed`, is asked for.
        """
        known = self._services.plugins

        def planned(found: tuple[Plugins, SessionPlan]) -> None:
            plugins, plan = found
            if plugins is not known:
                self._services.take_plugins(plugins)
            self.start(plan, failed)

        def ask(strange: ForeignAddress) -> None:
            def yes() -> None:
                self.pop()
                self.play_on(path, place, bot, failed, allowed | {strange.origin})

            self.push(AddressDialog(self._ui, strange.origin, yes, self.pop))

        task = BackgroundTask("forking", lambda report: play_on_plan(path, place, bot, known, report, allowed))
        self._wait_for(f"Going back to round {place.round}, turn {place.turn}", task, planned, failed, ask)

    def _remember_files(self, plan: SessionPlan) -> None:
        settings = self._ui.settings
        for spec in plan.seats:
            kind = self._services.plugins.kinds.get(spec.name)
            if kind is not None and kind.files and spec.variant:
                settings = with_bot(settings, file_to_remember(spec))
        if settings.bots != self._ui.settings.bots:
            self._ui.apply(settings)

    def _wait_for(
        self,
        title: str,
        task: BackgroundTask[T],
        finished: Callable[[T], None],
        failed: Callable[[str], None] | None,
        ask: Callable[[ForeignAddress], None] | None = None,
    ) -> None:

        def refuse(error: ArcadeError) -> None:
            if ask is not None and isinstance(error, ForeignAddress):
                ask(error)
            elif failed is not None:
                failed(str(error))
            else:
                self.failure = error
                self.quit()

        self.push(LoadingScreen(self._ui, self, self._services, self.screen, title, task, finished, refuse))
