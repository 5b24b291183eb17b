"""Bots in four lines: what they see, a function, a class or a generator with `@bot`, and the brain made of it."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, fields
from math import asin, degrees, hypot
from random import Random
from typing import Any, NamedTuple, TypeVar, Union

from batllm_arcade.brains.protocol import BrainError, BrainKind, Decision, Spec, View
from batllm_arcade.core.commands import Move, canonical
from batllm_arcade.core.events import Event
from batllm_arcade.core.flight import BankShot, bank_shots, damage, part_struck, part_towards, strikes, struck
from batllm_arcade.core.geometry import bearing, direction, turn_between
from batllm_arcade.core.model import Arena, BotState, Part, Rules
from batllm_arcade.core.rules import read_command, runs_into, step
from batllm_arcade.errors import UsageError, named, place_of_code


class BotView:
    """A bot as a script sees it; lengths in the arena's unit, degrees positive clockwise.

    `charge` is what its battery holds, 0 under rules without a battery.
    """

    def __init__(self, state: BotState, rules: Rules, arena: Arena | None = None, seat: int = 0) -> None:
        self.x, self.y, self.rot = state.x, state.y, state.rot
        self.health, self.shield, self.charge = state.health, state.shield, state.charge
        self.rules = rules
        self._given, self._arena, self._seat = state, arena, seat

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
    def full_health(self) -> float:
        """Its health at the start of a game."""
        return self.rules.initial_health[self._seat]

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
        """Whether a bullet fired now would touch `other`, by the rule `ricochet` also off a wall."""
        return struck(self, other, direction(self.rot), self.rules) is not None

    def strikes(self, other: BotView) -> Part | None:
        """Return the part of `other` that a bullet fired now would touch first, None where it would miss."""
        return strikes(self, other, self.rules)

    def strike(self, other: BotView) -> Strike | None:
        """Return what a bullet fired now would do to `other` if no shield stops it; None where it would miss."""
        hit = struck(self, other, direction(self.rot), self.rules)
        if hit is None:
            return None
        (x, y), bounce = hit
        part = part_struck(other.rot, x - other.x, y - other.y, self.rules)
        return Strike(part, damage(self._seat, part, self.rules, bounced=bounce is not None), bounce is not None)

    def banks(self, other: BotView) -> tuple[BankShot, ...]:
        """Return the aims off a wall that would strike `other` as it stands, best first; none without `ricochet`.

        Each has the `turn` to it, the `bounce` on the wall, the `part` it strikes and the `damage` it would take now.
        With a `turn_limit` they are those that one play turns to.
        """
        return bank_shots(Arena.of(self._seat, self._state(), other._state()), self._seat, self.rules)

    @property
    def back(self) -> str | None:
        """The token of a step back, None where the rules have none."""
        return f"M-{self.rules.back_step}" if self.rules.back_step else None

    def faces(self, other: BotView) -> bool:
        """Whether a bullet fired now would touch `other` on a straight way, not off a wall."""
        hit = struck(self, other, direction(self.rot), self.rules)
        return hit is not None and hit[1] is None

    def menaces(self, other: BotView) -> bool:
        """Whether it could fire at `other` with its next play: aims, is loaded, and its shield is down."""
        return not self.shield and self.loaded and self.aims_at(other)

    def part_towards(self, other: BotView) -> Part:
        """Return which part of this bot is towards `other`: `front`, `side` or `back`."""
        return part_towards(self._state(), other._state(), self.rules)

    def covers(self, other: BotView) -> bool:
        """Whether this bot's shield, were it up, faces `other`."""
        return abs(self.bearing_to(other)) <= self.rules.shield_degrees

    def is_shielded_from(self, other: BotView) -> bool:
        """Whether this bot's shield is up and faces `other`."""
        return self.shield and self.covers(other)

    def would_hit(self, other: BotView) -> bool:
        """Whether a shot now would take health from `other`: it is loaded, aims, and no shield is in the way."""
        part = self.strikes(other)
        return part is not None and self.loaded and not self.shield and not (other.shield and part == "front")

    def line_to(self, other: BotView) -> Sightline:
        """Return the line from here to `other`: the turn to it, its length, and what a bullet along it would meet."""
        return Sightline(
            self.bearing_to(other), self.distance_to(other), self.aims_at(other), other.is_shielded_from(self)
        )

    def can_step(self, other: BotView) -> bool:
        """Whether there is room for at least half a step, and `other` not in the way."""
        touching = self.distance_to(other) < 2.1 * self.rules.bot_radius and abs(self.bearing_to(other)) < 90
        return self.free_ahead() >= 0.5 * self.rules.step_length and not touching

    def can_step_back(self, other: BotView) -> bool:
        """Whether the rules have a back step and there is room for at least half of it, `other` not in the way."""
        touching = self.distance_to(other) < 2.1 * self.rules.bot_radius and abs(self.bearing_to(other)) > 90
        return bool(self.rules.back_step) and self.free_ahead(180.0) >= 0.5 * self.rules.back_step and not touching

    def bumps(self, other: BotView) -> bool:
        """Whether a step now would run into `other` and, by the rules, shove or turn it."""
        return runs_into(Arena.of(self._seat, self._state(), other._state()), self._seat, Move(None, "M"), self.rules)

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

    def free_ahead(self, turn: float = 0.0) -> float:
        """How far the bot's edge is from the wall straight ahead, or `turn` degrees from there."""
        ux, uy = direction((self.rot + turn) % 360.0 if turn else self.rot)
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
        state = self._state()
        arena = self._arena if state is self._given else self._arena.replaced(self._seat, state)
        after, events = step(arena, self._seat, read_command(token, self.rules), self.rules)
        me, foe = BotView.pair(after, self._seat, self.rules)
        return Simulated(me, foe, events)

    def _state(self) -> BotState:
        # Who looks ahead asks for it a million times, and hardly ever has anybody changed a figure of a view.
        was, same = self._given, self.rot == self._given.rot
        if same and (was.x, was.y, was.shield, was.charge, was.health) == (
            self.x, self.y, self.shield, self.charge, self.health,
        ):  # fmt: skip
            return was
        return BotState(self.x, self.y, self.rot, self.health, self.shield, self.charge)


