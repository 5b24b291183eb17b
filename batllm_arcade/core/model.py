"""What the game is made of: the rules' figures, a bot's state, the arena."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from math import hypot
from typing import Any, Literal

from batllm_arcade.errors import ArcadeError, is_whole, quoted

SeatName = Literal["left", "right"]
SEATS: tuple[SeatName, SeatName] = ("left", "right")
"""Seat names by bot index: bot 0 sits left, bot 1 sits right."""

Part = Literal["front", "side", "back"]
"""A part of a bot, seen from its middle: its front is what its shield covers, its back the same arc behind it."""

DECIMALS = 9
"""States are rounded to this many decimals after every play."""

CHARGES = ("initial_charge", "shot_charge", "block_charge", "shield_charge", "step_charge", "rest_charge")
"""The figures of the battery; without a battery they mean nothing."""


def plain(number: float) -> float:
    """A number as files and payloads hold it: whole ones without a point."""
    return int(number) if number == int(number) else number


_LONGEST_BACK_STEP = 9999  # the command M-<back_step> has four digits
_LARGEST = 1_000_000  # beyond this a float cannot keep a state's 9 decimals


class RulesError(ArcadeError):
    """A figure of the rules is missing, of the wrong type or out of range."""


@dataclass(frozen=True, slots=True)
class Rules:
    """The figures a game is played with; lengths share the arena's unit, angles are degrees, charges are whole numbers.

    Raises RulesError where a figure makes no playable game.
    """

    arena_width: float = 1000
    """From the left wall to the right one."""
    arena_height: float = 1000
    """From the upper wall to the lower one."""
    bot_radius: float = 50
    """Of both bots, which are circles."""
    step_length: float = 50
    """How far `M` goes."""
    bullet_damage: tuple[float, float] = (5, 5)
    """What a bullet takes from a front, one value a bot, left first: that of its own bullets."""
    shield_degrees: float = 64
    """How far a shield reaches to either side of its bot's direction, and so the front."""
    initial_health: tuple[float, float] = (100, 100)
    """Health at the start, one value a bot, left first."""
    initial_shield: bool = True
    """Whether the shields are up at the start."""
    bots_collide: bool = True
    """Whether a bot stops where it touches the other."""
    free_move: bool = False
    """Whether `M<d>` moves d units, backwards if negative."""
    total_rounds: int = 3
    """Rounds in a game, unless a knock-out ends it."""
    turns_per_round: int = 20
    """Turns in a round; in each both bots act once."""
    battery: int = 0
    """What a bot's battery holds, 0 for no battery; the charges mean nothing without one."""
    initial_charge: int = 3
    """What it holds at the start."""
    shot_charge: int = 3
    """What a shot takes."""
    block_charge: int = 2
    """What blocking a bullet takes."""
    shield_charge: int = 1
    """What a play behind the own shield takes."""
    step_charge: int = 3
    """What a step gives that gets at least half a `step_length` far."""
    rest_charge: int = 1
    """What any other play without the shield gives."""
    side_damage: float = 1
    """Times the damage in the side."""
    back_damage: float = 1
    """Times the damage in the back."""
    ricochet: int = 0
    """1: a bullet that meets no bot bounces off the wall, once."""
    bounce_cap: float = 1
    """Times the damage at most after a bounce, wherever it strikes; 0 for no such limit."""
    back_step: int = 0
    """How far `M-<back_step>` goes backwards, 0 for no back step."""
    turn_limit: float = 0
    """How many degrees a play turns at most, 0 for no limit; a longer turn ends there."""
    bump_push: float = 0
    """How far a step that the other bot stops shoves it along the step, 0 for not at all."""
    bump_turn: float = 0
    """By how many degrees, clockwise, such a step turns the other bot, 0 for not at all."""
    start_spread: float = 0
    """At the start each bot looks within so many degrees of the other, 0 for anywhere."""
    second_charge: int = 0
    """What who acts second in round 1 has more in its battery at the start."""

    def __post_init__(self) -> None:
        for name in ("arena_width", "arena_height", "bot_radius", "step_length"):
            _need(getattr(self, name) > 0, name, "above 0", getattr(self, name))
        _need(0 <= self.shield_degrees <= 180, "shield_degrees", "from 0 to 180", self.shield_degrees)
        for value in self.bullet_damage:
            _need(value >= 0, "bullet_damage", "0 or more", value)
        for value in self.initial_health:
            _need(value > 0, "initial_health", "above 0", value)
        for name in ("total_rounds", "turns_per_round"):
            _need(getattr(self, name) >= 1, name, "1 or more", getattr(self, name))
        for name in ("side_damage", "back_damage"):
            _need(getattr(self, name) >= 0, name, "0 or more", getattr(self, name))
        self._check_battery()
        _need(self.ricochet in (0, 1), "ricochet", "0 or 1", self.ricochet)
        _need(not self.ricochet or self.bounce_cap >= 0, "bounce_cap", "0 or more", self.bounce_cap)
        self._check_back_step()
        self._check_contact()
        room = hypot(self.arena_width - 2 * self.bot_radius, self.arena_height - 2 * self.bot_radius)
        fits = min(self.arena_width, self.arena_height) >= 2 * self.bot_radius
        _need(
            fits and room >= 4 * self.bot_radius,
            "bot_radius",
            "small enough for two bots to stand apart",
            self.bot_radius,
        )

    @property
    def bumps(self) -> bool:
        """Whether a step into the other bot shoves or turns it."""
        return self.bump_push > 0 or self.bump_turn > 0

    @property
    def has_armour(self) -> bool:
        """Whether it matters where a bullet strikes."""
        return self.side_damage != 1 or self.back_damage != 1

    def _check_battery(self) -> None:
        _need(is_whole(self.battery, 0, _LARGEST), "battery", "a whole number from 0 to 1000000", self.battery)
        for name in CHARGES if self.battery else ():
            charge = getattr(self, name)
            _need(
                is_whole(charge, 0, self.battery),
                name,
                f"a whole number from 0 to the battery's {self.battery}",
                charge,
            )

    def _check_back_step(self) -> None:
        """Check the back step; half a step is a knife edge: the step forward after it would load or not by chance."""
        back = self.back_step
        if is_whole(back, 0, 0):
            return
        most = min(int(self.step_length), _LONGEST_BACK_STEP)
        good = is_whole(back, 1, most) and 2 * back != self.step_length
        some = f" or a whole number from 1 to {most}, but not half of the step_length" if most else ""
        _need(good, "back_step", f"0 for none{some}", back)
        _need(not self.free_move, "back_step", "0 with free_move, where M goes backwards anyway", back)
        _need(self.ricochet == 1, "back_step", "0 without ricochet: careful bots would only back off", back)

    def _check_contact(self) -> None:
        for name in ("turn_limit", "bump_turn", "start_spread"):
            _need(0 <= getattr(self, name) <= 180, name, "from 0 to 180", getattr(self, name))
        _need(self.bump_push >= 0, "bump_push", "0 or more", self.bump_push)
        for name in ("bump_push", "bump_turn"):
            figure = getattr(self, name)
            _need(not figure or self.bots_collide, name, "0 without bots_collide: a step passes through", figure)
            _need(not figure or not self.free_move, name, "0 with free_move, where a step has any length", figure)
        second = self.second_charge
        whole = f"a whole number from 0 to the battery's {self.battery}"
        _need(is_whole(second, 0, self.battery), "second_charge", whole, second)


