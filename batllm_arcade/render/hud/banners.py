"""Banners over the arena, and the picture of waiting."""

from __future__ import annotations

import math
from collections.abc import Sequence

import pygame

from batllm_arcade.brains.protocol import SeatInfo
from batllm_arcade.render.draw_list import DrawList
from batllm_arcade.render.sprites import Sprites, blit_centred
from batllm_arcade.render.text import Cache, TextRenderer, clean
from batllm_arcade.settings.user_settings import DisplayOptions
from batllm_arcade.view import theme
from batllm_arcade.view.look import motion
from batllm_arcade.view.look.shapes import BREATHS
from batllm_arcade.view.scene import Banner
from batllm_arcade.view.theme import Color, mixed

_STEPS = 8  # of a veil's fading
_TITLES = (46, 34, 26, 23)  # sizes of a title
_LEAST = 0.7  # the share of one in which it may be set before it is cut
_HEIGHTS = (0.5, 0.78, 0.22, 0.7, 0.3, 0.86, 0.14, 0.64, 0.36)
"""Where a band's middle may be, in the arena's height, the best first."""


class Banners:
    """Draws bands of text over one arena, with words where there is `room` for them, if that is not all of it."""

    def __init__(
        self, text_renderer: TextRenderer, scale: float, arena: pygame.Rect, display: DisplayOptions,
        room: pygame.Rect | None = None,
    ) -> None:  # fmt: skip
        self._text_renderer, self._scale, self._arena, self._display = text_renderer, scale, arena, display
        self._width = 2 * min(arena.centerx - room.left, room.right - arena.centerx) if room else arena.width
        self._veils = Cache(24)

    def draw(
        self, target: DrawList, banner: Banner, clear: Sequence[pygame.Rect] = (), wrecks: Sequence[pygame.Rect] = ()
    ) -> pygame.Rect | None:
        """Draw title and subtitle on a band that opens and closes, away from the rectangles in `clear` if possible.

        Among such places it takes one that does not hide `wrecks`. Return the band, None while it is shut.
        """
        shown = self._shown(banner)
        if shown <= 0.0:
            return None
        text_renderer, arena, room = self._text_renderer, self._arena, self._width - 40 * self._scale
        title = text_renderer.fitted(banner.title, "title", self._title_size(banner.title, room), theme.TEXT, room)
        color = theme.GOLD if banner.bot is None else theme.SEAT_COLORS[banner.bot]
        subtitle = text_renderer.fitted(banner.subtitle, "label", 22, color, room) if banner.subtitle else None
        inside = title.get_height() + (subtitle.get_height() if subtitle else 0)
        band = pygame.Rect(0, 0, arena.width, round((inside + 34 * self._scale) * shown))
        band.centerx, full = arena.centerx, round(inside + 34 * self._scale)
        band.centery = self._middle(full, clear, wrecks)
        target.blit(self._veil(band.width, band.height, shown), band)
        self._edges(target, band, color, banner.age)
        if shown < motion.BANNER_WRITTEN:
            return band
        blit_centred(target, title, (band.centerx, band.centery - (subtitle.get_height() / 2 if subtitle else 0)))
        if subtitle:
            blit_centred(target, subtitle, (band.centerx, band.centery + title.get_height() / 2))
        return band

    def _title_size(self, title: str, room: float) -> float:
        measure, words = self._text_renderer.measure, clean(title).replace("\n", " ")
        return next((size for size in _TITLES if measure(words, "title", _LEAST * size) <= room), _TITLES[-1])

    def _middle(self, height: int, clear: Sequence[pygame.Rect], wrecks: Sequence[pygame.Rect]) -> int:
        arena, least = self._arena, None
        for share in _HEIGHTS:
            band = pygame.Rect(arena.left, 0, arena.width, height)
            band.centery = arena.top + round(arena.height * share)
            band.clamp_ip(arena)
            covered = tuple(sum(band.clip(place).height for place in places) for places in (clear, wrecks))
            if least is None or covered < least[0]:
                least = covered, band.centery
        return least[1] if least else arena.centery

    def _shown(self, banner: Banner) -> float:
        """Return how far the band is open, 0 to 1, in steps."""
        if self._display.reduced_motion:
            return 1.0
        shown = min(1.0, banner.age / motion.BANNER_OPENS_S)
        if banner.lasts is not None:
            shown = min(shown, max(0.0, (banner.lasts - banner.age) / motion.BANNER_CLOSES_S))
        return round(shown * _STEPS) / _STEPS

    def _edges(self, target: DrawList, band: pygame.Rect, color: Color, age: float) -> None:
        wide = max(2, round(2 * self._scale))
        for y in (band.top, band.bottom - wide):
            target.rect(color, pygame.Rect(band.left, y, band.width, wide))
        if not self._display.reduced_motion and age < 1.2:  # a glint runs along the edges
            x = band.left + band.width * (1 - math.exp(-4 * age)) * 1.1
            glint = pygame.Rect(0, 0, round(90 * self._scale), wide)
            for y in (band.top, band.bottom - wide):
                glint.midtop = round(x), y
                target.rect(mixed(color, theme.WHITE, 0.8), glint.clip(band))

    def _veil(self, width: int, height: int, shown: float) -> pygame.Surface:
        def make() -> pygame.Surface:
            veil = pygame.Surface((width, height), pygame.SRCALPHA)
            veil.fill((*theme.NIGHT, round(232 * shown)))
            return veil

        return self._veils.get((width, height, shown), make)

    def notices(self, target: DrawList, notices: tuple[str, ...]) -> None:
        """Draw warnings along the arena's top."""
        arena, top = self._arena, self._arena.top + round(8 * self._scale)
        for notice in notices:
            line = self._text_renderer.line(notice, "label", 15, theme.TEXT, arena.width * 0.92)
            area = line.get_rect(midtop=(arena.centerx, top))
            box = area.inflate(round(16 * self._scale), round(4 * self._scale))
            target.rect(mixed(theme.NIGHT, theme.DANGER, 0.35), box, round(6 * self._scale))
            target.blit(line, area)
            top = box.bottom + round(4 * self._scale)


