"""What the window gives to its screens: where they lead, what works beside them, what is shown while it loads."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Generic, TypeVar

import pygame

from batllm_arcade.app.kit.canvas import Box, Canvas
from batllm_arcade.app.kit.dialog import AddressDialog
from batllm_arcade.app.kit.menu_screen import MenuScreen
from batllm_arcade.app.kit.screen import Screen, Ui
from batllm_arcade.app.services.background import BackgroundTask, Leftover, Leftovers, Report
from batllm_arcade.app.services.brain_list import AvailabilityCache, file_to_remember
from batllm_arcade.app.services.cups import PHONE, CupNight
from batllm_arcade.app.services.film_jobs import FilmJobs
from batllm_arcade.app.services.leagues import LeagueJobs
from batllm_arcade.app.services.match_thread import MatchThread
from batllm_arcade.app.services.server_work import Pulls
from batllm_arcade.app.services.sessions import open_timeline, play_on_plan, timeline_of
from batllm_arcade.audio.player import Player
from batllm_arcade.brains.protocol import BrainKind
from batllm_arcade.cup.folder import Cup
from batllm_arcade.cup.tree import MatchId
from batllm_arcade.errors import ArcadeError
from batllm_arcade.history.forking import TurnPlace
from batllm_arcade.history.reader import SessionTape
from batllm_arcade.match.series import Series
from batllm_arcade.plugin.manager import Plugins
from batllm_arcade.seats.brain_thread import find_person
from batllm_arcade.seats.table import Table
from batllm_arcade.session.live_session import LiveSession, SessionPlan, new_history_file
from batllm_arcade.session.puzzles import RULES, TARGET, puzzles
from batllm_arcade.session.recorded import CASSETTE
from batllm_arcade.settings import config as configuration
from batllm_arcade.settings.foreign import ForeignAddress
from batllm_arcade.settings.store import named, people
from batllm_arcade.settings.user_settings import with_bot
from batllm_arcade.view import theme
from batllm_arcade.view.timeline import Timeline

T = TypeVar("T")
APPEARS_S = 0.15
"""Seconds that a screen stays as it is while something loads: most work is done by then."""


class Services:
    """What works beside the window; `show_films` opens the folder of films, or a notice says that it cannot."""

    sounds: Player
    """What is heard, from when the window is open."""

    def __init__(self, plugins: Plugins, show_films: Callable[[], None]) -> None:
        self.plugins, self.show_films = plugins, show_films
        self.availability = AvailabilityCache(plugins.kinds)
        self.films = FilmJobs()
        self.league_jobs = LeagueJobs()
        self.night = CupNight()
        self.match_ended: float | None = None
        """When the results of the last match were first shown, in the window's seconds; None while one is played."""
        self._leftovers = Leftovers()
        self.pulls = Pulls(self.wait_at_end, lambda spec: self.availability.check(spec, again=True))
        """The models that servers are fetching."""
        self._known_problems = len(plugins.problems)

    def new_problems(self) -> list[str]:
        """Return what was dropped since the window was opened, a sentence each."""
        return self.plugins.problems[self._known_problems :]

    def take_plugins(self, plugins: Plugins) -> None:
        """Play with these plugins, where the window was opened without any, for a replay."""
        self.plugins, self._known_problems = plugins, len(plugins.problems)
        self.availability = AvailabilityCache(plugins.kinds)

    def close_pages(self) -> None:
        """Let no phone in any more, also of a match whose players are kept for another; wait for nothing."""
        from batllm_arcade.serve.seat import close_pages, open_server

        if open_server() is not None:
            self.wait_at_end(BackgroundTask("closing the pages", lambda report: close_pages(None)))

    def orders_by_phone(
        self, round_: int, given_up: Callable[[], bool] = lambda: False
    ) -> BackgroundTask[dict[int, str]] | None:
        """Return what waits for the orders that phones write for a round, by seat; None if none does."""
        from batllm_arcade.serve.seat import open_server

        server = open_server()
        lobby = server.lobby if server is not None else None
        writers = [] if lobby is None else [seat for seat, each in enumerate(lobby.places) if each.wanted == "orders"]
        if lobby is None or not writers:
            return None
        return BackgroundTask("orders", lambda report: lobby.written(writers, round_, lambda: given_up() or lobby.over))

    def wait_at_end(self, work: Leftover) -> None:
        """Wait for this work, whose screen is gone, when the window closes, for a few seconds."""
        self._leftovers.add(work)

    def finish(self, seconds: float) -> BaseException | None:
        """Wait for what was left, `seconds` altogether; return the first thing that went wrong unexpectedly."""
        self.pulls.close()
        self.night.close()
        self.close_pages()
        return self._leftovers.close(seconds)


