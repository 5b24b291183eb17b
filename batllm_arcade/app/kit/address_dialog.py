"""Asks whether a server may be asked whose address only a file names."""

from __future__ import annotations

from collections.abc import Callable

from batllm_arcade.app.kit.dialog import DialogEntry, MenuDialog
from batllm_arcade.app.kit.screen import Ui
from batllm_arcade.view import theme


class AddressDialog(MenuDialog):
    """Shows the address; `no` has the focus, so that whoever only presses on asks nobody."""

    def __init__(self, ui: Ui, address: str, yes: Callable[[], None], no: Callable[[], None]) -> None:
        words = (
            f"A brain asks the server {address}, which only the file names: it is neither this computer's own nor a "
            "known provider's. It would be sent the orders and the game; your keys go to their own servers alone."
        )
        entries = [DialogEntry("No, ask nobody", no), DialogEntry(f"Ask {address}", yes, danger=True)]
        super().__init__(ui, "A strange server", entries, no, words=words, color=theme.GOLD)
        self.backdrop = True
