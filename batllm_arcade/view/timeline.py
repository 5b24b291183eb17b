"""A match as segments of time: the scene at any moment, and where its games, rounds, turns and marks are."""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from batllm_arcade.core.events import (
    BotBumped,
    BotHit,
    BotKnockedOut,
    BotMoved,
    BotTurned,
    BulletFlew,
    Event,
    ShieldBroke,
    ShotBlocked,
)
from batllm_arcade.core.model import Rules
from batllm_arcade.match.records import (
    GameEnded,
    GameStarted,
    Play,
    Record,
    RoundStarted,
    SeatSwapped,
    SessionEnded,
    SessionStarted,
    by_a_person,
)
from batllm_arcade.match.series import SIDES, Series, SeriesScore, distinct, reason_text, winner_text
from batllm_arcade.settings.user_settings import DisplayOptions
from batllm_arcade.view import theme
from batllm_arcade.view.animation import Segment, bolt, make_segment, turn_seconds
from batllm_arcade.view.camera import MIDDLE, CloseUp, closeness, fits, frame
from batllm_arcade.view.look import motion
from batllm_arcade.view.look.shapes import BotShape, Points, disc, line, polygon
from batllm_arcade.view.scene import Banner, BotPose, Bullet, Effect, Point, Scene, Scoreboard
from batllm_arcade.view.theme import Color


def close_up(segment: Segment, anchor: Point = MIDDLE) -> CloseUp | None:
    """Return the shot of a segment that met a bot near enough to be shown with its whole way, None if none did.

    `anchor` is where in the picture the middle between both bots should be.
    """
    if segment.flight is None or not _meets(segment) or not fits_segment(segment, anchor):
        return None
    return CloseUp(segment.acts, segment.flight[1])


def fits_segment(segment: Segment, anchor: Point = MIDDLE) -> bool:
    """Return whether a picture has both bots where a segment leaves them, and all the way of a bullet that met one."""
    fit = fits(*_places(segment))
    return fit and (not _meets(segment) or _in_picture(segment, anchor))


def _meets(segment: Segment) -> bool:
    return any(isinstance(event, (BotHit, ShotBlocked)) for event in _events(segment))


def _in_picture(segment: Segment, anchor: Point) -> bool:
    bots, arena = _places(segment)
    bounces = (event.bounce for event in _events(segment) if isinstance(event, BulletFlew) and event.bounce is not None)
    shown = frame(bots, arena, 1.0, anchor)
    return all(shown.shows(*each) for each in bounces)


def _events(segment: Segment) -> Sequence[Event]:
    return segment.record.events if isinstance(segment.record, Play) else ()


def _places(segment: Segment) -> tuple[tuple[Point, Point], Point]:
    (left, right), rules = (segment.arena.left, segment.arena.right), segment.board.rules
    return ((left.x, left.y), (right.x, right.y)), (rules.arena_width, rules.arena_height)


# The timeline of a match

LONGEST_EFFECT_S = theme.SPEECH_S
_CAMERA_S = CloseUp(0.0, 0.0).over
"""Seconds for which the camera stays with a shot that has landed."""
_WHOLE = 0.995
"""The share of the arena from which on it is shown whole."""


