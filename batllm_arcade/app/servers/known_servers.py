"""The servers that are offered, and which of them run on this computer."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from batllm_arcade.app.servers.draft import OWN, offered
from batllm_arcade.app.services.availability_cache import AvailabilityCache
from batllm_arcade.models.finding.presets import Preset


class KnownServers:
    """All servers that these brains can ask, in the order in which they are offered."""

    def __init__(self, brains: Iterable[str], availability: AvailabilityCache) -> None:
        self._availability = availability
        self.all: Sequence[Preset] = offered(brains) or (OWN,)

    def look(self) -> None:
        """Ask which of them run on this computer."""
        for preset in self.all:
            if preset.local:
                self._availability.check(preset.spec)

    def place(self, preset: Preset) -> int:
        """Return where a server is among them, the first place for one that is not."""
        return self.all.index(preset) if preset in self.all else 0

    def titled(self, title: str) -> Preset:
        """Return the one of this title, which is among them."""
        return next(preset for preset in self.all if preset.title == title)

    def beside(self, preset: Preset, by: int) -> Preset:
        """Return the one that comes `by` places after a server."""
        return self.all[(self.place(preset) + by) % len(self.all)]

    def running(self) -> Preset | None:
        """Return the first that is known to run on this computer, before all others one that could play at once."""
        runs = [preset for preset in self.all if preset.local and self._runs(preset)]
        return next((preset for preset in runs if self._is_ready(preset)), runs[0] if runs else None)

    def _is_ready(self, preset: Preset) -> bool:
        state = self._availability.seat(preset.spec)
        return state is not None and state.ready

    def _runs(self, preset: Preset) -> bool | None:
        state = self._availability.seat(preset.spec)
        return None if state is None else state.why in ("", "key", "wrong key", "model")

    def items(self) -> list[tuple[str, str]]:
        """Return each as a list shows it: its name, and what is to be known of it."""
        return [(preset.title, self._about(preset)) for preset in self.all]

    def _about(self, preset: Preset) -> str:
        note = f"{preset.note[:1].upper()}{preset.note[1:]}"
        if not preset.local:
            return note or preset.base_url or preset.ask
        runs = self._runs(preset)
        where = {None: "On this computer", True: "Runs on this computer", False: "Does not run here now"}[runs]
        return where if runs or not note else f"{where}. {note}"
