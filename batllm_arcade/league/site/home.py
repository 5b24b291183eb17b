"""The first page of a site: every league with its best player, and the players of several leagues; pure."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from batllm_arcade.league.output import charts, words
from batllm_arcade.league.output.headline import SURE, opening
from batllm_arcade.league.output.html import Cell, document, grid, sentence
from batllm_arcade.league.site.shown_league import ShownLeague
from batllm_arcade.league.statistics.table import TableRow

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
    """Return the table of the leagues with the best player of each."""
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
    """Return a league in a few words and a picture, which lead to its page."""
    rows = league.table.players
    more = f'<p class="note">and {len(rows) - MOST_BARS} more</p>' if len(rows) > MOST_BARS else ""
    state = f"{league.plan.config.removesuffix('.yaml')}: {words.state(league.table)}"
    return (
        f'<a class="card tile" href="{escape(address(league))}"><h2>{escape(league.title)}</h2>'
        f"<p>{escape(opening(league.table))}</p>{charts.ratings(rows[:MOST_BARS], narrow=True)}{more}"
        f'<p class="note">{escape(state)}</p></a>'
    )


def _again(leagues: Sequence[ShownLeague]) -> str:
    """Return the table of those who played in more than one league, "" without any."""
    found: dict[tuple[str, str, str], list[tuple[ShownLeague, TableRow]]] = {}
    for league in leagues:
        for row in league.table.players:
            found.setdefault(_who(league, row), []).append((league, row))
    rows: list[list[Cell]] = []
    for _, seen in sorted(found.items()):
        for league, row in seen if len(seen) > 1 else ():
            place = f"{row.rank} of {len(league.table.players)}"
            rows.append([row.name, (league.title, address(league)), place, words.signed(row.rating),
                         words.interval(row), words.percent(row.score), f"{row.games:,}"])  # fmt: skip
    if not rows:
        return ""
    head = ("player", "league", "place", "Elo", "95%", "score", "games")
    return "<h2>In several leagues</h2>" + grid(head, rows, text=(0, 1), bold=(3,), wraps=True)


def _who(league: ShownLeague, row: TableRow) -> tuple[str, str, str]:
    """Return what makes a player the same in two leagues: name, brain, orders."""
    player = next(each for each in league.plan.players if each.name == row.name)
    return player.name, player.brain, player.orders