_ADD = pygame.BLEND_RGB_ADD
_FOOT_LINES = 2
_PLACES = ((0.25, 0.37), (0.75, 0.37))
_COMET = 16  # lights of a comet


class LoadingPicture:
    """Draws on one arena; `calm` switches motion off."""

    def __init__(
        self, text_renderer: TextRenderer, scale: float, arena: pygame.Rect, shield_degrees: float, *, calm: bool
    ) -> None:
        self._text_renderer, self._scale, self._arena, self._calm = text_renderer, scale, arena, calm
        self._sprites = Sprites(max(4.0, arena.width * 0.12), shield_degrees)

    def draw(
        self, target: pygame.Surface, t: float, seats: tuple[SeatInfo, SeatInfo], text: str,
        advice: tuple[str, ...] = (),
    ) -> None:  # fmt: skip
        """Draw the two bots, two comets circling between them, what is being loaded, and advice below that."""
        t = 0.0 if self._calm else t
        for seat, info in enumerate(seats):
            self._draw_bot(target, seat, info, t)
        arena, sprites = self._arena, self._sprites
        middle = (arena.centerx, arena.top + arena.height * _PLACES[0][1])
        for comet in range(2):
            self._draw_comet(target, comet, middle, t)
        size = 48 * arena.width / (theme.ARENA_SIZE * self._scale)
        blit_centred(target, sprites.lights.glow(theme.GOLD, sprites.radius * 0.9, 0.22), middle, _ADD)
        blit_centred(target, self._text_renderer.line("VS", "title", size, theme.GOLD), middle)
        self._draw_text(target, "Loading", text, arena.top + arena.height * 0.72, theme.GOLD)
        self._draw_advice(target, advice)

    def draw_failure(self, target: pygame.Surface, text: str) -> None:
        """Draw why the match cannot start."""
        self._draw_text(target, "Cannot start", text, self._arena.centery - 60 * self._scale, theme.DANGER)

    def _draw_advice(self, target: pygame.Surface, advice: tuple[str, ...]) -> None:
        """Draw each sentence on a line of its own: two at the foot, below what is being loaded, the others on top."""
        arena, high = self._arena, self._text_renderer.height("label", 20) + 4 * self._scale
        foot, top = advice[:_FOOT_LINES], advice[_FOOT_LINES:]
        heights = [arena.bottom - (len(foot) - number - 0.1) * high for number in range(len(foot))]
        heights += [arena.top + (number + 1.4) * high for number in range(len(top))]
        for sentence, y in zip(advice, heights, strict=True):
            line = self._text_renderer.fitted(sentence, "label", 20, theme.TEXT, arena.width * 0.96)
            blit_centred(target, line, (arena.centerx, y))

    def _draw_text(self, target: pygame.Surface, heading: str, text: str, y: float, color: theme.Color) -> None:
        text_renderer, arena = self._text_renderer, self._arena
        title = text_renderer.line(heading, "title", 34, theme.TEXT)
        blit_centred(target, title, (arena.centerx, y))
        top, high = y + title.get_height() * 0.5 + 14 * self._scale, text_renderer.height("label", 18)
        rows = text_renderer.wrapped(text, "label", 18, arena.width * 0.84)
        for number, row in enumerate(rows[:7]):
            blit_centred(target, text_renderer.line(row, "label", 18, color), (arena.centerx, top + number * high))

    def _draw_bot(self, target: pygame.Surface, seat: int, info: SeatInfo, t: float) -> None:
        arena, sprites, color = self._arena, self._sprites, theme.SEAT_COLORS[seat]
        radius, t = sprites.radius, t + 1.3 * seat
        x = arena.left + arena.width * _PLACES[seat][0]
        y = arena.top + arena.height * _PLACES[seat][1] + 0.04 * radius * math.sin(1.8 * t)
        rot = (180 if seat else 0) + 5 * math.sin(0.9 * t)
        blit_centred(target, sprites.lights.glow(color, radius * 2.4, 0.34), (x, y), _ADD)
        blit_centred(target, sprites.bot(seat, rot, True), (x, y))
        breath = 0 if self._calm else round((BREATHS - 1) * (0.5 + 0.5 * math.sin(2.2 * t)))
        blit_centred(target, sprites.head(seat, "open", breath), (x, y))
        reach = 0.11 * radius * (-1 if seat else 1)
        blit_centred(target, sprites.pupil(seat), (x + reach, y))
        blit_centred(target, sprites.shield(seat, rot, 1.0), (x, y))
        name = self._text_renderer.fitted(info.name, "title", 28, theme.TEXT, arena.width * 0.44)
        below = arena.top + arena.height * _PLACES[seat][1] + radius * 1.75
        blit_centred(target, name, (x, below))
        kind = "a person" if info.human else info.model or info.brain
        line = self._text_renderer.line(kind, "mono", 14, color, arena.width * 0.44)
        blit_centred(target, line, (x, below + name.get_height() * 0.5 + line.get_height() * 0.5))

    def _draw_comet(self, target: pygame.Surface, comet: int, middle: tuple[float, float], t: float) -> None:
        radius, color = self._sprites.radius, theme.SEAT_COLORS[comet]
        for part in range(_COMET):
            angle = t * 2.4 + comet * math.pi - part * 0.12
            spot = (middle[0] + 0.82 * radius * math.cos(angle), middle[1] + 0.82 * radius * math.sin(angle))
            light = self._sprites.lights.glow(color, radius * (0.20 - 0.008 * part), 1 - part / _COMET)
            blit_centred(target, light, spot, _ADD)
