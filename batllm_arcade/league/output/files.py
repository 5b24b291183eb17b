"""The files of a league's table: `table.json`, `table.md`, `report.html`."""

from __future__ import annotations

import json
from pathlib import Path

from batllm_arcade.errors import ArcadeError
from batllm_arcade.files.atomic import write_text
from batllm_arcade.league.league_file import TABLE
from batllm_arcade.league.output.report import page as report_page
from batllm_arcade.league.output.text import markdown
from batllm_arcade.league.output.title import command_of, title_of
from batllm_arcade.league.plan import LeaguePlan
from batllm_arcade.league.statistics.table import LeagueTable

MARKDOWN, PAGE = "table.md", "report.html"


def write_table(folder: Path, table: LeagueTable, plan: LeaguePlan, resume: str, *, page: bool = True) -> None:
    """Write the table's files, each in one step; without `page` only `table.json`, as while the league runs.

    Raise ArcadeError if the disk does not take them.
    """
    try:
        write_text(folder / TABLE, [json.dumps(table.values()), "\n"])
        if page:
            command = command_of(plan) if table.complete else resume
            write_text(folder / MARKDOWN, [markdown(table, title_of(plan), command)])
            write_text(folder / PAGE, [report_page(table, plan, folder, command)])
    except OSError as error:
        raise ArcadeError(
            f"the table cannot be written ({error.strerror}); make room and go on with --resume"
        ) from None
