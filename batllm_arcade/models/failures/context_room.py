"""How much of a match a model has room for, as its server has shown by refusing more."""

from __future__ import annotations

from dataclasses import replace

from batllm_arcade.brains.protocol import View


class ContextRoom:
    """The finished turns that a seat's prompts show: all, until a server refuses a prompt that is too long."""

    def __init__(self) -> None:
        self.turns = 0
        """How many at most, 0 for all."""

    def fitted(self, view: View) -> View:
        """Return the view with no more turns in its style's window than there is room for."""
        if not self.turns:
            return view
        window = min(self.turns, view.style.history_window or self.turns)
        return replace(view, style=replace(view.style, history_window=window))

    def narrow(self, view: View) -> bool:
        """Halve the turns that are shown; return False if only one is left."""
        before = self.turns or view.style.history_window or len(view.history) + 1
        self.turns = max(1, before // 2)
        return self.turns < before

    def note(self, model: str) -> str:
        """Return what to say of a prompt that was too long for the model."""
        turns = "only the last turn is" if self.turns == 1 else f"the last {self.turns} turns are"
        return f"the prompt was too long for {model}: {turns} sent from here on"
