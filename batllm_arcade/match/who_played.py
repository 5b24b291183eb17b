"""Who played a game in which seats changed hands, and whether it counts for its winner."""

from __future__ import annotations

from collections.abc import Iterable

from batllm_arcade.core.model import SEATS
from batllm_arcade.core.outcome import Result
from batllm_arcade.match.records import GameStarted, Record, SeatSwapped, Why

_BY_A_PERSON: tuple[Why, ...] = ("swap", "wheel", "fork")
_NAMED = 3  # players of one seat that are named with the turn from which on each played


def by_a_person(why: Why) -> bool:
    """Return whether somebody chose that another plays on: a model's stand-in plays for the model."""
    return why in _BY_A_PERSON


def counts(result: Result, changed: Iterable[int]) -> bool:
    """Return whether a game counts for its winner; `changed` are the seats that a person gave to somebody else."""
    return result.winner is not None and result.winner not in changed


def who_played(records: Iterable[Record]) -> tuple[str, ...]:
    """Return who played at each seat that changed hands in the last game of the records, a sentence each."""
    players: tuple[list[tuple[str, str]], ...] = ([], [])
    for record in records:
        if isinstance(record, GameStarted):
            players = tuple([(seat.name, "")] for seat in record.seats)
        elif isinstance(record, SeatSwapped):
            when = f"round {record.round}, turn {(record.number + 1) // 2}"
            players[record.bot].append((record.seat.name, when))
    return tuple(_sentence(SEATS[bot], told) for bot, told in enumerate(players) if len(told) > 1)


def _sentence(seat: str, players: list[tuple[str, str]]) -> str:
    if len(players) > _NAMED:
        names = list(dict.fromkeys(name for name, _ in players))
        return f"{seat.capitalize()} was played by {' and '.join(names)} in turns."
    first, *others = players
    later = "".join(f", from {when} on by {name}" for name, when in others)
    return f"{seat.capitalize()} was played by {first[0]}{later}."
