"""Players that fail game after game: a league with one of them pauses; pure."""

from __future__ import annotations

from batllm_arcade.league.engines.pair_play import PlayedPair

FAILING, FAILING_AFTER_GOOD = 4, 20
"""Games in a row in which a player fails after which the league pauses: from the start, and after a good one."""
LONGEST_REASON = 400
"""Characters of a reason that is told."""


class Failures:
    """In how many games in a row each player has failed, and whether it ever got through one; of one start."""

    def __init__(self) -> None:
        self._games: dict[str, int] = {}
        self._good: set[str] = set()

    def add(self, played: PlayedPair) -> str:
        """Take the next pair into account; return why the league pauses, "" if it goes on.

        The rating of a player that fails in every game would be that of its failures.
        """
        for name in played.line["players"]:
            reasons = played.failures.get(name, ())
            if len(reasons) < len(played.line["games"]):
                self._good.add(name)
                self._games[name] = 0
                continue
            games = self._games[name] = self._games.get(name, 0) + len(reasons)
            if games >= (FAILING_AFTER_GOOD if name in self._good else FAILING):
                return f"{name} has failed in each of its last {games} games: {reasons[-1][:LONGEST_REASON]}"
        return ""
