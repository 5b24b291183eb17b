"""One press that waits until the gun is loaded, play after play, as long as nothing else happens."""

from __future__ import annotations

from batllm_arcade.app.input.aiming import WAIT
from batllm_arcade.brains.protocol import View
from batllm_arcade.core.flight import lined_up
from batllm_arcade.view.telegraph.waiting import loads_by_waiting, waits_until_loaded

WAIT_S = 0.25
"""Seconds of each turn in which a person sees that they still wait, and can stop it."""
_Begun = tuple[int, int, int, float, bool, bool]


class LongWait:
    """The wait of one person that is under way, if there is one.

    It goes on only in the same round, unhurt, while nothing threatens, and as long as the other bot is before the gun
    and waiting is the best way to load just as when it began.
    """

    def __init__(self) -> None:
        self._begun: _Begun | None = None

    @property
    def begun(self) -> bool:
        """Whether one is under way, whosever turn it is."""
        return self._begun is not None

    def given(self, token: str, view: View) -> None:
        """Take a command that was handed in: to wait where that loads an empty gun begins a wait, all else ends it."""
        begins = token == WAIT and loads_by_waiting(view.arena, view.seat, view.rules)
        self._begun = _state(view) if begins else None

    def goes_on(self, view: View) -> bool:
        """Return whether this turn of the person belongs to the wait."""
        if self._begun is None or self._begun != _state(view):
            return False
        return loads_by_waiting(view.arena, view.seat, view.rules)

    def stop(self) -> None:
        """End it: the person does something."""
        self._begun = None


def _state(view: View) -> _Begun:
    arena, seat, rules = view.arena, view.seat, view.rules
    stands = lined_up(arena, seat, rules), waits_until_loaded(arena, seat, rules)
    return seat, view.game, view.round, arena.bot(seat).health, *stands