class _GivenView(BotView):
    """A view as a bot is given it: what is set in it would change nothing in the game."""

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"a view cannot be changed: {name} cannot be set, but in a copy.copy of it")

    def __copy__(self) -> BotView:
        view = BotView.__new__(BotView)
        vars(view).update(vars(self))
        return view


_GivenView.__name__ = "BotView"  # as it is called in what an author is told


class Strike(NamedTuple):
    """What a bullet would do: the `part` it strikes, the `damage` it takes there; `off_wall`: it bounced before."""

    part: Part
    damage: float
    off_wall: bool


class Simulated(NamedTuple):
    """What would happen: both bots after the play, `me` being the one that played, and the events of the rules."""

    me: BotView
    foe: BotView
    events: tuple[Event, ...]


class Sightline(NamedTuple):
    """A straight line to another bot: `turn` to face it in degrees, positive clockwise, and its `distance`.

    `aimed`: a bullet fired now would touch the other bot; `blocked`: its shield is in the way.
    """

    turn: float
    distance: float
    aimed: bool
    blocked: bool


def turn_token(turn: float, digits: int = 2) -> str:
    """The token that turns by `turn` degrees, positive clockwise, the shorter way round."""
    turn = turn_between(0.0, turn)
    return f"{'C' if turn >= 0 else 'A'}{canonical(f'{abs(turn):.{digits}f}')}"


