"""The notes of the models at both seats, from round to round and from game to game."""

from __future__ import annotations

from typing import Any

from batllm_arcade.brains.protocol import SeatInfo, View


class Notebook:
    """What each seat's model has noted, and the round that is over which its next notes are on; left first."""

    def __init__(self, notes: tuple[str, str] = ("", "")) -> None:
        self.notes = list(notes)
        self.due: list[View | None] = [None, None]
        self._writers: list[Any] = [None, None]

    def sit(self, bot: int, seat: SeatInfo) -> None:
        """Take who writes at a seat from now on: another brain than the one that wrote begins without notes."""
        writer = seat.brain, dict(seat.options)
        if self._writers[bot] not in (None, writer):
            self.notes[bot], self.due[bot] = "", None
        self._writers[bot] = writer

    def turn(self) -> None:
        """Let both players change places."""
        for each in (self.notes, self.due, self._writers):
            each.reverse()
