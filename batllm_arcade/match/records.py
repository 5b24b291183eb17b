"""The records of a match: plays, rounds, games, who played."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Literal, Union

from batllm_arcade.brains.protocol import FAILED, Decision, PastPlay, PastTurn, PayloadStyle, SeatInfo
from batllm_arcade.core import rules as game_rules
from batllm_arcade.core.commands import Command
from batllm_arcade.core.events import BotHit, BotKnockedOut, BulletFlew, Event
from batllm_arcade.core.model import Arena, Rules
from batllm_arcade.core.rules import Result
from batllm_arcade.match.series import Series

Status = Literal["ok", "invalid", "timeout", "error", "forfeit"]
Ended = Literal["complete", "knockout", "abandoned"]
Why = Literal["fallback", "recovered", "swap", "wheel", "fork"]


@dataclass(frozen=True, slots=True)
class SessionStarted:
    """A session begins."""

    seed: int
    """The base seed of every game."""
    timestamp: str
    program: str
    """The program and its version."""
    series: Series | None = None
    """The series that its games begin with, None where they are no series."""


@dataclass(frozen=True, slots=True)
class ForkPoint:
    """A turn after which a recorded session was left."""

    session_start: str
    """When that session began."""
    round: int
    turn: int
    """The last turn taken over."""
    program: str = ""
    """The program that played it, "" for that of the session in which this is recorded."""
    ended: bool = True
    """Whether that session had ended: the secret of one that had not is not known."""


@dataclass(frozen=True, slots=True)
class ForkedFrom:
    """Where a game that plays on from a recorded one has left that."""

    session_start: str
    """When the recorded session began, which tells it from others."""
    game: int
    """The game whose starts and acting orders are drawn; of a fork of a fork that of the first session."""
    round: int
    turn: int
    """The last turn taken over."""
    program: str = ""
    """The program that played the recorded game, "" where it is that of the fork."""
    earlier: tuple[ForkPoint, ...] = ()
    """Where the recorded game had left others itself, the first first."""
    ended: bool = True
    """Whether the recorded session had ended."""

    @property
    def points(self) -> tuple[ForkPoint, ...]:
        """Return where sessions were left on the way to this game, the first first."""
        return (*self.earlier, ForkPoint(self.session_start, self.round, self.turn, self.program, self.ended))

    def session_of(self, round_number: int, turn: int) -> int:
        """Return in which session a turn was played: 0 in the first, 1 in that behind the first of `points`..."""
        points = self.points
        number = len(points)
        while number and (round_number, turn) <= (points[number - 1].round, points[number - 1].turn):
            number -= 1
        return number

    def holds(self, play: Play) -> bool:
        """Return whether a play of the fork was taken over from the recorded game."""
        return (play.round, play.turn) <= (self.round, self.turn)


@dataclass(frozen=True, slots=True)
class GameStarted:
    """A game begins with these rules and seats."""

    game: int
    seed: int
    """The base seed; the game's own streams are named by it and by `game`."""
    rules: Rules
    seats: tuple[SeatInfo, SeatInfo]
    """Who plays, left first."""
    arena: Arena
    """Both bots at the start."""
    drawn: bool = True
    """Whether the start and the acting orders come from the seed."""
    series: Series | None = None
    """A series that begins with this game in place of the one before; None where that goes on."""
    forked_from: ForkedFrom | None = None
    """Where it has left a recorded game, None for a game of its own."""
    notes: tuple[str, str] = ("", "")
    """What each seat's model has noted in games before, left first."""


@dataclass(frozen=True, slots=True)
class RoundStarted:
    """A round begins."""

    game: int
    round: int
    acting_order: tuple[int, int]
    arena: Arena
    """Both bots at the start of the round."""
    prompts: tuple[str, str]
    """The players' orders, left first."""
    augmented: bool
    """Whether models are sent rules and states."""
    independent: bool
    """Whether each model sees its own orders and plays alone."""
    system_headers: tuple[str, str]
    """The filled system messages, left first, empty without augmentation."""
    apart: bool = False
    """Whether the seats are not asked as one and the same model."""


@dataclass(frozen=True, slots=True)
class SeatSwapped:
    """A seat has a new brain."""

    game: int
    round: int
    number: int
    """The new brain's first play in the round."""
    bot: int
    seat: SeatInfo
    """Who plays there now."""
    why: Why
    problem: str = ""
    """Why a fallback was needed, "" for other swaps."""
    prompt: str | None = None
    """The seat's new orders where a fork gave some, else None."""


@dataclass(frozen=True, slots=True)
class SeatAdapted:
    """The requests of the model at a seat are changed from now on, as its server wants them; a replay has none."""

    game: int
    bot: int
    adapted: tuple[str, ...]
    """All that they leave out, rename or add, each in a few words."""


