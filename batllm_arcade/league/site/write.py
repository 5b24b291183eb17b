"""Writing a site of leagues: their pages made anew, what they link to copied, nothing but relative addresses."""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from pathlib import Path

from batllm_arcade.errors import ArcadeError, UsageError
from batllm_arcade.files.atomic import write_text
from batllm_arcade.league.league_file import TABLE
from batllm_arcade.league.output import pages, versus
from batllm_arcade.league.output.files import values_of, write_report
from batllm_arcade.league.output.pages import Number
from batllm_arcade.league.output.title import command_of
from batllm_arcade.league.site.home import address, home
from batllm_arcade.league.site.shown_league import ShownLeague, leagues_in, shown_leagues
from batllm_arcade.league.store import lines_of

SCHEMA = "batllm_arcade.league_site.v1"
INDEX, LIST = "index.html", "leagues.json"
"""The first page, and the same for programs, by which a site is known to be one."""


def write_site(folders: Sequence[Path], out: Path, title: str) -> list[ShownLeague]:
    """Write the site of the leagues in these folders to `out`, and return them, the last played first.

    A site that is there is brought up to date. Raise UsageError if there is something else, or a league is damaged;
    ArcadeError if the disk does not take it.
    """
    leagues = shown_leagues(leagues_in(folders))
    _check(out, leagues)
    try:
        write_text(out / LIST, [json.dumps({"schema": SCHEMA, "leagues": list(map(_listed, leagues))}), "\n"])
        for league in leagues:
            _write(league, out / league.place)
        write_text(out / INDEX, [home(leagues, title)])
    except OSError as error:
        raise ArcadeError(f"the site cannot be written ({error.strerror}); make room and try again") from None
    return leagues


def _check(out: Path, leagues: Sequence[ShownLeague]) -> None:
    """Make the folder; raise UsageError if it holds anything but a site."""
    try:
        out.mkdir(parents=True, exist_ok=True)
        if any(out.iterdir()) and not (out / LIST).is_file():
            raise UsageError(f"{str(out)!r} holds something else than a site; name another folder with -o")
    except OSError as error:
        raise UsageError(f"the folder {str(out)!r} cannot be written: {error.strerror}") from None
    inside = [league for league in leagues if league.folder.resolve().is_relative_to(out.resolve())]
    if inside:
        raise UsageError(f"{str(out)!r} holds a league itself; name another folder with -o")


def _listed(league: ShownLeague) -> dict[str, object]:
    return {"title": league.title, "page": address(league), "day": league.day, "table": values_of(league.table)}


def _write(league: ShownLeague, out: Path) -> None:
    """Write a league's pages: those of its games are copied, all others made anew."""
    table = league.table
    (out / pages.FOLDER).mkdir(parents=True, exist_ok=True)
    for number in pages.kept(league.folder / pages.FOLDER, table.pairs, ".html"):
        _copy(pages.page_of(league.folder, number), out / pages.FOLDER)

    def poster(number: Number, to: Path) -> None:
        shutil.copyfile(league.folder / versus.FOLDER / to.name, to)

    write_text(out / TABLE, [json.dumps(values_of(table)), "\n"])
    played = lines_of(league.folder, table.pairs)
    write_report(out, table, league.plan, command_of(league.plan), played, poster, home=f"../{INDEX}")


def _copy(page: Path, folder: Path) -> None:
    """Copy a page that is not there as it is."""
    there, seen = folder / page.name, page.stat()
    if not there.is_file() or (there.stat().st_size, there.stat().st_mtime) != (seen.st_size, seen.st_mtime):
        shutil.copy2(page, there)
