"""A site of several leagues."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from html import escape
from pathlib import Path, PurePath

from batllm_arcade.brains.protocol import Spec
from batllm_arcade.brains.redaction import public_options, public_variant, without_folders
from batllm_arcade.errors import ArcadeError, UsageError
from batllm_arcade.files.atomic import write_text
from batllm_arcade.league.coordinator import ended
from batllm_arcade.league.kept_files import LEAGUE, PAGES, PAIRINGS, SESSIONS, TABLE
from batllm_arcade.league.league_file import opened
from batllm_arcade.league.output import report, words
from batllm_arcade.league.output.files import Poster, best_games, values_of, write_report
from batllm_arcade.league.output.report import Cell, document, grid, sentence
from batllm_arcade.league.output.words import SURE, Share, command_of, title_of, verdict
from batllm_arcade.league.plan import LeaguePlan
from batllm_arcade.league.setup import prices_of
from batllm_arcade.league.statistics.table import LeagueTable, TableRow, table
from batllm_arcade.league.statistics.tally import LeagueTally
from batllm_arcade.league.store import lines_of


@dataclass(frozen=True, slots=True)
class ShownLeague:
    """A league, the folder it is in, its own folder in the site, and the day of its last pair ("" without any)."""

    folder: Path
    place: str
    plan: LeaguePlan
    table: LeagueTable
    day: str

    @property
    def title(self) -> str:
        """Return what it is called."""
        return self.table.name or title_of(self.plan)


def leagues_in(folders: Iterable[Path]) -> list[Path]:
    """Return the folders of leagues among these and, of a folder that is none, those in it, each once.

    Raise UsageError if there are none, or one in a folder is a link: it may lead to a league that nobody named.
    """
    by_path: dict[Path, Path] = {}
    for folder in folders:
        inner = [folder] if (folder / LEAGUE).is_file() else sorted(each.parent for each in folder.glob(f"*/{LEAGUE}"))
        if not inner:
            raise UsageError(f"there is no league in {str(folder)!r}; name the folder of a league, or one with leagues")
        for each in inner:
            if each != folder and each.is_symlink():
                raise UsageError(f"{str(each)!r} is a link; name the folder that it leads to, or remove it")
            by_path[each.resolve()] = each
    return list(by_path)


def shown_leagues(folders: Sequence[Path]) -> list[ShownLeague]:
    """Return the leagues in these folders, the last played first; raise UsageError if one is damaged."""
    places: list[str] = []
    leagues = []
    for folder in folders:
        short = re.sub(r"[^a-z0-9]+", "-", folder.name.lower()).strip("-") or "league"
        candidates = [short, *(f"{short}-{number}" for number in range(2, len(folders) + 2))]
        places.append(next(place for place in candidates if place not in places))
        leagues.append(_read_league(folder, places[-1]))
    return sorted(leagues, key=lambda league: league.day, reverse=True)


def _read_league(folder: Path, place: str) -> ShownLeague:
    setup, run, _ = opened(folder)
    tally, day = LeagueTally(setup.plan), ""
    try:
        for line in lines_of(folder, setup.plan, setup.plan.total, setup.config.rules):
            tally.add(line)
            day = line["finished"]
    except FileNotFoundError:  # nothing has been played yet
        pass
    except OSError as error:
        raise UsageError(f"the pairs of the league in {str(folder)!r} cannot be read: {error.strerror}") from None
    except UsageError as error:
        raise UsageError(f"the league in {str(folder)!r} is damaged: {error}") from None
    end = ended(setup.plan, tally)
    standings = table(
        setup.plan,
        tally,
        complete=end is not None and end.complete,
        notes=[without_folders(note) for note in setup.notes],
        name=run.name,
        prices=prices_of(setup.plan, run.prices),
        anchor=run.anchor,
        readings=run.readings,
    )
    return ShownLeague(folder, place, published(setup.plan), standings, day)


def published(plan: LeaguePlan) -> LeaguePlan:
    """Return a plan as it may be published: its folders, keys and users of addresses are left out."""
    return replace(
        plan,
        config=PurePath(plan.config).name,
        plugins_dir=PurePath(plan.plugins_dir).name if plan.plugins_dir else "",
        players=tuple(
            replace(player, brain=public_brain(player.brain), fallback=public_brain(player.fallback), orders_file="")
            for player in plan.players
        ),
    )


def public_brain(text: str) -> str:
    """Return a brain as on the command line, without folders and secrets; "" of none."""
    if not text:
        return ""
    spec = Spec.parse(text)
    options = [f"{key}={value}" for key, value in public_options(spec.options).items()]
    shown = ",".join([*([public_variant(spec.variant)] if spec.variant else []), *options])
    return f"{spec.name}:{shown}" if shown else spec.name


MOST_BARS = 8
"""Players in the small picture of a league."""


def address(league: ShownLeague) -> str:
    """Return where a league's own page is."""
    return f"{league.place}/report.html"


