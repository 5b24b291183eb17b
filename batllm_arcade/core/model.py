"""What the game is made of: the rules' figures, a bot's state, the arena."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from math import hypot
from typing import Any, Literal

from batllm_arcade.errors import ArcadeError, quoted

SeatName = Literal["left", "right"]
SEATS: tuple[SeatName, SeatName] = ("left", "right")
"""Seat names by bot index: bot 0 sits left, bot 1 sits right."""

DECIMALS = 9
"""States are rounded to this many decimals after every play."""


def plain(number: float) -> float:
    """A number as files and payloads hold it: whole ones without a point."""
    return int(number) if number == int(number) else number


class RulesError(ArcadeError):
    """A figure of the rules is missing, of the wrong type or out of range."""


@dataclass(frozen=True, slots=True)
class Rules:
    """The figures a game is played with; lengths share the arena's unit, angles are degrees.

    `bullet_damage` and `initial_health` hold one value per bot, left first; the damage is that of
    this bot's own bullets. Raises RulesError where a figure makes no playable game.
    """

    arena_width: float = 1000
    arena_height: float = 1000
    bot_radius: float = 50
    step_length: float = 50
    bullet_damage: tuple[float, float] = (5, 5)
    shield_degrees: float = 64
    initial_health: tuple[float, float] = (100, 100)
    initial_shield: bool = True
    bots_collide: bool = True
    free_move: bool = False
    total_rounds: int = 3
    turns_per_round: int = 20

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
        room = hypot(self.arena_width - 2 * self.bot_radius, self.arena_height - 2 * self.bot_radius)
        fits = min(self.arena_width, self.arena_height) >= 2 * self.bot_radius
        _need(
            fits and room >= 4 * self.bot_radius,
            "bot_radius",
            "small enough for two bots to stand apart",
            self.bot_radius,
        )


def _need(true: bool, name: str, what: str, value: object) -> None:
    if not true:
        raise RulesError(f"{name} must be {what}, not {quoted(value)}")


_LARGEST = 1_000_000  # beyond this a float cannot keep a state's 9 decimals


def rules_from(figures: Mapping[str, Any]) -> Rules:
    """Rules from a mapping of names to figures (a configuration, a session file); RulesError names the culprit."""
    known = {field.name for field in fields(Rules)}
    for name in figures:
        if name not in known:
            raise RulesError(f"{quoted(name)} is no rule; the rules are {', '.join(sorted(known))}")
    return Rules(**{name: _figure(name, value) for name, value in figures.items()})


def _figure(name: str, value: Any) -> Any:
    if name in ("bullet_damage", "initial_health"):
        pair = value if isinstance(value, (list, tuple)) else (value, value)
        _need(len(pair) == 2, name, "one number or a list of two, left first", value)
        return (_number(name, pair[0]), _number(name, pair[1]))
    if name in ("initial_shield", "bots_collide", "free_move"):
        _need(isinstance(value, bool) or (type(value) is int and value in (0, 1)), name, "true or false", value)
        return bool(value)
    if name in ("total_rounds", "turns_per_round"):
        _need(type(value) is int and value <= _LARGEST, name, "a whole number, at most 1000000", value)
        return value
    return _number(name, value)


def _number(name: str, value: Any) -> float:
    good = type(value) in (int, float) and abs(value) <= _LARGEST  # which no NaN is
    _need(good, name, "a number, at most 1000000", value)
    number: float = round(value, DECIMALS)
    return number


@dataclass(frozen=True, slots=True)
class BotState:
    """One bot: centre x (right) and y (down), `rot` in degrees [0, 360) clockwise from +x, health, shield."""

    x: float
    y: float
    rot: float
    health: float
    shield: bool


@dataclass(frozen=True, slots=True)
class Arena:
    """Both bots, left first."""

    left: BotState
    right: BotState

    def bot(self, index: int) -> BotState:
        """The bot with this index: 0 left, 1 right."""
        return self.right if index else self.left
