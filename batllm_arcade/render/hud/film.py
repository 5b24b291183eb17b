"""The panels of films."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import pygame

from batllm_arcade.brains.protocol import SeatInfo
from batllm_arcade.render.hud.panel_head import ChargeRow, PanelHead
from batllm_arcade.render.hud.panels import PanelBody, PlaySection
from batllm_arcade.render.sprites import Icons
from batllm_arcade.render.text import TextRenderer, clean
from batllm_arcade.view import theme
from batllm_arcade.view.layout import Layout
from batllm_arcade.view.play_text import level_of
from batllm_arcade.view.play_words import (
    deed_heading,
    does,
    in_one_line,
    kind_words,
    led,
    play_words,
    reply_heading,
    said,
    script_words,
    short_reply,
)
from batllm_arcade.view.scene import Scene

_DOES, _LED, _ROWS = 34, (26, 24, 22), 2
"""Font sizes of what is done, and of what that led to, in so many rows."""


class FilmPlay(PlaySection):
    """Paints one seat's last play."""

    @property
    def height(self) -> int:
        """Return the height of the section in pixels."""
        led = _ROWS * self._text_renderer.height("label", _LED[-1])
        return self._does_height + led + self._boxes.px(8)

    @property
    def _does_height(self) -> int:
        return self._text_renderer.height("title", _DOES)

    def paint(self, surface: pygame.Surface, scene: Scene, top: int) -> None:
        """Paint what is done and its outcome, which stays hidden until it has been seen in the arena."""
        play, boxes, text = scene.board.plays[self._seat], self._boxes, self._text_renderer
        width, below = max(1, surface.get_width() - 2 * boxes.pad), top + self._does_height
        middle = top + self._does_height // 2
        if play is None:
            return
        came, color = led(play, scene.board.rules, known=scene.t >= scene.board.known_at[self._seat])
        if play.status != "ok":
            self._paint_fumble(surface, middle, width)
            self._paint_led(surface, came, color, below)
            return
        past = scene.board.is_past(self._seat)
        line = text.fitted(does(play), "title", _DOES, theme.DIM if past else theme.SEAT_COLORS[self._seat], width)
        surface.blit(line, line.get_rect(midleft=(boxes.pad, middle)))
        self._paint_led(surface, came, theme.DIM if past else color, below)

    def _paint_led(self, surface: pygame.Surface, words: str, color: theme.Color, top: int) -> None:
        text, boxes, words = self._text_renderer, self._boxes, clean(words)
        width = max(1, surface.get_width() - 2 * boxes.pad)
        size = text.size_on_a_line(words, "label", _LED, width) or _LED[-1]
        rows = text.even(words, "label", size, width)
        if len(rows) > _ROWS:
            rows = text.rows(words, "label", size, width, _ROWS)
        text.paint_rows(surface, rows, "label", size, color, (boxes.pad, top))


TEXT = 28
"""The size of thoughts in a film whose shorter side has 720 pixels: 14 where that side is shown with 360."""
_THOUGHTS = (1.35, 1.15, 1.0)
_ORDERS = (1.35, 1.25, 1.15, 1.0, 0.9, 0.8, 0.72)
"""Times that size in which thoughts and orders are tried: both are as large as they fit."""
_SLACK = 1 / 8
_REPLIED = 28
"""Font size of a short reply, which stands above the thought."""
_LEAST_ROWS, _LEAST_SHARE, _REPLY_LINES = 3, 0.44, 2
"""The rows of the smallest type for which a thought has room, at least, and its share of the room that it has with the
orders; the rows of a reply."""


