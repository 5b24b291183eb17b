"""Finds out on threads which brains could play now, each as it is set up, and which models they have."""

from __future__ import annotations

import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import replace

from batllm_arcade.brains.kinds import SeatState
from batllm_arcade.brains.protocol import BrainKind, Spec
from batllm_arcade.errors import one_line
from batllm_arcade.isolation.sandbox import sandboxes
from batllm_arcade.plugin.availability import judged, seat_state

SOON_S, FRESH_S = 4.0, 20.0
"""Seconds after which it is asked again about a server that was away, and about any other brain."""
_AWAY = ("down", "late")
_READY = SeatState("", "")


class AvailabilityCache:
    """What is known so far; `look` and `check` ask, and nobody waits for the answer.

    An answer is about a brain with its options: address, model and key. Another address is another answer.
    """

    def __init__(self, kinds: Mapping[str, BrainKind]) -> None:
        self._kinds = kinds
        self._known: dict[str, tuple[SeatState, float]] = {}
        self._models: dict[str, tuple[str, ...]] = {}
        self._asking: set[str] = set()
        self._anew: set[str] = set()  # what is to be asked once more: the answer under way is from before
        self._trying: threading.Thread | None = None
        self.sandboxes_known = False
        """Whether it is known if bots can have a sandbox here."""

    def look(self) -> None:
        """Ask all brains, without options, whether they could play, those of whom that is not known."""
        for kind in self._kinds.values():
            self.check(Spec(kind.name))
        if self._trying is None and any(kind.isolation for kind in self._kinds.values()):
            self._trying = threading.Thread(target=self._try_sandboxes, daemon=True, name="availability of sandboxes")
            self._trying.start()

    def _try_sandboxes(self) -> None:
        sandboxes()  # it is tried once, which takes a moment
        self.sandboxes_known = True

    def check(self, spec: Spec, *, again: bool = False) -> None:
        """Ask a brain whether it could play as it is set up, unless that is being done or has just been.

        `again`: ask anew whatever is known of it, and forget that.
        """
        kind = self._kinds.get(spec.name)
        if kind is None:
            return
        key = judged(spec)
        if again:
            self._known.pop(key, None)
            self._anew.add(key)
        if key in self._asking or not self._is_old(key):
            return
        silent = kind.missing is None and kind.state is None and kind.models is None
        if silent and not spec.options:  # a script, a person: nothing has to be asked
            self._known[key] = (_READY, float("inf"))
            return
        self._asking.add(key)
        name = f"availability of {spec.name}"
        threading.Thread(target=self._ask, args=(spec, key), daemon=True, name=name).start()

    def _is_old(self, key: str) -> bool:
        state, until = self._known.get(key, (None, 0.0))
        return state is None or time.monotonic() > until

    def _ask(self, spec: Spec, key: str) -> None:
        while True:
            self._anew.discard(key)
            try:
                state = self._with_models(spec, seat_state(self._kinds, spec))
            except BaseException as error:  # noqa: BLE001 - a plugin may raise anything; the card says it
                state = SeatState(f"it failed with {one_line(error)}", "other")
            if key not in self._anew:
                break
        if state.models or not state.problem:
            self._models[_any_model(spec)] = state.models
        self._known[key] = (state, time.monotonic() + (SOON_S if state.why in _AWAY else FRESH_S))
        self._asking.discard(key)

    def _with_models(self, spec: Spec, state: SeatState) -> SeatState:
        kind = self._kinds[spec.name]
        if kind.state is None and kind.models is not None and not state.models:
            with suppress(Exception):  # a plugin may raise anything; what is missing is told already
                return replace(state, models=tuple(str(name) for name in kind.models(spec)))
        return state

    def seat(self, spec: Spec) -> SeatState | None:
        """Return how a brain stands as it is set up, None as long as that is not known."""
        return self._known.get(judged(spec), (None, 0.0))[0]

    def models(self, spec: Spec) -> tuple[str, ...]:
        """Return the models that a brain's server has, whichever of them is chosen, as far as they are known."""
        return self._models.get(_any_model(spec), ())

    def busy(self, spec: Spec) -> bool:
        """Return whether a brain is being asked just now."""
        return judged(spec) in self._asking


def _any_model(spec: Spec) -> str:
    return judged(replace(spec, options={key: value for key, value in spec.options.items() if key != "model"}))
