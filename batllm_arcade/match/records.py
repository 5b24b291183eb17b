"""The records of a match; a live match and a replay yield the same types.

Their order: SessionStarted; for each game GameStarted, its rounds, GameEnded; at the end SessionEnded. A
round is RoundStarted, its plays (with a SeatSwapped before a new brain's first play, and a SeatAdapted before the
play in which requests to a model were changed) and RoundEnded.
Bots are indices, left first; counters start at 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Union

from batllm_arcade.brains.protocol import Decision, SeatInfo
from batllm_arcade.core.commands import Command
from batllm_arcade.core.events import Event
from batllm_arcade.core.model import Arena, Rules
from batllm_arcade.core.outcome import Result
from batllm_arcade.match.series import Series

Status = Literal["ok", "invalid", "timeout", "error", "forfeit"]
Ended = Literal["complete", "knockout", "abandoned"]
Why = Literal["fallback", "recovered", "swap", "wheel"]


@dataclass(frozen=True, slots=True)
class SessionStarted:
    """A session begins; `timestamp` is ISO 8601, `seed` the base seed of every game.

    `series` is the one its games begin with, None where they are no series.
    """

    seed: int
    timestamp: str
    program: str
    series: Series | None = None


@dataclass(frozen=True, slots=True)
class GameStarted:
    """A game begins with these rules and seats; `arena` is its initial state.

    `drawn`: that and the acting orders come from the seed. `series` is one that begins with this game in place of the
    one before; None where that goes on.
    """

    game: int
    seed: int
    rules: Rules
    seats: tuple[SeatInfo, SeatInfo]
    arena: Arena
    drawn: bool = True
    series: Series | None = None


@dataclass(frozen=True, slots=True)
class RoundStarted:
    """A round begins; `system_headers` are the filled headers by seat, empty without augmentation."""

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
    """A seat has a new brain; `number` is its first play in the round, `problem` why a fallback was needed."""

    game: int
    round: int
    number: int
    bot: int
    seat: SeatInfo
    why: Why
    problem: str = ""


@dataclass(frozen=True, slots=True)
class SeatAdapted:
    """The requests of the model at a seat are changed from now on, as its server wants them; a replay has none.

    `adapted` is all that they leave out, rename or add.
    """

    game: int
    bot: int
    adapted: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Play:
    """One action of one bot; `number` counts the plays of the round, `latency_s` is the seconds the brain took."""

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
    """A round has ended; `arena` is the state it leaves."""

    game: int
    round: int
    ended: Ended
    arena: Arena


@dataclass(frozen=True, slots=True)
class GameEnded:
    """A game has ended after this many rounds."""

    game: int
    rounds: int
    result: Result
    arena: Arena


@dataclass(frozen=True, slots=True)
class SessionEnded:
    """The session has ended; `timestamp` is ISO 8601."""

    timestamp: str


Record = Union[
    SessionStarted, GameStarted, RoundStarted, SeatSwapped, SeatAdapted, Play, RoundEnded, GameEnded, SessionEnded
]
