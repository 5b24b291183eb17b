"""How payloads are built: the configuration's `payload` section."""

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
