"""The one clock of everything that is shown."""

from __future__ import annotations

import time
from typing import Protocol

import pygame

FRAMES_PER_SECOND = 60


class FrameClock(Protocol):
    """Tells the time and keeps the pace of the frames."""

    def now(self) -> float:
        """Return the time in seconds; it never goes back."""
        ...

    def next_frame(self) -> None:
        """Wait until the next frame is due."""
        ...


class WindowClock:
    """`time.monotonic`, by which brains and recordings count, too; 60 frames a second."""

    def __init__(self) -> None:
        self._pace = pygame.time.Clock()

    def now(self) -> float:
        """Return the time in seconds of `time.monotonic`."""
        return time.monotonic()

    def next_frame(self) -> None:
        """Wait until the next frame is due; not at all if it is late."""
        self._pace.tick(FRAMES_PER_SECOND)