class Timeline:
    """Grows by `append`; `at(t)` depends on nothing but t and the records so far.

    `series` is how the series stands in which the games are played, unless a record of the session's start says so.
    """

    def __init__(
        self,
        display: DisplayOptions = DisplayOptions(),  # noqa: B008, frozen
        series: Series | None = None,
    ) -> None:
        self._display, self._score = display, SeriesScore(series)
        self.segments: list[Segment] = []
        self._starts: list[float] = []

    @classmethod
    def of(cls, records: Iterable[Record], display: DisplayOptions = DisplayOptions()) -> Timeline:  # noqa: B008, frozen
        """Return the timeline of a recording without the time spent thinking."""
        timeline = cls(display)
        for record in records:
            timeline.append(record)
        return timeline

    @property
    def end(self) -> float:
        """Return when the last segment ends, in seconds."""
        return self.segments[-1].end if self.segments else 0.0

    def append(self, record: Record, not_before: float = 0.0, lead: float = 0.0) -> None:
        """Add a record's segment after the last one, but not before `not_before` seconds.

        A play is shown `lead` seconds longer for its words, some of which come before its bot acts.
        """
        start = max(self.end, not_before)
        if isinstance(record, SessionStarted) and record.series is not None:
            self._score = SeriesScore(record.series)
        if isinstance(record, (SessionStarted, SessionEnded)):
            return  # nothing new to show
        segment = make_segment(self.segments[-1] if self.segments else None, record, start, self._display, lead)
        if segment is None:
            return
        self.segments.append(self._scored(segment))
        self._starts.append(start)

    @property
    def series(self) -> Series | None:
        """Return how the series stands, None where the games are none."""
        return self._score.series

    def _scored(self, segment: Segment) -> Segment:
        record, board = segment.record, segment.board
        if isinstance(record, GameStarted):
            self._score.begin_game((board.seats[0].name, board.seats[1].name), record.series)
        elif isinstance(record, SeatSwapped) and by_a_person(record.why):
            self._score.change_seat(record.bot)
        elif isinstance(record, GameEnded):
            self._score.end_game(record.result)
        if board.score == self._score.text:
            return segment
        return replace(segment, board=replace(board, score=self._score.text))

    def at(self, t: float) -> Scene:
        """Return the scene at t seconds; raise IndexError before any game has started."""
        index = max(0, bisect_right(self._starts, t) - 1)
        segment = self.segments[index]
        effects, past = self._effects(index, t)
        acting = segment.record.bot if isinstance(segment.record, Play) and t < segment.end else None
        return Scene(
            t=t,
            arena=segment.arena,
            bots=(_pose(segment, 0, t), _pose(segment, 1, t)),
            board=_board(segment, self.segments[index - 1].board if index else None, t),
            bullets=_bullets(segment, t),
            effects=effects,
            past=past,
            banner=_banner(segment, t),
            shake=self._shake(effects, t, segment.board.rules),
            acting=acting,
        )

    def framed(self, t: float) -> Scene:
        """Return the scene at t seconds as the camera shows it, which goes closer where a shot meets a bot."""
        return self.closer(t, self._close_ups(t))

    def closer(self, t: float, shots: Iterable[CloseUp], anchor: Point = MIDDLE) -> Scene:
        """Return the scene at t seconds as a camera shows it that goes closer for these shots.

        Then the middle between both bots is at `anchor`, as shares of the picture.
        """
        scene = self.at(t)
        if self._display.reduced_motion or not self._display.camera:
            return scene
        rules, (left, right) = scene.board.rules, scene.bots
        bots, arena = ((left.x, left.y), (right.x, right.y)), (rules.arena_width, rules.arena_height)
        shown = frame(bots, arena, closeness(t, shots), anchor)
        return scene if shown.width > _WHOLE * arena[0] else replace(scene, frame=shown)

    def _close_ups(self, t: float) -> Iterator[CloseUp]:
        index = bisect_right(self._starts, t) - 1
        while index >= 0 and self.segments[index].end > t - _CAMERA_S:
            shot = close_up(self.segments[index])
            if shot is not None:
                yield shot
            index -= 1

    def _effects(self, index: int, t: float) -> tuple[tuple[Effect, ...], tuple[Effect, ...]]:
        """Return the effects of that moment, and those with words that were over less than `LONGEST_WORDS_S` ago."""
        live: list[Effect] = []
        past: list[Effect] = []
        while index >= 0 and self.segments[index].end > t - LONGEST_EFFECT_S:
            for effect in self.segments[index].effects:
                if effect.start > t:
                    continue
                end = effect.end
                if t < end:
                    live.append(effect)
                elif effect.bots and t < end + theme.LONGEST_WORDS_S:
                    past.append(effect)
            index -= 1
        return tuple(reversed(live)), tuple(reversed(past)) if live else ()

    def _shake(self, effects: tuple[Effect, ...], t: float, rules: Rules) -> Point:
        dx = dy = 0.0
        if self._display.reduced_motion or not self._display.screen_shake:
            return dx, dy
        for effect in effects:
            shake = motion.SHAKES.get(effect.kind)
            if shake is not None:
                seconds = t - effect.start - effect.held
                reach = shake.reach * motion.SHAKE_FADE.at(seconds / shake.seconds) * rules.bot_radius
                dx += reach * motion.SHAKE_ACROSS.at(seconds)
                dy += reach * motion.SHAKE_DOWN.at(seconds)
        return dx, dy


