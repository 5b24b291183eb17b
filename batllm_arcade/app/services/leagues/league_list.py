"""The leagues of a folder, newest first, looked at again and again on a thread, so that one that runs is shown live."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from batllm_arcade.app.services.background import BackgroundTask, Report
from batllm_arcade.errors import UsageError
from batllm_arcade.files.within import read_within
from batllm_arcade.history.loader import parsed_json
from batllm_arcade.history.node import HistoryError
from batllm_arcade.league.kept_files import LEAGUE, PAIRS, TABLE
from batllm_arcade.league.league_file import opened
from batllm_arcade.league.statistics.table import LeagueTable

LOOK_S = 1.0
"""Seconds between two looks."""
QUIET_S = 20.0
"""Seconds without a new pair after which a league that is not complete is taken for paused."""
LARGEST = 4 * 1024 * 1024


@dataclass(frozen=True, slots=True)
class LeagueEntry:
    """A league's folder: who plays, its table as it stands (None before the first pair), or why it cannot be read.

    `begun` and `changed` are times of its files, in seconds since 1970.
    """

    path: Path
    begun: float
    changed: float
    names: tuple[str, ...] = ()
    config: str = ""
    total: int = 0
    table: LeagueTable | None = field(default=None, compare=False)
    running: bool = False
    problem: str = ""
    name: str = ""
    pairs_each: int = 0
    """The pairs that are planned for each two players."""

    @property
    def title(self) -> str:
        """Return what it is called, else who plays, in a few words."""
        if self.name:
            return self.name
        if len(self.names) == 2:
            return " - ".join(self.names)
        return f"{len(self.names)} players" if self.names else self.path.name

    @property
    def pairs(self) -> int:
        """Return how many pairs its table has."""
        return self.table.pairs if self.table is not None else 0

    @property
    def state(self) -> str:
        """Return whether it is complete, running or paused."""
        if self.problem:
            return "cannot be read"
        if self.table is not None and self.table.complete:
            return "complete"
        return "running" if self.running else "paused"


class LeagueList:
    """`entries` is None until the folder has been looked through; `update` is to be called once per frame."""

    def __init__(self, folder: Path, clock: Callable[[], float] = time.time) -> None:
        self.folder = folder
        self.entries: list[LeagueEntry] | None = None
        self._clock = clock
        self._looked = float("-inf")
        self.task: BackgroundTask[list[LeagueEntry]] | None = None

    def update(self, now: float) -> None:
        """Take over what the last look has found, and look again when it is time."""
        if self.task is not None and self.task.done:
            if self.task.result is not None:
                self.entries = self.task.result
            self.task = None
        if self.task is None and now - self._looked >= LOOK_S:
            self._looked = now
            known = {entry.path: entry for entry in self.entries or ()}
            self.task = BackgroundTask(
                "league search", lambda report: find_leagues(self.folder, known, self._clock(), report)
            )

    def close(self) -> None:
        """Look no more."""
        if self.task is not None:
            self.task.cancel()


def find_leagues(
    folder: Path, known: Mapping[Path, LeagueEntry], now: float, report: Report = lambda text: None
) -> list[LeagueEntry]:
    """Return the leagues in a folder, newest first; `known` are those of the last look, `now` is `time.time()`."""
    found = []
    try:
        with os.scandir(folder) as listing:
            paths = [Path(each.path) for each in listing if each.is_dir()]
    except OSError:
        return []  # nobody has played a league yet
    for path in paths:
        report(path.name)
        entry = _entry(path, known.get(path), now)
        if entry is not None:
            found.append(entry)
    return sorted(found, key=lambda entry: (entry.begun, entry.path.name), reverse=True)


def _entry(path: Path, known: LeagueEntry | None, now: float) -> LeagueEntry | None:
    begun = _changed(path / LEAGUE)
    if begun is None:
        return None
    changed = max(begun, _changed(path / TABLE) or 0.0)
    running = now - max(changed, _changed(path / PAIRS) or 0.0) < QUIET_S
    if known is not None and (known.changed, known.running) == (changed, running):
        return known
    try:
        setup, run, _ = opened(path)
        plan = setup.plan
        names = tuple(player.name for player in plan.players)
        return LeagueEntry(
            path, begun, changed, names, Path(plan.config).stem, plan.total, _table(path, names), running,
            name=run.name, pairs_each=plan.pairs,
        )  # fmt: skip
    except UsageError as error:
        return LeagueEntry(path, begun, changed, problem=str(error), running=running)


def _changed(path: Path) -> float | None:
    try:
        return path.stat().st_mtime
    except OSError:
        return None


def _table(folder: Path, names: tuple[str, ...]) -> LeagueTable | None:
    """Return the table, None if there is none yet; raise UsageError if it is damaged or another league's."""
    try:
        table = LeagueTable.of(parsed_json(read_within(folder, TABLE, LARGEST)))
    except FileNotFoundError:
        return None
    except OSError as error:
        raise UsageError(f"{TABLE!r} cannot be read: {error.strerror}") from None
    except (ValueError, RecursionError, HistoryError) as error:
        why = f" ({error})" if isinstance(error, HistoryError) else ""
        raise UsageError(f"{folder.name!r} holds a damaged league: {TABLE!r} is none{why}") from None
    if {row.name for row in table.players} - set(names):
        raise UsageError(f"{folder.name!r} holds a damaged league: {TABLE!r} is another league's")
    return table
