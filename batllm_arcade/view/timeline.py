"""Records to moments: what a match looks like at any time t, the same for a window, a replay and a film."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Iterable
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
from batllm_arcade.core.model import SEATS, Arena, Rules
from batllm_arcade.records import (
    GameEnded,
    GameStarted,
    Play,
    Record,
    RoundEnded,
    RoundStarted,
    SeatSwapped,
    SessionEnded,
    SessionStarted,
)
from batllm_arcade.view import theme
from batllm_arcade.view.scene import Banner, Board, BotPose, Bullet, Effect, Point, Scene, Tally

LONGEST_EFFECT_S = theme.SPEECH_S
_TAIL = 0.22  # of a bullet's flight that its tail is behind its head


@dataclass(frozen=True, slots=True)
class _Change:
    """A figure that goes from `old` to `new` at `t`."""

    t: float
    old: float
    new: float

    def eased(self, t: float, seconds: float, delay: float = 0.0) -> float:
        share = smooth((t - self.t - delay) / seconds)
        return self.old + (self.new - self.old) * share


@dataclass(frozen=True, slots=True)
class Segment:
    """One record's stretch of the timeline: busy from `start` to `end`, and what holds from then on."""

    start: float
    end: float
    record: Record
    arena: Arena
    board: Board
    health: tuple[_Change, _Change]
    shield: tuple[_Change, _Change]
    effects: tuple[Effect, ...] = ()
    flight: tuple[float, float] | None = None
    fallen: tuple[float | None, float | None] = (None, None)
    entered: float = 0.0


class Timeline:
    """Grows by `append`; `at(t)` is pure: the same t always gives the same scene."""

    def __init__(self) -> None:
        self.segments: list[Segment] = []
        self._starts: list[float] = []

    @classmethod
    def of(cls, records: Iterable[Record]) -> Timeline:
        """A whole recording, one record after the other without waiting for anybody to think."""
        timeline = cls()
        for record in records:
            timeline.append(record)
        return timeline

    @property
    def end(self) -> float:
        """When everything so far has been shown, in seconds."""
        return self.segments[-1].end if self.segments else 0.0

    def append(self, record: Record, not_before: float = 0.0) -> None:
        """Show the record when the last one is over, but not before that time."""
        start = max(self.end, not_before)
        if isinstance(record, (SessionStarted, SessionEnded)):
            return  # the last picture stays
        if isinstance(record, GameStarted):
            segment = _game_started(record, start)
        elif not self.segments:
            return  # nothing can be shown before a game has started
        else:
            segment = _next(self.segments[-1], record, start)
        self.segments.append(segment)
        self._starts.append(start)

    def at(self, t: float) -> Scene:
        """The scene at t seconds; IndexError before any game has started."""
        index = max(0, bisect_right(self._starts, t) - 1)
        segment = self.segments[index]
        effects = self._effects(index, t)
        acting = segment.record.bot if isinstance(segment.record, Play) and t < segment.end else None
        return Scene(
            t=t,
            arena=segment.arena,
            bots=(_pose(segment, 0, t), _pose(segment, 1, t)),
            board=_board(segment, t),
            bullets=_bullets(segment, t),
            effects=effects,
            banner=_banner(segment, t),
            shake=_shake(effects, t, segment.board.rules),
            acting=acting,
        )

    def _effects(self, index: int, t: float) -> tuple[Effect, ...]:
        live: list[Effect] = []
        while index >= 0 and self.segments[index].end > t - LONGEST_EFFECT_S:
            effects = self.segments[index].effects
            live += [effect for effect in effects if effect.start <= t < effect.start + effect.duration]
            index -= 1
        return tuple(reversed(live))


def _board(segment: Segment, t: float) -> Board:
    """What the panels say: once both bots have acted, the next turn has begun."""
    record, board = segment.record, segment.board
    both = isinstance(record, Play) and record.number % 2 == 0 and t >= segment.end
    if both and segment.fallen == (None, None) and board.turn < board.rules.turns_per_round:
        return replace(board, turn=board.turn + 1)
    return board


def smooth(share: float) -> float:
    """Ease in and out: 0 below 0, 1 above 1."""
    share = min(1.0, max(0.0, share))
    return share * share * (3 - 2 * share)


def _overshoot(share: float) -> float:
    """Ease out with a small swing past the end."""
    share = min(1.0, max(0.0, share)) - 1
    return 1 + 2.2 * share**3 + 1.2 * share**2


def _game_started(record: GameStarted, start: float) -> Segment:
    board = Board(record.rules, record.seed, record.game, record.seats)
    bots = (record.arena.left, record.arena.right)
    health = tuple(_Change(start, bot.health, bot.health) for bot in bots)
    shield = tuple(_Change(start + 0.5, 0.0, float(bot.shield)) for bot in bots)
    return Segment(
        start, start + theme.GAME_BANNER_S, record, record.arena, board,
        (health[0], health[1]), (shield[0], shield[1]), entered=start,
    )  # fmt: skip


