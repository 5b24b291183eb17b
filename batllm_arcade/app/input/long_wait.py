"""One press that waits until the gun is loaded, play after play, as long as nothing else happens."""

from __future__ import annotations

from batllm_arcade.app.input.aiming import WAIT
from batllm_arcade.brains.protocol import View
from batllm_arcade.view.telegraph.waiting import waits_until_loaded

WAIT_S = 0.3
"""Seconds of each turn in which a person sees that they still wait, and can stop it."""


class LongWait:
    """The wait of one person that is under way, if there is one.

    It goes on only in the same round, unhurt and where waiting is still the only sensible play: any threat ends it.
    """

    def __init__(self) -> None:
        self._begun: tuple[int, int, int, float] | None = None

    def given(self, token: str, view: View) -> None:
        """Take a command that was handed in: to wait where nothing else is sensible begins a wait, all else ends it."""
        me = view.arena.bot(view.seat)
        begins = token == WAIT and waits_until_loaded(view.arena, view.seat, view.rules)
        self._begun = (view.seat, view.game, view.round, me.health) if begins else None

    def goes_on(self, view: View) -> bool:
        """Return whether this turn of the person belongs to the wait."""
        now = view.seat, view.game, view.round, view.arena.bot(view.seat).health
        return self._begun == now and waits_until_loaded(view.arena, view.seat, view.rules)

    def stop(self) -> None:
        """End it: the person does something."""
        self._begun = None
