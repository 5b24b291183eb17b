"""Bots in processes of their own that are kept from one table to the next, so that each is started and loaded once."""

from __future__ import annotations

from contextlib import suppress

from batllm_arcade.brains.live import Cancelled
from batllm_arcade.core.model import SEATS
from batllm_arcade.errors import ArcadeError
from batllm_arcade.seats.brain_thread import BrainThread

MOST = 8
"""Bots that are kept; of more players those that were asked last."""


class KeptBots:
    """At most one bot for each player and seat; a Python file's changes its seat, and is so loaded once."""

    def __init__(self) -> None:
        self._kept: dict[tuple[str, str], BrainThread] = {}

    def take(self, player: str, seat: str) -> BrainThread | None:
        """Return the bot of this player for this seat, which is the caller's from now on; None if none is kept."""
        kept = self._kept.pop((player, seat), None)
        if kept is not None:
            return kept
        for other in SEATS:
            bot = self._kept.get((player, other))
            if bot is not None and self._moved(bot, seat):
                return self._kept.pop((player, other))
        return None

    @staticmethod
    def _moved(bot: BrainThread, seat: str) -> bool:
        with suppress(ArcadeError, Cancelled):  # it is then started anew, which tells what is wrong
            return bot.sit(seat)
        return False

    def put(self, player: str, seat: str, bot: BrainThread | None) -> None:
        """Keep the bot of a game that is over; close one that is in no process of its own, or one too many."""
        if bot is None:
            return
        if not bot.apart:
            bot.close()
            return
        self._kept[player, seat] = bot
        while len(self._kept) > MOST:
            self._kept.pop(next(iter(self._kept))).close()

    def close(self) -> None:
        """Close all that are kept."""
        while self._kept:
            self._kept.popitem()[1].close()