@dataclass(frozen=True, slots=True)
class Play:
    """One action of one bot."""

    game: int
    round: int
    turn: int
    number: int
    bot: int
    """The index of the bot that acted."""
    decision: Decision
    """What its brain answered."""
    command: Command
    """What the rules were given; `command.token` is its text, `ERR` where nothing was understood or meant."""
    status: Status
    reason: str
    """Why the answer did not count or the command was not understood, "" where all is well."""
    latency_s: float
    """Seconds the brain took."""
    timestamp: str
    before: Arena
    """Both bots before the play."""
    after: Arena
    """Both bots after it."""
    events: tuple[Event, ...]
    """What happened, in order."""

    @property
    def key(self) -> tuple[int, int, int]:
        """Return its game, its round and its number, which no other play of a session has."""
        return self.game, self.round, self.number

    @property
    def is_shot(self) -> bool:
        """Whether a bullet flew in it."""
        return any(isinstance(event, BulletFlew) for event in self.events)

    @property
    def is_hit(self) -> bool:
        """Whether its bullet hit the other bot."""
        return any(isinstance(event, BotHit) for event in self.events)

    @property
    def came_off_a_wall(self) -> bool:
        """Whether it was a shot that bounced."""
        return any(isinstance(event, BulletFlew) and event.bounce is not None for event in self.events)

    @property
    def knocks_out(self) -> bool:
        """Whether it knocks a bot out."""
        return any(isinstance(event, BotKnockedOut) for event in self.events)

    @property
    def failed(self) -> bool:
        """Whether its brain gave no answer that counts: it was late, failed, or forfeited the game."""
        return self.status in FAILED


@dataclass(frozen=True, slots=True)
class RoundEnded:
    """A round has ended."""

    game: int
    round: int
    ended: Ended
    """How: after its last turn, by a knock-out, or left."""
    arena: Arena
    """Both bots as the round leaves them."""


@dataclass(frozen=True, slots=True)
class NotesWritten:
    """The model at a seat was asked for its notes on a round that is over."""

    game: int
    round: int
    bot: int
    text: str
    """What stands in its requests from here on; "" where it gave no answer, and its notes stay as they were."""
    reason: str = ""
    """Why there was no answer."""
    tokens: Mapping[str, int] | None = None
    """What it read and wrote for that."""


@dataclass(frozen=True, slots=True)
class GameEnded:
    """A game has ended."""

    game: int
    rounds: int
    """How many rounds were played."""
    result: Result
    """Who won, and how."""
    arena: Arena
    """Both bots at the end."""
    hints: tuple[int, int] = (0, 0)
    """How often the coach showed each player the best play, left first."""


@dataclass(frozen=True, slots=True)
class SessionEnded:
    """The session has ended."""

    timestamp: str
    secret: str = ""
    """What the streams of its seats were keyed with, in hex, "" where no bot of a file has played."""


Record = Union[
    SessionStarted, GameStarted, RoundStarted, SeatSwapped, SeatAdapted, Play, RoundEnded, NotesWritten, GameEnded,
    SessionEnded,
]  # fmt: skip


def known_prompts(prompts: tuple[str, str], bot: int, style: PayloadStyle) -> tuple[str, str]:
    """Return both players' orders, left first, as far as a bot may know them."""
    if style.mode == "shared":
        return prompts
    return (prompts[0], "") if bot == 0 else ("", prompts[1])


def known_turn(turn: PastTurn, bot: int, style: PayloadStyle) -> PastTurn:
    """Return a finished turn as far as a bot may know it: in `independent` mode of the other one what it did alone."""
    if style.mode == "shared":
        return turn
    plays = tuple(play if play.bot == bot else replace(play, raw="", say="") for play in turn.plays)
    return replace(turn, plays=plays)


def past(play: Play) -> PastPlay:
    """Return a play as the history of a view shows it."""
    return PastPlay(play.bot, play.decision.raw, play.command.token, play.decision.say, play.status)


# -- Changes of a seat that were a person's choice

_BY_A_PERSON: tuple[Why, ...] = ("swap", "wheel", "fork")


def by_a_person(why: Why) -> bool:
    """Return whether somebody chose that another plays on: a model's stand-in plays for the model."""
    return why in _BY_A_PERSON


def counts(result: Result, changed: Iterable[int]) -> bool:
    """Return whether a game counts for its winner; `changed` are the seats that a person gave to somebody else."""
    return result.winner is not None and result.winner not in changed


class UnfinishedGame:
    """Follows the records of a match and knows which ending records are missing."""

    def __init__(self) -> None:
        self._game: GameStarted | None = None
        self._round = 0
        self._in_round = False
        self._last: Play | None = None
        self._arena: Arena | None = None

    def notify(self, record: Record) -> None:
        """Receive the next record of the match."""
        match record:
            case GameStarted():
                self._game, self._round, self._last, self._arena = record, 0, None, record.arena
            case RoundStarted():
                self._round, self._in_round, self._last = record.round, True, None
            case Play():
                self._last, self._arena = record, record.after
            case RoundEnded():
                self._in_round = False
            case GameEnded():
                self._game = None

    def endings(self) -> list[Record]:
        """Return the records that end the game under way, none between games."""
        game, arena = self._game, self._arena
        if game is None or arena is None:
            return []
        ended, result = self._judged(game)
        over: list[Record] = [RoundEnded(game.game, self._round, ended, arena)] if self._in_round else []
        return [*over, GameEnded(game.game, self._round, result, arena)]

    def _judged(self, game: GameStarted) -> tuple[Ended, Result]:
        last, aborted = self._last, Result(None, "aborted")
        if last is None:
            return "abandoned", aborted
        if last.status == "forfeit":
            return "abandoned", Result(1 - last.bot, "forfeit")
        if game_rules.knocked_out(last.after) is not None:
            return "knockout", game_rules.outcome(last.after, game.rules)
        if last.number < 2 * game.rules.turns_per_round:
            return "abandoned", aborted
        final = self._round == game.rules.total_rounds
        return "complete", game_rules.outcome(last.after, game.rules) if final else aborted
