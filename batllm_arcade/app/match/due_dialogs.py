"""The dialogs that come by themselves: a problem, the time between two rounds, the results."""

from __future__ import annotations

from batllm_arcade.app.kit.dialog import Dialog
from batllm_arcade.app.kit.screen import Ui
from batllm_arcade.app.match.actions import MatchActions
from batllm_arcade.app.match.dialogs.trouble import CannotGoOn, Troubles
from batllm_arcade.app.match.intermission import IntermissionDialog
from batllm_arcade.app.match.menu import MatchMenu
from batllm_arcade.app.match.results import ResultsDialog
from batllm_arcade.app.match.state import MatchState
from batllm_arcade.app.match.tipping import MOST, Tipping
from batllm_arcade.app.shell import Navigation, Services
from batllm_arcade.match.records import Play
from batllm_arcade.seats.waiting import Intermission
from batllm_arcade.view import theme
from batllm_arcade.view.statistics import MatchStatistics


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
        """Return where the game tipped, None where it did not, nothing is kept of it or it is too long to look at."""
        path, records = self._state.plan.history, self._state.records
        if statistics.result is not None and statistics.result.reason == "forfeit":
            return None
        if path is None or not 1 <= sum(isinstance(record, Play) for record in records) <= MOST:
            return None
        if self._tipping is None or self._tipping.game != statistics.game:
            self._tipping = Tipping(self._go, self._match, path, records)
        return self._tipping

    def _between_rounds(self, intermission: Intermission, now: float) -> IntermissionDialog:
        """Return this intermission's dialog: the same one after the pause menu lay over it, with what was written."""
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
