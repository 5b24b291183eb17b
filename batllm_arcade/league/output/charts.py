"""The pictures of a league's page as SVG: ratings with their intervals, the matrix of pairings as a heat map; pure."""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape

from batllm_arcade.league.output import words
from batllm_arcade.league.statistics.table import LeagueTable, Pairing, TableRow

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
