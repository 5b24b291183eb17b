"""Who has scored against whom, which decides what bounds a rating; pure."""

from __future__ import annotations

from collections.abc import Mapping

from batllm_arcade.league.statistics.strengths import Pairing


class Reach:
    """Points of the first player of each pairing, and its games."""

    def __init__(self, players: int, results: Mapping[Pairing, tuple[float, float]]) -> None:
        self._beaten: list[set[int]] = [set() for _ in range(players)]
        self._losers: set[int] = set()
        for (one, other), (points, games) in results.items():
            if points > 0:
                self._beaten[one].add(other)
                self._losers.add(other)
            if points < games:
                self._beaten[other].add(one)
                self._losers.add(one)
        self._reached = [self._from(player) for player in range(players)]
        met = [{one, other} for (one, other), (_, games) in results.items() if games]
        self.connected = _is_whole(players, met)
        """Whether the games played so far bind all players together."""

    def _from(self, player: int) -> set[int]:
        found, new = {player}, [player]
        while new:
            more = self._beaten[new.pop()] - found
            found |= more
            new.extend(more)
        return found

    def scored(self, player: int) -> bool:
        """Return whether a player has any point."""
        return bool(self._beaten[player])

    def lost(self, player: int) -> bool:
        """Return whether anybody has a point against a player."""
        return player in self._losers

    def bounded(self, one: int, other: int) -> bool:
        """Return whether anything says that `one` is not below `other` by any amount: points, also over others."""
        return other in self._reached[one]


def _is_whole(players: int, met: list[set[int]]) -> bool:
    found, left = {0}, met
    while True:
        joined = [two for two in left if two & found]
        if not joined:
            return len(found) == players
        found = found.union(*joined)
        left = [two for two in left if not two & found]
