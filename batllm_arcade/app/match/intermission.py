"""Between two rounds: what happened, how both stand, and the orders for the round to come."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import pygame

from batllm_arcade.app.kit.canvas import Box, Canvas
from batllm_arcade.app.kit.dialog import Dialog
from batllm_arcade.app.kit.screen import Ui
from batllm_arcade.app.kit.widgets import Button, columns, place
from batllm_arcade.app.match.results import PAD, HealthChartView, draw_card, draw_figures, draw_text, few_figures
from batllm_arcade.app.orders import ELSEWHERE, PromptEditor, PromptEditors
from batllm_arcade.app.shell import Services
from batllm_arcade.brains.protocol import BrainKind, SeatInfo, Spec
from batllm_arcade.match.series import SIDES
from batllm_arcade.seats.table import Intermission
from batllm_arcade.view import theme
from batllm_arcade.view.statistics import MatchStatistics

COUNTDOWN_S, WRITERS_COUNTDOWN_S = 4.0, 9.0
"""Seconds after which a match without a person goes on by itself, and that where orders could be written."""
DRAWING_S = 0.9
"""Seconds until the chart is drawn to its end."""


class IntermissionDialog(Dialog):
    """Figures at the sides and the health so far between them; below, the prompts of who takes some.

    Two writers both have to be ready; otherwise one button goes on. Where no person plays, or the game is one of many,
    the match goes on by itself, unless somebody begins to write; who hides their orders is there to write them.
    """

    def __init__(
        self, ui: Ui, services: Services, intermission: Intermission, seats: tuple[SeatInfo, SeatInfo],
        reports: tuple[MatchStatistics, MatchStatistics], pause: Callable[[], None], now: float, *, many: bool = False,
    ) -> None:  # fmt: skip
        super().__init__(ui, backdrop=True)
        self._services, self._pause = services, pause
        self.intermission, (self.game_statistics, self.round_statistics) = intermission, reports
        self._since, self.now = now, now
        writers = [_writer(info, services.plugins.kinds.get(info.brain.partition(":")[0])) for info in seats]
        self._prompted = [seat for seat in (0, 1) if writers[seat].prompted]
        here = any(writer.human for writer in writers)
        self.counts_down = many or not (here or ui.settings.hide_prompts)
        """Whether the match goes on by itself soon."""
        self._left = False
        self._phones = services.orders_by_phone(intermission.round, lambda: self._left)
        self.counts_down = self.counts_down and self._phones is None
        back = self.round_statistics.rules.back_step > 0
        self.pair = PromptEditors(self, (writers[0], writers[1]), intermission.prompts, back=back)
        self._written = self.pair.prompts
        self.ready = [False, False]
        """Whose writer has said to be ready, left first."""
        self._plot = HealthChartView(self.game_statistics)
        self._place_buttons()

    def resume(self, now: float) -> None:
        """Count down from the beginning, after the pause menu lay over it."""
        self._since = now

    def _place_buttons(self) -> None:
        if len(self._prompted) < 2 or self.counts_down:
            self._go = [Button(f"Round {self.intermission.round}", self.go_on, big=True)]
        else:
            self._go = [
                Button(f"{SIDES[seat]} is ready", lambda seat=seat: self.toggle_ready(seat), big=True,  # type: ignore[misc]
                       color=theme.SEAT_COLORS[seat])
                for seat in (0, 1)
            ]  # fmt: skip
        self.form.place(("", self._go, None), *(self.pair.parts() if self._prompted else ()))

    def leave(self) -> None:
        super().leave()
        self._left = True
        self.pair.close(self._services.wait_at_end)

    def toggle_ready(self, seat: int) -> None:
        """Let this seat's writer be ready, or not any more; the round begins when both are."""
        self.ready[seat] = not self.ready[seat]
        if all(self.ready):
            self.go_on()
        elif self.ready[seat]:
            self.form.set_focus(self._go[1 - seat])

    def go_on(self) -> None:
        """Begin the round with what is written."""
        left, right = (
            new if seat in self._prompted else old
            for seat, (new, old) in enumerate(zip(self.pair.prompts, self.intermission.prompts, strict=True))
        )
        by_phone = self._phones.result if self._phones is not None and self._phones.result is not None else {}
        self.intermission.go_on((by_phone.get(0, left), by_phone.get(1, right)))

    def back(self) -> None:
        """Out of an editor first, then the pause menu."""
        if self.form.focus in self._go:
            self._pause()
        else:
            self.form.set_focus(self._go[0])

    def leave_screen(self) -> None:
        self._pause()

    def key(self, event: pygame.event.Event) -> bool:
        return bool(self._prompted) and self.pair.key(event)

    def keys(self) -> Sequence[tuple[str, str]]:
        if self.counts_down and self._prompted:
            return [("confirm", "go on now"), ("next", "wait, orders"), ("back", "pause menu")]
        if self.form.focus is not None and self.form.focus.takes_text:
            return [("next", "next"), ("F2", "ready-made"), ("CTRL Z", "undo"), ("F6", "hide"), ("menu", "go on")]
        more = [("next", "orders")] if self._prompted else []
        return [("confirm", "go on"), *more, ("back", "pause menu")]

    @property
    def _noted(self) -> bool:
        return any(each.notes for each in self.game_statistics.seats)

    def arrange(self, canvas: Canvas) -> None:
        low = canvas.height - 136
        self._arrange_buttons(canvas, low + 4)
        if canvas.narrow:
            self._arrange_column(canvas, low)
            return
        split = low - max(190.0, (low - 84) * (0.43 if self._noted else 0.5)) if self._prompted else low
        side = min(330.0, canvas.width * 0.27)
        self._cards = (Box(30, 84, side, split - 96), Box(canvas.width - 30 - side, 84, side, split - 96))
        self._middle = Box(side + 46, 84, canvas.width - 2 * side - 92, split - 96)
        if self._prompted:
            self.pair.arrange(canvas, Box(30, split, canvas.width - 60, low - split - 6))

    def _arrange_column(self, canvas: Canvas, low: float) -> None:
        margin, top, gap = canvas.margin, 104.0, 12.0
        wide, space = canvas.width - 2 * margin, low - 104.0 - 10
        more = 120.0 if self._noted else 0.0
        cards = min(300.0 + more, space * 0.5)
        if self._prompted:  # there is no room for the chart
            cards = min(220.0 + more, max(84.0, space + more / 2 - 500.0))
        left, right = columns(Box(margin, top, wide, cards), (None, None), gap)
        self._cards, below = (left, right), top + cards + gap
        self._middle = Box(margin, below, wide, 0.0 if self._prompted else min(340.0, low - 10 - below))
        if self._prompted:
            self.pair.arrange(canvas, Box(margin, below, wide, low - below - 10))

    def _arrange_buttons(self, canvas: Canvas, top: float) -> None:
        room, gap, number = canvas.width - 2 * canvas.margin, 20.0, len(self._go)
        wide = (room - gap * (number - 1)) / number if canvas.narrow else min(320.0, canvas.width * 0.3)
        used = wide * number + gap * (number - 1)
        place(self._go, columns(Box((canvas.width - used) / 2, top, used, 56), [None] * number, gap))

    def update(self, now: float) -> None:
        """Count down if nobody has a say; whoever writes on is not ready any more."""
        super().update(now)
        if self.counts_down and (self.form.focus not in self._go or self.pair.prompts != self._written):
            self.counts_down = False  # somebody writes
            self._place_buttons()
        self._update_readiness()
        if self._phones is not None and self._phones.done:
            self.go_on()
        if self.counts_down:
            left = (WRITERS_COUNTDOWN_S if self._prompted else COUNTDOWN_S) - (now - self._since)
            self._go[0].text = f"Round {self.intermission.round} in {max(0, math.ceil(left))} s"
            if left <= 0:
                self.go_on()

    def _update_readiness(self) -> None:
        for seat in (0, 1):
            if self.pair.prompts[seat] != self._written[seat]:
                self.ready[seat] = False
            if len(self._go) == 2:
                self._go[seat].text = f"{SIDES[seat]}: ready!" if self.ready[seat] else f"{SIDES[seat]} is ready"
        self._written = self.pair.prompts

    def paint(self, canvas: Canvas, now: float) -> None:
        age = now - self._since
        canvas.words((70, 12), f"Round {self.round_statistics.rounds} is over", "title", 38, theme.TEXT)
        words, color = self._standing()
        if canvas.narrow:
            canvas.words((canvas.margin, 70), words, "label", 18, color, width=canvas.width - 2 * canvas.margin)
        else:
            canvas.words((canvas.width - 30, 34), words, "label", 20, color, width=canvas.width * 0.55, side="right")
        for seat in (0, 1):
            box, played = self._cards[seat], self.round_statistics.seats[seat]
            top = draw_card(canvas, box, seat, self.game_statistics, named=not self._prompted)
            inner = Box(box.x + PAD, top, box.w - 2 * PAD, box.bottom - top - 10)
            figures = few_figures(played, self.round_statistics.rules)
            below = draw_figures(canvas, inner, figures, 28.0 if self._noted else 36.0) + 8
            room = Box(inner.x, below, inner.w, inner.bottom - below)
            draw_text(canvas, room, "NOTES", self.game_statistics.seats[seat].notes, 15, 99)
        self._plot.draw(canvas, self._middle, 1.0 if self.still else age / DRAWING_S)
        if self._prompted:
            self.pair.paint(canvas)

    def _standing(self) -> tuple[str, theme.Color]:
        left, right = (seat.health for seat in self.game_statistics.seats)
        if math.isclose(left, right, abs_tol=1e-9):
            return f"It is level: both have {left:.0%} of their health left", theme.SOFT
        leader = 0 if left > right else 1
        name = f"{self.game_statistics.seats[leader].seat.name} ({SIDES[leader]})"
        return f"{name} leads with {max(left, right):.0%} to {min(left, right):.0%}", theme.SEAT_COLORS[leader]


def _writer(info: SeatInfo, kind: BrainKind | None) -> PromptEditor:
    reader = None
    if kind is not None and kind.orders_reader is not None and "model" not in info.options:
        name, _, variant = info.brain.partition(":")
        reader = kind.orders_reader(Spec(name, variant))
    make = (lambda: reader) if reader is not None else None
    prompted, remote = bool(kind and kind.prompted), bool(kind and kind.remote)
    why = {"why": ELSEWHERE} if remote else {}
    return PromptEditor(info.name, info.brain, prompted, info.human and not remote, reader=make, **why)