class FilmBody(PanelBody):
    """Paints what a seat was told, what it thinks in a few words, what it does, and its reply if there is room.

    Where it was told nothing, it says what its script does; where it tells no thought, what is seen of its play.
    """

    _plays, _label_size = FilmPlay, 19

    def __init__(self, seat: int, text_renderer: TextRenderer, icons: Icons, layout: Layout) -> None:
        text = TEXT * min(layout.size) / 720 / layout.scale
        super().__init__(seat, text_renderer, icons, layout.scale, tall=False, text=text)
        self._thought_sizes = [share * text for share in _THOUGHTS]
        self._orders_sizes = [share * text for share in _ORDERS]

    def key(self, scene: Scene) -> tuple[object, ...]:
        """Return a value that is equal for scenes with the same picture of this body."""
        return *super().key(scene), scene.board.seats, scene.board.prompts, scene.board.is_past(self._seat)

    def paint(self, surface: pygame.Surface, scene: Scene) -> None:
        """Paint the body on a surface as wide as the panel: until it has played, only what it was told."""
        boxes, play, top = self._boxes, scene.board.plays[self._seat], self._top
        pads, label, above = boxes.px(10), boxes.label_height, self._height_above_thoughts(scene)
        heading, told = self._told(scene, self._seat)
        if told:
            boxes.label(surface, heading, top)
            both = surface.get_height() - top - label - above - 4 * pads - self._play.height
            room = both - max(_LEAST_ROWS * boxes.line_height + pads, round(_LEAST_SHARE * both))
            sizes, high = self._alike(scene, boxes.text_width(surface), room)
            area = boxes.sunken(surface, top + label, high + pads)
            self._paint_fitted(surface, area, told, theme.SOFT, sizes)
            top += label + high + 2 * pads
        thinking = self._thought.thinking(scene)
        if play is None and (thinking is None or thinking.human):
            return
        reply = label + _REPLY_LINES * self._reply.line_height + 2 * pads
        room = surface.get_height() - top - above - self._play.height - 2 * pads
        answered = play is not None and not self._has_no_reply(scene) and room - reply >= 3 * boxes.line_height
        answered = answered and not self._replied(scene)
        thought = room - (reply if answered else 0)
        self._paint_thought(surface, scene, top, thought)
        top += above + thought + pads // 2
        self._play.paint(surface, scene, top)
        top += self._play.height
        if answered:
            high = _REPLY_LINES * self._reply.line_height + pads
            self._reply.paint(surface, play, top, high, _REPLY_LINES)

    def _told(self, scene: Scene, seat: int) -> tuple[str, str]:
        info, orders = scene.board.seats[seat], scene.board.prompts[seat]
        if orders and not info.human:
            return "ORDERS", clean(in_one_line(orders))
        does = script_words(info)
        return "SCRIPT", clean(does[:1].upper() + does[1:])

    def _alike(self, scene: Scene, width: int, room: int) -> tuple[Sequence[float], int]:
        """Return the sizes of what a seat was told, the same for both seats, and how high both are at most."""
        told = [words for _, words in (self._told(scene, seat) for seat in (0, 1)) if words]
        sizes = self._orders_sizes
        fit = partial(self._text_renderer.size_in_rows, face="label", width=width, height=room, slack=_SLACK)
        most = min(fit(words, sizes=sizes)[0] for words in told)
        rows = max(len(fit(words, sizes=[most])[1]) for words in told)
        return [size for size in sizes if size <= most], rows * self._text_renderer.height("label", most)

    def _replied(self, scene: Scene) -> str:
        play = scene.board.plays[self._seat]
        return short_reply(play, scene.board.seats[self._seat]) if play is not None else ""

    def _height_above_thoughts(self, scene: Scene) -> int:
        models = any(info.model and not info.human for info in scene.board.seats)
        return max(self._boxes.label_height, self._text_renderer.height("label", _REPLIED) if models else 0)

    def _paint_fitted(
        self, surface: pygame.Surface, area: pygame.Rect, words: str, color: theme.Color, sizes: Sequence[float]
    ) -> None:
        size, rows = self._text_renderer.size_in_rows(words, "label", sizes, area.width, area.height, _SLACK)
        self._text_renderer.paint_rows(surface, rows, "label", size, color, area.topleft)

    def _paint_thought(self, surface: pygame.Surface, scene: Scene, top: int, height: int) -> None:
        boxes, play, thinking = self._boxes, scene.board.plays[self._seat], self._thought.thinking(scene)
        thought = play_words(play) if play is not None else ""
        words = said(play, scene.board.rules) if play is not None else ""
        live = thinking is not None and not thinking.human
        above = "THOUGHT" if thought else deed_heading(scene.board.seats[self._seat]) if words else ""
        below, replied = top + self._height_above_thoughts(scene), "" if live else self._replied(scene)
        past, heading = scene.board.is_past(self._seat), reply_heading(play) if play is not None and replied else above
        boxes.label(surface, "THINKS" if live else heading, below - boxes.label_height)
        self._paint_reply_above(surface, heading, replied, below, theme.DIM if past else theme.SEAT_COLORS[self._seat])
        area = boxes.sunken(surface, below, height)
        if thinking is not None and live and thinking.text:
            boxes.block(surface, area, thinking.text, theme.TEXT, max(1, area.height // boxes.line_height), tail=True)
        elif words:
            color = theme.SOFT if live else theme.DIM if past else theme.TEXT
            self._paint_fitted(surface, area, clean(words), color, self._thought_sizes)

    def _paint_reply_above(
        self, surface: pygame.Surface, heading: str, reply: str, bottom: int, color: theme.Color
    ) -> None:
        boxes, text = self._boxes, self._text_renderer
        left = boxes.pad + text.measure(f"{heading} ", "label", boxes.label_size) + boxes.px(6)
        width = surface.get_width() - left - boxes.pad
        line = text.fitted(reply, "label", _REPLIED, color, width)
        surface.blit(line, line.get_rect(bottomleft=(left, bottom)))


class FilmHead(PanelHead):
    """Paints one seat's head; that a seat acts is told by the edge of its panel."""

    _label_size, _tells_brain = 23, False
    _shield, _no_shield = "SHIELD", "no shield"
    _chip_size, _chip_room, _cartridge = 21, 16, 22

    def _charge_row(self, seat: int) -> ChargeRow:
        return ChargeRow(seat, self._text_renderer, self._scale, "GUN", self._chip_size)

    def _label(self, info: SeatInfo, surface: pygame.Surface) -> str:
        """Return what plays and its level, cut after one of its parts where there is no room for all, else the seat."""
        width = surface.get_width() - 2 * self._pad - self._mark_width
        kind, level = kind_words(info), level_of(info)
        while "-" in kind and self._width_of(kind, level) > width:
            kind = kind.rpartition("-")[0]
        shown = kind.casefold() not in info.name.casefold() and (not level or self._width_of(kind, level) <= width)
        if level and not shown:
            return f"level {level}"
        return _said(kind if shown else "", level) or super()._label(info, surface)

    def _width_of(self, kind: str, level: str) -> int:
        return self._text_renderer.measure(clean(_said(kind, level)), "label", self._label_size)

    def paint_upper(self, surface: pygame.Surface, scene: Scene) -> None:
        """Paint the upper part; while it thinks, that is said in place of what plays."""
        (words, *_), color = self._activity(scene)
        self.paint_name(surface, scene.board.seats, (words, color) if scene.thinking is not None and words else None)


def _said(kind: str, level: str) -> str:
    return "  ".join(filter(None, (kind, level)))
