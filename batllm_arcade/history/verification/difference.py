"""A difference between a session file and what it must hold, and the place where it is."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from math import inf
from typing import Any, NamedTuple

from batllm_arcade.core.model import BotState
from batllm_arcade.history import schema


@dataclass(frozen=True, slots=True)
class Difference:
    """A field of the file that is not what it must be; `str()` is one sentence that names the play.

    `game` is the game's position in the session, by which differences are sorted.
    """

    game: float
    place: str
    field: str
    recorded: object
    rule: str
    """What the field must be."""
    turn: str = ""
    """A play's GAME.ROUND.TURN."""

    def __str__(self) -> str:
        where = f" (turn {self.turn})" if self.turn else ""
        return f"{self.place}: {self.field} is {self.recorded!r:.60} in the file and {self.rule}{where}"


class Place(NamedTuple):
    """A place in a session: the positions of its game and round, and its name with the numbers that the file gives."""

    game: float
    round: int
    name: str
    turn: str = ""

    def within(self, part: str) -> Place:
        """Return the place of a part of this one, such as `left`."""
        return self._replace(name=f"{self.name}, {part}")

    def broken(self, field: str, recorded: object, rule: str) -> Difference:
        """Return the difference of a field that breaks a rule, such as "must be 0 or more"."""
        return Difference(self.game, self.name, field, recorded, rule, self.turn)

    def compare(self, fields: Iterable[tuple[str, Any, Any]], how: str = "when played again") -> Iterator[Difference]:
        """Yield the differences among fields with their recorded values and those they must have."""
        for name, recorded, expected in fields:
            if recorded != expected:
                yield self.broken(name, recorded, f"{expected!r:.60} {how}")

    def compare_states(
        self, name: str, recorded: BotState, expected: BotState, how: str = "when played again"
    ) -> Iterator[Difference]:
        """Yield the differences between a bot's recorded state and the one it must have."""
        if recorded != expected:
            mine, theirs = schema.state(recorded, battery=True), schema.state(expected, battery=True)
            yield from self.compare([(f"{name}.{key}", mine[key], theirs[key]) for key in mine], how)


SESSION = Place(0, 0, "the session")
SESSION_END = SESSION._replace(game=inf)


def game_place(position: int, number: int) -> Place:
    """Return the place of a game: its position from 1, and its number in the file."""
    return Place(position, 0, f"game {number}")


def round_place(game: Place, position: int, number: int) -> Place:
    """Return the place of a round in a game: its position from 1, and its number in the file."""
    return game._replace(round=position, name=f"{game.name}, round {number}")


def play_place(around: Place, position: int) -> Place:
    """Return the place of a play in a round, by its position from 1."""
    turn = f"{around.game}.{around.round}.{(position + 1) // 2}"
    return around._replace(name=f"{around.name}, play {position}", turn=turn)
