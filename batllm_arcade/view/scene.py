"""Everything a renderer needs to draw one moment: world units and degrees, no pixels, no pygame."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from batllm_arcade.brains.protocol import SeatInfo
from batllm_arcade.core.model import Arena, Rules
from batllm_arcade.core.rules import Result
from batllm_arcade.match.records import Play
from batllm_arcade.view.camera import Frame
from batllm_arcade.view.play_text import orders_played
from batllm_arcade.view.telegraph.lines import Telegraph

Point = tuple[float, float]
Keys = tuple[tuple[str, str], ...]
"""The keys of a human player and what each does."""
EffectKind = Literal[
    "muzzle", "trace", "hit", "block", "break", "fade", "wall", "bounce", "knockout", "refused", "uncharged", "fumble",
    "speech", "dust", "bump",
]  # fmt: skip
"""`break` is a shield that a bullet breaks, `fade` one that holding it up empties, `bounce` a bullet that comes off a
wall, `uncharged` a play that was refused for want of charge, `bump` a bot that another one runs into."""


@dataclass(frozen=True, slots=True)
class Effect:
    """A visual effect that starts at `start`, freezes for `held` seconds and then runs for `duration` seconds.

    `at` is in world units, `degrees` its direction, `amount` the damage or a length (world units); `text` is what is
    said, why something was refused, or the part that was hit where it matters, or that it was hit off the wall or past
    its shield.
    """

    kind: EffectKind
    start: float
    duration: float
    at: Point
    degrees: float
    bot: int
    amount: float = 0.0
    text: str = ""
    held: float = 0.0
    bots: tuple[Point, Point] | tuple[()] = ()
    """Where both bots are meanwhile, in world units, if its words have to keep off them."""

    def age(self, t: float) -> float:
        """Return the share of the effect that is over at `t`, 0 to 1."""
        return min(1.0, max(0.0, (t - self.start - self.held) / self.duration))

    @property
    def end(self) -> float:
        """Return when the effect is over, in seconds."""
        return self.start + self.held + self.duration


@dataclass(frozen=True, slots=True)
class BotPose:
    """A bot as drawn: `shield` from 0 (down) to 1 (up), `health` and its trailing `ghost` bar as shares.

    `points` is the health shown as a number, `charge` what its battery shows, `entrance` how far the bot has grown
    into the arena, 0 to 1.
    """

    x: float
    y: float
    rot: float
    shield: float
    health: float
    ghost: float
    points: float
    alive: bool
    entrance: float = 1.0
    charge: int = 0


@dataclass(frozen=True, slots=True)
class Bullet:
    """A flying bullet: tail and head in world units, and the bot that shot it; off a wall the tail begins there."""

    tail: Point
    head: Point
    bot: int


@dataclass(frozen=True, slots=True)
class Banner:
    """A title across the arena, `age` seconds old; it disappears after `lasts` seconds, None: never."""

    title: str
    subtitle: str
    age: float
    lasts: float | None
    bot: int | None = None


@dataclass(frozen=True, slots=True)
class Tally:
    """A seat's counts in this game so far; `blocks` are bullets stopped by its own shield."""

    shots: int = 0
    hits: int = 0
    blocks: int = 0
    fumbles: int = 0


@dataclass(frozen=True, slots=True)
class Scoreboard:
    """The contents of the panels; `plays` holds the last play of each seat."""

    rules: Rules
    seed: int
    game: int
    seats: tuple[SeatInfo, SeatInfo]
    given: tuple[str, str] = ("", "")
    """The orders of both seats."""
    round: int = 0
    turn: int = 0
    plays: tuple[Play | None, Play | None] = (None, None)
    known_at: tuple[float, float] = (0.0, 0.0)
    """When the outcome of each seat's last play becomes visible, in seconds: a bullet has to land first."""
    tallies: tuple[Tally, Tally] = (Tally(), Tally())
    result: Result | None = None
    score: str = ""
    """How the series stands, in words."""
    notes: tuple[str, str] = ("", "")
    """What each seat's model has noted, until it plays again."""

    @property
    def prompts(self) -> tuple[str, str]:
        """The orders that are played; those of a seat that a script has taken wait there for a model."""
        return orders_played(self.seats, self.given)

    def is_past(self, seat: int) -> bool:
        """Return whether a seat's last play is of an earlier turn than the one that is played."""
        play = self.plays[seat]
        return play is not None and (play.round, play.turn) != (self.round, self.turn)


@dataclass(frozen=True, slots=True)
class Thinking:
    """A brain that is deciding: since how many seconds, its partial text, and the seconds a person has left."""

    bot: int
    seconds: float
    text: str
    human: bool
    left: float | None = None


@dataclass(frozen=True, slots=True)
class Aim:
    """A person aiming: the direction the bot would turn to and the turn so far, both in degrees clockwise."""

    bot: int
    rot: float
    turned: float = 0.0


@dataclass(frozen=True, slots=True)
class Scene:
    """Everything to draw at `t` seconds; `shake` is the offset of the arena in world units."""

    t: float
    arena: Arena
    bots: tuple[BotPose, BotPose]
    board: Scoreboard
    bullets: tuple[Bullet, ...] = ()
    effects: tuple[Effect, ...] = ()
    past: tuple[Effect, ...] = ()
    """Effects that were over a moment ago: the words of later ones made way for theirs, and stay where they are."""
    banner: Banner | None = None
    shake: Point = (0.0, 0.0)
    frame: Frame | None = None
    """The part of the arena that is shown, None: all of it."""
    acting: int | None = None
    thinking: Thinking | None = None
    aim: Aim | None = None
    telegraph: Telegraph | None = None
    """What threatens the person who is asked and what they could do; None if nobody is, as in a replay or a film."""
    keys: tuple[Keys, Keys] = ((), ())
    """The key help in the panels of human players; empty if nobody can play, as in a film."""
    notices: tuple[str, ...] = ()
    """Warnings, such as that a plugin was dropped after a failure."""
