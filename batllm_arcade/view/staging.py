"""Records to segments: what each record puts on stage, when, and for how long."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from batllm_arcade.core.events import (
    BotHit,
    BotKnockedOut,
    BotMoved,
    BotTurned,
    BulletFlew,
    CommandIgnored,
    Event,
    FireRefused,
    ShieldLowered,
    ShieldRaised,
    ShotBlocked,
    ShotMissed,
)
from batllm_arcade.core.geometry import bearing
from batllm_arcade.core.model import Arena, Rules
from batllm_arcade.records import GameEnded, GameStarted, Play, Record, RoundEnded, RoundStarted, SeatSwapped
from batllm_arcade.view import theme
from batllm_arcade.view.look import Look
from batllm_arcade.view.scene import Board, Effect, Tally

_FUMBLES = {"timeout": "too slow!", "error": "no answer!", "forfeit": "gives up!"}


@dataclass(frozen=True, slots=True)
class Change:
    """A figure that goes from `old` to `new` at `t`, and is seen to do so `held` seconds later."""

    t: float
    old: float
    new: float
    held: float = 0.0

    def eased(self, t: float, seconds: float, delay: float = 0.0) -> float:
        """The figure at t on a smooth way that takes so many seconds."""
        share = smooth((t - self.t - self.held - delay) / seconds)
        return self.old + (self.new - self.old) * share


@dataclass(frozen=True, slots=True)
class Segment:
    """One record's stretch of the timeline: busy from `start` to `end`, and what holds from then on.

    `flight` is when a bullet leaves and lands; at its landing the world stands still for `hold` seconds.
    """

    start: float
    end: float
    record: Record
    arena: Arena
    board: Board
    health: tuple[Change, Change]
    shield: tuple[Change, Change]
    effects: tuple[Effect, ...] = ()
    flight: tuple[float, float] | None = None
    hold: float = 0.0
    fallen: tuple[float | None, float | None] = (None, None)
    entered: float = 0.0


def smooth(share: float) -> float:
    """Ease in and out: 0 below 0, 1 above 1."""
    share = min(1.0, max(0.0, share))
    return share * share * (3 - 2 * share)


def staged(last: Segment | None, record: Record, start: float, look: Look) -> Segment | None:
    """The record's segment after the last one; None for what cannot be shown before a game has started."""
    if isinstance(record, GameStarted):
        return _game_started(record, start)
    return None if last is None else _next(last, record, start, look)


def _game_started(record: GameStarted, start: float) -> Segment:
    board = Board(record.rules, record.seed, record.game, record.seats)
    bots = (record.arena.left, record.arena.right)
    health = tuple(Change(start, bot.health, bot.health) for bot in bots)
    shield = tuple(Change(start + 0.5, 0.0, float(bot.shield)) for bot in bots)
    return Segment(
        start, start + theme.GAME_BANNER_S, record, record.arena, board,
        (health[0], health[1]), (shield[0], shield[1]), entered=start,
    )  # fmt: skip


def _next(last: Segment, record: Record, start: float, look: Look) -> Segment:
    board = last.board
    if isinstance(record, Play):
        return _play(last, record, start, look)
    end = start
    if isinstance(record, RoundStarted):
        board = replace(board, round=record.round, turn=1, prompts=record.prompts)
        end += theme.ROUND_BANNER_S
    elif isinstance(record, SeatSwapped):
        left, right = board.seats
        board = replace(board, seats=(left, record.seat) if record.bot else (record.seat, right))
        end += theme.SWAP_BANNER_S
    elif isinstance(record, GameEnded):
        board = replace(board, result=record.result)
        end += theme.RESULT_S
    elif isinstance(record, RoundEnded):
        end += theme.PAUSE_S
    return replace(last, start=start, end=end, record=record, board=board, effects=(), flight=None, hold=0.0)


def _play(last: Segment, play: Play, start: float, look: Look) -> Segment:
    plays = (last.board.plays[0], play) if play.bot else (play, last.board.plays[1])
    board = replace(last.board, turn=play.turn, plays=plays, tallies=_tallied(last.board.tallies, play))
    segment = replace(
        last, start=start, record=play, arena=play.after, board=board, effects=(),
        flight=_flight(play, last.board.rules, start, look), hold=_hold(play, look),
    )  # fmt: skip
    busy = 0.0
    if play.decision.say:
        me = play.before.bot(play.bot)
        said = Effect("speech", start, theme.SPEECH_S, (me.x, me.y), 0.0, play.bot, text=play.decision.say)
        segment, busy = _flare(segment, said), theme.NOTHING_S
    for event in play.events:
        segment, seconds = _put_on(segment, play, event)
        busy = max(busy, seconds)
    known = segment.flight[1] if segment.flight else start
    known_at = (board.known_at[0], known) if play.bot else (known, board.known_at[1])
    return replace(segment, end=start + busy + theme.PAUSE_S, board=replace(board, known_at=known_at))


