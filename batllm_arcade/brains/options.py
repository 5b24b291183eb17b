"""How payloads are built and buttons are read: the configuration's `payload` and `gamepad` sections."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class PayloadStyle:
    """Choices for payload v3.2; `decimals` is what numbers are rounded to, `raw_limit` what replies are cut to.

    `order` is `document` (the published key order) or `append` (what does not change within a round
    first, so that a server can reuse its prefix cache). `arena_const` and `sensors` add keys; None
    leaves that to the order: on for `append`, off for `document`. `history_window` is the number of
    finished turns shown, 0 for all.
    """

    mode: Literal["shared", "independent"] = "shared"
    aug: bool = True
    order: Literal["document", "append"] = "append"
    decimals: int = 1
    raw_limit: int = 200
    history_window: int = 0
    arena_const: bool | None = None
    sensors: bool | None = None


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
