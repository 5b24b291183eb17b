"""One session: a configuration and its observers, and the matches played in it, by a window or without one."""

from __future__ import annotations

import random
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Literal

from batllm_arcade.brains.protocol import Spec
from batllm_arcade.errors import UsageError
from batllm_arcade.history.writer import check_way, journal_of, make_way
from batllm_arcade.match import runner
from batllm_arcade.match.records import GameStarted, Record, SessionEnded, SessionStarted
from batllm_arcade.match.unfinished import UnfinishedGame
from batllm_arcade.plugin import manager
from batllm_arcade.seats.brain_thread import find_kind
from batllm_arcade.seats.table import Table
from batllm_arcade.seats.waiting import timestamp
from batllm_arcade.session.version import program
from batllm_arcade.settings.config import Config

Console = Literal["", "conversation", "plays"]


@dataclass(frozen=True, slots=True)
class SessionPlan:
    """What one session is to be; `seats` left first, `history` the file to write (`force`: over another) or None.

    With `intervals` a match waits between rounds for the window; `turn_clock_s` is a person's time for a
    turn, 0 for as long as they like.
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


class LiveSession:
    """A session under way: matches are played in it one after the other, its games are numbered through."""

    def __init__(self, plan: SessionPlan, plugins: manager.Plugins) -> None:
        self.plan = plan
        self._plugins = plugins
        self._games = 0
        self._lock = threading.RLock()
        self._playing: object = None  # the match whose records count
        self._open = UnfinishedGame()
        self.observers: manager.Observers | None = None

    def table(self, plan: SessionPlan) -> Table:
        """A table with the plan's brains; UsageError where a seat's options are wrong."""
        config = plan.config
        try:
            find_kind(self._plugins.kinds, config.fallback)
        except UsageError as error:
            raise UsageError(f"fallback: {error}") from None
        return Table(
            self._plugins.kinds, plan.seats, fallback=config.fallback, deadline_s=config.deadline_s,
            turn_clock_s=plan.turn_clock_s, intervals=plan.intervals,
        )  # fmt: skip

    def match(self, plan: SessionPlan, table: Table) -> Iterator[Record]:
        """Play the plan's games; every record is told to the observers before it is yielded."""
        if self.observers is None:
            # Only now: a window that is opened and closed again leaves no file behind, and takes none away.
            if self.plan.history is not None:
                make_way(self.plan.history, force=self.plan.force)
            self.observers = self._plugins.observers(self.plan)
            self.observers.notify(SessionStarted(self.plan.seed, timestamp(), program()))
        config, mine = plan.config, object()
        games = runner.MatchPlan(
            config.rules, plan.seed, plan.games, config.prompts, config.style, config.header_template, program(),
            config.gamepad,
        )  # fmt: skip
        with self._lock:
            self._end_open_game()
            self._playing, first = mine, self._games + 1
        for record in runner.games(games, table, first):
            with self._lock:
                if self._playing is not mine:
                    return  # it was left, and another match is being played: nobody wants to know
                self._tell(record)
            yield record

    def _tell(self, record: Record) -> None:
        assert self.observers is not None
        if isinstance(record, GameStarted):
            self._games = record.game
        self._open.notify(record)
        self.observers.notify(record)

    def _end_open_game(self) -> None:
        """A match that hangs where nothing can stop it leaves its game open: it was abandoned."""
        for record in self._open.endings():
            self._tell(record)

    def close(self) -> None:
        """End the session; the observers are told."""
        with self._lock:
            self._playing = None
            self._end_open_game()
            if self.observers is not None:
                self.observers.notify(SessionEnded(timestamp()))

    @property
    def lost(self) -> bool:
        """Whether a recorder had to be dropped."""
        return self.observers is not None and self.observers.lost


def new_seed() -> int:
    """A seed for a match nobody gave one for; it is shown and recorded."""
    return random.SystemRandom().randrange(1_000_000)


def sessions_folder() -> Path:
    """Where sessions are kept unless somebody names a file; it may not exist yet."""
    import platformdirs  # only where a session is kept without --history

    return Path(platformdirs.user_data_dir("batllm-arcade", appauthor=False)) / "sessions"


def films_folder() -> Path:
    """Where the window's films and clips go, beside the sessions; it may not exist yet."""
    return sessions_folder().parent / "films"


def new_history_file() -> Path:
    """A new session file in the user's data folder, named by the time."""
    folder = sessions_folder()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"sessions cannot be kept in {str(folder)!r} ({error.strerror}); add --history FILE") from None
    stem = datetime.now().strftime("%Y%m%d-%H%M%S-%f")
    for number in range(1, 1000):
        path = folder / (f"{stem}.json" if number == 1 else f"{stem}-{number}.json")
        if not path.exists() and not journal_of(path).exists():
            break
    check_way(path, force=False)
    return path
