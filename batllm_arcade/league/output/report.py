"""A league's page: one HTML file that needs nothing else, with every name and text escaped; pure."""

from __future__ import annotations

from html import escape

from batllm_arcade.league.output import charts, curves, versus, words
from batllm_arcade.league.output.columns import BRAIN_COLUMNS, MODEL_COLUMNS, RATING_COLUMNS, cells, headings
from batllm_arcade.league.output.headline import opening
from batllm_arcade.league.output.html import Cell, document, grid, player_cards, section, sentence
from batllm_arcade.league.output.pages import Links
from batllm_arcade.league.output.title import title_of
from batllm_arcade.league.plan import LeaguePlan, PairSchedule
from batllm_arcade.league.statistics.course import Course
from batllm_arcade.league.statistics.outcome import FAULTS
from batllm_arcade.league.statistics.table import LeagueTable

_NONE = ("", "0")
MOST_OPEN = 12
"""Pairings that are listed; more are folded away."""
MOST_LINKS = 600
"""Kept sessions that the page links to; the folder has the others."""


def page(
    table: LeagueTable, plan: LeaguePlan, command: str, links: Links, course: Course | None = None, home: str = ""
) -> str:
    """Return the whole page, with links to the kept games; where there is a `course` every pairing has a page, too.

    `home` is the address of a page above it, "" without one.
    """
    tested, notes = words.test_words(table), (words.circle(table), *words.marked(table), *table.notes)
    ratings = charts.ratings(table.players) + charts.ratings(table.players, narrow=True)
    parts = [
        f'<p class="state"><a href="{escape(home)}">All leagues</a></p>' if home else "",
        f'<p class="lead">{escape(opening(table))}</p>',
        sentence(f"{title_of(plan)}: {words.state(table)}" if table.name else words.state(table)),
        sentence(tested, "verdict"),
        *map(sentence, notes),
        f"<pre>{escape(command)}</pre>" if command else "",
        "</header>",
        section("Ratings", ratings, _RATINGS_NOTE),
        grid(headings(RATING_COLUMNS), cells(RATING_COLUMNS, table.players), text=(1,), bold=(2,)),
        section("Everybody against everybody", charts.heat_map(table), _MATRIX_NOTE) if len(plan.players) > 2 else "",
        _pairings(table, plan, linked=course is not None),
        _curves(table, plan, course),
        _sides(table),
        "<h2>Brains</h2>",
        _brains(table),
        f'<p class="note">{escape(_BRAINS_NOTE)}</p>',
        f"<h2>Players</h2>{player_cards(plan.players)}",
        _sessions(plan, links),
    ]  # fmt: skip
    return document(table.name or title_of(plan), "LEAGUE", parts)


def _brains(table: LeagueTable) -> str:
    """Return the table of what the brains did, without the columns of models where there is none."""
    shown = [column for column in BRAIN_COLUMNS if any(column.cell(row) not in _NONE for row in table.players)
             or column.heading not in MODEL_COLUMNS]  # fmt: skip
    return grid(headings(shown), cells(shown, table.players), text=(0,), faults=len(shown) - len(FAULTS))


def _curves(table: LeagueTable, plan: LeaguePlan, course: Course | None) -> str:
    if course is None:
        return ""
    shown = [
        ("Ratings over the pairs", curves.ratings(table, plan, course), _CURVES_NOTE),
        ("The sequential test over the pairs", curves.test(table, course), _TEST_NOTE),
    ]
    return "".join(section(title, picture, note, wide=True) for title, picture, note in shown if picture)


def _pairings(table: LeagueTable, plan: LeaguePlan, *, linked: bool) -> str:
    """Return every pairing with its difference, `linked` to its own page."""
    rows: list[list[Cell]] = []
    for pairing in table.matrix:
        name = " against ".join(pairing.players)
        shown = (name, versus.address(plan, pairing)) if linked else name
        elo = "" if pairing.difference is None else words.signed(pairing.difference)
        rows.append([shown, elo, words.interval(pairing), words.chance(pairing.chance), words.percent(pairing.score),
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


def _sessions(plan: LeaguePlan, links: Links) -> str:
    """Return links to the games that were kept, by pairing."""
    if not links:
        return ""
    schedule, groups = PairSchedule(plan), dict[int, list[str]]()
    for number in list(links)[:MOST_LINKS]:
        link = f'<a href="{links[number]}">{number[0]}-{number[1]}</a>'
        groups.setdefault(schedule.pairing(number[0]), []).append(link)
    parts = ["<h2>Games to watch</h2>"]
    for pairing, found in sorted(groups.items()):
        one, other = (plan.players[index].name for index in plan.pairings[pairing])
        parts.append(f"<details><summary>{escape(one)} against {escape(other)} <span>{len(found)}</span></summary>")
        parts.append(f'<p class="links">{" ".join(found)}</p></details>')
    note = "A game is named by its pair and its number, 1 or 2"
    if any(address.endswith(".json") for address in links.values()):
        note += ". One without a page is a session file; open it with: batllm-arcade replay sessions/PAIR-GAME.json"
    if len(links) > MOST_LINKS:
        note += f"; the first {MOST_LINKS} of {len(links):,} are listed"
    return "".join([*parts, f'<p class="note">{escape(note)}.</p>'])
