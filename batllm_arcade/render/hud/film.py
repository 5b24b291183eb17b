"""The panels of wide films: fewer words, in type that can be read where a film is shown small."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import pygame

from batllm_arcade.brains.protocol import SeatInfo
from batllm_arcade.render.hud.panels import ChargeRow, PanelBody, PanelHead
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
    thought_heading,
)
from batllm_arcade.view.scene import Scene

TEXT = 28
"""The size of thoughts in a film whose shorter side has 720 pixels: 14 where that side is shown with 360."""
_THOUGHTS = (1.35, 1.15, 1.0)
_ORDERS = (1.35, 1.25, 1.15, 1.0, 0.9, 0.8, 0.72)
"""Times that size in which thoughts and orders are tried: both are as large as they fit."""
_SLACK = 1 / 8
_DOES, _LED, _LED_ROWS = 34, (26, 24, 22), 2
"""Font sizes of what is done, and of what that led to, in so many rows."""
_REPLIED = 28
"""Font size of a short reply, which stands above the thought."""
_LEAST_ROWS, _LEAST_SHARE, _REPLY_LINES = 3, 0.44, 2
"""The rows of the smallest type for which a thought has room, at least, and its share of the room that it has with the
orders; the rows of a reply."""


class FilmBody(PanelBody):
    """Paints what a seat was told, what it thinks in a few words, what it does, and its reply if there is room.

    Where it was told nothing, it says what its script does; where it tells no thought, what is seen of its play.
    """

    label_size = 19

    def __init__(self, seat: int, text: TextRenderer, icons: Icons, layout: Layout) -> None:
        size = TEXT * min(layout.size) / 720 / layout.scale
        super().__init__(seat, text, icons, layout.scale, tall=False, size=size)
        self._thought_sizes = [share * size for share in _THOUGHTS]
        self._orders_sizes = [share * size for share in _ORDERS]

    @property
    def play_height(self) -> int:
        """Return the height of the last play in pixels."""
        led = _LED_ROWS * self.text.height("label", _LED[-1])
        return self.text.height("title", _DOES) + led + self.px(8)

    def key(self, scene: Scene) -> tuple[object, ...]:
        """Return a value that is equal for scenes with the same picture of this body."""
        return *super().key(scene), scene.board.seats, scene.board.prompts, scene.board.is_past(self.seat)

    def paint(self, surface: pygame.Surface, scene: Scene) -> None:
        """Paint the body on a surface as wide as the panel: until it has played, only what it was told."""
        play, top, thinking = scene.board.plays[self.seat], self.top, self.thinking(scene)
        pads, label, above = self.px(10), self.label_height, self._height_above_thoughts(scene)
        heading, told = self._told(scene, self.seat)
        if told:
            self.label(surface, heading, top)
            both = surface.get_height() - top - label - above - 4 * pads - self.play_height
            room = both - max(_LEAST_ROWS * self.line_height + pads, round(_LEAST_SHARE * both))
            sizes, high = self._alike(scene, self.text_width(surface), room)
            self._paint_fitted(surface, self.sunken(surface, top + label, high + pads), told, theme.SOFT, sizes)
            top += label + high + 2 * pads
        if (notes := scene.board.notes[self.seat]) and not (thinking and thinking.text):  # they have all the room
            self.label(surface, "NOTES", top + above - label)
            area = self.sunken(surface, top + above, surface.get_height() - top - above - pads)
            self._paint_fitted(surface, area, clean(notes), theme.TEXT, self._orders_sizes)
            return
        if play is None and (thinking is None or thinking.human):
            return
        reply_height = _REPLY_LINES * self.text.height("mono", self.reply_size) + pads
        room = surface.get_height() - top - above - self.play_height - 2 * pads
        answered = play is not None and not self.has_no_reply(scene) and not self._replied(scene)
        answered = answered and room - label - reply_height - pads >= 3 * self.line_height
        thought = room - (label + reply_height + pads if answered else 0)
        self._paint_words(surface, scene, top, thought)
        top += above + thought + pads // 2
        self.paint_play(surface, scene, top)
        if answered:
            self.paint_reply(surface, play, top + self.play_height, reply_height, _REPLY_LINES)

    def paint_play(self, surface: pygame.Surface, scene: Scene, top: int) -> None:
        """Paint what is done and its outcome, which stays hidden until it has been seen in the arena."""
        play, text, high = scene.board.plays[self.seat], self.text, self.text.height("title", _DOES)
        if play is None:
            return
        middle, width = top + high // 2, max(1, surface.get_width() - 2 * self.pad)
        words, color = led(play, scene.board.rules, known=scene.t >= scene.board.known_at[self.seat])
        if play.status != "ok":
            self.paint_fumble(surface, middle, width)
        else:
            past = scene.board.is_past(self.seat)
            color, strong = (theme.DIM, theme.DIM) if past else (color, self.color)
            text.put(surface, does(play), "title", _DOES, strong, width, midleft=(self.pad, middle))
        words = clean(words)
        size = text.size_on_a_line(words, "label", _LED, width) or _LED[-1]
        rows = text.even(words, "label", size, width)
        if len(rows) > _LED_ROWS:
            rows = text.rows(words, "label", size, width, _LED_ROWS)
        text.paint_rows(surface, rows, "label", size, color, (self.pad, top + high))

    def _told(self, scene: Scene, seat: int) -> tuple[str, str]:
        info, orders = scene.board.seats[seat], scene.board.prompts[seat]
        if orders and not info.human:
            return "ORDERS", clean(in_one_line(orders))
        does = script_words(info)
        return "SCRIPT", clean(does[:1].upper() + does[1:])

    def _alike(self, scene: Scene, width: int, room: int) -> tuple[Sequence[float], int]:
        """Return the sizes of what a seat was told, the same for both seats, and how high both are at most."""
        told = [words for _, words in (self._told(scene, seat) for seat in (0, 1)) if words]
        fit = partial(self.text.size_in_rows, face="label", width=width, height=room, slack=_SLACK)
        most = min(fit(words, sizes=self._orders_sizes)[0] for words in told)
        rows = max(len(fit(words, sizes=[most])[1]) for words in told)
        return [size for size in self._orders_sizes if size <= most], rows * self.text.height("label", most)

    def _replied(self, scene: Scene) -> str:
        play = scene.board.plays[self.seat]
        return short_reply(play, scene.board.seats[self.seat]) if play is not None else ""

    def _height_above_thoughts(self, scene: Scene) -> int:
        models = any(info.model and not info.human for info in scene.board.seats)
        return max(self.label_height, self.text.height("label", _REPLIED) if models else 0)

    def _paint_fitted(
        self, surface: pygame.Surface, area: pygame.Rect, words: str, color: theme.Color, sizes: Sequence[float]
    ) -> None:
        size, rows = self.text.size_in_rows(words, "label", sizes, area.width, area.height, _SLACK)
        self.text.paint_rows(surface, rows, "label", size, color, area.topleft)

    def _paint_words(self, surface: pygame.Surface, scene: Scene, top: int, height: int) -> None:
        """Paint what is thought while a bot thinks, else its last thought in a few words, else what its play is for.

        A short reply stands beside the heading.
        """
        play, thinking, text = scene.board.plays[self.seat], self.thinking(scene), self.text
        words = said(play, scene.board.rules) if play is not None else ""
        live, past = thinking is not None and not thinking.human, scene.board.is_past(self.seat)
        heading = deed_heading(scene.board.seats[self.seat]) if words else ""
        if play is not None and play_words(play):
            heading = thought_heading(play)
        replied = "" if live else self._replied(scene)
        if play is not None and replied:
            heading = reply_heading(play)
        below = top + self._height_above_thoughts(scene)
        self.label(surface, "THINKS" if live else heading, below - self.label_height)
        left = self.pad + text.measure(f"{heading} ", "label", self.label_size) + self.px(6)
        color, room = theme.DIM if past else self.color, surface.get_width() - left - self.pad
        text.put(surface, replied, "label", _REPLIED, color, room, bottomleft=(left, below))
        area = self.sunken(surface, below, height)
        if thinking is not None and live and thinking.text:
            self.block(surface, area, thinking.text, theme.TEXT, max(1, area.height // self.line_height), tail=True)
        elif words:
            color = theme.SOFT if live else theme.DIM if past else theme.TEXT
            self._paint_fitted(surface, area, clean(words), color, self._thought_sizes)


class FilmHead(PanelHead):
    """Paints one seat's head; that a seat acts is told by the edge of its panel."""

    label_size, tells_brain = 23, False
    shield_up, shield_down = "SHIELD", "no shield"
    chip_size, chip_room, cartridge = 21, 16, 22

    def charge_row(self) -> ChargeRow:
        """Return what paints the cartridges, named."""
        return ChargeRow(self.seat, self.text, self.scale, "GUN", self.chip_size)

    def label(self, info: SeatInfo, surface: pygame.Surface) -> str:
        """Return what plays and its level, cut after one of its parts where there is no room for all, else the seat."""
        width = surface.get_width() - 2 * self.pad - self.mark_width
        kind, level = kind_words(info), level_of(info)

        def fits(words: str) -> bool:
            return self.text.measure(clean(words), "label", self.label_size) <= width

        while "-" in kind and not fits(_joined(kind, level)):
            kind = kind.rpartition("-")[0]
        shown = kind.casefold() not in info.name.casefold() and (not level or fits(_joined(kind, level)))
        if level and not shown:
            return f"level {level}"
        return _joined(kind if shown else "", level) or super().label(info, surface)

    def paint_upper(self, surface: pygame.Surface, scene: Scene) -> None:
        """Paint the upper part; while it thinks, that is said in place of what plays."""
        (words, *_), color = self.activity(scene)
        self.paint_name(surface, scene.board.seats, (words, color) if scene.thinking is not None and words else None)


def _joined(kind: str, level: str) -> str:
    return "  ".join(filter(None, (kind, level)))
