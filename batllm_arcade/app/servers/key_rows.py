"""The rows for a server's key: where it is typed, and where it is kept."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

from batllm_arcade.app.kit.text_fields import SecretField
from batllm_arcade.app.kit.widgets import Choice, Widget
from batllm_arcade.app.services.background import BackgroundTask
from batllm_arcade.app.services.server_work import KeyWork, preset_of
from batllm_arcade.app.shell import Services
from batllm_arcade.brains.protocol import Spec
from batllm_arcade.errors import ArcadeError
from batllm_arcade.models.api_keys import KeySource, KeyStore, Place, key_source, key_store, variable_named

_PLACES: dict[Place, tuple[str, str]] = {
    "keyring": ("in the keyring", "Kept in this computer's keyring, for the next time too"),
    "file": ("in a file", "Kept in a file of your data folder that only you can read, for the next time too"),
    "run": ("for this run", "Forgotten when the arcade is closed"),
}
_WHERE = {"keyring": "in the keyring", "file": "in your file of keys", "run": "for this run"}


class KeyRows:
    """A key that is typed is tried at its server for this run only, and kept where the person wants it at the end."""

    def __init__(self, services: Services, changed: Callable[[], None]) -> None:
        self._services, self._changed = services, changed
        self._store: KeyStore = key_store()
        self._field = SecretField(
            "Key", self._typed, hint="Type or paste it; it is shown to nobody, and goes to this server only"
        )
        self._places: tuple[Place, ...] = ("file", "run")
        self._place: Place | None = None
        self._finding = BackgroundTask("looking for a keyring", lambda report: self._store.places())
        self._work: KeyWork | None = None
        self._tried: tuple[str, str] | None = None  # for which server, and which key
        self._anew = False

    # -- rows -----------------------------------------------------------------------------------

    def known(self, spec: Spec) -> object:
        """Return what the rows depend on."""
        if self._finding is not None and self._finding.done and self._finding.result is not None:
            self._places = self._finding.result
        return self._places, self._state(spec)

    def rows(self, spec: Spec) -> list[Widget]:
        """Return the rows for the key of a server, none for one that wants none."""
        state = self._state(spec)
        if state is None:
            return []
        self._field.empty = self._stands(state)
        if not (state.needed or self._field.secret or state.kept.where in _WHERE):
            return [self._field]
        at = self._places.index(self._chosen) if self._chosen in self._places else 0
        words = [_PLACES[place][0] for place in self._places]
        keep = Choice("Keep it", words, at, self._choose, hint=_PLACES[self._places[at]][1])
        self._keep_row = keep
        return [self._field, keep]

    @property
    def _chosen(self) -> Place:
        return self._place or self._places[0]

    def _choose(self, index: int) -> None:
        self._place = self._places[index]
        self._keep_row.hint = _PLACES[self._place][1]

    @staticmethod
    def _state(spec: Spec) -> KeySource | None:
        preset = preset_of(spec)
        address = spec.text("base_url") or (preset.base_url if preset is not None else "")
        with suppress(ArcadeError, ValueError):
            return key_source(address, variable_named(spec), preset) if address else None
        return None  # no address yet

    @staticmethod
    def _stands(state: KeySource) -> str:
        kept = state.kept
        if kept.where == "variable":
            return f"from {kept.name}"
        if kept.where:
            return f"kept {_WHERE[kept.where]}"
        return "needed" if state.needed else "none needed"

    def words(self, spec: Spec) -> str:
        """Return where the key is that this server would get, "" for none."""
        state = self._state(spec)
        kept = state.kept if state is not None else None
        if kept is None or not kept.where:
            return ""
        return f"key from {kept.name}" if kept.where == "variable" else f"key {_WHERE[kept.where]}"

    def is_missing(self, spec: Spec) -> bool:
        """Return whether this server wants a key and would get none."""
        state = self._state(spec)
        return state is not None and state.needed and not state.kept.where

    # -- what is done with it -------------------------------------------------------------------

    def _typed(self) -> None:
        self._changed()

    def forget_typed(self) -> None:
        """Forget what was typed: it was for another server."""
        self._field.secret = ""
        self._forget_tried()

    def try_typed(self, spec: Spec) -> str:
        """Let the server have the key that was typed, for this run; return why that cannot be, else ""."""
        state = self._state(spec)
        wanted = (state.origin, self._field.secret) if state is not None and self._field.secret else None
        if wanted == self._tried:
            return ""
        self._forget_tried()
        if wanted is None:
            return ""
        try:
            self._store.keep(*wanted, "run")
        except ArcadeError as error:
            return str(error)
        self._tried = wanted
        return ""

    def tried_anew(self) -> bool:
        """Return whether the server gets another key than when this was last asked."""
        anew, self._anew = self._anew, False
        return anew

    def _forget_tried(self) -> None:
        self._anew = True
        if self._tried is not None:
            self._store.forget(self._tried[0], "run")
            self._tried = None

    def keep(self, spec: Spec) -> bool:
        """Keep the key that was typed where the person wants it; return whether that takes its time."""
        if self._tried is None or self._work is not None:
            return self._work is not None
        (origin, key), place = self._tried, self._chosen
        if place == "run":
            self._tried = None
            return False
        store = self._store
        self._work = KeyWork(lambda: store.keep(origin, key, place), lambda: store.forget(origin))
        return True

    def take_work(self) -> KeyWork | None:
        """Return what has become of keeping the key, once."""
        work = self._work
        if work is None or not work.done:
            return None
        self._work = None
        if work.error is None:
            self._tried = None
        return work

    def leave(self) -> None:
        """Forget a key that was only tried, and give up keeping it."""
        if self._work is not None:
            self._work.task.cancel()
            self._services.wait_at_end(self._work.task)
        self._services.wait_at_end(self._finding)
        self._forget_tried()
        self._field.secret = ""
