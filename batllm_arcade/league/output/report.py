"""A league's page: one HTML file that needs nothing else, with every name and text escaped."""

from __future__ import annotations

import os
from html import escape
from pathlib import Path

from batllm_arcade.league.output import charts, curves, versus, words
from batllm_arcade.league.output.columns import BRAIN_COLUMNS, RATING_COLUMNS, cells, headings
from batllm_arcade.league.output.headline import headline, verdict
from batllm_arcade.league.output.html import Cell, document, grid, section, sentence
from batllm_arcade.league.output.pages import page_of
from batllm_arcade.league.output.title import title_of
from batllm_arcade.league.plan import LeaguePlan, PairSchedule
from batllm_arcade.league.statistics.course import Course
from batllm_arcade.league.statistics.outcome import FAULTS
from batllm_arcade.league.statistics.table import LeagueTable

MOST_OPEN = 12
"""Pairings that are listed; more are folded away."""
MOST_LINKS = 600
"""Kept sessions that the page links to; the folder has the others."""


def page(table: LeagueTable, plan: LeaguePlan, folder: Path, command: str, course: Course | None = None) -> str:
    """Return the whole page; the sessions kept in `folder`, and the pages of its pairings, are linked beside it."""
    tested, notes = words.test_words(table), (words.circle(table), *words.marked(table), *table.notes)
    ratings = charts.ratings(table.players) + charts.ratings(table.players, narrow=True)
    lead = f"{verdict(table)}." if len(table.players) == 2 else headline(table)
    parts = [
        f'<p class="lead">{escape(lead)}</p>',
        sentence(f"{title_of(plan)}: {words.state(table)}" if table.name else words.state(table)),
        sentence(tested, "verdict"),
        *map(sentence, notes),
        f"<pre>{escape(command)}</pre>" if command else "",
        "</header>",
        section("Ratings", ratings, _RATINGS_NOTE),
        grid(headings(RATING_COLUMNS), cells(RATING_COLUMNS, table.players), text=(1,), bold=(2,)),
        section("Everybody against everybody", charts.heat_map(table), _MATRIX_NOTE) if len(plan.players) > 2 else "",
        _pairings(table, plan, folder),
        _curves(table, plan, course),
        _sides(table),
        "<h2>Brains</h2>",
        grid(headings(BRAIN_COLUMNS), cells(BRAIN_COLUMNS, table.players), text=(0,),
             faults=len(BRAIN_COLUMNS) - len(FAULTS)),
        f'<p class="note">{escape(_BRAINS_NOTE)}</p>',
        _orders(plan),
        _sessions(table, plan, folder),
    ]  # fmt: skip
    return document(table.name or title_of(plan), "LEAGUE", parts)


def _curves(table: LeagueTable, plan: LeaguePlan, course: Course | None) -> str:
    if course is None:
        return ""
    shown = [
        ("Ratings over the pairs", curves.ratings(table, plan, course), _CURVES_NOTE),
        ("The sequential test over the pairs", curves.test(table, course), _TEST_NOTE),
    ]
    return "".join(section(title, picture, note) for title, picture, note in shown if picture)


def _pairings(table: LeagueTable, plan: LeaguePlan, folder: Path) -> str:
    """Return every pairing with its difference, and a link to its own page where there is one."""
    rows: list[list[Cell]] = []
    for pairing in table.matrix:
        name = " against ".join(pairing.players)
        address = versus.address(plan, pairing)
        linked = (name, address) if (folder / address).exists() else name
        elo = "" if pairing.difference is None else words.signed(pairing.difference)
        rows.append([linked, elo, words.interval(pairing), words.chance(pairing.chance), words.percent(pairing.score),
                     ", ".join(map(str, pairing.pairs))])  # fmt: skip
    head = ("pairing", "Elo apart", "95%", "better", "score", "LL, LD, DD+WL, WD, WW")
    inner = grid(head, rows, text=(0,), bold=(1,))
    if len(rows) > MOST_OPEN:
        inner = f"<details><summary>All {len(rows):,} pairings</summary>{inner}</details>"
    return f'<h2>Pairings</h2>{inner}<p class="note">{escape(_PAIRINGS_NOTE)}</p>'


