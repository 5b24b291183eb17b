"""A league's report as a page."""

from __future__ import annotations

import math
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from html import escape
from importlib.resources import files
from typing import Any, Protocol

from batllm_arcade.league.kept_files import PAIRINGS
from batllm_arcade.league.output import words
from batllm_arcade.league.output.words import DETAILS, Links, Number, title_of
from batllm_arcade.league.plan import LeaguePlan, PairSchedule
from batllm_arcade.league.statistics.rating import Course
from batllm_arcade.league.statistics.table import LeagueTable, Pairing, TableRow
from batllm_arcade.league.statistics.tally import GameLine, PairLine

_LABEL, _CELL = 190.0, 58.0
_LOW, _EVEN, _HIGH = (255, 106, 77), (36, 43, 66), (64, 201, 255)
"""The colours of a score of 0, of a half, of 1."""


def ratings(rows: Sequence[TableRow], *, narrow: bool = False) -> str:
    """Return the ratings as points with bars for their 95% intervals, best at the top; `narrow` is for a phone."""
    low, high = words.span(rows)
    step = axis_step(high - low) * (2 if narrow else 1)
    first, last = math.floor(low / step) * step, math.ceil(high / step) * step
    last = last if last > first else first + step
    width, row_height, left_edge, right_edge = (380.0, 50.0, 26.0, 354.0) if narrow else (860.0, 34.0, 190.0, 776.0)
    height = row_height * len(rows) + 44.0

    def at(elo: float) -> float:
        return left_edge + (elo - first) / (last - first) * (right_edge - left_edge)

    kind = "ratings narrow" if narrow else "ratings wide"
    parts = [f'<svg class="{kind}" viewBox="0 0 {width:g} {height:g}" role="img" aria-label="Ratings in Elo">']
    for number in range(round((last - first) / step) + 1):
        tick = first + number * step
        x, line = at(tick), "zero" if abs(tick) < step / 2 else "grid"
        parts.append(f'<line class="{line}" x1="{x:.1f}" y1="6" x2="{x:.1f}" y2="{height - 30:g}"/>')
        parts.append(f'<text class="tick" x="{x:.1f}" y="{height - 10:g}">{words.signed(tick)}</text>')
    for place, row in enumerate(rows):
        top = 6 + row_height * place
        y, words_y = (top + 37, top + 20) if narrow else (top + 17, top + 22)
        label = f"{row.name}: {words.signed(row.rating)} Elo, 95% {words.interval(row)}"
        name = escape(short(row.name, 28 if narrow else 22))
        name_x, end_x = (0.0, width) if narrow else (left_edge - 18, width - 6)
        parts.append(f"<g><title>{escape(label)}</title>")
        parts.append(f'<rect class="hover" x="0" y="{top:g}" width="{width:g}" height="{row_height:g}"/>')
        parts.append(f'<text class="name" x="{name_x:g}" y="{words_y:g}">{name}</text>')
        parts.append(f'<text class="value" x="{end_x:g}" y="{words_y:g}">{words.signed(row.rating)}</text>')
        low_x, high_x = (None if end is None else at(end) for end in (row.low, row.high))
        parts += _bar(low_x, at(row.rating), high_x, y, (left_edge, right_edge))
        parts.append("</g>")
    return "".join([*parts, "</svg>"])


def _bar(low: float | None, value: float, high: float | None, y: float, edges: tuple[float, float]) -> list[str]:
    """Return an interval with a cap at each end, an arrow to the edge where it is open, and the point in it."""
    first, last = edges[0] if low is None else low, edges[1] if high is None else high
    ends = [f'<line class="bar" x1="{first:.1f}" y1="{y:g}" x2="{max(last, first + 1):.1f}" y2="{y:g}"/>']
    for x, end, inward in ((first, low, 8), (last, high, -8)):
        if end is None:
            ends.append(f'<path class="cap open" d="M{x + inward:.1f} {y - 6:g}L{x:.1f} {y:g}l{inward} 6"/>')
        else:
            ends.append(f'<line class="cap" x1="{x:.1f}" y1="{y - 6:g}" x2="{x:.1f}" y2="{y + 6:g}"/>')
    return [*ends, f'<circle class="point" cx="{value:.1f}" cy="{y:g}" r="6"/>']


