"""A row for a number that is typed, or stepped through by the directions of a gamepad."""

from __future__ import annotations

from collections.abc import Callable

from batllm_arcade.app.input.controls import Intent
from batllm_arcade.app.kit.text.text_field import Field


class NumberField(Field):
    """A text that should be a number from `least` to `most`; `usual` is shown while nothing is typed.

    Arrow keys move in the text, as anywhere; a gamepad's directions go `step` up or down from what is there.
    """

    def __init__(
        self, label: str, text: str, changed: Callable[[str], None], *, usual: str, step: float,
        limits: tuple[float, float], hint: str = "",
    ) -> None:  # fmt: skip
        super().__init__(label, text, changed, hint=hint, most=20, empty=usual)
        self._step, self._limits = step, limits

    def take(self, intent: Intent) -> bool:
        """Step on left and right, which come here only from a gamepad."""
        if intent not in ("left", "right"):
            return False
        try:
            now = float(self.editor.text or self.empty)
        except ValueError:
            now = self._limits[0]
        least, most = self._limits
        stepped = min(most, max(least, now + (self._step if intent == "right" else -self._step)))
        self.editor.set(f"{round(stepped, 6):g}")
        self._changed(self.editor.text)
        return True
