"""How well a brain plays: three levels, and what a rookie does worse; never a secret spread of its aim."""

from __future__ import annotations

from random import Random

from batllm_arcade.brains.protocol import Spec
from batllm_arcade.errors import UsageError

LEVELS = ("rookie", "regular", "merciless")
HESITATES = 0.25
"""A rookie's chance to do nothing in a play."""
FORGETS = 0.5
"""A rookie's chance to forget about its shield when it would raise it."""


def level_of(spec: Spec) -> str:
    """Return the option `level` of a brain, `regular` without it; raise UsageError for any other word."""
    level = spec.text("level", "regular")
    if level not in LEVELS:
        raise UsageError(f"level of {spec.name} must be one of {', '.join(LEVELS)}, not {level!r}")
    return level


def rookie_lapse(command: str | None, rng: Random) -> str:
    """Return why a rookie does nothing instead of a command, "" if it carries it out; draws once or twice."""
    if rng.random() < HESITATES:
        return "hesitating"
    return "forgetting the shield" if command == "S1" and rng.random() < FORGETS else ""
