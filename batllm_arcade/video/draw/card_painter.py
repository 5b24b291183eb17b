"""Large type for cards: the largest in which a text fits, and never smaller than can be read on a phone."""

from __future__ import annotations

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


class CardPainter:
    """Paints on cards of one size; lengths are pixels of a film whose shorter side has 720."""

    def __init__(self, size: tuple[int, int], *, telephone: bool = False) -> None:
        self._size, self.scale, self.telephone = size, min(size) / 720, telephone
        self.area = pygame.Rect(safe_box(size) if telephone else (0, 0, *size))
        """Where words may be: applications on telephones lay their own over the rest."""
        self.wide = self.area.width > 1.2 * self.area.height
        self.tall = self.area.height > 1000 * self.scale
        self.text = TextRenderer(self.scale)
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
        self, text: str, face: Face, color: Color, width: float, most: int, sizes: Sequence[int] = SIZES,
        high: float = 1e9, *, even: bool = False,
    ) -> list[pygame.Surface]:  # fmt: skip
        """Return the text in at most `most` lines and `high` pixels, as large as fits; cut in the smallest type.

        The lines of a text that is not cut have like lengths where they are to be `even`.
        """
        size, lines = self.lines_of(text, face, width, most, sizes, high)
        if even and len(alike := self.text.even(text, face, size, width)) == len(lines):
            lines = alike
        return [self.text.line(line, face, size, color, width) for line in lines]

    def lines_of(
        self, text: str, face: Face, width: float, most: int, sizes: Sequence[int] = SIZES, high: float = 1e9
    ) -> tuple[int, list[str]]:
        """Return the type of such a text and its lines."""
        size = self.size_of(text, face, width, most, sizes, high)
        fitting = max(1, min(most, int(high // self.text.height(face, size))))
        return size, self.text.rows(text, face, size, width, fitting)

    def size_of(self, text: str, face: Face, width: float, most: int, sizes: Sequence[int], high: float = 1e9) -> int:
        """Return the largest type in which the text fits into at most `most` lines and `high` pixels, else the last."""
        for size in sizes:
            lines = self.text.wrapped(text, face, size, width)
            whole = self.text.breaks_no_word(text, face, size, width)
            if whole and len(lines) <= most and len(lines) * self.text.height(face, size) <= high:
                break
        return size

    def cut_rows(self, text: str, width: float, most: int) -> list[str]:
        """Return the text in the smallest type in at most `most` lines, cut at a word."""
        return self.text.rows(text, "label", LEAST, width, most)

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

    @staticmethod
    def stack(
        target: pygame.Surface, rows: Sequence[pygame.Surface], top: float, left: float, middle: float,
        pitch: float = 1.0,
    ) -> int:  # fmt: skip
        """Draw rows below each other, from `left` or (`left` below 0) around `middle`; return the pixel below them.

        `pitch` is the share of its height after which the next row begins.
        """
        y = round(top)
        for row in rows:
            target.blit(row, (left, y) if left >= 0 else row.get_rect(midtop=(round(middle), y)))
            y += round(pitch * row.get_height())
        return y


def side_by_side(parts: Sequence[pygame.Surface]) -> pygame.Surface:
    """Return pieces of one line beside each other, on one middle."""
    high = max(part.get_height() for part in parts)
    row = pygame.Surface((sum(part.get_width() for part in parts), high), pygame.SRCALPHA)
    x = 0
    for part in parts:
        row.blit(part, part.get_rect(midleft=(x, high // 2)))
        x += part.get_width()
    return row


def height_of(rows: Sequence[pygame.Surface]) -> int:
    """Return how high rows below each other are, in pixels."""
    return sum(row.get_height() for row in rows)
