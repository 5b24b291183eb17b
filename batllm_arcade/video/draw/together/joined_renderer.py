"""Draws the frames of a film that is joined from parts, each with a renderer of its own; one may be a still picture."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence

import pygame

from batllm_arcade.video.draw.card_painter import CardPainter
from batllm_arcade.video.draw.cards import Picture
from batllm_arcade.video.draw.poster import FilmRenderer


class JoinedRenderer:
    """Draws frames, each a function of its time alone; of one part at a time a renderer is kept.

    `parts` make the renderers of the parts, `starts` are when these begin, in film seconds, the first at 0.
    """

    def __init__(self, parts: Sequence[Callable[[], FilmRenderer]], starts: Sequence[float]) -> None:
        self._parts, self._starts = parts, starts
        self._shown, self._renderer = 0, parts[0]()

    @property
    def surface(self) -> pygame.Surface:
        """Return what the last frame was drawn on; each part has its own."""
        return self._renderer.surface

    def draw(self, film_t: float) -> list[pygame.Rect]:
        """Draw the frame `film_t` seconds into the film; return the rectangles that changed since the last one."""
        part = max(0, bisect_right(self._starts, film_t) - 1)
        new = part != self._shown
        if new:
            self._shown, self._renderer = part, self._parts[part]()
        changed = self._renderer.draw(film_t - self._starts[part])
        return [self.surface.get_rect()] if new else changed


class StillRenderer:
    """Shows one card, on `surface`, for as long as it lasts; where telephones lay words over a film it is `covered`."""

    def __init__(self, size: tuple[int, int], paint: Picture, *, covered: bool) -> None:
        self.surface = paint(CardPainter(size, telephone=covered))
        self._shown = False

    def draw(self, film_t: float) -> list[pygame.Rect]:
        """Return what changed since the last frame: all of it in the first one."""
        first, self._shown = not self._shown, True
        return [self.surface.get_rect()] if first else []
