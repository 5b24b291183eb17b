"""A game, cut out of the records of a session once, for all that is told of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from batllm_arcade.brains.protocol import SeatInfo
from batllm_arcade.core.model import Arena, Rules
from batllm_arcade.core.rules import Result
from batllm_arcade.match.records import GameEnded, GameStarted, Play, Record, RoundStarted, SeatSwapped
from batllm_arcade.match.series import MARKS

COLORS = "Blue", "Orange"
"""What players of one name are called, left first, as their bots are painted."""
BEHIND = 24.0
"""Who wins after being behind by so much health, in percent of its start, has come back."""


@dataclass(frozen=True, slots=True)
class Game:
    """A game as far as it is recorded: its `result` is None where it has not ended.

    `seats` are who played at its end, `prompts` the orders of its last round, both left first; `swapped` says whether
    a seat changed hands on the way.
    """

    records: tuple[Record, ...]
    number: int
    rules: Rules
    seats: tuple[SeatInfo, SeatInfo]
    plays: tuple[Play, ...]
    result: Result | None
    prompts: tuple[str, str] = ("", "")
    swapped: bool = False

    @property
    def names(self) -> tuple[str, str]:
        """Return what sentences call both players, left first."""
        left, right = self.seats
        return called((left.name, right.name))

    def seat_at(self, play: Play) -> SeatInfo:
        """Return who made one of its plays."""
        seat = self.seats[play.bot]
        for record in self.records:
            if isinstance(record, GameStarted):
                seat = record.seats[play.bot]
            elif isinstance(record, SeatSwapped) and record.bot == play.bot:
                seat = record.seat
            elif record == play:
                break
        return seat

    @property
    def played_out(self) -> bool:
        """Return whether it was decided by what the bots did: nobody left, and nobody failed to answer."""
        return self.result is not None and self.result.reason not in ("forfeit", "aborted")

    @property
    def winner(self) -> int | None:
        """Return who won it by playing, None if nobody did."""
        return self.result.winner if self.result is not None and self.played_out else None


def games_of(records: Iterable[Record]) -> list[Game]:
    """Return the games in the records, also one that has not ended; plays before a first game belong to none."""
    return [_game(each) for each in _cut(records)]


def last_game(records: Iterable[Record]) -> Game | None:
    """Return the last game in the records, None of none."""
    found = games_of(records)
    return found[-1] if found else None


def called(names: tuple[str, str]) -> tuple[str, str]:
    """Return what sentences call two players: by their names, or by their colours where these are the same."""
    left, right = (name.removesuffix(mark) for name, mark in zip(names, MARKS, strict=True))
    return COLORS if left.casefold() == right.casefold() else names


def _cut(records: Iterable[Record]) -> Iterator[list[Record]]:
    game: list[Record] = []
    for record in records:
        if isinstance(record, GameStarted):
            if game:
                yield game
            game = []
        if game or isinstance(record, GameStarted):
            game.append(record)
    if game:
        yield game


def _game(records: list[Record]) -> Game:
    started = records[0]
    assert isinstance(started, GameStarted)
    seats, prompts = list(started.seats), ("", "")
    result, swapped = None, False
    for record in records:
        if isinstance(record, SeatSwapped):
            seats[record.bot], swapped = record.seat, True
        elif isinstance(record, RoundStarted):
            prompts = record.prompts
        elif isinstance(record, GameEnded):
            result = record.result
    plays = tuple(record for record in records if isinstance(record, Play))
    return Game(tuple(records), started.game, started.rules, (seats[0], seats[1]), plays, result, prompts, swapped)


def is_loaded(arena: Arena, bot: int, rules: Rules) -> bool:
    """Return whether there is the charge for a shot, as there always is without a battery."""
    return not rules.battery or arena.bot(bot).charge >= rules.shot_charge


def next_hit_wins(arena: Arena, rules: Rules) -> bool:
    """Return whether each bot falls with the next bullet that strikes its front."""
    return all(0 < arena.bot(bot).health <= rules.bullet_damage[1 - bot] for bot in (0, 1))


def lead(arena: Arena, bot: int, rules: Rules) -> float:
    """Return by how much of its health, in percent of a full bot's, a bot is ahead of the other one."""
    mine, other = (100 * arena.bot(each).health / rules.initial_health[each] for each in (bot, 1 - bot))
    return mine - other


def behind_words(percent: float, rules: Rules) -> str:
    """Return how far behind that is: `24` of bots with 100 health, else `24%`."""
    return f"{percent:.0f}{'' if set(rules.initial_health) == {100} else '%'}"
