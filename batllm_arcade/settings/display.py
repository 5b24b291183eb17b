"""Display options: what a person may change about the picture."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Telegraphs = Literal["all", "own", "none"]


@dataclass(frozen=True, slots=True)
class DisplayOptions:
    """Options of the picture; `ui_scale` enlarges text (1.0 to 1.5), `bubbles` shows what bots think and say.

    With `camera` a match that is watched is shown larger where a shot meets a bot. `telegraphs` is what a person is
    shown in their turn: lines of fire and a sentence, what their `own` line strikes alone, or none of it: a bare line.
    """

    reduced_motion: bool = False
    screen_shake: bool = True
    freeze_frames: bool = True
    bubbles: bool = True
    camera: bool = True
    ui_scale: float = 1.0
    telegraphs: Telegraphs = "all"
