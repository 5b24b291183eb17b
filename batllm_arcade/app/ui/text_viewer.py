"""A panel over the screen in which a long text is read in full, whatever it holds."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

import pygame

from batllm_arcade.render.text import TextRenderer, clean
from batllm_arcade.view import theme
from batllm_arcade.view.theme import Color

MOST_CHARACTERS = 66_000
"""Characters of a text that can be read here: all of a reply that a session file keeps."""
_MARGIN, _PAD, _HEAD, _FOOT = 48, 26, 98, 34
_SIZE, _LINE, _LEAST_ROWS = 15, 21, 10


@dataclass(frozen=True, slots=True)
class Section:
    """A heading and its text."""

    heading: str
    text: str
    color: Color = theme.TEXT


@dataclass(frozen=True, slots=True)
class Page:
    """What is read at a time: `bot` gives it its colour."""

    title: str
    facts: str
    bot: int
    sections: Sequence[Section]


class TextViewer:
    """Pages side by side, of which one is shown; `done` is true once it was closed."""

    def __init__(self, pages: Sequence[Page], page: int, keys: str) -> None:
        self._pages, self._keys = pages, keys
        self.page, self.top, self.done = page, 0, False
        self._lines: list[tuple[str, Color, bool]] = []
        self._laid_out: tuple[int, int] | None = None  # the page and the columns the lines are for
        self._rows = 1
        self._text_renderer: TextRenderer | None = None
        self._scale = 0.0
        self._panel = pygame.Rect(0, 0, 0, 0)
        self._tabs: list[pygame.Rect] = []

    def take(self, intent: str | None) -> None:
        """Up and down scroll, previous and next by a page of lines, left and right turn the page, all else closes."""
        if intent in ("up", "down"):
            self.scroll(-1 if intent == "up" else 1)
        elif intent in ("previous", "next"):
            self.scroll((self._rows - 1) * (-1 if intent == "previous" else 1))
        elif intent in ("left", "right"):
            self.turn((self.page + (1 if intent == "right" else -1)) % len(self._pages))
        elif intent in ("start", "end"):
            self.scroll(-len(self._lines) if intent == "start" else len(self._lines))
        elif intent in ("back", "confirm", "menu"):
            self.done = True

    def turn(self, page: int) -> None:
        """Show this page from its beginning."""
        self.page, self.top = page, 0

    def scroll(self, rows: int) -> None:
        """Down by so many lines."""
        self.top = max(0, min(self.top + rows, len(self._lines) - self._rows))

    def click(self, at: tuple[int, int]) -> None:
        """A click on a tab turns to its page, one beside the panel closes it."""
        for page, tab in enumerate(self._tabs):
            if tab.collidepoint(at):
                self.turn(page)
                return
        self.done = not self._panel.collidepoint(at)

    def draw(self, target: pygame.Surface, ui: float = 1.0) -> None:
        """Draw over whatever is there; `ui` enlarges the words."""
        scale = min(target.get_width() / theme.WIDTH, target.get_height() / theme.HEIGHT) * ui
        if self._text_renderer is None or self._scale != scale:
            self._text_renderer, self._scale, self._laid_out = TextRenderer(scale), scale, None
        text_renderer = self._text_renderer
        veil = pygame.Surface(target.get_size(), pygame.SRCALPHA)
        veil.fill((*theme.NIGHT, 190))
        target.blit(veil, (0, 0))
        page = self._pages[self.page]
        self._panel = target.get_rect().inflate(-2 * self._px(_MARGIN), -2 * self._px(_MARGIN))
        self._lay_out(text_renderer, page)
        pygame.draw.rect(target, theme.PANEL, self._panel, border_radius=self._px(12))
        pygame.draw.rect(target, theme.SEAT_COLORS[page.bot], self._panel, self._px(2), border_radius=self._px(12))
        self._draw_head(target, text_renderer, page)
        self._draw_lines(target, text_renderer)
        foot = text_renderer.line(self._keys, "mono", 13, theme.DIM, self._panel.width - 2 * self._px(_PAD))
        target.blit(foot, foot.get_rect(midbottom=(self._panel.centerx, self._panel.bottom - self._px(10))))

    def _px(self, value: float) -> int:
        return max(1, round(value * self._scale))

    def _draw_head(self, target: pygame.Surface, text_renderer: TextRenderer, page: Page) -> None:
        left, top = self._panel.left + self._px(_PAD), self._panel.top + self._px(16)
        self._tabs, x = [], left
        for number, other in enumerate(self._pages):
            shown = number == self.page
            color = theme.SEAT_COLORS[other.bot] if shown else theme.DIM
            words = text_renderer.line(other.title, "title", 24, color, self._panel.width * 0.42)
            target.blit(words, (x, top))
            tab = words.get_rect(topleft=(x, top))
            if shown:
                pygame.draw.rect(target, color, (x, tab.bottom + self._px(2), tab.width, self._px(3)))
            self._tabs.append(tab.inflate(self._px(16), self._px(16)))
            x += words.get_width() + self._px(36)
        facts = text_renderer.line(page.facts, "mono", 14, theme.SOFT, self._panel.width - 2 * self._px(_PAD))
        target.blit(facts, (left, top + self._px(42)))

    def _lay_out(self, text_renderer: TextRenderer, page: Page) -> None:
        """The page as lines of so many letters, which are equally wide in this face; a short page has a low panel."""
        wide = text_renderer.font("mono", _SIZE).size("m" * 100)[0] / 100
        columns = max(10, int((self._panel.width - 2 * self._px(_PAD) - self._px(14)) / wide))
        if self._laid_out != (self.page, columns):
            self._laid_out, self._lines = (self.page, columns), _lines(page, columns)
        around = self._px(_HEAD) + self._px(_FOOT)
        self._rows = max(1, (self._panel.height - around) // self._px(_LINE))
        low = around + self._px(_LINE) * max(_LEAST_ROWS, len(self._lines) + 1)
        self._panel.inflate_ip(0, min(0, low - self._panel.height))
        self.scroll(0)

    def _draw_lines(self, target: pygame.Surface, text_renderer: TextRenderer) -> None:
        left, top = self._panel.left + self._px(_PAD), self._panel.top + self._px(_HEAD)
        room = self._panel.width - 2 * self._px(_PAD)
        for row, (words, color, heading) in enumerate(self._lines[self.top : self.top + self._rows]):
            if words:
                line = text_renderer.line(words, "label" if heading else "mono", _SIZE, color, room)
                target.blit(line, (left, top + row * self._px(_LINE)))
        if len(self._lines) > self._rows:
            rail = pygame.Rect(0, top, self._px(5), self._rows * self._px(_LINE))
            rail.right = self._panel.right - self._px(14)
            pygame.draw.rect(target, theme.SUNKEN, rail, border_radius=self._px(3))
            high = max(self._px(24), rail.height * self._rows // len(self._lines))
            share = self.top / (len(self._lines) - self._rows)
            grip = pygame.Rect(rail.left, rail.top + round((rail.height - high) * share), rail.width, high)
            pygame.draw.rect(target, theme.SOFT, grip, border_radius=self._px(3))


def _lines(page: Page, columns: int) -> list[tuple[str, Color, bool]]:
    """Its lines with their colours, and whether each is a heading."""
    lines: list[tuple[str, Color, bool]] = []
    for section in page.sections:
        lines += [("", theme.DIM, False), (section.heading, theme.DIM, True)]
        lines += [(line, section.color, False) for line in columned(section.text, columns)]
    return lines[1:]


def columned(text: str, columns: int) -> list[str]:
    """The text in lines of at most so many columns, broken at spaces where there are any."""
    lines: list[str] = []
    for paragraph in clean(text, MOST_CHARACTERS).split("\n"):
        start = 0
        while start < len(paragraph):
            fits = _fitting(paragraph, start, columns)
            space = paragraph.rfind(" ", start + 1, fits + 1) if fits < len(paragraph) else -1
            end = space if space > start else fits
            lines.append(paragraph[start:end])
            start = end + (space > start)
        if not paragraph:
            lines.append("")
    return lines


def _fitting(text: str, start: int, columns: int) -> int:
    """Where the line that begins at `start` must end at the latest; the broad letters of some scripts take two."""
    part = text[start : start + columns]
    if not part.isascii():
        used = 0
        for index, letter in enumerate(part):
            used += 2 if unicodedata.east_asian_width(letter) in "WF" else 1
            if used > columns:
                return start + max(1, index)
    return start + len(part)
