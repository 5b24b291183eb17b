"""The dialog between two rounds: one for each intermission, kept while the pause menu lies over it."""

from __future__ import annotations

from batllm_arcade.app.match.intermission import IntermissionDialog
from batllm_arcade.app.match.state import MatchState
from batllm_arcade.app.ui.screen import Shell
from batllm_arcade.seats.waiting import Intermission


class Intermissions:
    """Makes the dialogs of a match's intermissions."""

    def __init__(self, shell: Shell, state: MatchState) -> None:
        self._shell, self._state = shell, state
        self._kept: IntermissionDialog | None = None

    def dialog(self, intermission: Intermission, now: float) -> IntermissionDialog:
        """Return this intermission's dialog: the same one after the pause menu lay over it, with what was written."""
        kept, state = self._kept, self._state
        if kept is None or kept.intermission is not intermission:
            game, last = state.statistics(), state.statistics(intermission.round - 1)
            assert game is not None
            assert last is not None
            seats = (state.table.seat(0), state.table.seat(1))
            many = state.plan.games > 1
            kept = self._kept = IntermissionDialog(self._shell, intermission, seats, (game, last), now, many=many)
        return kept

    def leave(self) -> None:
        """Let go of the last one."""
        if self._kept is not None:
            self._kept.leave()
