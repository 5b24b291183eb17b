"""Which part of a session is filmed: a game, from a turn to a turn."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from batllm_arcade.errors import UsageError
from batllm_arcade.records import GameEnded, GameStarted, Play, Record, RoundEnded, RoundStarted, SeatSwapped
from batllm_arcade.view.timeline import Timeline


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn as people name it: the one a round's picture shows, or (round None) counted through the game."""

    turn: int
    round: int | None = None

    def __str__(self) -> str:
        return f"{self.turn}" if self.round is None else f"{self.round}.{self.turn}"


def turn_of(text: str) -> Turn:
    """`7`, the game's seventh turn, or `2.3`, the third one of round 2; ValueError with a sentence otherwise."""
    match = re.fullmatch(r"(?:([0-9]{1,9})\.)?([0-9]{1,9})", text, re.ASCII)
    if match is None:
        raise ValueError(f"{text!r:.60} is no turn; write 7, or ROUND.TURN like 2.3")
    return Turn(int(match[2]), None if match[1] is None else int(match[1]))


def only(records: Iterable[Record], game: int) -> Iterator[Record]:
    """The records of one game, counted from 1; UsageError where there is none of that number."""
    number, found = 0, False
    for record in records:
        number += isinstance(record, GameStarted)
        if number == game:
            found = True
            yield record
    if not found:
        games = "it has one" if number == 1 else f"it has {number}"
        raise UsageError(f"there is no game {game} in this session; {games}")


def stretch(timeline: Timeline, first: Turn | None, last: Turn | None) -> tuple[float, float]:
    """The seconds of the (one) game's timeline from turn to turn, both included; UsageError where one is not there."""
    marks = _marks(timeline)
    start = _found(marks, first)[0] if first else 0.0
    end = _found(marks, last)[1] if last else timeline.end
    if start >= end:
        raise UsageError(f"the film would end before it begins: turn {last} is before turn {first}")
    return start, end


def _marks(timeline: Timeline) -> dict[tuple[int, int], tuple[float, float]]:
    """From when to when each turn is shown, by (round, turn), in order."""
    marks: dict[tuple[int, int], tuple[float, float]] = {}
    key, before = (1, 1), 0.0
    for segment in timeline.segments:
        key = _key(segment.record, key)
        marks[key] = (marks.get(key, (before, 0.0))[0], segment.end)
        before = segment.end  # what a brain thinks before its play belongs to the play
    return marks


def _key(record: Record, last: tuple[int, int]) -> tuple[int, int]:
    if isinstance(record, Play):
        return record.round, record.turn
    if isinstance(record, RoundStarted):
        return record.round, 1
    if isinstance(record, SeatSwapped):
        return record.round, (record.number + 1) // 2
    return last if isinstance(record, (RoundEnded, GameEnded)) else (1, 1)


def _found(marks: dict[tuple[int, int], tuple[float, float]], turn: Turn) -> tuple[float, float]:
    if turn.round is not None:
        if (turn.round, turn.turn) in marks:
            return marks[turn.round, turn.turn]
        turns = [inner for outer, inner in marks if outer == turn.round]
        if turns:
            raise UsageError(f"there is no turn {turn.turn} in round {turn.round}; it ends with turn {max(turns)}")
        raise UsageError(f"there is no round {turn.round} in this game; it has {max(outer for outer, _ in marks)}")
    if not 1 <= turn.turn <= len(marks):
        raise UsageError(f"there is no turn {turn.turn} in this game; it has {len(marks)}")
    return list(marks.values())[turn.turn - 1]
