"""A row that shows a value and opens something to change it."""

from __future__ import annotations

from collections.abc import Callable

from batllm_arcade.app.input.controls import Intent
from batllm_arcade.app.kit.canvas import Box, Canvas
from batllm_arcade.app.kit.widgets import Row
from batllm_arcade.view import theme
from batllm_arcade.view.theme import Color


class ValueRow(Row):
    """Calls `open` on confirm and on a click; a direction calls `step` with -1 or 1, if there is one."""

    def __init__(
        self, label: str, value: str, open: Callable[[], None], *, hint: str = "",
        step: Callable[[int], None] | None = None,
    ) -> None:  # fmt: skip
        super().__init__(label, hint)
        self.value, self._open, self._step = value, open, step
        self.color: Color = theme.TEXT

    def take(self, intent: Intent) -> bool:
        """Open it on confirm; step on left and right."""
        if intent == "confirm" and self.enabled:
            self._open()
            return True
        if intent in ("left", "right") and self._step is not None:
            self._step(1 if intent == "right" else -1)
            return True
        return False

    def press(self, x: float, y: float, clicks: int) -> None:
        """Open it on a click, or step at an arrow."""
        left = self.box.x + self.box.w * self.label_share
        if self._step is not None and (x < left + 26 or x > self.box.right - 38):
            self._step(-1 if x < left + 26 else 1)
        else:
            self.take("confirm")

    def draw_value(self, canvas: Canvas, box: Box, focused: bool, now: float) -> None:
        """Draw the value, and three dots or two arrows that say what can be done with it."""
        color = self.color if self.enabled else theme.DIM
        tint = theme.GOLD if focused else theme.DIM
        canvas.words(box.middle, self.value, "label", 18, color, width=box.w - 44, side="middle")
        if self._step is not None:
            for x, side in ((box.x + 10, -1), (box.right - 10, 1)):
                canvas.arrow((x, box.y + box.h / 2), side, tint, 5.5)
            return
        for dot in range(3):
            canvas.box(Box(box.right - 18 + 6 * dot, box.y + box.h / 2 - 2, 3, 3), tint, None, radius=1.5)
