"""Large type for cards: the largest in which a text fits, and never smaller than can be read on a phone."""

from __future__ import annotations

import math
from collections.abc import Sequence

import pygame

from batllm_arcade.render.fonts import Face
from batllm_arcade.render.sprites import Sprites, blit_centred, lay_light
from batllm_arcade.render.text import TextRenderer
from batllm_arcade.view import theme
from batllm_arcade.view.layout import safe_box
from batllm_arcade.view.theme import Color, mixed

LEAST = 48
"""The smallest type in pixels of a film whose shorter side has 720: 24 on a screen of 360."""
SIZES = (84, 76, 68, 60, 54, LEAST)
_ADD = pygame.BLEND_RGB_ADD
_PITCH, _SNUG_PITCH = 0.88, 0.82  # of a row's height from one to the next, and where there is little room


class CardPainter:
    """Paints on cards of one size; lengths are pixels of a film whose shorter side has 720.

    It is `wide`, `tall` or `snug`; words are within `inner`, `gap` is between parts, `pad` within plates.
    """

    def __init__(self, size: tuple[int, int], *, telephone: bool = False) -> None:
        self._size, self.scale, self.telephone = size, min(size) / 720, telephone
        self.area = pygame.Rect(safe_box(size) if telephone else (0, 0, *size))
        """Where words may be: applications on telephones lay their own over the rest."""
        self.wide = self.area.width > 1.2 * self.area.height
        self.tall = self.area.height > 1000 * self.scale
        self.snug = not (self.wide or self.tall)
        edge = 0 if telephone else self.px(12 if self.snug else 24)  # else there is room around it
        self.inner = self.area.inflate(-2 * edge, -2 * edge)
        self.gap, self.pad = self.px(7 if self.snug or telephone else 14), self.px(18)
        self.text = TextRenderer(self.scale)
        self._pitch = _SNUG_PITCH if self.snug else _PITCH
        self._sprites = Sprites(self.px(34), 64.0)
        self._background: pygame.Surface | None = None

    def px(self, length: float) -> int:
        """Return a length in pixels of the film."""
        return max(1, round(length * self.scale))

    def background(self) -> pygame.Surface:
        """Return the floor of every card: dark, with a light of each bot's colour on its side."""
        if self._background is None:
            wide, high = self._size
            surface = self._background = pygame.Surface(self._size, 0, 32)
            surface.fill(theme.NIGHT)
            reach = max(wide, high) * 0.55
            for bot, at in enumerate(((0.0, 0.25 * high), (float(wide), 0.75 * high))):
                lay_light(surface, theme.SEAT_COLORS[bot], reach, 0.4, at)
        return self._background.copy()

    def rows(
        self, text: str, face: Face, color: Color, width: float, most: int = 1, sizes: Sequence[int] = SIZES,
        high: float = math.inf, *, even: bool = False,
    ) -> list[pygame.Surface]:  # fmt: skip
        """Return the text in at most `most` lines and `high` pixels, as large as fits; cut in the smallest type.

        The lines of a text that is not cut have like lengths where they are to be `even`.
        """
        return self.alike([text], face, [color], width, most, sizes, high, even=even)[0]

    def alike(
        self, texts: Sequence[str], face: Face, colors: Sequence[Color], width: float, most: int = 1,
        sizes: Sequence[int] = SIZES, high: float = math.inf, *, even: bool = False,
    ) -> list[list[pygame.Surface]]:  # fmt: skip
        """Return the rows of each text, all in one type: the largest in which each fits as `rows` says."""
        fitting = (size for size in sizes if all(self._fits(text, face, size, width, most, high) for text in texts))
        size = next(fitting, sizes[-1])
        pitch = self._pitch * self.text.height(face, size)
        lines = most if high == math.inf else max(1, min(most, int(high // pitch)))
        found = []
        for text, color in zip(texts, colors, strict=True):
            rows = self.text.rows(text, face, size, width, lines)
            alike = self.text.even(text, face, size, width) if even else rows
            shown = alike if len(alike) == len(rows) else rows
            found.append([self.text.line(row, face, size, color, width) for row in shown])
        return found

    def on_one_line(self, texts: Sequence[str], face: Face, size: int, width: float) -> bool:
        """Return whether each text fits on one line in that type."""
        return all(self.text.measure(text, face, size) <= width for text in texts)

    def _fits(self, text: str, face: Face, size: int, width: float, most: int, high: float) -> bool:
        lines = len(self.text.wrapped(text, face, size, width))
        whole = self.text.breaks_no_word(text, face, size, width)
        return whole and lines <= most and lines * self._pitch * self.text.height(face, size) <= high

    def height(self, rows: Sequence[pygame.Surface]) -> int:
        """Return how high rows below each other are, in pixels."""
        return sum(round(self._pitch * row.get_height()) for row in rows)

    def stack(
        self, target: pygame.Surface, rows: Sequence[pygame.Surface], top: int, *, left: int = 0, middle: int = 0
    ) -> int:
        """Draw rows below each other, from `left` or around a `middle`; return the pixel below them."""
        for row in rows:
            target.blit(row, row.get_rect(midtop=(middle, top)) if middle else (left, top))
            top += round(self._pitch * row.get_height())
        return top

    def plates(self, area: pygame.Rect, seam: int) -> list[pygame.Rect]:
        """Return two plates in an area: beside each other in a wide film, below each other in others."""
        if self.wide:
            half = (area.width - seam) // 2
            return [pygame.Rect(left, area.top, half, area.height) for left in (area.left, area.right - half)]
        half = (area.height - seam) // 2
        return [pygame.Rect(area.left, top, area.width, half) for top in (area.top, area.bottom - half)]

    def fill(
        self, target: pygame.Surface, plates: Sequence[pygame.Rect], columns: Sequence[Sequence[pygame.Surface]],
        bots: Sequence[int] = (0, 1),
    ) -> list[int]:  # fmt: skip
        """Draw plates in the bots' colours, each with a column of rows in its middle; return where these begin.

        Beside each other they begin at the same height.
        """
        highs = [self.height(rows) for rows in columns]
        highs = [max(highs)] * len(highs) if plates[0].top == plates[-1].top else highs
        tops = [plate.top + (plate.height - high) // 2 for plate, high in zip(plates, highs, strict=True)]
        for plate, rows, top, bot in zip(plates, columns, tops, bots, strict=True):
            self.panel(target, plate, bot)
            self.stack(target, rows, top, left=plate.left + self.pad)
        return tops

    def bot(self, target: pygame.Surface, bot: int, at: tuple[float, float]) -> None:
        """Draw a bot that looks at the other one."""
        color, rot = theme.SEAT_COLORS[bot], 180.0 if bot else 0.0
        blit_centred(target, self._sprites.glow(color, self.px(80), 0.5), at, _ADD)
        blit_centred(target, self._sprites.bot(bot, rot, True), at)
        blit_centred(target, self._sprites.head(bot, "open"), at)
        blit_centred(target, self._sprites.pupil(bot), at)

    def panel(self, target: pygame.Surface, rect: pygame.Rect, bot: int) -> None:
        """Draw a plate with the bot's colour along its outer edge."""
        color, plate = theme.SEAT_COLORS[bot], pygame.Surface(rect.size, pygame.SRCALPHA)
        pygame.draw.rect(plate, (*mixed(theme.PANEL, color, 0.06), 235), plate.get_rect(), border_radius=self.px(14))
        target.blit(plate, rect)
        edge = pygame.Rect(rect.left, rect.top, self.px(8), rect.height)
        if bot and self.wide:
            edge.right = rect.right
        pygame.draw.rect(target, color, edge, border_radius=self.px(4))

    def versus(self, target: pygame.Surface, at: tuple[int, int]) -> None:
        """Draw what stands between two plates."""
        row = self.text.line("VS", "title", 54, theme.GOLD)
        target.blit(row, row.get_rect(center=at))


def side_by_side(parts: Sequence[pygame.Surface]) -> pygame.Surface:
    """Return pieces of one line beside each other, on one middle."""
    high = max(part.get_height() for part in parts)
    row = pygame.Surface((sum(part.get_width() for part in parts), high), pygame.SRCALPHA)
    x = 0
    for part in parts:
        row.blit(part, part.get_rect(midleft=(x, high // 2)))
        x += part.get_width()
    return row
