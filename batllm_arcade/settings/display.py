"""Display options: what a person may change about the picture."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class DisplayOptions:
    """Options of the picture; `ui_scale` enlarges text (1.0 to 1.5), `bubbles` shows what bots think and say."""

    reduced_motion: bool = False
    screen_shake: bool = True
    freeze_frames: bool = True
    bubbles: bool = True
    ui_scale: float = 1.0
