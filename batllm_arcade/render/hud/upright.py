"""The panels of upright pictures."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import NamedTuple

import pygame

from batllm_arcade.core.model import Rules
from batllm_arcade.match.records import Play
from batllm_arcade.match.series import distinct
from batllm_arcade.render.hud.hud import Tile
from batllm_arcade.render.hud.panel_head import ChargeRow
from batllm_arcade.render.sprites import Icons
from batllm_arcade.render.text import LEAST_FIT, TextRenderer, clean
from batllm_arcade.view import theme
from batllm_arcade.view.layout import Box, Layout, MatchColumn
from batllm_arcade.view.play_text import level_of
from batllm_arcade.view.play_words import does, led, player_words, quoted, said, short_reply
from batllm_arcade.view.scene import Scene
from batllm_arcade.view.theme import mixed

TOLD = (48, 44, 40, 36, 32, 29, 26)
"""Sizes of what both seats were told, and of what was said."""


class UprightText:
    """Finds the sizes of texts among some `sizes`, the largest first; `scale` is pixels per pixel of such a film."""

    def __init__(self, scale: float, sizes: Sequence[int] = TOLD) -> None:
        self.scale, self.renderer, self._sizes = scale, TextRenderer(scale), sizes

    def px(self, value: float) -> int:
        """Return a length in pixels of the picture, at least one."""
        return max(1, round(value * self.scale))

    def fitting(self, text: str, width: int, height: int) -> tuple[int, list[str]]:
        """Return the largest size in which a text fits, and its rows; a longer one is cut at a word."""
        for size in self._sizes:
            most = max(1, height // self.renderer.height("label", size))
            rows = self.renderer.wrapped(text, "label", size, width)
            if len(rows) <= most and self.renderer.breaks_no_word(text, "label", size, width):
                return size, rows
        return size, self.renderer.rows(text, "label", size, width, most)


_DOES, _LED, _WORDS, _LARGE_WORDS = 50, 44, 42, (56, 52, 48, 45)  # font sizes, in pixels of a film 1080 wide
_ACTION, _ACTION_ROWS = (34, 31, 28), 2  # of what is done and what that led to, where there is little width
_FLAT, _FLAT_WORDS = 100, (42, 38, 34, 30)  # the height below which all is said in a row, and its sizes of type
_HIGH = 150  # the height in which all is told; of more, lines are farther apart
_WHERE = " in the "
"""What it begins with in which part of a bot a hit was: that is left out where there is little room."""
_ALONE = 1.4  # times as large, where a bot tells no thought
_NARROW = 500  # the width below which what a play did stands above what its bot thought


class LastPlayWords:
    """Paints the last play of a scene; lengths are pixels of a film 1080 wide."""

    def __init__(self, text: UprightText) -> None:
        self._fit, self._text, self._scale, self._px = text, text.renderer, text.scale, text.px

    def paint(self, surface: pygame.Surface, scene: Scene, play: Play | None, known: bool) -> None:
        """Paint the last play: what it did, what that led to, and what its bot thought or what it is for."""
        if scene.thinking is not None:
            words = f"{scene.board.seats[scene.thinking.bot].name} thinks: {int(scene.thinking.seconds)} s"
            color = theme.SEAT_COLORS[scene.thinking.bot]
            line = self._text.fitted(words, "label", _WORDS, color, surface.get_width())
            surface.blit(line, line.get_rect(center=surface.get_rect().center))
            return
        if play is None:
            return
        if surface.get_width() < _NARROW * self._scale:
            self._paint_narrow(surface, scene, play, known)
            return
        if surface.get_height() < _FLAT * self._scale:
            self._paint_flat(surface, scene, play)
            return
        px, area, color = self._px, surface.get_rect(), self._paint_plate(surface, play)
        pad, failed, words = px(18), play.status != "ok", said(play, scene.board.rules)
        larger, (came, tint) = 1.0 if words else _ALONE, led(play, scene.board.rules, known=known)
        room, strong = area.width * (0.5 if came else 1) - pad, theme.GOLD if failed else color
        deed = self._text.fitted(does(play), "title", _DOES * larger, strong, room)
        spare = max(0, area.height - px(_HIGH))
        middle = px(6) + px(56) // 2 + spare // 6 if words else area.centery
        left = surface.blit(deed, deed.get_rect(midleft=(pad, middle))).right + px(18)
        room = area.width - left - pad
        if self._text.measure(came, "label", LEAST_FIT * _LED * larger) > room:
            came = came.partition(_WHERE)[0]
        line = self._text.fitted(came, "label", _LED * larger, tint, room)
        surface.blit(line, line.get_rect(midleft=(left, middle + px(2))))
        width, (reply, words) = area.width - 2 * pad, _replied(play, scene)
        on_one_line = (size for size in _LARGE_WORDS if self._text.measure(clean(words), "label", size) <= width)
        if (size := next(on_one_line, None)) is not None:
            middle = (px(58) + area.height) // 2
            self._paint_said(surface, words, reply, size, color, (pad, middle))
            return
        rows = self._text.rows(words, "label", _WORDS, width, 2)
        top = (px(51) if len(rows) > 1 else px(54) + px(23)) + spare // 2 + self._text.height("label", _WORDS) // 2
        for number, row in enumerate(rows):
            self._paint_said(surface, row, "" if number else reply, _WORDS, color, (pad, top + number * px(44)))

    def _paint_plate(self, surface: pygame.Surface, play: Play) -> theme.Color:
        px, area, color = self._px, surface.get_rect(), theme.SEAT_COLORS[play.bot]
        pygame.draw.rect(surface, mixed(theme.PANEL, color, 0.06), area, border_radius=px(14))
        pygame.draw.rect(surface, color, (0, 0, area.width, px(6)), border_radius=px(3))
        return color

    def _paint_said(
        self, surface: pygame.Surface, row: str, reply: str, size: int, color: theme.Color, at: tuple[int, int]
    ) -> None:
        reply = reply if row.startswith(reply) else ""
        left, middle = at
        for part, tint in ((reply, color), (row.removeprefix(reply), theme.TEXT)):
            if part:
                line = self._text.line(part, "label", size, tint)
                left = surface.blit(line, line.get_rect(midleft=(left, middle))).right

    def _paint_flat(self, surface: pygame.Surface, scene: Scene, play: Play) -> None:
        px, area, color = self._px, surface.get_rect(), self._paint_plate(surface, play)
        pad, middle = px(18), (px(6) + area.height) // 2
        deed = self._text.fitted(does(play), "title", _WORDS, color, 0.5 * area.width)
        left = surface.blit(deed, deed.get_rect(midleft=(pad, middle))).right + px(18)
        room, (reply, words) = area.width - left - pad, _replied(play, scene)
        fit = (size for size in _FLAT_WORDS if self._text.measure(clean(words), "label", size) <= room)
        size = next(fit, _FLAT_WORDS[-1])
        for row in self._text.rows(words, "label", size, room, 1):
            self._paint_said(surface, row, reply, size, color, (left, middle))

    def _paint_narrow(self, surface: pygame.Surface, scene: Scene, play: Play, known: bool) -> None:
        px, area, color = self._px, surface.get_rect(), self._paint_plate(surface, play)
        pad, (came, tint) = px(12), led(play, scene.board.rules, known=known)
        words = clean(f"{does(play)}: {came}" if came and play.status == "ok" else does(play))
        tint = tint if came else color
        top, width = px(12), area.width - 2 * pad
        fit = (size for size in _ACTION if len(self._text.wrapped(words, "label", size, width)) <= _ACTION_ROWS)
        size = next(fit, _ACTION[-1])
        for row in self._text.rows(words, "label", size, width, _ACTION_ROWS):
            top = surface.blit(self._text.line(row, "label", size, tint), (pad, top)).bottom
        room = area.inflate(-2 * pad, 0)
        room.update(pad, top, room.width, area.height - top - px(4))
        size, rows = self._fit.fitting(clean(said(play, scene.board.rules)), room.width, room.height)
        for number, row in enumerate(rows):
            high = self._text.height("label", size)
            surface.blit(self._text.line(row, "label", size, theme.TEXT), (pad, top + number * high))


def _replied(play: Play, scene: Scene) -> tuple[str, str]:
    reply, words = short_reply(play, scene.board.seats[play.bot]), said(play, scene.board.rules)
    return reply, f"{reply} {words}" if reply and words else words


def last_play(scene: Scene) -> Play | None:
    """Return the play that is shown or was shown last."""
    plays = [play for play in scene.board.plays if play is not None]
    return max(plays, key=lambda play: (play.round, play.turn, play.number), default=None)


class Told(NamedTuple):
    """What a plate says: what its seat was told or who plays there, whether it was told something, in which size."""

    words: str
    given: bool
    size: int


class OrdersPlates:
    """Paints a plate for each seat in the rectangles `rects`; `column` is that of one of two matches."""

    def __init__(self, text: UprightText, rects: Sequence[pygame.Rect], column: MatchColumn | None) -> None:
        self._text, self._rects, self._column = text, rects, column
        self._sized: dict[tuple[str, ...], tuple[int, ...]] = {}

    def told(self, scene: Scene, seat: int) -> Told:
        """Return what the plate of a seat says."""
        orders, info = scene.board.prompts[seat], scene.board.seats[seat]
        return Told(quoted(orders) or player_words(info), bool(orders.strip()), self._sizes(scene)[seat])

    def paint(self, surface: pygame.Surface, seat: int, told: Told) -> None:
        """Paint the orders in their size, in the middle of the plate's height, or who plays where there are none."""
        px, area, seat_color = self._text.px, surface.get_rect(), theme.SEAT_COLORS[seat]
        pygame.draw.rect(surface, mixed(theme.PANEL, seat_color, 0.08), area, border_radius=px(12))
        pygame.draw.rect(surface, seat_color, (0, 0, px(6), area.height), border_radius=px(3))
        width, room = self._room(area)
        high = self._text.renderer.height("label", told.size)
        rows = self._text.renderer.rows(clean(told.words), "label", told.size, width, max(1, room // high))
        top, color = area.centery - high * len(rows) // 2, theme.TEXT if told.given else theme.SOFT
        for number, row in enumerate(rows):
            line = self._text.renderer.line(row, "label", told.size, color)
            surface.blit(line, (px(12) + px(6), top + number * high))

    def _room(self, area: pygame.Rect) -> tuple[int, int]:
        pad = self._text.px(12)
        return area.width - 2 * pad - self._text.px(6), area.height - pad

    def _sizes(self, scene: Scene) -> tuple[int, ...]:
        """Return the sizes of what both seats were told, or are: of orders the one in which both fit.

        Those that are compared with the other match's have the size in which both of them fit.
        """
        told = tuple(
            quoted(orders) or player_words(info)
            for orders, info in zip(scene.board.prompts, scene.board.seats, strict=True)
        )
        if told not in self._sized:
            rooms = [self._room(rect) for rect in self._rects]
            beside = self._column.orders if self._column else ()
            sizes = []
            for seat, (each, room) in enumerate(zip(told, rooms, strict=True)):
                alike = filter(None, map(quoted, beside if self._column and seat == self._column.subject else ()))
                sizes.append(min(self._text.fitting(clean(words), *room)[0] for words in (each, *alike)))
            alike_here = self._column is None and all(scene.board.prompts)
            self._sized = {told: (min(sizes),) * 2 if alike_here else tuple(sizes)}
        return self._sized[told]


_HEADING, _CLOCK, _NAME, _LEVEL, _NUMBER = 30, 40, 38, 32, 42  # font sizes, in pixels of a film 1080 wide
_LARGER_TOLD = (60, 54)  # of orders that are compared
_SHORTER = (re.compile(r"(?<=\d)/\d+"), ""), (re.compile(r"ROUND (\d+) +TURN (\d+)"), r"R\1 T\2")
"""What the clock says less where there is little room: of how many rounds and turns, then whole words."""
_STEPS = 400  # of a bar of health
_FLAT_HUD, _NAMED = (
    70,
    0.42,
)  # the height below which a head is one row, and the most of its width that a name takes
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
        (name, level), (points, bars), charge = head
        px, width, color = self._px, surface.get_width(), theme.SEAT_COLORS[seat]
        if surface.get_height() < px(_FLAT_HUD):
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
        number = self._text.line(f"{points:g}", "title", _NUMBER, theme.TEXT)
        surface.blit(number, number.get_rect(midright=midright))
        return max(number.get_width(), self._text.measure("100", "title", _NUMBER))

    def _paint_health(
        self, surface: pygame.Surface, bar: pygame.Rect, bars: tuple[float, ...], color: theme.Color
    ) -> None:
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
    return round(scene.bots[seat].points - scene.bots[1 - seat].points, 1)
