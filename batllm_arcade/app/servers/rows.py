"""Rows for a model server and its models: the key, the model, fetching one, the options of a brain."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress

from batllm_arcade.app.input.controls import Intent
from batllm_arcade.app.kit.canvas import Box, Canvas
from batllm_arcade.app.kit.menu_screen import MenuScreen
from batllm_arcade.app.kit.text_fields import Field, NumberField, SecretField
from batllm_arcade.app.kit.widgets import Choice, Pressable, Row, Widget
from batllm_arcade.app.services.background import BackgroundTask
from batllm_arcade.app.services.server_work import KeyWork, Pull, preset_of
from batllm_arcade.app.shell import Services
from batllm_arcade.brains.kinds import YES_NO, Option, SeatState
from batllm_arcade.brains.protocol import BrainKind, Spec
from batllm_arcade.errors import ArcadeError
from batllm_arcade.history.summary import counted
from batllm_arcade.models.api_keys import KeySource, KeyStore, Place, key_source, key_store, variable_named
from batllm_arcade.view import theme
from batllm_arcade.view.theme import mixed

# -- The rows for a server's key

_PLACES: dict[Place, tuple[str, str]] = {
    "keyring": ("in the keyring", "Kept in this computer's keyring, for the next time too"),
    "file": ("in a file", "Kept in a file of your data folder that only you can read, for the next time too"),
    "run": ("for this run", "Forgotten when the arcade is closed"),
}
_WHERE = {"keyring": "in the keyring", "file": "in your file of keys", "run": "for this run"}


class KeyRows:
    """A key that is typed is tried at its server for this run only, and kept where the person wants it at the end."""

    def __init__(self, services: Services, changed: Callable[[], None]) -> None:
        self._services = services
        self._store: KeyStore = key_store()
        self.field = SecretField(
            "Key", lambda key: changed(), hint="Type or paste it; it is shown to nobody, and goes to this server only"
        )
        self._places: tuple[Place, ...] = ("file", "run")
        self._place: Place | None = None
        self._finding = BackgroundTask("looking for a keyring", lambda report: self._store.places())
        self._work: KeyWork | None = None
        self._tried: tuple[str, str] | None = None  # for which server, and which key
        self._anew = False

    def known(self, spec: Spec) -> object:
        """Return what the rows depend on."""
        self._places = self._finding.result or self._places
        return self._places, self._state(spec)

    def rows(self, spec: Spec, *, asks: bool = False) -> list[Widget]:
        """Return the rows for the key of a server, none for one that wants none; `asks`: it has said that it does."""
        state = self._state(spec)
        if state is None:
            return []
        self.field.empty = self._stands(state, asks=asks)
        if not (asks or state.needed or self.field.editor.text or state.kept.where in _WHERE):
            return [self.field]
        place = self._chosen if self._chosen in self._places else self._places[0]
        self._keep_row = Choice.among("Keep it", self._places, place, self._choose, lambda place: _PLACES[place][0])
        self._keep_row.hint = _PLACES[place][1]
        return [self.field, self._keep_row]

    @property
    def _chosen(self) -> Place:
        return self._place or self._places[0]

    def _choose(self, place: Place) -> None:
        self._place, self._keep_row.hint = place, _PLACES[place][1]

    @staticmethod
    def _state(spec: Spec) -> KeySource | None:
        preset = preset_of(spec)
        address = spec.text("base_url") or (preset.base_url if preset is not None else "")
        with suppress(ArcadeError, ValueError):
            return key_source(address, variable_named(spec), preset) if address else None
        return None  # no address yet

    @staticmethod
    def _stands(state: KeySource, *, asks: bool) -> str:
        if state.kept.where:
            return _where(state) if state.kept.where == "variable" else f"kept {_where(state)}"
        return "needed" if asks or state.needed else "none needed"

    def words(self, spec: Spec) -> str:
        """Return where the key is that this server would get, "" for none."""
        state = self._state(spec)
        return f"key {_where(state)}" if state is not None and state.kept.where else ""

    def is_missing(self, spec: Spec) -> bool:
        """Return whether this server wants a key and would get none."""
        state = self._state(spec)
        return state is not None and state.needed and not state.kept.where

    def forget_typed(self) -> None:
        """Forget what was typed: it was for another server."""
        self.field.editor.set("")
        self._forget_tried()

    def try_typed(self, spec: Spec) -> str:
        """Let the server have the key that was typed, for this run; return why that cannot be, else ""."""
        state = self._state(spec)
        wanted = (state.origin, self.field.editor.text) if state is not None and self.field.editor.text else None
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
            self._work.cancel()
            self._services.wait_at_end(self._work)
        self._services.wait_at_end(self._finding)
        self._forget_tried()
        self.field.editor.set("")


def _where(state: KeySource) -> str:
    return f"from {state.kept.name}" if state.kept.where == "variable" else _WHERE[state.kept.where]


# -- The rows for a server's model

ANY = "any"
"""What stands for the server's own choice."""
NOT_PULLED = "not pulled yet"


