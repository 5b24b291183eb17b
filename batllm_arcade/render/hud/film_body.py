"""The lower part of a seat's panel in a wide film: fewer words, in type that can be read where it is shown small."""

from __future__ import annotations

from collections.abc import Sequence

import pygame

from batllm_arcade.render.hud.film_play import FilmPlay
from batllm_arcade.render.hud.icons import Icons
from batllm_arcade.render.hud.panel_body import PanelBody
from batllm_arcade.render.text import TextRenderer, clean
from batllm_arcade.view import theme
from batllm_arcade.view.layout import Layout
from batllm_arcade.view.scene import Scene
from batllm_arcade.view.words.deed_words import deed_heading, deed_words
from batllm_arcade.view.words.orders_words import in_one_line
from batllm_arcade.view.words.play_words import play_words
from batllm_arcade.view.words.script_words import script_words

TEXT = 28
"""The size of thoughts in a film whose shorter side has 720 pixels: 14 where that side is shown with 360."""
_LARGER = (1.35, 1.15, 1.0)
_SIZES = (1.15, 1.0, 0.9, 0.8, 0.72)
"""Times that size in which thoughts and orders are tried: both are as large as they fit."""
_ORDER_LINES, _THOUGHT_LINES, _REPLY_LINES = 3, 4, 2


class FilmBody(PanelBody):
    """Paints what a seat was told, what it thinks in a few words, what it does, and its reply if there is room.

    Where it was told nothing, it says what its script does; where it tells no thought, what is seen of its play.
    """

    _plays = FilmPlay

    def __init__(self, seat: int, text_renderer: TextRenderer, icons: Icons, layout: Layout) -> None:
        text = TEXT * min(layout.size) / 720 / layout.scale
        super().__init__(seat, text_renderer, icons, layout.scale, tall=False, text=text)

    def paint(self, surface: pygame.Surface, scene: Scene) -> None:
        """Paint the body on a surface as wide as the panel."""
        boxes, board, top = self._boxes, scene.board, self._top
        label_of_told, told = self._told(scene)
        pads, label = boxes.px(10), boxes.label_height
        least = self._play.height + 2 * label + 3 * pads
        lines = max(2, min(_ORDER_LINES + _THOUGHT_LINES, (surface.get_height() - top - least) // boxes.line_height))
        orders = min(_ORDER_LINES, lines // 2) if told else 0
        if orders:
            boxes.label(surface, label_of_told, top)
            area = boxes.sunken(surface, top + label, orders * boxes.line_height + pads)
            self._paint_orders(surface, area, told)
            top += label + orders * boxes.line_height + 2 * pads
        silent = board.plays[self._seat] is None or self._has_no_reply(scene)
        reply = label + _REPLY_LINES * self._reply.line_height + 2 * pads
        room = surface.get_height() - top - label - self._play.height - 2 * pads
        answered = not silent and room - reply >= 3 * boxes.line_height
        thought = room - (reply if answered else 0)
        self._paint_thought(surface, scene, top, thought)
        top += label + thought + pads // 2
        self._play.paint(surface, scene, top)
        top += self._play.height
        if answered:
            high = _REPLY_LINES * self._reply.line_height + pads
            self._reply.paint(surface, board.plays[self._seat], top, high, _REPLY_LINES)

    def _told(self, scene: Scene) -> tuple[str, str]:
        """Return what a seat was told, else what its script does, and what stands above that."""
        info, orders = scene.board.seats[self._seat], scene.board.prompts[self._seat]
        if orders and not info.human:
            return "ORDERS", orders
        does = script_words(info)
        return "SCRIPT", does[:1].upper() + does[1:]

    def _paint_orders(self, surface: pygame.Surface, area: pygame.Rect, told: str) -> None:
        """Paint orders as large as they fit, cut at a word if they do not."""
        self._paint_fitted(surface, area, clean(in_one_line(told)), theme.SOFT, _SIZES)

    def _paint_fitted(
        self, surface: pygame.Surface, area: pygame.Rect, words: str, color: theme.Color, sizes: Sequence[float]
    ) -> None:
        """Paint words in the largest of these sizes (times that of a thought) in which they fit, else cut at a word."""
        text = self._text_renderer
        for share in sizes:
            size = self._boxes.text * share
            high = text.height("label", size)
            most, rows = max(1, (area.height + high // 4) // high), text.wrapped(words, "label", size, area.width)
            if len(rows) <= most and text.breaks_no_word(words, "label", size, area.width):
                break
        for number, row in enumerate(text.rows(words, "label", size, area.width, most)):
            surface.blit(text.line(row, "label", size, color), (area.left, area.top + number * high))

    def _paint_thought(self, surface: pygame.Surface, scene: Scene, top: int, height: int) -> None:
        """Paint what is thought while a bot thinks, else its last thought in a few words, else what its play is for."""
        boxes, play, thinking = self._boxes, scene.board.plays[self._seat], self._thought.thinking(scene)
        thought = play_words(play) if play is not None else ""
        words = thought or (deed_words(play, scene.board.rules) if play is not None else "")
        live = thinking is not None and not thinking.human
        said = "THOUGHT" if thought else deed_heading(scene.board.seats[self._seat]) if words else ""
        boxes.label(surface, "THINKS" if live else said, top)
        area = boxes.sunken(surface, top + boxes.label_height, height)
        if thinking is not None and live and thinking.text:
            boxes.block(surface, area, thinking.text, theme.TEXT, max(1, area.height // boxes.line_height), tail=True)
        elif words:
            self._paint_fitted(surface, area, clean(words), theme.SOFT if live else theme.TEXT, _LARGER)
