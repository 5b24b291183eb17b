"""What is around the arena in a film that is not wide: names, health, orders, what the acting bot does and says."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial

import pygame

from batllm_arcade.match.records import Play
from batllm_arcade.match.result_text import distinct
from batllm_arcade.render.hud.hud import Tile
from batllm_arcade.render.hud.icons import Icons
from batllm_arcade.render.text import TextRenderer, clean
from batllm_arcade.view import theme
from batllm_arcade.view.columns import MatchColumn
from batllm_arcade.view.layout import Box, Layout
from batllm_arcade.view.play_text import doing, level_of, outcome
from batllm_arcade.view.scene import Scene
from batllm_arcade.view.theme import mixed
from batllm_arcade.view.words.deed_words import deed_words
from batllm_arcade.view.words.orders_words import quoted
from batllm_arcade.view.words.play_words import play_words, short_reply
from batllm_arcade.view.words.script_words import player_words

_HEADING, _CLOCK, _NAME, _LEVEL, _NUMBER = 30, 40, 38, 32, 42  # font sizes, in pixels of a film 1080 wide
_TOLD = (48, 44, 40, 36, 32, 29, 26)
_LARGER_TOLD = (60, 54)  # of orders that are compared
_DOES, _LED, _WORDS, _LARGE_WORDS = 50, 44, 42, (56, 52, 48, 45)
_ACTION = 34  # of what is done and what that led to, where both are on a line with little width
_ALONE = 1.4  # times as large, where a bot tells no thought
_STEPS = 400  # of a bar of health
_NARROW = 500  # the width below which what a play did stands above what its bot thought


_Painter = Callable[[pygame.Surface], None]


class UprightHud:
    """Draws the tiles of an upright layout on a background; lengths are pixels of a film 1080 wide.

    The bar of one of two matches (`column`) has its label and by how much the side is ahead that is compared.
    """

    def __init__(self, layout: Layout, background: pygame.Surface, column: MatchColumn | None = None) -> None:
        assert layout.heads is not None
        assert layout.words is not None
        self._scale, self._text = layout.words_scale, TextRenderer(layout.words_scale)
        self._icons, self._background, self._column = Icons(), background, column
        self._sized: dict[tuple[str, ...], tuple[int, ...]] = {}
        self._sizes = (*_LARGER_TOLD, *_TOLD) if column else _TOLD
        self._bar, self._words = _tile(layout.bar), _tile(layout.words)
        self._heads, self._told = [_tile(box) for box in layout.heads], [_tile(box) for box in layout.panels]
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
        sizes = self._sizes_told(scene)
        for seat, pose in enumerate(scene.bots):
            info, orders = scene.board.seats[seat], scene.board.prompts[seat]
            bars = tuple(round(share * _STEPS) / _STEPS for share in (pose.health, pose.ghost))
            named = names[seat], level_of(info)
            head = partial(self._paint_head, seat=seat, named=named, points=pose.points, bars=bars)
            yield self._heads[seat], (named, pose.points, bars), head
            if not self._told[seat].rect.width:
                continue  # it is told nothing, and there is no place for who plays
            told, size = quoted(orders) or player_words(info), sizes[seat]
            paint = partial(self._paint_told, seat=seat, told=told, given=bool(orders), size=size)
            yield self._told[seat], (told, bool(orders), size), paint
        play = _last_play(scene)
        known = play is not None and scene.t >= scene.board.known_at[play.bot]
        shown: object = play and (play.game, play.round, play.turn, play.number, known)
        if scene.thinking is not None:
            shown = scene.thinking.bot, int(scene.thinking.seconds)
        yield self._words, shown, partial(self._paint_words, scene=scene, play=play, known=known)

    def _paint_bar(self, surface: pygame.Surface, heading: str, lead: float) -> None:
        if self._column is not None:
            self._paint_label(surface, self._column.label, heading, lead)
            return
        area, left = surface.get_rect(), 0
        for word, color in (("BATLLM ", theme.TEXT), ("ARCADE", theme.GOLD)):
            part = self._text.line(word, "title", _HEADING, color)
            left = surface.blit(part, part.get_rect(midleft=(left, area.centery))).right
        line = self._text.fitted(heading, "title", _CLOCK, theme.TEXT, area.width - left - self._px(24))
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

    def _paint_head(
        self, surface: pygame.Surface, seat: int, named: tuple[str, str], points: float, bars: tuple[float, ...]
    ) -> None:
        """Paint the seat's mark, name and level, and its health as a bar and a number."""
        px, width, color = self._px, surface.get_width(), theme.SEAT_COLORS[seat]
        mark = self._icons.seat(seat, px(34))
        name, level = named
        line = self._text.fitted(name, "title", _NAME, color, width - px(46))
        surface.blit(mark, mark.get_rect(midleft=(0, px(26))))
        after = surface.blit(line, line.get_rect(midleft=(px(44), px(26)))).right + px(12)
        if level and after + self._text.measure(level, "label", _LEVEL) <= width:
            line = self._text.line(level, "label", _LEVEL, theme.SOFT)
            surface.blit(line, line.get_rect(midleft=(after, px(28))))
        number = self._text.line(f"{points:g}", "title", _NUMBER, theme.TEXT)
        room = max(number.get_width(), self._text.measure("100", "title", _NUMBER))
        surface.blit(number, number.get_rect(midright=(width, px(74))))
        bar = pygame.Rect(0, px(60), width - room - px(14), px(28))
        pygame.draw.rect(surface, theme.SUNKEN, bar, border_radius=px(7))
        for share, tint in zip(bars[::-1], (mixed(theme.WHITE, theme.SUNKEN, 0.25), color), strict=True):
            part = pygame.Rect(bar.left, bar.top, round(bar.width * min(1.0, max(0.0, share))), bar.height)
            pygame.draw.rect(surface, tint, part, border_radius=px(7))
        pygame.draw.rect(surface, theme.PANEL_EDGE, bar, max(1, px(2)), border_radius=px(7))

    def _sizes_told(self, scene: Scene) -> tuple[int, ...]:
        """Return the sizes of what both seats were told, or are: of orders the one in which both fit.

        Those that are compared with the other match's have the size in which both of them fit.
        """
        told = tuple(
            quoted(orders) or player_words(info)
            for orders, info in zip(scene.board.prompts, scene.board.seats, strict=True)
        )
        if told not in self._sized:
            rooms = [self._room_told(tile.rect.move(-tile.rect.left, -tile.rect.top)) for tile in self._told]
            beside = self._column.orders if self._column else ()
            sizes = []
            for seat, (each, room) in enumerate(zip(told, rooms, strict=True)):
                alike = filter(None, map(quoted, beside if self._column and seat == self._column.subject else ()))
                sizes.append(min(self._fitting(clean(words), *room)[0] for words in (each, *alike)))
            alike_here = self._column is None and all(scene.board.prompts)
            self._sized = {told: (min(sizes),) * 2 if alike_here else tuple(sizes)}
        return self._sized[told]

    def _room_told(self, area: pygame.Rect) -> tuple[int, int]:
        """Return the width and height for what a seat was told, in a tile."""
        pad = self._px(12)
        return area.width - 2 * pad - self._px(6), area.height - pad

    def _paint_told(self, surface: pygame.Surface, seat: int, told: str, given: bool, size: int) -> None:
        """Paint the orders in this size, or who plays where there are none."""
        pad, area = self._px(12), surface.get_rect()
        fill = mixed(theme.PANEL, theme.SEAT_COLORS[seat], 0.08)
        pygame.draw.rect(surface, fill, area, border_radius=self._px(12))
        edge = pygame.Rect(0, 0, self._px(6), area.height)
        pygame.draw.rect(surface, theme.SEAT_COLORS[seat], edge, border_radius=self._px(3))
        text, (width, room) = clean(told), self._room_told(area)
        high = self._text.height("label", size)
        rows = self._text.rows(text, "label", size, width, max(1, room // high))
        top = area.centery - high * len(rows) // 2
        for number, row in enumerate(rows):
            line = self._text.line(row, "label", size, theme.TEXT if given else theme.SOFT)
            surface.blit(line, (pad + self._px(6), top + number * high))

    def _fitting(self, text: str, width: int, height: int) -> tuple[int, list[str]]:
        """Return the largest size in which a text fits, and its rows; a longer one is cut at a word."""
        for size in self._sizes:
            most = max(1, height // self._text.height("label", size))
            rows = self._text.wrapped(text, "label", size, width)
            if len(rows) <= most and self._text.breaks_no_word(text, "label", size, width):
                return size, rows
        return size, self._text.rows(text, "label", size, width, most)

    def _paint_words(self, surface: pygame.Surface, scene: Scene, play: Play | None, known: bool) -> None:
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
        px, area, color = self._px, surface.get_rect(), theme.SEAT_COLORS[play.bot]
        pygame.draw.rect(surface, mixed(theme.PANEL, color, 0.06), area, border_radius=px(14))
        pygame.draw.rect(surface, color, (0, 0, area.width, px(6)), border_radius=px(3))
        pad, failed, said = px(18), play.status != "ok", _said(play, scene)
        larger, (led, tint) = 1.0 if said else _ALONE, self._led(scene, play, known)
        room, strong = area.width * (0.5 if led else 1) - pad, theme.GOLD if failed else color
        does = self._text.fitted(_does(play), "title", _DOES * larger, strong, room)
        middle = px(6) + px(56) // 2 if said else area.centery
        left = surface.blit(does, does.get_rect(midleft=(pad, middle))).right + px(18)
        line = self._text.fitted(led, "label", _LED * larger, tint, area.width - left - pad)
        surface.blit(line, line.get_rect(midleft=(left, middle + px(2))))
        width, reply = area.width - 2 * pad, short_reply(play, scene.board.seats[play.bot])
        said = f"{reply} {said}" if reply and said else said
        on_one_line = (size for size in _LARGE_WORDS if self._text.measure(clean(said), "label", size) <= width)
        if (size := next(on_one_line, None)) is not None:
            middle = (px(58) + area.height) // 2
            self._paint_said(surface, said, reply, size, color, (pad, middle))
            return
        rows = self._text.rows(said, "label", _WORDS, width, 2)
        top = (px(51) if len(rows) > 1 else px(54) + px(23)) + self._text.height("label", _WORDS) // 2
        for number, row in enumerate(rows):
            self._paint_said(surface, row, "" if number else reply, _WORDS, color, (pad, top + number * px(44)))

    def _paint_said(
        self, surface: pygame.Surface, row: str, reply: str, size: int, color: theme.Color, at: tuple[int, int]
    ) -> None:
        """Paint a row of what is said whose left end's middle is `at`; the reply that it begins with in that colour."""
        reply = reply if row.startswith(reply) else ""
        left, middle = at
        for part, tint in ((reply, color), (row.removeprefix(reply), theme.TEXT)):
            if part:
                line = self._text.line(part, "label", size, tint)
                left = surface.blit(line, line.get_rect(midleft=(left, middle))).right

    def _paint_narrow(self, surface: pygame.Surface, scene: Scene, play: Play, known: bool) -> None:
        """Paint the last play where there is little width: what that did above what its bot thought."""
        px, area, color = self._px, surface.get_rect(), theme.SEAT_COLORS[play.bot]
        pygame.draw.rect(surface, mixed(theme.PANEL, color, 0.06), area, border_radius=px(14))
        pygame.draw.rect(surface, color, (0, 0, area.width, px(6)), border_radius=px(3))
        pad, (led, tint) = px(12), self._led(scene, play, known)
        words = f"{_does(play)}: {led}" if led and play.status == "ok" else _does(play)
        tint = tint if led else theme.TEXT
        line = self._text.fitted(words, "label", _ACTION, tint, area.width - 2 * pad)
        top = surface.blit(line, (pad, px(12))).bottom
        room = area.inflate(-2 * pad, 0)
        room.update(pad, top, room.width, area.height - top - px(4))
        size, rows = self._fitting(clean(_said(play, scene)), room.width, room.height)
        for number, row in enumerate(rows):
            high = self._text.height("label", size)
            surface.blit(self._text.line(row, "label", size, theme.TEXT), (pad, top + number * high))

    @staticmethod
    def _led(scene: Scene, play: Play, known: bool) -> tuple[str, theme.Color]:
        """Return what a play led to, once that is known, or why it failed, and the colour to say it in."""
        if play.status != "ok":
            return play.reason, theme.SOFT
        return outcome(play, scene.board.rules) if known else ("", theme.TEXT)

    def _px(self, value: float) -> int:
        return max(1, round(value * self._scale))


def _tile(box: Box) -> Tile:
    return Tile(pygame.Rect(box))


def _does(play: Play) -> str:
    """Return what a play does in large type."""
    return doing(play) if play.status == "ok" else "FUMBLE!"


def _said(play: Play, scene: Scene) -> str:
    """Return what a play's bot thought, else what is seen of its reason."""
    return play_words(play) or deed_words(play, scene.board.rules)


def _heading(scene: Scene, *, at_play: bool = False) -> str:
    """Return the round and the turn; `at_play` the turn of the last play, until the next one begins."""
    board, play = scene.board, _last_play(scene) if at_play else None
    if play is not None and play.round == board.round:
        board = replace(board, turn=play.turn)
    if not board.round:
        return board.score or f"GAME {board.game}"
    where = f"ROUND {board.round}/{board.rules.total_rounds}   TURN {board.turn}/{board.rules.turns_per_round}"
    return f"{where}   {board.score}" if board.score else where


def _lead(scene: Scene, seat: int) -> float:
    """Return by how much health a seat is ahead of the other one, as both numbers are shown."""
    return round(scene.bots[seat].points - scene.bots[1 - seat].points, 1)


def _last_play(scene: Scene) -> Play | None:
    """Return the play that is shown or was shown last."""
    plays = [play for play in scene.board.plays if play is not None]
    return max(plays, key=lambda play: (play.round, play.turn, play.number), default=None)
