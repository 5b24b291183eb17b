"""A panel over the screen in which a long text is read in full, whatever it holds."""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import pygame

from batllm_arcade.app.input.controls import Meaning
from batllm_arcade.app.input.key_labels import reading_keys
from batllm_arcade.app.kit.canvas import Box, Canvas, draw_scrollbar
from batllm_arcade.app.kit.dialog import Dialog
from batllm_arcade.app.kit.screen import Ui
from batllm_arcade.render.fonts import Face
from batllm_arcade.render.text import clean, wrap_spans
from batllm_arcade.view import theme
from batllm_arcade.view.theme import Color

MOST_CHARACTERS = 66_000
"""Characters of a text that can be read here: all of a reply that a session file keeps."""
_TOP, _MARGIN, _PAD, _HEAD, _FOOT = 58.0, 48.0, 26.0, 98.0, 34.0
_SIZE, _LINE, _LEAST_ROWS = 15, 21, 10
_ALL = 1 << 30  # rows: further than any text


@dataclass(frozen=True, slots=True)
class Section:
    """A heading and its text."""

    heading: str
    text: str
    color: Color = theme.TEXT


@dataclass(frozen=True, slots=True)
class Page:
    """One page: `bot` gives it its colour."""

    title: str
    facts: str
    bot: int
    sections: Sequence[Section]


_Line = tuple[str, Color, Face]