def _board(segment: Segment, last: Scoreboard | None, t: float) -> Scoreboard:
    """Return the scoreboard at t: once both bots have acted, it shows the next turn.

    Until the play's outcome is seen, shots, hits and blocks are counted as in the `last` one.
    """
    record, board = segment.record, segment.board
    if last is not None and isinstance(record, Play) and t < board.known_at[record.bot]:
        return replace(board, tallies=last.tallies)
    both = isinstance(record, Play) and record.number % 2 == 0 and t >= segment.end
    if both and segment.fallen == (None, None) and board.turn < board.rules.turns_per_round:
        return replace(board, turn=board.turn + 1)
    return board


Pose = tuple[float, float, float]
"""A bot's centre and its direction."""


def _pose(segment: Segment, bot: int, t: float) -> BotPose:
    state = segment.arena.bot(bot)
    x, y, rot = state.x, state.y, state.rot
    if isinstance(segment.record, Play) and t < segment.end:
        x, y, rot = _moving(segment.record, bot, t - segment.acts, (x, y, rot))
    full = segment.board.rules.initial_health[bot]
    health, fallen = segment.health[bot], segment.fallen[bot]
    return BotPose(
        x=x,
        y=y,
        rot=rot,
        shield=segment.shield[bot].eased(t, theme.SHIELD_S) if fallen is None or t < fallen else 0.0,
        health=health.eased(t, theme.HEALTH_S) / full,
        ghost=health.eased(t, theme.GHOST_S[1], theme.GHOST_S[0]) / full,
        points=health.new if t >= health.t else health.old,
        alive=fallen is None or t < fallen,
        entrance=motion.ENTRANCE.at(
            (t - segment.entered - theme.ENTRANCE_S[0] - theme.LATER_S * bot) / theme.ENTRANCE_S[1]
        ),
        charge=round(segment.charge[bot].eased(t, theme.CHARGE_S)),
    )


def _moving(play: Play, bot: int, seconds: float, pose: Pose) -> Pose:
    """Return where a bot is and looks so many seconds into a play, at the end of which it has this pose."""
    x, y, rot = pose
    for event in play.events:
        if isinstance(event, BotTurned) and event.bot == bot:
            share = motion.TURN.at(seconds / turn_seconds(event.degrees))
            rot = event.start + event.degrees * share
        elif isinstance(event, BotMoved) and event.bot == bot:
            share = motion.STEP.at(seconds / theme.MOVE_S)
            x = event.start[0] + (event.end[0] - event.start[0]) * share
            y = event.start[1] + (event.end[1] - event.start[1]) * share
        elif isinstance(event, BotBumped) and event.bot == bot:
            left = 1.0 - motion.STEP.at((seconds - theme.BUMP_S[0]) / theme.BUMP_S[1])
            x += (event.start[0] - event.end[0]) * left
            y += (event.start[1] - event.end[1]) * left
            rot -= event.turned * left
    return x, y, rot


def _bullets(segment: Segment, t: float) -> tuple[Bullet, ...]:
    if segment.flight is None or not isinstance(segment.record, Play):
        return ()
    leaves, lands = segment.flight
    if t > lands:
        t = max(lands, t - segment.hold)
    share = (t - leaves) / (lands - leaves)
    if not 0.0 <= share < 1.0 + theme.BULLET_TAIL:
        return ()
    flew = next(event for event in segment.record.events if isinstance(event, BulletFlew))
    return (Bullet(*bolt(flew, share, theme.BULLET_TAIL), flew.bot),)


def _banner(segment: Segment, t: float) -> Banner | None:
    banner = banner_of(segment)
    return None if banner is None else replace(banner, age=t - segment.start)


