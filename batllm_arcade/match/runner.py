"""The runner of a match, also from a recorded turn, its random streams, and what a fault of a decision is."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Generator, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import Literal, NamedTuple, Protocol

from batllm_arcade.brains.protocol import Decision, Gamepad, PastPlay, PastTurn, PayloadStyle, SeatInfo, View
from batllm_arcade.core import rules as game_rules
from batllm_arcade.core.commands import Command, Nothing
from batllm_arcade.core.model import SEATS, Rules
from batllm_arcade.core.rules import Result, read_command
from batllm_arcade.core.streams import TAMPERED, game_stream, keyed_name, resumed, seat_stream_name, state_of
from batllm_arcade.files.atomic import read_private, write_private
from batllm_arcade.files.paths import NoUserFolder, data_folder
from batllm_arcade.match.notebook import Notebook
from batllm_arcade.match.records import (
    Ended,
    ForkedFrom,
    GameEnded,
    GameStarted,
    NotesWritten,
    Play,
    Record,
    RoundEnded,
    RoundStarted,
    SeatAdapted,
    SeatSwapped,
    SessionEnded,
    SessionStarted,
    Status,
    Why,
    known_prompts,
    known_turn,
    past,
)
from batllm_arcade.prompts import notes, payload

KEY_BYTES = 32


class StreamSecret:
    """The secret of one session, made when it is first needed."""

    def __init__(self, make: Callable[[], str] = lambda: "") -> None:
        self._make = make
        self.text = ""
        """The secret, in hex; "" as long as nobody has needed it."""

    def use(self) -> str:
        """Return the secret, "" where there is none."""
        self.text = self.text or self._make()
        return self.text


class SeatStreams:
    """The streams from which both seats draw in one game, and their names, left first; `fork` is where a fork begins.

    Every brain is told of with `seated` before it plays, as all who play again what was recorded do.
    """

    def __init__(self, seed: int, game: int, secret: StreamSecret, fork: str = "") -> None:
        self._seed, self._game, self._fork, self._given = seed, game, fork, secret
        self._secret = ""
        self._begin()

    def seated(self, seat: SeatInfo) -> None:
        """Note who takes a seat: with the first bot of a file, wherever it runs, both streams begin anew, keyed."""
        if seat.isolation and not self._secret:
            self._secret = self._given.use()
            if self._secret:  # without one the streams go on: in mid game they would begin anew with the same name
                self._begin()

    def _begin(self) -> None:
        self.names = [seat_stream_name(self._seed, self._game, seat, self._fork, self._secret) for seat in SEATS]
        self.streams = [Random(name) for name in self.names]


def secret_of(what: str) -> str:
    """Return the secret that this installation has for a name, in hex: the same for the same name."""
    return keyed_name(installation_key().hex(), what)


def session_secret(seed: int) -> str:
    """Return the secret of sessions with this seed: the same seed gives the same games on the same installation."""
    return secret_of(f"session {seed}")


def installation_key() -> bytes:
    """Return the key that all secrets come from, made at first need; for this run alone where it cannot be kept."""
    try:
        return _kept_key(data_folder() / "streams.key")
    except NoUserFolder:
        return _kept_key(None)


@lru_cache(maxsize=8)
def _kept_key(path: Path | None) -> bytes:
    if path is None:
        return os.urandom(KEY_BYTES)
    try:
        if not path.exists():
            with suppress(FileExistsError):  # another program has just made it
                write_private(path, os.urandom(KEY_BYTES), new=True)
        key = read_private(path, KEY_BYTES)
    except OSError:
        key = b""
    return key if len(key) == KEY_BYTES else os.urandom(KEY_BYTES)


# -- What a decision must be to be recorded


def command_of(decision: Decision, rules: Rules) -> Command:
    """Return what a decision does: nothing, with the reason, where its brain itself rejects its answer."""
    return Nothing(decision.invalid) if decision.invalid else read_command(decision.command, rules)


class DecisionFault(NamedTuple):
    """A field of a play that is not what its decision makes it; `str()` is a clause."""

    field: str
    value: object
    rule: str
    """What it must be."""

    def __str__(self) -> str:
        return f"{self.field} is {self.value!r:.60} and {self.rule}"


def decision_faults(
    decision: Decision, cmd: str, status: str, rules: Rules, number: int, queued: Collection[int]
) -> Iterator[DecisionFault]:
    """Yield what is wrong with a decision by which a play of this number in its round did `cmd`, with this status.

    `queued` are the numbers of the plays before it in the round that an earlier reply had announced.
    """
    raw, cut, first = decision.raw, decision.raw_cut, decision.queued_from
    if cut is not None and cut <= len(raw):
        yield DecisionFault("raw_cut", cut, f"must be more than the {len(raw)} characters of llm_response")
    if any(count < 0 for count in (decision.tokens or {}).values()):
        yield DecisionFault("tokens", dict(decision.tokens or {}), "must be 0 or more")
    said = read_command(raw, rules) if status == "ok" and raw != cmd else Nothing()
    if not isinstance(said, Nothing) and said.token != cmd:
        yield DecisionFault("cmd", cmd, f"{said.token!r:.60} by its llm_response")
    if first is None:
        return
    if not 1 <= first < number or (number - first) % 2:
        yield DecisionFault("queued_from", first, "must be an earlier play of the same bot in the round")
    elif first in queued:
        yield DecisionFault("queued_from", first, "must be the play of the reply, which was queued by none")
    if raw:
        yield DecisionFault("llm_response", raw, "must be empty, as the play was queued")


def why_refused(decision: Decision, rules: Rules, number: int, queued: Collection[int]) -> str:
    """Return why a brain's decision in this play of its round is none that a file may hold, "" if it is one."""
    command = command_of(decision, rules)
    status = "invalid" if isinstance(command, Nothing) and command.reason else "ok"
    fault = next(decision_faults(decision, command.token, status, rules, number, queued), None)
    return f"garbage: what it answered contradicts itself: {fault}" if fault else ""


