"""What an analysis says of each play of a game, as the window, films and pages show it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

LEAST = 0.05
"""The chance that a play has cost at least where the better one is named."""
LEAST_TURN = 0.5
"""Degrees: a smaller turn is none worth the name, and as good as waiting."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """What a play of `bot` was worth: left's chance after it and after the best play there, 0 to 1."""

    bot: int
    cmd: str
    chance: float
    best: str
    best_chance: float
    loss: float
    """The acting side's chance lost against the best play."""
    mark: str
    """`?!`, `?`, `??`, `!` or "" for none."""

    @property
    def points(self) -> int:
        """Return what was lost in points: hundredths of a game."""
        return round(100 * self.loss)


def own(chance: float, bot: int) -> float:
    """Return the chance of a bot, given left's."""
    return 1 - chance if bot else chance


def judgements(game: Mapping[str, Any]) -> list[Judgement]:
    """Return what the plain values of an analysed game say of its plays; raise ValueError if they are none."""
    try:
        return [_judgement(play) for play in game["plays"]]
    except (KeyError, TypeError, IndexError, AttributeError) as error:
        raise ValueError(f"no analysis of a game: {error}") from None


def _judgement(play: Mapping[str, Any]) -> Judgement:
    best = play["best"]
    left, right = float(play["chance"][0]), float(best["chance"][0])
    return Judgement(
        int(play["order"]), str(play["cmd"]), left, str(best["cmd"]), right, float(play["loss"]), play["mark"] or ""
    )


Swings = Mapping[tuple[int, int, int], tuple[float, float]]
"""Left's chance before and after each play, by game, round and the play's number in it; in the order of the plays."""
