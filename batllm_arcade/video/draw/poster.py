"""A film's or a page's poster: one picture of it, for pages and feeds that show one before it plays."""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

import pygame

from batllm_arcade.files.atomic import replacing
from batllm_arcade.video.draw.card_painter import CardPainter
from batllm_arcade.video.draw.opening import opening_picture
from batllm_arcade.video.edit.cards import opening_card
from batllm_arcade.video.edit.fight_moment import Span, fight_scene
from batllm_arcade.view.timeline import Timeline

_FINER = 2
"""How much larger a poster is painted than it is: type and edges are smoother then."""


class FilmRenderer(Protocol):
    """Draws a film's frames on `surface`, each a function of its time alone."""

    @property
    def surface(self) -> pygame.Surface:
        """Return what the last frame was drawn on."""

    def draw(self, film_t: float) -> list[pygame.Rect]:
        """Draw the frame `film_t` seconds into the film; return the rectangles that changed since the last one."""


def fight_poster(
    timeline: Timeline, spans: Sequence[Span], title: str, size: tuple[int, int], *, telephone: bool = False
) -> pygame.Surface:
    """Return the poster of what these `spans` of a timeline show: its claim, who was told what, and the fight."""
    from batllm_arcade.video.draw.fight_picture import fight_picture  # loads all that draws matches

    card = opening_card(timeline, spans[0][0] if spans else 0.0, title)
    wide, high = (_FINER * side for side in size)
    painter = CardPainter((wide, high), telephone=telephone)
    picture = fight_picture(painter, card, fight_scene(timeline, spans))
    return pygame.transform.smoothscale(picture, size)


def write_opening(
    timeline: Timeline, start: float, title: str, size: tuple[int, int], out: Path, *, force: bool
) -> None:
    """Write the opening card of a film of this size that would begin at `start` seconds of the timeline, as PNG."""
    write_picture(opening_picture(CardPainter(size), opening_card(timeline, start, title)), out, force=force)


def write_picture(surface: pygame.Surface, out: Path, *, force: bool) -> None:
    """Write a picture as PNG, in one step; without `force` only if nothing has appeared there."""
    picture = io.BytesIO()
    pygame.image.save(surface, picture, "poster.png")
    with replacing(out, new=not force) as temporary:
        temporary.write_bytes(picture.getvalue())


def frame_of(renderer: FilmRenderer, film_t: float) -> pygame.Surface:
    """Return a film's picture at that second."""
    renderer.draw(film_t)
    return renderer.surface
