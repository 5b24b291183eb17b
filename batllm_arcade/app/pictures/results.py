"""Pictures of results."""

from __future__ import annotations

import math
from collections.abc import Sequence

from batllm_arcade.app.kit.canvas import Box, Canvas
from batllm_arcade.brains.kinds import money
from batllm_arcade.core.model import SEATS, Part, Rules
from batllm_arcade.render.health_chart import HealthChart, cross, lightning, mark_shape, stroke
from batllm_arcade.view import theme
from batllm_arcade.view.statistics import MatchStatistics, SeatStatistics
from batllm_arcade.view.theme import Color, mixed

_PIECES = 90
RAIN_S = 7.0
"""Seconds that it rains."""


def draw_confetti(canvas: Canvas, age: float, color: Color, words: Sequence[Box]) -> None:
    """Draw the paper in the winner's colours `age` seconds after the end, none where the words are.

    Where each piece is depends on the age alone.
    """
    if age > RAIN_S:
        return
    tints = (color, theme.GOLD, mixed(color, theme.WHITE, 0.6), theme.WHITE)
    for number in range(_PIECES):
        spot, delay = (number * 0.61803) % 1.0, (number * 0.377) % 1.0 * 2.2
        fallen = (age - delay) * (150 + 110 * ((number * 0.733) % 1.0))
        if 0 < fallen < canvas.height + 40:
            x = spot * canvas.width + 26 * math.sin(2.2 * (age - delay) + number)
            high = max(2.0, 10 * abs(math.cos(5 * age + number)))
            piece = Box(x, fallen - 20, 7, high)
            if not any(_meet(piece, box) for box in words):
                canvas.target.fill(tints[number % len(tints)], canvas.rect(piece))


def _meet(one: Box, other: Box) -> bool:
    return one.x < other.right and one.right > other.x and one.y < other.bottom and one.bottom > other.y


class HealthChartView:
    """A report's plot, painted anew when its place changes."""

    def __init__(self, report: MatchStatistics) -> None:
        self._report = report
        self._plot: HealthChart | None = None
        self._key: object = None

    def draw(self, canvas: Canvas, box: Box, share: float) -> None:
        """Draw it into the box, the lines as far as `share` of the way."""
        rect = canvas.rect(box)
        if rect.width < 80 or rect.height < 60:
            return
        if self._plot is None or self._key != (canvas.text_renderer, rect.size):
            self._plot = HealthChart(self._report, canvas.text_renderer, canvas.scale, rect.size, canvas.type_size(11))
            self._key = (canvas.text_renderer, rect.size)
        self._plot.draw(canvas.target, rect.topleft, share)

    def draw_legend(self, canvas: Canvas, middle: tuple[float, float]) -> None:
        """What the lines and marks are, around a point."""
        words: list[tuple[str, Color]] = [(SEATS[bot], theme.SEAT_COLORS[bot]) for bot in (0, 1)]
        words += [("hit", theme.SOFT), ("blocked", theme.SOFT), ("knock-out", theme.SOFT)]
        if self._report.rules.battery:
            words.append(("shield broken", theme.SOFT))
        apart = 38 if canvas.narrow else 46
        widths = [canvas.measure(text, "label", 15) + apart for text, _ in words]
        x = middle[0] - sum(widths) / 2
        for number, ((text, color), wide) in enumerate(zip(words, widths, strict=True)):
            _sign(canvas, number, (x + 11, middle[1]))
            canvas.words((x + 29, middle[1] - 9), text, "label", 15, color)
            x += wide


def _sign(canvas: Canvas, number: int, at: tuple[float, float]) -> None:
    unit, x, y = canvas.scale, at[0] * canvas.scale, at[1] * canvas.scale
    if number < 2:
        points = [(x - 11 * unit, y), (x + 11 * unit, y)]
        dash = (9 * unit, 4 * unit) if number else None
        stroke(canvas.target, points, theme.SEAT_COLORS[number], max(2, round(3 * unit)), dash)
    elif number == 2:
        for bot, side in ((0, -6), (1, 6)):
            corners = 4 if bot else 24
            mark_shape(
                canvas.target, (x + side * unit, y), 5 * unit, corners, theme.SEAT_COLORS[bot], max(1, round(2 * unit))
            )
    elif number == 3:
        canvas.box(Box(at[0] - 5, at[1] - 1.5, 10, 3), theme.SOFT, None, radius=0)
    elif number == 5:
        lightning(canvas.target, (x, y), unit, theme.SOFT)
    else:
        cross(canvas.target, (x, y), 5 * unit, max(2, round(3 * unit)))


PAD = 16.0
_INSTANT_S = 0.02  # a script: how fast it answers is nobody's interest
_PARTS: tuple[Part, ...] = ("front", "side", "back")
Figure = tuple[str, str]


