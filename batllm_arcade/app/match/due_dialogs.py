"""Dialogs that a match asks for."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace

from batllm_arcade.app.kit.dialog import Dialog, ShortcutDialog, Way
from batllm_arcade.app.kit.screen import Ui
from batllm_arcade.app.match.intermission import IntermissionDialog
from batllm_arcade.app.match.menu import MatchActions, MatchMenu
from batllm_arcade.app.match.results import MOST, ResultsDialog, Tipping
from batllm_arcade.app.match.state import MatchState
from batllm_arcade.app.services.brain_list import BrainList
from batllm_arcade.app.services.server_work import as_sentence
from batllm_arcade.app.shell import Navigation, Services
from batllm_arcade.brains.protocol import Spec
from batllm_arcade.core.model import SEATS
from batllm_arcade.match.records import Play, SeatSwapped
from batllm_arcade.seats.seating import Intermission, may_recover
from batllm_arcade.session.live_session import SessionPlan
from batllm_arcade.view import theme
from batllm_arcade.view.statistics import MatchStatistics

WATCHED_S = 9.0
"""Seconds after which a match that nobody plays goes on by itself."""


class Troubles:
    """Makes the dialogs; `menu` has the list of other players."""

    def __init__(
        self, ui: Ui, go: Navigation, services: Services, state: MatchState, menu: MatchMenu, match: MatchActions
    ) -> None:
        self._ui, self._go, self._state, self._menu, self._match = ui, go, state, menu, match
        self._kinds = services.plugins.kinds
        self._brains = BrainList(self._kinds, services.availability)
        self._brains.check_stand_ins()

    def cannot_begin(self, problem: str) -> Dialog:
        """Return what can be done about a match that could not begin or cannot go on."""
        plan, go, bot = self._state.plan, self._go, self._state.table.unready
        ways = [Way("Back", go.leave_match)]
        if bot is not None:
            ways = [Way("Try again", self._starts(plan)), Way("Another player", lambda: go.seats(plan)), *ways]
            if (stand_in := self._brains.stand_in(plan.seats[bot])) is not None:
                seats = (stand_in, plan.seats[1]) if bot == 0 else (plan.seats[0], stand_in)
                text = f"{self._brains.called(stand_in)} plays instead"
                ways.insert(2, Way(text, self._starts(replace(plan, seats=seats))))
        title = "This match cannot begin" if bot is not None else "This match cannot go on"
        return CannotGoOn(self._ui, title, as_sentence(problem), ways, go.leave_match, color=theme.TEXT)

    def _starts(self, plan: SessionPlan) -> Callable[[], None]:
        return lambda: self._go.start(plan, self._match.complain)

    def lost_seat(self, swap: SeatSwapped, now: float) -> Dialog | None:
        """Return what can be done about a model that has lost its seat, None for a brain that would fail again."""
        table, bot = self._state.table, swap.bot
        spec = table.lost(bot)
        kind = self._kinds.get(spec.name) if spec is not None else None
        if spec is None or kind is None or not may_recover(kind):
            return None
        ways = [
            Way("Try again", lambda: self._ask_again(bot)),
            Way("Another player", lambda: self._match.open(self._menu.swap(bot))),
        ]
        if (stand_in := self._brains.stand_in(spec)) is not None:
            text = f"{self._brains.called(stand_in)} takes the seat"
            ways.append(Way(text, lambda: self._give(bot, stand_in)))
        player = f"{swap.seat.name[:1].upper()}{swap.seat.name[1:]}"
        ways.append(Way(f"{player} plays on", self._match.play_on))
        words = f"{as_sentence(swap.problem)} {player} plays for it; it is asked again in every round."
        self._match.hold()
        since = now if self._state.watched else None
        title, color = f"{SEATS[bot].capitalize()} is out", theme.SEAT_COLORS[bot]
        return LostSeat(self._ui, title, words, ways, self._match.play_on, color, since)

    def _ask_again(self, bot: int) -> None:
        self._state.table.ask_again(bot)
        self._match.await_return(bot)
        self._match.play_on()

    def _give(self, bot: int, spec: Spec) -> None:
        self._state.table.swap(bot, spec)
        self._match.play_on()


class CannotGoOn(ShortcutDialog):
    """A match that could not begin, or cannot go on."""

    def complain(self, problem: str) -> None:
        """Say what went wrong now, in place of what went wrong before."""
        self.words = as_sentence(problem)
        self.ui.sound("error")


class LostSeat(ShortcutDialog):
    """A model that has lost its seat; counting from `since` the match goes on by itself, None: it waits."""

    def __init__(
        self, ui: Ui, title: str, words: str, ways: Sequence[Way], back: Callable[[], None], color: theme.Color,
        since: float | None,
    ) -> None:  # fmt: skip
        super().__init__(ui, title, words, ways, back, color=color)
        self._since, self._last = since, self._entries[-1].text

    def update(self, now: float) -> None:
        """Count down, unless somebody has begun to choose."""
        super().update(now)
        if self.form.focus is not self._entries[0]:
            self._since = None
        left = WATCHED_S - (now - self._since) if self._since is not None else None
        self._entries[-1].text = self._last if left is None else f"{self._last} ({max(0, math.ceil(left))})"
        if left is not None and left <= 0:
            self._since = None
            self._entries[-1].do()


class DueDialogs:
    """Makes them when they are due; `menu` has the choices that follow a game."""

    def __init__(
        self, ui: Ui, go: Navigation, services: Services, state: MatchState, menu: MatchMenu, match: MatchActions
    ) -> None:
        self._ui, self._go, self._services = ui, go, services
        self._state, self._menu = state, menu
        self._troubles = Troubles(ui, go, services, state, menu, match)
        self._intermission: IntermissionDialog | None = None
        self._match = match
        self._tipping: Tipping | None = None

    def at(self, now: float, shown: Dialog | None) -> Dialog | None:
        """Return the dialog that is to lie over the match now: the one `shown`, one that has become due, or None."""
        state, intermission = self._state, self._state.table.intermission
        if state.thread.problem and not isinstance(shown, CannotGoOn):
            return self._troubles.cannot_begin(state.thread.problem)
        if shown is None and state.lost is not None and not state.clock.paused:
            swap, state.lost = state.lost, None
            return self._troubles.lost_seat(swap, now)
        if shown is None and state.result_shown(theme.RESULT_S):
            return self.results(now)
        if shown is None and intermission is not None and state.caught_up and not state.clock.paused:
            return self._between_rounds(intermission, now)
        return shown

    def results(self, now: float) -> ResultsDialog | None:
        """Return the results of the game that is over, None if there is nothing to count."""
        statistics = self._state.statistics()
        if statistics is None:
            return None
        series, score = self._state.timeline.series, self._state.timeline.segments[-1].board.score
        buttons, tipping = self._menu.after(statistics, series), self._tipping_of(statistics)
        if tipping is not None:
            buttons.insert(-1, tipping.button)
        return ResultsDialog(self._ui, self._go, self._services, statistics, buttons, now, score, tipping)

    def _tipping_of(self, statistics: MatchStatistics) -> Tipping | None:
        path, records = self._state.plan.history, self._state.records
        if statistics.result is not None and statistics.result.reason == "forfeit":
            return None
        if path is None or not 1 <= sum(isinstance(record, Play) for record in records) <= MOST:
            return None
        if self._tipping is None or self._tipping.game != statistics.game:
            self._tipping = Tipping(self._go, self._match, path, records)
        return self._tipping

    def _between_rounds(self, intermission: Intermission, now: float) -> IntermissionDialog:
        kept, state = self._intermission, self._state
        if kept is None or kept.intermission is not intermission:
            game, last = state.statistics(), state.statistics(intermission.round - 1)
            assert game is not None
            assert last is not None
            seats = (state.table.seat(0), state.table.seat(1))
            many = state.plan.games > 1
            kept = self._intermission = IntermissionDialog(
                self._ui, self._services, intermission, seats, (game, last), now, many=many
            )
        else:
            kept.resume(now)
        return kept

    def leave(self) -> None:
        """Let go of the last intermission's, and of what is still being worked out."""
        if self._tipping is not None:
            self._tipping.leave(self._services)
        if self._intermission is not None:
            self._intermission.leave()