def axis_step(span: float) -> float:
    """Return the distance of the marks on an axis of this span: four to nine of them."""
    rough = max(span, 1.0) / 6
    power = 10.0 ** math.floor(math.log10(rough))
    return next(power * factor for factor in (1, 2, 5, 10) if power * factor >= rough)


def short(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"


def heat_map(table: LeagueTable) -> str:
    """Return the matrix of pairings: the score of the row's player against the column's."""
    names, pairings = words.matrix(table)
    wide, high = _LABEL + _CELL * len(names) + 4, 30.0 + 44.0 * len(names)
    size = f'style="max-width:{1.4 * wide:.0f}px" viewBox="0 0 {wide:g} {high:g}"'
    parts = [f'<svg class="heat" {size} role="img" aria-label="Scores of all pairings">']
    for column in range(len(names)):
        x = _LABEL + _CELL * (column + 0.5)
        parts.append(f'<text class="tick" x="{x:g}" y="20"><title>{escape(names[column])}</title>{column + 1}</text>')
    for row, name in enumerate(names):
        y = 30.0 + 44.0 * row
        label = f"{row + 1}  {short(name, 21)}"
        parts.append(f'<text class="name" x="{_LABEL - 12:g}" y="{y + 27:g}">{escape(label)}</text>')
        for column, other in enumerate(names):
            parts.append(_cell(_LABEL + _CELL * column, y, name, other, pairings.get((name, other))))
    return "".join([*parts, "</svg>"])


def _cell(x: float, y: float, name: str, other: str, pairing: Pairing | None) -> str:
    score = pairing.score if pairing is not None else None
    box = f'x="{x + 1:g}" y="{y + 1:g}" width="{_CELL - 2:g}" height="42" rx="4"'
    if pairing is None or score is None:
        return f'<rect class="none" {box}/>'
    pairs = ", ".join(map(str, pairing.pairs))
    title = f"{name} against {other}: {words.percent(score)}; pairs LL, LD, DD+WL, WD, WW: {pairs}"
    ink = "dark" if abs(score - 0.5) > 0.28 else "light"
    return (
        f"<g><title>{escape(title)}</title>"
        f'<rect {box} fill="{color(score)}"/>'
        f'<text class="score {ink}" x="{x + _CELL / 2:g}" y="{y + 27:g}">{score:.0%}</text></g>'
    )


def color(score: float) -> str:
    """Return the colour of a score, 0 to 1."""
    end = _HIGH if score > 0.5 else _LOW
    share = min(1.0, abs(score - 0.5) * 2)
    mixed = [round(even + (full - even) * share) for even, full in zip(_EVEN, end, strict=True)]
    return f"#{mixed[0]:02x}{mixed[1]:02x}{mixed[2]:02x}"


def share_bar(share: float) -> str:
    """Return a share as a bar with a mark at one half."""
    filled = 300 * share
    return (
        '<svg class="share" viewBox="0 0 300 18" role="img" aria-hidden="true">'
        '<rect class="none" x="0" y="4" width="300" height="10" rx="5"/>'
        f'<rect class="part" x="0" y="4" width="{filled:.1f}" height="10" rx="5"/>'
        '<line class="half" x1="150" y1="0" x2="150" y2="18"/></svg>'
    )


# Curves over the pairs of a league as SVG

COLORS = ("#ffc94d", "#40c9ff", "#ff6a4d", "#6fe3a0", "#c79bff", "#ff9ecb", "#b8e04a", "#8fa6d6")
"""Of the best players; all others are grey."""
_OTHER = "#4a567a"
_WIDE, _CURVE_HEIGHT, _LEFT, _RIGHT, _TOP, _BOTTOM = 860.0, 320.0, 58.0, 170.0, 14.0, 34.0


class _Plot:
    def __init__(self, last: int, low: float, high: float) -> None:
        self.step = axis_step(high - low)
        self.low = (low // self.step) * self.step
        self.high = -(-high // self.step) * self.step
        self.high = self.high if self.high > self.low else self.low + self.step
        self._last = max(1, last)

    def x(self, pairs: float) -> float:
        return _LEFT + pairs / self._last * (_WIDE - _LEFT - _RIGHT)

    def y(self, value: float) -> float:
        return _TOP + (self.high - value) / (self.high - self.low) * (_CURVE_HEIGHT - _TOP - _BOTTOM)

    def frame(self, label: str) -> list[str]:
        """Return the picture's head with its lines and figures."""
        parts = [
            f'<svg class="curve" viewBox="0 0 {_WIDE:g} {_CURVE_HEIGHT:g}" role="img" aria-label="{escape(label)}">'
        ]
        for number in range(round((self.high - self.low) / self.step) + 1):
            value = self.low + number * self.step
            line = "zero" if abs(value) < self.step / 2 else "grid"
            y = self.y(value)
            parts.append(f'<line class="{line}" x1="{_LEFT:g}" y1="{y:.1f}" x2="{_WIDE - _RIGHT:g}" y2="{y:.1f}"/>')
            parts.append(f'<text class="tick" x="{_LEFT - 26:g}" y="{y + 4:.1f}">{words.signed(value)}</text>')
        for share in (0.0, 0.5, 1.0):
            pairs = share * self._last
            parts.append(f'<text class="tick" x="{self.x(pairs):.1f}" y="{_CURVE_HEIGHT - 8:g}">{pairs:,.0f}</text>')
        return parts

    def line(self, pairs: Sequence[int], values: Sequence[float], color: str, name: str) -> str:
        """Return a curve with its name for whoever points at it."""
        points = " ".join(f"{self.x(x):.1f},{self.y(y):.1f}" for x, y in zip(pairs, values, strict=True))
        return f'<polyline class="line" points="{points}" stroke="{color}"><title>{escape(name)}</title></polyline>'


def rating_curves(table: LeagueTable, plan: LeaguePlan, course: Course) -> str:
    """Return the curves of all ratings, the best players with their names; "" of less than two moments."""
    if len(course.pairs) < 2:
        return ""
    order = [[player.name for player in plan.players].index(row.name) for row in table.players]
    anchor = next(((player, row.rating) for player, row in zip(order, table.players, strict=True)
                   if row.name == table.anchor), None)  # fmt: skip
    zeros = [0.0 if anchor is None else each[anchor[0]] - anchor[1] for each in course.ratings]
    values = {
        player: [each[player] - zero for each, zero in zip(course.ratings, zeros, strict=True)] for player in order
    }
    every = [value for each in values.values() for value in each]
    plot = _Plot(course.pairs[-1], min(every), max(every))
    parts, ends = plot.frame("Ratings in Elo over the pairs"), []
    for place, player in reversed(list(enumerate(order))):
        color = COLORS[place] if place < len(COLORS) else _OTHER
        parts.append(plot.line(course.pairs, values[player], color, table.players[place].name))
        if place < len(COLORS):
            ends.append((plot.y(values[player][-1]), table.players[place].name, color))
    return "".join([*parts, *_names(ends), "</svg>"])


def test(table: LeagueTable, course: Course) -> str:
    """Return the curve of the sequential test between its two bounds, "" without one."""
    if table.sprt is None or len(course.llr) < 2:
        return ""
    bounds = (table.sprt.lower, table.sprt.upper)
    plot = _Plot(course.pairs[-1], min(*bounds, *course.llr), max(*bounds, *course.llr))
    parts = plot.frame("Log-likelihood ratio over the pairs")
    for bound, name in zip(bounds, ("H0", "H1"), strict=True):
        y = plot.y(bound)
        parts.append(f'<line class="bound" x1="{_LEFT:g}" y1="{y:.1f}" x2="{_WIDE - _RIGHT:g}" y2="{y:.1f}"/>')
        parts.append(f'<text class="end" x="{_WIDE - _RIGHT + 10:g}" y="{y + 5:.1f}">{name} {bound:+.2f}</text>')
    return "".join([*parts, plot.line(course.pairs, course.llr, COLORS[0], "log-likelihood ratio"), "</svg>"])


def _names(ends: list[tuple[float, str, str]]) -> list[str]:
    """Return the names beside the ends of their curves, none over another."""
    labels, free = [], _TOP
    for y, name, color in sorted(ends):
        free = max(free + 17, y + 5)
        label = short(name, 18)
        labels.append(
            f'<text class="end" x="{_WIDE - _RIGHT + 10:g}" y="{free:.1f}" style="fill:{color}">{escape(label)}</text>'
        )
    return labels


# What all pages of a league are made of


@cache
def _style() -> str:
    """Return the style sheet: dark, readable at any width, without anything from elsewhere."""
    return "\n" + (files("batllm_arcade.assets") / "league" / "report.css").read_text("utf-8")


def document(title: str, brand: str, parts: Sequence[str]) -> str:
    """Return a whole page of these parts, which asks nobody for anything."""
    policy = "default-src 'none'; style-src 'unsafe-inline'; img-src 'self' data:"
    head = [
        "<!DOCTYPE html>",
        '<html lang="en"><head><meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">',
        f"<title>{escape(title)}</title><style>{_style()}</style></head><body><main>",
        f'<header><p class="brand">BATLLM ARCADE &middot; {escape(brand)}</p><h1>{escape(title)}</h1>',
    ]
    return "\n".join([*head, *(part for part in parts if part), "</main></body></html>\n"])


def sentence(text: str, kind: str = "state") -> str:
    """Return a sentence as a paragraph: with a capital and a full stop; "" of none."""
    if not text:
        return ""
    stop = "" if text.endswith((".", "!", "?")) else "."
    return f'<p class="{kind}">{escape(text[:1].upper() + text[1:])}{stop}</p>'


def section(title: str, picture: str, note: str, *, wide: bool = False) -> str:
    """Return a picture with its title and a note; one that is `wide` does not fit on a phone."""
    figure = f'{_hint("picture") if wide else ""}<div class="scroll">{picture}</div>'
    return f'<h2>{escape(title)}</h2><figure>{figure}<figcaption class="note">{escape(note)}</figcaption></figure>'


Cell = str | tuple[str, str]
"""A text, or a text and the address that it leads to."""
MANY, MOST = 5, 12
"""Columns beyond which a table does not fit on a phone, and on a narrow window."""


def _hint(what: str, kind: str = "hint") -> str:
    return f'<p class="{kind}">The {what} goes on to the right &rarr;</p>'


def grid(
    head: Sequence[str],
    rows: Sequence[Sequence[Cell]],
    *,
    text: Sequence[int],
    bold: Sequence[int] = (),
    faults: int | None = None,
    wraps: bool = False,
) -> str:
    """Return a table; `text` are the columns of words (long ones if it `wraps`), `faults` the first where 0 is good."""
    words_kind = "text wrap" if wraps else "text"

    def cell(index: int, value: Cell) -> str:
        shown, address = (value, "") if isinstance(value, str) else value
        kinds = [words_kind] if index in text else []
        kinds += ["bold"] if index in bold else []
        if faults is not None and index >= faults:
            kinds.append("good" if shown == "0" else "bad")
        inner = f'<a href="{escape(address)}">{escape(shown)}</a>' if address else escape(shown)
        return f'<td class="{" ".join(kinds)}">{inner}</td>' if kinds else f"<td>{inner}</td>"

    names = "".join(f'<th class="text">{escape(name)}</th>' if index in text else f"<th>{escape(name)}</th>"
                    for index, name in enumerate(head))  # fmt: skip
    body = "".join(f"<tr>{''.join(cell(index, value) for index, value in enumerate(row))}</tr>" for row in rows)
    hint = _hint("table", "hint much" if len(head) > MOST else "hint") if len(head) > MANY else ""
    return f'{hint}<div class="scroll"><table><thead><tr>{names}</tr></thead><tbody>{body}</tbody></table></div>'


class WithOrders(Protocol):
    """Who plays with what orders."""

    @property
    def name(self) -> str: ...
    @property
    def brain(self) -> str: ...
    @property
    def orders(self) -> str: ...


def player_cards(players: Iterable[WithOrders], table: LeagueTable | None = None) -> str:
    """Return who plays, side by side: brain and orders, and how these are read where a table says it."""
    rows = () if table is None else table.players
    read = {row.name: f'<p class="note">read as: {escape(row.reading)}</p>' for row in rows if row.reading}
    cards = [
        f'<div class="card"><h3>{escape(player.name)}</h3><p class="note">{escape(player.brain)}</p>'
        f'<p class="orders">{escape(player.orders or "no orders")}</p>{read.get(player.name, "")}</div>'
        for player in players
    ]
    return f'<div class="cards">{"".join(cards)}</div>'


# The page of a pairing

MOST_PAIRS = 500
"""Pairs whose games are listed on one page."""


@dataclass(frozen=True, slots=True)
class Best:
    """The game of a pairing that one should see: pair and game, and its poster, if there is one."""

    number: tuple[int, int]
    poster: str = ""


def address(plan: LeaguePlan, pairing: Pairing) -> str:
    """Return where a pairing's page is, from the folder of the league."""
    names = [player.name for player in plan.players]
    one, other = sorted(names.index(name) + 1 for name in pairing.players)
    return f"{PAIRINGS}/{one}-{other}.html"


def page(
    plan: LeaguePlan, table: LeagueTable, pairing: Pairing, lines: Sequence[PairLine], links: Links, best: Best | None
) -> str:
    """Return the page of a pairing, whose pairs these lines are."""
    (one, other), players = pairing.players, {player.name: player for player in plan.players}
    games = [game for line in lines for game in line["games"]]
    won, lost = (sum(game["winner"] == name for game in games) for name in (one, other))
    figures = [
        (words.percent(pairing.score), f"{one} scored of {2 * sum(pairing.pairs):,} games",
         "" if pairing.score is None else share_bar(pairing.score)),
        (f"{won} - {len(games) - won - lost} - {lost}", "won, drawn, lost", ""),
        (words.chance(pairing.chance), f"likely that {one} is the better one", ""),
    ]  # fmt: skip
    cards = "".join(
        f'<div class="card"><p class="big">{escape(big)}</p>{bar}<p class="note">{escape(small)}</p></div>'
        for big, small, bar in figures
    )
    parts = [
        f'<p class="lead">{escape(words.compared(one, other, pairing))}.</p>',
        '<p class="state"><a href="../report.html">The whole league</a></p></header>',
        f'<div class="cards">{cards}</div>',
        _best(best, links),
        f"<h2>Orders</h2>{player_cards([players[name] for name in pairing.players], table)}",
        f"<h2>Games</h2>{_games(pairing, lines, links)}",
    ]
    return document(f"{one} against {other}", table.name or "LEAGUE", parts)


def _best(best: Best | None, links: Links) -> str:
    if best is None or best.number not in links:
        return ""
    link = f"../{links[best.number]}"
    picture = (
        f'<img class="poster" src="../{escape(best.poster)}" alt="The opening of the game">' if best.poster else ""
    )
    text = f"Game {best.number[1]} of pair {best.number[0]}: the closest that somebody won"
    return f'<h2>The best game</h2><a class="best" href="{escape(link)}">{picture}<span>{escape(text)}</span></a>'


def _games(pairing: Pairing, lines: Sequence[PairLine], links: Links) -> str:
    one, other = pairing.players
    rows: list[list[Cell]] = []
    for line in lines[:MOST_PAIRS]:
        for number, game in enumerate(line["games"], 1):
            key = (line["pair"], number)
            shown = f"{key[0]}-{key[1]}"
            rows.append([(shown, f"../{links[key]}") if key in links else shown, str(line["seed"]), game["left"],
                         game["winner"] or "drawn", game["reason"], str(game["turns"]),
                         *(f"{game['health'][name]:g}" for name in (one, other))])  # fmt: skip
    head = ("game", "seed", "left", "won", "by", "turns", f"health of {one}", f"health of {other}")
    notes = ["two games of a seed are a pair; those that were kept are links"]
    if any(link.endswith(".json") for link in links.values()):
        notes.append("an address that ends in .json is opened with: batllm-arcade replay FILE")
    if len(lines) > MOST_PAIRS:
        notes.append(f"the first {MOST_PAIRS} of {len(lines):,} pairs are listed")
    return grid(head, rows, text=(2, 3, 4)) + sentence("; ".join(notes), "note")


def best_of(lines: Sequence[PairLine], among: Container[Number]) -> Number | None:
    """Return the kept game that was closest among those that somebody won, the longest of them; None without any."""
    won = [
        ((line["pair"], number), game)
        for line in lines
        for number, game in enumerate(line["games"], 1)
        if (line["pair"], number) in among and game["winner"] is not None
    ]
    return min(won, key=lambda each: _margin(each[1]))[0] if won else None


def _margin(game: GameLine) -> tuple[float, int]:
    one, other = game["health"].values()
    return abs(one - other), -game["turns"]


# A league's page

MOST_OPEN = 12
"""Pairings that are listed; more are folded away."""
MOST_LINKS = 600
"""Kept sessions that the page links to; the folder has the others."""


def report_page(
    table: LeagueTable, plan: LeaguePlan, command: str, links: Links, course: Course | None = None, home: str = ""
) -> str:
    """Return the whole page, with links to the kept games; where there is a `course` every pairing has a page, too.

    `home` is the address of a page above it, "" without one.
    """
    bars = ratings(table.players) + ratings(table.players, narrow=True)
    parts = [
        f'<p class="state"><a href="{escape(home)}">All leagues</a></p>' if home else "",
        f'<p class="lead">{escape(words.verdict(table))}.</p>',
        sentence(f"{title_of(plan)}: {words.state(table)}" if table.name else words.state(table)),
        sentence(words.test_words(table), "verdict"),
        *map(sentence, words.notes(table)),
        f"<pre>{escape(command)}</pre>" if command else "",
        "</header>",
        section("Ratings", bars, _RATINGS_NOTE if table.anchor is None else _RATINGS_NOTE.replace(_MEAN, "")),
        _grid(words.shown(words.RATINGS, table.players), text=(1,), bold=(2,)),
        section("Everybody against everybody", heat_map(table), _MATRIX_NOTE) if len(plan.players) > 2 else "",
        _pairings(table, plan, linked=course is not None),
        _curves(table, plan, course),
        _sides(table),
        "<h2>Brains</h2>",
        _grid(words.shown(words.BRAINS, table.players), text=(0,)),
        f"<details><summary>{DETAILS}</summary>",
        _grid(words.shown(words.DETAILED, table.players), text=(0,), faults=3),
        f'<p class="note">{escape(_BRAINS_NOTE)}</p></details>',
        f"<h2>Players</h2>{player_cards(plan.players, table)}",
        _sessions(plan, links),
    ]  # fmt: skip
    return document(table.name or title_of(plan), "LEAGUE", parts)


def _grid(table: Sequence[Sequence[str]], **kinds: Any) -> str:
    head, *rows = table
    return grid(head, rows, **kinds)


def _curves(table: LeagueTable, plan: LeaguePlan, course: Course | None) -> str:
    if course is None:
        return ""
    shown = [
        ("Ratings over the pairs", rating_curves(table, plan, course), _CURVES_NOTE),
        ("The sequential test over the pairs", test(table, course), _TEST_NOTE),
    ]
    return "".join(section(title, picture, note, wide=True) for title, picture, note in shown if picture)


def _pairings(table: LeagueTable, plan: LeaguePlan, *, linked: bool) -> str:
    rows: list[list[Cell]] = []
    for pairing in table.matrix:
        name = " against ".join(pairing.players)
        shown = (name, address(plan, pairing)) if linked else name
        elo = "" if pairing.difference is None else words.signed(pairing.difference)
        rows.append([shown, elo, words.interval(pairing), words.chance(pairing.chance), words.percent(pairing.score),
                     ", ".join(map(str, pairing.pairs))])  # fmt: skip
    head = ("pairing", "Elo apart", "95%", "better", "score", "LL, LD, DD+WL, WD, WW")
    inner = grid(head, rows, text=(0,), bold=(1,))
    if len(rows) > MOST_OPEN:
        inner = f"<details><summary>All {len(rows):,} pairings</summary>{inner}</details>"
    return f'<h2>Pairings</h2>{inner}<p class="note">{escape(_PAIRINGS_NOTE)}</p>'


_MEAN = ", the mean of all players is 0"
_RATINGS_NOTE = (
    f"Elo{_MEAN}: 100 more are a score of 64%. The bar is the 95% interval, an arrow where "
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
    "LL, LD, DD+WL, WD, WW: pairs of which the player lost both games, and so on. A play without a good answer "
    "is crashed, silent or garbage (a program), timeout (too late), error (anything else) or invalid (no command)."
)


def _sides(table: LeagueTable) -> str:
    cards = []
    shown = [(table.left.share, "Left against right"), (table.first.share, "Who acts first")]
    for (share, heading), text in zip(shown, words.sides(table), strict=False):
        bar = "" if share is None else share_bar(share)
        cards.append(
            f'<div class="card"><h2>{heading}</h2><p class="big">{words.percent(share)}</p>'
            f'{bar}<p class="note">{escape(text[:1].upper() + text[1:])}.</p></div>'
        )
    return f'<div class="cards">{"".join(cards)}</div>' if cards else ""


def _sessions(plan: LeaguePlan, links: Links) -> str:
    if not links:
        return ""
    schedule, groups = PairSchedule(plan), dict[int, list[str]]()
    for number in list(links)[:MOST_LINKS]:
        link = f'<a href="{links[number]}">{number[0]}-{number[1]}</a>'
        groups.setdefault(schedule.pairing(number[0]), []).append(link)
    parts = ["<h2>Games to watch</h2>"]
    for pairing, games in sorted(groups.items()):
        one, other = (plan.players[index].name for index in plan.pairings[pairing])
        parts.append(f"<details><summary>{escape(one)} against {escape(other)} <span>{len(games)}</span></summary>")
        parts.append(f'<p class="links">{" ".join(games)}</p></details>')
    note = "A game is named by its pair and its number, 1 or 2"
    if any(address.endswith(".json") for address in links.values()):
        note += ". One without a page is a session file; open it with: batllm-arcade replay sessions/PAIR-GAME.json"
    if len(links) > MOST_LINKS:
        note += f"; the first {MOST_LINKS} of {len(links):,} are listed"
    return "".join([*parts, f'<p class="note">{escape(note)}.</p>'])
