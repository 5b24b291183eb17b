"""A film's poster: one picture of it, for pages and feeds that show one before it plays."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Protocol

import pygame

from batllm_arcade.files.atomic import replacing
from batllm_arcade.video.draw.card_painter import CardPainter
from batllm_arcade.video.draw.opening import opening_picture
from batllm_arcade.video.edit.cards import opening_card
from batllm_arcade.video.edit.edit_list import EditList
from batllm_arcade.view.timeline import Timeline
from batllm_arcade.view.timeline_index import TimelineIndex

_AFTER_S = 0.12  # seconds after a hit, in which it has become visible


class FilmRenderer(Protocol):
    """Draws a film's frames on `surface`, each a function of its time alone."""

    @property
    def surface(self) -> pygame.Surface:
        """Return what the last frame was drawn on."""

    def draw(self, film_t: float) -> list[pygame.Rect]:
        """Draw the frame `film_t` seconds into the film; return the rectangles that changed since the last one."""


def poster_second(timeline: Timeline, edit_list: EditList) -> float:
    """Return the film second that the poster shows: the opening card, else the last hit, else the middle."""
    if edit_list.card:
        return edit_list.card / 2
    hits = [moment.t + _AFTER_S for moment in TimelineIndex(timeline).moments if moment.kind in ("hit", "knockout")]
    shown = [start for t in hits for start, _ in edit_list.spans(t, t + _AFTER_S)]
    return shown[-1] if shown else edit_list.seconds / 2


def write_opening(
    timeline: Timeline, start: float, title: str, size: tuple[int, int], out: Path, *, force: bool
) -> None:
    """Write the opening card of a film of this size that would begin at `start` seconds of the timeline, as PNG."""
    _write(opening_picture(CardPainter(size), opening_card(timeline, start, title)), out, force=force)


def write_poster(renderer: FilmRenderer, film_t: float, out: Path, *, force: bool) -> None:
    """Write a film's picture at that second as PNG, in one step; without `force` only if nothing has appeared there."""
    renderer.draw(film_t)
    _write(renderer.surface, out, force=force)


def _write(surface: pygame.Surface, out: Path, *, force: bool) -> None:
    picture = io.BytesIO()
    pygame.image.save(surface, picture, "poster.png")
    with replacing(out, new=not force) as temporary:
        temporary.write_bytes(picture.getvalue())
