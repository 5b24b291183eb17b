"""Rectangles: what is left of one beside others, and the same place in another one."""

from __future__ import annotations

from collections.abc import Iterable

import pygame


def uncovered(area: pygame.Rect, covers: Iterable[pygame.Rect]) -> list[pygame.Rect]:
    """Return rectangles that together are the part of `area` outside of all covers."""
    left = [area]
    for cover in covers:
        pieces = []
        for rect in left:
            hole = rect.clip(cover)
            if not hole.w or not hole.h:
                pieces.append(rect)
                continue
            pieces += [
                pygame.Rect(rect.left, rect.top, rect.w, hole.top - rect.top),
                pygame.Rect(rect.left, hole.bottom, rect.w, rect.bottom - hole.bottom),
                pygame.Rect(rect.left, hole.top, hole.left - rect.left, hole.h),
                pygame.Rect(hole.right, hole.top, rect.right - hole.right, hole.h),
            ]
        left = [piece for piece in pieces if piece.w and piece.h]
    return left


def mapped(rect: pygame.Rect, whole: pygame.Rect, other: pygame.Rect) -> pygame.Rect:
    """Return a rectangle that has the same place in another one as it has in the whole."""
    across, down = other.width / whole.width, other.height / whole.height
    left, top = other.left + (rect.left - whole.left) * across, other.top + (rect.top - whole.top) * down
    return pygame.Rect(round(left), round(top), round(rect.width * across), round(rect.height * down))