@dataclass(frozen=True, slots=True)
class BotClock:
    """Where the game is; counters start at 1."""

    game: int
    round: int
    turn: int
    rounds: int
    """How many rounds the game has at most."""
    turns_per_round: int
    """How many turns each of them has."""
    seconds_left: float | None
    """Until the deadline of this play, None without one."""
    rng: Random
    """The seat's own random stream: the only randomness that keeps a seeded game repeatable."""
    orders: str = ""
    """The player's orders."""

    def ordered(self, word: str) -> bool:
        """Whether the player's orders hold this word, whatever its case."""
        return re.search(rf"\b{re.escape(word)}\b", self.orders, re.IGNORECASE) is not None


class Reply(NamedTuple):
    """A bot's answer with more than its command."""

    command: str | None
    """A command's text, None to do nothing."""
    thought: str = ""
    """Shown beside the bot."""
    say: str = ""
    """Said aloud, in a speech bubble."""


Answer = Union[str, Reply, None]
DecideFunction = Callable[[BotView, BotView, BotClock], Any]
"""Returns a command's text, a Reply, or None for nothing; as a generator function it yields them, a play each."""
_F = TypeVar("_F", bound=Callable[..., Any])
MARK = "__batllm_bot__"
ORDERS = "__batllm_orders__"


def bot(name: str, *, prompted: bool | Sequence[str] = False) -> Callable[[_F], _F]:
    """Offer the decorated function, generator function or class as a brain called `name`.

    The function `decide(me, foe, clock)` returns a token, a Reply or None for nothing. A generator function plans:
    each `yield` is a play, after which `me`, `foe` and `clock` are up to date; one that ends is started again. A class
    is made anew for every game, and its method `decide(me, foe, clock)` called. `prompted` says that `clock.orders`
    matter, or names the orders that the bot takes.
    """

    if not isinstance(name, str):
        raise UsageError(f'@bot needs a name: write @bot("{getattr(name, "__name__", "turret")}")')

    def mark(decide: _F) -> _F:
        _check_form(name, decide)
        setattr(decide, MARK, name)
        setattr(decide, ORDERS, prompted)
        return decide

    return mark


def _check_form(name: str, decide: Any) -> None:
    made = isinstance(decide, type)
    asked = getattr(decide, "decide", None) if made else decide
    if not callable(asked):
        lacks = "has no method decide(self, me, foe, clock)" if made else "is no function and no class"
        raise UsageError(f"the bot {name!r} {lacks}")
    if inspect.iscoroutinefunction(asked) or inspect.isasyncgenfunction(asked):
        raise UsageError(f"the bot {name!r} is async, and nobody would await it; leave async out")
    own = made and not isinstance(inspect.getattr_static(decide, "decide"), (staticmethod, classmethod))
    if not _takes(asked, 3 + own):
        raise UsageError(f"the bot {name!r} must take me, foe and clock: def decide({'self, ' * own}me, foe, clock)")
    if made and not _takes(decide, 0):
        raise UsageError(f"the bot {name!r} is made anew for every game, without arguments: def __init__(self)")


def _takes(function: Callable[..., Any], arguments: int) -> bool:
    try:
        inspect.signature(function).bind(*[None] * arguments)
    except TypeError:
        return False
    except ValueError:  # something built in, which does not say
        return True
    return True


