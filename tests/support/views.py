"""A moment of a match as a brain is shown it."""

from __future__ import annotations

from typing import Any

from batllm_arcade.brains.protocol import View
from batllm_arcade.core.model import Arena, BotState, Rules

BOT = BotState(100, 100, 0, 100, True)


def view(**how: Any) -> View:
    """The first play of the left bot under the usual rules, but for what is given."""
    arena = how.pop("arena", Arena(BOT, BOT))
    usual = {
        "seat": 0, "rules": Rules(), "game": 1, "round": 1, "turn": 1, "number": 1, "acting_order": (0, 1),
        "prompts": ("", ""), "arena": arena, "initial": arena,
    }  # fmt: skip
    return View(**(usual | how))