# -- The match runner

FAILURES_BEFORE_FALLBACK = 3
"""Plays in a row with `timeout` or `error` after which the fallback takes the seat, and after which that forfeits."""

Prompts = tuple[str, str]
"""Both players' prompts, left first."""


@dataclass(frozen=True, slots=True)
class MatchPlan:
    """What to play: `games` games with one base seed; `prompts` are those of the first round."""

    rules: Rules
    seed: int
    games: int = 1
    prompts: Prompts = ("", "")
    style: PayloadStyle = PayloadStyle()
    header_template: str = ""
    program: str = "batllm-arcade"
    gamepad: Gamepad = Gamepad()
    secret: StreamSecret = field(default_factory=StreamSecret, compare=False)
    """What keeps bots of files from knowing the other seat's stream, of the whole session."""
    notebook: Notebook = field(default_factory=Notebook, compare=False)
    """What models have noted so far, of the whole session."""
    notes_at_end: bool = False
    """Whether notes are written after the last game, too: for games to come in other sessions."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The outcome of asking a brain; `latency_s` in seconds, `timestamp` ISO 8601.

    `adapted` is what its requests leave out, rename or add by now.
    """

    decision: Decision
    status: Literal["ok", "timeout", "error"]
    reason: str
    latency_s: float
    timestamp: str
    adapted: tuple[str, ...] = ()


class Interruption(Enum):
    """Why an answer is no longer wanted: the match was left, the round was abandoned, or another brain has the seat."""

    STOPPED = "stopped"
    ABANDONED = "abandoned"
    ANOTHER = "another"


@dataclass(frozen=True, slots=True)
class SeatChange:
    """A new brain at a seat; `problem` is why the fallback was needed."""

    seat: SeatInfo
    why: Why
    problem: str = ""
    prompt: str | None = None