_RATINGS_NOTE = (
    "Elo, the mean of all players is 0: 100 more are a score of 64%. The bar is the 95% interval, an arrow where "
    "nothing bounds it; players share a rank unless one is surely better. A pair is one seed played twice with "
    "the seats changed."
)
_MATRIX_NOTE = "The score of the row's player against the column's; a draw is half a point."
_PAIRINGS_NOTE = (
    "How many Elo the first is rated higher, by all pairs of the league, between what 95% of it lie, and how likely it "
    "is the better one; the score is that of their own games."
)
_CURVES_NOTE = "What the ratings were after so many pairs: where the lines no longer move, more pairs change little."
_TEST_NOTE = "The log-likelihood ratio after so many pairs; the test is decided where it reaches a dashed line."
_BRAINS_NOTE = (
    "Median and slowest answer, decisions and tokens a second of thinking. A play without a good answer is counted as "
    "crashed, silent or garbage (a program), timeout (too late), error (anything else) or invalid (no command)."
)


def _sides(table: LeagueTable) -> str:
    found = []
    shown = [(table.left.share, "Left against right"), (table.first.share, "Who acts first")]
    for (share, heading), said in zip(shown, words.sides(table), strict=False):
        bar = "" if share is None else charts.share_bar(share)
        found.append(
            f'<div class="card"><h2>{heading}</h2><p class="big">{words.percent(share)}</p>'
            f'{bar}<p class="note">{escape(said[:1].upper() + said[1:])}.</p></div>'
        )
    return f'<div class="cards">{"".join(found)}</div>' if found else ""


def _orders(plan: LeaguePlan) -> str:
    rows = [[player.name, player.brain, player.orders or "none"] for player in plan.players]
    return "<h2>Players</h2>" + grid(("player", "brain", "orders"), rows, text=(0, 1, 2), wraps=True)


def _sessions(table: LeagueTable, plan: LeaguePlan, folder: Path) -> str:
    """Return links to the sessions that were kept, by pairing."""
    numbers = kept(folder / "sessions", table.pairs)
    if not numbers:
        return ""
    schedule, groups = PairSchedule(plan), dict[int, list[tuple[int, int]]]()
    for number in numbers[:MOST_LINKS]:
        groups.setdefault(schedule.pairing(number[0]), []).append(number)
    parts = ["<h2>Sessions</h2>"]
    for pairing, found in sorted(groups.items()):
        one, other = (plan.players[index].name for index in plan.pairings[pairing])
        links = " ".join(f'<a href="{_address(folder, number)}">{number[0]}-{number[1]}</a>' for number in found)
        parts.append(f"<details><summary>{escape(one)} against {escape(other)} <span>{len(found)}</span></summary>")
        parts.append(f'<p class="links">{links}</p></details>')
    note = "Open one in the window with: batllm-arcade replay sessions/PAIR-GAME.json"
    if len(numbers) > MOST_LINKS:
        note += f"; the first {MOST_LINKS} of {len(numbers):,} are listed"
    return "".join([*parts, f'<p class="note">{escape(note)}.</p>'])


def _address(folder: Path, number: tuple[int, int]) -> str:
    """Return the address of a kept session: its page if there is one, else the session file."""
    page = page_of(folder, number)
    pair, game = number
    return page.relative_to(folder).as_posix() if page.exists() else f"sessions/{pair}-{game}.json"


def kept(folder: Path, pairs: int) -> list[tuple[int, int]]:
    """Return pair and game (1, 2) of every session kept of the first pairs, in order."""
    found = []
    try:
        names = os.listdir(folder)
    except OSError:
        return []
    for name in names:
        pair, dash, game = name.removesuffix(".json").partition("-")
        if dash and pair.isdecimal() and game in ("1", "2") and 1 <= int(pair) <= pairs:
            found.append((int(pair), int(game)))
    return sorted(found)