class BotBrain:
    """A brain made of a function, a generator function or a class; its raw answer is its token."""

    def __init__(self, name: str, decide: DecideFunction | type) -> None:
        self._name, self._code = name, getattr(decide, "decide", decide)
        self._decide, self._ask = decide, _asked(decide)

    def decide(self, view: View) -> Decision:
        """Ask the bot; BrainError if what it returns is no text and no Reply."""
        clock = BotClock(
            view.game, view.round, view.turn, view.rules.total_rounds, view.rules.turns_per_round,
            view.live.seconds_left(), view.rng, view.prompt,
        )  # fmt: skip
        me, foe = BotView.pair(view.arena, view.seat, view.rules)
        me.__class__ = foe.__class__ = _GivenView  # not made as such: looking ahead makes a million of them
        answer = self._ask(me, foe, clock)
        reply = answer if isinstance(answer, Reply) else Reply(answer)
        token = reply.command
        if token is not None and not isinstance(token, str):
            said = f"{self._name} returned {named(token)}; return a command's text, a Reply or None"
            raise BrainError(said + place_of_code(self._code))
        return Decision(token or "", token, reply.thought, reply.say)

    @property
    def memory(self) -> Any:
        """What the bot remembers of the game, to be copied, None if it is a function; BrainError inside a generator."""
        asked = getattr(self._ask, "__self__", None)
        if isinstance(asked, _Plans) and asked.running:
            raise BrainError(f"{self._name} is a generator, which cannot be copied; write it as a class")
        return vars(asked) if isinstance(asked, _Instances) else None

    @memory.setter
    def memory(self, remembered: Any) -> None:
        """What the bot remembers of the game, to be copied, None if it is a function."""
        if remembered is not None:
            vars(self._ask.__self__).update(remembered)  # type: ignore[attr-defined]

    def end_game(self, _result: Any) -> None:
        """Begin anew with the next play, whatever the number of its game: leagues keep a bot for many a game 1."""
        self._ask = _asked(self._decide)


def _asked(decide: DecideFunction | type) -> DecideFunction:
    if isinstance(decide, type):
        return _Instances(decide).ask
    return _Plans(decide).ask if inspect.isgeneratorfunction(decide) else decide


class _Instances:
    """Asks an object of a class, another one for every game."""

    def __init__(self, made: type) -> None:
        self._made, self._game = made, 0
        self._bot: Any = None

    def ask(self, me: BotView, foe: BotView, clock: BotClock) -> Any:
        if clock.game != self._game:
            self._bot, self._game = self._made(), clock.game
        return self._bot.decide(me, foe, clock)


class _Plans:
    """Asks a generator for play after play; one that ends, or that another brain came between, begins again."""

    def __init__(self, decide: DecideFunction) -> None:
        self._decide = decide
        self._plan: Generator[Any, None, Any] | None = None
        self._seen: tuple[BotView, BotView, BotClock] | None = None

    @property
    def running(self) -> bool:
        return self._plan is not None

    def ask(self, me: BotView, foe: BotView, clock: BotClock) -> Any:
        plan, seen = self._plan, self._seen
        if plan is not None and seen is not None and _follows(seen[2], clock):
            for old, new in zip(seen[:2], (me, foe), strict=True):
                vars(old).update(vars(new))
            for each in fields(BotClock):
                object.__setattr__(seen[2], each.name, getattr(clock, each.name))
            going, answer = self._next(plan)
            if going or answer is not None:
                return answer
        self._seen = (me, foe, clock)
        self._plan = self._decide(me, foe, clock)
        return self._next(self._plan)[1]

    def _next(self, plan: Generator[Any, None, Any]) -> tuple[bool, Any]:
        """Return whether the plan goes on, and its next command, or that with which it ended."""
        self._plan = None
        try:
            answer = next(plan)
        except StopIteration as end:
            return False, end.value
        self._plan = plan
        return True, answer


def _follows(before: BotClock, now: BotClock) -> bool:
    """Whether nobody else can have played the seat between these two plays."""
    same_round = (before.game, before.round, before.turn + 1) == (now.game, now.round, now.turn)
    return same_round or (before.game, before.round + 1, 1) == (now.game, now.round, now.turn)


def bot_kind(name: str, decide: DecideFunction | type) -> BrainKind:
    """The brain kind of a `@bot`; its docstring's first line is the summary."""

    def make(spec: Spec) -> BotBrain:
        spec.allow()
        return BotBrain(name, decide)

    lines = (decide.__doc__ or "").strip().splitlines()
    prompted = getattr(decide, ORDERS, False)
    orders = "" if isinstance(prompted, bool) else f"; takes the orders {', '.join(map(str, prompted))}"
    summary = (lines[0] if lines else "a scripted bot") + orders
    return BrainKind(name, summary, make, prompted=bool(prompted), place=place_of_code(decide))
