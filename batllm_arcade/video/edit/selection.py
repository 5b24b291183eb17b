"""Which part of a session is filmed: a game, from a turn to a turn."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from batllm_arcade.errors import UsageError
from batllm_arcade.match.records import GameEnded, GameStarted, Play, Record, RoundEnded, RoundStarted, SeatSwapped
from batllm_arcade.view.timeline import Timeline


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn as people name it: the one a round's picture shows, or (round None) counted through the game.

    `game` None is the film's first one, or the one the other turn names.
    """

    turn: int
    round: int | None = None
    game: int | None = None

    def __str__(self) -> str:
        return ".".join(str(number) for number in (self.game, self.round, self.turn) if number is not None)


def turn_of(text: str) -> Turn:
    """`7`, the game's seventh turn, `2.3`, the third one of round 2, or `4.2.3`, that of game 4; else ValueError."""
    match = re.fullmatch(r"(?:(?:([0-9]{1,9})\.)?([0-9]{1,9})\.)?([0-9]{1,9})", text, re.ASCII)
    if match is None:
        raise ValueError(f"{text!r:.60} is no turn; write 7, ROUND.TURN like 2.3, or GAME.ROUND.TURN like 1.2.3")
    game, round_, turn = (None if number is None else int(number) for number in match.groups())
    return Turn(turn or 0, round_, game)


def game_of(first: Turn | None, last: Turn | None) -> int | None:
    """The only game that turns without a game's number can be of: the session's first; None where none is the only."""
    named = [turn for turn in (first, last) if turn is not None]
    return 1 if named and all(turn.game is None for turn in named) else None


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
    """The seconds of the timeline from turn to turn, both included; UsageError where one is not there."""
    marks = _marks(timeline)
    game = timeline.segments[0].board.game
    start, end = 0.0, timeline.end
    if first:
        game = first.game or game
        start = _found(marks, first, game)[0]
    if last:
        end = _found(marks, last, last.game or game)[1]
    if start >= end:
        raise UsageError(f"the film would end before it begins: turn {last} is before turn {first}")
    return start, end


_Marks = dict[int, dict[tuple[int, int], tuple[float, float]]]


def _marks(timeline: Timeline) -> _Marks:
    """From when to when each turn is shown, by game and (round, turn), in order."""
    games: _Marks = {}
    key, before = (1, 1), 0.0
    for segment in timeline.segments:
        key, marks = _key(segment.record, key), games.setdefault(segment.board.game, {})
        marks[key] = (marks.get(key, (before, 0.0))[0], segment.end)
        before = segment.end  # what a brain thinks before its play belongs to the play
    return games


def _key(record: Record, last: tuple[int, int]) -> tuple[int, int]:
    if isinstance(record, Play):
        return record.round, record.turn
    if isinstance(record, RoundStarted):
        return record.round, 1
    if isinstance(record, SeatSwapped):
        return record.round, (record.number + 1) // 2
    return last if isinstance(record, (RoundEnded, GameEnded)) else (1, 1)


def _found(games: _Marks, turn: Turn, game: int) -> tuple[float, float]:
    if game not in games:
        if len(games) > 1:
            raise UsageError(f"there is no game {game} in this session; it has {len(games)}")
        raise UsageError(f"turn {turn} is not in game {min(games)}, the only one that is filmed")
    marks = games[game]
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
