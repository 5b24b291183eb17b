"""Plays scripts again: what they decide follows from what they see and from their seat's random stream."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from batllm_arcade.brains.live import Live
from batllm_arcade.brains.protocol import Brain, BrainKind, SeatInfo, Spec, View
from batllm_arcade.core.commands import Nothing
from batllm_arcade.core.model import SEATS
from batllm_arcade.errors import UsageError
from batllm_arcade.history.reader import SessionTape
from batllm_arcade.history.summary import counted
from batllm_arcade.history.verification.derivation import is_drawn
from batllm_arcade.history.verification.difference import Difference, Place, game_place, play_place, round_place
from batllm_arcade.history.version import program
from batllm_arcade.match.decision_faults import command_of
from batllm_arcade.match.records import GameStarted, Play, Record, RoundStarted, SeatSwapped
from batllm_arcade.match.seat_streams import SeatStreams, StreamSecret

SCRIPTED = "scripted"
"""The kind of brain that is played again."""
_DRAWS_NOTHING = "keyboard"
_OF_THE_PROCESS = ("isolation", "memory_mb", "network", "processes")
"""Options of a script that has played in a process of its own."""
_DRAWN = "another brain had drawn from the same random numbers"
_NO_SECRET = "the session they were played in never ended, so that the secret of its random numbers is not known"
_NO_FORK = "who sat at the other seat behind the fork, and so which random numbers they had, is not recorded"
_TOLD = "one of its plays is told already"


class ScriptedSeats:
    """Compares what scripts are recorded to have played with what they play, record by record of a simulation.

    `kind` is the bundled one.
    """

    def __init__(self, session: SessionTape, kind: BrainKind) -> None:
        self._session, self._kind = session, kind
        self._position = 0
        self._game: _Game | None = None
        self._unknown, self._failed, self._otherwise = Counter[tuple[str, str]](), Counter[str](), ""

    def differences(self, record: Record) -> Iterator[Difference]:
        """Yield the differences that a record shows, but those for which there may be an honest reason."""
        if isinstance(record, GameStarted):
            self._position += 1
            self._game = _Game(self._session, self._position, self._kind)
        if self._game is None:
            return
        found = list(self._game.differences(record))
        if isinstance(record, Play):
            self._count(record, self._game)
        if found and self._game.otherwise:
            self._otherwise = self._game.otherwise
        else:
            yield from found

    def _count(self, play: Play, game: _Game) -> None:
        brain, why = game.seats[play.bot].brain, game.unknown[play.bot]
        if not _is_script(game.seats[play.bot]):
            return
        if play.failed:
            self._failed[brain] += 1
        elif why not in ("", _TOLD):
            self._unknown[brain, why] += 1

    @property
    def open(self) -> bool:
        """Whether more is not checked than what a fallback plays at the seat of a brain that drew before it."""
        return bool(self._otherwise or self._failed or any(why != _DRAWN for _, why in self._unknown))

    def sentences(self) -> Iterator[str]:
        """Yield what is not checked of scripts, each in a sentence."""
        if self._otherwise:
            yield f"{self._otherwise}: who played is not checked"
        for (brain, why), count in self._unknown.items():
            yield f"{counted(count, 'play')} of {brain} not played again: {why}"
        for brain, count in self._failed.items():
            yield f"{counted(count, 'play')} of {brain} recorded as failed, which nobody can prove"


class _Game:
    """A game that is simulated: who sits at its seats, and where their random streams stand."""

    def __init__(self, session: SessionTape, position: int, kind: BrainKind) -> None:
        self._started: RoundStarted
        self._tape, self._kind, self._live = session.games[position - 1], kind, Live()
        self._secret, self._ended = session.secret, session.end is not None
        self._program = session.program
        self._points = () if self._tape.forked_from is None else self._tape.forked_from.points
        self._place = game_place(position, self._tape.number)
        self._rounds, self._plays, self._session = 0, 0, 0
        self.seats = list(self._tape.seats)
        self.unknown = ["", ""]
        """Why a seat's stream is not known, "" where it is; left first."""
        self._brains: list[Brain | None] = [None, None]
        self._draw_anew(self.seats)

    @property
    def otherwise(self) -> str:
        """Return why scripts may honestly have played otherwise here than they do now, "" where they cannot have."""
        point = next(iter(self._points[self._session : self._session + 1]), None)
        played_by = (point.program if point is not None else "").strip() or self._program.strip() or program()
        if played_by != program():
            return f"{played_by!r:.60} has played this, not {program()!r}, whose scripts play otherwise"
        return "" if is_drawn(self._tape) else "scripts play otherwise than it is told of a game that no seed began"

    @property
    def _secret_lost(self) -> bool:
        """Whether a fork has taken this over from a session that never ended, or from one that such a one had."""
        return not all(point.ended for point in self._points[self._session :])

    def differences(self, record: Record) -> Iterator[Difference]:
        """Yield the differences that the next record of the game shows."""
        if isinstance(record, GameStarted):
            for bot in (0, 1):
                yield from self._sit(bot, self._place)
        elif isinstance(record, RoundStarted):
            self._rounds, self._plays, self._started = self._rounds + 1, 0, record
        elif isinstance(record, SeatSwapped):
            self._reach((record.number + 1) // 2)
            self.seats[record.bot] = record.seat
            self._take_secret(record.seat)
            yield from self._sit(record.bot, round_place(self._place, self._rounds, record.round))
        elif isinstance(record, Play):
            self._plays += 1
            self._reach((self._plays + 1) // 2)
            if not record.failed:
                yield from self._play(record)

    def _play(self, play: Play) -> Iterator[Difference]:
        bot, seat = play.bot, self.seats[play.bot]
        brain = self._brains[bot]
        if not _is_script(seat):
            self.unknown[bot] = self.unknown[bot] or ("" if seat.brain == _DRAWS_NOTHING else _DRAWN)
        elif brain is not None and not self.unknown[bot]:
            where = play_place(round_place(self._place, self._rounds, play.round), self._plays)
            found = _difference(where, seat.brain, brain, play, self._view(play))
            if found is not None:
                self.unknown[bot] = _TOLD
                yield found

    def _view(self, play: Play) -> View:
        started = self._started
        return View(
            seat=play.bot, rules=self._tape.rules, game=play.game, round=play.round, turn=play.turn, number=play.number,
            acting_order=started.acting_order, prompts=started.prompts, arena=play.before, initial=started.arena,
            rng=self._streams.streams[play.bot], live=self._live,
        )  # fmt: skip

    def _sit(self, bot: int, place: Place) -> Iterator[Difference]:
        """Make the script that takes a seat; yield the differences where there is none like it."""
        seat, self._brains[bot] = self.seats[bot], None
        if not _is_script(seat):
            return
        options = {key: str(text) for key, text in seat.options.items() if key not in _OF_THE_PROCESS}
        name, _, variant = seat.brain.partition(":")
        try:
            self._brains[bot] = self._kind.make(Spec(name, variant, options, SEATS[bot]))
        except UsageError as error:
            self.unknown[bot] = _TOLD
            yield place.broken("brain", seat.brain, f"must be one that can play: {error}")
        if seat.model or seat.adapted:
            yield place.broken("model", seat.model or seat.adapted, "must not be there, as a script has none")
        if seat.isolation and self._ended and not self._secret and not self._secret_lost:
            yield place.broken("isolation", seat.isolation, "must not be there without the secret that comes with it")

    def _reach(self, turn: int) -> None:
        """Go on to a turn of the round: behind a fork both seats draw from streams of their own."""
        origin = self._tape.forked_from
        session = 0 if origin is None else origin.session_of(self._rounds, turn)
        if origin is None or session == self._session:
            return
        self._session, point, tape = session, origin.points[session - 1], self._tape.rounds[self._rounds - 1]
        new = {swap.bot: swap.seat for swap in tape.swaps if swap.why == "fork" and (swap.number + 1) // 2 == turn}
        sitting = [new.get(bot, seat) for bot, seat in enumerate(self.seats)]
        self._draw_anew(sitting, f"{point.round}.{point.turn}")
        alone = len(tape.plays) < 2 * turn  # the other one may have been new as well
        if alone and self._secret and not any(seat.isolation for seat in sitting):
            self.unknown = [_NO_FORK, _NO_FORK]

    def _draw_anew(self, seats: list[SeatInfo], fork: str = "") -> None:
        self._streams = SeatStreams(self._tape.seed, self._tape.stream, StreamSecret(lambda: self._secret), fork)
        self.unknown = ["", ""]
        for seat in seats:
            self._take_secret(seat)

    def _take_secret(self, seat: SeatInfo) -> None:
        """Let both seats draw anew where a bot of a file is the first to sit down; sessions of before had no secret."""
        before = self._streams.names
        lost = self._secret_lost or not (self._secret or self._ended)
        if self._secret and not lost:
            self._streams.seated(seat)
        if self._streams.names != before:
            self.unknown = ["", ""]
        elif seat.isolation and lost:
            self.unknown = [_NO_SECRET, _NO_SECRET]


def _is_script(seat: SeatInfo) -> bool:
    return seat.brain.partition(":")[0] == SCRIPTED


def _difference(where: Place, name: str, brain: Brain, play: Play, view: View) -> Difference | None:
    """Return the first difference between a play and what its brain decides of a view, None where there is none."""
    try:
        decision = brain.decide(view)
    except Exception as error:  # noqa: BLE001 - rules that nobody has played by
        return where.broken("status", play.status, f"'error', as {name} fails there: {error!r:.100}")
    recorded, command = play.decision, command_of(decision, view.rules)
    cmd = "ERR" if recorded.command is None else recorded.command
    if cmd != command.token:
        return where.broken("cmd", cmd, f"{name} plays {command.token!r} there")
    for field, found, expected in (
        ("status", play.status, "invalid" if isinstance(command, Nothing) and command.reason else "ok"),
        ("llm_response", recorded.raw, decision.raw),
        ("thought", recorded.thought, decision.thought),
        ("say", recorded.say, decision.say),
        ("tokens", recorded.tokens, decision.tokens),
        ("queued_from", recorded.queued_from, decision.queued_from),
        ("raw_cut", recorded.raw_cut, decision.raw_cut),
    ):
        if found != expected:
            return where.broken(field, found, f"{expected!r:.60} by {name}")
    return None
