"""A person aims with a pointer, without pygame: the line goes to it, a click turns there or fires, two are a step."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from math import atan2, degrees, dist

from batllm_arcade.app.input.aiming import turn_to, turned
from batllm_arcade.brains.protocol import View
from batllm_arcade.core.flight import bounce_points, flight, lined_up

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
        turn = turn_to(pointed, me.rot)
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
        turn = 0.0 if pointed is None else turn_to(pointed, view.arena.bot(view.seat).rot)
        return turned(turn) if round(turn) else None

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
    """Return the point on a wall beside this one off which a shot would strike, None where there is none."""
    points = _bounces(view.arena, view.seat, view.rules)
    return next((point for point in points if dist(at, point) < _MIDDLE * view.rules.bot_radius), None)


def _beside(view: View) -> float:
    """Return the degrees beside the barrel within which a click means its line: fewer the farther the other bot is."""
    me = view.arena.bot(view.seat)
    way = flight(me, view.arena.bot(1 - view.seat), view.rules)
    corners = [(me.x, me.y), *([way.bounce] if way.bounce is not None else []), way.end]
    length = sum(dist(*leg) for leg in pairwise(corners))
    return degrees(atan2(_BESIDE * view.rules.bot_radius, max(length, view.rules.bot_radius)))
