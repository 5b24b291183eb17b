"""The brain `cassette`: gives the answers of a recorded seat, without the model that gave them.

It plays as long as the match goes as the recorded one did; where it does not, it says so and plays nothing.
"""

from __future__ import annotations

import threading
import warnings
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from batllm_arcade import (
    SEATS,
    ArcadeError,
    BrainError,
    BrainKind,
    Cancelled,
    Decision,
    GameStarted,
    NotesWritten,
    Option,
    Play,
    Record,
    RoundStarted,
    SeatInfo,
    SeatSwapped,
    Spec,
    UsageError,
    View,
    hookimpl,
    read_session,
)

FILE = Option("file", "file", "", "the recorded session, in place of cassette:FILE")
SEAT = Option("seat", "choice", "", "whose answers it gives: left or right (the seat it plays)", SEATS)
GAME = Option("game", "whole", "", "the recorded game it plays in every game (the one of the same number)", least=1)
PACE = Option("pace", "number", "0", "how long it waits: 0 not at all, 1 as long as was recorded", most=1000)
OPTIONS = (FILE, SEAT, GAME, PACE)
_IN_TIME_S = 0.3
"""Seconds before the deadline by which a recorded answer is given: it was in time when it was recorded."""


@dataclass(frozen=True, slots=True)
class RecordedPlay:
    """A play of the recorded seat: `played_by` is who sat there, `next_by` who made its next play, "" after the last.

    `first` is the index of the bot that acted first in its round.
    """

    play: Play
    first: int
    played_by: str
    next_by: str = ""


@dataclass(slots=True)
class Recording:
    """A seat's plays by game, round and turn, who it was in each game, the games' seeds, notes by game and round."""

    plays: dict[tuple[int, int, int], RecordedPlay]
    seats: dict[int, SeatInfo]
    seeds: dict[int, int]
    notes: dict[tuple[int, int], NotesWritten]

    @classmethod
    def of(cls, records: Iterable[Record], bot: int) -> Recording:
        """Return what a seat of a session did; raise UsageError if its games are not numbered."""
        recording, first, name = cls({}, {}, {}, {}), 0, ""
        last: tuple[int, int, int] | None = None
        for record in records:
            if isinstance(record, GameStarted):
                recording.seats[record.game], recording.seeds[record.game] = record.seats[bot], record.seed
                last, name = None, record.seats[bot].name
            elif isinstance(record, RoundStarted):
                first = record.acting_order[0]
            elif isinstance(record, SeatSwapped) and record.bot == bot:
                name = record.seat.name
            elif isinstance(record, NotesWritten) and record.bot == bot:
                recording.notes[record.game, record.round] = record
            elif isinstance(record, Play) and record.bot == bot:
                if last is not None:
                    recording.plays[last] = replace(recording.plays[last], next_by=name)
                last = (record.game, record.round, record.turn)
                recording.plays[last] = RecordedPlay(record, first, name)
        return recording


