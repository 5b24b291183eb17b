"""The `payload` and `gamepad` sections of a configuration: how payloads are built, what buttons do."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class PayloadStyle:
    """Options of payload v3.2.

    `aug` adds the figures of the arena and a system header. `order` is `document` (the published key
    order) or `append` (keys that do not change within a round first, so that a server can reuse its
    prefix cache). Numbers are rounded to `decimals`, replies in the history cut to `raw_limit` characters.
    `history_window` is the number of finished turns shown, 0 for all. `arena_const` and `sensors` add keys;
    None means on for `append`, off for `document`.
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
