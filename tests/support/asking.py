"""A play that a model is asked for, the same in all tests of model brains."""

from __future__ import annotations

from random import Random
from typing import Any

from batllm_arcade import Live, View
from batllm_arcade.core.model import Arena, BotState, Rules

ARENA = Arena(BotState(200, 500, 0, 100, True), BotState(800, 500, 0, 100, True))


def a_view(number: int = 1, deadline_s: float | None = 20.0, live: Live | None = None, **more: Any) -> View:
    """What the left bot's model sees at the play of this number in a game's first round."""
    given: dict[str, Any] = {
        "seat": 0, "rules": Rules(), "game": 1, "round": 1, "turn": (number + 1) // 2, "number": number,
        "acting_order": (0, 1), "prompts": ("Attack!", "Hide."), "arena": ARENA, "initial": more.get("arena", ARENA),
        "system_header": "Duel.", "rng": Random(7), "live": live or Live(deadline_s),
    }  # fmt: skip
    return View(**{**given, **more})