def _next(last: Segment, record: Record, start: float) -> Segment:
    board = last.board
    if isinstance(record, Play):
        return _play(last, record, start)
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
    return replace(last, start=start, end=end, record=record, board=board, effects=(), flight=None)


def _play(last: Segment, play: Play, start: float) -> Segment:
    plays = (last.board.plays[0], play) if play.bot else (play, last.board.plays[1])
    board = replace(last.board, turn=play.turn, plays=plays, tallies=_tallied(last.board.tallies, play))
    staged = replace(last, start=start, record=play, arena=play.after, board=board, effects=(), flight=None)
    busy = 0.0
    if play.decision.say:
        me = play.before.bot(play.bot)
        said = Effect("speech", start, theme.SPEECH_S, (me.x, me.y), 0.0, play.bot, text=play.decision.say)
        staged, busy = _flare(staged, said), theme.NOTHING_S
    for event in play.events:
        staged, seconds = _staged(staged, play, event)
        busy = max(busy, seconds)
    known = staged.flight[1] if staged.flight else start
    known_at = (board.known_at[0], known) if play.bot else (known, board.known_at[1])
    return replace(staged, end=start + busy + theme.PAUSE_S, board=replace(board, known_at=known_at))


def _tallied(tallies: tuple[Tally, Tally], play: Play) -> tuple[Tally, Tally]:
    kinds = {type(event) for event in play.events}
    me, foe = tallies[play.bot], tallies[1 - play.bot]
    me = Tally(
        me.shots + (BulletFlew in kinds), me.hits + (BotHit in kinds), me.blocks, me.fumbles + (play.status != "ok")
    )
    foe = replace(foe, blocks=foe.blocks + (ShotBlocked in kinds))
    return (foe, me) if play.bot else (me, foe)


def _staged(segment: Segment, play: Play, event: Event) -> tuple[Segment, float]:
    """The segment with this event put on stage, and how many seconds the event keeps it busy."""
    start, rules = segment.start, segment.board.rules
    me = play.before.bot(play.bot)
    impact = segment.flight[1] if segment.flight else start
    match event:
        case BotTurned(degrees=degrees):
            return segment, theme.TURN_S[0] + theme.TURN_S[1] * min(1.0, abs(degrees) / 180)
        case BotMoved():
            return segment, theme.MOVE_S
        case ShieldRaised() | ShieldLowered():
            change = _Change(start, float(me.shield), float(isinstance(event, ShieldRaised)))
            return replace(segment, shield=_put(segment.shield, play.bot, change)), theme.SHIELD_S
        case FireRefused():
            return _flare(segment, Effect("refused", start, 0.7, (me.x, me.y), me.rot, play.bot)), theme.NOTHING_S
        case CommandIgnored(reason="") if play.decision.say:
            return segment, theme.NOTHING_S  # it does not wait, it speaks
        case CommandIgnored(reason=reason):
            kind = Effect("fumble", start, 1.3, (me.x, me.y), me.rot, play.bot, amount=float(bool(reason)))
            return _flare(segment, kind), theme.NOTHING_S
        case BulletFlew(start=gun, end=end):
            share = math.dist(gun, end) / math.hypot(rules.arena_width, rules.arena_height)
            leaves = start + theme.WINDUP_S
            lands = leaves + theme.FLIGHT_S[0] + theme.FLIGHT_S[1] * share
            muzzle = Effect("muzzle", leaves, 0.22, gun, me.rot, play.bot)
            return replace(_flare(segment, muzzle), flight=(leaves, lands)), lands - start
        case ShotMissed(at=at):
            return _flare(segment, Effect("wall", impact, 0.45, at, me.rot + 180, play.bot)), impact - start + 0.2
        case ShotBlocked(bot=bot, at=at):
            foe = play.before.bot(bot)
            outwards = bearing(at[0] - foe.x, at[1] - foe.y)
            return _flare(segment, Effect("block", impact, 0.6, at, outwards, bot)), impact - start + theme.IMPACT_S
        case BotHit(bot=bot, at=at, damage=damage, health=health):
            change = _Change(impact, health + damage, health)
            hurt = replace(segment, health=_put(segment.health, bot, change))
            return _flare(hurt, Effect("hit", impact, 0.9, at, me.rot, bot, damage)), impact - start + theme.IMPACT_S
        case BotKnockedOut(bot=bot):
            foe = play.before.bot(bot)
            fallen = (segment.fallen[0], impact + 0.12) if bot else (impact + 0.12, segment.fallen[1])
            blast = Effect("knockout", impact + 0.12, 2.2, (foe.x, foe.y), me.rot, bot)
            return _flare(replace(segment, fallen=fallen), blast), impact - start + theme.KNOCKOUT_S


