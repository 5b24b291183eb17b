"""Draws a picture of a fight, for pages and feeds: the claim, both names and orders, and a moment of the fight."""

from __future__ import annotations

from collections.abc import Sequence

import pygame

from batllm_arcade.render.renderer import Renderer
from batllm_arcade.video.draw.canvas import canvas
from batllm_arcade.video.draw.card_painter import SIZES, CardPainter
from batllm_arcade.video.edit.cards import CardSide, OpeningCard
from batllm_arcade.view import theme
from batllm_arcade.view.camera import Camera, Frame
from batllm_arcade.view.scene import Scene

_EDGE, _GAP, _PAD = 24, 16, 18  # pixels of a picture whose shorter side has 720
_SMALL, _CLAIM = (*SIZES, 42, 36, 32, 28), (60, 54, 48, 42)
_ROWS = 9
"""The most rows of orders."""
_FIGHT, _HIGH = 0.40, 0.48
"""The share of the width that the fight takes between both players, or of the height above them."""

_ROOM = 4.0
"""Radii of a bot that both bots and their bars of health take where they are at the same height."""


def fight_picture(painter: CardPainter, card: OpeningCard, scene: Scene) -> pygame.Surface:
    """Return the whole picture."""
    surface, gap = painter.background(), painter.px(_GAP)
    inner = painter.area.inflate(-2 * painter.px(_EDGE), -2 * painter.px(_EDGE))
    claim = painter.rows(card.claim, "title", theme.GOLD, inner.width, 2, SIZES if painter.wide else _CLAIM)
    top = painter.stack(surface, claim, inner.top, -1, inner.centerx) + gap
    left, fight, right = _places(painter, pygame.Rect(inner.left, top, inner.width, inner.bottom - top), gap)
    _paint_fight(painter, surface, fight, scene)
    _paint_sides(painter, surface, (left, right), card.sides)
    return surface


def _places(painter: CardPainter, area: pygame.Rect, gap: int) -> list[pygame.Rect]:
    """Return where the left player, the fight and the right player are: beside each other in a wide picture, else the
    fight is above them."""
    if painter.wide:
        side = min(area.height, round(_FIGHT * area.width))
        plate = (area.width - side) // 2 - gap
        fight = pygame.Rect(0, 0, side, side)
        fight.center = area.center
        players = (pygame.Rect(x, area.top, plate, area.height) for x in (area.left, area.right - plate))
        left, right = players
        return [left, fight, right]
    high, plate = round(_HIGH * area.height), (area.width - gap) // 2
    below = pygame.Rect(area.left, area.top + high + gap, plate, area.height - high - gap)
    return [below, pygame.Rect(area.topleft, (area.width, high)), below.move(plate + gap, 0)]


def _paint_fight(painter: CardPainter, target: pygame.Surface, rect: pygame.Rect, scene: Scene) -> None:
    """Paint the part of the arena around both bots that has the shape of a rectangle, scaled to it; all of the arena in
    the middle of it if they are too far apart."""
    side = max(rect.size)
    renderer = Renderer((2 * side, round(1.1 * side)), scene.board.rules, film="plain")
    whole, arena = canvas(renderer.size), renderer.arena
    renderer.draw(whole, scene)
    part = _shown(scene, arena, rect.width / rect.height)
    if part == arena:
        rect = rect.inflate(min(rect.size) - rect.width, min(rect.size) - rect.height)
    target.blit(pygame.transform.smoothscale(whole.subsurface(part), rect.size), rect)
    pygame.draw.rect(target, theme.WALL, rect, painter.px(3), border_radius=painter.px(4))


def _shown(scene: Scene, arena: pygame.Rect, shape: float) -> pygame.Rect:
    """Return the part of an arena as wide as that, and `shape` times as wide as high, that has both bots in it."""
    rules = scene.board.rules
    shown = scene.frame or Frame(0.0, 0.0, rules.arena_width, rules.arena_height)
    camera = Camera.showing(shown, arena.left, arena.top, arena.width)
    (_, one), (_, other) = (camera.point(pose.x, pose.y) for pose in scene.bots)
    part = pygame.Rect(arena.left, 0, arena.width, round(arena.width / shape))
    part.centery = round((one + other) / 2)
    fits = abs(one - other) + _ROOM * camera.length(rules.bot_radius) <= part.height <= arena.height
    return part.clamp(arena) if fits else arena


def _paint_sides(
    painter: CardPainter, target: pygame.Surface, places: Sequence[pygame.Rect], sides: Sequence[CardSide]
) -> None:
    """Paint both players' names, levels and orders, in the same types and from the same height on."""
    pad = painter.px(_PAD)
    width = places[0].width - 2 * pad
    names = (min(painter.size_of(side.name, "title", width, 1, _SMALL[3:]) for side in sides),)
    heads = [_head(painter, side, bot, width, names) for bot, side in enumerate(sides)]
    rooms = [place.height - _high(head) - pad for place, head in zip(places, heads, strict=True)]
    size = min(
        painter.size_of(side.told, "label", width, _ROWS, _SMALL, room) for side, room in zip(sides, rooms, strict=True)
    )
    stacks = [
        head + painter.rows(side.told, "label", theme.TEXT, width, _ROWS, (size,), room)
        for side, head, room in zip(sides, heads, rooms, strict=True)
    ]
    high = max(map(_high, stacks))
    for bot, (place, stack) in enumerate(zip(places, stacks, strict=True)):
        painter.panel(target, place, bot)
        painter.stack(target, stack, place.centery - high // 2, place.left + pad, 0)


def _head(painter: CardPainter, side: CardSide, bot: int, width: int, sizes: Sequence[int]) -> list[pygame.Surface]:
    """Return the rows of a player's name and level."""
    rows = painter.rows(side.name, "title", theme.SEAT_COLORS[bot], width, 1, sizes)
    return rows + (painter.rows(side.level, "label", theme.SOFT, width, 1, _SMALL[-2:]) if side.level else [])


def _high(rows: Sequence[pygame.Surface]) -> int:
    return sum(row.get_height() for row in rows)