def home(leagues: Sequence[ShownLeague], title: str) -> str:
    """Return the page; the leagues are shown in their order."""
    players = {_who(league, row) for league in leagues for row in league.table.players}
    pairs = sum(league.table.pairs for league in leagues)
    counted = f"{_many(len(leagues), 'league')}, {_many(len(players), 'player')}, {2 * pairs:,} games"
    parts = [
        sentence(counted, "lead"),
        sentence(_NOTE),
        "</header>",
        _leaders(leagues),
        '<div class="tiles">',
        *map(_tile, leagues),
        "</div>",
        _again(leagues),
    ]
    return document(title, "LEAGUES", parts)


_NOTE = (
    "Ratings are Elo within a league, the mean of its players is 0: those of two leagues say nothing of each other, "
    "but a player who is in both can be compared with the same others"
)


def _many(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def _leaders(leagues: Sequence[ShownLeague]) -> str:
    rows: list[list[Cell]] = []
    for league in leagues:
        table = league.table
        best, second = table.players[:2]
        sure = best.los is not None and best.los >= SURE and second.rank > 1
        rows.append([(league.title, address(league)), best.name if table.pairs else "-",
                     words.signed(best.rating), words.interval(best), words.chance(best.los),
                     "yes" if sure else "no", str(len(table.players)), f"{2 * table.pairs:,}",
                     league.day[:10] or "-"])  # fmt: skip
    head = ("league", "first", "Elo", "95%", "better than next", "sure", "players", "games", "played")
    return "<h2>Who leads</h2>" + grid(head, rows, text=(0, 1), bold=(1,), wraps=True)


def _tile(league: ShownLeague) -> str:
    rows = league.table.players
    more = f'<p class="note">and {len(rows) - MOST_BARS} more</p>' if len(rows) > MOST_BARS else ""
    state = f"{league.plan.config.removesuffix('.yaml')}: {words.state(league.table)}"
    return (
        f'<a class="card tile" href="{escape(address(league))}"><h2>{escape(league.title)}</h2>'
        f"<p>{escape(verdict(league.table))}.</p>{report.ratings(rows[:MOST_BARS], narrow=True)}{more}"
        f'<p class="note">{escape(state)}</p></a>'
    )


def _again(leagues: Sequence[ShownLeague]) -> str:
    players: dict[tuple[str, str, str], list[tuple[ShownLeague, TableRow]]] = {}
    for league in leagues:
        for row in league.table.players:
            players.setdefault(_who(league, row), []).append((league, row))
    rows: list[list[Cell]] = []
    for _, seen in sorted(players.items()):
        for league, row in seen if len(seen) > 1 else ():
            place = f"{row.rank} of {len(league.table.players)}"
            rows.append([row.name, (league.title, address(league)), place, words.signed(row.rating),
                         words.interval(row), words.percent(row.score), f"{row.games:,}"])  # fmt: skip
    if not rows:
        return ""
    head = ("player", "league", "place", "Elo", "95%", "score", "games")
    return "<h2>In several leagues</h2>" + grid(head, rows, text=(0, 1), bold=(3,), wraps=True)


def _who(league: ShownLeague, row: TableRow) -> tuple[str, str, str]:
    player = next(each for each in league.plan.players if each.name == row.name)
    return player.name, player.brain, player.orders


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
        listed = [
            {"title": each.title, "page": address(each), "day": each.day, "table": values_of(each.table)}
            for each in leagues
        ]
        write_text(out / LIST, [json.dumps({"schema": SCHEMA, "leagues": listed}), "\n"])
        for league in leagues:
            _write(league, out / league.place, share(), poster(league.folder))
        write_text(out / INDEX, [home(leagues, title)])
    except OSError as error:
        raise ArcadeError(f"the site cannot be written ({error.strerror}); make room and try again") from None
    return leagues


def _check(out: Path, leagues: Sequence[ShownLeague]) -> None:
    try:
        out.mkdir(parents=True, exist_ok=True)
        if any(out.iterdir()) and not (out / LIST).is_file():
            raise UsageError(f"{str(out)!r} holds something else than a site; name another folder with -o")
    except OSError as error:
        raise UsageError(f"the folder {str(out)!r} cannot be written: {error.strerror}") from None
    inside = [league for league in leagues if league.folder.resolve().is_relative_to(out.resolve())]
    if inside:
        raise UsageError(f"{str(out)!r} holds a league itself; name another folder with -o")


def _write(league: ShownLeague, out: Path, share: Share, poster: Poster | None) -> None:
    """Write a league's pages; those that were there are removed, for whatever made them."""
    folder, table, plan = league.folder, league.table, league.plan
    for name, suffix in ((PAGES, ".html"), (PAIRINGS, ".html"), (PAIRINGS, ".png")):
        (out / name).mkdir(parents=True, exist_ok=True)
        for pair, game in words.kept_numbers(out / name, 10**18, suffix):
            (out / name / f"{pair}-{game}{suffix}").unlink()
    numbers = words.kept_numbers(folder / SESSIONS, table.pairs)
    best = best_games(lines_of(folder, plan, table.pairs), numbers)
    words.write_pages(folder, plan, numbers, share, best, out)
    write_text(out / TABLE, [json.dumps(values_of(table)), "\n"])
    played = lines_of(folder, plan, table.pairs)
    write_report(out, table, plan, command_of(plan), played, poster, home=f"../{INDEX}")