@dataclass(frozen=True, slots=True)
class Screens:
    """What makes the screens that others lead to; each is given the window's parts, and what it is about."""

    title: Callable[[Ui, Navigation, Services, SessionPlan], Screen]
    seats: Callable[[Ui, Navigation, Services, SessionPlan], Screen]
    prompts: Callable[[Ui, Navigation, Services, SessionPlan], Screen]
    phones: Callable[[Ui, Navigation, Services, SessionPlan, tuple[str, str]], Screen]
    """Of a plan, and what a phone does for each seat."""
    sessions: Callable[[Ui, Navigation, Services, LiveSession | None], Screen]
    leagues: Callable[[Ui, Navigation, Services], Screen]
    new_league: Callable[[Ui, Navigation, Services, Path | None], Screen]
    new_cup: Callable[[Ui, Navigation, Services], Screen]
    cup: Callable[[Ui, Navigation, Services, Cup], Screen]
    cup_phones: Callable[[Ui, Navigation, Services, Sequence[str], Callable[[], None]], Screen]
    """Of names that are awaited, and what comes once they are there."""
    settings: Callable[[Ui, Navigation], Screen]
    help: Callable[[Ui, Navigation], Screen]
    match: Callable[[Ui, Navigation, Services, SessionPlan, MatchThread, bool], Screen]
    """Of a plan and its thread; the last argument tells whether it is guided."""
    replay: Callable[[Ui, Navigation, Services, Timeline, Path, int | None, int | None], Screen]
    """Of a timeline and its file, at a game, at a play of it counted from 0."""