def _flight(play: Play, rules: Rules, start: float, look: Look) -> tuple[float, float] | None:
    """When the bullet leaves and lands; the one that decides a game flies in slow motion."""
    flew = next((event for event in play.events if isinstance(event, BulletFlew)), None)
    if flew is None:
        return None
    share = math.dist(flew.start, flew.end) / math.hypot(rules.arena_width, rules.arena_height)
    last = any(isinstance(event, BotKnockedOut) for event in play.events) and not look.reduced_motion
    leaves = start + theme.WINDUP_S
    return leaves, leaves + (theme.FLIGHT_S[0] + theme.FLIGHT_S[1] * share) * (theme.LAST_SHOT if last else 1.0)


def _hold(play: Play, look: Look) -> float:
    if look.reduced_motion or not look.freeze_frames:
        return 0.0
    return max((theme.FREEZE_S.get(type(event).__name__, 0.0) for event in play.events), default=0.0)


def _tallied(tallies: tuple[Tally, Tally], play: Play) -> tuple[Tally, Tally]:
    kinds = {type(event) for event in play.events}
    me, foe = tallies[play.bot], tallies[1 - play.bot]
    me = Tally(
        me.shots + (BulletFlew in kinds), me.hits + (BotHit in kinds), me.blocks, me.fumbles + (play.status != "ok")
    )
    foe = replace(foe, blocks=foe.blocks + (ShotBlocked in kinds))
    return (foe, me) if play.bot else (me, foe)


def _put_on(segment: Segment, play: Play, event: Event) -> tuple[Segment, float]:
    """The segment with this event put on stage, and how many seconds the event keeps it busy."""
    start, me = segment.start, play.before.bot(play.bot)
    match event:
        case BotTurned(degrees=degrees):
            return segment, theme.TURN_S[0] + theme.TURN_S[1] * min(1.0, abs(degrees) / 180)
        case BotMoved(start=left, end=reached):
            towards, far = bearing(reached[0] - left[0], reached[1] - left[1]), math.dist(left, reached)
            dust = Effect("dust", start, theme.MOVE_S + 0.7, left, towards, play.bot, far)
            return _flare(segment, dust) if far else segment, theme.MOVE_S
        case ShieldRaised() | ShieldLowered():
            change = Change(start, float(me.shield), float(isinstance(event, ShieldRaised)))
            return replace(segment, shield=_put(segment.shield, play.bot, change)), theme.SHIELD_S
        case FireRefused():
            return _flare(segment, Effect("refused", start, 0.7, (me.x, me.y), me.rot, play.bot)), theme.NOTHING_S
        case CommandIgnored(reason="") if play.decision.say:
            return segment, theme.NOTHING_S  # it does not wait, it speaks
        case CommandIgnored(reason=reason):
            words = _FUMBLES.get(play.status, "fumble!") if reason else "waits"
            kind = Effect("fumble", start, 1.3, (me.x, me.y), me.rot, play.bot, float(bool(reason)), words)
            return _flare(segment, kind), theme.NOTHING_S
        case _:
            return _shot(segment, play, event)


def _shot(segment: Segment, play: Play, event: Event) -> tuple[Segment, float]:
    """What a bullet does, from the muzzle to the knock-out."""
    assert segment.flight is not None
    start, me, (leaves, impact), hold = segment.start, play.before.bot(play.bot), segment.flight, segment.hold
    match event:
        case BulletFlew(start=gun, end=end):
            muzzle = Effect("muzzle", leaves, 0.22, gun, me.rot, play.bot)
            trace = Effect("trace", leaves, impact - leaves + 0.4, gun, me.rot, play.bot, math.dist(gun, end))
            return _flare(_flare(segment, trace), muzzle), impact - start
        case ShotMissed(at=at):
            return _flare(segment, Effect("wall", impact, 0.45, at, me.rot + 180, play.bot)), impact - start + 0.2
        case ShotBlocked(bot=bot, at=at):
            foe = play.before.bot(bot)
            outwards = bearing(at[0] - foe.x, at[1] - foe.y)
            block = Effect("block", impact, 0.6, at, outwards, bot, held=hold)
            return _flare(segment, block), impact - start + hold + theme.IMPACT_S
        case BotHit(bot=bot, at=at, damage=damage, health=health):
            change = Change(impact, health + damage, health, hold)
            hurt = replace(segment, health=_put(segment.health, bot, change))
            hit = Effect("hit", impact, 0.9, at, me.rot, bot, damage, held=hold)
            return _flare(hurt, hit), impact - start + hold + theme.IMPACT_S
        case BotKnockedOut(bot=bot):
            foe, falls = play.before.bot(bot), impact + hold + 0.12
            fallen = (segment.fallen[0], falls) if bot else (falls, segment.fallen[1])
            blast = Effect("knockout", falls, 2.2, (foe.x, foe.y), me.rot, bot)
            return _flare(replace(segment, fallen=fallen), blast), falls - start + theme.KNOCKOUT_S
    return segment, 0.0


def _put(pair: tuple[Change, Change], bot: int, change: Change) -> tuple[Change, Change]:
    return (pair[0], change) if bot else (change, pair[1])


def _flare(segment: Segment, effect: Effect) -> Segment:
    return replace(segment, effects=(*segment.effects, effect))