def _put(pair: tuple[_Change, _Change], bot: int, change: _Change) -> tuple[_Change, _Change]:
    return (pair[0], change) if bot else (change, pair[1])


def _flare(segment: Segment, effect: Effect) -> Segment:
    return replace(segment, effects=(*segment.effects, effect))


def _pose(segment: Segment, bot: int, t: float) -> BotPose:
    state = segment.arena.bot(bot)
    x, y, rot = state.x, state.y, state.rot
    if isinstance(segment.record, Play) and segment.record.bot == bot and t < segment.end:
        x, y, rot = _under_way(segment.record, t - segment.start, x, y, rot)
    full = segment.board.rules.initial_health[bot]
    health, fallen = segment.health[bot], segment.fallen[bot]
    return BotPose(
        x=x,
        y=y,
        rot=rot,
        shield=segment.shield[bot].eased(t, theme.SHIELD_S) if fallen is None or t < fallen else 0.0,
        health=health.eased(t, 0.18) / full,
        ghost=health.eased(t, 0.5, 0.45) / full,
        points=health.new if t >= health.t else health.old,
        alive=fallen is None or t < fallen,
        entrance=_overshoot((t - segment.entered - 0.15 - 0.2 * bot) / 0.45),
    )


def _under_way(play: Play, seconds: float, x: float, y: float, rot: float) -> tuple[float, float, float]:
    for event in play.events:
        if isinstance(event, BotTurned):
            share = smooth(seconds / (theme.TURN_S[0] + theme.TURN_S[1] * min(1.0, abs(event.degrees) / 180)))
            rot = event.start + event.degrees * share
        elif isinstance(event, BotMoved):
            share = smooth(seconds / theme.MOVE_S)
            x = event.start[0] + (event.end[0] - event.start[0]) * share
            y = event.start[1] + (event.end[1] - event.start[1]) * share
    return x, y, rot


def _bullets(segment: Segment, t: float) -> tuple[Bullet, ...]:
    if segment.flight is None or not isinstance(segment.record, Play):
        return ()
    leaves, lands = segment.flight
    share = (t - leaves) / (lands - leaves)
    if not 0.0 <= share < 1.0 + _TAIL:
        return ()
    flew = next(event for event in segment.record.events if isinstance(event, BulletFlew))
    return (Bullet(_between(flew, max(0.0, share - _TAIL)), _between(flew, min(1.0, share)), flew.bot),)


def _between(flew: BulletFlew, share: float) -> Point:
    (x0, y0), (x1, y1) = flew.start, flew.end
    return x0 + (x1 - x0) * share, y0 + (y1 - y0) * share


def _shake(effects: tuple[Effect, ...], t: float, rules: Rules) -> Point:
    dx = dy = 0.0
    for effect in effects:
        strength = {"hit": 0.12, "knockout": 0.35, "block": 0.04}.get(effect.kind, 0.0)
        calm = max(0.0, 1 - (t - effect.start) / (0.7 if effect.kind == "knockout" else 0.28))
        reach = strength * calm * calm * rules.bot_radius
        dx += reach * math.sin(95 * (t - effect.start))
        dy += reach * math.cos(83 * (t - effect.start))
    return dx, dy


def _banner(segment: Segment, t: float) -> Banner | None:
    age, record, board = t - segment.start, segment.record, segment.board
    seats = board.seats
    if isinstance(record, GameStarted):
        return Banner(f"{seats[0].name}  vs  {seats[1].name}", f"game {record.game}", age, theme.GAME_BANNER_S)
    if isinstance(record, RoundStarted):
        first = record.acting_order[0]
        subtitle = f"{seats[first].name} ({SEATS[first]}) acts first"
        return Banner(f"Round {record.round}", subtitle, age, theme.ROUND_BANNER_S, first)
    if isinstance(record, SeatSwapped):
        title = f"{SEATS[record.bot].capitalize()} is now {record.seat.name}"
        return Banner(title, record.problem, age, theme.SWAP_BANNER_S, record.bot)
    if board.result is not None:
        winner = board.result.winner
        title = "Nobody wins" if winner is None else f"{_called(board, winner)} wins"
        return Banner(title, RESULT_WORDS[board.result.reason], age, None, winner)
    return None


def _called(board: Board, bot: int) -> str:
    """A seat's name; two of the same name are told apart by where they sit."""
    names = [seat.name for seat in board.seats]
    return f"{names[bot]} ({SEATS[bot]})" if names[0] == names[1] else names[bot]


RESULT_WORDS = {
    "knockout": "by knock-out",
    "points": "on points",
    "draw": "a draw: both kept the same share of health",
    "forfeit": "the other side forfeits: its brain failed too often",
    "aborted": "the game was abandoned",
}
"""How a result's reason reads under the winner's name."""
