"""What a play looks like, as a function of time: segments of the timeline, and what moves in them."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import TypeVar

from batllm_arcade.core.events import (
    BotBumped,
    BotHit,
    BotKnockedOut,
    BotMoved,
    BotTurned,
    BulletFlew,
    CommandIgnored,
    Event,
    FireRefused,
    ShieldBroke,
    ShieldFaded,
    ShieldLowered,
    ShieldRaised,
    ShieldRefused,
    ShotBlocked,
    ShotMissed,
)
from batllm_arcade.core.flight import damage as strength
from batllm_arcade.core.geometry import bearing, direction
from batllm_arcade.core.model import Arena
from batllm_arcade.match.records import (
    GameEnded,
    GameStarted,
    NotesWritten,
    Play,
    Record,
    RoundEnded,
    RoundStarted,
    SeatSwapped,
)
from batllm_arcade.settings.user_settings import DisplayOptions
from batllm_arcade.view import theme
from batllm_arcade.view.cut_words import reading_seconds
from batllm_arcade.view.look.effects import PAST_THE_SHIELD, WORDED
from batllm_arcade.view.look.motion import CHANGE, DUST
from batllm_arcade.view.look.shapes import resting, uncharged
from batllm_arcade.view.play_text import past_the_shield
from batllm_arcade.view.scene import Effect, EffectKind, Scoreboard, Tally


@dataclass(frozen=True, slots=True)
class Change:
    """A number that changes from `old` to `new` at `t` seconds; the change is shown `held` seconds later."""

    t: float
    old: float
    new: float
    held: float = 0.0

    def eased(self, t: float, seconds: float, delay: float = 0.0) -> float:
        """Return the number at `t`, eased over `seconds` and starting `delay` seconds late."""
        old, new = self.old, self.new
        share = (t - self.t - self.held - delay) / seconds
        if old == new or share >= 1.0:  # what most numbers of a picture are, so that films ask for it a lot
            return new
        return old + (new - old) * CHANGE.at(share)


@dataclass(frozen=True, slots=True)
class Segment:
    """One record on the timeline: animated from `start` to `end` seconds, and the state from then on.

    `flight` is when a bullet leaves and when it lands; on landing everything freezes for `hold` seconds.
    `fallen` is when each bot was knocked out, `entered` when the bots came into the arena. A play's bot acts only
    `lead` seconds after its start, so that its words are seen first.
    """

    start: float
    end: float
    record: Record
    arena: Arena
    board: Scoreboard
    health: tuple[Change, Change]
    shield: tuple[Change, Change]
    charge: tuple[Change, Change]
    effects: tuple[Effect, ...] = ()
    flight: tuple[float, float] | None = None
    hold: float = 0.0
    fallen: tuple[float | None, float | None] = (None, None)
    entered: float = 0.0
    lead: float = 0.0

    @property
    def acts(self) -> float:
        """Return when what is animated begins, in seconds."""
        return self.start + self.lead

    @property
    def known(self) -> float:
        """Return when what comes of it is seen, in seconds: as a bullet lands, else as it begins."""
        return self.flight[1] if self.flight else self.acts


T = TypeVar("T")
Point = tuple[float, float]
OFF_THE_WALL = "off the wall"
"""The text of a hit by a bullet that bounced: which part it struck matters less than that."""
_STRAIGHT_S, _BENT_S = 0.4, 1.1
"""Seconds after it has landed for which its way is seen; a bent one takes longer to read."""


def length(flew: BulletFlew) -> float:
    """Return how far a bullet flies."""
    return sum(math.dist(start, end) for start, end in legs(flew))


def legs(flew: BulletFlew) -> tuple[tuple[Point, Point], ...]:
    """Return the straight parts of its way."""
    return tuple(pairwise(flew.path))


def bounces_at(flew: BulletFlew) -> float:
    """Return the share of its way at which it comes off a wall; 1 where it flies straight."""
    whole = length(flew)
    if flew.bounce is None or not whole:
        return 1.0
    return math.dist(flew.start, flew.bounce) / whole


def bolt(flew: BulletFlew, share: float, tail: float) -> tuple[Point, Point]:
    """Return tail and head of a bolt that is `tail` long (shares of the way), whose head is at this share.

    It lies on one part of the way: off a wall, its tail begins there.
    """
    bounce = bounces_at(flew)
    head, back = min(1.0, share), max(0.0, share - tail)
    if flew.bounce is None or head < bounce:
        start, end, first, last = flew.start, flew.bounce or flew.end, 0.0, bounce
    else:
        start, end, first, last = flew.bounce, flew.end, bounce, 1.0
    return _between(start, end, first, last, max(first, back)), _between(start, end, first, last, head)


def _between(start: Point, end: Point, first: float, last: float, share: float) -> Point:
    part = (share - first) / (last - first) if last > first else 1.0
    return start[0] + (end[0] - start[0]) * part, start[1] + (end[1] - start[1]) * part


def lands_along(flew: BulletFlew) -> float:
    """Return the direction in which it flies at last, in degrees."""
    (x, y), (end_x, end_y) = flew.path[-2:]
    return bearing(end_x - x, end_y - y)


def effects(flew: BulletFlew, rot: float, leaves: float, lands: float) -> list[Effect]:
    """Return the muzzle's light, the trace of each part of the way, and the sparks at a wall.

    `rot` is the direction of its shooter; it `leaves` and `lands` at these seconds.
    """
    by, bounces = flew.bot, leaves + (lands - leaves) * bounces_at(flew)
    seen, begins, degrees = [], leaves, rot
    fades = _BENT_S if flew.bounce is not None else _STRAIGHT_S
    for start, end in legs(flew):
        seen.append(Effect("trace", begins, lands - begins + fades, start, degrees, by, math.dist(start, end)))
        begins, degrees = bounces, lands_along(flew)
    seen.append(Effect("muzzle", leaves, 0.22, flew.start, rot, by))
    if flew.bounce is not None:
        seen.append(Effect("bounce", bounces, 0.4, flew.bounce, off_the_wall(flew, rot), by))
    return seen


def off_the_wall(flew: BulletFlew, rot: float) -> float:
    """Return the direction, in degrees, in which sparks fly where it bounces: between its ways in and out.

    `rot` is that of its shooter, in which it came.
    """
    (ux, uy), (vx, vy) = direction(rot), direction(lands_along(flew))
    return bearing(vx - ux, vy - uy)


_FUMBLE_TEXTS = {"timeout": "too slow!", "error": "no answer!", "forfeit": "gives up!"}


def make_segment(
    last: Segment | None, record: Record, start: float, display: DisplayOptions, lead: float = 0.0
) -> Segment | None:
    """Return the record's segment after the last one, or None before the first game has started.

    `lead` are the seconds that a play's words need besides: for the first of them its bot waits, the rest come after
    what it does, so that a reader sees that meanwhile.
    """
    if isinstance(record, GameStarted):
        return _game_started(record, start)
    if last is None:
        return None
    if isinstance(record, Play):
        first = min(lead, theme.WORDS_FIRST_S)
        segment = _AnimatedPlay(last, record, start + first, display).segment()
        return replace(segment, start=start, lead=first, end=segment.end + lead - first) if lead else segment
    board, end = last.board, start
    if isinstance(record, RoundStarted):
        board = replace(board, round=record.round, turn=1, given=record.prompts)
        end += theme.ROUND_BANNER_S
    elif isinstance(record, SeatSwapped):
        seats = _with(board.seats, record.bot, record.seat)
        board = replace(board, turn=(record.number + 1) // 2, seats=seats)
        end += theme.SWAP_BANNER_S
    elif isinstance(record, GameEnded):
        board = replace(board, result=record.result)
        end += theme.RESULT_S
    elif isinstance(record, RoundEnded):
        end += theme.PAUSE_S
    elif isinstance(record, NotesWritten):
        if not record.text or board.result is not None:  # the next game begins with them
            return None
        board = replace(board, notes=_with(board.notes, record.bot, record.text))
        end += reading_seconds(len(record.text.split()))
    return replace(last, start=start, end=end, record=record, board=board, effects=(), flight=None, hold=0.0, lead=0.0)


def _with(both: tuple[T, T], bot: int, one: T) -> tuple[T, T]:
    return (both[0], one) if bot else (one, both[1])


def _game_started(record: GameStarted, start: float) -> Segment:
    left, right, later = record.arena.left, record.arena.right, start + 0.5
    return Segment(
        start,
        start + theme.GAME_BANNER_S,
        record,
        record.arena,
        Scoreboard(record.rules, record.seed, record.game, record.seats, notes=record.notes),
        (Change(start, left.health, left.health), Change(start, right.health, right.health)),
        (Change(later, 0.0, float(left.shield)), Change(later, 0.0, float(right.shield))),
        (Change(later, 0.0, left.charge), Change(later, 0.0, right.charge)),
        entered=start,
    )


def turn_seconds(degrees: float) -> float:
    """Return how long a bot is seen to turn by so many degrees."""
    return theme.TURN_S[0] + theme.TURN_S[1] * min(1.0, abs(degrees) / 180)


class _AnimatedPlay:
    """A play whose segment is under construction; segments themselves are immutable."""

    def __init__(self, last: Segment, play: Play, start: float, display: DisplayOptions) -> None:
        self.last, self.play, self.start, self.me = last, play, start, play.before.bot(play.bot)
        self.rules = last.board.rules
        self.flew = next((event for event in play.events if isinstance(event, BulletFlew)), None)
        self.flight: tuple[float, float] | None = None
        if self.flew is not None:  # the shot that decides a game flies in slow motion
            share = length(self.flew) / math.hypot(self.rules.arena_width, self.rules.arena_height)
            slower = theme.LAST_SHOT if play.knocks_out and not display.reduced_motion else 1.0
            leaves = start + theme.WINDUP_S
            self.flight = leaves, leaves + (theme.FLIGHT_S[0] + theme.FLIGHT_S[1] * share) * slower
        still = display.reduced_motion or not display.freeze_frames
        holds = (theme.FREEZE_S.get(type(event).__name__, 0.0) for event in play.events)
        self.hold = 0.0 if still else max(holds, default=0.0)
        self.effects: list[Effect] = []
        self.health, self.shield, self.fallen = list(last.health), list(last.shield), list(last.fallen)

    def segment(self) -> Segment:
        busy = 0.0
        if self.play.decision.say:
            self._add_effect("speech", theme.SPEECH_S, text=self.play.decision.say)
            busy = theme.NOTHING_S
        for event in self.play.events:
            busy = max(busy, self._animate(event))
        left, right = self.play.after.left, self.play.after.right  # nobody moves in a play that has words
        bots = (left.x, left.y), (right.x, right.y)
        return Segment(
            self.start,
            self.start + busy + theme.PAUSE_S,
            self.play,
            self.play.after,
            self._board(),
            (self.health[0], self.health[1]),
            (self.shield[0], self.shield[1]),
            self._charge(),
            tuple(replace(effect, bots=bots) if effect.kind in WORDED else effect for effect in self.effects),
            self.flight,
            self.hold,
            (self.fallen[0], self.fallen[1]),
            self.last.entered,
        )

    def _add_effect(self, kind: EffectKind, seconds: float, amount: float = 0.0, text: str = "") -> None:
        """Add an effect at the acting bot, starting with the segment."""
        at = (self.me.x, self.me.y)
        self.effects.append(Effect(kind, self.start, seconds, at, self.me.rot, self.play.bot, amount, text))

    def _raise_dust(self, when: float, bot: int, start: Point, end: Point) -> None:
        if far := math.dist(start, end):
            towards = bearing(end[0] - start[0], end[1] - start[1])
            self.effects.append(Effect("dust", when, theme.MOVE_S + DUST.lasts, start, towards, bot, far))

    def _drop_shield(self, kind: EffectKind, bot: int, when: float, held: float = 0.0) -> None:
        """Let a bot's shield go down because its battery is empty."""
        owner = self.play.before.bot(bot)
        self.shield[bot] = Change(when + held, 1.0, 0.0)
        reach = theme.SHIELD_LOST_S
        self.effects.append(Effect(kind, when, reach, (owner.x, owner.y), owner.rot, bot, held=held))

    def _charge(self) -> tuple[Change, Change]:
        """Return how the charges change: the shooter's when the bullet leaves, its target's when it lands."""
        play, charge = self.play, self.last.charge
        fades = any(isinstance(event, ShieldFaded) for event in play.events)
        start = self.start + (theme.NOTHING_S / 2 if fades else 0.0)
        leaves, impact = self.flight or (start, start)
        for bot in (0, 1):
            before, after = play.before.bot(bot).charge, play.after.bot(bot).charge
            if before != after:
                mine, its = Change(leaves, before, after), Change(impact, before, after, self.hold)
                charge = _with(charge, bot, mine if bot == play.bot else its)
        return charge

    def _board(self) -> Scoreboard:
        """Return the scoreboard after the play."""
        board, play = self.last.board, self.play
        known = self.flight[1] if self.flight else self.start
        return replace(
            board,
            turn=play.turn,
            plays=_with(board.plays, play.bot, play),
            known_at=_with(board.known_at, play.bot, known),
            tallies=self._tallies(),
            notes=_with(board.notes, play.bot, ""),
        )

    def _tallies(self) -> tuple[Tally, Tally]:
        play, tallies = self.play, self.last.board.tallies
        kinds = {type(event) for event in play.events}
        me, foe = tallies[play.bot], tallies[1 - play.bot]
        fumbles = me.fumbles + (play.status != "ok")
        me = Tally(me.shots + (BulletFlew in kinds), me.hits + (BotHit in kinds), me.blocks, fumbles)
        foe = Tally(foe.shots, foe.hits, foe.blocks + (ShotBlocked in kinds), foe.fumbles)
        return (foe, me) if play.bot else (me, foe)

    def _animate(self, event: Event) -> float:
        start, play = self.start, self.play
        match event:
            case BotTurned(degrees=degrees):
                return turn_seconds(degrees)
            case BotMoved(start=left, end=reached):
                self._raise_dust(start, play.bot, left, reached)
                return theme.MOVE_S
            case BotBumped(bot=bot, start=left, end=reached):
                (ux, uy), radius, shoved = direction(self.me.rot), self.rules.bot_radius, start + theme.BUMP_S[0]
                met = (left[0] - ux * radius, left[1] - uy * radius)
                self.effects.append(Effect("bump", shoved, 0.5, met, self.me.rot + 180, bot))
                self._raise_dust(shoved, bot, left, reached)
                return sum(theme.BUMP_S)
            case ShieldRaised() | ShieldLowered():
                self.shield[play.bot] = Change(start, float(self.me.shield), float(isinstance(event, ShieldRaised)))
                return theme.SHIELD_S
            case ShieldFaded(bot=bot):
                self._drop_shield("fade", bot, start + theme.NOTHING_S)
                return theme.NOTHING_S + theme.SHIELD_S
            case FireRefused(reason="shield"):
                self._add_effect("refused", 0.7, text="shield is up")
                return theme.NOTHING_S
            case FireRefused() | ShieldRefused():
                self._add_effect("uncharged", theme.UNCHARGED_S, text=uncharged(play, self.rules))
                return theme.NOTHING_S
            case CommandIgnored(reason=reason):
                if reason or not play.decision.say:  # speaking is not waiting
                    words = _FUMBLE_TEXTS.get(play.status, "fumble!") if reason else resting(play, self.rules)
                    self._add_effect("fumble", 1.3, float(bool(reason)), words)
                return theme.NOTHING_S
            case _:
                return self._animate_shot(event)

    def _animate_shot(self, event: Event) -> float:
        assert self.flight is not None
        assert self.flew is not None
        (leaves, impact), hold, me, by = self.flight, self.hold, self.me, self.play.bot
        towards = me.rot if self.flew.bounce is None else lands_along(self.flew)
        lands = impact - self.start
        match event:
            case BulletFlew():
                self.effects += effects(event, me.rot, leaves, impact)
                return lands
            case ShotMissed(at=at):
                self.effects.append(Effect("wall", impact, 0.45, at, towards + 180, by))
                return lands + 0.2
            case ShotBlocked(bot=bot, at=at):
                foe = self.play.before.bot(bot)
                outwards = bearing(at[0] - foe.x, at[1] - foe.y)
                self.effects.append(Effect("block", impact, 0.6, at, outwards, bot, held=hold))
                return lands + hold + theme.IMPACT_S
            case ShieldBroke(bot=bot):
                self._drop_shield("break", bot, impact, hold)
                return lands + hold + theme.IMPACT_S
            case BotHit(bot=bot, at=at, damage=damage, health=health, part=part):
                self.health[bot] = Change(impact, health + damage, health, hold)
                text: str = part if self.rules.has_armour else PAST_THE_SHIELD if past_the_shield(self.play) else ""
                if self.flew.bounce is not None:
                    text = OFF_THE_WALL
                full = strength(by, part, self.rules, bounced=self.flew.bounce is not None)  # whatever was left
                self.effects.append(Effect("hit", impact, 0.9, at, towards, bot, full, text, held=hold))
                return lands + hold + theme.IMPACT_S
            case BotKnockedOut(bot=bot):
                foe, falls = self.play.before.bot(bot), impact + hold + 0.12
                self.fallen[bot] = falls
                self.effects.append(Effect("knockout", falls, 2.2, (foe.x, foe.y), me.rot, bot))
                return falls - self.start + theme.KNOCKOUT_S
        return 0.0