class TableProtocol(Protocol):
    """The table: asks the brains at both seats, and is the only part of a match that waits, fails or reads a clock.

    A table without seat changes derives from this class and defines `begin_game`, `ask` and `now`.
    """

    hints: tuple[int, int] = (0, 0)
    """How often each player was shown the best play in this game, left first."""

    def begin_game(self) -> tuple[SeatInfo, SeatInfo]:
        """Return who plays the game about to begin, left first."""
        ...

    def begin_round(self, game: int, number: int, prompts: Prompts) -> Prompts | None:
        """Return the prompts of the round about to begin, which may be new; None if the match was stopped."""
        return prompts

    def begin_turn(self) -> None:
        """Called before each turn: the time to let new brains take their seats."""
        return

    def seat_change(self, bot: int) -> SeatChange | None:
        """Return the seat's change of brain since the last call, None if there was none."""
        return None

    def ask(self, bot: int, view: View) -> Answer | Interruption:
        """Return the brain's answer, or why none is wanted; never raise."""
        ...

    def fall_back(self, bot: int, problem: str) -> bool:
        """Give the seat to the fallback brain; return False if there is none left."""
        return False

    def end_game(self, game: int, result: Result) -> None:
        """Tell the brains how the game has ended."""
        return

    def now(self) -> str:
        """Return the time, ISO 8601."""
        ...


def first_view(plan: MatchPlan, bot: int) -> View:
    """Return what a bot will be asked first in a match, for whoever wants to know before how much that is."""
    run = GameRun(plan, TableProtocol, 1, plan.prompts)  # type: ignore[arg-type] # nobody is asked
    begun = RoundStarted(1, 1, (bot, 1 - bot), run.arena, run.prompts, plan.style.aug, False, run.headers())
    return run._view(begun, 1, 1, bot, ())


def play(plan: MatchPlan, table: TableProtocol) -> Iterator[Record]:
    """Yield the records of a session with the plan's games, each as soon as it happens."""
    yield SessionStarted(plan.seed, table.now(), plan.program)
    yield from games(plan, table)
    yield SessionEnded(table.now(), plan.secret.text)


def games(plan: MatchPlan, table: TableProtocol, first: int = 1) -> Iterator[Record]:
    """Yield the records of the plan's games only, numbered from `first`; for a session with several matches.

    First come the notes on the game before, as they are needed only where another one follows.
    """
    prompts = plan.prompts
    for game in range(first, first + plan.games):
        run = GameRun(plan, table, game, prompts)
        yield from run.notes()
        yield from run.records()
        prompts = run.prompts
        if run.stopped:
            return
    if plan.notes_at_end:
        yield from run.notes()