def _need(true: bool, name: str, what: str, value: object) -> None:
    if not true:
        raise RulesError(f"{name} must be {what}, not {quoted(value)}")


def rules_from(figures: Mapping[str, Any]) -> Rules:
    """Return the rules of a mapping of names to figures (a configuration, a session file).

    What is left out has its default; the battery's figures are not even looked at without a battery, nor is the
    bounce's without the bounce.
    Raise RulesError, naming the culprit, if a name is no rule or a figure makes no playable game.
    """
    known = {field.name for field in fields(Rules)}
    for name in figures:
        if name not in known:
            raise RulesError(f"{quoted(name)} is no rule; the rules are {', '.join(sorted(known))}")
    idle = (*(() if figures.get("battery", 0) else CHARGES), *(() if figures.get("ricochet", 0) else ("bounce_cap",)))
    return Rules(**{name: _figure(name, value) for name, value in figures.items() if name not in idle})


def _figure(name: str, value: Any) -> Any:
    if name in ("bullet_damage", "initial_health"):
        pair = value if isinstance(value, (list, tuple)) else (value, value)
        _need(len(pair) == 2, name, "one number or a list of two, left first", value)
        return (_number(name, pair[0]), _number(name, pair[1]))
    if name in ("initial_shield", "bots_collide", "free_move"):
        _need(isinstance(value, bool) or (type(value) is int and value in (0, 1)), name, "true or false", value)
        return bool(value)
    if name in ("total_rounds", "turns_per_round"):
        _need(is_whole(value, most=_LARGEST), name, "a whole number, at most 1000000", value)
        return value
    if name == "ricochet":
        _need(type(value) in (bool, int) and value in (0, 1), name, "0 or 1", value)
        return int(value)
    if name in ("battery", "back_step", "second_charge") or name in CHARGES:
        return value  # checked by the rules themselves, against one another
    return _number(name, value)


