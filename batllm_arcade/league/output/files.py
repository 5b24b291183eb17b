"""The files of a league's table: `table.json`, `table.md`, `report.html`."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from batllm_arcade.errors import ArcadeError, UsageError
from batllm_arcade.files.atomic import write_text
from batllm_arcade.files.paths import check_output
from batllm_arcade.league.kept_files import MARKDOWN, PAGE, TABLE
from batllm_arcade.league.output.exports import csv_of, pgn_of
from batllm_arcade.league.output.games import Poster, write_games
from batllm_arcade.league.output.headline import verdict
from batllm_arcade.league.output.pages import links_of
from batllm_arcade.league.output.report import page as report_page
from batllm_arcade.league.output.text import markdown
from batllm_arcade.league.output.title import command_of, title_of
from batllm_arcade.league.plan import LeaguePlan
from batllm_arcade.league.statistics.pair_line import PairLine
from batllm_arcade.league.statistics.table import LeagueTable
from batllm_arcade.league.store import lines_of


@dataclass(frozen=True, slots=True)
class Exports:
    """Files for other programs; None is not wished."""

    csv: Path | None = None
    pgn: Path | None = None

    def check(self) -> None:
        """Raise UsageError if one of them cannot be written or exists."""
        for path in (self.csv, self.pgn):
            if path is not None and path.exists():
                raise UsageError(f"{str(path)!r} exists; name another file, or remove it")
            if path is not None:
                check_output(path, force=False)


def values_of(table: LeagueTable) -> dict[str, Any]:
    """Return the table as `table.json` holds it, with the sentence that it comes to."""
    return {**table.values(), "verdict": verdict(table)}


def write_table(
    folder: Path, table: LeagueTable, plan: LeaguePlan, resume: str, *, page: bool = True, poster: Poster | None = None
) -> None:
    """Write the table's files, each in one step; without `page` only `table.json`, as while the league runs.

    `poster` makes pictures of the best games. Raise ArcadeError if the disk does not take them.
    """
    try:
        write_text(folder / TABLE, [json.dumps(values_of(table)), "\n"])
        if page:
            command = command_of(plan) if table.complete else resume
            write_text(folder / MARKDOWN, [markdown(table, table.name or title_of(plan), command)])
            write_report(folder, table, plan, command, lines_of(folder, plan, table.pairs), poster)
    except OSError as error:
        raise ArcadeError(
            f"the table cannot be written ({error.strerror}); make room and go on with --resume"
        ) from None


def write_report(
    folder: Path,
    table: LeagueTable,
    plan: LeaguePlan,
    command: str,
    played: Iterable[PairLine],
    poster: Poster | None,
    home: str = "",
) -> None:
    """Write the league's page and those of its pairings; `played` are the table's pairs, `home` a page above it.

    Raise OSError if the disk does not take them.
    """
    links = links_of(folder, table.pairs)
    course = write_games(folder, table, plan, played, links, poster)
    write_text(folder / PAGE, [report_page(table, plan, command, links, course, home)])


def write_exports(folder: Path, table: LeagueTable, plan: LeaguePlan, exports: Exports) -> None:
    """Write the table as CSV and the games as PGN headers where that is wished; raise ArcadeError if that fails."""
    try:
        if exports.csv is not None:
            write_text(exports.csv, [csv_of(table)])
        if exports.pgn is not None:
            write_text(exports.pgn, pgn_of(lines_of(folder, plan, table.pairs), table.name or title_of(plan)))
    except OSError as error:
        raise ArcadeError(f"{error.filename or 'the export'!r} cannot be written ({error.strerror})") from None
