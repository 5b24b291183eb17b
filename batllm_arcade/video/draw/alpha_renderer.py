"""Draws frames with an alpha layer: of the same picture on black and on white, what differs is what shows through."""

from __future__ import annotations

from typing import Any

import numpy as np
import pygame
from numpy.typing import NDArray

from batllm_arcade.video.draw.poster import FilmRenderer

Pixels = NDArray[np.uint8]


class AlphaRenderer:
    """Draws frames on `surface`, whose fourth channel is the alpha layer, each a function of its time alone."""

    def __init__(self, on_black: FilmRenderer, on_white: FilmRenderer) -> None:
        self._both = on_black, on_white
        size = on_black.surface.get_size()
        self.surface = pygame.Surface(size, 0, 32, (0xFF0000, 0xFF00, 0xFF, 0xFF000000))

    def draw(self, film_t: float) -> list[pygame.Rect]:
        """Draw the frame `film_t` seconds into the film; return the rectangles that changed since the last one."""
        changed, also = (renderer.draw(film_t) for renderer in self._both)
        black, white, out = (_pixels(surface) for surface in (*(each.surface for each in self._both), self.surface))
        whole = self.surface.get_rect()
        for rect in (each.clip(whole) for each in (*changed, *also)):
            part = slice(rect.top, rect.bottom), slice(rect.left, rect.right)
            out[part] = _with_alpha(black[part][..., :3], white[part][..., :3])
        return [*changed, *also]


def _with_alpha(black: Pixels, white: Pixels) -> Pixels:
    """Return pixels of which these are what is seen on black and on white."""
    through = np.clip(white.astype(np.int16) - black, 0, 255).max(axis=2)
    alpha = (255 - through).astype(np.uint16)
    color = black.astype(np.uint16) * 255 // np.maximum(alpha, 1)[..., None]
    return np.concatenate((np.minimum(color, 255), alpha[..., None]), axis=2).astype(np.uint8)


def _pixels(surface: pygame.Surface) -> Pixels:
    """Return the memory of a surface, of shape (height, width, 4): blue, green, red and alpha."""
    buffer: Any = surface.get_buffer()
    found: Pixels = np.frombuffer(buffer, np.uint8)
    return found.reshape(surface.get_height(), surface.get_pitch() // 4, 4)
