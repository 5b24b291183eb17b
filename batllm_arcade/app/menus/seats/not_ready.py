"""A seat's player cannot play now: why, and what to do about it with one press."""

from __future__ import annotations

from collections.abc import Callable

from batllm_arcade.app.kit.screen import Screen, Ui
from batllm_arcade.app.kit.shortcut_dialog import ShortcutDialog, Way
from batllm_arcade.app.menus.seats.seat_card import SeatCard
from batllm_arcade.app.services.server_words import as_sentence
from batllm_arcade.app.shell import Navigation
from batllm_arcade.core.model import SEATS

LOOKING = "looking..."


class NotReadyDialog(ShortcutDialog):
    """Lies over the seats; `go_on` is called once the player is ready, or another one has been chosen.

    `other` opens the list of players for the card, `key` its server, `anyway` starts all the same.
    """

    def __init__(
        self, ui: Ui, go: Navigation, below: Screen, card: SeatCard, *, go_on: Callable[[], None],
        other: Callable[[], None], server: Callable[[], None], anyway: Callable[[], None],
    ) -> None:  # fmt: skip
        self._go, self._card, self._on_ready = go, card, go_on
        self._looks = False
        leave = self._leave_for
        ways = [Way("Try again", self._try_again)]
        if card.why in ("key", "wrong key") and card.has_server:
            ways.insert(0, Way("Type a key", lambda: leave(server)))
        elif card.why in ("model", "options") and card.has_server:
            ways.insert(0, Way("Choose a model", lambda: leave(server)))
        ways.append(Way("Another player", lambda: leave(other)))
        if (stand_in := card.stand_in) is not None:
            ways.append(Way(f"{card.called(stand_in)} plays instead", lambda: leave(self._stand_in)))
        ways.append(Way("Fight all the same", lambda: leave(anyway)))
        title = f"{SEATS[card.seat].capitalize()} is not ready"
        super().__init__(ui, title, as_sentence(card.problem or ""), ways, go.pop, below=below)

    def _leave_for(self, do: Callable[[], None]) -> None:
        self._go.pop()
        do()

    def _stand_in(self) -> None:
        if (spec := self._card.stand_in) is not None:
            self._card.take(spec)
        self._on_ready()

    def _try_again(self) -> None:
        self._looks, self.words = True, LOOKING
        self._card.check(again=True)

    def update(self, now: float) -> None:
        """Go on as soon as a player that was asked again is ready."""
        super().update(now)
        if not self._looks:
            return
        problem = self._card.problem
        if problem is not None:
            self._looks, self.words = False, as_sentence(problem)
        if problem == "":
            self._leave_for(self._on_ready)