def round_figures(seat: SeatStatistics, rules: Rules) -> list[Figure]:
    """Return one round's figures, each a name and a value; those of armour and battery where the rules have them."""
    parts, charge = list[Figure](), list[Figure]()
    if rules.has_armour:
        parts = [("front, side, back", ", ".join(f"{seat.parts[part]}" for part in _PARTS))]
    if rules.battery:
        charge = [("shields broken", f"{seat.broken}"), ("lacked charge", f"{seat.uncharged}")]
    return [
        ("damage dealt", f"{seat.damage:g}"),
        ("hits", _hits(seat)),
        *parts,
        ("shots blocked", f"{seat.blocks}"),
        *charge,
        ("steps walked", f"{seat.steps:.1f}".removesuffix(".0")),
        ("fumbles", f"{seat.fumbles}"),
    ]


def game_figures(seat: SeatStatistics, rules: Rules) -> list[Figure]:
    """Return a whole game's figures: times if there was a wait, tokens if they were counted, their cost if known."""
    rows = round_figures(seat, rules)
    usual, slowest = seat.median_s, seat.longest_s
    if usual is not None and slowest is not None and usual >= _INSTANT_S:
        rows += [("usual answer", seconds(usual)), ("slowest answer", seconds(slowest))]
    for key, words in (("prompt", "tokens read"), ("completion", "tokens written")):
        if key in seat.tokens:
            rows.append((words, f"{seat.tokens[key]:,}"))
    return rows if seat.cost is None else [*rows, ("cost", money(seat.cost))]


def _hits(seat: SeatStatistics) -> str:
    share = "" if seat.accuracy is None else f"  {seat.accuracy:.0%}"
    return f"{seat.hits} of {seat.shots}{share}"


def seconds(value: float) -> str:
    """Return a time in the shortest form."""
    return f"{value * 1000:.0f} ms" if value < 0.995 else f"{value:.1f} s"


def draw_card(
    canvas: Canvas, box: Box, seat: int, statistics: MatchStatistics, chip: str = "", *, named: bool = True
) -> float:
    """Draw the seat's card: its name, a chip such as `winner`, and its health; return where the card's rest begins."""
    info, color = statistics.seats[seat].seat, theme.SEAT_COLORS[seat]
    canvas.box(box, theme.PANEL, theme.PANEL_EDGE, width=1, radius=10)
    canvas.box(Box(box.x, box.y, box.w, 5), color, None, radius=2.5)
    x, width = box.x + PAD, box.w - 2 * PAD
    canvas.words((x, box.y + 13), SEATS[seat].upper(), "label", 15, color)
    if not named:
        return _draw_health(canvas, Box(x, box.y + 36, width, 24), seat, statistics)
    canvas.words((x, box.y + 29), info.name, "title", 28, theme.TEXT, width=width)
    canvas.words((x, box.y + 66), f"{info.brain}  {info.model}".strip(), "mono", 12, theme.SOFT, width=width)
    if chip:
        wide = canvas.measure(chip, "label", 15) + 22
        badge = Box(box.right - PAD - wide, box.y + 12, wide, 24)
        canvas.box(badge, theme.GOLD, None, radius=12)
        canvas.words(badge.middle, chip, "label", 15, theme.NIGHT, side="middle")
    return _draw_health(canvas, Box(x, box.y + 88, width, 24), seat, statistics)


def _draw_health(canvas: Canvas, box: Box, seat: int, statistics: MatchStatistics) -> float:
    share, full = statistics.seats[seat].health, statistics.rules.initial_health[seat]
    canvas.words((box.right, box.y - 4), f"{share * full:g}", "title", 26, theme.TEXT, side="right")
    bar = Box(box.x, box.y + 4, box.w - 62, 16)
    canvas.box(bar, theme.SUNKEN, None, radius=5)
    if share > 0:
        color = theme.DANGER if share <= 0.25 else theme.SEAT_COLORS[seat]
        canvas.box(Box(bar.x, bar.y, max(8.0, bar.w * min(1.0, share)), 16), color, None, radius=5)
    return box.bottom + 10


def draw_figures(canvas: Canvas, box: Box, rows: list[Figure], most: float = 36.0) -> float:
    """Draw the rows into the box, at most `most` high each, less if there is little room; return where they end.

    If they would be too small to read, none is drawn.
    """
    if box.h < 15 * len(rows):
        return box.y
    step = min(most, box.h / max(1, len(rows)))
    size = min(19.0, step * 0.66)
    for row, (name, value) in enumerate(rows):
        y = box.y + row * step
        if row:
            canvas.box(Box(box.x, y, box.w, 1), mixed(theme.PANEL, theme.PANEL_EDGE, 0.6), None, radius=0)
        middle = y + step / 2 - size * 0.66
        canvas.words((box.x, middle), name, "label", size, theme.SOFT)
        canvas.words((box.right, middle), value, "title", size, theme.TEXT, side="right")
    return box.y + step * len(rows)


def draw_orders(canvas: Canvas, box: Box, prompt: str) -> None:
    """Draw the brain's prompt, if there is one and room for it."""
    lines = int((box.h - 22) // 22)
    if prompt.strip() and lines >= 1:
        canvas.words((box.x, box.y), "ORDERS", "label", 14, theme.DIM)
        canvas.block((box.x, box.y + 20), prompt, "label", 17, theme.SOFT, box.w, min(6, lines))