def _number(name: str, value: Any) -> float:
    good = type(value) in (int, float) and abs(value) <= _LARGEST  # which no NaN is
    _need(good, name, "a number, at most 1000000", value)
    number: float = round(value, DECIMALS)
    return number


@dataclass(frozen=True, slots=True)
class BotState:
    """One bot."""

    x: float
    """Of its centre, to the right."""
    y: float
    """Of its centre, downwards."""
    rot: float
    """Where it looks: degrees in [0, 360), clockwise from +x."""
    health: float
    shield: bool
    """Whether its shield is up."""
    charge: int = 0
    """What its battery holds, 0 where the rules have no battery."""

    # Built field by field: a play makes one or two of these, and `dataclasses.replace` takes three times as long.

    def turned(self, rot: float) -> BotState:
        """Return the bot with this direction."""
        return BotState(self.x, self.y, rot, self.health, self.shield, self.charge)

    def moved(self, x: float, y: float) -> BotState:
        """Return the bot at this place."""
        return BotState(x, y, self.rot, self.health, self.shield, self.charge)

    def shielded(self, up: bool) -> BotState:
        """Return the bot with its shield up or down."""
        return BotState(self.x, self.y, self.rot, self.health, up, self.charge)

    def charged(self, charge: int) -> BotState:
        """Return the bot with this much in its battery."""
        return BotState(self.x, self.y, self.rot, self.health, self.shield, charge)

    def hurt(self, health: float) -> BotState:
        """Return the bot with this much health left."""
        return BotState(self.x, self.y, self.rot, health, self.shield, self.charge)


@dataclass(frozen=True, slots=True)
class Arena:
    """Both bots, left first."""

    left: BotState
    right: BotState

    @classmethod
    def of(cls, index: int, own: BotState, other: BotState) -> Arena:
        """Return the arena in which the bot with this index is `own`."""
        return cls(other, own) if index else cls(own, other)

    def bot(self, index: int) -> BotState:
        """The bot with this index: 0 left, 1 right."""
        return self.right if index else self.left

    @property
    def apart(self) -> float:
        """Return how far apart both bots' centres are."""
        return hypot(self.left.x - self.right.x, self.left.y - self.right.y)

    def replaced(self, index: int, bot: BotState) -> Arena:
        """Return the arena with another state of the bot with this index."""
        return Arena(self.left, bot) if index else Arena(bot, self.right)
