"""Films for telephones show the health so far below their words, as lines without any words."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pygame
import pytest
from plays import bot, game
from texts import note_texts

from batllm_arcade.render.health_chart import HealthChart
from batllm_arcade.render.text import TextRenderer
from batllm_arcade.video.draw.frames import FrameRenderer, HealthStrip
from batllm_arcade.video.edit.edit_list import Cut, EditList
from batllm_arcade.view import theme
from batllm_arcade.view.layout import Layout
from batllm_arcade.view.statistics import report
from batllm_arcade.view.timeline import Timeline

TIMELINE = Timeline.of(game("A B", "B B", "A B", "B M0", bots=(bot(200, 0), bot(800, 180))))


def colored(surface: pygame.Surface, rect: pygame.Rect, seat: int) -> int:
    """How many pixels of a rectangle have the colour of a bot."""
    pixels = pygame.surfarray.array3d(surface)[rect.left : rect.right, rect.top : rect.bottom].astype(int)
    return int((np.abs(pixels - np.array(theme.SEAT_COLORS[seat])).sum(axis=2) < 40).sum())


def test_lines_grow_with_what_is_known_and_are_drawn_only_then():
    strip, surface = HealthStrip(Layout.upright((1080, 1920), covered=True), TIMELINE), pygame.Surface((1080, 1920))
    known = [segment.known for segment in TIMELINE.segments if segment.flight]
    seen = []
    for t in (0.0, known[0] + 0.01, known[1] + 0.01, known[2] + 0.01):
        assert strip.draw(surface, t, anew=False) == [strip.rect]
        assert strip.draw(surface, t + 0.001, anew=False) == []
        assert strip.draw(surface, t, anew=True) == [strip.rect]
        seen.append([colored(surface, strip.rect, seat) for seat in (0, 1)])
    assert all(sum(one) < sum(other) for one, other in itertools.pairwise(seen))
    assert strip.draw(surface, 0.0, anew=False) == [strip.rect]
    assert [colored(surface, strip.rect, seat) for seat in (0, 1)] == seen[0]


def test_no_mark_is_seen_of_what_is_to_come():
    """Plays lie nearer to each other here than marks are wide."""
    plays = ["A B", "B M0"] * 12
    line = Timeline.of(game(*plays, bots=(bot(200, 0), bot(800, 180))))
    figures = report(segment.record for segment in line.segments)
    first = figures.marks[0]
    pictures = []
    for marks in ((first,), figures.marks):
        chart = HealthChart(replace(figures, marks=marks), TextRenderer(1.0), 2.2, (400, 300), labelled=False)
        surface = pygame.Surface((400, 300))
        chart.draw_until(surface, (0, 0), figures.marks[1].at - 1)
        pictures.append(surface.get_buffer().raw)
    assert pictures[0] == pictures[1]


def test_it_is_where_applications_lay_their_words_and_has_none(monkeypatch):
    layout, texts = Layout.upright((1080, 1920), covered=True), note_texts(monkeypatch)
    strip = HealthStrip(layout, TIMELINE)
    strip.draw(pygame.Surface((1080, 1920)), TIMELINE.end, anew=True)
    assert texts == []
    assert layout.free[1] + layout.free[3] < strip.rect.top < strip.rect.bottom < 1920


@pytest.mark.parametrize("covered", [True, False])
def test_only_films_for_telephones_have_it_and_a_frame_is_a_function_of_its_time(covered):
    def made():
        return FrameRenderer(
            (540, 960),
            TIMELINE,
            EditList([Cut(0.0, TIMELINE.end)], 1.0),
            film="covered" if covered else "plain",
        )

    playing, seeking = made(), made()
    for number in range(40):
        playing.draw(number / 10)
    seeking.draw(3.9)
    assert (seeking._strip is not None) == covered
    assert seeking.surface.get_buffer().raw == playing.surface.get_buffer().raw
    playing.draw(0.5)
    playing.draw(2.0)
    seeking.draw(2.0)
    assert seeking.surface.get_buffer().raw == playing.surface.get_buffer().raw