class Navigation:
    """The screens that lie over each other, of which the top one is shown, and where they lead.

    `plan` is None in a window opened for a replay. `clock` gives the time in seconds for everything that is shown;
    `changed` is called when another screen has come to the top.
    """

    def __init__(
        self, plan: SessionPlan | None, ui: Ui, services: Services, screens: Screens, *, with_title: bool,
        clock: Callable[[], float], changed: Callable[[], None],
    ) -> None:  # fmt: skip
        self._plan, self._ui, self._services, self._screens = plan, ui, services, screens
        self._clock, self._changed = clock, changed
        self.with_title = with_title
        """Whether a match that is left leads to the title; else the window closes."""
        self._stack: list[Screen] = []
        self._help: Screen | None = None
        self.session = LiveSession(plan, services.plugins) if plan is not None else None
        """The session in which matches are played; in a window for a replay there is none before the first one."""
        self.before_phones: Callable[[SessionPlan], None] = self.title
        """Leads back from the screen for phones to where it was opened."""
        self.ended = False
        """Whether the window is to be closed."""
        self.failure: BaseException | None = None
        """Why the one match or replay that the window was opened for could not be shown."""

    def close(self, seconds: float) -> None:
        """Leave all screens and wait for what they have left, `seconds` altogether; end the session."""
        self._leave_all()
        self.failure = self._services.finish(seconds) or self.failure
        if self.session is not None:
            self.session.close()

    @property
    def screen(self) -> Screen | None:
        """The screen that is shown, None if there is none."""
        return self._stack[-1] if self._stack else None

    def push(self, screen: Screen) -> None:
        """Put a screen over this one, which is kept and held still."""
        if self._stack:
            self._stack[-1].cover(self._clock())
        self._put(screen)

    def show(self, screen: Screen) -> None:
        """Put another screen in this one's place."""
        if self._stack:
            self._stack.pop().leave()
        self._put(screen)

    def pop(self) -> None:
        """Leave the screen on top and go back to the one below; the last one closes the window."""
        if len(self._stack) < 2:
            self.quit()
            return
        self._stack.pop().leave()
        self._changed()
        self._stack[-1].uncover(self._clock())

    def _show_alone(self, screen: Screen) -> None:
        self._leave_all()
        self._stack.clear()
        self._put(screen)

    def _leave_all(self) -> None:
        for screen in reversed(self._stack):
            screen.leave()

    def _put(self, screen: Screen) -> None:
        self._stack.append(screen)
        self._changed()

    def quit(self) -> None:
        """Close the window after this frame."""
        self.ended = True

    def title(self, plan: SessionPlan | None = None) -> None:
        """Show the title with these choices, else the last match's; in a window for one match or replay, close it."""
        self._plan = plan or self._plan
        if self._plan is None:
            self.quit()
        else:
            self.with_title = True
            self._services.close_pages()
            self._show_alone(self._screens.title(self._ui, self, self._services, self._plan))

    def seats(self, plan: SessionPlan) -> None:
        """Show who plays, and by which rules."""
        self._plan = plan
        self._show_alone(self._screens.seats(self._ui, self, self._services, plan))

    def prompts(self, plan: SessionPlan) -> None:
        """Show both players' prompts."""
        self._plan = plan
        self._show_alone(self._screens.prompts(self._ui, self, self._services, plan))

    def phones(self, plan: SessionPlan, wanted: tuple[str, str] | None = None) -> None:
        """Let phones in: to play a seat (`seat`), to write its orders (`orders`), left first.

        Without these, from the title, they may play both.
        """
        self._plan, self.before_phones = plan, self.title if wanted is None else self.seats
        screens, wanted = self._screens, wanted or ("seat", "seat")
        self._show_alone(screens.phones(self._ui, self, self._services, plan, wanted))

    def sessions(self) -> None:
        """Show the recorded sessions."""
        self._show_alone(self._screens.sessions(self._ui, self, self._services, self.session))

    def leagues(self) -> None:
        """Show the leagues."""
        self._show_alone(self._screens.leagues(self._ui, self, self._services))

    def new_league(self) -> None:
        """Show a league to be set up; bots come from where the window has its own."""
        plugins_dir = self._plan.config.plugins_dir if self._plan is not None else None
        self._show_alone(self._screens.new_league(self._ui, self, self._services, plugins_dir))

    def new_cup(self) -> None:
        """Show a cup to be set up."""
        self._show_alone(self._screens.new_cup(self._ui, self, self._services))

    def tonight(
        self, failed: Callable[[str], None] | None = None, do: Callable[[Report], None] = lambda report: None,
        title: str = "Looking at the cup",
    ) -> None:  # fmt: skip
        """Show the cup as it stands, once what was played of it is written; a new one if there is none to go on with.

        Before that `do` is done on a thread. `failed` is given one sentence if anything of it cannot be.
        """

        def counted(report: Report) -> list[Cup | None]:
            self._end_cup_game()
            do(report)
            return [self._services.night.counted()]

        self.wait_for(title, BackgroundTask("cup", counted), lambda found: self._show_cup(found[0]), failed)

    def _show_cup(self, cup: Cup | None) -> None:
        if cup is None:
            self.new_cup()
        else:
            self._show_alone(self._screens.cup(self._ui, self, self._services, cup))

    def cup_game(self, failed: Callable[[str], None], only: MatchId | None = None) -> None:
        """Play the next game of the cup, after phones have come in where it needs any.

        If it is not of the match that `only` it may be of, the cup is shown. `failed` is given one sentence if that
        cannot be done.
        """
        night, kinds = self._services.night, self._services.plugins.kinds
        before = night.cup

        def next_game(report: Report) -> tuple[Cup | None, SessionPlan | None]:
            self._end_cup_game()
            cup = night.counted()
            return cup, night.game(kinds, only) if cup is before else None

        def planned(found: tuple[Cup | None, SessionPlan | None]) -> None:
            cup, plan = found
            if plan is None:
                self._show_cup(cup)
                return
            self.pop()
            by_phone = [spec.text("name") for spec in plan.seats if spec.name == PHONE.name]
            self.cup_phones(by_phone, lambda: play(plan)) if by_phone else play(plan)

        def play(plan: SessionPlan) -> None:
            night.call(plan)
            self.start(plan, failed)

        self.wait_for("Getting the match ready", BackgroundTask("cup", next_game), planned, failed)

    def cup_phones(self, awaited: Sequence[str], come: Callable[[], None]) -> None:
        """Put the way in for phones over this screen; `come` is called once all names that are `awaited` are there."""
        self.push(self._screens.cup_phones(self._ui, self, self._services, awaited, come))

    def forfeit(self, name: str, failed: Callable[[str], None]) -> None:
        """Let somebody leave the cup, then show it; `failed` is given one sentence if that cannot be written."""
        cup = self._services.night.cup
        self.tonight(failed, lambda report: cup.leave(name) if cup is not None else None)

    def _end_cup_game(self) -> None:
        """Write the file of the cup's game that was played last, if it is not written; called on a thread."""
        if self.session is not None and self.session.plan.cup:
            self.session.close()

    def open_session(
        self, path: Path, game: int | None = None, failed: Callable[[str], None] | None = None, *,
        play: int | None = None, session: SessionTape | None = None,
    ) -> None:  # fmt: skip
        """Put a recorded session's replay over this screen, at this game's start, once it has been read on a thread.

        With `play`, counted from 0, it stands still where that play of the game starts. `failed` is given one sentence
        if that cannot be done; without it the window closes with the error. `session` is what the file holds, if it
        has been read already.
        """
        display = self._ui.settings.display

        def opened(timeline: Timeline) -> None:
            self.show(self._screens.replay(self._ui, self, self._services, timeline, path, game, play))

        def timeline(report: Report) -> Timeline:
            return open_timeline(path, display, report) if session is None else timeline_of(session, display, report)

        task = BackgroundTask("opening a session", timeline)
        self.wait_for(f"Opening {path.name}", task, opened, failed)

    def settings_screen(self) -> None:
        """Put the settings over this screen."""
        self.push(self._screens.settings(self._ui, self))

    def help_screen(self) -> None:
        """Put the help with the controls over this screen, or take it away again."""
        if self._help is not None and self.screen is self._help:
            self.pop()
        else:
            self._help = self._screens.help(self._ui, self)
            self.push(self._help)

    def leave_match(self, failed: Callable[[str], None] | None = None) -> None:
        """Back to where the match was started from: the cup, the title, or the command line.

        `failed` is given one sentence if the cup cannot be written.
        """
        if self.session is not None and self.session.plan.cup:
            self.tonight(failed)
        elif self.with_title:
            self.title()
        else:
            self.quit()

    def start(self, plan: SessionPlan, failed: Callable[[str], None] | None = None) -> None:
        """Play a match with this plan, once its brains have been made on a thread.

        `failed` is given one sentence if a seat's options are wrong or no file can be kept; without it the window
        closes with the error.
        """
        settings, plugins = self._ui.settings, self._services.plugins
        plan = replace(plan, seats=named(plan.seats, plugins.kinds, (settings.left_name, settings.right_name)))
        self._remember_files(plan)
        try:
            plan = self._in_a_session(plan)
        except ArcadeError as error:  # no file can be kept
            self._refuse(error, failed)
            return
        session = self.session = self.session or LiveSession(plan, plugins)
        series = plan.series or Series()  # endless, unless something else was chosen
        played = None if plan.fork or plan.puzzle else series
        live = replace(plan, intervals=True, turn_clock_s=settings.turn_clock_s, series=played)
        if plan.fork is None:
            live = replace(live, config=replace(plan.config, prompts=_followed(plan, plugins.kinds)))

        def made(table: Table) -> None:
            if not (plan.puzzle or plan.cup):
                self._plan = replace(plan, fork=None, series=series.anew())
            guided = self._ui.settings.guided and plan.puzzle is None and any(people(plan.seats, plugins.kinds))
            if guided or not (self._ui.settings.played or plan.puzzle):
                self._ui.apply(replace(self._ui.settings, played=True, guided=self._ui.settings.guided and not guided))
            thread = MatchThread(session, live, table)
            self._show_alone(self._screens.match(self._ui, self, self._services, live, thread, guided))

        task = BackgroundTask("making brains", lambda report: session.table(live), discard=Table.close)
        self.wait_for("Getting the players ready", task, made, failed)

    def puzzle(self, number: int, failed: Callable[[str], None] | None = None) -> None:
        """Play the puzzle of this number; `failed` is given one sentence if that cannot be done."""
        wanted, person = puzzles()[number - 1], find_person(self._services.plugins.kinds)
        config = replace(configuration.load(RULES), rules=wanted.rules)
        self.start(SessionPlan(config, (person, TARGET), wanted.seed, puzzle=wanted), failed)

    def _in_a_session(self, plan: SessionPlan) -> SessionPlan:
        """Return a plan with the file it is recorded in: one that is alone has a session of its own."""
        session = self.session
        if session is None or not (plan.alone or session.plan.alone):
            return plan
        self.session = None
        self._services.wait_at_end(BackgroundTask("ending a session", lambda report: session.close()))
        return (
            plan if plan.alone or plan.history is None else replace(plan, history=new_history_file(), history_name="")
        )

    def play_on(
        self, path: Path, place: TurnPlace, bot: int | None, failed: Callable[[str], None],
        allowed: frozenset[str] = frozenset(),
    ) -> None:  # fmt: skip
        """Play on from a turn of a recorded session, a person in the seat of `bot` (None: both as they were).

        `failed` is given one sentence if that cannot be done. An address that only the file names, and nobody has
        `allowed`, is asked for.
        """
        known = self._services.plugins

        def planned(fork: tuple[Plugins, SessionPlan]) -> None:
            plugins, plan = fork
            if plugins is not known:
                self._services.take_plugins(plugins)
            self.start(plan, failed)

        def ask(strange: ForeignAddress) -> None:
            def yes() -> None:
                self.pop()
                self.play_on(path, place, bot, failed, allowed | {strange.origin})

            self.push(AddressDialog(self._ui, strange.origin, yes, self.pop))

        task = BackgroundTask("forking", lambda report: play_on_plan(path, place, bot, known, report, allowed))
        self.wait_for(f"Going back to round {place.round}, turn {place.turn}", task, planned, failed, ask)

    def _remember_files(self, plan: SessionPlan) -> None:
        settings = self._ui.settings
        for spec in plan.seats:
            kind = self._services.plugins.kinds.get(spec.name)
            if kind is not None and kind.files and spec.variant:
                settings = with_bot(settings, file_to_remember(spec))
        if settings.bots != self._ui.settings.bots:
            self._ui.apply(settings)

    def wait_for(
        self, title: str, task: BackgroundTask[T], finished: Callable[[T], None],
        failed: Callable[[str], None] | None, ask: Callable[[ForeignAddress], None] | None = None,
    ) -> None:  # fmt: skip
        """Put over this screen what waits for a task; its result is given to `finished`, which leads on from there.

        What went wrong is `failed` given in one sentence, back on this screen; without it the window closes.
        """

        def refuse(error: ArcadeError) -> None:
            if ask is not None and isinstance(error, ForeignAddress):
                ask(error)
            else:
                self._refuse(error, failed)

        self.push(LoadingScreen(self._ui, self, self._services, self.screen, title, task, finished, refuse))

    def _refuse(self, error: ArcadeError, failed: Callable[[str], None] | None) -> None:
        if failed is not None:
            failed(str(error))
        else:
            self.failure = error
            self.quit()


