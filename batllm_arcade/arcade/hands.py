"""Held and released keys to commands, without pygame: a person's hands at one seat."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

Action = Literal["left", "right", "move", "fire", "shield"]
_TOKENS: dict[Action, str] = {"move": "M", "fire": "B", "shield": "S"}

SLOW, FASTER, MOST = 24.0, 70.0, 180.0
"""Degrees per second at first, degrees per second squared on top, degrees at most."""


@dataclass
class Hands:
    """Swings the aim while left or right is held and gives the turn's command when it is released."""

    _held: dict[Action, float] = field(default_factory=dict)
    _done: dict[Action, float] = field(default_factory=dict)

    def press(self, action: Action, now: float) -> str | None:
        """A key went down at `now` seconds; the command it gives at once, or None."""
        if action in ("left", "right"):
            self._held.setdefault(action, now)
            return None
        return None if self._held else _TOKENS[action]

    def release(self, action: Action, now: float) -> str | None:
        """A key came up; the turn's command when no aiming key is held any more."""
        if action not in self._held:
            return None
        self._done[action] = self._done.get(action, 0.0) + _swing(now - self._held.pop(action))
        if self._held:
            return None
        degrees = round(self.aim(now))
        self._done.clear()
        if degrees == 0:
            degrees = 1 if action == "right" else -1
        return f"{'C' if degrees > 0 else 'A'}{abs(degrees)}"

    @property
    def aiming(self) -> bool:
        """Whether an aiming key is held."""
        return bool(self._held)

    def aim(self, now: float) -> float:
        """How far the aim has swung, degrees positive clockwise, at most a half turn."""
        swung = {"right": 0.0, "left": 0.0, **self._done}
        for action, since in self._held.items():
            swung[action] += _swing(now - since)
        return max(-MOST, min(MOST, swung["right"] - swung["left"]))

    def let_go(self) -> None:
        """Forget what is held; nothing is committed."""
        self._held.clear()
        self._done.clear()


def _swing(seconds: float) -> float:
    return min(MOST, SLOW * seconds + FASTER * seconds * seconds)
