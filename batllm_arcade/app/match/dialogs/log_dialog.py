"""What bots in processes of their own have logged."""

from __future__ import annotations

from collections.abc import Callable

import pygame

from batllm_arcade.app.input.controls import Meaning
from batllm_arcade.app.input.key_labels import reading_keys
from batllm_arcade.app.kit.canvas import Canvas
from batllm_arcade.app.kit.dialog import Dialog
from batllm_arcade.app.kit.screen import Ui
from batllm_arcade.app.kit.text.text_viewer import Page, Section, TextViewer
from batllm_arcade.core.model import SEATS
from batllm_arcade.seats.table import Table


class LogDialog(Dialog):
    """The logs of both bots, as far as they have one, the last lines first in sight; `back` closes it."""

    pauses = True
    leads_back = False

    def __init__(self, ui: Ui, table: Table, bot: int, back: Callable[[], None]) -> None:
        super().__init__(ui)
        self._back = back
        pages = [page for each in (0, 1) if (page := _page(table, each)) is not None]
        first = next((place for place, page in enumerate(pages) if page.bot == bot), 0)
        self.viewer = TextViewer(pages, first, reading_keys(ui.controls, several=len(pages) > 1))
        self._at_end = False

    def back(self) -> None:
        """Close it."""
        self._back()

    def handle(self, event: pygame.event.Event, meaning: Meaning, now: float) -> None:
        """Scroll, turn the page, or close."""
        if event.type == pygame.MOUSEWHEEL:
            self.viewer.scroll(-3 * event.y)
        elif event.type == pygame.MOUSEBUTTONDOWN and event.button == pygame.BUTTON_LEFT:
            self.viewer.click(event.pos)
        else:
            self.viewer.take(meaning.intent)
        if self.viewer.done:
            self.back()

    def arrange(self, canvas: Canvas) -> None:
        """Lay the viewer out; the last lines are what one wants to read."""
        self.viewer.lay_out(canvas)
        if not self._at_end:
            self._at_end = True
            self.viewer.take("end")

    def paint_back(self, canvas: Canvas, now: float) -> None:
        """Leave the match as it is: the viewer darkens it."""

    def paint(self, canvas: Canvas, now: float) -> None:
        """Draw the log."""
        self.viewer.draw(canvas)


def _page(table: Table, bot: int) -> Page | None:
    report = table.bot_report(bot)
    if report is None:
        return None
    told = report.faults or "no fault so far"
    text = "\n".join(report.log) or "It has logged nothing: what it writes to its standard error stands here."
    return Page(f"{SEATS[bot].capitalize()}: {table.seat(bot).name}", told, bot, [Section("LOG", text)])
