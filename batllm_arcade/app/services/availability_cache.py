"""Finds out on threads which brains could play now and which models they have; nobody waits for it."""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping, Sequence

from batllm_arcade.brains.protocol import BrainKind, Spec
from batllm_arcade.errors import one_line
from batllm_arcade.isolation.sandbox import sandboxes
from batllm_arcade.plugin import availability

FRESH_S = 4.0
"""Seconds for which an answer is valid."""


class AvailabilityCache:
    """What is known so far; `look` refreshes it."""

    def __init__(self, kinds: Mapping[str, BrainKind]) -> None:
        self._kinds = kinds
        self._states: dict[str, str] = {}
        self._models: dict[tuple[str, str], Sequence[str]] = {}
        self._asked: set[tuple[str, str]] = set()
        self._looked = -FRESH_S
        self._looking: threading.Thread | None = None
        self.sandboxes_known = False
        """Whether it is known if bots can have a sandbox here."""

    def look(self) -> None:
        """Ask all brains whether they could play, unless that is being done or has just been."""
        busy = self._looking is not None and self._looking.is_alive()
        if not busy and time.monotonic() - self._looked > FRESH_S:
            self._asked.clear()
            self._looking = threading.Thread(target=self._look, daemon=True, name="availability")
            self._looking.start()

    def _look(self) -> None:
        if any(kind.isolation for kind in self._kinds.values()):
            sandboxes()  # it is tried once, which takes a moment
            self.sandboxes_known = True
        for kind, problem in availability.missing(dict(self._kinds)):
            self._states[kind.name] = problem
        self._looked = time.monotonic()

    def state(self, name: str) -> str | None:
        """Return what a brain misses, "" if it could play now, None as long as that is not known."""
        return self._states.get(name)

    def models(self, spec: Spec) -> Sequence[str]:
        """Return the models that a brain's server has, as far as they are known; ask the server at the first call."""
        kind = self._kinds.get(spec.name)
        if kind is None or kind.models is None:
            return ()
        key = (spec.name, spec.text("base_url"))
        if key not in self._asked:
            self._asked.add(key)
            threading.Thread(target=self._ask, args=(kind, spec, key), daemon=True, name="models").start()
        return self._models.get(key, ())

    def _ask(self, kind: BrainKind, spec: Spec, key: tuple[str, str]) -> None:
        assert kind.models is not None
        options = {name: value for name, value in spec.options.items() if name in ("base_url", "proxy")}
        try:
            self._models[key] = tuple(str(name) for name in kind.models(Spec(spec.name, "", options)))
        except BaseException as error:  # noqa: BLE001 - a plugin may raise anything; the card says what is missing
            self._states.setdefault(spec.name, one_line(error))
