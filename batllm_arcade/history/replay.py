"""Simulate a recorded session again from rules, starting states and commands, and compare it with the file."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass

from batllm_arcade.core import rules as game_rules
from batllm_arcade.core.commands import Nothing, parse
from batllm_arcade.core.model import Arena, BotState
from batllm_arcade.core.rules import Result
from batllm_arcade.history import schema
from batllm_arcade.history.reader import GameTape, PlayTape, RoundTape, SessionTape
from batllm_arcade.match.records import (
    Ended,
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
    """A field whose recorded value differs from the simulated one; `str()` is one sentence."""

    place: str
    field: str
    recorded: object
    simulated: object

    def __str__(self) -> str:
        recorded, simulated = f"{self.recorded!r:.60}", f"{self.simulated!r:.60}"
        return f"{self.place}: {self.field} is {recorded} in the file and {simulated} when played again"


def replay(session: SessionTape) -> Iterator[Record]:
    """Yield the records of a session, every state simulated again; the types are those of a live match."""
    for item in _simulate(session):
        if not isinstance(item, Difference):
            yield item


def verify(session: SessionTape) -> Iterator[Difference]:
    """Yield every difference between the file and the simulation, first play first."""
    for item in _simulate(session):
        if isinstance(item, Difference):
            yield item


def _simulate(session: SessionTape) -> Iterator[Record | Difference]:
    yield SessionStarted(session.seed, session.start, session.program)
    for number, game in enumerate(session.games, 1):
        yield from _game(game, number)
    if session.end is not None:
        yield SessionEnded(session.end)


def _game(game: GameTape, number: int) -> Iterator[Record | Difference]:
    place = f"game {game.number}"
    arena, over = game.arena, False
    yield from _differences(place, [("game_number", game.number, number)])
    yield GameStarted(game.number, game.seed, game.rules, game.seats, arena)
    for position, tape in enumerate(game.rounds, 1):
        where = f"{place}, round {tape.number}"
        yield from _differences(where, [("round_number", tape.number, position), ("the game being over", False, over)])
        arena = yield from _round(game, tape, arena)
        over = game_rules.knocked_out(arena) is not None or _forfeited(tape)
    yield from _differences(
        place,
        [
            ("total_rounds", game.total_rounds, min(len(game.rounds), game.rules.total_rounds)),
            ("turns_per_round", game.turns_per_round, 2 * game.rules.turns_per_round),
        ],
    )
    if game.result is None:
        return
    found = _result(game, arena)
    yield from _differences(
        place,
        [("result.reason", game.result.reason, found.reason), ("result.winner", game.result.winner, found.winner)],
    )
    yield GameEnded(game.number, len(game.rounds), game.result, arena)


def _result(game: GameTape, arena: Arena) -> Result:
    """Return the result that a game with these plays must have."""
    last = game.rounds[-1] if game.rounds else None
    if last and _forfeited(last):
        return Result(1 - last.plays[-1].bot, "forfeit")
    aborted = Result(None, "aborted")
    if game_rules.knocked_out(arena) is None:
        whole = last is not None and len(last.plays) == game.turns_per_round
        if len(game.rounds) != game.rules.total_rounds or (not whole and game.result == aborted):
            return aborted
    return game_rules.outcome(arena, game.rules)  # also after a last round that was abandoned


def _round(game: GameTape, tape: RoundTape, arena: Arena) -> Generator[Record | Difference, None, Arena]:
    place = f"game {game.number}, round {tape.number}"
    for index, side in enumerate(("left", "right")):
        yield from _state_differences(f"{place}, {side}", "initial_state", tape.arena.bot(index), arena.bot(index))
    yield RoundStarted(
        game.number, tape.number, tape.acting_order, arena, tape.prompts, tape.augmented, tape.independent,
        tape.system_headers,
    )  # fmt: skip
    swaps, over = _swaps(game, tape), game_rules.knocked_out(arena) is not None
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
        yield from swaps.get(position, ())
        arena = yield from _play(game, tape, play, arena, where, over)
        over = game_rules.knocked_out(arena) is not None or play.status == "forfeit"
    yield from swaps.get(len(tape.plays) + 1, ())  # a round left before the new brain's first play
    ended = _ended(game, tape, arena)
    yield from _swap_differences(place, tape, ended)
    if tape.ended or game.result:  # else the program was killed in this round
        yield from _differences(place, [("ended", tape.ended, ended)])
    yield RoundEnded(game.number, tape.number, tape.ended or ended, arena)
    return arena


def _ended(game: GameTape, tape: RoundTape, arena: Arena) -> Ended:
    """Return how a round with these plays must have ended."""
    if game_rules.knocked_out(arena) is not None:
        return "knockout"
    whole = len(tape.plays) == 2 * game.rules.turns_per_round
    return "complete" if whole and not _forfeited(tape) else "abandoned"


def _forfeited(tape: RoundTape) -> bool:
    return bool(tape.plays) and tape.plays[-1].status == "forfeit"


def _swaps(game: GameTape, tape: RoundTape) -> dict[int, list[SeatSwapped]]:
    """Return the swaps of a round by the number of the new brain's first play."""
    swaps: dict[int, list[SeatSwapped]] = {}
    for swap in tape.swaps:
        swapped = SeatSwapped(game.number, tape.number, swap.number, swap.bot, swap.seat, swap.why)
        swaps.setdefault(swap.number, []).append(swapped)
    return swaps


def _swap_differences(place: str, tape: RoundTape, ended: Ended) -> Iterator[Difference]:
    left = ended == "abandoned" and not _forfeited(tape)
    for swap in tape.swaps:
        number = min(max(1, swap.number), len(tape.plays) + left)
        actor = tape.acting_order[(number - 1) % 2]
        fields: list[tuple[str, object, object]] = [
            ("swaps.turn_number", swap.number, number),
            ("swaps.order", swap.bot, actor),
        ]
        yield from _differences(place, fields)


def _play(
    game: GameTape, tape: RoundTape, play: PlayTape, before: Arena, where: str, over: bool
) -> Generator[Record | Difference, None, Arena]:
    command = Nothing(play.reason) if play.cmd == "ERR" else parse(play.cmd, game.rules.free_move)
    done = "ERR" if play.status != "ok" else command.token
    yield from _differences(where, [("cmd", play.cmd, done), ("the game being over", False, over)])
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
        mine, theirs = schema.state(recorded, battery=True), schema.state(simulated, battery=True)
        yield from _differences(where, [(f"{name}.{key}", mine[key], theirs[key]) for key in mine])


def _differences(where: str, fields: Sequence[tuple[str, object, object]]) -> Iterator[Difference]:
    for name, recorded, simulated in fields:
        if recorded != simulated:
            yield Difference(where, name, recorded, simulated)
