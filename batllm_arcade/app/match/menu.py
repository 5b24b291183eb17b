"""The dialogs over a match: the pause menu and its questions, swaps, take-overs, what to do after the game."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from batllm_arcade.app.kit.dialog import DialogEntry, MenuDialog
from batllm_arcade.app.kit.screen import Ui
from batllm_arcade.app.kit.widgets import Button, Choice, Widget
from batllm_arcade.app.match.actions import MatchActions
from batllm_arcade.app.match.dialogs.log_dialog import LogDialog
from batllm_arcade.app.match.playback import SPEEDS
from batllm_arcade.app.match.state import MatchState
from batllm_arcade.app.match.swap_dialog import SwapDialog
from batllm_arcade.app.services.background import BackgroundTask
from batllm_arcade.app.services.films.page_job import share_page
from batllm_arcade.app.services.films.save_video import SaveVideo
from batllm_arcade.app.shell import Navigation, Services
from batllm_arcade.core.model import SEATS
from batllm_arcade.match.series import Series
from batllm_arcade.session.live_session import SessionPlan, new_seed
from batllm_arcade.share.shown import Selection
from batllm_arcade.view import theme
from batllm_arcade.view.statistics import MatchStatistics


class MatchMenu:
    """Makes the dialogs of one match and does what is chosen in them."""

    def __init__(self, ui: Ui, go: Navigation, services: Services, state: MatchState, match: MatchActions) -> None:
        self._ui, self._go, self._services = ui, go, services
        self._state, self._table, self._match = state, state.table, match
        self._take_overs: list[BackgroundTask[None]] = []
        self._save_video: SaveVideo | None = None

    # -- the pause menu -------------------------------------------------------------------------

    def pause(self) -> MenuDialog:
        """Return the menu of everything that can be done with a match under way."""
        return MenuDialog(self._ui, "Paused", self._pause_entries(), self._match.play_on, pauses=True)

    def _pause_entries(self) -> list[Widget]:
        match, label, ui, go = self._match, self._ui.controls.mention, self._ui, self._go
        names, at = [f"{speed:g}x" for speed in SPEEDS], SPEEDS.index(self._state.clock.speed)
        entries: list[Widget] = [
            DialogEntry("Play on", match.play_on, key=label("pause")),
            DialogEntry("One play, then pause again", match.step, key=label("step")),
            Choice("Speed", names, at, self._choose_speed),
            DialogEntry("Change who plays", lambda: match.open(self.swap()), key=label("swap")),
            *self._take_over_entries(label("wheel")),
        ]
        entries += [
            DialogEntry(
                f"Log of {SEATS[bot]}: {report.faults or 'no fault so far'}",
                lambda bot=bot: match.open(LogDialog(ui, self._table, bot, match.close_dialog)),  # type: ignore[misc]
            )
            for bot in (0, 1)
            if (report := self._table.bot_report(bot)) is not None
        ]
        if self._state.in_round:
            entries.append(DialogEntry("End this round now", self._ask_abandon, danger=True))
        return [
            *entries,
            DialogEntry("Settings", go.settings_screen),
            DialogEntry("Controls and help", go.help_screen, key=label("help")),
            DialogEntry("Leave the match", lambda: match.open(self.leave()), danger=True),
        ]

    def _choose_speed(self, index: int) -> None:
        self._match.change_speed(index - SPEEDS.index(self._state.clock.speed))

    def _take_over_entries(self, key: str) -> list[Widget]:
        taken_over = [bot for bot in (0, 1) if self._table.taken_over(bot)]
        if taken_over:
            return [
                DialogEntry(f"Hand the {SEATS[bot]} side back", lambda bot=bot: self._hand_back(bot), key=key)  # type: ignore[misc]
                for bot in taken_over
            ]
        free = [bot for bot in (0, 1) if not self._table.seat(bot).human]
        return [DialogEntry("Play for a bot yourself", self.take_over_or_hand_back, key=key)] if free else []

    def leave(self) -> MenuDialog:
        """Return the question whether the match is really to be left."""
        words = "What has been played is kept and can be watched again."
        return self._question("Leave this match?", words, "Leave", self._go.leave_match)

    def _ask_abandon(self) -> None:
        words = "It ends as it stands. The next round begins; after the last one the game ends on points."
        self._match.open(self._question("End this round now?", words, "End it", self._abandon))

    def _abandon(self) -> None:
        self._table.abandon_round()
        self._match.play_on()

    def _question(self, title: str, words: str, yes: str, do: Callable[[], None]) -> MenuDialog:
        entries = [DialogEntry("No, play on", self._match.play_on), DialogEntry(yes, do, danger=True)]
        return MenuDialog(self._ui, title, entries, self._match.close_dialog, words=words)

    # -- who plays ------------------------------------------------------------------------------

    def swap(self, bot: int | None = None) -> SwapDialog:
        """Return the list of brains for a seat; which one is not said: first for the seat without a person."""
        table = self._table
        if bot is None:
            bot = 0 if table.seat(1).human and not table.seat(0).human else 1
        return SwapDialog(self._ui, self._services, table, self._state.plan.seats, self._match.close_dialog, bot)

    def take_over_or_hand_back(self) -> None:
        """Take the seat that has no person, asking which if there are two; whoever has taken one hands it back."""
        taken_over = [bot for bot in (0, 1) if self._table.taken_over(bot)]
        free = [bot for bot in (0, 1) if not self._table.seat(bot).human]
        if taken_over:
            self._hand_back(taken_over[-1])
        elif len(free) == 1:
            self._take_over(free[0])
        elif free:
            self._ask_which_seat(free)

    def _ask_which_seat(self, free: list[int]) -> None:
        entries = [self._take_over_entry(bot) for bot in free]
        words = "You play it until you hand it back."
        back = self._match.close_dialog if self._state.clock.paused else self._match.play_on
        self._match.hold()  # nobody should fall while this is being decided
        self._match.open(MenuDialog(self._ui, "Which bot will you play?", entries, back, words=words))

    def _take_over_entry(self, bot: int) -> DialogEntry:
        words = f"{SEATS[bot].capitalize()}: {self._table.seat(bot).name}"
        return DialogEntry(words, lambda: self._take_over(bot), color=theme.SEAT_COLORS[bot])

    def _take_over(self, bot: int) -> None:
        self._match.play_on()
        if any(not task.done for task in self._take_overs):
            return  # pressed once more meanwhile: it would take the seat over again, perhaps after it was handed back
        task = BackgroundTask("taking over", lambda report: self._table.take_over(bot))  # runs a plugin's factory
        self._take_overs.append(task)

    def refused(self) -> list[str]:
        """Return why seats could not be taken over since the last call, one sentence each."""
        done = [task for task in self._take_overs if task.done]
        self._take_overs = [task for task in self._take_overs if not task.done]
        return [str(task.error) for task in done if task.error is not None]

    def _hand_back(self, bot: int) -> None:
        self._table.hand_back(bot)
        self._match.play_on()

    # -- after the game -------------------------------------------------------------------------

    def after(self, statistics: MatchStatistics | None = None, series: Series | None = None) -> list[Button]:
        """Return the choices of what to do next, after the game of these statistics; `series` is how it stands."""
        go, plan = self._go, replace(self._state.plan, fork=None, series=series and series.next())
        left, right = plan.config.prompts
        sides = replace(
            plan, seats=(plan.seats[1], plan.seats[0]), config=replace(plan.config, prompts=(right, left)),
            series=plan.series and plan.series.swapped(),
        )  # fmt: skip
        again, hint = _again(statistics, series)
        buttons = [
            Button(again, lambda: self._start(plan), hint=hint),
            Button("Swap sides", lambda: self._start(sides), hint="Left and right change places, with their orders"),
            Button(
                "New places",
                lambda: self._start(replace(plan, seed=new_seed())),
                hint="The same players, starting from other places",
            ),
            Button("Change players", lambda: go.seats(plan), hint="Other players or other rules"),
        ]
        kinds = [self._services.plugins.kinds.get(spec.name) for spec in plan.seats]
        if any(kind and kind.prompted for kind in kinds):
            orders = Button("Change orders", lambda: go.prompts(plan), hint="Other orders for the same players")
            buttons.append(orders)
        if plan.history is not None:
            buttons += [
                Button(
                    "Watch the replay",
                    self._watch,
                    hint="See this game again, at any speed",
                ),
                self._new_film_button(plan.history),
                Button("Share a page", self._share, hint="A web page of this game that plays it in any browser"),
            ]
        return [*buttons, Button("Title", go.title, hint="Back to the first screen")]

    def _new_film_button(self, session: Path) -> Button:
        services = self._services
        self._save_video = SaveVideo(services.films, services.show_films, self._match.pick, session, self._state.game)
        return self._save_video.button

    def update(self) -> None:
        """Say on the film's button what it does now."""
        if self._save_video is not None:
            self._save_video.update()

    def _start(self, plan: SessionPlan) -> None:
        if self._match.may_choose:
            self._go.start(plan, self._match.complain)

    def _watch(self) -> None:
        assert self._state.plan.history is not None
        self._go.open_session(self._state.plan.history, self._state.game, self._match.complain)

    def _share(self) -> None:
        """Write a page of the game that is over, and show where it is."""
        path = self._state.plan.history
        assert path is not None
        self._services.wait_at_end(share_page(self._services.films, path, Selection(self._state.game)))


def _again(statistics: MatchStatistics | None, series: Series | None) -> tuple[str, str]:
    """Return what the button for another game says, and its hint: a person who lost gets revenge, and a tip for it."""
    winner = statistics.result.winner if statistics is not None and statistics.result is not None else None
    if statistics is not None and winner is not None and statistics.seats[1 - winner].seat.human:
        return "Revenge", statistics.why or "The same players again"
    if series is not None and series.winner is not None:
        return "New series", "The same players again, from nothing"
    return "Rematch", "The same players again"
