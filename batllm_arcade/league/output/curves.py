"""Curves over the pairs of a league as SVG: ratings, the ratio of the sequential test; pure."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from batllm_arcade.league.output import charts, words
from batllm_arcade.league.plan import LeaguePlan
from batllm_arcade.league.statistics.course import Course
from batllm_arcade.league.statistics.table import LeagueTable

COLORS = ("#ffc94d", "#40c9ff", "#ff6a4d", "#6fe3a0", "#c79bff", "#ff9ecb", "#b8e04a", "#8fa6d6")
"""Of the best players; all others are grey."""
_OTHER = "#4a567a"
_WIDE, _HIGH, _LEFT, _RIGHT, _TOP, _BOTTOM = 860.0, 320.0, 58.0, 170.0, 14.0, 34.0


class _Plot:
    """Places values of a curve in a picture."""

    def __init__(self, last: int, low: float, high: float) -> None:
        self.step = charts.axis_step(high - low)
        self.low = (low // self.step) * self.step
        self.high = -(-high // self.step) * self.step
        self.high = self.high if self.high > self.low else self.low + self.step
        self._last = max(1, last)

    def x(self, pairs: float) -> float:
        return _LEFT + pairs / self._last * (_WIDE - _LEFT - _RIGHT)

    def y(self, value: float) -> float:
        return _TOP + (self.high - value) / (self.high - self.low) * (_HIGH - _TOP - _BOTTOM)

    def frame(self, label: str) -> list[str]:
        """Return the picture's head with its lines and figures."""
        parts = [f'<svg class="curve" viewBox="0 0 {_WIDE:g} {_HIGH:g}" role="img" aria-label="{escape(label)}">']
        for number in range(round((self.high - self.low) / self.step) + 1):
            value = self.low + number * self.step
            line = "zero" if abs(value) < self.step / 2 else "grid"
            y = self.y(value)
            parts.append(f'<line class="{line}" x1="{_LEFT:g}" y1="{y:.1f}" x2="{_WIDE - _RIGHT:g}" y2="{y:.1f}"/>')
            parts.append(f'<text class="tick" x="{_LEFT - 26:g}" y="{y + 4:.1f}">{words.signed(value)}</text>')
        for share in (0.0, 0.5, 1.0):
            pairs = share * self._last
            parts.append(f'<text class="tick" x="{self.x(pairs):.1f}" y="{_HIGH - 8:g}">{pairs:,.0f}</text>')
        return parts

    def line(self, pairs: Sequence[int], values: Sequence[float], color: str, name: str) -> str:
        """Return a curve with its name for whoever points at it."""
        points = " ".join(f"{self.x(x):.1f},{self.y(y):.1f}" for x, y in zip(pairs, values, strict=True))
        return f'<polyline class="line" points="{points}" stroke="{color}"><title>{escape(name)}</title></polyline>'


def ratings(table: LeagueTable, plan: LeaguePlan, course: Course) -> str:
    """Return the curves of all ratings, the best players with their names; "" of less than two moments."""
    if len(course.pairs) < 2:
        return ""
    order = [[player.name for player in plan.players].index(row.name) for row in table.players]
    values = {player: [each[player] for each in course.ratings] for player in order}
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
    found, free = [], _TOP
    for y, name, color in sorted(ends):
        free = max(free + 17, y + 5)
        short = charts.short(name, 18)
        found.append(
            f'<text class="end" x="{_WIDE - _RIGHT + 10:g}" y="{free:.1f}" style="fill:{color}">{escape(short)}</text>'
        )
    return found
