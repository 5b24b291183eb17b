"""The first section of a panel's body: what the brain thinks, a person's keys, or what a play is for and the counts."""

from __future__ import annotations

import pygame

from batllm_arcade.render.hud.panel_boxes import PanelBoxes
from batllm_arcade.render.text import clean
from batllm_arcade.view import theme
from batllm_arcade.view.scene import Keys, Scene, Tally, Thinking
from batllm_arcade.view.words.deed_words import deed_heading, deed_words
from batllm_arcade.view.words.reading_shown import BARS, ReadingShown, reading_of

_FIGURE = 26  # font size of a count
_SEEN_LINES = 2  # of what a play without a thought is for, above the counts


class ThoughtSection:
    """Paints one seat's thought, keys or counts."""

    def __init__(self, seat: int, boxes: PanelBoxes) -> None:
        self._seat, self._boxes, self._text_renderer = seat, boxes, boxes.text_renderer

    def thinking(self, scene: Scene) -> Thinking | None:
        """Return who is deciding if it is this seat."""
        return scene.thinking if scene.thinking is not None and scene.thinking.bot == self._seat else None

    def paint(self, surface: pygame.Surface, scene: Scene, top: int, height: int, lines: int) -> None:
        """Paint the label and a box of `height` pixels that has room for `lines` lines."""
        human, thinking = scene.board.seats[self._seat].human, self.thinking(scene)
        keys, boxes = scene.keys[self._seat], self._boxes
        area = boxes.sunken(surface, top + boxes.label_height, height)
        play, tally = scene.board.plays[self._seat], scene.board.tallies[self._seat]
        thought = play.decision.thought if play else ""
        live = thinking is not None and not human
        seen = "" if thought or keys or play is None else deed_words(play, scene.board.rules)
        said = "THOUGHT" if thought else deed_heading(scene.board.seats[self._seat]) if seen else "SO FAR"
        boxes.label(surface, "CONTROLS" if keys else "THINKS" if live else said, top)
        if keys:
            below = self._paint_keys(surface, keys, area) + boxes.px(8)
            self.paint_tally(surface, tally, area, below)
        elif live and thinking is not None and thinking.text:
            boxes.block(surface, area, thinking.text, theme.TEXT, lines, tail=True)
        elif thought and (reading := reading_of(thought)) is not None:
            self._paint_reading(surface, reading, area, lines, theme.DIM if live else theme.SOFT)
        elif thought:
            boxes.block(surface, area, thought, theme.DIM if live else theme.SOFT, lines)
        else:
            rows = boxes.block(surface, area, seen, theme.TEXT, _SEEN_LINES) if seen else 0
            below = area.top + rows * boxes.line_height + (boxes.px(6) if rows else 0)
            self.paint_tally(surface, tally, area, below)

    def _paint_reading(
        self, surface: pygame.Surface, reading: ReadingShown, area: pygame.Rect, lines: int, color: theme.Color
    ) -> None:
        """Paint how the orders were read as small bars, as many as leave two lines for what is done now."""
        boxes, text_renderer = self._boxes, self._text_renderer
        bars = reading.shares[: max(0, min(BARS, lines - 2))]
        column, figure = round(area.width * 0.5), text_renderer.measure("100%", "label", boxes.text)
        for row, (name, share) in enumerate(bars):
            top = area.top + row * boxes.line_height
            surface.blit(text_renderer.line(name, "label", boxes.text, color, column - boxes.px(6)), (area.left, top))
            track = pygame.Rect(area.left + column, 0, max(1, area.width - column - figure - boxes.px(8)), boxes.px(7))
            track.centery = top + boxes.line_height // 2
            pygame.draw.rect(surface, theme.PANEL_EDGE, track, border_radius=boxes.px(3))
            track.width = max(1, round(track.width * share))
            pygame.draw.rect(surface, theme.SEAT_COLORS[self._seat], track, border_radius=boxes.px(3))
            percent = text_renderer.line(f"{share:.0%}", "label", boxes.text, color)
            surface.blit(percent, percent.get_rect(topright=(area.right, top)))
        below = area.move(0, len(bars) * boxes.line_height)
        boxes.block(surface, below, reading.sentence, theme.TEXT, max(1, lines - len(bars)))

    def paint_tally(self, surface: pygame.Surface, tally: Tally, area: pygame.Rect, top: int) -> None:
        """Paint the counts in one or two columns, large if there is room, not at all if there is none."""
        text_renderer, boxes = self._text_renderer, self._boxes
        counts = (("shots", tally.shots), ("hits", tally.hits), ("blocks", tally.blocks), ("fumbles", tally.fumbles))
        least, room = boxes.line_height, area.bottom + boxes.px(4) - top
        columns = 1 if len(counts) * least <= room else 2
        rows = len(counts) // columns
        if rows * least > room:
            return
        height, gap = max(least, min(room // rows, boxes.px(60))), boxes.px(18)
        width = (area.width - (columns - 1) * gap) // columns
        size = _FIGURE if height >= text_renderer.height("title", _FIGURE) else boxes.text
        for index, (name, count) in enumerate(counts):
            column, row = divmod(index, rows)
            cell = pygame.Rect(area.left + column * (width + gap), top + row * height, width, height)
            if row:
                pygame.draw.line(surface, theme.PANEL_EDGE, cell.topleft, (cell.right - 1, cell.top))
            label = text_renderer.line(name, "label", boxes.text, theme.SOFT)
            surface.blit(label, label.get_rect(midleft=cell.midleft))
            figure = text_renderer.line(str(count), "title", size, theme.TEXT if count else theme.DIM)
            surface.blit(figure, figure.get_rect(midright=cell.midright))

    def _paint_keys(self, surface: pygame.Surface, keys: Keys, area: pygame.Rect) -> int:
        """Paint a person's keys and what each does; return the pixel below the last one."""
        text_renderer, boxes = self._text_renderer, self._boxes
        height = boxes.line_height + boxes.px(3)
        widest = max(text_renderer.measure(clean(key) + "   ", "label", boxes.text) for key, _ in keys)
        column = min(widest, round(area.width * 0.68))
        for row, (key, action) in enumerate(keys):
            top = area.top + row * height
            if top + height > area.bottom + boxes.px(6):
                break
            name = text_renderer.line(key, "label", boxes.text, theme.SEAT_COLORS[self._seat], column)
            surface.blit(name, (area.left, top))
            help_text = text_renderer.line(action, "label", boxes.text, theme.SOFT, area.width - column)
            surface.blit(help_text, (area.left + column, top))
        return area.top + len(keys) * height