class ModelRow(Choice):
    """Left and right go through the models that the server has; confirm opens them all, to be searched."""

    def __init__(
        self, kind: BrainKind, spec: Spec, known: Sequence[str], changed: Callable[[str], None], menu: MenuScreen
    ) -> None:
        self._model, self._menu, self._set, self.known = spec.text("model"), menu, changed, known
        self._items = model_items(kind, self.known, self._model)
        there = [name for name, about in self._items if not about.startswith(NOT_PULLED) or name == self._model]
        options = [ANY, *there]
        chosen = options.index(self._model) if self._model else 0
        hint = "Which of the server's models plays" if self.known else "Which model plays; the server lists none yet"
        super().__init__("Model", options, chosen, lambda index: changed(options[index] if index else ""), hint=hint)

    def take(self, intent: Intent) -> bool:
        if intent != "confirm":
            return super().take(intent)
        note = counted(len(self.known), "model") if self.known else ""
        items = [(ANY, "The server's own choice"), *self._items]
        names = ["", *(name for name, _ in self._items)]
        chosen = names.index(self._model)
        self._menu.pick("Model", items, chosen, lambda at: self._set(names[at]), note, searched=True, free=self._set)
        return True


def model_items(kind: BrainKind, known: Sequence[str], chosen: str) -> list[tuple[str, str]]:
    """Return the models to choose from, each with what is to be said of it."""
    items = [(name, "") for name in known]
    items += [(name, _not_pulled(kind, name)) for name in kind.pullable if not is_there(name, known)]
    if chosen and all(name != chosen for name, _ in items):
        missing = kind.pull is not None and known and not is_there(chosen, known)
        items.insert(0, (chosen, _not_pulled(kind, chosen) if missing else ""))
    return items


def _not_pulled(kind: BrainKind, name: str) -> str:
    size = kind.pull_sizes.get(name, "")
    return f"{NOT_PULLED}, {size}" if size else NOT_PULLED


def is_there(model: str, known: Sequence[str]) -> bool:
    """Return whether a server has a model, whose tag `latest` may be left out."""
    return model in known or f"{model}:latest" in known


class PullRow(Pressable):
    """Fetches `model` on confirm and on a click, and gives that up on another one; `pull` is what is under way."""

    def __init__(self, model: str, start: Callable[[], Pull], pull: Pull | None) -> None:
        super().__init__(f"Pull {model}", self._press)
        self.model, self._start, self.pull = model, start, pull
        self.group = ""

    @property
    def hint(self) -> str:
        failed = self.pull is not None and self.pull.failure
        return failed or "Its server loads the model down; that goes on while you do something else"

    @hint.setter
    def hint(self, _: str) -> None: ...

    @property
    def pulling(self) -> bool:
        """Return whether the model is being fetched."""
        return self.pull is not None and not self.pull.done and not self.pull.given_up

    @property
    def words(self) -> tuple[str, str]:
        """Return what a press does, and how it stands."""
        pull = self.pull
        if pull is None:
            return f"Pull {self.model}", "its server fetches it"
        if self.pulling:
            share = f"{pull.share * 100:.0f} %  " if pull.share else ""
            return "Stop pulling", f"{share}{pull.words}"
        if pull.failure:  # all of it stands below the rows while this one has the focus
            return "Pull again", pull.failure.rpartition(f"could not fetch {self.model!r}: ")[2]
        return ("Go on pulling", "stopped; what has come is kept") if pull.given_up else (f"Pull {self.model}", "")

    def _press(self) -> None:
        if self.pulling and self.pull is not None:
            self.pull.cancel()
        else:
            self.pull = self._start()

    def draw(self, canvas: Canvas, box: Box, focused: bool, now: float) -> None:
        pull = self.pull
        canvas.box(box, mixed(theme.PANEL, theme.GOLD, 0.3 if focused else 0.1), theme.GOLD, width=1, radius=7)
        if self.pulling and pull is not None:
            wide = max(8.0, (box.w - 4) * pull.share)
            canvas.box(Box(box.x + 2, box.y + 2, wide, box.h - 4), mixed(theme.PANEL, theme.GOLD, 0.45), None, radius=6)
        if focused:
            canvas.ring(box, theme.GOLD, now, radius=7)
        does, stands = self.words
        y = box.y + box.h / 2 - 10
        used = canvas.words((box.x + 16, y), does, "label", 17, theme.TEXT, width=box.w * 0.45)
        color = theme.DANGER if pull is not None and pull.failure else theme.SOFT
        room = box.w - used - 46
        canvas.words((box.right - 14, y + 1), stands, "label", 15, color, width=room, side="right")


