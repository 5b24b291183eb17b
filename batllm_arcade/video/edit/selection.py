"""The part of a session that a film or a page shows: a game, from one turn to another."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from batllm_arcade.errors import UsageError
from batllm_arcade.history.schema import no_game
from batllm_arcade.match.records import GameEnded, GameStarted, Play, Record, RoundEnded, RoundStarted, SeatSwapped
from batllm_arcade.view.timeline import Timeline


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn as users name it: of a round, or (round None) counted through the game.

    `game` None means the film's first game, or that of the other turn.
    """

    turn: int
    round: int | None = None
    game: int | None = None

    def __str__(self) -> str:
        return ".".join(str(number) for number in (self.game, self.round, self.turn) if number is not None)


def parse_turn(text: str) -> Turn:
    """Return the turn named by `7` (of the game), `2.3` (of round 2) or `4.2.3` (of game 4); raise ValueError."""
    match = re.fullmatch(r"(?:(?:([0-9]{1,9})\.)?([0-9]{1,9})\.)?([0-9]{1,9})", text, re.ASCII)
    if match is None:
        raise ValueError(f"{text!r:.60} is no turn; write 7, ROUND.TURN like 2.3, or GAME.ROUND.TURN like 1.2.3")
    game, round_, turn = (None if number is None else int(number) for number in match.groups())
    return Turn(turn or 0, round_, game)


def parse_turn_option(option: str, text: str | None) -> Turn | None:
    """Return the turn that an option names, None without one; raise UsageError if it is no turn."""
    try:
        return None if text is None else parse_turn(text)
    except ValueError as error:
        raise UsageError(f"{option}: {error}") from None


def implied_game(first: Turn | None, last: Turn | None) -> int | None:
    """Return 1 if the turns name no game, so that only the first one can be meant; else None."""
    named = [turn for turn in (first, last) if turn is not None]
    return 1 if named and all(turn.game is None for turn in named) else None


def records_of_game(records: Iterable[Record], game: int) -> Iterator[Record]:
    """Yield the records of one game, counted from 1; raise HistoryError if there is no such game."""
    number, found = 0, False
    for record in records:
        number += isinstance(record, GameStarted)
        if number == game:
            found = True
            yield record
    if not found:
        raise no_game(game, number)


def games_in(records: Iterable[Record]) -> list[list[Record]]:
    """Return the records of each game."""
    games: list[list[Record]] = []
    for record in records:
        if isinstance(record, GameStarted):
            games.append([])
        if games:
            games[-1].append(record)
    return games


def time_span(timeline: Timeline, first: Turn | None, last: Turn | None) -> tuple[float, float]:
    """Return start and end in timeline seconds, both turns included; raise UsageError if there is no such turn."""
    marks = _marks(timeline)
    game = timeline.segments[0].board.game
    start, end = 0.0, timeline.end
    if first:
        game = first.game or game
        start = _found(marks, first, game)[0]
    if last:
        end = _found(marks, last, last.game or game)[1]
    if start >= end:
        raise UsageError(f"it would end before it begins: turn {last} is before turn {first}")
    return start, end


_Marks = dict[int, dict[tuple[int, int], tuple[float, float]]]


def _marks(timeline: Timeline) -> _Marks:
    """Return when each turn is shown, by game and (round, turn), in order."""
    games: _Marks = {}
    key, before = (1, 1), 0.0
    for segment in timeline.segments:
        key, marks = _key(segment.record, key), games.setdefault(segment.board.game, {})
        marks[key] = (marks.get(key, (before, 0.0))[0], segment.end)
        before = segment.end  # the thinking before a play belongs to it
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
            raise no_game(game, len(games))
        raise UsageError(f"turn {turn} is not in game {min(games)}, the only one that was chosen")
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
