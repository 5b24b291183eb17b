"""The picture that models see: what is where in it, read back by a program that knows its colours."""

from __future__ import annotations

import io

import numpy as np
import pygame
import pytest
from views import view

from batllm_arcade.brains.protocol import PastPlay, PastTurn, PayloadStyle
from batllm_arcade.core.geometry import bearing, turn_between
from batllm_arcade.core.model import Arena, BotState, Rules
from batllm_arcade.core.rules import read_command, step
from batllm_arcade.prompts import picture
from batllm_arcade.settings.config import load

TOP = 18


def shielded(bot):
    return tuple(round(each + (255 - each) * 0.35) for each in picture.SEAT_COLORS[bot])


def pixels(data):
    """The colours by column and row."""
    return pygame.surfarray.array3d(pygame.image.load(io.BytesIO(data)))


def where(found, color):
    """The middles of the pixels of exactly this colour, below the bars."""
    at = np.argwhere((found == color).all(axis=2)) + 0.5
    return at[at[:, 1] > TOP]


def read(found, rules):
    """Both bots as they are in the picture: where they are, in units of the arena, and how they look, in degrees."""
    frame = where(found, picture.WALL)
    first, last = frame.min(axis=0) - 0.5, frame.max(axis=0) + 0.5
    edge = next(n for n in range(20) if tuple(found[int(first[0]) + n, 256]) != picture.WALL)
    scale = (last[0] - first[0] - 2 * edge) / rules.arena_width
    guns = where(found, picture.GUN)
    for color in picture.SEAT_COLORS:
        at = where(found, color).mean(axis=0)
        gun = guns[np.hypot(*(guns - at).T) < 2 * rules.bot_radius * scale].mean(axis=0)
        yield (at - first - edge) / scale, bearing(*(gun - at))


@pytest.mark.parametrize(("name", "left", "right"), [
    ("default", (331.7, 118.2, 40.0), (642.4, 877.3, 200.0)),
    ("arena", (80.0, 500.0, 90.0), (925.5, 66.6, 359.0)),
    ("classic", (0.4321, 0.9377, 315.0), (0.0561, 0.0561, 3.3)),
])  # fmt: skip
def test_a_program_reads_from_it_where_bots_are_and_look(name, left, right):
    rules = load(name).rules
    arena = Arena(*(BotState(*place, 9, shield) for place, shield in ((left, True), (right, False))))
    data = picture.png(arena, 0, rules)
    found = pixels(data)
    for (at, looks), (x, y, rot) in zip(read(found, rules), (left, right), strict=True):
        assert tuple(at) == pytest.approx((x, y), abs=0.003 * rules.arena_width)
        assert abs(turn_between(looks, rot)) < 3
    assert [len(where(found, shielded(bot))) > 50 for bot in (0, 1)] == [True, False]
    assert len(data) < 40_000
    picture.png.cache_clear()
    assert picture.png(arena, 0, rules) == data != picture.png(arena, 1, rules)


def test_the_own_bot_is_marked_bars_are_shares_and_the_size_is_that_asked_for():
    rules = load("couch").rules
    bots = BotState(200, 300, 0, 100, False, 9), BotState(800, 300, 180, 50, False, 0)
    found = pixels(picture.png(Arena(*bots), 1, rules, pixels=256))
    assert found.shape == (256, 256, 3)
    margin = 256 // picture.MARGIN
    own = margin + 0.8 * (256 - 2 * margin), margin + 0.3 * (256 - 2 * margin)
    assert tuple(where(found, picture.WHITE).mean(axis=0)) == pytest.approx(own, abs=0.5)
    left, right = ((found[:, 3] == color).all(axis=1).sum() for color in picture.SEAT_COLORS)
    assert left == pytest.approx(2 * right, abs=1)
    assert left > 100


def test_bullets_of_the_last_turn_are_seen_and_in_independent_mode_only_the_own():
    rules = Rules()
    arena = start = Arena(BotState(200, 300, 0, 100, False), BotState(800, 600, 180, 100, False))
    for bot in (0, 1):
        arena, _ = step(arena, bot, read_command("B", rules), rules)
    turn = PastTurn(1, (PastPlay(0, "B", "B"), PastPlay(1, "B", "B")), arena)
    seen = {"rules": rules, "initial": start, "arena": arena, "turn": 2, "history": (turn,)}
    shots = picture.shots(view(**seen))
    assert shots == ((0, ((200, 300), (1000, 300))), (1, ((800, 600), (0, 600))))
    assert picture.shots(view(**seen, seat=1, style=PayloadStyle(mode="independent"))) == shots[1:]
    way = where(pixels(picture.png(arena, 0, rules, shots)), (112, 211, 255))
    assert way.max(axis=0)[0] > 485
    assert way.mean(axis=0)[1] == pytest.approx(21 + 0.3 * 470, abs=0.5)


def test_a_bullet_that_the_other_has_just_fired_is_seen_where_its_state_tells():
    rules = load("couch").rules
    start = Arena(BotState(200, 300, 0, 100, False, 9), BotState(800, 300, 180, 100, False, 9))
    fired, _ = step(start, 1, read_command("B", rules), rules)
    told = {"rules": rules, "initial": start, "acting_order": (1, 0)}
    assert [bot for bot, _ in picture.shots(view(**told, arena=fired))] == [1]
    assert picture.shots(view(**told, arena=start)) == ()