def banner_of(segment: Segment) -> Banner | None:
    """Return the banner that a segment begins with, None if it has none."""
    record, board = segment.record, segment.board
    seats = board.seats
    if isinstance(record, GameStarted):
        left, right = distinct((seats[0].name, seats[1].name))
        return Banner(f"{left}  vs  {right}", board.score or f"game {record.game}", 0.0, theme.GAME_BANNER_S)
    if isinstance(record, RoundStarted):
        first = record.acting_order[0]
        subtitle = f"{distinct((seats[0].name, seats[1].name))[first]} acts first"
        return Banner(f"Round {record.round}", subtitle, 0.0, theme.ROUND_BANNER_S, first)
    if isinstance(record, SeatSwapped):
        title = f"{SIDES[record.bot].capitalize()} is now {record.seat.name}"
        return Banner(title, record.problem, 0.0, theme.SWAP_BANNER_S, record.bot)
    if board.result is not None:
        title = winner_text(board.result, (seats[0].name, seats[1].name))
        return Banner(title, reason_text(board.result), 0.0, None, board.result.winner)
    return None


# Where in a match: an index, and the marks of what happened

Kind = Literal["hit", "block", "break", "fumble", "knockout", "swap"]
Unit = Literal["play", "turn", "round", "game"]
HAPPENED: dict[Kind, str] = {
    "hit": "hits",
    "block": "blocks a shot",
    "break": "loses its shield: it broke",
    "fumble": "fumbles",
    "knockout": "is knocked out",
    "swap": "is played by somebody else now",
}
"""What a bot does or what befalls it in each moment."""


@dataclass(frozen=True, slots=True)
class Moment:
    """A notable event at `t` seconds; `bot` is the one that shot, blocked, lost its shield, fumbled or fell."""

    t: float
    kind: Kind
    bot: int


@dataclass(frozen=True, slots=True)
class Chapter:
    """The start of a game or a round, in seconds; `round` is 0 for a game."""

    t: float
    game: int
    round: int


class TimelineIndex:
    """The index of a finished timeline; lookups are binary searches. All times are in seconds."""

    def __init__(self, timeline: Timeline) -> None:
        self.end = timeline.end
        self.moments: list[Moment] = []
        self.chapters: list[Chapter] = []
        self.plays: list[Play] = []
        starts: dict[Unit, list[float]] = {"play": [], "turn": [], "round": [], "game": []}
        turn: tuple[int, int, int] | None = None
        for segment in timeline.segments:
            record = segment.record
            if isinstance(record, Play):
                self.plays.append(record)
                starts["play"].append(segment.start)
                if (record.game, record.round, record.turn) != turn:
                    turn = (record.game, record.round, record.turn)
                    starts["turn"].append(segment.start)
            elif isinstance(record, RoundStarted):
                self.chapters.append(Chapter(segment.start, record.game, record.round))
                starts["round"].append(segment.start)
            elif isinstance(record, GameStarted):
                self.chapters.append(Chapter(segment.start, record.game, 0))
                starts["game"].append(segment.start)
            self.moments += _moments(segment)
        self.starts: Mapping[Unit, Sequence[float]] = starts
        self.ends: Sequence[float] = [segment.end for segment in timeline.segments if isinstance(segment.record, Play)]
        self._times = [moment.t for moment in self.moments]

    def step(self, unit: Unit, by: int, t: float, grace: float = 0.0) -> float:
        """Return the start of the next (`by` 1) or previous (`by` -1) unit, else the timeline's end or start.

        Going back, a unit that began less than `grace` seconds ago is skipped.
        """
        starts = self.starts[unit]
        if by > 0:
            after = bisect_right(starts, t + 1e-6)
            return starts[after] if after < len(starts) else self.end
        before = bisect_left(starts, t - grace - 1e-6) - 1
        return starts[before] if before >= 0 else 0.0

    def play_at(self, t: float) -> Play | None:
        """Return the play shown at `t` or the last one before it; None before the first."""
        index = bisect_right(self.starts["play"], t) - 1
        return self.plays[index] if index >= 0 else None

    def turn_before(self, t: float) -> Play | None:
        """Return the play that ended the last turn at `t`, the one shown included; None before the first turn's end."""
        index = bisect_right(self.starts["play"], t) - 1
        return next((play for play in reversed(self.plays[: index + 1]) if play.number % 2 == 0), None)

    def play_from(self, t: float) -> Play | None:
        """Return the play shown at `t` or the next one after it; None after the last."""
        index = bisect_right(self.ends, t + 1e-6)
        return self.plays[index] if index < len(self.plays) else None

    def near(self, t: float, reach: float) -> Moment | None:
        """Return the moment nearest to `t` within `reach` seconds, knock-outs first; None if there is none."""
        low, high = bisect_left(self._times, t - reach), bisect_right(self._times, t + reach)
        moments = self.moments[low:high]
        return min(moments, key=lambda moment: (moment.kind != "knockout", abs(moment.t - t)), default=None)


