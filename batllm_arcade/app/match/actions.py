"""What the dialogs over a match may do with it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from batllm_arcade.app.kit.dialog import Dialog


class MatchActions(Protocol):
    """A match under way, for whoever offers what can be done with it."""

    @property
    def may_choose(self) -> bool:
        """Whether the result has been seen for long enough to choose what comes next."""
        ...

    def open(self, dialog: Dialog) -> None:
        """Put a dialog over the match."""
        ...

    def pick(self, title: str, items: Sequence[tuple[str, str]], chosen: Callable[[int], None]) -> None:
        """Put a list over the dialog that is shown; a choice calls `chosen` with its index."""
        ...

    def close_dialog(self) -> None:
        """Take the dialog away: back to the pause menu if the match is paused, else to the match."""
        ...

    def hold(self) -> None:
        """Hold the picture still and ask nobody new."""
        ...

    def play_on(self) -> None:
        """Go on, whatever held the match."""
        ...

    def step(self) -> None:
        """Show one play, then hold still again."""
        ...

    def change_speed(self, by: int) -> None:
        """Go `by` speeds faster, or slower if it is negative."""
        ...

    def await_return(self, bot: int) -> None:
        """Say how far the model is that has lost this seat and is asked again, and why if it cannot come back."""
        ...

    def complain(self, problem: str) -> None:
        """Say in one sentence what could not be done."""
        ...
