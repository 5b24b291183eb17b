"""Fingers as a mouse: the first one points and clicks, a second one beside it turns the wheel."""

from __future__ import annotations

import pygame

FINGERS = (pygame.FINGERDOWN, pygame.FINGERMOTION, pygame.FINGERUP)
_MOUSE = (pygame.MOUSEMOTION, pygame.MOUSEBUTTONDOWN, pygame.MOUSEBUTTONUP)
_ROW = 0.04
"""How far two fingers go for a row of the wheel, a share of the window's height."""


class Touch:
    """Turns the events of fingers into those of a mouse; the mouse that SDL makes of fingers itself is left out."""

    def __init__(self) -> None:
        self._first: int | None = None
        self._second: int | None = None
        self._rolled = 0.0

    def take(self, event: pygame.event.Event) -> list[pygame.event.Event]:
        """Return the events of a mouse that this event stands for; any other event stays as it is."""
        if event.type in _MOUSE and getattr(event, "touch", False):
            return []
        if event.type not in FINGERS:
            return [event]
        size = pygame.display.get_window_size()
        pos = round(event.x * size[0]), round(event.y * size[1])
        if event.finger_id == self._second:
            return self._roll(event, pos)
        if event.type == pygame.FINGERDOWN and self._first is not None:
            self._second, self._rolled = event.finger_id, 0.0
            return []
        if event.type == pygame.FINGERDOWN:
            self._first = event.finger_id
            return [_mouse(pygame.MOUSEMOTION, pos), _mouse(pygame.MOUSEBUTTONDOWN, pos)]
        if event.finger_id != self._first:
            return []
        if event.type == pygame.FINGERMOTION:
            return [_mouse(pygame.MOUSEMOTION, pos)]
        self._first = None
        return [_mouse(pygame.MOUSEMOTION, pos), _mouse(pygame.MOUSEBUTTONUP, pos)]

    def _roll(self, event: pygame.event.Event, pos: tuple[int, int]) -> list[pygame.event.Event]:
        if event.type == pygame.FINGERUP:
            self._second = None
            return []
        self._rolled += event.dy
        rows = int(self._rolled / _ROW)
        self._rolled -= rows * _ROW
        return [pygame.event.Event(pygame.MOUSEWHEEL, x=0, y=rows, pos=pos)] if rows else []


def _mouse(kind: int, pos: tuple[int, int]) -> pygame.event.Event:
    if kind == pygame.MOUSEMOTION:
        return pygame.event.Event(kind, pos=pos, rel=(0, 0), buttons=(1, 0, 0))
    return pygame.event.Event(kind, pos=pos, button=pygame.BUTTON_LEFT)
