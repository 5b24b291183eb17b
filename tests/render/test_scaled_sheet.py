"""A picture that is scaled is the same whatever was on its sheet before."""

from __future__ import annotations

import pygame

from batllm_arcade.render import arena
from batllm_arcade.render.arena import ScaledSheet
from batllm_arcade.render.background import draw_floor
from batllm_arcade.render.draw_list import DrawList, paint

WHOLE, SHOWN = pygame.Rect(0, 0, 90, 90), pygame.Rect(3, 2, 50, 50)


def floor():
    surface = pygame.Surface(WHOLE.size)
    for x in range(0, 90, 6):
        surface.fill((x, 40, 90 - x), (x, 0, 3, 90))
    return surface


FLOOR = floor()


def recorded(part, x, *, flash=False, shake=0):
    """What is drawn of a floor with things that move to x."""
    draw_list = DrawList(pygame.Rect(part))
    draw_floor(draw_list, FLOOR, WHOLE, (shake, 0))
    draw_list.polygon((250, 0, 0), [(x, 10.5), (x + 20, 15), (x + 5.5, 40)])
    draw_list.rect((0, 250, 0), pygame.Rect(x, 50, 30, 8))
    if flash:
        draw_list.flash((60, 60, 60))
    return draw_list.commands


SEQUENCE = [
    ((20, 20, 40, 40), {"x": 30, "flash": True}),
    ((15, 15, 50, 50), {"x": 31}),
    ((0, 0, 90, 90), {"x": 32, "shake": 4}),
    ((5, 5, 80, 80), {"x": 50}),
    ((40, 40, 50, 50), {"x": 51, "flash": True}),
    ((0, 0, 90, 90), {"x": 51}),
]


def painted(sheet, part, commands):
    target, draw_list = pygame.Surface((60, 60)), DrawList(SHOWN)
    sheet.record(draw_list, commands, pygame.Rect(part))
    paint(target, draw_list.commands, [SHOWN])
    return pygame.image.tobytes(target, "RGB")


def test_it_shows_what_a_new_sheet_would():
    kept = ScaledSheet(WHOLE.size)
    for part, drawn in SEQUENCE:
        commands = recorded(part, **drawn)
        assert painted(kept, part, commands) == painted(ScaledSheet(WHOLE.size), part, commands), drawn


def test_only_what_differs_is_painted(monkeypatch):
    kept, parts = ScaledSheet(WHOLE.size), []
    monkeypatch.setattr(arena, "paint", lambda _sheet, _commands, changed: parts.append([*changed]))
    for x, part in ((30, (20, 20, 40, 40)), (31, (15, 15, 60, 60)), (31, (10, 10, 70, 70))):
        painted(kept, part, recorded((0, 0, 90, 90), x))
    assert parts[0] == [WHOLE]
    assert 0 < sum(rect.w * rect.h for rect in parts[1]) < WHOLE.w * WHOLE.h
    assert parts[2] == []
