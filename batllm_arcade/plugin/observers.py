"""The observers of a session: told one by one, and dropped with a sentence when they fail."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from batllm_arcade.brains.redaction import without_folders
from batllm_arcade.errors import ArcadeError, method_of, one_line, place_of_error
from batllm_arcade.match.records import Record
from batllm_arcade.plugin import hookspecs
from batllm_arcade.terminal.output import OutputError


class Observers:
    """Notifies observers one by one; one that fails is named and dropped, the others go on."""

    def __init__(self, problems: list[str] | None = None) -> None:
        self._observers: list[_Entry] = []
        self.problems = [] if problems is None else problems
        self.unwritten: OutputError | None = None
        """Why an observer was dropped that could not write its output, None while none was."""
        self.loss = ""
        """Why an observer that is `required` (a recorder) was dropped, "" while none was."""

    def add(self, name: str, observer: hookspecs.Observer) -> None:
        """Notify this observer from now on; recorders come first, so that nothing is shown that is not recorded."""
        with Dropping(name, self.problems) as attempt:
            required = bool(getattr(observer, "required", False))  # asked once: a property is a plugin's code
        if attempt.good:
            self._observers.append(_Entry(name, observer, required, method_of(observer, "notify")))
            self._observers.sort(key=lambda entry: not entry.required)

    @property
    def names(self) -> list[str]:
        """Return the plugins they are of."""
        return [entry.name for entry in self._observers]

    def notify(self, record: Record) -> None:
        """Pass a record to all observers, recorders first."""
        for entry in tuple(self._observers):
            with Dropping(entry.name, self.problems, plainly=entry.required, called=entry.code) as attempt:
                entry.observer.notify(record)
            if not attempt.good:
                self._observers.remove(entry)
                self.loss = self.loss or (attempt.problem if entry.required else "")
                self.unwritten = self.unwritten or attempt.unwritten


@dataclass(frozen=True, slots=True, eq=False)
class _Entry:
    """An observer, the plugin it is of, whether its failure loses something, and what of it is called."""

    name: str
    observer: Any
    required: bool
    code: object


class Dropping:
    """Turns whatever a plugin raises into one sentence, except KeyboardInterrupt; `good` if it raised nothing.

    With `plainly` an expected failure, which has a sentence of its own, is told in it alone.
    """

    def __init__(self, name: str, problems: list[str], *, plainly: bool = False, called: object = None) -> None:
        self._name, self._problems, self._plainly, self._called = name, problems, plainly, called
        self.good, self.problem = False, ""
        self.unwritten: OutputError | None = None

    def __enter__(self) -> Dropping:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _trace: object) -> bool:
        if error is None:
            self.good = True
            return True
        if isinstance(error, KeyboardInterrupt):
            return False
        self.unwritten = error if isinstance(error, OutputError) else None
        plain = self._plainly and isinstance(error, ArcadeError)
        told = one_line(error, 1000) if plain else without_folders(one_line(error, 1000))  # ours are named whole
        placed = plain or re.search(r"\([^()]+, line \d+\)$", told)
        place = "" if placed else place_of_error(error, self._called)
        self.problem = told if plain else f"the plugin {self._name!r} was dropped: {told[:300]}{place}"
        self._problems.append(self.problem)
        return True
