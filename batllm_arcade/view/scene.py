"""One moment of a match as a picture needs it: world units and degrees, no pixels, no pygame."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from batllm_arcade.brains.protocol import SeatInfo
from batllm_arcade.core.model import Arena, Rules
from batllm_arcade.core.rules import Result
from batllm_arcade.match.records import Play

Point = tuple[float, float]
Keys = tuple[tuple[str, str], ...]
"""The keys of a person's seat and what each does."""
EffectKind = Literal["muzzle", "trace", "hit", "block", "wall", "knockout", "refused", "fumble", "speech", "dust"]


@dataclass(frozen=True, slots=True)
class Effect:
    """Something that flares up at `start`, holds still for `held` seconds and then lasts `duration` seconds.

    `degrees` is its direction, `text` what is said, `amount` the damage or the length in world units.
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

    def age(self, t: float) -> float:
        """How much of it is over, 0 to 1."""
        return min(1.0, max(0.0, (t - self.start - self.held) / self.duration))

    @property
    def end(self) -> float:
        """When nothing is left of it."""
        return self.start + self.held + self.duration


@dataclass(frozen=True, slots=True)
class BotPose:
    """A bot as shown: `shield` 0 down to 1 up, `health` and the paler `ghost` behind it as shares."""

    x: float
    y: float
    rot: float
    shield: float
    health: float
    ghost: float
    points: float
    alive: bool
    entrance: float = 1.0


@dataclass(frozen=True, slots=True)
class Bullet:
    """A bullet under way: its tail, its head, whose it is."""

    tail: Point
    head: Point
    bot: int


@dataclass(frozen=True, slots=True)
class Banner:
    """Big words across the arena; `age` in seconds, `lasts` None for one that stays."""

    title: str
    subtitle: str
    age: float
    lasts: float | None
    bot: int | None = None


@dataclass(frozen=True, slots=True)
class Tally:
    """What a seat has done in this game so far; `blocks` are bullets its own shield stopped."""

    shots: int = 0
    hits: int = 0
    blocks: int = 0
    fumbles: int = 0


@dataclass(frozen=True, slots=True)
class Scoreboard:
    """What the panels say; `plays` are the last play of each seat."""

    rules: Rules
    seed: int
    game: int
    seats: tuple[SeatInfo, SeatInfo]
    prompts: tuple[str, str] = ("", "")
    round: int = 0
    turn: int = 0
    plays: tuple[Play | None, Play | None] = (None, None)
    known_at: tuple[float, float] = (0.0, 0.0)
    """When the outcome of each seat's last play has been seen: a bullet takes its time."""
    tallies: tuple[Tally, Tally] = (Tally(), Tally())
    result: Result | None = None


@dataclass(frozen=True, slots=True)
class Thinking:
    """A brain that is being asked: for how many seconds, its partial text, the seconds a person has left."""

    bot: int
    seconds: float
    text: str
    human: bool
    left: float | None = None


@dataclass(frozen=True, slots=True)
class Aim:
    """A person swinging the aim: the direction the bot would have, and how far it has turned (clockwise)."""

    bot: int
    rot: float
    turned: float = 0.0


@dataclass(frozen=True, slots=True)
class Scene:
    """All there is to draw at one moment `t` (seconds); `shake` is in world units."""

    t: float
    arena: Arena
    bots: tuple[BotPose, BotPose]
    board: Scoreboard
    bullets: tuple[Bullet, ...] = ()
    effects: tuple[Effect, ...] = ()
    banner: Banner | None = None
    shake: Point = (0.0, 0.0)
    acting: int | None = None
    thinking: Thinking | None = None
    aim: Aim | None = None
    status: str = ""
    """How time runs where it does not simply run, such as `paused` or `2x`."""
    keys: tuple[Keys, Keys] = ((), ())
    """What the panels of persons say about their keys; empty where nobody can play, as in a film."""
    notices: tuple[str, ...] = ()
    """Sentences about what was lost, such as a plugin that was dropped."""
