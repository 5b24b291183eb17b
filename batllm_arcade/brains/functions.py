"""Bots in four lines: what a `@bot` function sees, and the brain made from it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import asin, degrees, hypot
from random import Random
from typing import NamedTuple, TypeVar

from batllm_arcade.brains.protocol import BrainError, BrainKind, Decision, Spec, View
from batllm_arcade.core.commands import canonical, parse
from batllm_arcade.core.events import Event
from batllm_arcade.core.geometry import bearing, direction, ray_meets_circle, turn_between
from batllm_arcade.core.model import Arena, BotState, Part, Rules
from batllm_arcade.core.rules import part_struck, part_towards, step


class BotView:
    """A bot as a script sees it; lengths in the arena's unit, degrees positive clockwise.

    `charge` is what its battery holds, 0 under rules without a battery.
    """

    def __init__(self, state: BotState, rules: Rules, arena: Arena | None = None, seat: int = 0) -> None:
        self.x, self.y, self.rot = state.x, state.y, state.rot
        self.health, self.shield, self.charge = state.health, state.shield, state.charge
        self.rules = rules
        self._arena, self._seat = arena, seat

    @classmethod
    def pair(cls, arena: Arena, seat: int, rules: Rules) -> tuple[BotView, BotView]:
        """Return the views of the bot at a seat and of its opponent, which can `simulate`."""
        me, foe = (arena.right, arena.left) if seat else (arena.left, arena.right)
        return cls(me, rules, arena, seat), cls(foe, rules, arena, 1 - seat)

    @property
    def loaded(self) -> bool:
        """Whether its battery holds enough for a shot; always without a battery."""
        return not self.rules.battery or self.charge >= self.rules.shot_charge

    @property
    def bullet_damage(self) -> float:
        """What a bullet of this bot takes from a front that no shield covers."""
        return self.rules.bullet_damage[self._seat]

    def distance_to(self, other: BotView) -> float:
        """Between the two centres."""
        return hypot(other.x - self.x, other.y - self.y)

    def bearing_to(self, other: BotView) -> float:
        """How far to turn to face `other`, in (-180, 180]; 0 where both stand on one spot."""
        dx, dy = other.x - self.x, other.y - self.y
        return turn_between(self.rot, bearing(dx, dy)) if dx or dy else 0.0

    def aims_at(self, other: BotView) -> bool:
        """Whether a bullet fired now would touch `other`."""
        ux, uy = direction(self.rot)
        return ray_meets_circle(self.x, self.y, ux, uy, other.x, other.y, self.rules.bot_radius) is not None

    def strikes(self, other: BotView) -> Part | None:
        """Return the part of `other` that a bullet fired now would touch first, None where it would miss."""
        ux, uy = direction(self.rot)
        hit = ray_meets_circle(self.x, self.y, ux, uy, other.x, other.y, self.rules.bot_radius)
        return hit and part_struck(other.rot, hit[0] - other.x, hit[1] - other.y, self.rules)

    def menaces(self, other: BotView) -> bool:
        """Whether it could fire at `other` with its next play: aims, is loaded, and its shield is down."""
        return not self.shield and self.loaded and self.aims_at(other)

    def part_towards(self, other: BotView) -> Part:
        """Return which part of this bot is towards `other`: `front`, `side` or `back`."""
        return part_towards(self._state(), other._state(), self.rules)

    def covers(self, other: BotView) -> bool:
        """Whether this bot's shield, were it up, faces `other`."""
        return abs(self.bearing_to(other)) <= self.rules.shield_degrees

    def turn_to(self, other: BotView) -> str:
        """The token that faces `other`'s centre."""
        return turn_token(self.bearing_to(other), self._digits(other))

    def turn_away(self, other: BotView) -> str:
        """The token that faces directly away from `other`."""
        return turn_token((self.bearing_to(other) + 360.0) % 360.0 - 180.0)

    def _digits(self, other: BotView) -> int:
        # Two digits read well; a small target far away needs all of them.
        reach = max(self.distance_to(other), self.rules.bot_radius)
        return 2 if degrees(asin(self.rules.bot_radius / reach)) > 0.1 else 9

    def free_ahead(self) -> float:
        """How far the bot's edge is from the wall straight ahead."""
        ux, uy = direction(self.rot)
        radius, rules = self.rules.bot_radius, self.rules
        reach = [(rules.arena_width - radius - self.x) / ux if ux > 0 else (radius - self.x) / ux] if ux else []
        reach += [(rules.arena_height - radius - self.y) / uy if uy > 0 else (radius - self.y) / uy] if uy else []
        return max(0.0, min(reach))

    def simulate(self, token: str | None) -> Simulated:
        """Return what would happen if this bot played `token` now, the other bot as it is.

        The views in the answer can simulate, too: what the other would do then, and so on. Raises BrainError
        for a view that was made alone; the two of `BotView.pair` know each other.
        """
        if self._arena is None:
            raise BrainError("this view knows of no opponent; BotView.pair makes two that can simulate")
        arena = Arena(self._arena.left, self._state()) if self._seat else Arena(self._state(), self._arena.right)
        after, events = step(arena, self._seat, parse(token, self.rules.free_move), self.rules)
        me, foe = BotView.pair(after, self._seat, self.rules)
        return Simulated(me, foe, events)

    def _state(self) -> BotState:
        return BotState(self.x, self.y, self.rot, self.health, self.shield, self.charge)


