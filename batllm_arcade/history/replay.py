"""Simulate a recorded session again from rules, starting states and commands, and compare it with the file."""

from __future__ import annotations

from collections.abc import Generator, Iterator

from batllm_arcade.core import outcome as game_outcome
from batllm_arcade.core import rules as game_rules
from batllm_arcade.core.commands import Nothing
from batllm_arcade.core.model import Arena
from batllm_arcade.core.outcome import Result
from batllm_arcade.core.rules import read_command
from batllm_arcade.history.reader import GameTape, PlayTape, RoundTape, SessionTape
from batllm_arcade.history.verification.difference import Difference, Place, game_place, play_place, round_place
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


def replay(session: SessionTape) -> Iterator[Record]:
    """Yield the records of a session, every state simulated again; the types are those of a live match."""
    for item in simulate(session):
        if not isinstance(item, Difference):
            yield item


def simulate(session: SessionTape) -> Iterator[Record | Difference]:
    """Yield the records, and each difference between a recorded and a simulated state where it is found."""
    yield SessionStarted(session.seed, session.start, session.program, session.series)
    for number, game in enumerate(session.games, 1):
        yield from _game(game, number)
    if session.end is not None:
        yield SessionEnded(session.end, session.secret)


def _game(game: GameTape, number: int) -> Iterator[Record | Difference]:
    place = game_place(number, game.number)
    arena, over = game.arena, False
    yield from place.compare([("game_number", game.number, number)])
    yield GameStarted(game.number, game.seed, game.rules, game.seats, arena, game.drawn, game.series, game.forked_from)
    for position, tape in enumerate(game.rounds, 1):
        where = round_place(place, position, tape.number)
        yield from where.compare([("round_number", tape.number, position), ("the game being over", False, over)])
        arena = yield from _round(where, game, tape, arena)
        over = game_outcome.knocked_out(arena) is not None or _forfeited(tape)
    yield from place.compare(
        [
            ("total_rounds", game.total_rounds, min(len(game.rounds), game.rules.total_rounds)),
            ("turns_per_round", game.turns_per_round, 2 * game.rules.turns_per_round),
        ]
    )
    if game.result is None:
        return
    found = _result(game, arena)
    yield from place.compare(
        [("result.reason", game.result.reason, found.reason), ("result.winner", game.result.winner, found.winner)]
    )
    yield GameEnded(game.number, len(game.rounds), game.result, arena, game.hints)


def _result(game: GameTape, arena: Arena) -> Result:
    """Return the result that a game with these plays must have."""
    last = game.rounds[-1] if game.rounds else None
    if last and _forfeited(last):
        return Result(1 - last.plays[-1].bot, "forfeit")
    aborted = Result(None, "aborted")
    if game_outcome.knocked_out(arena) is None:
        whole = last is not None and len(last.plays) == game.turns_per_round
        if len(game.rounds) != game.rules.total_rounds or (not whole and game.result == aborted):
            return aborted
    return game_outcome.outcome(arena, game.rules)  # also after a last round that was abandoned


def _round(place: Place, game: GameTape, tape: RoundTape, arena: Arena) -> Generator[Record | Difference, None, Arena]:
    for index, side in enumerate(("left", "right")):
        yield from place.within(side).compare_states("initial_state", tape.arena.bot(index), arena.bot(index))
    yield RoundStarted(
        game.number, tape.number, tape.acting_order, arena, tape.prompts, tape.augmented, tape.independent,
        tape.system_headers,
    )  # fmt: skip
    swaps, over = _swaps(game, tape), game_outcome.knocked_out(arena) is not None
    for position, play in enumerate(tape.plays, 1):
        where = play_place(place, position)
        yield from where.compare(
            [
                ("turn_number", play.number, position),
                ("turn", play.turn, (position + 1) // 2),
                ("order", play.bot, tape.acting_order[(position - 1) % 2]),
            ]
        )
        yield from swaps.get(position, ())
        arena = yield from _play(game, tape, play, arena, where, over)
        over = game_outcome.knocked_out(arena) is not None or play.status == "forfeit"
    yield from swaps.get(len(tape.plays) + 1, ())  # a round left before the new brain's first play
    ended = _ended(game, tape, arena)
    yield from _swap_differences(place, tape, ended)
    if tape.ended or game.result:  # else the program was killed in this round
        yield from place.compare([("ended", tape.ended, ended)])
    yield RoundEnded(game.number, tape.number, tape.ended or ended, arena)
    return arena


def _ended(game: GameTape, tape: RoundTape, arena: Arena) -> Ended:
    """Return how a round with these plays must have ended."""
    if game_outcome.knocked_out(arena) is not None:
        return "knockout"
    whole = len(tape.plays) == 2 * game.rules.turns_per_round
    return "complete" if whole and not _forfeited(tape) else "abandoned"


def _forfeited(tape: RoundTape) -> bool:
    return bool(tape.plays) and tape.plays[-1].status == "forfeit"


def _swaps(game: GameTape, tape: RoundTape) -> dict[int, list[SeatSwapped]]:
    """Return the swaps of a round by the number of the new brain's first play."""
    swaps: dict[int, list[SeatSwapped]] = {}
    for swap in tape.swaps:
        swapped = SeatSwapped(game.number, tape.number, swap.number, swap.bot, swap.seat, swap.why, prompt=swap.prompt)
        swaps.setdefault(swap.number, []).append(swapped)
    return swaps


def _swap_differences(place: Place, tape: RoundTape, ended: Ended) -> Iterator[Difference]:
    left, first = ended == "abandoned" and not _forfeited(tape), 1
    for swap in tape.swaps:
        number = min(max(first, swap.number), len(tape.plays) + left)
        actor = tape.acting_order[(number - 1) % 2]
        yield from place.compare([("swaps.turn_number", swap.number, number), ("swaps.order", swap.bot, actor)])
        first = number


def _play(
    game: GameTape, tape: RoundTape, play: PlayTape, before: Arena, where: Place, over: bool
) -> Generator[Record | Difference, None, Arena]:
    command = Nothing(play.reason) if play.cmd == "ERR" else read_command(play.cmd, game.rules)
    done = "ERR" if play.status != "ok" else command.token
    yield from where.compare([("cmd", play.cmd, done), ("the game being over", False, over)])
    after, events = game_rules.step(before, play.bot, command, game.rules)
    yield from where.compare_states("pre_state", play.pre_state, before.bot(play.bot))
    yield from where.compare_states("post_state", play.post_state, after.bot(play.bot))
    yield from where.compare_states("opponent_state", play.opponent_state, after.bot(1 - play.bot))
    yield Play(
        game.number, tape.number, play.turn, play.number, play.bot, play.decision, command,
        play.status, play.reason, play.latency_s, play.timestamp, before, after, events,
    )  # fmt: skip
    return after
