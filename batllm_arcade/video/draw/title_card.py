"""A film's title card: the title and the two bots."""

from __future__ import annotations

import pygame

from batllm_arcade.brains.protocol import SeatInfo
from batllm_arcade.core.model import SEATS
from batllm_arcade.render.sprites import Sprites, blit_centred
from batllm_arcade.render.text import TextRenderer, clean
from batllm_arcade.view import theme
from batllm_arcade.view.look.curves import SMOOTH
from batllm_arcade.view.theme import mixed

SECONDS = 2.8
_IN_S, _OUT_S = 0.55, 0.3


class TitleCard:
    """Draws the card at any time, arranged for wide or for tall films."""

    def __init__(self, size: tuple[int, int], title: str, seats: tuple[SeatInfo, SeatInfo]) -> None:
        self._size, self._title, self._seats = size, title, seats
        self._tall = size[1] > size[0]
        self._scale = min(size[0] / (720 if self._tall else 1280), size[1] / (1280 if self._tall else 720))
        self._text_renderer = TextRenderer(self._scale)
        self._sprites = Sprites(self._px(86), 64.0)
        self._background = self._paint_background()

    def draw(self, target: pygame.Surface, t: float) -> list[pygame.Rect]:
        """Draw the card t seconds into the film; return the rectangle it covers."""
        arrived = SMOOTH.at(t / _IN_S)
        target.blit(self._background, (0, 0))
        for bot in (0, 1):
            self._draw_bot(target, bot, arrived, t)
        shown = SMOOTH.at((t - 0.3) / 0.35)
        if shown > 0:
            self._draw_title(target, shown)
        faded = SMOOTH.at((t - (SECONDS - _OUT_S)) / _OUT_S)
        if faded > 0:
            veil = pygame.Surface(self._size)
            veil.fill(theme.NIGHT)
            veil.set_alpha(round(255 * faded))
            target.blit(veil, (0, 0))
        return [target.get_rect()]

    def _paint_background(self) -> pygame.Surface:
        """Return the background: a grid that runs to the horizon, and a glow for each bot."""
        wide, high = self._size
        surface = pygame.Surface(self._size)
        surface.fill(theme.NIGHT)
        for bot in (0, 1):
            at = self._spot(bot, 1.0)
            blit_centred(surface, self._sprites.glow(theme.SEAT_COLORS[bot], max(wide, high) * 0.42, 0.35), at, _ADD)
        grid = mixed(theme.GRID, theme.WALL, 0.3)
        horizon = round(high * 0.72)
        for row in range(9):
            y = horizon + round((high - horizon) * (row / 8) ** 1.8)
            pygame.draw.line(surface, grid, (0, y), (wide, y))
        for column in range(-14, 15):
            foot = wide / 2 + column * wide / 8
            pygame.draw.aaline(surface, grid, (wide / 2 + column * wide / 36, horizon), (foot, high))
        return surface

    def _spot(self, bot: int, arrived: float) -> tuple[float, float]:
        """Return a bot's position; `arrived` is how far it has arrived in from its side, 0 to 1."""
        wide, high = self._size
        away = (1 - arrived) * wide * 0.4
        if self._tall:
            return wide * (0.73 if bot else 0.27) + (away if bot else -away), high * (0.60 if bot else 0.44)
        return wide * (0.76 if bot else 0.24) + (away if bot else -away), high * 0.56

    def _draw_bot(self, target: pygame.Surface, bot: int, arrived: float, t: float) -> None:
        at, color = self._spot(bot, arrived), theme.SEAT_COLORS[bot]
        rot = 180.0 if bot else 0.0
        blit_centred(target, self._sprites.glow(color, self._px(190), 0.5), at, _ADD)
        blit_centred(target, self._sprites.bot(bot, rot, True), at)
        blit_centred(target, self._sprites.head(bot, "open"), at)
        towards = self._sprites.radius * (-0.1 if bot else 0.1)  # they look at each other
        blit_centred(target, self._sprites.pupil(bot), (at[0] + towards, at[1]))
        if t > 0.9:
            blit_centred(target, self._sprites.shield(bot, rot, SMOOTH.at((t - 0.9) / 0.3)), at)
        width, info = self._px(330), self._seats[bot]
        lines = (
            (SEATS[bot].upper(), "label", 16, color),
            (info.name, "title", 34, theme.TEXT),
            (info.model or info.brain, "mono", 14, theme.SOFT),
        )
        top = at[1] + self._px(112)
        for text, face, size, tint in lines:
            line = self._text_renderer.line(text, face, size, tint, width)  # type: ignore[arg-type]
            target.blit(line, line.get_rect(midtop=(round(at[0]), round(top))))
            top += line.get_height()

    def _draw_title(self, target: pygame.Surface, shown: float) -> None:
        wide, high = self._size
        size, rows = self._rows()
        line_high = self._text_renderer.font("title", size).get_linesize()
        top = high * (0.2 if self._tall else 0.17) - line_high * len(rows) / 2
        rise = (1 - shown) * self._px(18)
        for row, text in enumerate(rows):
            line = self._text_renderer.line(text, "title", size, theme.TEXT, wide * 0.9)
            blit_centred(target, line, (wide / 2, top + (row + 0.5) * line_high + rise))
        under = round(top + line_high * len(rows) + self._px(10))
        reach = round(self._px(150) * shown)
        pygame.draw.rect(target, theme.GOLD, (wide // 2 - reach, under, 2 * reach, self._px(4)), border_radius=2)
        versus = self._text_renderer.line("VS", "title", 64, theme.GOLD)
        middle = (wide / 2, high * (0.52 if self._tall else 0.56))
        blit_centred(target, pygame.transform.rotozoom(versus, 0, 1 + 0.8 * (1 - shown)), middle)
        mark = self._text_renderer.line("BATLLM ARCADE", "label", 17, theme.DIM)
        blit_centred(target, mark, (wide / 2, high - self._px(34)))

    def _rows(self) -> tuple[int, list[str]]:
        """Return the largest font size in which the whole title fits, and its rows."""
        title, most = " ".join(clean(self._title, 120).split()), 3 if self._tall else 2
        for size in (58, 52, 46, 40, 34, 28):
            rows = self._text_renderer.wrapped(title, "title", size, self._size[0] * 0.86)
            if len(rows) <= most:
                break
        return size, rows

    def _px(self, length: float) -> int:
        return max(1, round(length * self._scale))


_ADD = pygame.BLEND_RGB_ADD
