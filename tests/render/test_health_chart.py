"""The health lines of a film's end card, which has no legend."""

from __future__ import annotations

from dataclasses import replace

import pygame
import pytest
from fakes import played

from batllm_arcade.brains.protocol import Decision
from batllm_arcade.core.model import Rules
from batllm_arcade.render.health_chart import HealthChart
from batllm_arcade.render.text import TextRenderer
from batllm_arcade.view import theme
from batllm_arcade.view.statistics import Mark, MatchStatistics, report

SIZE, ENDS = (500, 200), 30.0
EVEN = ((1.0, 1.0),) * 8 + ((0.5, 0.8),)
FALLS = ((1.0, 1.0), (0.1, 1.0)) + ((0.1, 0.8),) * 7


def told(curve, marks=()) -> MatchStatistics:
    records = played([Decision("C1", "C1")], ["C1"], rules=Rules(total_rounds=1, turns_per_round=1))
    return replace(report(records), curve=curve, marks=marks, starts=(0,))


def chart(curve, marks=(), **options) -> HealthChart:
    return HealthChart(told(curve, marks), TextRenderer(1.0), 1.6, SIZE, labelled=False, ends=ENDS, **options)


def named(made: HealthChart) -> pygame.Rect | None:
    """Where the frame has type in the colour of the name."""
    mask = pygame.mask.from_threshold(made.frame, theme.DIM, (2, 2, 2, 255))
    rects = mask.get_bounding_rects()
    return rects[0].unionall(rects[1:]) if rects else None


@pytest.mark.parametrize(("curve", "is_named"), [(EVEN, True), (FALLS, False)])
def test_the_lines_are_named_where_they_are_not(curve, is_named):
    made = chart(curve)
    place = named(made)
    assert (place is not None) is is_named
    if place is None:
        return
    assert place.height >= 0.6 * ENDS
    assert place.bottom > 0.7 * SIZE[1]
    lines = pygame.mask.from_surface(made.lines)
    assert not lines.overlap(pygame.Mask(place.size, fill=True), place.topleft)


@pytest.mark.parametrize(("kind", "shown"), [("hit", True), ("knockout", True), ("block", False), ("break", False)])
def test_only_marks_are_drawn_that_need_no_legend(kind, shown):
    marked, bare = (chart(EVEN, marks).lines.get_buffer().raw for marks in ((Mark(4, 0, kind),), ()))
    assert (marked != bare) is shown


def test_rounds_are_named_where_no_other_name_stands():
    short, long = (replace(told(EVEN), starts=starts) for starts in ((0, 7, 8), (0, 7)))
    rows = []
    for each in (short, long):
        made = HealthChart(each, TextRenderer(1.0), 1.6, SIZE)
        below = made._inner.bottom + 2
        rows.append(made.frame.subsurface((0, below, SIZE[0], SIZE[1] - below)).copy().get_buffer().raw)
    assert rows[0] == rows[1], "the last round's name would lie over that of the round before"


def test_of_several_games_the_lines_begin_anew_and_no_last_value_is_told():
    games = told(((1.0, 1.0), (0.0, 1.0), (1.0, 1.0), (0.5, 1.0)))
    options = {"labelled": False, "ends": ENDS}
    one, several = (HealthChart(games, TextRenderer(1.0), 1.6, SIZE, **options, first_game=each) for each in (0, 1))
    assert several._inner.width > one._inner.width  # the values have no room beside the lines
    left, right = (round(several._point(play, 0.5)[0]) for play in (1, 2))
    y = round(several._point(0, 0.3)[1])
    assert not any(several.lines.get_at((x, y)).a for x in (right, (left + right) // 2))  # nothing rises there
    assert several.lines.get_at((left, y)).a  # but it falls


def test_below_the_lines_of_several_games_stand_their_numbers_where_there_is_room():
    high, low = ((1.0, 1.0),) * 8, ((0.1, 1.0),) * 8
    lined = []
    for games in ((high, high), (high, low)):
        figures = replace(told((*games[0], *games[1])), starts=(0, 8))
        made = HealthChart(figures, TextRenderer(1.0), 1.6, (900, 200), labelled=False, ends=ENDS, first_game=2)
        middle = round(made._point(8, 0)[0])
        mask = pygame.mask.from_threshold(made.frame, theme.DIM, (2, 2, 2, 255))
        lined.append(sorted({rect.left > middle for rect in mask.get_bounding_rects()}))
    assert lined == [[False, True], [False]]
    many = replace(told(high * 6), starts=tuple(range(0, 48, 8)))
    made = HealthChart(many, TextRenderer(1.0), 1.6, (900, 200), labelled=False, ends=ENDS, first_game=1)
    assert named(made)  # where there is no room for GAME and its number, there is for the number
