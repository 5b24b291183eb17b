"""A place in a recorded session from which a fork can play on."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import NamedTuple

from batllm_arcade.errors import UsageError
from batllm_arcade.history.paths import NAME, program
from batllm_arcade.history.reader import GameTape, RoundTape, SessionTape
from batllm_arcade.history.replay import Difference, simulate
from batllm_arcade.history.schema import HistoryError
from batllm_arcade.match.records import ForkedFrom, GameStarted, Record, RoundEnded, SessionStarted
from batllm_arcade.match.runner import Fork


class TurnPlace(NamedTuple):
    """A turn of a session: the numbers of its game, its round and itself."""

    game: int
    round: int
    turn: int


def parse_place(text: str) -> TurnPlace:
    """Return the turn that `[GAME.]ROUND.TURN` names, of game 1 where none is named; raise UsageError if it is none."""
    if not re.fullmatch(r"[0-9]{1,9}(\.[0-9]{1,9}){1,2}", text, re.ASCII):
        raise UsageError(f"{text!r:.60} is no turn; write ROUND.TURN like 2.3, or GAME.ROUND.TURN like 1.2.3")
    numbers = [int(each) for each in text.split(".")]
    return TurnPlace(*(numbers if len(numbers) == 3 else [1, *numbers]))


def fork_at(session: SessionTape, place: TurnPlace) -> Fork:
    """Return the fork that plays on behind a turn; raise HistoryError if nobody can play on there."""
    game = session.game(place.game)
    cut = _cut(game, place)
    found = list(_records(session, cut))
    started = found.pop(0)
    assert isinstance(started, GameStarted)
    earlier = () if game.forked_from is None else game.forked_from.points
    origin = ForkedFrom(
        session.start, game.stream, place.round, place.turn, _played_by(session.program),
        tuple(replace(point, program=_played_by(point.program or session.program)) for point in earlier),
        ended=session.end is not None,
    )  # fmt: skip
    return Fork(origin, replace(started, forked_from=origin, series=None), tuple(found), secret=session.secret)


def _played_by(recorded: str) -> str:
    """Return the program that played what is taken over, "" if it is this one, or said no version."""
    return "" if recorded in (program(), NAME) else recorded


def _cut(game: GameTape, place: TurnPlace) -> GameTape:
    if not 1 <= place.round <= len(game.rounds):
        raise HistoryError(f"there is no round {place.round}; the game has {len(game.rounds)}")
    tape, plays = game.rounds[place.round - 1], 2 * place.turn
    if place.turn < 1 or plays > len(tape.plays):
        raise HistoryError(_no_such_turn(tape, place))
    last = plays == 2 * game.rules.turns_per_round and place.round == game.rules.total_rounds
    after = tape.plays[plays - 1]
    if last or after.status == "forfeit" or min(after.post_state.health, after.opponent_state.health) <= 0:
        raise HistoryError(f"the game is over with round {place.round}, turn {place.turn}; play on from an earlier one")
    swaps = tuple(swap for swap in tape.swaps if swap.number <= plays)
    cut = replace(tape, plays=tape.plays[:plays], swaps=swaps, ended=None, notes=())
    rounds = (*game.rounds[: place.round - 1], cut)
    return replace(game, number=1, rounds=rounds, total_rounds=place.round, result=None)


def _no_such_turn(tape: RoundTape, place: TurnPlace) -> str:
    whole, half = divmod(len(tape.plays), 2)
    if half and place.turn == whole + 1:
        return f"turn {place.turn} of round {place.round} was not played to its end; play on from an earlier one"
    return f"there is no turn {place.turn} in round {place.round}; it has {whole}"


def _records(session: SessionTape, game: GameTape) -> list[Record]:
    found: list[Record] = []
    for item in simulate(replace(session, games=(game,), end=None)):
        if isinstance(item, Difference):
            raise HistoryError(f"it cannot be played on from a session that does not verify: {item}")
        found.append(item)
    assert isinstance(found[0], SessionStarted)
    assert isinstance(found[-1], RoundEnded)  # the round goes on
    return found[1:-1]
