"""What a match tells, one record at a time; a live match and a replay yield the same types.

A stream is: SessionStarted, then per game GameStarted, per round RoundStarted, the plays (a
SeatSwapped before the new brain's first play), RoundEnded, then GameEnded; SessionEnded at last.
Bots are indices, left first; counters start at 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Union

from batllm_arcade.brains.protocol import Decision, SeatInfo
from batllm_arcade.core.commands import Command
from batllm_arcade.core.events import Event
from batllm_arcade.core.model import Arena, Rules
from batllm_arcade.core.rules import Result

Status = Literal["ok", "invalid", "timeout", "error", "forfeit"]
Ended = Literal["complete", "knockout", "abandoned"]
Why = Literal["fallback", "swap", "wheel"]


@dataclass(frozen=True, slots=True)
class SessionStarted:
    """`timestamp` is ISO 8601; `seed` the base seed of every game."""

    seed: int
    timestamp: str
    program: str


@dataclass(frozen=True, slots=True)
class GameStarted:
    game: int
    seed: int
    rules: Rules
    seats: tuple[SeatInfo, SeatInfo]
    arena: Arena


@dataclass(frozen=True, slots=True)
class RoundStarted:
    """`system_headers` are the filled headers by seat, empty without augmentation."""

    game: int
    round: int
    acting_order: tuple[int, int]
    arena: Arena
    prompts: tuple[str, str]
    augmented: bool
    independent: bool
    system_headers: tuple[str, str]


@dataclass(frozen=True, slots=True)
class SeatSwapped:
    """`number` is the new brain's first play in the round; `problem` why the old one had to go."""

    game: int
    round: int
    number: int
    bot: int
    seat: SeatInfo
    why: Why
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Play:
    """One bot's one action; `number` counts the plays of the round, `latency_s` is seconds of thinking."""

    game: int
    round: int
    turn: int
    number: int
    bot: int
    decision: Decision
    command: Command
    status: Status
    reason: str
    latency_s: float
    timestamp: str
    before: Arena
    after: Arena
    events: tuple[Event, ...]


@dataclass(frozen=True, slots=True)
class RoundEnded:
    game: int
    round: int
    ended: Ended
    arena: Arena


@dataclass(frozen=True, slots=True)
class GameEnded:
    game: int
    rounds: int
    result: Result
    arena: Arena


@dataclass(frozen=True, slots=True)
class SessionEnded:
    timestamp: str


Record = Union[SessionStarted, GameStarted, RoundStarted, SeatSwapped, Play, RoundEnded, GameEnded, SessionEnded]
