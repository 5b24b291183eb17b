"""The health chart of a screen: painted anew where its place changes, and a legend of what its lines and marks are."""

from __future__ import annotations

from batllm_arcade.app.kit.canvas import Box, Canvas
from batllm_arcade.core.model import SEATS
from batllm_arcade.render.health_chart import HealthChart, cross, lightning, mark_shape, stroke
from batllm_arcade.view import theme
from batllm_arcade.view.statistics import MatchStatistics
from batllm_arcade.view.theme import Color


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
    """The legend's marks: both lines, then a hit, a block, a knock-out, a broken shield."""
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
