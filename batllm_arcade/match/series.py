"""A series of games, and its result in words."""

from __future__ import annotations

from dataclasses import dataclass, replace

from batllm_arcade.core.rules import Result

SIDES = "blue", "orange"
"""What both bots are called by their colours: either may stand anywhere in the arena."""
MARKS = tuple(f" ({side})" for side in SIDES)
"""What tells two players of one name apart, left first: the colours of their bots."""
_SHORT = {
    "knockout": "by knock-out",
    "points": "on points",
    "forfeit": "by forfeit",
    "draw": "draw",
    "aborted": "abandoned",
}
_EXPLAINED = {
    **_SHORT,
    "draw": "a draw: both kept the same share of health",
    "forfeit": "the other side failed to answer too often",
    "aborted": "the game was abandoned",
}


def describe_result(result: Result, names: tuple[str, str]) -> str:
    """Return a result on one line: `Ann wins by knock-out`, `draw`, `abandoned`; names are left first."""
    reason = _SHORT[result.reason]
    return reason if result.winner is None else f"{winner_text(result, names)} {reason}"


def winner_text(result: Result, names: tuple[str, str]) -> str:
    """Return who won: `Ann wins`, `Nobody wins`."""
    return "Nobody wins" if result.winner is None else f"{distinct(names)[result.winner]} wins"


def reason_text(result: Result) -> str:
    """Return why the game ended as it did, to stand below who won: `by knock-out`, `the game was abandoned`."""
    return _EXPLAINED[result.reason]


def distinct(names: tuple[str, str]) -> tuple[str, str]:
    """Return the names, or `NAME (blue)` and `NAME (orange)` if they are equal but for large and small letters."""
    left, right = names
    return names if left.casefold() != right.casefold() else (f"{left}{MARKS[0]}", f"{right}{MARKS[1]}")


def turns_text(turns: int) -> str:
    """Return a number of turns in words: `one turn`, `12 turns`."""
    return "one turn" if turns == 1 else f"{turns} turns"


LENGTHS: tuple[int | None, ...] = (1, 3, 5, 7, None)
"""Of how many games a series may be the best; None goes on without end."""


@dataclass(frozen=True, slots=True)
class Series:
    """The best of `best_of` games (None: endless), and the games won so far, left first."""

    best_of: int | None = None
    wins: tuple[int, int] = (0, 0)

    @property
    def first_to(self) -> int | None:
        """Return how many games win the series, None if it is endless."""
        return None if self.best_of is None else self.best_of // 2 + 1

    @property
    def winner(self) -> int | None:
        """Return the seat that has won the series, None while nobody has."""
        if self.first_to is None:
            return None
        return next((seat for seat in (0, 1) if self.wins[seat] >= self.first_to), None)

    def after(self, result: Result) -> Series:
        """Return the series after another game; a draw and an abandoned game count for nobody."""
        if result.winner is None or self.winner is not None:
            return self
        left, right = self.wins
        return replace(self, wins=(left, right + 1) if result.winner else (left + 1, right))

    def next(self) -> Series:
        """Return the series that the next game is played in: this one, or a new one if it has been won."""
        return self if self.winner is None else self.anew()

    def anew(self) -> Series:
        """Return a series of the same length in which nothing has been won."""
        return Series(self.best_of)

    def swapped(self) -> Series:
        """Return the series after both players have changed places."""
        return replace(self, wins=(self.wins[1], self.wins[0]))


class SeriesScore:
    """How a series stands while its games are played or shown, and between which names, left first."""

    def __init__(self, series: Series | None) -> None:
        self.series = series
        self._names: tuple[str, str] | None = None
        self._changed: set[int] = set()

    def begin_game(self, names: tuple[str, str], series: Series | None = None) -> None:
        """Take who plays now: who changed places keeps what they won, others begin anew, as after a series' end.

        With `series` that one begins with this game.
        """
        self._changed.clear()
        if series is not None:
            self.series = series
        elif self.series is not None:
            before = self._names or names
            if names != before:
                self.series = self.series.swapped() if names == before[::-1] else self.series.anew()
            self.series = self.series.next()
        self._names = names

    def change_seat(self, bot: int) -> None:
        """Take that a person gave a seat to somebody else in the middle of the game: its win counts for nobody."""
        self._changed.add(bot)

    def end_game(self, result: Result) -> None:
        """Count a game."""
        if self.series is not None and result.winner not in self._changed:
            self.series = self.series.after(result)

    @property
    def text(self) -> str:
        """Return the score in words, "" where there is none to tell."""
        return "" if self.series is None or self._names is None else score_text(self.series, self._names)


def score_text(series: Series, names: tuple[str, str]) -> str:
    """Return the score in words, left first: `HUMAN 1 : 2 SMOLLM2, first to 3`; "" where there is nothing to tell.

    That is a series of one game, and an endless one in which nothing has been won.
    """
    left, right = (name.upper() for name in distinct(names))
    if series.best_of == 1 or (series.best_of is None and series.wins == (0, 0)):
        return ""
    score = f"{left} {series.wins[0]} : {series.wins[1]} {right}"
    if series.winner is not None:
        return f"{score}, {(left, right)[series.winner]} wins the series"
    return score if series.first_to is None else f"{score}, first to {series.first_to}"
