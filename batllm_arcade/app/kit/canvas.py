"""The canvas of widgets, and scrolling."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Literal, NamedTuple

import pygame

from batllm_arcade.render.fonts import Face
from batllm_arcade.render.text import Cache, TextRenderer, clean
from batllm_arcade.view import theme
from batllm_arcade.view.theme import Color, mixed

NARROW = 760.0
"""Below this width in logical units everything stands in one column."""
_TALL, _TALL_LEAST = (540, 900), 400  # units of a tall window, and the least width that larger words leave it
_LEAST_PX = 14  # of a narrow canvas's words
_LEAST_WIDE_PX = 12  # of a wide canvas's words
_GROWN = 1.34  # times that words of a small wide window are enlarged at most: its boxes grow no larger
_FINE = 3  # corners are drawn this much larger and smoothed; pygame's own are jagged
Side = Literal["left", "middle", "right"]


class Box(NamedTuple):
    """A rectangle in logical units."""

    x: float
    y: float
    w: float
    h: float

    @property
    def right(self) -> float:
        return self.x + self.w

    @property
    def bottom(self) -> float:
        return self.y + self.h

    @property
    def middle(self) -> tuple[float, float]:
        return self.x + self.w / 2, self.y + self.h / 2

    def holds(self, x: float, y: float) -> bool:
        """Return whether a point lies within."""
        return self.x <= x < self.right and self.y <= y < self.bottom

    def inset(self, dx: float, dy: float | None = None) -> Box:
        """Return it smaller by so much on each side, larger if negative."""
        dy = dx if dy is None else dy
        return Box(self.x + dx, self.y + dy, self.w - 2 * dx, self.h - 2 * dy)

    def moved(self, dx: float, dy: float) -> Box:
        """Return it at another place."""
        return Box(self.x + dx, self.y + dy, self.w, self.h)


def fitting_scale(size: tuple[int, int], ui_scale: float = 1.0) -> float:
    """Return the pixels of a logical unit: a wide window is 1280 x 720 units or more, a tall one 540 x 900 or more."""
    wide = min(size[0] / theme.WIDTH, size[1] / theme.HEIGHT)
    tall = min(size[0] / _TALL[0], size[1] / _TALL[1])
    scale = wide * ui_scale if wide >= tall else min(tall * ui_scale, max(tall, size[0] / _TALL_LEAST))
    return max(0.1, scale)


def pulse(now: float) -> float:
    """Return how bright what has the focus is at a moment, in a few steps."""
    breath = 0.72 + 0.28 * abs((now * 0.9) % 2 - 1)
    return round(breath * 8) / 8


class Canvas:
    """Draws on `target`; a window of 1280 x 720 is as many units at a UI scale of 1, and fewer at a larger one.

    A canvas that is `narrow`, as in a tall window, has room for one column and shows no words below 14 pixels; a wide
    one, from 960 x 540 on, none below 12.
    """

    def __init__(self, size: tuple[int, int], ui_scale: float = 1.0) -> None:
        self.size, self.ui_scale = size, ui_scale
        self.scale = fitting_scale(size, ui_scale)
        self.width, self.height = size[0] / self.scale, size[1] / self.scale
        self.narrow = self.width < NARROW
        self.text_renderer = TextRenderer(self.scale)
        self.target = pygame.Surface((1, 1))
        self._boxes = Cache(300)

    def px(self, value: float) -> int:
        """Return a length in pixels, at least one."""
        return max(1, round(value * self.scale))

    def rect(self, box: Box) -> pygame.Rect:
        """Return a box in pixels."""
        left, top = round(box.x * self.scale), round(box.y * self.scale)
        return pygame.Rect(left, top, round(box.right * self.scale) - left, round(box.bottom * self.scale) - top)

    def logical(self, at: tuple[float, float]) -> tuple[float, float]:
        """Return the point of a pixel, in logical units."""
        return at[0] / self.scale, at[1] / self.scale

    @contextmanager
    def clipped(self, box: Box) -> Iterator[None]:
        """Draw within the box only."""
        before = self.target.get_clip()
        self.target.set_clip(self.rect(box).clip(before))
        try:
            yield
        finally:
            self.target.set_clip(before)

    def box(
        self, box: Box, fill: Color | None, edge: Color | None = None, *, width: float = 1.5, radius: float = 8,
        alpha: int = 255,
    ) -> None:  # fmt: skip
        """Draw a filled box with smooth corners, and its edge."""
        rect = self.rect(box)
        if rect.width > 0 and rect.height > 0:
            key = (rect.size, fill, edge, width, radius, alpha)
            self.target.blit(self._boxes.get(key, lambda: self._box(rect, fill, edge, width, radius, alpha)), rect)

    def _box(
        self, rect: pygame.Rect, fill: Color | None, edge: Color | None, width: float, radius: float, alpha: int
    ) -> pygame.Surface:
        corner = min(self.px(radius), rect.width // 2, rect.height // 2)
        thick = self.px(width) if edge else 0
        whole = pygame.Surface(rect.size, pygame.SRCALPHA)
        if fill is not None:
            whole.fill((*fill, alpha))
        if edge is not None:
            pygame.draw.rect(whole, (*edge, alpha), whole.get_rect(), thick)
        if corner:
            self._round(whole, fill, edge, corner, thick, alpha)
        return whole

    @staticmethod
    def _round(
        whole: pygame.Surface, fill: Color | None, edge: Color | None, corner: int, thick: int, alpha: int
    ) -> None:
        fine = pygame.Surface((2 * corner * _FINE, 2 * corner * _FINE), pygame.SRCALPHA)
        tint = fill or edge or theme.NIGHT
        fine.fill((*(edge or tint), 0))
        middle, reach = (corner * _FINE, corner * _FINE), corner * _FINE
        if edge is not None:
            pygame.draw.circle(fine, (*edge, alpha), middle, reach)
        inner = (*fill, alpha) if fill is not None else (*tint, 0)
        pygame.draw.circle(fine, inner, middle, max(0, reach - thick * _FINE))
        disc = pygame.transform.smoothscale(fine, (2 * corner, 2 * corner))
        width, height = whole.get_size()
        for x, sx in ((0, 0), (width - corner, corner)):
            for y, sy in ((0, 0), (height - corner, corner)):
                whole.fill((0, 0, 0, 0), (x, y, corner, corner))
                whole.blit(disc, (x, y), (sx, sy, corner, corner), special_flags=pygame.BLEND_RGBA_MAX)

    def veil(self, alpha: int) -> None:
        """Darken everything drawn so far; `alpha` 255 leaves nothing of it."""
        self.box(Box(0, 0, self.width, self.height), theme.NIGHT, None, radius=0, alpha=alpha)

    def panel(self, box: Box, edge: Color, *, width: float = 1.5) -> None:
        """Draw the rounded panel that every dialog, list and text viewer lies on."""
        self.box(box, theme.PANEL, edge, width=width, radius=12)

    def card(self, box: Box, color: Color | None = None, *, alpha: int = 235) -> None:
        """Draw the card that a menu's rows lie on, with a bar of a colour at its top."""
        self.box(box, theme.PANEL, theme.PANEL_EDGE, width=1, radius=10, alpha=alpha)
        if color is not None:
            self.box(Box(box.x, box.y, box.w, 5), color, None, radius=2.5)

    @property
    def margin(self) -> float:
        """Return what menus leave free at each side, in logical units."""
        return 20.0 if self.narrow else 40.0

    def type_size(self, size: float) -> float:
        """Return the size that words of this one have here: larger if they were hard to read."""
        least = _LEAST_PX if self.narrow else min(_LEAST_WIDE_PX, _LEAST_WIDE_PX * self.scale * _GROWN)
        return max(size, least / self.scale)

    def words(
        self, at: tuple[float, float], text: str, face: Face, size: float, color: Color, *, width: float | None = None,
        side: Side = "left",
    ) -> float:  # fmt: skip
        """Draw one line with its left top, middle or right top at a point, cut at `width`; return its width."""
        size = self.type_size(size)
        line = self.text_renderer.line(text, face, size, color, None if width is None else max(1.0, width * self.scale))
        x, y = at[0] * self.scale, at[1] * self.scale
        if side == "middle":
            x, y = x - line.get_width() / 2, y - line.get_height() / 2
        elif side == "right":
            x -= line.get_width()
        self.target.blit(line, (round(x), round(y)))
        return line.get_width() / self.scale

    def block(
        self, at: tuple[float, float], text: str, face: Face, size: float, color: Color, width: float, lines: int
    ) -> float:
        """Draw wrapped text of at most so many lines; return its height."""
        size = self.type_size(size)
        surface = self.text_renderer.block(text, face, size, color, max(8.0, width * self.scale), lines)
        self.target.blit(surface, (round(at[0] * self.scale), round(at[1] * self.scale)))
        return surface.get_height() / self.scale

    def lines(self, text: str, face: Face, size: float, width: float, most: int) -> int:
        """Return how many lines `block` would draw."""
        return len(self.text_renderer.rows(text, face, self.type_size(size), max(8.0, width * self.scale), most))

    def fitted(self, text: str, face: Face, size: float, width: float) -> float:
        """Return how wide a line is that `words` cuts at this width."""
        line = self.text_renderer.line(text, face, self.type_size(size), theme.TEXT, max(1.0, width * self.scale))
        return line.get_width() / self.scale

    def measure(self, text: str, face: Face, size: float) -> float:
        """Return how wide a line would be."""
        return self.text_renderer.measure(clean(text), face, self.type_size(size)) / self.scale

    def arrow(self, at: tuple[float, float], side: int, color: Color, reach: float = 6) -> None:
        """Draw a small triangle that points left (-1) or right (1)."""
        x, y, r = at[0] * self.scale, at[1] * self.scale, reach * self.scale
        points = [(x + side * r * 0.7, y), (x - side * r * 0.5, y - r), (x - side * r * 0.5, y + r)]
        pygame.draw.polygon(self.target, color, points)
        pygame.draw.aalines(self.target, color, True, points)

    def ring(self, box: Box, color: Color, now: float, *, radius: float = 8) -> None:
        """Draw the edge and the glow, both pulsing, of the widget with the focus."""
        step = pulse(now)
        self.box(box.inset(-4), None, color, width=3, radius=radius + 4, alpha=round(52 * step))
        self.box(box.inset(-1), None, mixed(color, theme.WHITE, 0.15 * step), width=2, radius=radius + 1)


