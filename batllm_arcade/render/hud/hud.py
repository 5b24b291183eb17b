"""The seats' panels and the bar above the arena, cached in tiles that are repainted only when they change."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import pygame

from batllm_arcade.brains.protocol import SeatInfo
from batllm_arcade.render.hud.film import FilmBody, FilmHead
from batllm_arcade.render.hud.panels import PanelBody, PanelHead
from batllm_arcade.render.sprites import Icons
from batllm_arcade.render.text import TextRenderer
from batllm_arcade.settings.user_settings import DisplayOptions
from batllm_arcade.view import theme
from batllm_arcade.view.layout import Box, Layout
from batllm_arcade.view.scene import Scene
from batllm_arcade.view.theme import mixed

_BUSY_EDGE = 3
_READY = "GET READY"


class Tile:
    """A rectangle of the picture, cached until its key changes."""

    def __init__(self, rect: pygame.Rect) -> None:
        self.rect = rect
        self._surface = pygame.Surface(rect.size)
        self._key: object = object()  # no picture has it yet

    def show(self, target: pygame.Surface, key: object, paint: Callable[[pygame.Surface], None], kept: bool) -> bool:
        """Blit the tile, repainted if `key` is new; return whether it was repainted.

        With `kept` the target still shows the last picture, so an unchanged tile is not blitted.
        """
        changed = key != self._key
        if changed:
            paint(self._surface)
            self._key = key
        if changed or not kept:
            target.blit(self._surface, self.rect)
        return changed


_Part = tuple[Tile, object, Callable[[pygame.Surface], None]]


class Hud:
    """Draws the panels and the bar of one layout."""

    def __init__(
        self, text_renderer: TextRenderer, icons: Icons, layout: Layout, display: DisplayOptions, *, film: bool = False
    ) -> None:
        self._text_renderer, self._layout, self._display, self._film = text_renderer, layout, display, film
        head, scale, tall = FilmHead if film else PanelHead, layout.scale, layout.tall
        self._heads = [head(seat, text_renderer, icons, scale, display, tall=tall) for seat in (0, 1)]
        self._bodies: list[PanelBody] = [
            FilmBody(seat, text_renderer, icons, layout)
            if film
            else PanelBody(seat, text_renderer, icons, scale, tall=tall)
            for seat in (0, 1)
        ]
        self._frames = [[self._framed(layout.panels[seat], seat, busy) for busy in (False, True)] for seat in (0, 1)]
        heads, bodies = _rects(layout, self._heads[0].height)
        self._head_tiles = [_parts(rect, head.tops) for rect, head in zip(heads, self._heads, strict=True)]
        self._body_tiles = [Tile(rect) for rect in bodies]
        self._head_frames = self._frames
        if layout.heads:
            self._head_frames = [
                [self._framed(layout.heads[seat], seat, busy) for busy in (False, True)] for seat in (0, 1)
            ]
        self._bar = Tile(pygame.Rect(layout.bar))
        tiles = [self._bar, *self._body_tiles, *(tile for parts in self._head_tiles for tile in parts)]
        self.rects = [tile.rect for tile in tiles]
        """What `draw` covers."""

    def draw(self, target: pygame.Surface, scene: Scene, *, kept: bool = False) -> list[pygame.Rect]:
        """Draw all tiles, with `kept` only the changed ones; return the rectangles that changed."""
        bar: _Part = (self._bar, _bar_key(scene), partial(self._paint_bar, scene=scene))
        parts = [bar, *self._sides(scene)]
        return [tile.rect for tile, key, paint in parts if tile.show(target, key, paint, kept)]

    def _sides(self, scene: Scene) -> Iterator[_Part]:
        for seat in (0, 1):
            busy = scene.acting == seat or (scene.thinking is not None and scene.thinking.bot == seat)
            for part, (tile, key) in enumerate(zip(self._head_tiles[seat], self._heads[seat].keys(scene), strict=True)):
                yield tile, (busy, key), partial(self._paint_head, seat=seat, part=part, busy=busy, scene=scene)
            tile, key = self._body_tiles[seat], self._bodies[seat].key(scene)
            yield tile, (busy, key), partial(self._paint_body, seat=seat, busy=busy, scene=scene)

    def draw_names(
        self, target: pygame.Surface, seats: tuple[SeatInfo, SeatInfo], prompts: tuple[str, str], score: str = ""
    ) -> None:
        """Draw names, prompts and how the series stands alone, before a match has begun."""
        self._paint_title(target.subsurface(self._bar.rect), _READY, score)
        for seat, info in enumerate(seats):
            self.draw_panel(target, seat)
            self._heads[seat].paint_name(target.subsurface(self._head_tiles[seat][0].rect), seats)
            body = target.subsurface(self._body_tiles[seat].rect)
            self._bodies[seat].paint_prompt(body, prompts[seat], info)

    def draw_panel(self, target: pygame.Surface, seat: int) -> None:
        """Draw a seat's empty panel."""
        target.blit(self._frames[seat][0], self._layout.panels[seat])
        if self._layout.heads:
            target.blit(self._head_frames[seat][0], self._layout.heads[seat])

    def _paint_head(self, surface: pygame.Surface, seat: int, part: int, busy: bool, scene: Scene) -> None:
        tiles = self._head_tiles[seat]
        surface.blit(self._head_frames[seat][busy], (0, tiles[0].rect.top - tiles[part].rect.top))
        self._heads[seat].paint(part, surface, scene)

    def _paint_body(self, surface: pygame.Surface, seat: int, busy: bool, scene: Scene) -> None:
        above = self._body_tiles[seat].rect.top - self._layout.panels[seat][1]
        surface.blit(self._frames[seat][busy], (0, -above))
        self._bodies[seat].paint(surface, scene)

    def _framed(self, box: Box, seat: int, busy: bool) -> pygame.Surface:
        scale, color = self._layout.scale, theme.SEAT_COLORS[seat]
        surface = pygame.Surface(box[2:])
        surface.fill(theme.NIGHT)
        radius, area = round(10 * scale), surface.get_rect()
        fill = mixed(theme.PANEL, color, 0.05) if busy else theme.PANEL
        pygame.draw.rect(surface, fill, area, border_radius=radius)
        edge, width = (color, max(2, round(_BUSY_EDGE * scale))) if busy else (theme.PANEL_EDGE, max(1, round(scale)))
        pygame.draw.rect(surface, edge, area, width, border_radius=radius)
        strip = pygame.Rect(0, 0, area.width, max(2, round(5 * scale)))
        pygame.draw.rect(surface, color, strip, border_top_left_radius=radius, border_top_right_radius=radius)
        return surface

    def _paint_bar(self, surface: pygame.Surface, scene: Scene) -> None:
        board, heading = scene.board, _READY
        if board.round:
            heading = (
                f"ROUND {board.round}/{board.rules.total_rounds}   TURN {board.turn}/{board.rules.turns_per_round}"
            )
        facts = board.score or f"game {board.game}  seed {board.seed}"
        if self._film and not board.score:
            facts = f"GAME {board.game}" if board.game > 1 else ""
        self._paint_title(surface, heading, facts)

    def _paint_title(self, surface: pygame.Surface, heading: str, facts: str) -> None:
        text_renderer = self._text_renderer
        surface.fill(theme.NIGHT)
        area, tall = surface.get_rect(), self._layout.tall
        title_size, width = 22 if tall else 28, area.width * 0.5
        title_at: dict[str, Any] = {"midright": area.midright} if tall else {"center": area.center}
        text_renderer.put(surface, heading, "title", title_size, theme.TEXT, width, **title_at)
        size = (17 if tall else 24) / self._display.ui_scale  # the name is as large whatever the size of words
        high = text_renderer.height("title", size)
        left, top = 0, area.centery - (high if tall else high // 2)
        for word, color in (("BATLLM ", theme.TEXT), ("ARCADE", theme.GOLD)):
            left = text_renderer.put(surface, word, "title", size, color, topleft=(left, top)).right
        facts_at: dict[str, Any] = {"topleft": (0, area.centery)} if tall else {"midright": area.midright}
        if self._film:
            text_renderer.put(surface, facts, "title", 24, theme.SOFT, area.width * 0.34, **facts_at)
        else:
            room = area.width * (0.5 if tall else 0.36)
            text_renderer.put(surface, facts, "mono", 11 if tall else 16, theme.SOFT, room, cut=True, **facts_at)


def _bar_key(scene: Scene) -> object:
    board = scene.board
    rules = board.rules
    return board.round, rules.total_rounds, board.turn, rules.turns_per_round, board.game, board.seed, board.score


def _parts(rect: pygame.Rect, tops: Sequence[int]) -> list[Tile]:
    """Return the tiles of a head's parts, which begin so many pixels below its top; none is empty."""
    tiles, left = list[Tile](), len(tops)
    for top, bottom in zip(tops, (*tops[1:], rect.height), strict=True):
        left -= 1
        top, bottom = (min(each, rect.height - least) for each, least in ((top, left + 1), (bottom, left)))
        tiles.append(Tile(pygame.Rect(rect.left, rect.top + top, rect.width, bottom - top)))
    return tiles


def _rects(layout: Layout, head: int) -> tuple[list[pygame.Rect], list[pygame.Rect]]:
    panels = [pygame.Rect(box) for box in layout.panels]
    if layout.heads:
        return [pygame.Rect(box) for box in layout.heads], panels
    heads = [pygame.Rect(panel.left, panel.top, panel.width, min(head, panel.height - 1)) for panel in panels]
    bodies = [
        pygame.Rect(panel.left, head.bottom, panel.width, panel.bottom - head.bottom)
        for panel, head in zip(panels, heads, strict=True)
    ]
    return heads, bodies
