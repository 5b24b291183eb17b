"""A session that is being played."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Literal, NamedTuple

from batllm_arcade.brains.protocol import SeatInfo, Spec
from batllm_arcade.core.model import SEATS
from batllm_arcade.errors import ArcadeError, UsageError
from batllm_arcade.files.paths import new_path
from batllm_arcade.files.session_clock import SessionClock
from batllm_arcade.history.paths import (
    check_session_path,
    clear_session_path,
    in_use,
    last_time,
    program,
    sessions_folder,
)
from batllm_arcade.history.reader import GameTape
from batllm_arcade.match import runner
from batllm_arcade.match.notebook import Notebook
from batllm_arcade.match.records import (
    GameEnded,
    GameStarted,
    Record,
    SeatSwapped,
    SessionEnded,
    SessionStarted,
    UnfinishedGame,
    by_a_person,
)
from batllm_arcade.match.runner import Fork, StreamSecret, session_secret
from batllm_arcade.match.series import Series, SeriesScore, describe_result
from batllm_arcade.plugin import manager
from batllm_arcade.plugin.manager import Observers
from batllm_arcade.prompts.payload import headers
from batllm_arcade.seats.brain_thread import BrainThread, find_kind
from batllm_arcade.seats.table import Table
from batllm_arcade.session.puzzles import Puzzle
from batllm_arcade.settings import config as configuration
from batllm_arcade.settings.config import Config
from batllm_arcade.settings.foreign import Recorded, brain_of_file
from batllm_arcade.terminal.output import OutputError, write_line

Brains = tuple[BrainThread | None, BrainThread | None]
"""Left first; None where there is none."""


class _SpareBrain(NamedTuple):
    setting: Any
    brain: BrainThread


class SpareBrains:
    """Keeps one brain a seat at most; every method may be called from any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: list[_SpareBrain | None] = [None, None]
        self._over = False

    def put(self, settings: tuple[Any, Any], brains: Brains) -> None:
        """Keep the brains of a match that is over, made with these settings; each takes the place of the one before."""
        unwanted: list[_SpareBrain | None] = []
        with self._lock:
            for seat, brain in enumerate(brains):
                brought = _SpareBrain(settings[seat], brain) if brain is not None else None
                if brought is not None and not self._over:
                    unwanted.append(self._kept[seat])
                    self._kept[seat] = brought
                else:
                    unwanted.append(brought)
        _close(unwanted)

    def take(self, settings: tuple[Any, Any]) -> Brains:
        """Return the kept brains that were made with equal settings, each for its seat."""
        with self._lock:
            brains: list[BrainThread | None] = [None, None]
            for seat, spare in enumerate(self._kept):
                if spare is not None and spare.setting == settings[seat]:
                    brains[seat], self._kept[seat] = spare.brain, None
            return brains[0], brains[1]

    def drop(self) -> None:
        """Close the kept brains."""
        with self._lock:
            unwanted, self._kept = self._kept, [None, None]
        _close(unwanted)

    def close(self) -> None:
        """Close the kept brains, and from now on all that are brought."""
        with self._lock:
            self._over = True
        self.drop()


def _close(kept: list[_SpareBrain | None]) -> None:
    for each in kept:
        if each is not None:
            each.brain.close()


Console = Literal["", "conversation", "plays"]


