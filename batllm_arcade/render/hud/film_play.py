"""What a seat's bot did last, in the panel of a wide film: in words, large, and nothing before its first play."""

from __future__ import annotations

import pygame

from batllm_arcade.render.hud.panel_play import PlaySection
from batllm_arcade.render.text import clean
from batllm_arcade.view import theme
from batllm_arcade.view.scene import Scene
from batllm_arcade.view.words.panel_words import does, led

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
        """Paint what a play led to, in the largest type in which it fits in two rows."""
        text, boxes, words = self._text_renderer, self._boxes, clean(words)
        width = max(1, surface.get_width() - 2 * boxes.pad)
        one_row = (size for size in _LED if text.measure(words, "label", size) <= width)
        size = next(one_row, _LED[-1])
        for number, row in enumerate(self._rows(words, size, width)):
            surface.blit(text.line(row, "label", size, color), (boxes.pad, top + number * text.height("label", size)))

    def _rows(self, words: str, size: float, width: int) -> list[str]:
        """Return words in rows, two of like length if one is too short."""
        rows = self._text_renderer.even(words, "label", size, width)
        return rows if len(rows) <= _ROWS else self._text_renderer.rows(words, "label", size, width, _ROWS)
