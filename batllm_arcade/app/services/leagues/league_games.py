"""The games that were kept of two players of a league, on a thread: what they were, and the session of each."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from batllm_arcade.app.services.background import BackgroundTask
from batllm_arcade.files.within import open_within
from batllm_arcade.history.node import HistoryError
from batllm_arcade.history.summary import counted
from batllm_arcade.league.kept_files import PAIRS, SESSIONS
from batllm_arcade.league.output.pages import kept
from batllm_arcade.league.pair_reader import LARGEST_LINE, pair_of_line
from batllm_arcade.league.statistics.pair_line import PairLine


@dataclass(frozen=True, slots=True)
class KeptGame:
    """A game that was kept: `game` 1 or 2 of a pair, `winner` "" if nobody won, `health` is the most that was left."""

    pair: int
    game: int
    path: Path
    winner: str
    reason: str
    turns: int
    health: float

    @property
    def title(self) -> str:
        """Return which game it is."""
        return f"Pair {self.pair}, game {self.game}"

    @property
    def about(self) -> str:
        """Return what became of it."""
        how = {"knockout": "by knock-out", "points": "on points", "forfeit": "by forfeit"}.get(self.reason, self.reason)
        what = f"{self.winner} wins {how}" if self.winner else "a draw"
        return f"{what}, {counted(self.turns, 'turn')}"


class GameListing(BackgroundTask[list[KeptGame]]):
    """Lists the kept games of two players; it may be cancelled at any moment."""

    def __init__(self, folder: Path, pairing: tuple[str, str]) -> None:
        super().__init__("listing a league's games", lambda report: list(kept_games(folder, pairing)))


def kept_games(folder: Path, pairing: tuple[str, str]) -> Iterator[KeptGame]:
    """Yield the kept games of a pairing in their order; none of a league that cannot be read."""
    sessions = folder / SESSIONS
    there = set(kept(sessions, 10**9))
    try:
        with open(open_within(folder, PAIRS), "rb") as file:
            for line in iter(lambda: file.readline(LARGEST_LINE), b""):
                try:
                    yield from _games(pair_of_line(line), pairing, there, sessions)
                except HistoryError:
                    continue  # torn, or not ours
    except OSError:
        return


def _games(pair: PairLine, pairing: tuple[str, str], there: set[tuple[int, int]], sessions: Path) -> Iterator[KeptGame]:
    if set(pair["players"]) != set(pairing):
        return
    number = pair["pair"]
    for place, game in enumerate(pair["games"], 1):
        if (number, place) in there:
            health = max(game["health"].values())
            path = sessions / f"{number}-{place}.json"
            yield KeptGame(number, place, path, game["winner"] or "", game["reason"], game["turns"], health)