@dataclass(frozen=True, slots=True)
class SessionPlan:
    """The choices for one session; `seats` left first, `history` the file to write (`force`: over another) or None.

    `history_name` is the file as the person wrote it, for messages. With `intervals` a match waits between
    rounds for the window; `turn_clock_s` is a person's time for a turn, 0 for as long as they like.
    """

    config: Config
    seats: tuple[Spec, Spec]
    seed: int
    games: int = 1
    history: Path | None = None
    console: Console = ""
    force: bool = False
    intervals: bool = False
    turn_clock_s: float = 0.0
    history_name: str = ""
    bot_logs: bool = False
    """What bots print is printed on standard error."""
    series: Series | None = None
    """The series that its games are played in, and how it stands; None where they are none."""
    fork: Fork | None = None
    """The recorded game from which its only game plays on, None for games of its own."""
    puzzle: Puzzle | None = None
    """The puzzle that its only game is, None for a match."""
    cup: str = ""
    """Which match of a cup its only game belongs to, in words, "" for none."""
    keyed: bool = True
    """The streams of games with bots of files are keyed with a secret; needless where a program plays only its own."""

    @property
    def alone(self) -> bool:
        """Whether its only game has a session of its own, which ends with it."""
        return self.fork is not None or self.puzzle is not None or bool(self.cup)

    @property
    def headers(self) -> tuple[str, str]:
        """Return the system headers of both seats, left first; empty without augmentation."""
        return headers(self.config.header_template, self.config.rules, aug=self.config.style.aug)

    @property
    def shown_history(self) -> str:
        """Return the session file as it is named to the person, "" without one."""
        return self.history_name or str(self.history or "")


class RecorderLost(ArcadeError):
    """A session is no longer recorded: `str()` says why and what is kept."""


