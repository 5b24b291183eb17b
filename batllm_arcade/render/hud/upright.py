"""The panels of upright pictures; lengths and sizes of type are pixels of a film 1080 wide."""

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
from batllm_arcade.render.hud.panels import ChargeRow, paint_health_bar
from batllm_arcade.render.sprites import Icons
from batllm_arcade.render.text import LEAST_FIT, TextRenderer, clean
from batllm_arcade.view import theme
from batllm_arcade.view.layout import Layout, MatchColumn
from batllm_arcade.view.play_text import level_of
from batllm_arcade.view.play_words import does, led, player_words, quoted, said, short_reply
from batllm_arcade.view.scene import Scene
from batllm_arcade.view.theme import mixed

_TOLD = (48, 44, 40, 36, 32, 29, 26)
"""Sizes of what both seats were told, and of what was said."""
_COMPARED = (60, 54, *_TOLD)
"""The same where orders are compared."""

_DOES, _LED, _WORDS, _LARGE_WORDS = 50, 44, 42, (56, 52, 48, 45)
_ACTION, _ACTION_ROWS = (34, 31, 28), 2  # of what is done and what that led to, where there is little width
_FLAT, _FLAT_WORDS = 100, (42, 38, 34, 30)  # the height below which all is said in a row, and its sizes of type
_NOTES = (*_FLAT_WORDS, 26, 22)
_HIGH = 150  # the height in which all is told; of more, lines are farther apart
_WHERE = " in the "
"""What it begins with in which part of a bot a hit was: that is left out where there is little room."""
_ALONE = 1.4  # times as large, where a bot tells no thought
_NARROW = 500  # the width below which what a play did stands above what its bot thought


