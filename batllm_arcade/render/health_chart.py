"""Health over time as a picture: a line for each bot, told apart by colour, dash and mark."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

import pygame

from batllm_arcade.render.text import TextRenderer
from batllm_arcade.view import theme
from batllm_arcade.view.statistics import Mark, MatchStatistics
from batllm_arcade.view.theme import Color, mixed

_FINE = 3  # drawn so many times larger, then made small: smooth edges without holes
_STROKE, _REACH = 3, 12  # logical pixels: of a line, and from a mark's middle to the end of its picture
_LEFT, _RIGHT, _TOP, _BOTTOM = 40, 14, 12, 26  # logical pixels around the lines
_PLAIN = ("hit", "knockout")
"""Marks that need no words."""


class HealthChart:
    """A report's curve, painted once for each size; what is not `labelled` has no words at its axes.

    Such a one has marks only of hits and knock-outs, for nothing says what others mean. With `ends` both lines have
    their last value beside them, in type of that size, and below them stands a `title` where there is room; with
    a `first_game` the curve is that of several games, and below the lines stands the number of each instead.
    """

    def __init__(
        self, report: MatchStatistics, text_renderer: TextRenderer, scale: float, size: tuple[int, int],
        type_size: float = 11, *, labelled: bool = True, ends: float = 0.0, title: str = "HEALTH",
        first_game: int = 0,
    ) -> None:  # fmt: skip
        self._report, self._text_renderer, self._scale, self._size = report, text_renderer, scale, size
        self._type_size, self._labelled = type_size, labelled
        self._values = self._last_values(ends) if ends and not first_game else []
        self._ends, self._title, self._first_game = ends, title, first_game
        left, bottom = (_LEFT * type_size / 11, _BOTTOM) if labelled else (_RIGHT, _TOP)
        beside = max((value.get_width() for value in self._values), default=0)
        self._inner = pygame.Rect(
            round(left * scale), round(_TOP * scale),
            size[0] - round((left + _RIGHT) * scale) - beside, size[1] - round((_TOP + bottom) * scale),
        )  # fmt: skip
        self.frame = self._painted_frame()
        self._marks = [mark for mark in report.marks if labelled or mark.kind in _PLAIN]
        self.lines = self._painted_lines(self._marks)
        self._bare: pygame.Surface | None = None
        self._mark_picture = lru_cache(maxsize=64)(self._painted_mark)

    def draw(self, target: pygame.Surface, at: tuple[int, int], share: float = 1.0) -> None:
        """Draw it with the lines as far as `share` of the way (0 to 1)."""
        target.blit(self.frame, at)
        wide = self._inner.left + round((self._size[0] - self._inner.left) * min(1.0, max(0.0, share)))
        target.blit(self.lines, at, (0, 0, wide, self._size[1]))

    def draw_until(self, target: pygame.Surface, at: tuple[int, int], play: int) -> None:
        """Draw it with the lines up to a play, an index into the curve, and the marks of what happened so far."""
        if self._bare is None:
            self._bare = self._painted_lines([])
        target.blit(self.frame, at)
        target.blit(self._bare, at, (0, 0, round(self._point(play, 0)[0] + _STROKE * self._scale / 2), self._size[1]))
        for mark in self._marks:
            if mark.at <= play:
                picture, (left, top) = self._mark_picture(mark)
                target.blit(picture, (at[0] + left, at[1] + top))

    def _last_values(self, size: float) -> list[pygame.Surface]:
        last, full = self._report.curve[-1], self._report.rules.initial_health
        values = [f"{round(share * most, 1):g}" for share, most in zip(last, full, strict=True)]
        colors = theme.SEAT_COLORS
        return [
            self._text_renderer.line(value, "title", size, color) for value, color in zip(values, colors, strict=False)
        ]

    def _paint_values(self, surface: pygame.Surface) -> None:
        left, right = (value.get_rect() for value in self._values)
        for rect, share in zip((left, right), self._report.curve[-1], strict=True):
            rect.midleft = self._inner.right + round(0.8 * _RIGHT * self._scale), round(self._point(0, share)[1])
        upper, lower = (left, right) if left.centery <= right.centery else (right, left)
        least = round(0.8 * upper.height)
        apart = max(0, least - (lower.centery - upper.centery))
        upper.centery, lower.centery = upper.centery - apart // 2, lower.centery + apart - apart // 2
        half, high = least // 2, self._size[1]
        upper.centery = max(half, min(upper.centery, high - half - least))
        lower.centery = max(upper.centery + least, min(lower.centery, high - half))
        for value, rect in zip(self._values, (left, right), strict=True):
            surface.blit(value, rect)

    def _point(self, play: float, share: float) -> tuple[float, float]:
        most = max(1, len(self._report.curve) - 1)
        return (
            self._inner.left + self._inner.width * play / most,
            self._inner.bottom - self._inner.height * min(1.0, max(0.0, share)),
        )

    def _painted_frame(self) -> pygame.Surface:
        surface, scale, inner = pygame.Surface(self._size, pygame.SRCALPHA), self._scale, self._inner
        pygame.draw.rect(surface, theme.SUNKEN, surface.get_rect(), border_radius=round(10 * scale))
        for share in (0.0, 0.5, 1.0):
            y = round(self._point(0, share)[1])
            pygame.draw.line(surface, theme.GRID, (inner.left, y), (inner.right, y), max(1, round(scale)))
            if self._labelled:
                words = self._text_renderer.line(f"{share:.0%}", "mono", self._type_size, theme.DIM)
                surface.blit(words, words.get_rect(midright=(inner.left - round(6 * scale), y)))
        free = 0  # where the words before it have ended
        for number, start in enumerate(self._report.starts):
            x = round(self._point(start, 0)[0])
            if number:
                pygame.draw.line(surface, theme.PANEL_EDGE, (x, inner.top), (x, inner.bottom), max(1, round(scale)))
            if self._labelled:
                words = self._text_renderer.line(f"round {number + 1}", "mono", self._type_size, theme.DIM)
                left = min(x + round(3 * scale), inner.right - words.get_width())
                if left >= free:
                    surface.blit(words, (left, inner.bottom + round(6 * scale)))
                    free = left + words.get_width() + round(6 * scale)
        if self._values:
            self._paint_values(surface)
        if self._ends:
            self._paint_titles(surface)
        return surface

    def _paint_titles(self, surface: pygame.Surface) -> None:
        if not self._first_game:
            self._paint_below(surface, [(self._title, 0, len(self._report.curve))])
            return
        games = list(pairwise([*self._report.starts, len(self._report.curve)]))
        for begin, whole in (("GAME ", True), ("", False)):
            titles = [(f"{begin}{number}", *game) for number, game in enumerate(games, self._first_game)]
            if self._paint_below(surface, titles, whole=whole):
                return

    def _paint_below(
        self, surface: pygame.Surface, titles: Sequence[tuple[str, int, int]], *, whole: bool = False
    ) -> bool:
        """Paint each title below the lines of its plays if there is room, all or none if `whole`; return if any is."""
        painted = [self._text_renderer.line(title, "label", self._ends, theme.DIM) for title, _, _ in titles]
        areas = [self._area_below(words, start, end) for words, (_, start, end) in zip(painted, titles, strict=True)]
        if whole and not all(areas):
            return False
        for words, area in zip(painted, areas, strict=True):
            if area is not None:
                surface.fill(theme.SUNKEN, area)
                surface.blit(words, area)
        return any(areas)

    def _area_below(self, words: pygame.Surface, start: int, end: int) -> pygame.Rect | None:
        inner, gap = self._inner, round(4 * self._scale)
        left, most = (round(self._point(play, 0)[0]) for play in (start, end - 1))
        left += gap if start else 0
        area = words.get_rect(bottomleft=(left, inner.bottom - gap))
        keeps = area.inflate(4 * gap, 4 * gap)
        lowest = (self._point(play, min(self._report.curve[play])) for play in range(start, end))
        crossed = any(x <= keeps.right and y >= keeps.top for x, y in lowest)
        return None if keeps.right > most or crossed else area

    def _painted_lines(self, marks: Sequence[Mark]) -> pygame.Surface:
        layer = pygame.Surface((self._size[0] * _FINE, self._size[1] * _FINE), pygame.SRCALPHA)
        # On the seat's own colour, transparent: smooth edges would else be tinted by what they fade into.
        merged = pygame.Surface(self._size, pygame.SRCALPHA)
        for bot in (1, 0):
            layer.fill((*theme.SEAT_COLORS[bot], 0))
            self._paint_line(layer, bot)
            for mark in marks:
                if mark.bot == bot:
                    self._paint_mark(layer, mark)
            merged.blit(pygame.transform.smoothscale(layer, self._size), (0, 0))
        return merged

    def _painted_mark(self, mark: Mark) -> tuple[pygame.Surface, tuple[int, int]]:
        x, y = (at / _FINE for at in self._place_of(mark))
        reach = round(_REACH * self._scale)
        left, top, side = math.floor(x) - reach, math.floor(y) - reach, 2 * reach
        layer = pygame.Surface((side * _FINE, side * _FINE), pygame.SRCALPHA)
        layer.fill((*theme.SEAT_COLORS[mark.bot], 0))
        self._paint_mark(layer, mark, (left * _FINE, top * _FINE))
        return pygame.transform.smoothscale(layer, (side, side)), (left, top)

    def _paint_line(self, layer: pygame.Surface, bot: int) -> None:
        """Health holds until it falls: a line of steps, a new one for each game; the right one is dashed."""
        points: list[tuple[float, float]] = []
        dash = (13 * self._scale * _FINE, 6 * self._scale * _FINE) if bot else None
        for play, shares in enumerate(self._report.curve):
            x, y = self._fine(play, shares[bot], bot)
            if points and y < points[-1][1]:  # health rises only where a game begins
                stroke(layer, points, theme.SEAT_COLORS[bot], round(_STROKE * self._scale * _FINE), dash)
                points = []
            if points and points[-1][1] != y:
                points.append((x, points[-1][1]))
            elif len(points) > 1 and points[-2][1] == y:
                points.pop()  # one long stretch: dashes do not begin anew with every play
            points.append((x, y))
        stroke(layer, points, theme.SEAT_COLORS[bot], round(_STROKE * self._scale * _FINE), dash)

    def _fine(self, play: float, share: float, bot: int) -> tuple[float, float]:
        # One line a little above the other one where both are the same.
        x, y = self._point(play, share)
        return x * _FINE, (y + (1.5 if bot else -1.5) * self._scale) * _FINE

    def _place_of(self, mark: Mark) -> tuple[float, float]:
        shares = self._report.curve[min(max(0, mark.at), len(self._report.curve) - 1)]
        return self._fine(mark.at, shares[mark.bot], mark.bot)

    def _paint_mark(self, layer: pygame.Surface, mark: Mark, corner: tuple[int, int] = (0, 0)) -> None:
        x, y = (at - start for at, start in zip(self._place_of(mark), corner, strict=True))
        unit, color = self._scale * _FINE, theme.SEAT_COLORS[mark.bot]
        if mark.kind == "hit":
            mark_shape(layer, (x, y), 5.5 * unit, 4 if mark.bot else 24, color, round(2 * unit))
        elif mark.kind == "knockout":
            cross(layer, (x, y), 8 * unit, round(3.5 * unit))
        elif mark.kind == "break":
            lightning(layer, (x, y - 8 * unit), unit, color)
        elif mark.kind == "swap":
            pygame.draw.line(
                layer, mixed(color, theme.TEXT, 0.4), (x, y - 9 * unit), (x, y + 9 * unit), round(2 * unit)
            )
        else:
            pygame.draw.line(
                layer, color, (x - 4 * unit, y - 8 * unit), (x + 4 * unit, y - 8 * unit), round(2.5 * unit)
            )


def stroke(
    layer: pygame.Surface, points: list[tuple[float, float]], color: Color, wide: int, dash: tuple[float, float] | None
) -> None:
    for (x0, y0), (x1, y1) in pairwise(points):
        length = math.hypot(x1 - x0, y1 - y0)
        if not length:
            continue
        on, off = dash or (length, 0.0)
        at = 0.0
        while at < length:
            until = min(length, at + on)
            begin, end = ((x0 + (x1 - x0) * part / length, y0 + (y1 - y0) * part / length) for part in (at, until))
            pygame.draw.line(layer, color, begin, end, wide)
            at = until + off
        pygame.draw.circle(layer, color, (x1, y1), wide / 2)


def mark_shape(
    layer: pygame.Surface, at: tuple[float, float], radius: float, corners: int, color: Color, edge: int
) -> None:
    points = [
        (at[0] + radius * math.cos(math.tau * part / corners), at[1] + radius * math.sin(math.tau * part / corners))
        for part in range(corners)
    ]
    pygame.draw.polygon(layer, theme.SUNKEN, points)
    pygame.draw.polygon(layer, color, points, edge)


def lightning(layer: pygame.Surface, at: tuple[float, float], unit: float, color: Color) -> None:
    """A jagged line: a shield that broke."""
    points = [(at[0] + dx * unit, at[1] + dy * unit) for dx, dy in ((-7, -2), (-2, 4), (1, -4), (7, 2))]
    pygame.draw.lines(layer, color, False, points, round(2.5 * unit))


def cross(layer: pygame.Surface, at: tuple[float, float], arm: float, wide: int) -> None:
    for sign in (-1, 1):
        start, end = (at[0] - arm, at[1] - sign * arm), (at[0] + arm, at[1] + sign * arm)
        pygame.draw.line(layer, theme.DANGER, start, end, wide)
