"""How much of a match a model has room for, as its server has shown by refusing more."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from batllm_arcade.brains.protocol import View
from batllm_arcade.prompts.formats import Messages


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

    def shortened(self, view: View, messages: Messages, make: Callable[[View], Messages]) -> Messages | None:
        """Return what `make` makes with half the turns, or fewer, until it is not `messages` any more.

        None, and as many turns as before, if it is not the turns that take the room.
        """
        before = self.turns
        # A conversation shows those of earlier rounds, too.
        shown = before or view.style.history_window or (view.round - 1) * view.rules.turns_per_round + view.turn
        while shown > 1:
            self.turns = shown = shown // 2
            shorter = make(view)
            if shorter != messages:
                return shorter
        self.turns = before
        return None

    def note(self, model: str) -> str:
        """Return what to say of a prompt that was too long for the model."""
        turns = "only the last turn is" if self.turns == 1 else f"the last {self.turns} turns are"
        return f"the prompt was too long for {model}: {turns} sent from here on"