class LiveSession:
    """A running session: matches are played in it one after the other, its games are numbered through."""

    def __init__(self, plan: SessionPlan, plugins: manager.Plugins) -> None:
        self.plan = plan
        self._plugins = plugins
        self._games = 0
        self._lock = threading.RLock()
        self._playing: object = None  # the match whose records count
        self._unfinished = UnfinishedGame()
        self._spare = SpareBrains()
        self._secret, self._notebook, self._seats = StreamSecret(partial(_secret, plan)), Notebook(), plan.seats
        if plan.fork is not None and plan.fork.secret:
            self._secret.use()  # what is taken over was drawn with it
        self._unrecorded = False
        self._score = SeriesScore(None)  # as whoever reads the session will count it
        self._clock: SessionClock | None = None
        self.observers: Observers | None = None
        self.started: SessionStarted | None = None
        """How the session began, None before its first match."""
        self.ended: SessionEnded | None = None
        """How the session ended, None until it was closed."""

    def table(self, plan: SessionPlan) -> Table:
        """Return a table with the plan's brains, kept ones where they fit; raise UsageError if options are wrong."""
        config = plan.config
        try:
            find_kind(self._plugins.kinds, replace(config.fallback, bundled=True))
        except UsageError as error:
            raise UsageError(f"fallback: {error}") from None
        spare = self._spare.take(_settings(plan))
        try:
            return Table(
                self._plugins.kinds, plan.seats, fallback=config.fallback, deadline_s=config.deadline_s,
                turn_clock_s=plan.turn_clock_s, intervals=plan.intervals, kept=spare,
                log=print_log if plan.bot_logs else None, now=self._now,
                first_view=partial(runner.first_view, self._match_plan(plan)),
            )  # fmt: skip
        except UsageError:
            self._spare.put(_settings(plan), spare)
            raise

    def give_back(self, plan: SessionPlan, table: Table) -> None:
        """Keep the brains of a match that is over for a rematch: those that sat at the table from the beginning."""
        self._spare.put(_settings(plan), table.release())

    def match(self, plan: SessionPlan, table: Table) -> Iterator[Record]:
        """Play the plan's games; the observers are notified of every record before it is yielded.

        Raise RecorderLost after the play that could not be recorded: nobody plays on, or pays for, what is lost.
        """
        if self.observers is None:
            # Only now: a window that is opened and closed without a match must neither write nor remove a file.
            if self.plan.history is not None:
                clear_session_path(self.plan.history, force=self.plan.force)
            self.observers = self._plugins.observers(self.plan)
            self.started = SessionStarted(plan.seed, self._now(), program(), plan.series)
            self.observers.notify(self.started)
            self._score = SeriesScore(plan.series)
        self._check_recorder()  # which another match of this session may have lost
        self._spare.drop()  # only now that this match's brains are ready: they may share a model with those
        if plan.seats not in (self._seats, self._seats[::-1]):
            self._notebook = Notebook()  # another player begins without notes, and without any on it
        elif plan.seats != self._seats:
            self._notebook.turn()
        self._seats = plan.seats
        games, mine = self._match_plan(plan), object()
        with self._lock:
            self._end_unfinished_game()
            self._playing, first = mine, self._games + 1
        for record in _records(plan, games, table, first):
            with self._lock:
                if self._playing is not mine:
                    return  # this match was left and another one is played: its records no longer count
                if isinstance(record, GameStarted):
                    record = self._in_series(record, plan.series if record.game == first else None)
                self._report(record)
            yield record
            self._check_recorder()

    def _match_plan(self, plan: SessionPlan) -> runner.MatchPlan:
        config = plan.config
        return runner.MatchPlan(
            config.rules, plan.seed, plan.games, config.prompts, config.style, config.header_template, program(),
            config.gamepad, self._secret, self._notebook,
        )  # fmt: skip

    def records(self, plan: SessionPlan, table: Table) -> Iterator[Record]:
        """Play the plan's games as `match` does, as the only match of the session; yield all records of the session."""
        begun = False
        for record in self.match(plan, table):
            if not begun and self.started is not None:
                yield self.started
            begun = True
            yield record
        self.close()
        if self.ended is not None:
            yield self.ended

    def _now(self) -> str:
        """Return the time of the session, whose clock begins with it: a window may be open for days before."""
        if self._clock is None:
            self._clock = SessionClock(None if self.plan.fork is None else last_time(self.plan.fork.taken))
        return self._clock.now()

    def _check_recorder(self) -> None:
        if self.observers is not None and self.observers.loss:
            raise RecorderLost(self.observers.loss)

    def _in_series(self, record: GameStarted, series: Series | None) -> GameStarted:
        """Return the start of a game, with the series that begins with it if the one before does not go on."""
        names = (record.seats[0].name, record.seats[1].name)
        self._score.begin_game(names)
        if series is None or self._score.series is None or series.next() == self._score.series:
            return record
        begun = series.anew()
        self._score.begin_game(names, begun)
        return replace(record, series=begun)

    def _report(self, record: Record) -> None:
        assert self.observers is not None
        if isinstance(record, GameStarted):
            self._games = record.game
        elif isinstance(record, SeatSwapped) and by_a_person(record.why):
            self._score.change_seat(record.bot)
        elif isinstance(record, GameEnded):
            self._score.end_game(record.result)
        self._unfinished.notify(record)
        self.observers.notify(record)

    def _end_unfinished_game(self) -> None:
        """Record the game of a match that hangs, which nothing can stop, as abandoned."""
        for record in self._unfinished.endings():
            self._report(record)

    def close(self) -> None:
        """End the session, close the table kept for a rematch and notify the observers."""
        self._spare.close()
        with self._lock:
            self._playing = None
            self._end_unfinished_game()
            if self.observers is not None and self.ended is None:
                self.ended = SessionEnded(self._now(), self._secret.text)
                self.observers.notify(self.ended)
                history = self.plan.history
                if history is not None and self._games and not self.lost and not in_use(history):
                    self._unrecorded = True
                    self._plugins.problems.append(
                        f"no plugin has recorded this session: there is no file {self.plan.shown_history!r}"
                    )

    @property
    def lost(self) -> bool:
        """Return whether a recorder failed, or there was none, so that the session file is incomplete or missing."""
        return self._unrecorded or (self.observers is not None and bool(self.observers.loss))

    @property
    def recorded(self) -> bool:
        """Return whether the session file, or its journal, is there, and complete."""
        return self.plan.history is not None and not self.lost and in_use(self.plan.history)

    @property
    def unwritten(self) -> OutputError | None:
        """Return why an observer could not write its output, None if all could."""
        return self.observers.unwritten if self.observers is not None else None


