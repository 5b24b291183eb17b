"""The row for a server's model: those that it has, those that it could fetch, or any name."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from batllm_arcade.app.input.controls import Intent
from batllm_arcade.app.kit.widgets import Choice
from batllm_arcade.brains.protocol import BrainKind, Spec

ANY = "any"
"""What stands for the server's own choice."""
NOT_PULLED = "not pulled yet"


class Search(Protocol):
    """Puts a list over the screen that is searched by typing."""

    def __call__(
        self, title: str, items: Sequence[tuple[str, str]], at: str, chosen: Callable[[str], None], note: str = ""
    ) -> None: ...


class ModelRow(Choice):
    """Left and right go through the models that the server has; confirm opens them all, to be searched."""

    def __init__(
        self, kind: BrainKind, spec: Spec, known: Sequence[str], changed: Callable[[str], None], search: Search
    ) -> None:
        self._model, self._search, self._set, self.known = spec.text("model"), search, changed, known
        self._items = model_items(kind, self.known, self._model)
        options = [
            ANY,
            *(name for name, about in self._items if not about.startswith(NOT_PULLED) or name == self._model),
        ]
        at = options.index(self._model) if self._model else 0
        hint = "Which of the server's models plays" if self.known else "Which model plays; the server lists none yet"
        super().__init__("Model", options, at, lambda index: changed(options[index] if index else ""), hint=hint)

    def take(self, intent: Intent) -> bool:
        """Step on left and right, open the list on confirm."""
        if intent != "confirm":
            return super().take(intent)
        note = f"{len(self.known)} model{'s' * (len(self.known) != 1)}" if self.known else ""
        items = [(ANY, "The server's own choice"), *self._items]
        self._search("Model", items, self._model or ANY, lambda name: self._set("" if name == ANY else name), note)
        return True


def model_items(kind: BrainKind, known: Sequence[str], chosen: str) -> list[tuple[str, str]]:
    """Return the models to choose from, each with what is to be said of it."""
    items = [(name, "") for name in known]
    items += [(name, _not_pulled(kind, name)) for name in kind.pullable if not is_there(name, known)]
    if chosen and all(name != chosen for name, _ in items):
        items.insert(
            0,
            (
                chosen,
                _not_pulled(kind, chosen) if kind.pull is not None and known and not is_there(chosen, known) else "",
            ),
        )
    return items


def _not_pulled(kind: BrainKind, name: str) -> str:
    size = kind.pull_sizes.get(name, "")
    return f"{NOT_PULLED}, {size}" if size else NOT_PULLED


def is_there(model: str, known: Sequence[str]) -> bool:
    """Return whether a server has a model, whose tag `latest` may be left out."""
    return model in known or f"{model}:latest" in known
