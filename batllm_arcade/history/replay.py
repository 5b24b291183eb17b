"""A recorded game played again, and where it differs."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator
from dataclasses import dataclass, replace
from math import inf
from typing import Any, NamedTuple

from batllm_arcade.core import rules as game_rules
from batllm_arcade.core.commands import Nothing
from batllm_arcade.core.events import (
    BotHit,
    BotKnockedOut,
    BotMoved,
    BotTurned,
    BulletFlew,
    CommandIgnored,
    Event,
    ShieldLowered,
    ShieldRaised,
)
from batllm_arcade.core.geometry import turn_between
from batllm_arcade.core.model import Arena, BotState
from batllm_arcade.core.rules import Result, read_command
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


# -- A recorded session, simulated again


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
    yield GameStarted(
        game.number, game.seed, game.rules, game.seats, arena, game.drawn, game.series, game.forked_from, game.notes
    )
    for position, tape in enumerate(game.rounds, 1):
        where = round_place(place, position, tape.number)
        yield from where.compare([("round_number", tape.number, position), ("the game being over", False, over)])
        if position == 1:
            arena = game_rules.with_second_charge(arena, tape.acting_order, game.rules)
        arena = yield from _round(where, game, tape, arena)
        if position < len(game.rounds) or game.result is None:
            yield from (replace(each, game=game.number) for each in tape.notes)
        over = game_rules.knocked_out(arena) is not None or _forfeited(tape)
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
    yield from (replace(each, game=game.number) for tape in game.rounds[-1:] for each in tape.notes)


def _result(game: GameTape, arena: Arena) -> Result:
    last = game.rounds[-1] if game.rounds else None
    if last and _forfeited(last):
        return Result(1 - last.plays[-1].bot, "forfeit")
    aborted = Result(None, "aborted")
    if game_rules.knocked_out(arena) is None:
        whole = last is not None and len(last.plays) == game.turns_per_round
        if len(game.rounds) != game.rules.total_rounds or (not whole and game.result == aborted):
            return aborted
    return game_rules.outcome(arena, game.rules)  # also after a last round that was abandoned


def _round(place: Place, game: GameTape, tape: RoundTape, arena: Arena) -> Generator[Record | Difference, None, Arena]:
    arena = tape.arena if game.states_alone else arena
    for index, side in enumerate(("left", "right")):
        yield from place.within(side).compare_states("initial_state", tape.arena.bot(index), arena.bot(index))
    yield RoundStarted(
        game.number, tape.number, tape.acting_order, arena, tape.prompts, tape.augmented, tape.independent,
        tape.system_headers, tape.apart,
    )  # fmt: skip
    swaps, over = _swaps(game, tape), game_rules.knocked_out(arena) is not None
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
        over = game_rules.knocked_out(arena) is not None or play.status == "forfeit"
    yield from swaps.get(len(tape.plays) + 1, ())  # a round left before the new brain's first play
    ended = _ended(game, tape, arena)
    left, first = ended == "abandoned" and not _forfeited(tape), 1
    for swap in tape.swaps:
        number = min(max(first, swap.number), len(tape.plays) + left)
        actor = tape.acting_order[(number - 1) % 2]
        yield from place.compare([("swaps.turn_number", swap.number, number), ("swaps.order", swap.bot, actor)])
        first = number
    if tape.ended or game.result:  # else the program was killed in this round
        yield from place.compare([("ended", tape.ended, ended)])
    yield RoundEnded(game.number, tape.number, tape.ended or ended, arena)
    return arena


def _ended(game: GameTape, tape: RoundTape, arena: Arena) -> Ended:
    if game_rules.knocked_out(arena) is not None:
        return "knockout"
    whole = len(tape.plays) == 2 * game.rules.turns_per_round
    return "complete" if whole and not _forfeited(tape) else "abandoned"


def _forfeited(tape: RoundTape) -> bool:
    return bool(tape.plays) and tape.plays[-1].status == "forfeit"


def _swaps(game: GameTape, tape: RoundTape) -> dict[int, list[SeatSwapped]]:
    swaps: dict[int, list[SeatSwapped]] = {}
    for swap in tape.swaps:
        swapped = SeatSwapped(game.number, tape.number, swap.number, swap.bot, swap.seat, swap.why, prompt=swap.prompt)
        swaps.setdefault(swap.number, []).append(swapped)
    return swaps


def _play(
    game: GameTape, tape: RoundTape, play: PlayTape, before: Arena, where: Place, over: bool
) -> Generator[Record | Difference, None, Arena]:
    command = Nothing(play.reason) if play.cmd == "ERR" else read_command(play.cmd, game.rules)
    done = "ERR" if play.status != "ok" else command.token
    yield from where.compare([("cmd", play.cmd, done), ("the game being over", False, over)])
    after, events = game_rules.step(before, play.bot, command, game.rules)
    if game.states_alone:
        told = Arena(play.post_state, play.opponent_state)
        told = Arena(told.right, told.left) if play.bot else told
        after, events = told, events if told == after else _changes(before, told, play)
    yield from where.compare_states("pre_state", play.pre_state, before.bot(play.bot))
    yield from where.compare_states("post_state", play.post_state, after.bot(play.bot))
    yield from where.compare_states("opponent_state", play.opponent_state, after.bot(1 - play.bot))
    yield Play(
        game.number, tape.number, play.turn, play.number, play.bot, play.decision, command,
        play.status, play.reason, play.latency_s, play.timestamp, before, after, events,
    )  # fmt: skip
    return after


def _changes(before: Arena, after: Arena, play: PlayTape) -> tuple[Event, ...]:
    """Return what is seen of a play of which only the states before and after it are known."""
    bot, me, now = play.bot, before.bot(play.bot), after.bot(play.bot)
    foe, hurt = before.bot(1 - bot), after.bot(1 - bot).health
    found: list[Event] = []
    if me.rot != now.rot:
        found.append(BotTurned(bot, me.rot, turn_between(me.rot, now.rot)))
    if (me.x, me.y) != (now.x, now.y):
        found.append(BotMoved(bot, (me.x, me.y), (now.x, now.y), ""))
    if me.shield != now.shield:
        found.append(ShieldRaised(bot) if now.shield else ShieldLowered(bot))
    if hurt < foe.health:
        at = (foe.x, foe.y)
        found += BulletFlew(bot, (me.x, me.y), at), BotHit(1 - bot, at, foe.health - hurt, hurt)
        found += [BotKnockedOut(1 - bot)] if hurt <= 0 else []
    return tuple(found) or (CommandIgnored(bot, play.reason),)
