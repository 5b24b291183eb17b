"""Another brain for a seat, in that seat's panel, while the match goes on beside it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence

import pygame

from batllm_arcade.app.input.controls import Intent
from batllm_arcade.app.ui.canvas import Box, Canvas
from batllm_arcade.app.ui.dialog import Dialog, DialogEntry
from batllm_arcade.app.ui.keycaps import hints
from batllm_arcade.app.ui.screen import Shell
from batllm_arcade.app.ui.scroll import Scroll
from batllm_arcade.brains.protocol import BrainKind, Spec
from batllm_arcade.core.model import SEATS
from batllm_arcade.errors import UsageError
from batllm_arcade.plugin import availability
from batllm_arcade.seats.table import Table
from batllm_arcade.view import theme

_ROW = 44.0


def all_specs(kinds: Mapping[str, BrainKind], used: Sequence[Spec]) -> list[Spec]:
    """Every brain there is, those with a choice once per variant; what was set up with options comes first."""
    specs = [spec for spec in used if spec.options]
    for kind in sorted(kinds.values(), key=lambda kind: (not kind.human, not kind.prompted, kind.name)):
        specs += [Spec(kind.name, variant) for variant in kind.variants] or [Spec(kind.name)]
    return list({str(spec): spec for spec in specs}.values())


class SwapDialog(Dialog):
    """`swap(bot, spec)` asks for it (UsageError where it cannot be), `close` takes the page away."""

    def __init__(
        self, shell: Shell, table: Table, used: Sequence[Spec], swap: Callable[[int, Spec], None],
        close: Callable[[], None], bot: int,
    ) -> None:  # fmt: skip
        super().__init__(shell)
        self.bot = bot
        self._table, self._swap, self._close = table, swap, close
        self._kinds, self._specs = shell.plugins.kinds, all_specs(shell.plugins.kinds, used)
        self._missing: dict[str, str] | None = None
        self._scroll = Scroll()
        self.entries = [
            DialogEntry(spec.variant or spec.name, lambda spec=spec: self._ask(spec))  # type: ignore[misc]
            for spec in self._specs
        ]
        self.form.place((entry, self._scroll) for entry in self.entries)
        threading.Thread(target=self._look_around, daemon=True).start()

    def _look_around(self) -> None:
        self._missing = {kind.name: problem for kind, problem in availability.missing(self._kinds)}

    def _ask(self, spec: Spec) -> None:
        try:
            if self._plays(spec) and self._table.pending(self.bot) is not None:
                self._table.cancel_swap(self.bot)  # whoever plays now stays
            else:
                self._swap(self.bot, spec)
        except UsageError as error:
            self.complain(str(error))
        else:
            self._close()

    def back(self) -> None:
        """Close it."""
        self._close()

    def handle(self, event: pygame.event.Event, now: float) -> None:
        """Left and right choose the seat, the rest the brain."""
        intent: Intent | None = self.shell.controls.intent(event)
        if intent in ("left", "right", "next", "previous"):
            self.bot = (1 if intent == "right" else 0) if intent in ("left", "right") else 1 - self.bot
            self.problem = ""
            self.shell.sounds.ui("move")
        else:
            super().handle(event, now)

    # -- picture --------------------------------------------------------------------------------

    def paint_back(self, canvas: Canvas, now: float) -> None:
        """The match as it is: it goes on."""

    def arrange(self, canvas: Canvas) -> None:
        """The seat's side of the window."""
        wide = min(340.0, canvas.width * 0.4)
        left = canvas.width - wide - 10 if self.bot else 10
        self._box = box = Box(left, 10, wide, canvas.height - 20)
        self._scroll.box = Box(box.x + 14, box.y + 112, wide - 28, box.h - 112 - 130)
        color = theme.SEAT_COLORS[self.bot]
        for place, (entry, spec) in enumerate(zip(self.entries, self._specs, strict=True)):
            entry.box = Box(self._scroll.box.x + 2, place * _ROW + 4, wide - 40, _ROW - 8)
            entry.color = color
            entry.note, entry.note_color = self._state(spec)
        self._scroll.height = len(self.entries) * _ROW + 4

    def _plays(self, spec: Spec) -> bool:
        return self._table.seat(self.bot).brain == spec.short and not spec.options

    def _state(self, spec: Spec) -> tuple[str, theme.Color]:
        pending = self._table.pending(self.bot)
        if self._plays(spec):
            return ("stays, if chosen" if pending is not None else "plays now"), theme.SOFT
        if pending is not None and pending.spec == spec:
            return "on its way", theme.GOLD
        if self._missing is None:
            return "looking", theme.DIM
        return ("not ready", theme.GOLD) if self._missing.get(spec.name) else ("ready", theme.GOOD)

    def paint(self, canvas: Canvas, now: float) -> None:
        """The panel in the seat's colour, and what the chosen brain is."""
        box, color = self._box, theme.SEAT_COLORS[self.bot]
        canvas.box(box, theme.PANEL, color, width=2, radius=12)
        x = box.x + 18
        canvas.words((x, box.y + 14), f"ANOTHER BRAIN FOR {SEATS[self.bot].upper()}", "label", 16, color)
        canvas.words((x, box.y + 34), self._table.seat(self.bot).name, "title", 28, theme.TEXT, width=box.w - 36)
        canvas.words((x, box.y + 72), "plays until the end of a turn", "label", 16, theme.SOFT, width=box.w - 36)
        words, tint = (self.problem, theme.DANGER) if self.problem else self._about()
        canvas.block((x, box.bottom - 132), words, "label", 16, tint, box.w - 36, 4)
        label = self.shell.controls.label
        arrows = "\u2190 \u2192" if self.shell.controls.device == "keyboard" else "D-PAD"
        pairs = [(arrows, "seat"), (label("confirm"), "take"), (label("back"), "close")]
        hints(canvas, (box.x + box.w / 2, box.bottom - 22), pairs, pad=self.shell.controls.device == "pad")

    def _about(self) -> tuple[str, theme.Color]:
        at = self.entries.index(self.form.focus) if isinstance(self.form.focus, DialogEntry) else 0
        spec = self._specs[at]
        kind, problem = self._kinds.get(spec.name), (self._missing or {}).get(spec.name, "")
        about = kind.about.get(spec.variant, kind.summary) if kind else ""
        return (problem, theme.GOLD) if problem else (f"{spec.name}: {about}" if spec.variant else about, theme.SOFT)
