"""Writing a site of leagues: every page of it made anew, of lines and sessions, with nothing but relative addresses.

Nothing is copied out of a league's folder: who has sent it may have put anything there.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path

from batllm_arcade.errors import ArcadeError, UsageError
from batllm_arcade.files.atomic import write_text
from batllm_arcade.league.kept_files import PAGES, PAIRINGS, SESSIONS, TABLE
from batllm_arcade.league.output import pages
from batllm_arcade.league.output.files import values_of, write_report
from batllm_arcade.league.output.games import Poster, best_games
from batllm_arcade.league.output.pages import Share
from batllm_arcade.league.output.title import command_of
from batllm_arcade.league.site.home import address, home
from batllm_arcade.league.site.shown_league import ShownLeague, leagues_in, shown_leagues
from batllm_arcade.league.store import lines_of

SCHEMA = "batllm_arcade.league_site.v1"
INDEX, LIST = "index.html", "leagues.json"
"""The first page, and the same for programs, by which a site is known to be one."""


def write_site(
    folders: Sequence[Path], out: Path, title: str, share: Callable[[], Share], poster: Callable[[Path], Poster | None]
) -> list[ShownLeague]:
    """Write the site of the leagues in these folders to `out`, and return them, the last played first.

    A site that is there is brought up to date. What `share` returns writes the pages of a league's kept sessions, what
    `poster` returns of its folder the pictures of its best games. Raise UsageError if there is something else, or a
    league is damaged; ArcadeError if the disk does not take it.
    """
    leagues = shown_leagues(leagues_in(folders))
    _check(out, leagues)
    try:
        write_text(out / LIST, [json.dumps({"schema": SCHEMA, "leagues": list(map(_listed, leagues))}), "\n"])
        for league in leagues:
            _write(league, out / league.place, share(), poster(league.folder))
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


def _write(league: ShownLeague, out: Path, share: Share, poster: Poster | None) -> None:
    """Write a league's pages; those that were there are removed, for whatever made them."""
    folder, table, plan = league.folder, league.table, league.plan
    for name, suffix in ((PAGES, ".html"), (PAIRINGS, ".html"), (PAIRINGS, ".png")):
        (out / name).mkdir(parents=True, exist_ok=True)
        for pair, game in pages.kept(out / name, 10**18, suffix):
            (out / name / f"{pair}-{game}{suffix}").unlink()
    numbers = pages.kept(folder / SESSIONS, table.pairs)
    best = best_games(lines_of(folder, plan, table.pairs), numbers)
    pages.write_pages(folder, plan, numbers, share, best, out)
    write_text(out / TABLE, [json.dumps(values_of(table)), "\n"])
    played = lines_of(folder, plan, table.pairs)
    write_report(out, table, plan, command_of(plan), played, poster, home=f"../{INDEX}")
