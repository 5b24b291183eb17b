"""The pictures of a league's page as SVG: ratings with their intervals, the matrix of pairings as a heat map; pure."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from batllm_arcade.league.output import words

_ROW, _LABEL, _WIDE = 34.0, 190.0, 860.0
_CELL = 58.0
_LOW, _EVEN, _HIGH = (255, 106, 77), (36, 43, 66), (64, 201, 255)
"""The colours of a score of 0, of a half, of 1."""


def ratings(players: Sequence[Mapping[str, Any]]) -> str:
    """Return the ratings as points with bars for their 95% intervals, best at the top."""
    low = float(min(player["low"] for player in players))
    high = float(max(player["high"] for player in players))
    step = _step(high - low)
    first, last = math.floor(low / step) * step, math.ceil(high / step) * step
    last = last if last > first else first + step
    right = _WIDE - 84.0
    height = _ROW * len(players) + 44.0

    def at(elo: float) -> float:
        return _LABEL + (elo - first) / (last - first) * (right - _LABEL)

    parts = [f'<svg class="ratings" viewBox="0 0 {_WIDE:g} {height:g}" role="img" aria-label="Ratings in Elo">']
    tick = first
    while tick <= last:
        x, kind = at(tick), "zero" if abs(tick) < step / 2 else "grid"
        parts.append(f'<line class="{kind}" x1="{x:.1f}" y1="6" x2="{x:.1f}" y2="{height - 30:g}"/>')
        parts.append(f'<text class="tick" x="{x:.1f}" y="{height - 10:g}">{words.signed(tick)}</text>')
        tick += step
    for row, player in enumerate(players):
        y = 6 + _ROW * (row + 0.5)
        value, left, end = at(player["rating"]), at(player["low"]), at(player["high"])
        label = f"{player['name']}: {words.signed(player['rating'])} Elo, 95% {words.interval(player)}"
        parts.append(f"<g><title>{escape(label)}</title>")
        parts.append(f'<rect class="hover" x="0" y="{y - _ROW / 2:g}" width="{_WIDE:g}" height="{_ROW:g}"/>')
        parts.append(
            f'<text class="name" x="{_LABEL - 18:g}" y="{y + 5:g}">{escape(_short(player["name"], 22))}</text>'
        )
        parts.append(f'<line class="bar" x1="{left:.1f}" y1="{y:g}" x2="{max(end, left + 1):.1f}" y2="{y:g}"/>')
        for x in (left, end):
            parts.append(f'<line class="cap" x1="{x:.1f}" y1="{y - 6:g}" x2="{x:.1f}" y2="{y + 6:g}"/>')
        parts.append(f'<circle class="point" cx="{value:.1f}" cy="{y:g}" r="6"/>')
        parts.append(f'<text class="value" x="{_WIDE - 6:g}" y="{y + 5:g}">{words.signed(player["rating"])}</text></g>')
    return "".join([*parts, "</svg>"])


def _step(span: float) -> float:
    """Return the distance of the marks on an axis of this span: four to nine of them."""
    rough = max(span, 1.0) / 6
    power = 10.0 ** math.floor(math.log10(rough))
    return next(power * factor for factor in (1, 2, 5, 10) if power * factor >= rough)


def _short(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"


def heat_map(table: Mapping[str, Any]) -> str:
    """Return the matrix of pairings: the score of the row's player against the column's."""
    names, cells = words.matrix(table)
    wide, high = _LABEL + _CELL * len(names) + 4, 30.0 + 44.0 * len(names)
    parts = [f'<svg class="heat" viewBox="0 0 {wide:g} {high:g}" role="img" aria-label="Scores of all pairings">']
    for column in range(len(names)):
        x = _LABEL + _CELL * (column + 0.5)
        parts.append(f'<text class="tick" x="{x:g}" y="20"><title>{escape(names[column])}</title>{column + 1}</text>')
    for row, name in enumerate(names):
        y = 30.0 + 44.0 * row
        label = f"{row + 1}  {_short(name, 21)}"
        parts.append(f'<text class="name" x="{_LABEL - 12:g}" y="{y + 27:g}">{escape(label)}</text>')
        for column, other in enumerate(names):
            parts.append(_cell(_LABEL + _CELL * column, y, name, other, cells.get((name, other))))
    return "".join([*parts, "</svg>"])


def _cell(x: float, y: float, name: str, other: str, cell: Mapping[str, Any] | None) -> str:
    score = cell["score"] if cell is not None else None
    box = f'x="{x + 1:g}" y="{y + 1:g}" width="{_CELL - 2:g}" height="42" rx="4"'
    if cell is None or score is None:
        return f'<rect class="none" {box}/>'
    pairs = ", ".join(map(str, cell["pairs"]))
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
