"""The later plays of one reply, kept for the turns they are meant for."""

from __future__ import annotations

from collections import deque
from dataclasses import replace

from batllm_arcade.brains.protocol import Decision, View


class PlayQueue:
    """The later plays of one reply, for the bot's very next plays.

    A hit taken, a new round, and somebody else at the seat in between drop what is left.
    """

    def __init__(self) -> None:
        self._plays: deque[Decision] = deque()
        self._view: View | None = None
        self._number = 0  # of the seat's last play

    def fill(self, view: View, plays: list[Decision]) -> None:
        """Keep the plays that follow the one of this view; they replace what was left."""
        self._view, self._number = view, view.number
        self._plays = deque(replace(play, raw="", queued_from=view.number) for play in plays)

    def take(self, view: View) -> Decision | None:
        """Return the next of them, or None; what is left of a reply that came too late is dropped, too."""
        asked, last = self._view, self._number
        if asked is None or not self._plays:
            return None
        self._number = view.number
        health = asked.arena.bot(asked.seat).health
        same = (asked.game, asked.round) == (view.game, view.round) and health <= view.arena.bot(view.seat).health
        if not same or view.number != last + 2 or asked.live.cancelled:
            self._plays.clear()
            return None
        return self._plays.popleft()
