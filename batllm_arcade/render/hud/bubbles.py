"""Speech and thought bubbles beside the bots."""

from __future__ import annotations

from collections.abc import Sequence

import pygame

from batllm_arcade.render.draw_list import DrawList, faded
from batllm_arcade.render.text import MOST_CHARACTERS, Cache, TextRenderer, ending
from batllm_arcade.view import theme
from batllm_arcade.view.look.motion import SPEECH_FADES_S
from batllm_arcade.view.scene import Effect
from batllm_arcade.view.theme import Color, mixed

_MAX_WIDTH, _SPEECH_LINES, _THOUGHT_LINES = 220, 3, 2
_SPEECH, _THOUGHT = 18, 15  # font sizes
_PAD, _TAIL = 9, 11
"""Lengths in pixels at scale 1."""

Pixel = tuple[float, float]
Side = tuple[int, int]
_SIDES: tuple[Side, ...] = ((0, -1), (0, 1), (1, 0), (-1, 0))
"""Where a bubble may be of its bot, the best place first: above, below, to its right, to its left."""
_GAP = 2.05  # radii of the bot between its centre and a bubble: its bar of health is there
_OVER_WORDS, _OVER_BOT = 1000, 300  # pixels by which a bubble is rather moved


class Bubbles:
    """Draws bubbles in one arena; each is painted once and cached."""

    def __init__(self, text_renderer: TextRenderer, scale: float, radius: float) -> None:
        self._text_renderer, self._scale, self._radius = text_renderer, scale, radius
        self._bubbles, self._blank = Cache(24), Cache(12)

    def draw(
        self, target: DrawList, speech: Effect, t: float, at: Pixel, other: Pixel, taken: Sequence[pygame.Rect] = ()
    ) -> pygame.Rect:
        """Draw speech above the bot at `at`, or where there is more room around it; return its rectangle."""
        bubble = self._bubbles.get(("speech", speech.text, speech.bot), lambda: self._speech(speech.text, speech.bot))
        left_s = speech.start + speech.duration - t
        spot, side = self._placed(bubble, at, other, taken, target.clip)
        target.blit(faded(bubble, left_s / SPEECH_FADES_S), spot)
        self._draw_tail(target, speech.bot, spot, at, side)
        return spot

    def draw_thought(
        self, target: DrawList, text: str, dots: int, bot: int, at: Pixel, other: Pixel,
        taken: Sequence[pygame.Rect] = (),
    ) -> pygame.Rect:  # fmt: skip
        """Draw the end of a thought, or three dots (number `dots` lit) as long as there is no text; return where."""
        text = ending(" ".join(text[-MOST_CHARACTERS:].split()), MOST_CHARACTERS // 4)
        rows = tuple(self._text_renderer.rows(text, "label", _THOUGHT, self._px(_MAX_WIDTH), _THOUGHT_LINES, tail=True))
        key = ("thought", rows if text else dots, bot)
        bubble = self._bubbles.get(key, lambda: self._thought(rows if text else (), dots, bot))
        spot, side = self._placed(bubble, at, other, taken, target.clip)
        target.blit(bubble, spot)
        x, y = _edge_point(spot, at, side, self._px(16))
        for number, size in enumerate((5.0, 3.5)):  # two small clouds towards the bot
            away = self._px(5 + 9 * number)
            center = x - side[0] * away, y - side[1] * away
            target.circle(mixed(theme.SEAT_COLORS[bot], theme.TEXT, 0.35), center, self._px(size))
        return spot

    def _placed(
        self, bubble: pygame.Surface, at: Pixel, other: Pixel, taken: Sequence[pygame.Rect], within: pygame.Rect
    ) -> tuple[pygame.Rect, Side]:
        gap, arena = self._radius * _GAP, within.inflate(-8, -8)
        wide = round(2.3 * self._radius)
        bots = [pygame.Rect(0, 0, wide, wide) for _ in range(2)]
        for bot, center in zip(bots, (at, other), strict=True):
            bot.center = round(center[0]), round(center[1])
        places: list[tuple[int, int, pygame.Rect, Side]] = []
        for rank, side in enumerate(_SIDES):
            spot, (aside, up) = bubble.get_rect(center=bots[0].center), side
            spot.centerx += round(aside * (gap + spot.width / 2))
            spot.centery += round(up * (gap + spot.height / 2))
            inside = spot.clamp(arena)
            moved = abs(inside.left - spot.left) if aside else abs(inside.top - spot.top)
            covers = sum(inside.colliderect(bot) for bot in bots)
            cost = moved + _OVER_WORDS * (inside.collidelist(taken) >= 0) + _OVER_BOT * covers
            places.append((cost, rank, inside, side))
        *_, spot, side = min(places, key=lambda place: place[:2])
        return spot, side

    def _draw_tail(self, target: DrawList, bot: int, spot: pygame.Rect, at: Pixel, side: Side) -> None:
        half, (aside, up) = self._px(_TAIL) / 2, side
        x, y = _edge_point(spot, at, side, 3 * half)
        points = [(x - up * half, y - aside * half), (x + up * half, y + aside * half)]
        target.polygon(theme.SEAT_COLORS[bot], [*points, (x - aside * 2 * half, y - up * 2 * half)])

    def _speech(self, text: str, bot: int) -> pygame.Surface:
        text = " ".join(text[: MOST_CHARACTERS + 1].split())
        color, wide, render = theme.SEAT_COLORS[bot], self._px(_MAX_WIDTH), self._text_renderer
        fits = len(render.wrapped(text, "label", _SPEECH, wide)) <= _SPEECH_LINES
        size, lines = (_SPEECH, _SPEECH_LINES) if fits else (_THOUGHT, _SPEECH_LINES + 1)
        rows = render.rows(text, "label", size, wide, lines)
        return self._bubble(tuple(rows), size, theme.TEXT, (mixed(theme.NIGHT, color, 0.22), color))

    def _thought(self, rows: tuple[str, ...], dots: int, bot: int) -> pygame.Surface:
        edge = mixed(theme.SEAT_COLORS[bot], theme.TEXT, 0.35)
        fill = mixed(theme.NIGHT, theme.SEAT_COLORS[bot], 0.10)
        if rows:
            return self._bubble(rows, _THOUGHT, theme.SOFT, (fill, edge), self._px(_MAX_WIDTH))
        step = self._px(13)
        surface = self._empty(4 * step, 2 * step, fill, edge)
        for number in range(3):
            tint = theme.TEXT if number == dots else theme.DIM
            pygame.draw.circle(surface, tint, ((number + 1) * step, step), self._px(3.5))
        return surface

    def _bubble(
        self, rows: tuple[str, ...], size: float, tint: Color, colors: tuple[Color, Color], width: int = 0
    ) -> pygame.Surface:
        pad, high = self._px(_PAD), self._text_renderer.height("label", size)
        images = [self._text_renderer.line(row, "label", size, tint) for row in rows]
        inner = width or max(image.get_width() for image in images)
        surface = self._empty(inner + 2 * pad, len(rows) * high + 2 * pad, *colors)
        for row, image in enumerate(images):
            top = pad + row * high
            surface.blit(
                image, image.get_rect(topleft=(pad, top)) if width else image.get_rect(midtop=(pad + inner // 2, top))
            )
        return surface

    def _empty(self, width: int, height: int, fill: Color, edge: Color) -> pygame.Surface:
        return self._blank.get((width, height, fill, edge), lambda: self._outline(width, height, fill, edge)).copy()

    def _outline(self, width: int, height: int, fill: Color, edge: Color) -> pygame.Surface:
        fine, pad = 3, self._px(_PAD)
        big = pygame.Surface((max(1, width) * fine, max(1, height) * fine), pygame.SRCALPHA)
        pygame.draw.rect(big, (*fill, 238), big.get_rect(), border_radius=pad * fine)
        pygame.draw.rect(big, edge, big.get_rect(), max(1, self._px(2)) * fine, border_radius=pad * fine)
        return pygame.transform.smoothscale(big, (max(1, width), max(1, height)))

    def _px(self, length: float) -> int:
        return max(1, round(length * self._scale))


def _edge_point(spot: pygame.Rect, at: Pixel, side: Side, inset: float) -> Pixel:
    aside, up = side
    x = spot.left if aside > 0 else spot.right - 1 if aside else min(max(at[0], spot.left + inset), spot.right - inset)
    y = spot.top if up > 0 else spot.bottom - 1 if up else min(max(at[1], spot.top + inset), spot.bottom - inset)
    return x, y
