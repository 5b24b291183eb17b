"""The hooks a plugin may implement; mark an implementation with `batllm_arcade.hookimpl`."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Protocol

import pluggy

from batllm_arcade.brains.protocol import BrainKind
from batllm_arcade.match.records import Record

PROJECT = "batllm_arcade"
hookspec = pluggy.HookspecMarker(PROJECT)
hookimpl = pluggy.HookimplMarker(PROJECT)


class Observer(Protocol):
    """Receives every record of a match. With `required = True` its failure ends the match, exit code 1."""

    def notify(self, record: Record) -> None:
        """Receive the next record of the match; called before the window shows it, one record at a time."""
        ...


class Session(Protocol):
    """The session an observer is made for; `history` is the session file to write, None for no file.

    `console` is how the match is printed: `conversation`, `plays` (a line each), or "" for not at all.
    """

    @property
    def history(self) -> Path | None: ...
    @property
    def console(self) -> str: ...


@hookspec
def batllm_brains() -> Iterable[BrainKind]:  # type: ignore[empty-body]
    """Return the kinds of brain this plugin offers; called once, when the plugins are loaded."""


@hookspec
def batllm_observer(session: Session) -> Observer | None:
    """Return a new observer for this session, or None; called once, before the session starts."""
