"""A league's page: one HTML file that needs nothing else, with every name and text escaped."""

from __future__ import annotations

import os
from collections.abc import Sequence
from html import escape
from pathlib import Path

from batllm_arcade.league.output import charts, words
from batllm_arcade.league.output.columns import BAD_COLUMNS, BRAIN_COLUMNS, RATING_COLUMNS, cells, headings
from batllm_arcade.league.output.pages import page_of
from batllm_arcade.league.output.style import STYLE
from batllm_arcade.league.output.title import title_of
from batllm_arcade.league.plan import LeaguePlan, PairSchedule
from batllm_arcade.league.statistics.table import LeagueTable

MOST_LINKS = 600
"""Kept sessions that the page links to; the folder has the others."""


def page(table: LeagueTable, plan: LeaguePlan, folder: Path, command: str) -> str:
    """Return the whole page; the sessions kept in `folder` are linked beside it."""
    title = escape(title_of(plan))
    verdict, notes = words.test_words(table), (words.circle(table), *words.marked(table), *table.notes)
    ratings = charts.ratings(table.players) + charts.ratings(table.players, narrow=True)
    parts = [
        "<!DOCTYPE html>",
        '<html lang="en"><head><meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">",
        f"<title>{title}</title><style>{STYLE}</style></head><body><main>",
        f"<header><p class=\"brand\">BATLLM ARCADE &middot; LEAGUE</p><h1>{title}</h1>",
        f"<p class=\"state\">{escape(words.state(table))}</p>",
        f"<p class=\"verdict\">{escape(verdict)}</p>" if verdict else "",
        *(f"<p class=\"state\">{escape(note[:1].upper() + note[1:])}.</p>" for note in notes if note),
        f"<pre>{escape(command)}</pre>" if command else "",
        "</header>",
        _section("Ratings", ratings, _RATINGS_NOTE),
        _table(headings(RATING_COLUMNS), cells(RATING_COLUMNS, table.players), text=(1,), bold=(2,)),
        _section("Everybody against everybody", charts.heat_map(table), _MATRIX_NOTE) if len(plan.players) > 2 else "",
        _sides(table),
        "<h2>Brains</h2>",
        _table(headings(BRAIN_COLUMNS), cells(BRAIN_COLUMNS, table.players), text=(0,),
               faults=len(BRAIN_COLUMNS) - BAD_COLUMNS),
        f"<p class=\"note\">{escape(_BRAINS_NOTE)}</p>",
        _orders(plan),
        _sessions(table, plan, folder),
        "</main></body></html>\n",
    ]  # fmt: skip
    return "\n".join(part for part in parts if part)


_RATINGS_NOTE = (
    "Elo, the mean of all players is 0: 100 more are a score of 64%. The bar is the 95% interval, an arrow where "
    "nothing bounds it; players share a rank unless one is surely better. A pair is one seed played twice with "
    "the seats changed."
)
_MATRIX_NOTE = "The score of the row's player against the column's; a draw is half a point."
_BRAINS_NOTE = (
    "Median and slowest answer, decisions and tokens a second of thinking. A play without a good answer is counted as "
    "crashed, silent or garbage (a program), timeout (too late), error (anything else) or invalid (no command)."
)


def _section(title: str, picture: str, note: str) -> str:
    figure = f'<div class="scroll">{picture}</div>'
    return f'<h2>{escape(title)}</h2><figure>{figure}<figcaption class="note">{escape(note)}</figcaption></figure>'


def _table(
    head: Sequence[str],
    rows: Sequence[Sequence[str]],
    *,
    text: Sequence[int],
    bold: Sequence[int] = (),
    faults: int | None = None,
    wraps: bool = False,
) -> str:
    """Return a table; `text` are the columns of words (long ones if it `wraps`), `faults` the first where 0 is good."""
    words_kind = "text wrap" if wraps else "text"

    def cell(index: int, value: str) -> str:
        kinds = [words_kind] if index in text else []
        kinds += ["bold"] if index in bold else []
        if faults is not None and index >= faults:
            kinds.append("good" if value == "0" else "bad")
        return f'<td class="{" ".join(kinds)}">{escape(value)}</td>' if kinds else f"<td>{escape(value)}</td>"

    names = "".join(f'<th class="text">{escape(name)}</th>' if index in text else f"<th>{escape(name)}</th>"
                    for index, name in enumerate(head))  # fmt: skip
    body = "".join(f"<tr>{''.join(cell(index, value) for index, value in enumerate(row))}</tr>" for row in rows)
    return f'<div class="scroll"><table><thead><tr>{names}</tr></thead><tbody>{body}</tbody></table></div>'


def _sides(table: LeagueTable) -> str:
    found = []
    shown = [(table.left.share, "Left against right"), (table.first.share, "Who acts first")]
    for (share, heading), sentence in zip(shown, words.sides(table), strict=False):
        bar = "" if share is None else charts.share_bar(share)
        found.append(
            f'<div class="card"><h2>{heading}</h2><p class="big">{words.percent(share)}</p>'
            f'{bar}<p class="note">{escape(sentence[:1].upper() + sentence[1:])}.</p></div>'
        )
    return f'<div class="cards">{"".join(found)}</div>' if found else ""


def _orders(plan: LeaguePlan) -> str:
    rows = [[player.name, player.brain, player.orders or "none"] for player in plan.players]
    return "<h2>Players</h2>" + _table(("player", "brain", "orders"), rows, text=(0, 1, 2), wraps=True)


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