# -- Scrolling

_LEAST_GRIP = 24.0
_MARGIN = 10.0  # what stays visible above and below a revealed stretch, logical units


class Scroll:
    """A window (`box`) onto widgets that are `height` high together; their boxes count from its top."""

    def __init__(self) -> None:
        self.box = Box(0, 0, 0, 0)
        self.height = 0.0
        self._offset = 0.0

    @property
    def most(self) -> float:
        """Return how far it can be scrolled, in logical units."""
        return max(0.0, self.height - self.box.h)

    @property
    def offset(self) -> float:
        """Return how far it is scrolled now, in logical units."""
        return min(self.most, self._offset)

    def shown(self, box: Box) -> Box:
        """Return where a box that counts from the top of what scrolls is on the screen now."""
        return box.moved(0, self.box.y - self.offset)

    def by(self, amount: float) -> None:
        """Scroll by so many logical units."""
        self._offset = min(self.most, max(0.0, self.offset + amount))

    def go(self, share: float) -> None:
        """Scroll so that this share of the whole height is in the middle."""
        self._offset = share * self.height - self.box.h / 2
        self.by(0)

    def reveal(self, top: float, bottom: float) -> None:
        """Scroll as far as it takes to show this stretch."""
        if top - _MARGIN < self.offset:
            self._offset = top - _MARGIN
        elif bottom + _MARGIN > self.offset + self.box.h:
            self._offset = bottom + _MARGIN - self.box.h
        self.by(0)

    def draw_bar(self, canvas: Canvas) -> None:
        """Draw the bar at the right edge, where there is anything to scroll."""
        track = Box(self.box.right - 5, self.box.y, 5, self.box.h)
        draw_scrollbar(canvas, track, self.box.h, self.height, self.offset)


def draw_scrollbar(canvas: Canvas, track: Box, shown: float, total: float, top: float) -> None:
    """Draw that `shown` of `total` can be seen from `top` on, all in one unit; nothing where all of it can."""
    if total <= shown:
        return
    canvas.box(track, theme.SUNKEN, None, radius=track.w / 2)
    high = max(_LEAST_GRIP, track.h * shown / total)
    grip = track._replace(y=track.y + (track.h - high) * top / (total - shown), h=high)
    canvas.box(grip, theme.DIM, None, radius=track.w / 2)
