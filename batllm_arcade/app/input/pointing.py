"""Aiming by mouse and stick."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise
from math import atan2, degrees, dist
from typing import Literal

from batllm_arcade.brains.protocol import View
from batllm_arcade.core.flight import bounce_points, flight, lined_up
from batllm_arcade.core.geometry import turn_between
from batllm_arcade.core.model import Rules
from batllm_arcade.core.rules import limited

# -- One player's aim

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
    most: float = LARGEST_TURN
    """Degrees of one turn at most, by the rules of this match."""
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
        """Return how far the aim has swung by `now`, degrees positive clockwise, at most what one play turns."""
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
            self._aim = max(-self.most, min(self.most, self._aim + self._sign * swung))
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


def most_turned(rules: Rules) -> float:
    """Return how many degrees one play turns at most."""
    return rules.turn_limit or LARGEST_TURN


def turn_command(direction: float | None, view: View) -> str | None:
    """Return the command of the turn to a direction, as far as one play goes; None for no direction or no turn."""
    if direction is None:
        return None
    turn = limited(direction - view.arena.bot(view.seat).rot, most_turned(view.rules))
    return turned(turn) if round(turn) else None


# -- A person aims with a pointer

Point = tuple[float, float]

DOUBLE_S = 0.26
"""Seconds within which a second click on the ground makes a step of both; a single one turns after them."""
GESTURE_S = 0.3
"""Seconds without the wheel after which turning it counts again: one push of it is one step."""
_MIDDLE = 0.5  # radii around the other bot's middle within which pointing means just that
_BESIDE = 0.5  # radii beside the barrel's line, where it meets the other bot, within which a click means that line
_bounces = lru_cache(maxsize=4)(bounce_points)  # asked for in every frame of a turn
_BODY = 1.25  # radii around the other bot within which a click is no click on the ground


@dataclass
class Pointing:
    """Where the pointer is in the arena (world units, None outside), and the click that has not counted yet."""

    at: Point | None = None
    used: bool = False
    """Whether the pointer was used last, and no key since."""
    _shown: bool = False
    _clicked: float | None = None  # when the button went down on the ground
    _meant: Point | None = None  # where it was clicked; as long as the button is down, it may be drawn elsewhere
    _held: bool = False
    _wheeled: float = -9.0

    def move(self, at: Point | None) -> None:
        """The pointer has moved: the line follows it while it is in the arena."""
        self.at, self._shown, self.used = at, at is not None, True
        if self._held and at is None:
            self.take_back()
        elif self._held:
            self._meant = at

    def rest(self) -> None:
        """Keys are used instead: the line follows the pointer again when that has moved."""
        self._shown = self.used = False
        self.take_back()

    def take_back(self) -> None:
        """The click that has not counted yet never will."""
        self._clicked, self._meant, self._held = None, None, False

    @property
    def pending(self) -> bool:
        """Whether a click has been made that has not counted yet."""
        return self._clicked is not None

    def direction(self, view: View) -> float | None:
        """Return where the person points, or has just clicked, in degrees; None where that is nowhere.

        It is exactly there, so that a bot's edge and a wall beside it can be aimed at; only the other's middle and the
        marks on the walls draw it to them.
        """
        at = self._pointed
        if at is None:
            return None
        me, foe = view.arena.bot(view.seat), view.arena.bot(1 - view.seat)
        to = (foe.x, foe.y) if _near_foe(at, view, _MIDDLE) else _bounce_near(at, view) or at
        if dist(to, (me.x, me.y)) < 1e-6:
            return None
        return degrees(atan2(to[1] - me.y, to[0] - me.x)) % 360

    @property
    def _pointed(self) -> Point | None:
        return self._meant if self._meant is not None else self.at if self._shown else None

    def fires(self, view: View) -> bool:
        """Return whether a click here would fire: the barrel is on the other bot, and the click on either.

        Where the barrel is on it off a wall, a click on the bot itself turns to it: who means the line clicks on that.
        """
        pointed, at, me = self.direction(view), self._pointed, view.arena.bot(view.seat)
        if pointed is None or at is None or not lined_up(view.arena, view.seat, view.rules):
            return False
        turn = turn_between(me.rot, pointed)
        if not round(turn):
            return True
        if _near_foe(at, view, _MIDDLE):
            return not banks(view)
        return abs(turn) <= _beside(view) and lined_up(view.arena, view.seat, view.rules, pointed)

    def press(self, view: View, now: float) -> str | None:
        """Take the button going down at `now` seconds; return the command that this gives at once, else None."""
        pointed = self.direction(view)
        if pointed is None:
            return None
        if self.fires(view):
            self.take_back()
            return "B"
        again = self._clicked is not None and now - self._clicked <= DOUBLE_S
        if again and self.at is not None and not _near_foe(self.at, view, _BODY):
            self.take_back()
            return "M"
        self._clicked, self._meant, self._held = now, self.at, True
        return None

    def release(self) -> None:
        """The button is up again."""
        self._held = False

    def due(self, view: View, now: float) -> str | None:
        """Return the turn of a click that no second one has followed, once that is sure; called once a frame."""
        if self._clicked is None or self._held or now - self._clicked <= DOUBLE_S:
            return None
        pointed = self.direction(view)
        self.take_back()
        return turn_command(pointed, view)

    def wheel(self, now: float) -> str | None:
        """Return the step of a wheel that begins to turn at `now` seconds, None while it goes on turning."""
        before, self._wheeled = self._wheeled, now
        return "M" if now - before > GESTURE_S else None


def banks(view: View) -> bool:
    """Return whether the barrel of the person's bot is on the other one by way of a wall."""
    me, foe = view.arena.bot(view.seat), view.arena.bot(1 - view.seat)
    way = flight(me, foe, view.rules)
    return way.hits and way.bounce is not None


def _near_foe(at: Point, view: View, radii: float) -> bool:
    foe = view.arena.bot(1 - view.seat)
    return dist(at, (foe.x, foe.y)) < radii * view.rules.bot_radius


def _bounce_near(at: Point, view: View) -> Point | None:
    points = _bounces(view.arena, view.seat, view.rules)
    return next((point for point in points if dist(at, point) < _MIDDLE * view.rules.bot_radius), None)


def _beside(view: View) -> float:
    """Return the degrees beside the barrel within which a click means its line: fewer the farther the other bot is."""
    me = view.arena.bot(view.seat)
    way = flight(me, view.arena.bot(1 - view.seat), view.rules)
    corners = [(me.x, me.y), *([way.bounce] if way.bounce is not None else []), way.end]
    length = sum(dist(*leg) for leg in pairwise(corners))
    return degrees(atan2(_BESIDE * view.rules.bot_radius, max(length, view.rules.bot_radius)))
