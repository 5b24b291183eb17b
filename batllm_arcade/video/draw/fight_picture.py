"""The picture of a fight on a card."""

from __future__ import annotations

from collections.abc import Sequence

import pygame

from batllm_arcade.render.draw_list import uncovered
from batllm_arcade.render.renderer import Renderer
from batllm_arcade.video.draw.card_painter import LEAST, SIZES, CardPainter, height_of, side_by_side
from batllm_arcade.video.edit.cards import CardSide, OpeningCard
from batllm_arcade.view import theme
from batllm_arcade.view.scene import Scene

# -- The surfaces that films are drawn on


def canvas(size: tuple[int, int]) -> pygame.Surface:
    """Return a surface in the pixel format bgr0, whatever the display's format is."""
    return pygame.Surface(size, 0, 32, (0xFF0000, 0xFF00, 0xFF, 0))


# -- Draws a picture of a fight, for pages and feeds: the claim, both names and orders, and a

_EDGE, _GAP, _PAD = 24, 16, 14  # pixels of a picture whose shorter side has 720
_SMALL, _CLAIM = (*SIZES, 42, 36, 32, 28), (60, 54, 48, 42)
_ROWS = 9
"""The most rows of orders."""
_FIGHT, _HIGH = 0.40, (0.66, 0.58, 0.52, 0.46)
"""The share of the width that the fight takes between both players, or of the height above them: the most of these that
leaves room for all of their words."""

_LEAST = 0.34
"""The least share of the arena's width that is shown, where there is that much room."""
_ROOM = 2.4
"""Radii of a bot around its middle that are in the picture, for its bar of health and what a hit took."""
_SHARPER = 1.5  # times as large as its place is the arena painted, of which a part is shown
_BELOW = 20  # from a card's words to the picture below them
_NAME, _NAME_SIZE = ("BATLLM ", "ARCADE"), 44


def fight_picture(painter: CardPainter, card: OpeningCard, scene: Scene) -> pygame.Surface:
    """Return the whole picture."""
    surface, gap = painter.background(), painter.px(_GAP)
    edge = 0 if painter.telephone else painter.px(_EDGE)  # else there is room around it
    inner = painter.area.inflate(-2 * edge, -2 * edge)
    lines = 1 if painter.wide and painter.text.measure(card.claim, "title", LEAST) <= inner.width else 2
    claim = painter.rows(
        card.claim, "title", theme.GOLD, inner.width, lines, SIZES if painter.wide else _CLAIM, even=True
    )
    parts = zip(_NAME, (theme.TEXT, theme.GOLD), strict=True)
    name = side_by_side([painter.text.line(part, "title", _NAME_SIZE, color) for part, color in parts])
    surface.blit(name, name.get_rect(midbottom=inner.midbottom))
    inner.height -= name.get_height() + gap // 2
    high = height_of(claim) + gap
    area = pygame.Rect(inner.left, inner.top + high, inner.width, inner.height - high)
    for share in _HIGH[1:] if painter.telephone else _HIGH:  # telephones show more of it above all words
        left, fight, right = _places(painter, area, gap, share)
        if _have_room(painter, (left, right), card.sides):
            break
    top, covered = inner.top, 0.0
    if painter.telephone:  # the fight is above all words, from edge to edge, and bots are where nothing covers them
        top = left.top - high
        fight = pygame.Rect(0, 0, surface.get_width(), top - gap)
        covered = painter.area.top / fight.height
    painter.stack(surface, claim, top, -1, inner.centerx)
    paint_fight(painter, surface, fight, scene, words=not painter.telephone, covered=covered)
    _paint_sides(painter, surface, (left, right), card.sides)
    return surface


def _places(painter: CardPainter, area: pygame.Rect, gap: int, share: float) -> list[pygame.Rect]:
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
    high, plate = round(share * area.height), (area.width - gap) // 2
    below = pygame.Rect(area.left, area.top + high + gap, plate, area.height - high - gap)
    return [below, pygame.Rect(area.topleft, (area.width, high)), below.move(plate + gap, 0)]


def paint_below(painter: CardPainter, target: pygame.Surface, scene: Scene) -> None:
    """Paint a fight below a card's words, where telephones lay theirs over it; nothing on other cards."""
    if painter.telephone:
        whole, top = target.get_rect(), painter.area.bottom + painter.px(_BELOW)
        paint_fight(painter, target, pygame.Rect(0, top, whole.width, whole.height - top), scene, words=False)


