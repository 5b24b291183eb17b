"""Which seats a fallback has played in a session, why, and whether they were given back."""

from __future__ import annotations

from batllm_arcade.core.model import SEATS
from batllm_arcade.match.records import GameEnded, GameStarted, Play, Record, SeatSwapped


class FallbackReport:
    """Notices games in which a fallback plays a seat to the end: their results are not those of the chosen brains."""

    def __init__(self) -> None:
        self._brains = ["", ""]
        self._names = ["", ""]
        """What failed, "" while no fallback has the seat."""
        self._reasons, self._last = ["", ""], ["", ""]
        self._played = [False, False]
        self._games: dict[tuple[int, str, str, str], list[int]] = {}

    def notify(self, record: Record) -> str:
        """Receive the next record of the session; return a sentence if a fallback takes a seat or gives it back."""
        if isinstance(record, GameStarted):
            self._started(record)
        elif isinstance(record, SeatSwapped):
            return self._swapped(record)
        elif isinstance(record, Play):
            self._played[record.bot] |= bool(self._names[record.bot])
            self._last[record.bot] = record.reason
        elif isinstance(record, GameEnded):
            self._count(record.game)
        return ""

    def _started(self, game: GameStarted) -> None:
        for bot, seat in enumerate(game.seats):
            if self._brains[bot] not in ("", seat.brain):  # it took the seat after the last play of the game before
                self._names[bot], self._reasons[bot] = self._brains[bot], self._last[bot]
            self._brains[bot], self._played[bot] = seat.brain, False

    def _swapped(self, swap: SeatSwapped) -> str:
        bot, before = swap.bot, self._brains[swap.bot]
        self._brains[bot], self._played[bot] = swap.seat.brain, False
        if swap.why == "fallback":
            self._names[bot], self._reasons[bot] = before, swap.problem
            return f"{SEATS[bot]}: {before} failed, {swap.seat.brain} plays on ({swap.problem})"
        self._names[bot] = ""
        return f"{SEATS[bot]}: {swap.seat.brain} answers again and plays on" if swap.why == "recovered" else ""

    def _count(self, game: int) -> None:
        for bot, name in enumerate(self._names):
            if name and self._played[bot]:
                key = (bot, name, self._brains[bot], self._reasons[bot])
                self._games.setdefault(key, []).append(game)

    def sentences(self) -> list[str]:
        """Return a sentence for each seat that a fallback has played to the end of a game."""
        return [
            f"{SEATS[bot]}: {fallback} played for {name} to the end of {_games(games)}; it failed with: {reason}"
            for (bot, name, fallback, reason), games in self._games.items()
        ]


def _games(numbers: list[int]) -> str:
    if len(numbers) == 1:
        return f"game {numbers[0]}"
    return f"games {', '.join(map(str, numbers[:-1]))} and {numbers[-1]}"