class Simulated(NamedTuple):
    """What would happen: both bots after the play, `me` being the one that played, and the events of the rules."""

    me: BotView
    foe: BotView
    events: tuple[Event, ...]


def turn_token(turn: float, digits: int = 2) -> str:
    """The token that turns by `turn` degrees, positive clockwise, the shorter way round."""
    turn = turn_between(0.0, turn)
    return f"{'C' if turn >= 0 else 'A'}{canonical(f'{abs(turn):.{digits}f}')}"


@dataclass(frozen=True, slots=True)
class BotClock:
    """Where the game is; counters start at 1, `seconds_left` is None without a deadline."""

    game: int
    round: int
    turn: int
    rounds: int
    turns_per_round: int
    seconds_left: float | None
    rng: Random
    """The seat's own random stream: the only randomness that keeps a seeded game repeatable."""


DecideFunction = Callable[[BotView, BotView, BotClock], "str | None"]
_F = TypeVar("_F", bound=DecideFunction)
MARK = "__batllm_bot__"


def bot(name: str) -> Callable[[_F], _F]:
    """Offer the decorated `decide(me, foe, clock)` as a brain called `name`; it returns a token or None."""

    def mark(decide: _F) -> _F:
        setattr(decide, MARK, name)
        return decide

    return mark


class BotBrain:
    """A brain made of one function; its raw answer is its token."""

    def __init__(self, name: str, decide: DecideFunction) -> None:
        self._name, self._decide = name, decide

    def decide(self, view: View) -> Decision:
        """Ask the function; BrainError if what it returns is no text."""
        clock = BotClock(
            view.game, view.round, view.turn, view.rules.total_rounds, view.rules.turns_per_round,
            view.live.seconds_left(), view.rng,
        )  # fmt: skip
        me, foe = BotView.pair(view.arena, view.seat, view.rules)
        token = self._decide(me, foe, clock)
        if token is not None and not isinstance(token, str):
            raise BrainError(f"{self._name} returned {token!r:.60}; return a command's text or None")
        return Decision(token or "", token)


def bot_kind(name: str, decide: DecideFunction) -> BrainKind:
    """The brain kind of a `@bot` function; its docstring's first line is the summary."""

    def make(spec: Spec) -> BotBrain:
        spec.allow()
        return BotBrain(name, decide)

    lines = (decide.__doc__ or "").strip().splitlines()
    return BrainKind(name, lines[0] if lines else "a scripted bot", make)