class LastPlayWords:
    """Paints the last play of a scene: what it did, what that led to, and what its bot thought or what it is for."""

    def __init__(self, text: TextRenderer, sizes: Sequence[int]) -> None:
        self._text, self._px, self._sizes = text, text.px, sizes

    def paint(self, surface: pygame.Surface, scene: Scene, play: Play | None, known: bool) -> None:
        """Paint the last play, or who is thinking; what a play led to only if it is `known`."""
        text, area = self._text, surface.get_rect()
        if scene.thinking is not None:
            words = f"{scene.board.seats[scene.thinking.bot].name} thinks: {int(scene.thinking.seconds)} s"
            line = text.fitted(words, "label", _WORDS, theme.SEAT_COLORS[scene.thinking.bot], area.width)
            surface.blit(line, line.get_rect(center=area.center))
            return
        noted = next((bot for bot in (1, 0) if scene.board.notes[bot]), None) if scene.acting is None else None
        if noted is not None:
            self._paint_notes(surface, scene.board.notes[noted], theme.SEAT_COLORS[noted])
            return
        if play is None:
            return
        color = theme.SEAT_COLORS[play.bot]
        pygame.draw.rect(surface, mixed(theme.PANEL, color, 0.06), area, border_radius=self._px(14))
        pygame.draw.rect(surface, color, (0, 0, area.width, self._px(6)), border_radius=self._px(3))
        if area.width < _NARROW * text.scale:
            self._paint_narrow(surface, scene, play, led(play, scene.board.rules, known=known))
        elif area.height < _FLAT * text.scale:
            self._paint_flat(surface, scene, play)
        else:
            self._paint_whole(surface, scene, play, led(play, scene.board.rules, known=known))

    def _paint_notes(self, surface: pygame.Surface, notes: str, color: theme.Color) -> None:
        text, area, pad = self._text, surface.get_rect(), self._px(18)
        pygame.draw.rect(surface, mixed(theme.PANEL, color, 0.06), area, border_radius=self._px(14))
        top = surface.blit(text.line("NOTES", "label", _FLAT_WORDS[-1], color), (pad, self._px(8))).bottom
        size, rows = text.size_in_rows(clean(notes), "label", _NOTES, area.width - 2 * pad, area.height - top)
        text.paint_rows(surface, rows, "label", size, theme.TEXT, (pad, top))

    def _paint_whole(self, surface: pygame.Surface, scene: Scene, play: Play, outcome: tuple[str, theme.Color]) -> None:
        px, text, area, color = self._px, self._text, surface.get_rect(), theme.SEAT_COLORS[play.bot]
        pad, (came, tint), (reply, words) = px(18), outcome, _reply_and_words(play, scene)
        larger, strong = 1.0 if said(play, scene.board.rules) else _ALONE, theme.GOLD if play.status != "ok" else color
        deed = text.fitted(does(play), "title", _DOES * larger, strong, area.width * (0.5 if came else 1) - pad)
        spare = max(0, area.height - px(_HIGH))
        middle = px(6) + px(56) // 2 + spare // 6 if larger == 1.0 else area.centery
        left = surface.blit(deed, deed.get_rect(midleft=(pad, middle))).right + px(18)
        room = area.width - left - pad
        if text.measure(came, "label", LEAST_FIT * _LED * larger) > room:
            came = came.partition(_WHERE)[0]
        line = text.fitted(came, "label", _LED * larger, tint, room)
        surface.blit(line, line.get_rect(midleft=(left, middle + px(2))))
        width = area.width - 2 * pad
        if (size := text.size_on_a_line(words, "label", _LARGE_WORDS, width)) is not None:
            self._paint_said(surface, words, reply, size, color, (pad, (px(58) + area.height) // 2))
            return
        rows = text.rows(words, "label", _WORDS, width, 2)
        top = (px(51) if len(rows) > 1 else px(54) + px(23)) + spare // 2 + text.height("label", _WORDS) // 2
        for number, row in enumerate(rows):
            self._paint_said(surface, row, "" if number else reply, _WORDS, color, (pad, top + number * px(44)))

    def _paint_said(
        self, surface: pygame.Surface, row: str, reply: str, size: float, color: theme.Color, at: tuple[int, int]
    ) -> None:
        """Paint a row of what is said whose left end's middle is `at`; the reply that it begins with in that colour."""
        reply = reply if row.startswith(reply) else ""
        left, middle = at
        for part, tint in ((reply, color), (row.removeprefix(reply), theme.TEXT)):
            if part:
                line = self._text.line(part, "label", size, tint)
                left = surface.blit(line, line.get_rect(midleft=(left, middle))).right

    def _paint_flat(self, surface: pygame.Surface, scene: Scene, play: Play) -> None:
        px, area, color = self._px, surface.get_rect(), theme.SEAT_COLORS[play.bot]
        pad, middle = px(18), (px(6) + area.height) // 2
        deed = self._text.fitted(does(play), "title", _WORDS, color, 0.5 * area.width)
        left = surface.blit(deed, deed.get_rect(midleft=(pad, middle))).right + px(18)
        room, (reply, words) = area.width - left - pad, _reply_and_words(play, scene)
        size = self._text.size_on_a_line(words, "label", _FLAT_WORDS, room) or _FLAT_WORDS[-1]
        for row in self._text.rows(words, "label", size, room, 1):
            self._paint_said(surface, row, reply, size, color, (left, middle))

    def _paint_narrow(
        self, surface: pygame.Surface, scene: Scene, play: Play, outcome: tuple[str, theme.Color]
    ) -> None:
        px, text, area, (came, tint) = self._px, self._text, surface.get_rect(), outcome
        pad, width = px(12), area.width - 2 * px(12)
        words = clean(f"{does(play)}: {came}" if came and play.status == "ok" else does(play))
        fit = (size for size in _ACTION if len(text.wrapped(words, "label", size, width)) <= _ACTION_ROWS)
        size: float = next(fit, _ACTION[-1])
        rows = text.rows(words, "label", size, width, _ACTION_ROWS)
        text.paint_rows(surface, rows, "label", size, tint if came else theme.SEAT_COLORS[play.bot], (pad, pad))
        top = pad + len(rows) * text.height("label", size)
        thought = clean(said(play, scene.board.rules))
        size, rows = text.size_in_rows(thought, "label", self._sizes, width, area.height - top - px(4))
        text.paint_rows(surface, rows, "label", size, theme.TEXT, (pad, top))


def _reply_and_words(play: Play, scene: Scene) -> tuple[str, str]:
    """Return a play's short reply, and what is said of it, which begins with that."""
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
    size: float


class OrdersPlates:
    """Paints a plate for each seat in the rectangles `rects`; `column` is that of one of two matches."""

    def __init__(
        self, text: TextRenderer, sizes: Sequence[int], rects: Sequence[pygame.Rect], column: MatchColumn | None
    ) -> None:
        self._text, self._sizes, self._rects, self._column = text, sizes, rects, column
        self._sized: dict[tuple[str, ...], tuple[float, ...]] = {}

    def told(self, scene: Scene) -> list[Told]:
        """Return what the plates say: of orders in the size in which both fit.

        Those that are compared with the other match's have the size in which both of them fit.
        """
        orders = scene.board.prompts
        words = tuple(
            quoted(given) or player_words(info) for given, info in zip(orders, scene.board.seats, strict=True)
        )
        if words not in self._sized:
            compared = [clean(quoted(given)) for given in self._column.orders if given.strip()] if self._column else []
            sizes = []
            for seat, own in enumerate(words):
                alike = compared if self._column and seat == self._column.subject else []
                sizes.append(min(self._size(seat, text) for text in (clean(own), *alike)))
            both = self._column is None and all(orders)
            self._sized = {words: (min(sizes),) * 2 if both else tuple(sizes)}
        return [Told(words[seat], bool(orders[seat].strip()), self._sized[words][seat]) for seat in (0, 1)]

    def _size(self, seat: int, words: str) -> float:
        return self._text.size_in_rows(words, "label", self._sizes, *self._room(self._rects[seat]))[0]

    def paint(self, surface: pygame.Surface, seat: int, told: Told) -> None:
        """Paint the orders in their size, in the middle of the plate's height, or who plays where there are none."""
        text, px, area, seat_color = self._text, self._text.px, surface.get_rect(), theme.SEAT_COLORS[seat]
        pygame.draw.rect(surface, mixed(theme.PANEL, seat_color, 0.08), area, border_radius=px(12))
        pygame.draw.rect(surface, seat_color, (0, 0, px(6), area.height), border_radius=px(3))
        width, room = self._room(area)
        high = text.height("label", told.size)
        rows = text.rows(clean(told.words), "label", told.size, width, max(1, room // high))
        at = px(12) + px(6), area.centery - high * len(rows) // 2
        text.paint_rows(surface, rows, "label", told.size, theme.TEXT if told.given else theme.SOFT, at)

    def _room(self, area: pygame.Rect) -> tuple[int, int]:
        pad = self._text.px(12)
        return area.width - 2 * pad - self._text.px(6), area.height - pad


_HEADING, _CLOCK, _NAME, _LEVEL, _NUMBER = 30, 40, 38, 32, 42
_SHORTER = (re.compile(r"(?<=\d)/\d+"), ""), (re.compile(r"ROUND (\d+) +TURN (\d+)"), r"R\1 T\2")
"""What the clock says less where there is little room: of how many rounds and turns, then whole words."""
_STEPS = 400  # of a bar of health
_FLAT_HEAD, _FLAT_NAME = 70, 0.42  # the height below which a head is one row, and the most of its width for a name
_ROOMY, _CARTRIDGES, _LARGER = 330, 104, 1.4  # the width from which on a head has cartridges, their width and scale


_Head = tuple[tuple[str, str], tuple[float, tuple[float, ...]], int | None]
"""A seat's name and level, its health as a number and as shares, and its charge, None without a battery."""
_Painter = Callable[[pygame.Surface], None]


class UprightHud:
    """Draws the tiles of an upright layout on a background.

    The bar of one of two matches (`column`) has its label and by how much the side is ahead that is compared.
    """

    def __init__(self, layout: Layout, background: pygame.Surface, column: MatchColumn | None = None) -> None:
        assert layout.heads is not None
        assert layout.words is not None
        self._text = TextRenderer(layout.words_scale)
        self._px, self._icons, self._background, self._column = self._text.px, Icons(), background, column
        self._bar, self._words = Tile(pygame.Rect(layout.bar)), Tile(pygame.Rect(layout.words))
        self._heads = [Tile(pygame.Rect(box)) for box in layout.heads]
        self._told = [Tile(pygame.Rect(box)) for box in layout.panels]
        sizes = _COMPARED if column else _TOLD
        self._plates = OrdersPlates(self._text, sizes, [tile.rect for tile in self._told], column)
        self._last = LastPlayWords(self._text, sizes)
        self._charges = [ChargeRow(seat, self._text, _LARGER * self._text.scale) for seat in (0, 1)]
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
        if self._column is None:
            yield self._bar, heading, partial(self._paint_bar, heading=heading)
        else:
            me, foe = (scene.bots[bot].points for bot in (self._column.subject, 1 - self._column.subject))
            lead, label = round(me - foe, 1), self._column.label
            yield self._bar, (heading, lead), partial(self._paint_label, label=label, heading=heading, lead=lead)
        names, told = distinct((scene.board.seats[0].name, scene.board.seats[1].name)), self._plates.told(scene)
        for seat, pose in enumerate(scene.bots):
            bars = tuple(round(share * _STEPS) / _STEPS for share in (pose.ghost, pose.health))
            named = names[seat], level_of(scene.board.seats[seat])
            charge = pose.charge if scene.board.rules.battery and pose.alive else None
            head = named, (pose.points, bars), charge
            yield self._heads[seat], head, partial(self._paint_head, seat=seat, head=head, rules=scene.board.rules)
            if self._told[seat].rect.width:  # else it is told nothing, and there is no place for who plays
                yield self._told[seat], told[seat], partial(self._plates.paint, seat=seat, told=told[seat])
        play = last_play(scene)
        known = play is not None and scene.t >= scene.board.known_at[play.bot]
        shown: object = play and (play.game, play.round, play.turn, play.number, known)
        if scene.thinking is not None:
            shown = scene.thinking.bot, int(scene.thinking.seconds)
        if any(scene.board.notes):
            shown = shown, scene.board.notes, scene.acting
        yield self._words, shown, partial(self._last.paint, scene=scene, play=play, known=known)

    def _paint_bar(self, surface: pygame.Surface, heading: str) -> None:
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
        name = self._text.fitted(label, "title", 0.86 * area.height / self._text.scale, theme.GOLD, area.width * 0.5)
        left = surface.blit(name, name.get_rect(midleft=(gap, area.centery))).right + gap
        clock = self._text.fitted(heading, "title", _CLOCK, theme.SOFT, area.width * 0.46)
        right = surface.blit(clock, clock.get_rect(midright=(area.right - gap, area.centery))).left - gap
        words = f"{abs(lead):g} {'ahead' if lead > 0 else 'behind'}" if lead else "level"
        color = theme.GOOD if lead > 0 else theme.DANGER if lead < 0 else theme.DIM
        line = self._text.fitted(words, "title", _CLOCK, color, max(1, right - left))
        surface.blit(line, line.get_rect(midleft=(left, area.centery)))

    def _paint_head(self, surface: pygame.Surface, seat: int, head: _Head, rules: Rules) -> None:
        """Paint the seat's mark, name and level, its health as a bar and a number, and the cartridges of its charge.

        Where there is little height all of it is in a row, without level and charge.
        """
        (name, level), (points, bars), charge = head
        px, area, color = self._px, surface.get_rect(), theme.SEAT_COLORS[seat]
        flat = area.height < px(_FLAT_HEAD)
        mark, middle = self._icons.seat(seat, px(34)), area.centery if flat else px(26)
        surface.blit(mark, mark.get_rect(midleft=(0, middle)))
        left = mark.get_width() + px(10) if flat else px(44)
        line = self._text.fitted(name, "title", _NAME, color, _FLAT_NAME * area.width if flat else area.width - px(46))
        after = surface.blit(line, line.get_rect(midleft=(left, middle))).right
        if not flat and level and after + px(12) + self._text.measure(level, "label", _LEVEL) <= area.width:
            line = self._text.line(level, "label", _LEVEL, theme.SOFT)
            surface.blit(line, line.get_rect(midleft=(after + px(12), px(28))))
        number = self._text.line(f"{points:g}", "title", _NUMBER, theme.TEXT)
        surface.blit(number, number.get_rect(midright=(area.right, middle if flat else px(74))))
        room = max(number.get_width(), self._text.measure("100", "title", _NUMBER)) + px(14)
        if flat:
            start = after + px(14)
            bar = pygame.Rect(start, area.centery - px(14), area.right - room - start, px(28))
        else:
            bar = pygame.Rect(0, px(60), area.width - room, px(28))
        if not flat and charge is not None and area.width >= px(_ROOMY):
            bar.width -= px(_CARTRIDGES) + px(14)
            cartridges = pygame.Rect(bar.right + px(14), bar.top, px(_CARTRIDGES), bar.height)
            self._charges[seat].paint(surface, cartridges, rules, charge, alarm=False)
        paint_health_bar(surface, bar, bars, color, radius=px(7), edge=px(2))


def _heading(scene: Scene, *, at_play: bool = False) -> str:
    """Return the round and the turn; `at_play` the turn of the last play, until the next one begins."""
    board, play = scene.board, last_play(scene) if at_play else None
    if play is not None and play.round == board.round:
        board = replace(board, turn=play.turn)
    if not board.round:
        return board.score or f"GAME {board.game}"
    where = f"ROUND {board.round}/{board.rules.total_rounds}   TURN {board.turn}/{board.rules.turns_per_round}"
    return f"{where}   {board.score}" if board.score else where