class GameRun:
    """One game under way; the records that it yields are all that is known of it outside."""

    def __init__(self, plan: MatchPlan, table: TableProtocol, game: int, prompts: Prompts) -> None:
        self.plan, self.table, self.game, self.prompts = plan, table, game, prompts
        self.stream = game_stream(plan.seed, game)
        self.seat_streams = SeatStreams(plan.seed, game, plan.secret)
        self.arena = game_rules.start(self.stream, plan.rules)
        self.failures, self.rounds, self.stopped = [0, 0], 0, False
        self.adapted: list[tuple[str, ...]] = [(), ()]
        self.seats: list[SeatInfo] = []
        self.queued: set[int] = set()
        """The plays of the round that an earlier reply had announced."""
        self.result: Result | None = None

    def records(self) -> Iterator[Record]:
        """Yield the records of the whole game."""
        seats = self.begin_game()
        left, right = self.plan.notebook.notes
        yield GameStarted(self.game, self.plan.seed, self.plan.rules, seats, self.arena, notes=(left, right))
        yield from self.further_rounds()

    def begin_game(self) -> tuple[SeatInfo, SeatInfo]:
        """Return who plays the game, left first."""
        seats = self.table.begin_game()
        self.adapted, self.seats = [seat.adapted for seat in seats], [*seats]
        for bot, seat in enumerate(seats):
            self._sit(bot, seat)
        return seats

    def _sit(self, bot: int, seat: SeatInfo) -> None:
        self.seat_streams.seated(seat)
        if seat.notes:
            self.plan.notebook.sit(bot, seat)

    def notes(self) -> Iterator[Record]:
        """Yield what models note on the round that is over."""
        book = self.plan.notebook
        due, book.due = book.due, [None, None]
        for bot, view in enumerate(due):
            if view is None:
                continue
            answer = self.table.ask(bot, replace(view, notes=book.notes[bot]))
            if isinstance(answer, Answer):
                text = notes.kept(answer.decision.raw) if answer.status == "ok" else ""
                book.notes[bot] = text or book.notes[bot]
                reason = "" if text else answer.reason or "its answer was empty"
                yield NotesWritten(view.game, view.round, view.seat, text, reason, answer.decision.tokens)

    def further_rounds(self) -> Iterator[Record]:
        """Yield the records of the rounds to come, and of the game's end."""
        while self.result is None and self.rounds < self.plan.rules.total_rounds:
            yield from self.notes()
            prompts = self.table.begin_round(self.game, self.rounds + 1, self.prompts)
            if prompts is None:
                self._stop()
            else:
                self.prompts = prompts
                yield from self._round(self.rounds + 1)
        result = self.result or game_rules.outcome(self.arena, self.plan.rules)
        self.table.end_game(self.game, result)
        yield GameEnded(self.game, self.rounds, result, self.arena, self.table.hints)

    def _round(self, number: int) -> Iterator[Record]:
        plan, self.rounds, self.queued = self.plan, number, set()
        order = game_rules.acting_order(self.stream)
        if number == 1:
            self.arena = game_rules.with_second_charge(self.arena, order, plan.rules)
        started = RoundStarted(
            self.game, number, order, self.arena, self.prompts, plan.style.aug,
            plan.style.mode == "independent", self.headers(), not self.seats[0].shares_model_with(self.seats[1]),
        )  # fmt: skip
        yield started
        yield from self.further_turns(started, [])

    def headers(self) -> tuple[str, str]:
        """Return the system headers of the round about to begin."""
        return payload.headers(self.plan.header_template, self.plan.rules, aug=self.plan.style.aug)

    def further_turns(self, started: RoundStarted, history: list[PastTurn]) -> Iterator[Record]:
        """Yield the records of a round's turns behind those that are history, and of its end."""
        completed = yield from self._turns(started, history)
        knocked_out = self.result is not None and self.result.reason == "knockout"
        ended: Ended = "knockout" if knocked_out else "complete" if completed else "abandoned"
        if ended == "abandoned":
            self.plan.notebook.due = [None, None]
        yield RoundEnded(self.game, started.round, ended, self.arena)

    def _turns(self, started: RoundStarted, history: list[PastTurn]) -> Generator[Record, None, bool]:
        """Yield the records of a round's other turns; return True if all were played."""
        style = self.plan.style
        known = [[known_turn(turn, bot, style) for turn in history] for bot in (0, 1)]
        for turn in range(len(history) + 1, self.plan.rules.turns_per_round + 1):
            self.table.begin_turn()
            plays: list[PastPlay] = []
            for bot in started.acting_order:
                play = yield from self._next_play(started, turn, bot, tuple(known[bot]))
                if play is None:
                    return False
                yield play
                plays.append(past(play))
                if self.result is not None:
                    break
            finished = PastTurn(turn, tuple(plays), self.arena)
            for bot in (0, 1):
                known[bot].append(known_turn(finished, bot, style))
            if self.result is not None:
                break
        for bot in (0, 1):
            if self.seats[bot].notes:
                view = self._view(started, len(known[bot]), 0, bot, tuple(known[bot]))
                self.plan.notebook.due[bot] = replace(view, over=True)
        return self.result is None

    def _next_play(
        self, started: RoundStarted, turn: int, bot: int, history: tuple[PastTurn, ...]
    ) -> Generator[Record, None, Play | None]:
        """Yield the seat's change of brain, if any; return the bot's play, None if the round ends without it."""
        number = 2 * turn - 1 + (bot != started.acting_order[0])
        while True:
            for change in self.seat_changes(bot):
                self.failures[bot] = 0
                self.adapted[bot], self.seats[bot] = change.seat.adapted, change.seat
                self._sit(bot, change.seat)
                yield SeatSwapped(
                    self.game, started.round, number, bot, change.seat, change.why, change.problem, change.prompt
                )
            # A new view each time: a brain that was cancelled may go on drawing from its copy of the stream.
            view = self._view(started, turn, number, bot, history)
            answer = self.table.ask(bot, view)
            if isinstance(answer, Answer):
                if answer.adapted != self.adapted[bot]:
                    self.adapted[bot] = answer.adapted
                    yield SeatAdapted(self.game, bot, answer.adapted)
                return self._carry_out(view, answer)
            if answer is Interruption.STOPPED:
                self._stop()
            if answer is not Interruption.ANOTHER:
                return None

    def seat_changes(self, bot: int) -> Iterator[SeatChange]:
        """Yield who has taken a seat since its last play."""
        change = self.table.seat_change(bot)
        if change is not None:
            yield change

    def _stop(self) -> None:
        self.stopped, self.result = True, Result(None, "aborted")

    def _view(self, started: RoundStarted, turn: int, number: int, bot: int, history: tuple[PastTurn, ...]) -> View:
        return View(
            seat=bot, rules=self.plan.rules, game=self.game, round=started.round, turn=turn, number=number,
            acting_order=started.acting_order, prompts=known_prompts(started.prompts, bot, self.plan.style),
            arena=self.arena, initial=started.arena, history=history, style=self.plan.style,
            system_header=started.system_headers[bot],
            gamepad=self.plan.gamepad, rng=resumed(self.seat_streams.streams[bot].getstate()),
            stream=self.seat_streams.names[bot], notes=self.plan.notebook.notes[bot],
        )  # fmt: skip

    def _carry_out(self, view: View, answer: Answer) -> Play:
        state, rules = state_of(view.rng), self.plan.rules
        refused = TAMPERED if state is None else why_refused(answer.decision, rules, view.number, self.queued)
        if answer.status == "ok" and refused:
            answer = replace(answer, decision=Decision("", None), status="error", reason=refused)
        command = command_of(answer.decision, rules)
        status: Status = answer.status
        reason = answer.reason
        if answer.status == "ok":
            assert state is not None
            self.seat_streams.streams[view.seat].setstate(state)
            self.failures[view.seat] = 0
            if answer.decision.queued_from is not None:
                self.queued.add(view.number)
            if isinstance(command, Nothing) and command.reason:
                status, reason = "invalid", command.reason
        else:
            command = Nothing(answer.reason)
            self.failures[view.seat] += 1
        before = self.arena
        self.arena, events = game_rules.step(before, view.seat, command, rules)
        if self.failures[view.seat] >= FAILURES_BEFORE_FALLBACK and not self.table.fall_back(view.seat, answer.reason):
            status = "forfeit"
        self.result = self._judged(view.seat, status)
        return Play(
            self.game, view.round, view.turn, view.number, view.seat, answer.decision, command, status, reason,
            answer.latency_s, answer.timestamp, before, self.arena, events,
        )  # fmt: skip

    def _judged(self, bot: int, status: Status) -> Result | None:
        if status == "forfeit":
            return Result(1 - bot, "forfeit")
        if game_rules.knocked_out(self.arena) is None:
            return None
        return game_rules.outcome(self.arena, self.plan.rules)


