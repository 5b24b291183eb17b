"""What a bot says aloud: a bubble over it."""

from __future__ import annotations

import pygame

from batllm_arcade.view import theme
from batllm_arcade.view.scene import Effect
from batllm_arcade.view.text import Cache, Letters, clean, wrap
from batllm_arcade.view.theme import mixed

_WIDEST, _LINES, _SIZE = 210, 3, 17
_PAD, _TAIL = 9, 11
"""Pixels at scale 1, as all lengths here."""


class Speech:
    """Draws bubbles at one scale; each is painted once."""

    def __init__(self, letters: Letters, scale: float) -> None:
        self._letters, self._scale = letters, scale
        self._bubbles = Cache(16)

    def draw(
        self, target: pygame.Surface, said: Effect, t: float, at: tuple[float, float], radius: float, arena: pygame.Rect
    ) -> None:
        """Draw what was said over the bot whose centre is at `at`, or under it where there is no room above."""
        bubble = self._bubbles.get((said.text, said.bot), lambda: self._painted(said.text, said.bot))
        left_s = said.start + said.duration - t
        if left_s < 0.3:
            bubble = bubble.copy()
            bubble.set_alpha(round(255 * max(0.0, left_s) / 0.3))
        gap = radius * 2.05  # clear of the small health bar
        above = at[1] - gap - bubble.get_height() > arena.top
        spot = bubble.get_rect(midbottom=(round(at[0]), round(at[1] - gap)))
        if not above:
            spot.top = round(at[1] + gap)
        spot.clamp_ip(arena.inflate(-8, -8))
        target.blit(bubble, spot)
        self._draw_tail(target, said, spot, at, above=above)

    def _draw_tail(
        self, target: pygame.Surface, said: Effect, spot: pygame.Rect, at: tuple[float, float], *, above: bool
    ) -> None:
        half = self._px(_TAIL) / 2
        x = min(max(at[0], spot.left + 3 * half), spot.right - 3 * half)
        edge, towards = (spot.bottom - 1, 1) if above else (spot.top, -1)
        points = [(x - half, edge), (x + half, edge), (x, edge + towards * 2 * half)]
        pygame.draw.polygon(target, theme.SEAT_COLORS[said.bot], points)

    def _painted(self, text: str, bot: int) -> pygame.Surface:
        pad = self._px(_PAD)

        def measure(part: str) -> int:
            return self._letters.measure(part, "label", _SIZE)

        words = wrap(clean(" ".join(text.split())), measure, self._px(_WIDEST))
        width = max(measure(line) for line in words[:_LINES]) + 2
        block = self._letters.block("\n".join(words), "label", _SIZE, theme.TEXT, width, _LINES)
        surface = pygame.Surface((width + 2 * pad, block.get_height() + 2 * pad), pygame.SRCALPHA)
        color = theme.SEAT_COLORS[bot]
        pygame.draw.rect(surface, mixed(theme.NIGHT, color, 0.16), surface.get_rect(), border_radius=pad)
        pygame.draw.rect(surface, color, surface.get_rect(), max(1, self._px(2)), border_radius=pad)
        surface.blit(block, (pad, pad))
        return surface

    def _px(self, length: float) -> int:
        return round(length * self._scale)
