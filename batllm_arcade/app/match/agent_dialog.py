"""What is shown while a match waits for an agent: how it connects, to copy."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from batllm_arcade.app.input import sdl as clipboard
from batllm_arcade.app.kit.dialog import DialogEntry, MenuDialog
from batllm_arcade.app.kit.screen import Ui
from batllm_arcade.match.series import SIDES
from batllm_arcade.view import theme

if TYPE_CHECKING:
    from batllm_arcade.agents.seat import AgentSeat


class AgentDialog(MenuDialog):
    """Says where the agent of this seat connects to and what it is told; `leave` gives the match up."""

    def __init__(self, ui: Ui, seat: AgentSeat, leave: Callable[[], None]) -> None:
        from batllm_arcade.agents.connecting import clients, request

        self.seat, asked = seat, request(seat.code)
        entries = [_copying("Copy what you tell it", asked)]
        entries += [_copying(f"Copy for {name}", told) for name, told in clients(seat.address)]
        words = f"1. Its program connects to {seat.address}, once. 2. You tell it: {asked}"
        title = f"{SIDES[seat.bot].capitalize()} waits for an agent"
        super().__init__(ui, title, [*entries, DialogEntry("Back", leave)], leave, words=words)


def _copying(text: str, told: str) -> DialogEntry:
    def copy() -> None:
        clipboard.copy(told)
        entry.note, entry.note_color = "copied", theme.GOOD

    entry = DialogEntry(text, copy)
    return entry
