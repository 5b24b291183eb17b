"""The surfaces that films are drawn on."""

from __future__ import annotations

import pygame


def canvas(size: tuple[int, int]) -> pygame.Surface:
    """Return a surface in the pixel format bgr0, whatever the display's format is."""
    return pygame.Surface(size, 0, 32, (0xFF0000, 0xFF00, 0xFF, 0))
