"""Another brain for a seat, in that seat's panel, while the match goes on beside it."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import pygame

from batllm_arcade.app.input.controls import Meaning
from batllm_arcade.app.kit.canvas import Box, Canvas
from batllm_arcade.app.kit.dialog import Dialog, DialogEntry
from batllm_arcade.app.kit.layout import place, rows
from batllm_arcade.app.kit.screen import Ui
from batllm_arcade.app.kit.scroll import Scroll
from batllm_arcade.app.services.brain_list import BrainList
from batllm_arcade.app.shell import Services
from batllm_arcade.brains.protocol import Spec
from batllm_arcade.brains.redaction import public_options
from batllm_arcade.core.model import SEATS
from batllm_arcade.seats.table import Table
from batllm_arcade.view import theme

_ROW, _ABOUT = 44.0, 170.0  # of a brain in the list, and of what is said of it below


class SwapDialog(Dialog):
    """A list of brains for the seat `bot` of a table, those the seats were set up with first; `close` closes it."""

    def __init__(
        self, ui: Ui, services: Services, table: Table, used: Sequence[Spec], close: Callable[[], None], bot: int
    ) -> None:
        super().__init__(ui)
        self.bot = bot
        self._table, self._close = table, close
        files = ui.settings.bots
        self._brains = BrainList(services.plugins.kinds, services.availability, used, files, with_files=False)
        services.availability.look()
        self._scroll = Scroll()
        names = [spec.text("name") or self._brains.called(spec) for spec in self._brains.specs]
        self.entries = [
            DialogEntry(_told_apart(name, spec, names), lambda spec=spec: self._ask(spec))  # type: ignore[misc]
            for name, spec in zip(names, self._brains.specs, strict=True)
        ]
        self.form.place((entry, self._scroll) for entry in self.entries)

    def _ask(self, spec: Spec) -> None:
        if self._plays(spec) and self._table.pending(self.bot) is not None:
            self._table.cancel_swap(self.bot)  # whoever plays now stays
        else:
            self._table.swap(self.bot, spec)  # if it cannot be made, the match says so
        self._close()

    def back(self) -> None:
        """Close it."""
        self._close()

    def handle(self, event: pygame.event.Event, meaning: Meaning, now: float) -> None:
        """Left and right choose the seat, the rest the brain."""
        intent = meaning.intent
        if intent is None and meaning.action == "swap":
            self.back()  # the key that opened it
        elif intent in ("left", "right", "next", "previous"):
            self.bot = (1 if intent == "right" else 0) if intent in ("left", "right") else 1 - self.bot
            self.problem = ""
            self.ui.sound("move")
        else:
            super().handle(event, meaning, now)

    def update(self, now: float) -> None:
        """Say beside every brain how it stands to the seat just now."""
        super().update(now)
        for entry, spec in zip(self.entries, self._brains.specs, strict=True):
            entry.color = theme.SEAT_COLORS[self.bot]
            entry.note, entry.note_color = self.state(spec)

    def keys(self) -> Sequence[tuple[str, str]]:
        """Return the keys for choosing the seat and the brain."""
        label = self.ui.controls.label
        arrows = "\u2190 \u2192" if self.ui.controls.device == "keyboard" else "D-PAD"
        return [(arrows, "seat"), (label("confirm"), "take"), (label("back"), "close")]

    # -- picture --------------------------------------------------------------------------------

    def paint_back(self, canvas: Canvas, now: float) -> None:
        """The match as it is: it goes on."""

    def arrange(self, canvas: Canvas) -> None:
        """The seat's side of the window; the lower part of a tall one, below most of the arena."""
        wide, top = min(340.0, canvas.width * 0.4), 66.0
        if canvas.narrow:
            wide, top = canvas.width - 20, canvas.height * 0.36
        left = canvas.width - wide - 10 if self.bot else 10
        self._box = box = Box(left, top, wide, canvas.height - 10 - top)
        listed = math.floor((box.h - 112 - _ABOUT) / _ROW) * _ROW  # no row is cut in two
        self._scroll.box = Box(box.x + 14, box.y + 112, wide - 28, listed)
        place(self.entries, rows(Box(self._scroll.box.x + 2, 4, wide - 40, 0), len(self.entries), _ROW - 8, 8))
        self._scroll.height = len(self.entries) * _ROW + 4

    def place_hints(self, canvas: Canvas) -> None:
        """Place the hints at the panel's foot."""
        self.hints_at(canvas, (self._box.x + self._box.w / 2, self._box.bottom - 26), self._box.w - 12)

    def _plays(self, spec: Spec) -> bool:
        seat = self._table.seat(self.bot)
        return (seat.brain, seat.options) == (spec.short, public_options(spec.options))

    def state(self, spec: Spec) -> tuple[str, theme.Color]:
        """Return in a few words how this brain stands to the seat, and their colour."""
        pending = self._table.pending(self.bot)
        if self._plays(spec):
            return ("stays, if chosen" if pending is not None else "plays now"), theme.SOFT
        if pending is not None and pending.spec == spec:
            return "on its way", theme.GOLD
        problem = self._brains.problem(spec)
        if problem is None:
            return "looking", theme.DIM
        return ("not ready", theme.GOLD) if problem else ("ready", theme.GOOD)

    def paint(self, canvas: Canvas, now: float) -> None:
        """The panel in the seat's colour, and what the chosen brain is."""
        box, color = self._box, theme.SEAT_COLORS[self.bot]
        canvas.panel(box, color, width=2)
        x = box.x + 18
        canvas.words((x, box.y + 14), f"WHO PLAYS {SEATS[self.bot].upper()}?", "label", 16, color)
        canvas.words((x, box.y + 34), self._table.seat(self.bot).name, "title", 28, theme.TEXT, width=box.w - 36)
        report = self._table.bot_report(self.bot)
        faults = f"{report.faults}: the pause menu has its log" if report is not None and report.faults else ""
        told, shade = (faults, theme.GOLD) if faults else ("plays on to the end of this turn", theme.SOFT)
        canvas.words((x, box.y + 72), told, "label", 16, shade, width=box.w - 36)
        words, tint = (self.problem, theme.DANGER) if self.problem else self._about()
        canvas.block((x, box.bottom - _ABOUT), words, "label", 15, tint, box.w - 36, 6)
        self.hint_bar.draw(canvas)

    def _about(self) -> tuple[str, theme.Color]:
        at = self.entries.index(self.form.focus) if isinstance(self.form.focus, DialogEntry) else 0
        spec = self._brains.specs[at]
        problem, about = self._brains.problem(spec), self._brains.about(spec)
        return (problem, theme.GOLD) if problem else (f"{spec.name}: {about}" if spec.variant else about, theme.SOFT)


def _told_apart(name: str, spec: Spec, names: Sequence[str]) -> str:
    """Return the name, with how the brain was set up where another one has the same name."""
    if names.count(name) == 1 or not spec.options:
        return name
    return f"{name} ({spec.text('level') or 'as set up'})"
