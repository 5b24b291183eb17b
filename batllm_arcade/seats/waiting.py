"""What a match waits for: a brain's answer, a fallback that gets ready, the window between two rounds."""

from __future__ import annotations

import threading
from dataclasses import dataclass

from batllm_arcade.brains.live import Live
from batllm_arcade.brains.protocol import SeatInfo, View
from batllm_arcade.match.runner import Prompts
from batllm_arcade.seats.seat import Seat


@dataclass(frozen=True)
class OpenRequest:
    """A brain that is being asked, for the window to show; `since` is `time.monotonic()`."""

    bot: int
    seat: SeatInfo
    view: View
    since: float

    @property
    def live(self) -> Live:
        """The line to the brain: its partial text, and for a person where the command goes."""
        return self.view.live


class Intermission:
    """The time between two rounds: the match waits until `go_on`; `round` is the one to come."""

    def __init__(self, game: int, round: int, prompts: Prompts) -> None:
        self.game, self.round, self.prompts = game, round, prompts
        self._lock = threading.Lock()
        self._over = threading.Event()

    def go_on(self, prompts: Prompts | None = None) -> None:
        """Begin the round, with these prompts (left first) from here on; a second call changes nothing."""
        with self._lock:
            if not self._over.is_set():
                self.prompts = self.prompts if prompts is None else prompts
                self._over.set()

    def wait(self) -> None:
        """Wait until somebody goes on."""
        self._over.wait()


class PendingWait:
    """What the match waits for at a seat, a brain's answer or another brain; `given_up` when it need not any more.

    `seat` is None where whoever sits there may change meanwhile.
    """

    def __init__(self, seat: Seat | None, ready: threading.Event, live: Live | None = None) -> None:
        self.seat, self.given_up = seat, False
        self._ready, self._live = ready, live

    def give_up(self) -> None:
        """Let the match go on at once."""
        self.given_up = True
        if self._live is not None:
            self._live.cancel()
        self._ready.set()
