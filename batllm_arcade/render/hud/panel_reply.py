"""The third section of a panel's body: the raw reply with the accepted command marked in it."""

from __future__ import annotations

import itertools

import pygame

from batllm_arcade.match.records import Play
from batllm_arcade.render.hud.panel_boxes import PanelBoxes
from batllm_arcade.render.text import clean
from batllm_arcade.view import theme
from batllm_arcade.view.words.reply_highlight import command_span, excerpt

REPLY = 15
"""The reply's font size in pixels at scale 1."""


class ReplySection:
    """Paints a raw reply."""

    def __init__(self, boxes: PanelBoxes, size: float = REPLY) -> None:
        self._boxes, self._text_renderer, self._size = boxes, boxes.text_renderer, size

    @property
    def line_height(self) -> int:
        """Return the height of a line in pixels."""
        return self._text_renderer.height("mono", self._size)

    def paint(self, surface: pygame.Surface, play: Play | None, top: int, height: int, lines: int) -> None:
        """Paint the label and a box of `height` pixels that has room for `lines` lines."""
        boxes = self._boxes
        boxes.label(surface, "RAW REPLY", top)
        area = boxes.sunken(surface, top + boxes.label_height, height)
        if play is None:
            return
        if not play.decision.raw.strip():
            surface.blit(self._text_renderer.line(_note(play), "label", self._size, theme.DIM, area.width), area)
            return
        columns = max(4, area.width // max(1, self._text_renderer.measure("m", "mono", self._size)))
        span = command_span(play.decision.raw, play.decision.command) if play.status == "ok" else None
        before = int(columns * (lines - 1) * 0.7)
        self._paint_marked(surface, area, excerpt(play.decision.raw, span, before, columns * lines), lines)

    def _paint_marked(
        self, surface: pygame.Surface, area: pygame.Rect, parts: tuple[str, str, str], lines: int
    ) -> None:
        """Paint text before the command, the command on gold, and the text after it."""
        before, command, after = (clean(part).replace("\n", " ") for part in parts)
        text_renderer, text = self._text_renderer, before + command + after
        first, last, at = len(before), len(before) + len(command), 0
        for number, row in enumerate(text_renderer.rows(text, "mono", self._size, area.width, lines)):
            shown = row[:-1] if row.endswith("\u2026") else row
            at = max(at, text.find(shown, at))
            left, top = area.left, area.top + number * text_renderer.height("mono", self._size)
            edges = sorted({0, len(row), *(min(len(row), max(0, edge - at)) for edge in (first, last))})
            for start, stop in itertools.pairwise(edges):
                left += self._paint_part(surface, row[start:stop], (left, top), marked=first <= at + start < last)
            at += len(shown)

    def _paint_part(self, surface: pygame.Surface, text: str, at: tuple[int, int], *, marked: bool) -> int:
        """Paint one part of a line; return its width in pixels."""
        if marked:
            image = self._text_renderer.line(text, "bold", self._size, theme.NIGHT)
            area = image.get_rect(topleft=at).inflate(self._boxes.px(4), -2)
            pygame.draw.rect(surface, theme.GOLD, area, border_radius=self._boxes.px(3))
        else:
            image = self._text_renderer.line(text, "mono", self._size, theme.SOFT)
        surface.blit(image, at)
        return image.get_width()


def _note(play: Play) -> str:
    """Return what to show instead of an empty reply."""
    queued = play.decision.queued_from
    return f"pressed in the reply to play {queued}" if queued else "(no answer)" if play.status != "ok" else ""