def wanted_model(kind: BrainKind, spec: Spec, state: SeatState | None) -> str:
    """Return the model that a server would have to fetch before it can play, "" for none."""
    if kind.pull is None or state is None or state.why != "model":
        return ""
    model = spec.text("model") or next(iter(kind.pullable), "")
    return "" if is_there(model, state.models) else model


def pull_row(services: Services, kind: BrainKind, spec: Spec, state: SeatState | None) -> list[PullRow]:
    """Return the row that fetches the model, [] where nothing is to be fetched."""
    model = wanted_model(kind, spec, state)
    pull = services.pulls.of(spec, model) if model else None
    return [PullRow(model, lambda: services.pulls.start(kind, spec, model), pull)] if model else []


# -- The options that a brain declares

ELSEWHERE = ("model", "base_url", "key_env", "name", "level", "deadline_s")
"""Options that have rows of their own."""
USUAL = "usual"
_LABELS = {
    "reply": "Replies", "context": "Memory", "rendering": "Sent as", "think": "Thought",
    "max_tokens": "Max. tokens",
    "header_env": "Headers from", "auth_env": "Login from", "ca": "Authority",
    "temperature": "Temperature", "price": "Price", "proxy": "Proxy", "prepare_s": "May load for", "num_ctx": "Context",
    "n_ctx": "Context", "keep_alive": "Stays loaded", "form": "Form", "cmd": "Command",
}  # fmt: skip
_WORDS = {
    "token": "one word", "json": "JSON", "payload": "this moment", "conversation": "the game so far",
    "array": "one text", "chat": "messages",
}  # fmt: skip
_STEPS = ((2.0, 0.1), (100.0, 1.0), (1000.0, 16.0), (1e5, 512.0))  # up to which default a step is how large
_LONGEST = 400


def option_row(option: Option, value: str, changed: Callable[[str], None]) -> Row:
    """Return a field for an option with its value ("": the default); `changed` gets a new one, as it is written.

    While what is typed is no such value, the field is marked as wrong and the default holds.
    """
    row = _choice(option, value, changed) if option.type in ("choice", "yes_no") else _field(option, value, changed)
    row.mark, row.name = value not in ("", option.default), option.name
    return row


def _field(option: Option, value: str, changed: Callable[[str], None]) -> Field:
    def typed(text: str) -> None:
        text = text.strip()
        row.problem = bool(text and option.problem("", text))
        row.mark = text not in ("", option.default)
        changed("" if row.problem or not row.mark else text)

    label, hint, usual = label_of(option), _sentence(option), option.default or next(iter(option.words), USUAL)
    row: Field
    if option.type in ("number", "whole"):
        limits = (option.least, option.most)
        row = NumberField(label, value, typed, usual=usual, step=_step(option), limits=limits, hint=hint)
    else:
        row = Field(label, value, typed, hint=hint, most=_LONGEST, empty=usual)
    row.problem = bool(value and option.problem("", value))
    return row


def label_of(option: Option) -> str:
    """Return what an option is called on a card."""
    return _LABELS.get(option.name, option.name.replace("_", " ").capitalize())


def _sentence(option: Option) -> str:
    sentence = option.sentence[:1].upper() + option.sentence[1:]
    values = f" ({option.values})" if option.type in ("number", "whole", "price") and option.values else ""
    return f"{sentence}{values}"


def _choice(option: Option, value: str, changed: Callable[[str], None]) -> Choice:
    def choose(chosen: str) -> None:
        row.mark = chosen != ""
        changed(chosen)

    def shown(choice: str) -> str:
        usual = _WORDS.get(option.default, option.default)
        return _WORDS.get(choice, choice) if choice else f"{USUAL}: {usual}" if usual else USUAL

    values = ["", *(choice for choice in (option.choices or YES_NO) if choice != option.default)]
    chosen = value if value in values else ""
    row = Choice.among(label_of(option), values, chosen, choose, shown, hint=_sentence(option))
    return row


def _step(option: Option) -> float:
    try:
        usual = abs(float(option.default))
    except ValueError:
        usual = max(option.least, 1.0)
    step = next((step for most, step in _STEPS if usual <= most), 1024.0)
    return max(1.0, step) if option.type == "whole" else step
