"""The `payload` and `gamepad` sections of a configuration: how payloads are built, what buttons do."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class PayloadStyle:
    """Options of payload v3.2."""

    mode: Literal["shared", "independent"] = "shared"
    """`independent`: a model sees its own orders and plays alone."""
    aug: bool = True
    """Adds the rules' figures, the states and a system message."""
    order: Literal["document", "append"] = "append"
    """`document`: the published order of the keys; `append`: first what stays the same, for a server's prefix cache."""
    decimals: int = 1
    """What numbers are rounded to."""
    raw_limit: int = 200
    """Characters to which replies in the history are cut."""
    history_window: int = 0
    """Finished turns that are shown, 0 for all."""
    arena_const: bool | None = None
    """Adds the arena's figures; None: with `append`."""
    sensors: bool | None = None
    """Adds bearing, distance and what follows from them; None: with `append`."""


BUTTONS = ("up", "down", "left", "right", "a", "b", "start", "select")


@dataclass(frozen=True, slots=True)
class Gamepad:
    """What each button of the virtual gamepad does: a command, or "" for nothing.

    `A` and `C` alone turn by `turn_degrees`, which a reply may replace for its own presses.
    """

    up: str = "M"
    down: str = "S1"
    left: str = "A"
    right: str = "C"
    a: str = "B"
    b: str = "S"
    start: str = ""
    select: str = "S0"
    turn_degrees: float = 15
    """How far `A` and `C` turn."""
