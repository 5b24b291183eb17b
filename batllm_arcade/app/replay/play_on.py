"""Who plays on from a turn of a recorded game."""

from __future__ import annotations

from pathlib import Path

from batllm_arcade.app.kit.dialog import DialogEntry, MenuDialog
from batllm_arcade.app.kit.screen import Ui
from batllm_arcade.app.shell import Navigation
from batllm_arcade.core.model import SEATS
from batllm_arcade.history.what_if.forking import TurnPlace
from batllm_arcade.view import theme

TOO_EARLY = "A game can be played on from the end of its first turn on. Go a little further and try again."


class PlayOnDialog(MenuDialog):
    """Asks whether a person plays a seat; the other plays as it did. `place` is None before the first turn's end."""

    def __init__(self, ui: Ui, go: Navigation, path: Path, place: TurnPlace | None, names: tuple[str, str]) -> None:
        self._go, self._path, self._place = go, path, place
        entries = [
            DialogEntry(f"Play {seat} yourself, for {names[bot]}", lambda bot=bot: self._play(bot),  # type: ignore[misc]
                        color=theme.SEAT_COLORS[bot])
            for bot, seat in enumerate(SEATS)
        ]  # fmt: skip
        entries.append(DialogEntry("Let both play on as they were", lambda: self._play(None)))
        back = DialogEntry("Back to the replay", go.pop)
        super().__init__(
            ui, "Play on from here", [*(entries if place else ()), back], go.pop, words=_words(place), color=theme.GOLD
        )
        self.backdrop = True

    def _play(self, bot: int | None) -> None:
        assert self._place is not None
        self._go.play_on(self._path, self._place, bot, self.complain)


def _words(place: TurnPlace | None) -> str:
    if place is None:
        return TOO_EARLY
    return (
        f"What was played up to round {place.round}, turn {place.turn} is taken over; the game that comes of it is "
        "kept beside this one."
    )