# -- A game that plays on from a recorded one


@dataclass(frozen=True, slots=True)
class Fork:
    """A recorded game up to the end of a turn, and what is new from there on."""

    origin: ForkedFrom
    started: GameStarted
    """The start of the recorded game, as game 1."""
    taken: tuple[Record, ...]
    """What was played of it, up to the last play taken over; the last round has begun."""
    new: tuple[bool, bool] = (False, False)
    """The seats that get another brain, left first."""
    prompts: tuple[str | None, str | None] = (None, None)
    """The new orders of each seat, None for those that it has."""
    secret: str = ""
    """What the streams of the recorded session were keyed with, "" where that tells of none."""

    @property
    def seats(self) -> tuple[SeatInfo, SeatInfo]:
        """Return who sat at the seats when the last play was made, left first."""
        seats = list(self.started.seats)
        for record in self.taken:
            if isinstance(record, SeatSwapped):
                seats[record.bot] = record.seat
        return seats[0], seats[1]

    @property
    def round(self) -> RoundStarted:
        """Return how the last round began."""
        return next(record for record in reversed(self.taken) if isinstance(record, RoundStarted))

    @property
    def orders(self) -> tuple[str, str]:
        """Return the orders of both seats from here on: new ones, or the last that a fork or the round gave."""
        orders = list(self.round.prompts)
        for record in self.taken:
            if isinstance(record, RoundStarted):
                orders = list(record.prompts)
            elif isinstance(record, SeatSwapped) and record.prompt is not None:
                orders[record.bot] = record.prompt
        left, right = (old if new is None else new for old, new in zip(orders, self.prompts, strict=True))
        return left, right