def _records(plan: SessionPlan, games: runner.MatchPlan, table: Table, first: int) -> Iterator[Record]:
    if plan.fork is not None:
        return runner.records(games, table, plan.fork)
    return runner.games(games, table, first)


def _secret(plan: SessionPlan) -> str:
    """Return what the streams of a session's seats are keyed with: a fork's is that of the recorded session."""
    if not plan.keyed:
        return ""
    return (plan.fork.secret if plan.fork is not None else "") or session_secret(plan.seed)


def _settings(plan: SessionPlan) -> tuple[object, object]:
    """Return for each seat what two plans must have in common to have the same brain there."""
    left, right = ((spec, plan.config.deadline_s, plan.turn_clock_s) for spec in plan.seats)
    return left, right


def new_seed() -> int:
    """Return a seed for a match without a given one; it is shown and recorded."""
    return random.SystemRandom().randrange(1_000_000)


def new_history_file() -> Path:
    """Return a free session file in the data folder, named by the time; raise UsageError if there can be none."""
    instead = "add --history FILE, or set XDG_DATA_HOME to a folder of yours"
    path = new_path(sessions_folder(), "sessions", instead, "%Y%m%d-%H%M%S-%f.json", in_use=in_use)
    check_session_path(path, force=False)
    return path


def print_log(seat: str, line: str) -> None:
    """Print what a bot has printed after its seat and name; where nobody reads it, the match tells of that itself."""
    with suppress(OutputError):
        write_line(f"{seat}: {line}")


Chosen = tuple[Spec | None, Spec | None]
"""The new brains of a fork, left first; None for a seat whose brain plays on."""


def recorded_config(fork: Fork) -> Config:
    """Return the shipped configuration with the rules of the forked game, whatever its length; else the default."""
    rules = replace(fork.started.rules, total_rounds=1, turns_per_round=1)
    for name in configuration.SHIPPED:
        config = configuration.load(name)
        if replace(config.rules, total_rounds=1, turns_per_round=1) == rules:
            return config
    return configuration.load("default")


def fork_config(config: Config, fork: Fork) -> Config:
    """Return a configuration with what the forked game is played by: its rules, orders, how its models are asked."""
    tape = fork.round
    mode: Literal["shared", "independent"] = "independent" if tape.independent else "shared"
    style = replace(config.style, mode=mode, aug=tape.augmented)
    return replace(config, rules=fork.started.rules, prompts=fork.orders, style=style)


def fork_seats(fork: Fork, chosen: Chosen, recorded: Recorded, tell: Callable[[str], None]) -> tuple[Spec, Spec]:
    """Return who plays on, left first: a new brain, else the one that sat there; `tell` gets what it plays without.

    Raise UsageError if that cannot be made again from what is recorded of it, ForeignAddress if nobody has allowed the
    address that it asks.
    """
    left, right = (
        _again(info, seat, recorded, tell) if spec is None else spec
        for spec, info, seat in zip(chosen, fork.seats, SEATS, strict=True)
    )
    return left, right


def _again(info: SeatInfo, seat: str, recorded: Recorded, tell: Callable[[str], None]) -> Spec:
    spec = Spec.parse(info.brain) if info.brain else Spec("")
    spec = replace(spec, options={key: str(value) for key, value in info.options.items()})
    fenced = brain_of_file(spec, seat, recorded)
    left_out = ", ".join(key for key in spec.options if key not in fenced.options)
    if left_out:
        tell(f"{seat} plays without {left_out}, which no file decides; add --{seat} BRAIN to say so yourself")
    return fenced


def origin_sentence(game: GameTape) -> str:
    """Return how the game ended that a fork plays on from."""
    if game.result is None:
        return "the original game never ended"
    turns = f"round {len(game.rounds)}, turn {(len(game.rounds[-1].plays) + 1) // 2}" if game.rounds else "no round"
    names = (f"{game.seats[0].name} (left)", f"{game.seats[1].name} (right)")
    return f"the original game ended in {turns}: {describe_result(game.result, names)}"