def paint_fight(
    painter: CardPainter,
    target: pygame.Surface,
    rect: pygame.Rect,
    scene: Scene,
    *,
    words: bool = True,
    covered: float = 0.0,
) -> None:
    """Paint the part of the arena around both bots, as large as it fits into a rectangle, in the middle of it; with
    what is said there (`words`) if there is room for it.

    Bots are below a share of its height that is `covered`, where there is room for that.
    """
    side = round(_SHARPER * max(rect.size))
    renderer = Renderer((2 * side, round(1.1 * side)), scene.board.rules, film="plain")
    whole, part = canvas(renderer.size), _shown(scene, renderer, rect.width / rect.height, covered)
    taken = uncovered(renderer.arena, [part]) if words else [renderer.arena]  # words are told within the picture
    renderer.draw(whole, scene, taken)
    scale = min(rect.width / part.width, rect.height / part.height)
    shown = pygame.Rect(0, 0, round(scale * part.width), round(scale * part.height))
    shown.center = rect.center
    target.blit(pygame.transform.smoothscale(whole.subsurface(part), shown.size), shown)
    pygame.draw.rect(target, theme.WALL, shown, painter.px(3), border_radius=painter.px(4))


def _shown(scene: Scene, renderer: Renderer, shape: float, covered: float) -> pygame.Rect:
    """Return the smallest part of an arena that has both bots in it, at most `shape` times as wide as high.

    They are in what is not `covered` at its top, a share of its height, where that leaves it as wide.
    """
    arena, camera = renderer.arena, renderer.camera
    side = round(2 * camera.length(_ROOM * renderer.rules.bot_radius))
    around = [pygame.Rect(0, 0, side, side) for _ in scene.bots]
    for rect, pose in zip(around, scene.bots, strict=True):
        x, y = camera.point(pose.x, pose.y)
        rect.center = round(x), round(y)
    both = around[0].union(around[1]).clip(arena)
    tall = max(both.height, min(round(both.height / (1 - covered)), round(arena.width / shape)))
    high = min(arena.height, max(tall, round(max(both.width, _LEAST * arena.width) / shape)))
    part = pygame.Rect(0, 0, min(arena.width, max(both.width, round(high * shape))), high)
    part.center = both.center
    part.top = max(both.bottom - high, min(part.top, both.top - round(covered * high)))
    return part.clamp(arena)


def _paint_sides(
    painter: CardPainter, target: pygame.Surface, places: Sequence[pygame.Rect], sides: Sequence[CardSide]
) -> None:
    """Paint both players' names, levels and orders, in the same types and from the same height on."""
    heads, rooms, size = _types(painter, places, sides)
    pad, width = painter.px(_PAD), places[0].width - 2 * painter.px(_PAD)
    stacks = [
        head + painter.rows(side.told, "label", theme.TEXT, width, _ROWS, (size,), room)
        for side, head, room in zip(sides, heads, rooms, strict=True)
    ]
    high = max(map(height_of, stacks))
    for bot, (place, stack) in enumerate(zip(places, stacks, strict=True)):
        painter.panel(target, place, bot)
        painter.stack(target, stack, place.centery - high // 2, place.left + pad, 0)


def _have_room(painter: CardPainter, places: Sequence[pygame.Rect], sides: Sequence[CardSide]) -> bool:
    """Return whether no player's words are cut there."""
    _, rooms, size = _types(painter, places, sides)
    width, high = places[0].width - 2 * painter.px(_PAD), painter.text.height("label", size)
    rows = [len(painter.text.wrapped(side.told, "label", size, width)) for side in sides]
    return all(count <= _ROWS and count * high <= room for count, room in zip(rows, rooms, strict=True))


def _types(
    painter: CardPainter, places: Sequence[pygame.Rect], sides: Sequence[CardSide]
) -> tuple[list[list[pygame.Surface]], list[int], int]:
    """Return both players' names and levels, the room below each, and the size in which both fit their words there."""
    pad = painter.px(_PAD)
    width = places[0].width - 2 * pad
    rows = 1 if all(painter.text.measure(side.name, "title", _SMALL[-1]) <= width for side in sides) else 2
    sizes = _SMALL[3:] if rows == 1 else _SMALL[-2:]  # orders come before names that take two rows
    size = min(painter.size_of(side.name, "title", width, rows, sizes) for side in sides)
    heads = [_head(painter, side, bot, width, rows, size) for bot, side in enumerate(sides)]
    rooms = [place.height - height_of(head) - pad for place, head in zip(places, heads, strict=True)]
    size = min(
        painter.size_of(side.told, "label", width, _ROWS, _SMALL, room) for side, room in zip(sides, rooms, strict=True)
    )
    return heads, rooms, size


def _head(painter: CardPainter, side: CardSide, bot: int, width: int, rows: int, size: int) -> list[pygame.Surface]:
    """Return a player's name in so many rows at most, and its level."""
    name = painter.rows(side.name, "title", theme.SEAT_COLORS[bot], width, rows, (size,))
    return name + (painter.rows(side.level, "label", theme.SOFT, width, 1, _SMALL[-2:]) if side.level else [])
