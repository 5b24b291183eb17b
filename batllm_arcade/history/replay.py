"""Playing a recorded session again from rules, starting states and commands, and comparing it with the file."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import dataclass

from batllm_arcade.brains import SeatInfo
from batllm_arcade.core import rules as game_rules
from batllm_arcade.core.commands import Nothing, parse
from batllm_arcade.core.model import Arena, BotState
from batllm_arcade.history import layout
from batllm_arcade.history.reader import GameTape, PlayTape, RoundTape, SessionTape
from batllm_arcade.records import (
    GameEnded,
    GameStarted,
    Play,
    Record,
    RoundEnded,
    RoundStarted,
    SeatSwapped,
    SessionEnded,
    SessionStarted,
)


@dataclass(frozen=True, slots=True)
class Difference:
    """Where a recorded session and its re-simulation part; `str()` is one sentence."""

    place: str
    field: str
    recorded: object
    simulated: object

    def __str__(self) -> str:
        recorded, simulated = f"{self.recorded!r:.60}", f"{self.simulated!r:.60}"
        return f"{self.place}: {self.field} is {recorded} in the file and {simulated} when played again"


def replay(session: SessionTape) -> Iterator[Record]:
    """The records of a session, every state simulated again; the same types a live match yields."""
    for item in _simulate(session):
        if not isinstance(item, Difference):
            yield item


def verify(session: SessionTape) -> Iterator[Difference]:
    """Every difference between the file and the re-simulation, first play first."""
    for item in _simulate(session):
        if isinstance(item, Difference):
            yield item


def _simulate(session: SessionTape) -> Iterator[Record | Difference]:
    yield SessionStarted(session.seed, session.start, session.program)
    for game in session.games:
        yield from _game(game)
    if session.end is not None:
        yield SessionEnded(session.end)


def _game(game: GameTape) -> Iterator[Record | Difference]:
    place = f"game {game.number}"
    arena = game.arena
    yield GameStarted(game.number, game.seed, game.rules, game.seats, arena)
    for tape in game.rounds:
        over = game_rules.knocked_out(arena) is not None
        yield from _differences(f"{place}, round {tape.number}", [("knock-out before the round", over, False)])
        arena = yield from _round(game, tape, arena)
    if game.result is None:
        return
    yield from _result_differences(place, game, arena)
    yield GameEnded(game.number, len(game.rounds), game.result, arena)


def _result_differences(place: str, game: GameTape, arena: Arena) -> Iterator[Difference]:
    assert game.result is not None
    if game.result.reason in ("knockout", "points", "draw"):
        found = game_rules.outcome(arena, game.rules)
        yield from _differences(
            place,
            [
                ("result.reason", game.result.reason, found.reason),
                ("result.winner", game.result.winner, found.winner),
            ],
        )


def _round(game: GameTape, tape: RoundTape, arena: Arena) -> Generator[Record | Difference, None, Arena]:
    place = f"game {game.number}, round {tape.number}"
    for index, side in enumerate(("left", "right")):
        yield from _state_differences(f"{place}, {side}", "initial_state", tape.arena.bot(index), arena.bot(index))
    yield RoundStarted(
        game.number, tape.number, tape.acting_order, arena, tape.prompts, tape.augmented, tape.independent,
        tape.system_headers,
    )  # fmt: skip
    for position, play in enumerate(tape.plays, 1):
        where = f"{place}, play {position}"
        yield from _differences(
            where,
            [
                ("turn_number", play.number, position),
                ("turn", play.turn, (position + 1) // 2),
                ("order", play.bot, tape.acting_order[(position - 1) % 2]),
            ],
        )
        for swap in tape.swaps:
            if swap.number == position:
                seat = SeatInfo(swap.brain.partition(":")[2] or swap.brain, swap.brain)
                yield SeatSwapped(game.number, tape.number, position, swap.bot, seat, swap.why)
        arena = yield from _play(game, tape, play, arena, where)
    yield RoundEnded(game.number, tape.number, tape.ended, arena)
    return arena


def _play(
    game: GameTape, tape: RoundTape, play: PlayTape, before: Arena, where: str
) -> Generator[Record | Difference, None, Arena]:
    command = Nothing(play.reason) if play.cmd == "ERR" else parse(play.cmd, game.rules.free_move)
    yield from _differences(where, [("cmd", play.cmd, command.token)])
    after, events = game_rules.step(before, play.bot, command, game.rules)
    yield from _state_differences(where, "pre_state", play.pre_state, before.bot(play.bot))
    yield from _state_differences(where, "post_state", play.post_state, after.bot(play.bot))
    yield from _state_differences(where, "opponent_state", play.opponent_state, after.bot(1 - play.bot))
    yield Play(
        game.number, tape.number, play.turn, play.number, play.bot, play.decision, command,
        play.status, play.reason, play.latency_s, play.timestamp, before, after, events,
    )  # fmt: skip
    return after


def _state_differences(where: str, name: str, recorded: BotState, simulated: BotState) -> Iterator[Difference]:
    if recorded != simulated:
        mine, theirs = layout.state(recorded), layout.state(simulated)
        yield from _differences(where, [(f"{name}.{key}", mine[key], theirs[key]) for key in mine])


def _differences(where: str, fields: list[tuple[str, object, object]]) -> Iterator[Difference]:
    for name, recorded, simulated in fields:
        if recorded != simulated:
            yield Difference(where, name, recorded, simulated)
