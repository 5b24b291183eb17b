"""What happened in a play, as past-tense records that carry all a reader needs; bots are indices."""

from __future__ import annotations

from typing import Literal, NamedTuple, Union

from batllm_arcade.core.model import Part

Point = tuple[float, float]


class BotTurned(NamedTuple):
    """`degrees` is positive clockwise; `start` the direction before."""

    bot: int
    start: float
    degrees: float


class BotMoved(NamedTuple):
    """`stopped_by` is `wall` or `bot` where the walk ended short of its full length, else empty.

    `back`: it was a back step, against the bot's direction.
    """

    bot: int
    start: Point
    end: Point
    stopped_by: str
    back: bool = False


class BotBumped(NamedTuple):
    """A step ran into the other bot and shoved or turned it."""

    bot: int
    """Who was run into."""
    start: Point
    """Where it stood."""
    end: Point
    """Where it was shoved to."""
    turned: float
    """By how many degrees it was turned, clockwise."""


class ShieldRaised(NamedTuple):
    """The shield went up."""

    bot: int


class ShieldLowered(NamedTuple):
    """The bot took its own shield down."""

    bot: int


class ShieldRefused(NamedTuple):
    """The shield was to go up, and the battery held too little for it."""

    bot: int


class ShieldFaded(NamedTuple):
    """The shield dropped because holding it up emptied its bot's battery."""

    bot: int


class ShieldBroke(NamedTuple):
    """The shield dropped because the bullet it blocked emptied its bot's battery; `bot` is the target."""

    bot: int


class FireRefused(NamedTuple):
    """The trigger was pulled behind the own shield (`shield`), or with too little in the battery (`charge`)."""

    bot: int
    reason: Literal["shield", "charge"] = "shield"


class BulletFlew(NamedTuple):
    """From the shooter's centre to the hit point or the wall.

    `bounce` is the point on a wall off which it came on the way, None where it flew straight.
    """

    bot: int
    start: Point
    end: Point
    bounce: Point | None = None

    @property
    def path(self) -> tuple[Point, ...]:
        """Return the corners of its way: `start`, `bounce` if there is one, `end`."""
        return (self.start, self.end) if self.bounce is None else (self.start, self.bounce, self.end)


class ShotMissed(NamedTuple):
    """`bot` is the shooter, `at` the point on the wall."""

    bot: int
    at: Point


class ShotBlocked(NamedTuple):
    """`bot` is the target; `degrees` how far from its shield's middle the bullet struck, 0 or more."""

    bot: int
    at: Point
    degrees: float


class BotHit(NamedTuple):
    """`bot` is the target; `damage` what it lost, `health` what is left, `part` where the bullet struck it."""

    bot: int
    at: Point
    damage: float
    health: float
    part: Part = "front"


class BotKnockedOut(NamedTuple):
    """The bot has no health left, which ends the game."""

    bot: int


class CommandIgnored(NamedTuple):
    """No command was understood (or none was given, then `reason` is empty)."""

    bot: int
    reason: str


Event = Union[
    BotTurned,
    BotMoved,
    BotBumped,
    ShieldRaised,
    ShieldLowered,
    ShieldRefused,
    ShieldFaded,
    ShieldBroke,
    FireRefused,
    BulletFlew,
    ShotMissed,
    ShotBlocked,
    BotHit,
    BotKnockedOut,
    CommandIgnored,
]
