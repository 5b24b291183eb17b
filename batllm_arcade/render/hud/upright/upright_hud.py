"""What is around the arena in a film that is not wide: names, health, orders, what the acting bot does and says."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial

import pygame

from batllm_arcade.core.model import Rules
from batllm_arcade.match.result_text import distinct
from batllm_arcade.render.hud.hud import Tile
from batllm_arcade.render.hud.icons import Icons
from batllm_arcade.render.hud.panel_charge import ChargeRow
from batllm_arcade.render.hud.upright.last_play import LastPlayWords, last_play
from batllm_arcade.render.hud.upright.orders_plates import OrdersPlates
from batllm_arcade.render.hud.upright.upright_text import TOLD, UprightText
from batllm_arcade.render.text import LEAST_FIT
from batllm_arcade.view import theme
from batllm_arcade.view.columns import MatchColumn
from batllm_arcade.view.layout import Box, Layout
from batllm_arcade.view.play_text import level_of
from batllm_arcade.view.scene import Scene
from batllm_arcade.view.theme import mixed

_HEADING, _CLOCK, _NAME, _LEVEL, _NUMBER = 30, 40, 38, 32, 42  # font sizes, in pixels of a film 1080 wide
_LARGER_TOLD = (60, 54)  # of orders that are compared
_SHORTER = (re.compile(r"(?<=\d)/\d+"), ""), (re.compile(r"ROUND (\d+) +TURN (\d+)"), r"R\1 T\2")
"""What the clock says less where there is little room: of how many rounds and turns, then whole words."""
_STEPS = 400  # of a bar of health
_FLAT, _NAMED = 70, 0.42  # the height below which a head is one row, and the most of its width that a name takes
_ROOMY, _CARTRIDGES, _LARGER = 330, 104, 1.4  # the width from which on a head has cartridges, their width and scale


_Head = tuple[tuple[str, str], tuple[float, tuple[float, ...]], int | None]
"""A seat's name and level, its health as a number and as shares, and its charge, None without a battery."""
_Painter = Callable[[pygame.Surface], None]