class TextViewer(Dialog):
    """Pages side by side, of which one is shown, from its beginning or from its end; `close` takes it away.

    `other` is what the page beside it is called.
    """

    def __init__(
        self, ui: Ui, pages: Sequence[Page], page: int, close: Callable[[], None], *, at_end: bool = False,
        other: str = "the other bot",
    ) -> None:  # fmt: skip
        super().__init__(ui)
        self.pages, self.page, self._close = pages, page, close
        self._other = other if len(pages) > 1 else ""
        self._top = _ALL if at_end else 0
        self._lines: list[_Line] = []
        self._laid_out: tuple[int, int] | None = None  # the page and the columns the lines are for
        self._rows = 1
        self._panel = Box(0, 0, 0, 0)
        self._tabs: list[Box] = []

    def back(self) -> None:
        self._close()

    def handle(self, event: pygame.event.Event, meaning: Meaning, now: float) -> None:
        """Scroll on up and down, previous and next, home and end; turn the page on left and right; else close."""
        intent = meaning.intent
        if event.type == pygame.KEYDOWN and event.key in (pygame.K_HOME, pygame.K_END):
            self.scroll(_ALL if event.key == pygame.K_END else -_ALL)
        elif event.type == pygame.MOUSEWHEEL:
            self.scroll(-3 * event.y)
        elif event.type == pygame.MOUSEBUTTONDOWN and event.button == pygame.BUTTON_LEFT:
            self._press(*self.canvas.logical(event.pos))
        elif intent in ("up", "down"):
            self.scroll(-1 if intent == "up" else 1)
        elif intent in ("previous", "next"):
            self.scroll((self._rows - 1) * (-1 if intent == "previous" else 1))
        elif intent in ("left", "right"):
            self.turn((self.page + (1 if intent == "right" else -1)) % len(self.pages))
        elif intent is not None:
            self.back()
        else:
            super().handle(event, meaning, now)

    def turn(self, page: int) -> None:
        """Show this page from its beginning."""
        self.page, self._top = page, 0

    def scroll(self, rows: int) -> None:
        """Scroll down by so many lines."""
        self._top = max(0, min(self._first + rows, len(self._lines) - self._rows))

    @property
    def _first(self) -> int:
        return max(0, min(self._top, len(self._lines) - self._rows))

    @property
    def visible(self) -> list[str]:
        """Return the lines that are shown."""
        return [text for text, _, _ in self._lines[self._first : self._first + self._rows]]

    @property
    def panel(self) -> pygame.Rect:
        """Return where the panel is, in pixels."""
        return self.canvas.rect(self._panel)

    def _press(self, x: float, y: float) -> None:
        tabs = [page for page, tab in enumerate(self._tabs) if tab.inset(-8).holds(x, y)]
        if self.corner.BOX.holds(x, y) or not self._panel.holds(x, y):
            self.back()
        elif tabs:
            self.turn(tabs[0])

    def arrange(self, canvas: Canvas) -> None:
        """Break the page into lines as wide as there is room for on the canvas, and place the tabs."""
        self._place_lines(canvas, self.pages[self.page])
        self._tabs = []
        x, high = self._panel.x + _PAD, canvas.text_renderer.height("title", 24) / canvas.scale
        for page in self.pages:
            tab = Box(x, self._panel.y + 16, canvas.fitted(page.title, "title", 24, self._panel.w * 0.42), high)
            self._tabs.append(tab)
            x += tab.w + 36

    def paint_back(self, canvas: Canvas, now: float) -> None:
        """Darken what lies below."""
        canvas.veil(190)

    def paint(self, canvas: Canvas, now: float) -> None:
        page = self.pages[self.page]
        canvas.panel(self._panel, theme.SEAT_COLORS[page.bot], width=2)
        self._draw_head(canvas, page)
        self._draw_lines(canvas)
        middle, width = self._panel.middle[0], self._panel.w - 2 * _PAD
        keys = reading_keys(self.ui.controls, self._other)
        canvas.words((middle, self._panel.bottom - 20), keys, "mono", 13, theme.DIM, width=width, side="middle")

    def _place_lines(self, canvas: Canvas, page: Page) -> None:
        """Break the page into lines of so many letters, all equally wide; a short page has a low panel."""
        side = _MARGIN if not canvas.narrow else 10
        panel = Box(side, _TOP, canvas.width - 2 * side, canvas.height - _TOP - side)
        letter = canvas.text_renderer.font("mono", _SIZE).size("m" * 100)[0] / 100 / canvas.scale
        columns = max(10, int((panel.w - 2 * _PAD - 14) / letter))
        if self._laid_out != (self.page, columns):
            self._laid_out, self._lines = (self.page, columns), _lines(page, columns)
        self._line = canvas.px(_LINE) / canvas.scale  # a whole number of pixels, so that all lines look alike
        self._rows = max(1, int((panel.h - _HEAD - _FOOT) / self._line + 1e-6))
        low = _HEAD + _FOOT + self._line * max(_LEAST_ROWS, len(self._lines) + 1)
        unused = max(0.0, panel.h - low)
        top = math.floor(unused / 2 * canvas.scale) / canvas.scale  # a whole number of pixels
        self._panel = panel._replace(y=panel.y + top, h=panel.h - unused)

    def _draw_head(self, canvas: Canvas, page: Page) -> None:
        for number, (other, tab) in enumerate(zip(self.pages, self._tabs, strict=True)):
            color = theme.SEAT_COLORS[other.bot] if number == self.page else theme.DIM
            canvas.words((tab.x, tab.y), other.title, "title", 24, color, width=self._panel.w * 0.42)
            if number == self.page:
                canvas.box(Box(tab.x, tab.bottom + 2, tab.w, 3), color, None, radius=0)
        at = (self._panel.x + _PAD, self._panel.y + 58)
        canvas.words(at, page.facts, "mono", 14, theme.SOFT, width=self._panel.w - 2 * _PAD)

    def _draw_lines(self, canvas: Canvas) -> None:
        left, top = self._panel.x + _PAD, self._panel.y + _HEAD
        width = self._panel.w - 2 * _PAD
        for row, (text, color, face) in enumerate(self._lines[self._first : self._first + self._rows]):
            if text:
                canvas.words((left, top + row * self._line), text, face, _SIZE, color, width=width)
        track = Box(self._panel.right - 19, top, 5, self._rows * self._line)
        draw_scrollbar(canvas, track, self._rows, len(self._lines), self._first)


def _lines(page: Page, columns: int) -> list[_Line]:
    lines: list[_Line] = []
    for section in page.sections:
        lines += [("", theme.DIM, "label"), (section.heading, theme.DIM, "label")]
        lines += [(text, section.color, "mono") for text in columned(section.text, columns)]
    return lines[1:]


def columned(text: str, columns: int) -> list[str]:
    """Return the text in lines of at most so many columns, broken at spaces if there are any."""
    shown = clean(text, MOST_CHARACTERS)
    return [shown[start:end].rstrip(" ") for start, end in wrap_spans(shown, _counter(columns), columns)]


def _counter(enough: int) -> Callable[[str], int]:
    """Return a function that counts a text's columns; the wide letters of some scripts take two.

    It does not look closely at texts that are longer than `enough` anyway.
    """

    def count(text: str) -> int:
        if len(text) > enough or text.isascii():
            return len(text)
        return sum(2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in text)

    return count
