"""One player's aim, without pygame: held keys swing it, a stick points it, taps are commands."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import Literal

Action = Literal["left", "right", "move", "retreat", "fire", "shield", "fine", "wait"]
Side = Literal["left", "right"]
WAIT = ""
"""What a person hands in to do nothing on purpose."""
BACK = "M-"
"""What stands for a step back until the rules say how far it goes."""
TOKENS: dict[Action, str] = {"move": "M", "retreat": BACK, "fire": "B", "shield": "S", "wait": WAIT}
"""The commands of actions that one press gives."""
HELD: tuple[Action, ...] = ("move", "retreat", "shield")
"""Actions that are done when their key is let go: while it is held, a person sees what would come of them."""

TAP_S = 0.13
"""Seconds a key may be down and still be a tap, which turns by one degree."""
START_SPEED = 14.0
"""Degrees per second at which the aim begins to turn while a key is held."""
ACCELERATION = 150.0
"""Degrees per second squared by which it gets faster."""
TOP_SPEED = 210.0
"""Degrees per second at most."""
LARGEST_TURN = 180.0
"""Degrees of one turn at most."""
FINE, STICKY = 12.0, 55.0
"""Degrees per second while the key for fine aiming is held, and at most while the aim rests on the other bot."""

SETTLED_S = 0.09
"""Seconds before a stick is let go in which its direction does not count: it is on its way back."""
POINTED_S = 0.12
"""Seconds a stick has to point for its release to be a turn: a knock against it does not count."""


@dataclass
class Aiming:
    """Swings the aim while left or right is held and gives the turn's command when both are up.

    The key pressed last swings, slowly at first. Once it is up again while the other one is still
    held, the aim stands still: overshooting is put right by tapping the other way.
    """

    fine: bool = False
    """Whether the key for fine aiming is held."""
    sticky: bool = False
    """Whether the aim rests on the other bot, and so swings slowly enough to be let go there."""
    chosen: Action | None = None
    """The action that is done once its key is let go."""
    _held: dict[Side, float] = field(default_factory=dict)
    _swinging: Side | None = None
    _aim: float = 0.0
    _at: float = 0.0  # when `_aim` was true
    _began: float = 0.0  # when the swing under way began
    _pushed: int = 0  # the sign of the key pressed first

    def press(self, action: Action, now: float) -> str | None:
        """Take a key that went down at `now` seconds; return the command it gives at once, or None.

        A key beside one that is held does what that one was to do, but the shield's takes a step or a turn back.
        """
        if action == "fine":
            self._move_on(now)
            self.fine = True
            return None
        if self.chosen is not None and action != self.chosen:
            return self._settled(action)
        if action in ("left", "right"):
            self._swing(action, now)
            return None
        if self._held:
            if action == "shield":
                self.let_go()  # a change of mind: the turn is not made
            return None
        if action in HELD:
            self.chosen = action
            return None
        return TOKENS[action]

    def _settled(self, other: Action) -> str | None:
        """Return the command of the action held, as another key goes down; None where that takes it back."""
        chosen, self.chosen = self.chosen, None
        return None if other == "shield" or chosen is None else TOKENS[chosen]

    def _swing(self, side: Side, now: float) -> None:
        if side in self._held:
            return
        self._move_on(now)
        if not self._held:
            self._aim, self._pushed = 0.0, 1 if side == "right" else -1
        self._held[side] = self._began = self._at = now
        self._swinging = side
        self._aim += self._sign

    def release(self, action: Action, now: float) -> str | None:
        """Take a key that came up; return what it was held for, a turn once no aiming key is held, else None."""
        if action == self.chosen:
            self.chosen = None
            return TOKENS[action]
        if action == "fine":
            self._move_on(now)
            self.fine = False
        if action not in ("left", "right") or action not in self._held:
            return None
        self._move_on(now)
        del self._held[action]
        if action == self._swinging:
            self._swinging = None
        return None if self._held else turned(self._aim, self._pushed)

    @property
    def aiming(self) -> bool:
        """Whether an aiming key is held."""
        return bool(self._held)

    def aim(self, now: float) -> float:
        """Return how far the aim has swung by `now`, degrees positive clockwise, at most a half turn."""
        self._move_on(now)
        return self._aim

    def let_go(self) -> None:
        """Forget what is held; nothing is committed."""
        self.chosen = None
        self._held.clear()
        self._swinging = None

    @property
    def _sign(self) -> int:
        return 0 if self._swinging is None else 1 if self._swinging == "right" else -1

    def _move_on(self, now: float) -> None:
        """Bring the aim up to `now`; one degree at once, then nothing until it is no tap any more."""
        if self._swinging is not None and now > self._at:
            if self.fine:
                swung = FINE * (now - max(self._at, self._began + TAP_S)) if now > self._began + TAP_S else 0.0
            else:
                swung = _swung(now - self._began) - _swung(self._at - self._began)
                swung = min(swung, STICKY * (now - self._at)) if self.sticky else swung
            self._aim = max(-LARGEST_TURN, min(LARGEST_TURN, self._aim + self._sign * swung))
        self._at = max(self._at, now)


def _swung(held: float) -> float:
    """Return the degrees that a key held for so many seconds swings beyond its first degree."""
    seconds = max(0.0, held - TAP_S)
    until = (TOP_SPEED - START_SPEED) / ACCELERATION
    if seconds <= until:
        return START_SPEED * seconds + ACCELERATION * seconds * seconds / 2
    return START_SPEED * until + ACCELERATION * until * until / 2 + TOP_SPEED * (seconds - until)


def turned(degrees: float, sign: int = 1) -> str:
    """Return the command for a turn in whole degrees, positive clockwise; at least one, then with this sign."""
    whole = round(degrees) or sign
    return f"{'C' if whole > 0 else 'A'}{abs(whole)}"


@dataclass
class Stick:
    """A stick that points where the bot is to look; letting it go commits where it pointed before its way back."""

    _pointed: deque[tuple[float, float]] = field(default_factory=deque)  # (seconds, degrees), the oldest first
    _since: float | None = None
    _refused: bool = False

    def feel(self, direction: float | None, now: float) -> float | None:
        """Take where the stick points at `now`, None in the middle; return the direction once it has been let go."""
        if direction is None:
            since, self._since, refused, self._refused = self._since, None, self._refused, False
            settled = [degrees for at, degrees in self._pointed if at <= now - SETTLED_S]
            self._pointed.clear()
            long_enough = since is not None and now - since >= POINTED_S + SETTLED_S
            return settled[-1] if settled and long_enough and not refused else None
        if self._since is None:
            self._since = now
        self._pointed.append((now, direction))
        while len(self._pointed) > 1 and self._pointed[1][0] <= now - SETTLED_S:
            self._pointed.popleft()
        return None

    @property
    def direction(self) -> float | None:
        """Where it points now, None in the middle or after a change of mind."""
        return self._pointed[-1][1] if self._pointed and not self._refused else None

    def refuse(self) -> None:
        """Nothing is committed until the stick has been in the middle again."""
        self._refused = self._since is not None

    def let_go(self) -> None:
        """Forget where it pointed."""
        self._pointed.clear()
        self._since, self._refused = None, False


def turn_to(direction: float, rot: float) -> float:
    """Return the shorter turn from `rot` to `direction`, in degrees, positive clockwise."""
    return (direction - rot + 180) % 360 - 180