class Cassette:
    """Gives the answers of a recorded seat, with their statuses, thoughts and times."""

    model = ""
    title = "cassette"
    stand_in: Spec | None = None
    """Who plays on where this brain has failed too often as recorded: the cassette itself, as the stand-in."""

    def __init__(self, spec: Spec) -> None:
        written = spec.variant or FILE.text(spec)
        if bool(spec.variant) == bool(FILE.text(spec)):
            raise UsageError("cassette needs one recorded session: write cassette:FILE or cassette:file=FILE")
        self._spec, self._path = spec, Path(written).expanduser().absolute()
        self._bot = SEATS.index(SEAT.text(spec) or spec.seat or SEATS[0])  # type: ignore[arg-type]
        self._game = GAME.whole(spec) if GAME.text(spec) else 0
        self._pace = PACE.number(spec)
        self._recording = Recording({}, {}, {}, {})
        self.notes = 0

    def prepare(self, report: Callable[[str], None]) -> None:
        """Read the session; raise BrainError if it cannot be read, or has no such game."""
        report(f"reading {self._path.name}")
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            try:
                self._recording = Recording.of(read_session(self._path), self._bot)
            except ArcadeError as error:
                raise BrainError(str(error)) from None
        for warning in told:
            report(str(warning.message))
        games = self._recording.seats
        if not games or (self._game and self._game not in games):
            raise BrainError(f"{self._path.name!r} has no game {self._game or 1}; it holds {len(games)}")
        seat = games[self._game or min(games)]
        self.title, self.model = seat.recorded_name, seat.model
        self.notes = len(self._recording.notes)

    def decide(self, view: View) -> Decision:
        """Return the recorded answer to this play; raise BrainError where it was an error, or the match is another."""
        self.stand_in = None
        recorded = self._recorded(view)
        play = recorded.play
        if play.failed and play.status != "forfeit":
            name = recorded.next_by or recorded.played_by
            self.stand_in = replace(self._spec, options={**self._spec.options, "name": name})
        self._wait(play, view)
        answer = play.decision
        if play.status == "timeout":
            view.live.keep_thought(answer.thought)
            view.live.keep_reason(play.reason.partition("; ")[2])  # before it the host says that it was late
            raise Cancelled
        if play.failed:
            raise BrainError(play.reason, raw=answer.raw, thought=answer.thought, tokens=answer.tokens)
        queued = answer.queued_from
        if queued is not None:  # a number within the round, which is another where the other bot acts first here
            queued = queued + (view.number - play.number)
        return replace(answer, queued_from=queued, invalid=play.reason if play.status == "invalid" else "")

    def note(self, view: View) -> Decision:
        """Return the recorded notes on this round; raise BrainError where there were none."""
        notes = self._recording.notes.get((self._game or view.game, view.round))
        if notes is None or notes.reason:
            raise BrainError(notes.reason if notes else "none are recorded", tokens=notes.tokens if notes else None)
        return Decision(notes.text, None, tokens=notes.tokens)

    def _recorded(self, view: View) -> RecordedPlay:
        game, name = self._game or view.game, self._path.name
        recorded = self._recording.plays.get((game, view.round, view.turn))
        if recorded is None:
            where = f"round {view.round}, turn {view.turn}" if game in self._recording.seats else "it"
            raise BrainError(f"{name!r} has no play of {SEATS[self._bot]} in {where} of game {game}; nothing is played")
        mine, theirs = view.arena.bot(view.seat), view.arena.bot(1 - view.seat)
        before = recorded.play.before
        if (mine, theirs) != (before.bot(self._bot), before.bot(1 - self._bot)):
            seed = self._recording.seeds[game]
            raise BrainError(
                f"in round {view.round}, turn {view.turn} the match goes another way than game {game} of {name!r}, "
                f"which needs its seed ({seed}), its rules and the same opponent; nothing is played"
            )
        return recorded

    def _wait(self, play: Play, view: View) -> None:
        seconds = self._pace * play.latency_s
        left = view.live.seconds_left()
        if left is not None and play.status != "timeout":
            seconds = min(seconds, left - _IN_TIME_S)
        if seconds <= 0:
            return
        view.live.publish(play.decision.thought)
        unwanted = threading.Event()
        view.live.on_cancel(unwanted.set)
        if unwanted.wait(seconds):
            raise Cancelled


def missing(spec: Spec) -> str:
    """Return what is missing to play, in one sentence, "" if nothing is."""
    written = spec.variant or FILE.text(spec)
    if not written:
        return "it needs the file of a recorded session"
    path = Path(written).expanduser()
    there = path.is_file() or path.with_name(f"{path.name}.journal").is_file()
    return "" if there else f"there is no session {path.name!r}"


@hookimpl
def batllm_brains() -> list[BrainKind]:
    summary = "a seat of a recorded session, as it was played: cassette:FILE"
    return [BrainKind("cassette", summary, Cassette, missing=missing, options=OPTIONS)]