def _followed(plan: SessionPlan, kinds: Mapping[str, BrainKind]) -> tuple[str, str]:
    """Return the plan's prompts, left first: "" for a brain that takes none, all of them for a recorded model."""
    if any(spec.name == CASSETTE for spec in plan.seats):
        return plan.config.prompts
    left, right = (
        "" if spec.name in kinds and not kinds[spec.name].prompted else prompt
        for spec, prompt in zip(plan.seats, plan.config.prompts, strict=True)
    )
    return left, right


class LoadingScreen(MenuScreen, Generic[T]):
    """Calls `finished` with the task's result, or pops itself and calls `failed` with why there is none.

    `below` is the screen that lies under this one, None if nothing does.
    """

    repeats = False

    def __init__(
        self, ui: Ui, go: Navigation, services: Services, below: Screen | None, title: str,
        task: BackgroundTask[T], finished: Callable[[T], None], failed: Callable[[ArcadeError], None],
    ) -> None:  # fmt: skip
        super().__init__(ui)
        self.go, self.services = go, services
        self.title, self.task = title, task
        self.below, self._finished, self._failed = below, finished, failed
        self._since: float | None = None
        self._appears = self._taken = False

    def update(self, now: float) -> None:
        super().update(now)
        self._since = now if self._since is None else self._since
        self._appears = self.below is None or now - self._since >= APPEARS_S
        if not self.task.done or self._taken:
            return
        if self.task.result is not None:
            self._taken = True
            self._finished(self.task.result)
        elif self.task.error is not None:
            self.go.pop()
            self._failed(self.task.error)

    def back(self) -> None:
        self.go.pop()

    def leave(self) -> None:
        super().leave()
        if not self._taken:
            self.task.cancel()
        self.services.wait_at_end(self.task)

    def keys(self) -> Sequence[tuple[str, str]]:
        return [("back", "cancel")]

    def draw(self, target: pygame.Surface) -> None:
        """Draw what lies below alone, as long as most work takes."""
        if self.below is not None and not self._appears:
            self.below.draw(target)
        else:
            super().draw(target)

    def paint(self, canvas: Canvas, now: float) -> None:
        wide, high = min(560.0, canvas.width - 40), 120.0
        box = Box((canvas.width - wide) / 2, (canvas.height - high) / 2, wide, high)
        middle = box.x + box.w / 2
        canvas.box(box, theme.PANEL, theme.WALL, radius=14)
        canvas.words((middle, box.y + 42), self.title, "title", 26, theme.TEXT, width=box.w - 40, side="middle")
        progress = self.task.progress
        canvas.words((middle, box.y + 84), progress, "label", 18, theme.SOFT, width=box.w - 40, side="middle")
