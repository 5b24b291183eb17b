"""Running a league from its folder to its table: the engine, the coordinator, signals, what is written and shown."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, TextIO

from batllm_arcade.errors import ArcadeError, UsageError
from batllm_arcade.league.coordinator import Coordinator, LeagueEnd, ended
from batllm_arcade.league.engines.pair_play import Engine, PlayedPair
from batllm_arcade.league.engines.processes import ProcessPool
from batllm_arcade.league.kept_files import SESSIONS, WORKERS_LOG
from batllm_arcade.league.league_file import discard
from batllm_arcade.league.output import words
from batllm_arcade.league.output.files import Exports, Poster, best_games, values_of, write_exports, write_table
from batllm_arcade.league.output.words import Share, kept_numbers, shortfall, write_pages
from batllm_arcade.league.plan import LeaguePlan, ScheduledPair
from batllm_arcade.league.plan_file import RunOptions
from batllm_arcade.league.setup import (
    LeagueSetup,
    check_brains,
    check_budget,
    leave_observers_out,
    limits_of,
    pair_secret,
    prices_of,
)
from batllm_arcade.league.statistics.rating import Anchor
from batllm_arcade.league.statistics.table import LeagueTable, table
from batllm_arcade.league.store import LeagueStore, lines_of
from batllm_arcade.plugin.manager import Plugins
from batllm_arcade.seats.brain_thread import Kinds
from batllm_arcade.session.interrupts import ENDING, on_interrupt
from batllm_arcade.terminal.output import complain, redraw_lines, write_line, write_lines

TABLE_S = 10.0
"""Seconds between two tables of a league under way, at least."""
TABLE_SHARE = 50
"""A table may take one part in so many of the time."""
MOST_WORKERS = 32
"""Processes that play at most, on a machine of few processors; elsewhere four a processor."""
NOT_BEGUN = 2
"""The exit code of a league that could not begin."""


REDRAW_S = 0.5
LINE_S = 60.0
"""Seconds between two lines where the output is no terminal."""


class LeagueProgress:
    """Shows how far a league is: redrawn in place on a terminal, elsewhere a line now and then; nothing if `quiet`."""

    def __init__(
        self,
        out: TextIO | None,
        total: int,
        begun: int,
        *,
        quiet: bool = False,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._out, self._quiet, self._clock = out, quiet, clock
        self._terminal = out is not None and out.isatty()
        self._total, self._begun, self._started = total, begun, clock()
        self._shown = self._started - (REDRAW_S if self._terminal else 0.0)
        self._lines = 0

    def show(self, pairs: int, table: LeagueTable | None) -> None:
        """Show that so many pairs are done, if it is time to; `table` is the last that was made."""
        now = self._clock()
        if self._quiet or now - self._shown < (REDRAW_S if self._terminal else LINE_S):
            return
        self._shown = now
        if not self._terminal:
            write_line(self._meter(pairs, now, None), self._out)
            return
        size = shutil.get_terminal_size()
        rows = words.ratings(table)[: max(0, size.lines - 3)] if table is not None else []
        self._redraw(
            [words.fitted(row, size.columns - 1) for row in (*rows, self._meter(pairs, now, size.columns - 1))]
        )

    def _meter(self, pairs: int, now: float, width: int | None) -> str:
        from tqdm import tqdm

        rate = (pairs - self._begun) / max(now - self._started, 1e-9)
        bar = "{percentage:3.0f}%|{bar}| " if width is not None else "{percentage:3.0f}% "
        left = f"{words.duration((self._total - pairs) / rate)} left" if rate else "starting"
        line = tqdm.format_meter(
            pairs, self._total, now - self._started, ncols=width, ascii=False, unit="pair",
            bar_format=f"{bar}{{n_fmt}}/{{total_fmt}} pairs, {2 * rate:.1f} games/s, {left}",
        )  # fmt: skip
        return str(line)

    def _redraw(self, rows: Sequence[str]) -> None:
        redraw_lines(rows, self._lines, self._out)
        self._lines = len(rows)

    def close(self) -> None:
        """Take the bar off the terminal."""
        if self._lines:
            self._redraw([])


@dataclass(frozen=True, slots=True)
class LeagueOutput:
    """Where a league's words go: `out` gets the table, `as_json` as one JSON object; `resume` is the way to go on.

    `share` writes the pages of kept sessions; without it there are none. Of a league that is `new` nothing is left if
    it cannot begin. `reused` returns what need not be played, from another league.
    `poster` makes the pictures of the best games, `exports` are files for other programs. `say` gets what a
    person should know, a sentence each, `shown` how many pairs there are, again and again; `table_s` are the seconds
    between two tables of a league under way, at least.
    """

    resume: str
    quiet: bool = False
    out: TextIO | None = None
    as_json: bool = False
    share: Share | None = None
    new: bool = False
    reused: Callable[[ScheduledPair], PlayedPair | None] = lambda pair: None
    poster: Poster | None = None
    exports: Exports = Exports()
    say: Callable[[str], None] = complain
    shown: Callable[[int], None] = lambda pairs: None
    table_s: float = TABLE_S


def run_league(
    folder: Path,
    setup: LeagueSetup,
    run: RunOptions,
    kinds: Kinds,
    output: LeagueOutput,
    cluster: Callable[[LeagueSetup, int], Engine] | None = None,
) -> int:
    """Play what the league in this folder still lacks; return 0 if it is complete, 1 if it paused, 2 if it never began.

    `cluster` connects to the machines that play, None for processes of this one. Raise UsageError if the league
    is being played already.
    """
    store = LeagueStore(folder, setup.plan, setup.config.rules)
    try:
        code = _Run(folder, setup, run, kinds, output, store).play(cluster)
    finally:
        store.close()
    if code == NOT_BEGUN and output.new:
        discard(folder)
    return code


def workers_of(run: RunOptions) -> int:
    """Return how many processes play: as many as wished, within what the machine bears, else one a processor."""
    here = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(run.workers, max(MOST_WORKERS, 4 * here)) or here


class _Run:
    def __init__(
        self, folder: Path, setup: LeagueSetup, run: RunOptions, kinds: Kinds, output: LeagueOutput, store: LeagueStore
    ) -> None:
        self._folder, self._setup, self._run, self._kinds = folder, setup, run, kinds
        self._output, self._store = output, store
        self._begun = store.played
        self._progress = LeagueProgress(sys.stderr, setup.plan.total, store.played, quiet=output.quiet)
        self._table: LeagueTable | None = None
        self._tabled, self._next_table = -1, 0.0

    def play(self, cluster: Callable[[LeagueSetup, int], Engine] | None) -> int:
        plan, store = self._setup.plan, self._store
        end = ended(plan, store.tally)
        if end is None:
            workers = min(workers_of(self._run), max(1, plan.total - store.played))
            try:
                engine = (cluster or self._processes)(self._setup, workers)
            except ArcadeError as error:  # no cluster answers
                return self._conclude(LeagueEnd(complete=False, reason=str(error), failed=True))
            limits = limits_of(self._setup, self._kinds)
            coordinator = Coordinator(
                plan, store, engine, limits, self._run, self._show, self._tell, self._output.reused,
                secret=pair_secret(self._setup, self._kinds),
            )  # fmt: skip
            try:
                with on_interrupt(coordinator.pause, ENDING):
                    end = coordinator.play()
            finally:
                self._progress.close()
                engine.close()
        return self._conclude(end)

    def _processes(self, setup: LeagueSetup, workers: int) -> Engine:
        return ProcessPool(setup, workers, self._folder / WORKERS_LOG)

    def _tell(self, sentence: str) -> None:
        self._progress.close()
        self._output.say(sentence)

    def _show(self) -> None:
        """Keep the files of the table and the terminal up to date, without spending much time on it."""
        now = time.monotonic()
        if now >= self._next_table and self._tabled != self._store.played:
            self._tabled, began = self._store.played, time.process_time()
            self._table = self._standings(complete=False)
            write_table(self._folder, self._table, self._setup.plan, self._output.resume, page=False)
            self._next_table = now + max(self._output.table_s, TABLE_SHARE * (time.process_time() - began))
        self._progress.show(self._store.played, self._table)
        self._output.shown(self._store.played)

    def _standings(self, *, complete: bool) -> LeagueTable:
        plan, run, notes = self._setup.plan, self._run, self._setup.notes
        prices = prices_of(plan, run.prices)
        more: Any = {"notes": notes, "name": run.name, "prices": prices, "anchor": run.anchor,
                     "readings": run.readings}  # fmt: skip
        return table(plan, self._store.tally, complete=complete, **more)

    def _conclude(self, end: LeagueEnd) -> int:
        if end.failed and self._output.new and not self._store.played:
            self._output.say(f"the league could not begin: {end.reason}")
            return NOT_BEGUN
        result = self._standings(complete=end.complete)
        if self._output.share is not None:
            numbers = kept_numbers(self._folder / SESSIONS, result.pairs)
            best = best_games(lines_of(self._folder, self._setup.plan, result.pairs), numbers)
            write_pages(self._folder, self._setup.plan, numbers, self._output.share, best)
        write_table(self._folder, result, self._setup.plan, self._output.resume, poster=self._output.poster)
        lines = partial(lines_of, self._folder, self._setup.plan, result.pairs)
        write_exports(result, self._setup.plan, self._output.exports, lines)
        if self._output.as_json:
            write_line(json.dumps(values_of(result)), self._output.out)
        elif end.complete or self._store.played:
            write_lines(words.lines(result), self._output.out)
        if not self._output.quiet:
            write_line(f"table: {self._folder / 'report.html'}")
        if end.complete:
            least = self._run.fail_below
            problem = "" if least is None else shortfall(result, self._setup.plan, least)
            if problem:
                self._output.say(problem)
            return 1 if problem else 0
        self._output.say(f"the league pauses: {end.reason}")
        more = f" --pairs {2 * self._setup.plan.pairs}" if self._store.played == self._setup.plan.total else ""
        write_line(f"go on with: {self._output.resume}{more}")
        return 1


def resume_command(folder: Path, more: str = "") -> str:
    """Return the command that goes on with a league; `more` are options that its folder does not hold."""
    return f"batllm-arcade league --resume {shlex.quote(str(folder))}{more}"


def check_players(setup: LeagueSetup, run: RunOptions, plugins: Plugins) -> list[str]:
    """Return a sentence for each installed observer, which is left out.

    Raise UsageError if a league cannot be played: brains that are unknown or wrong, observers, prices unknown.
    """
    check_brains(setup, plugins.kinds)
    left_out = leave_observers_out(plugins)
    check_budget(setup, run, plugins.kinds)
    check_anchor(run.anchor, [player.name for player in setup.plan.players])
    return left_out


def check_anchor(anchor: Anchor | None, names: Sequence[str]) -> None:
    """Raise UsageError if the anchor is nobody of these."""
    if anchor is not None and anchor.player not in names:
        raise UsageError(f"the anchor {anchor.player!r} is no player; it is one of {', '.join(names)}")


def more_pairs(folder: Path, plan: LeaguePlan) -> int | None:
    """Return twice as many pairs as a league has whose test is undecided after all of them, None for any other."""
    if plan.sprt is None:
        return None
    store = LeagueStore(folder, plan)
    end = ended(plan, store.tally)
    store.close()
    return None if end is None or end.complete else 2 * plan.pairs