class UprightHud:
    """Draws the tiles of an upright layout on a background; lengths are pixels of a film 1080 wide.

    The bar of one of two matches (`column`) has its label and by how much the side is ahead that is compared.
    """

    def __init__(self, layout: Layout, background: pygame.Surface, column: MatchColumn | None = None) -> None:
        assert layout.heads is not None
        assert layout.words is not None
        text = UprightText(layout.words_scale, (*_LARGER_TOLD, *TOLD) if column else TOLD)
        self._text, self._scale, self._px = text.renderer, text.scale, text.px
        self._icons, self._background, self._column = Icons(), background, column
        self._bar, self._words = _tile(layout.bar), _tile(layout.words)
        self._heads, self._told = [_tile(box) for box in layout.heads], [_tile(box) for box in layout.panels]
        self._plates = OrdersPlates(text, [tile.rect for tile in self._told], column)
        self._last = LastPlayWords(text)
        self._charges = [ChargeRow(seat, text.renderer, _LARGER * text.scale) for seat in (0, 1)]
        self.rects = [tile.rect for tile in (self._bar, self._words, *self._heads, *self._told)]
        """What `draw` covers."""

    def draw(self, target: pygame.Surface, scene: Scene, *, kept: bool = False) -> list[pygame.Rect]:
        """Draw all tiles, with `kept` only the changed ones; return the rectangles that changed."""
        return [
            tile.rect
            for tile, key, paint in self._parts(scene)
            if tile.show(target, key, partial(self._on_background, tile, paint), kept)
        ]

    def _on_background(self, tile: Tile, paint: _Painter, surface: pygame.Surface) -> None:
        surface.blit(self._background, (0, 0), tile.rect)
        paint(surface)

    def _parts(self, scene: Scene) -> Iterator[tuple[Tile, object, _Painter]]:
        """Yield the tiles with their keys and painters."""
        heading = _heading(scene, at_play=self._column is not None)
        lead = _lead(scene, self._column.subject) if self._column else 0.0
        yield self._bar, (heading, lead), partial(self._paint_bar, heading=heading, lead=lead)
        names = distinct((scene.board.seats[0].name, scene.board.seats[1].name))
        for seat, pose in enumerate(scene.bots):
            bars = tuple(round(share * _STEPS) / _STEPS for share in (pose.health, pose.ghost))
            named = names[seat], level_of(scene.board.seats[seat])
            charge = pose.charge if scene.board.rules.battery and pose.alive else None
            head = named, (pose.points, bars), charge
            yield self._heads[seat], head, partial(self._paint_head, seat=seat, head=head, rules=scene.board.rules)
            if not self._told[seat].rect.width:
                continue  # it is told nothing, and there is no place for who plays
            told = self._plates.told(scene, seat)
            yield self._told[seat], told, partial(self._plates.paint, seat=seat, told=told)
        play = last_play(scene)
        known = play is not None and scene.t >= scene.board.known_at[play.bot]
        shown: object = play and (play.game, play.round, play.turn, play.number, known)
        if scene.thinking is not None:
            shown = scene.thinking.bot, int(scene.thinking.seconds)
        yield self._words, shown, partial(self._last.paint, scene=scene, play=play, known=known)

    def _paint_bar(self, surface: pygame.Surface, heading: str, lead: float) -> None:
        if self._column is not None:
            self._paint_label(surface, self._column.label, heading, lead)
            return
        area, left = surface.get_rect(), 0
        for word, color in (("BATLLM ", theme.TEXT), ("ARCADE", theme.GOLD)):
            part = self._text.line(word, "title", _HEADING, color)
            left = surface.blit(part, part.get_rect(midleft=(left, area.centery))).right
        room = area.width - left - self._px(24)
        for pattern, shorter in _SHORTER:
            if self._text.measure(heading, "title", LEAST_FIT * _CLOCK) > room:
                heading = pattern.sub(shorter, heading)
        line = self._text.fitted(heading, "title", _CLOCK, theme.TEXT, room)
        surface.blit(line, line.get_rect(midright=(area.right, area.centery)))

    def _paint_label(self, surface: pygame.Surface, label: str, heading: str, lead: float) -> None:
        """Paint which match this is, by how much health its side is ahead or behind, and the clock of turns."""
        area, gap = surface.get_rect(), self._px(16)
        size = 0.86 * area.height / self._scale
        name = self._text.fitted(label, "title", size, theme.GOLD, area.width * 0.5)
        left = surface.blit(name, name.get_rect(midleft=(gap, area.centery))).right + gap
        clock = self._text.fitted(heading, "title", _CLOCK, theme.SOFT, area.width * 0.46)
        right = surface.blit(clock, clock.get_rect(midright=(area.right - gap, area.centery))).left - gap
        words = f"{abs(lead):g} {'ahead' if lead > 0 else 'behind'}" if lead else "level"
        color = theme.GOOD if lead > 0 else theme.DANGER if lead < 0 else theme.DIM
        told = self._text.fitted(words, "title", _CLOCK, color, max(1, right - left))
        surface.blit(told, told.get_rect(midleft=(left, area.centery)))

    def _paint_head(self, surface: pygame.Surface, seat: int, head: _Head, rules: Rules) -> None:
        """Paint the seat's mark, name and level, its health as a bar and a number, and the cartridges of its charge."""
        (name, level), (points, bars), charge = head
        px, width, color = self._px, surface.get_width(), theme.SEAT_COLORS[seat]
        if surface.get_height() < px(_FLAT):
            self._paint_flat(surface, seat, head)
            return
        mark = self._icons.seat(seat, px(34))
        line = self._text.fitted(name, "title", _NAME, color, width - px(46))
        surface.blit(mark, mark.get_rect(midleft=(0, px(26))))
        after = surface.blit(line, line.get_rect(midleft=(px(44), px(26)))).right + px(12)
        if level and after + self._text.measure(level, "label", _LEVEL) <= width:
            line = self._text.line(level, "label", _LEVEL, theme.SOFT)
            surface.blit(line, line.get_rect(midleft=(after, px(28))))
        room = self._paint_number(surface, points, (width, px(74)))
        bar = pygame.Rect(0, px(60), width - room - px(14), px(28))
        if charge is not None and width >= px(_ROOMY):
            bar.width -= px(_CARTRIDGES) + px(14)
            area = pygame.Rect(bar.right + px(14), bar.top, px(_CARTRIDGES), bar.height)
            self._charges[seat].paint(surface, area, rules, charge, alarm=False)
        self._paint_health(surface, bar, bars, color)

    def _paint_flat(self, surface: pygame.Surface, seat: int, head: _Head) -> None:
        """Paint the seat's mark, its name, its health as a bar and a number, all of it in a row."""
        (name, _), (points, bars), _ = head
        px, area, color = self._px, surface.get_rect(), theme.SEAT_COLORS[seat]
        mark = self._icons.seat(seat, px(34))
        left = surface.blit(mark, mark.get_rect(midleft=(0, area.centery))).right + px(10)
        line = self._text.fitted(name, "title", _NAME, color, _NAMED * area.width)
        left = surface.blit(line, line.get_rect(midleft=(left, area.centery))).right + px(14)
        room = self._paint_number(surface, points, area.midright)
        bar = pygame.Rect(left, area.centery - px(14), area.right - room - px(14) - left, px(28))
        self._paint_health(surface, bar, bars, color)

    def _paint_number(self, surface: pygame.Surface, points: float, midright: tuple[int, int]) -> int:
        """Paint a health, and return how much width it and any other one needs."""
        number = self._text.line(f"{points:g}", "title", _NUMBER, theme.TEXT)
        surface.blit(number, number.get_rect(midright=midright))
        return max(number.get_width(), self._text.measure("100", "title", _NUMBER))

    def _paint_health(
        self, surface: pygame.Surface, bar: pygame.Rect, bars: tuple[float, ...], color: theme.Color
    ) -> None:
        """Paint a bar of health, with what was just lost of it."""
        px = self._px
        pygame.draw.rect(surface, theme.SUNKEN, bar, border_radius=px(7))
        for share, tint in zip(bars[::-1], (mixed(theme.WHITE, theme.SUNKEN, 0.25), color), strict=True):
            part = pygame.Rect(bar.left, bar.top, round(bar.width * min(1.0, max(0.0, share))), bar.height)
            pygame.draw.rect(surface, tint, part, border_radius=px(7))
        pygame.draw.rect(surface, theme.PANEL_EDGE, bar, max(1, px(2)), border_radius=px(7))


def _tile(box: Box) -> Tile:
    return Tile(pygame.Rect(box))


def _heading(scene: Scene, *, at_play: bool = False) -> str:
    """Return the round and the turn; `at_play` the turn of the last play, until the next one begins."""
    board, play = scene.board, last_play(scene) if at_play else None
    if play is not None and play.round == board.round:
        board = replace(board, turn=play.turn)
    if not board.round:
        return board.score or f"GAME {board.game}"
    where = f"ROUND {board.round}/{board.rules.total_rounds}   TURN {board.turn}/{board.rules.turns_per_round}"
    return f"{where}   {board.score}" if board.score else where


def _lead(scene: Scene, seat: int) -> float:
    """Return by how much health a seat is ahead of the other one, as both numbers are shown."""
    return round(scene.bots[seat].points - scene.bots[1 - seat].points, 1)
