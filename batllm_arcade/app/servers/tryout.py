"""The turn that is played to try a server: the one under way, and what came of the last one."""

from __future__ import annotations

from collections.abc import Mapping

from batllm_arcade.app.services.server_work import TrialRun
from batllm_arcade.app.shell import Services
from batllm_arcade.brains.protocol import BrainKind, Spec


class Tryout:
    """One turn at a time; what came of it counts as long as the server is set up as it was then."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self.running: TrialRun | None = None
        """The turn that is being played."""
        self._last: tuple[str, TrialRun] | None = None  # as what, and the turn

    def start(self, kinds: Mapping[str, BrainKind], spec: Spec) -> None:
        """Play a turn."""
        self.running = TrialRun(kinds, spec)
        self._last = (str(spec), self.running)

    def give_up(self) -> None:
        """End the turn that is being played."""
        if self.running is not None:
            self.running.cancel()
            self._services.wait_at_end(self.running.task)
            self.running = self._last = None

    def update(self) -> None:
        """Notice that it is over."""
        if self.running is not None and self.running.done:
            self.running = None

    def shown(self, spec: Spec) -> TrialRun | None:
        """Return the last turn, if it was played as the server is set up now."""
        return self._last[1] if self._last is not None and self._last[0] == str(spec) else None

    def show(self, spec: Spec, turn: TrialRun) -> None:
        """Show this turn, which is over."""
        self._last = (str(spec), turn)
