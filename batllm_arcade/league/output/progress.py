"""The progress of a league on the terminal: a bar with games a second and the time left, the table as it stands."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Sequence
from typing import TextIO

from batllm_arcade.league.output import words
from batllm_arcade.league.output import words as text
from batllm_arcade.league.statistics.table import LeagueTable
from batllm_arcade.terminal.output import redraw_lines, write_line

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
        rows = text.ratings(table)[: max(0, size.lines - 3)] if table is not None else []
        self._redraw([text.fitted(row, size.columns - 1) for row in (*rows, self._meter(pairs, now, size.columns - 1))])

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