def _moments(segment: Segment) -> list[Moment]:
    record = segment.record
    if isinstance(record, SeatSwapped):
        return [Moment(segment.start, "swap", record.bot)]
    if not isinstance(record, Play):
        return []
    if record.status != "ok":
        return [Moment(segment.start, "fumble", record.bot)]
    moments = []
    for event in record.events:
        if isinstance(event, BotHit):
            moments.append(Moment(_shown_at(segment, "hit"), "hit", record.bot))
        elif isinstance(event, ShotBlocked):
            moments.append(Moment(_shown_at(segment, "block"), "block", event.bot))
        elif isinstance(event, ShieldBroke):
            moments[-1:] = [Moment(_shown_at(segment, "break"), "break", event.bot)]  # instead of its block
        elif isinstance(event, BotKnockedOut):
            moments.append(Moment(_shown_at(segment, "knockout"), "knockout", event.bot))
    return moments


def _shown_at(segment: Segment, kind: str) -> float:
    return next((effect.start for effect in segment.effects if effect.kind == kind), segment.start)


MARK_COLORS: dict[Kind, Color] = {
    "hit": theme.DANGER, "block": theme.GOOD, "break": theme.TEXT, "fumble": theme.GOLD,
    "knockout": theme.WHITE, "swap": theme.SOFT,
}  # fmt: skip
_SHIELD: Points = [(-0.85, -0.9), (0.85, -0.9), (0.85, 0.1), (0.0, 1.0), (-0.85, 0.1)]
_BROKEN: tuple[Points, ...] = (
    [(-1.1, -0.9), (-0.05, -0.9), (-0.35, -0.3), (0.0, 0.1), (-0.35, 0.95), (-1.1, 0.1)],
    [(1.1, -0.9), (0.35, -0.9), (0.05, -0.3), (0.4, 0.1), (0.05, 1.0), (1.1, 0.1)],
)
"""A heraldic shield in two halves."""


def mark(kind: Kind, bot: int) -> list[BotShape]:
    """Return what a mark is drawn of, around (0, 0)."""
    color = MARK_COLORS[kind]
    if kind == "hit":
        spokes = [(index * math.pi / 8, 1.15 if index % 2 == 0 else 0.52) for index in range(16)]
        return [polygon(color, [(far * math.sin(angle), -far * math.cos(angle)) for angle, far in spokes])]
    if kind == "block":
        return [line(color, [(0.95 * x, 0.95 * y) for x, y in (*_SHIELD, *_SHIELD[:2])], 0.3)]
    if kind == "break":
        return [polygon(color, half) for half in _BROKEN]
    if kind == "fumble":
        return _cross(color, 0.8, 0.33)
    if kind == "swap":
        return [line(color, [(-1, 0), (0, -1), (1, 0), (0, 1), (-1, 0), (0, -1)], 0.3)]
    return [disc(theme.SEAT_COLORS[bot], 1.0), *_cross(theme.NIGHT, 0.55, 0.22)]


def _cross(color: Color, arm: float, wide: float) -> list[BotShape]:
    return [line(color, [(-arm, -turn * arm), (arm, turn * arm)], wide) for turn in (1, -1)]