def records(plan: MatchPlan, table: TableProtocol, fork: Fork) -> Iterator[Record]:
    """Yield the records of the forked game, which is game 1: those taken over, then those of the table's brains."""
    yield from _ForkedRun(plan, table, fork).records()


class _ForkedRun(GameRun):
    """A forked game under way."""

    def __init__(self, plan: MatchPlan, table: TableProtocol, fork: Fork) -> None:
        super().__init__(plan, table, 1, fork.orders)
        self._fork, origin = fork, fork.origin
        self.arena, self.rounds = fork.started.arena, origin.round
        self.stream = game_stream(plan.seed, origin.game)
        game_rules.start(self.stream, plan.rules)
        for _ in range(origin.round):
            game_rules.acting_order(self.stream)
        self.seat_streams = SeatStreams(plan.seed, origin.game, plan.secret, f"{origin.round}.{origin.turn}")
        self._due: dict[int, SeatChange] = {}

    def records(self) -> Iterator[Record]:
        """Yield the records of the whole game."""
        fork, seats = self._fork, self.begin_game()
        self.plan.notebook.notes = [notes.kept(each) for each in fork.started.notes]
        for bot, (seat, new, prompt) in enumerate(zip(seats, fork.new, fork.prompts, strict=True)):
            if new or prompt is not None:
                self._due[bot] = SeatChange(seat, "fork", prompt=prompt)
        yield fork.started
        history: list[PastTurn] = []
        plays: list[PastPlay] = []
        for record in fork.taken:
            if isinstance(record, RoundStarted | RoundEnded):
                history, plays, self.queued = [], [], set()
            elif isinstance(record, Play):
                plays.append(past(record))
                self.arena = record.after
                if record.decision.queued_from is not None:
                    self.queued.add(record.number)
                if len(plays) == 2:
                    history.append(PastTurn(record.turn, tuple(plays), record.after))
                    plays = []
            elif isinstance(record, NotesWritten):
                known = self.plan.notebook.notes
                known[record.bot] = notes.kept(record.text) or known[record.bot]
            yield record
        self._count_failures()
        yield from self.further_turns(replace(fork.round, prompts=self.prompts), history)
        yield from self.further_rounds()

    def _count_failures(self) -> None:
        """Count how often the brains that stay have failed in a row; too often, and the fallback takes the seat."""
        reasons = ["", ""]
        for record in self._fork.taken:
            if isinstance(record, SeatSwapped):
                self.failures[record.bot] = 0
            elif isinstance(record, Play):
                self.failures[record.bot] = self.failures[record.bot] + 1 if record.failed else 0
                reasons[record.bot] = record.reason
        for bot, reason in enumerate(reasons):
            if bot not in self._due and self.failures[bot] >= FAILURES_BEFORE_FALLBACK:
                self.table.fall_back(bot, reason)

    def headers(self) -> tuple[str, str]:
        """Return the system headers of the recorded game, if it had some."""
        recorded = self._fork.round.system_headers
        return recorded if any(recorded) else super().headers()

    def seat_changes(self, bot: int) -> Iterator[SeatChange]:
        """Yield who has taken a seat since its last play: the fork's brain before all others."""
        if bot in self._due:
            yield self._due.pop(bot)
        yield from super().seat_changes(bot)
