"""What is shown while a match waits for an agent: how it connects, to copy."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from batllm_arcade.app.input import sdl as clipboard
from batllm_arcade.app.kit.dialog import DialogEntry, MenuDialog
from batllm_arcade.app.kit.screen import Ui
from batllm_arcade.core.model import SEATS
from batllm_arcade.view import theme

if TYPE_CHECKING:
    from batllm_arcade.agents.seat import AgentSeat


class AgentDialog(MenuDialog):
    """Says where the agent of this seat connects to and what it is told; `leave` gives the match up."""

    def __init__(self, ui: Ui, seat: AgentSeat, leave: Callable[[], None]) -> None:
        from batllm_arcade.agents.connecting import clients, request

        self.seat = seat
        words = f"1. Its program connects to {seat.address}, once. 2. You tell it: {request(seat.code)}"
        told = [
            ("what you tell it", request(seat.code)),
            *((f"for {name}", text) for name, text in clients(seat.address)),
        ]
        entries = [DialogEntry(f"Copy {name}", partial(self._copy, at)) for at, (name, _) in enumerate(told)]
        self._told, self._copied = [text for _, text in told], entries
        title = f"{SEATS[seat.bot].capitalize()} waits for an agent"
        super().__init__(ui, title, [*entries, DialogEntry("Back", leave)], leave, words=words)

    def _copy(self, at: int) -> None:
        clipboard.copy(self._told[at])
        for entry in self._copied:
            entry.note, entry.note_color = ("copied" if entry is self._copied[at] else ""), theme.GOOD
