"""Which stretches of a game are kept, and how fast."""

from __future__ import annotations

import math
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple, TypeGuard

from batllm_arcade.core.events import BotHit, Event, ShieldBroke, ShieldRaised, ShotBlocked
from batllm_arcade.match.records import GameEnded, Play, RoundStarted
from batllm_arcade.story.games import called
from batllm_arcade.story.moments import TurningPoint
from batllm_arcade.story.sentences import say
from batllm_arcade.video.edit.edit_list import Cut
from batllm_arcade.video.edit.text import Twist, film_names, games, twists
from batllm_arcade.view.animation import Segment
from batllm_arcade.view.scene import Scoreboard
from batllm_arcade.view.timeline import Timeline

# Shots that land alike

LIKE = 5
"""Hits in a row with the same damage, or blocks, of which all but the first two and the last one are shown faster."""
_FIRST, _LAST, _APART = 2, 1, 8  # hits at both ends that are shown as always; plays from one hit to the next
_SHORTEST_S = 3.0  # of the timeline, so that the ribbon can be read


class Trade(NamedTuple):
    """A part of the timeline from `start` to `end` seconds with nothing new but so many `hits`, or blocks.

    `hit` is the bot that takes them all, None if both take some.
    """

    start: float
    end: float
    hits: int
    blocked: bool = False
    hit: int | None = None


def trades(game: list[Segment], turned: Container[float]) -> Iterator[Trade]:
    """Yield where hits or blocks of a game are alike; `turned` has the starts of the segments that turn it."""
    for run in _runs(game, turned):
        if len(run) >= LIKE:
            first, last = run[_FIRST - 1], run[-_LAST]
            if last.start - first.end >= _SHORTEST_S:
                blocked = any(isinstance(event, ShotBlocked) for event in _events(first))
                taken = {event.bot for segment in run[_FIRST:-_LAST] for event in _events(segment) if _lands(event)}
                hit = taken.pop() if len(taken) == 1 else None
                yield Trade(first.end, last.start, len(run) - _FIRST - _LAST, blocked, hit)


def _runs(game: list[Segment], turned: Container[float]) -> Iterator[list[Segment]]:
    """Yield the shots in a row that land alike: no other damage, nothing turned, nobody one hit from its end."""
    run, kind, since = list[Segment](), None, 0
    for segment in game:
        if not isinstance(segment.record, Play):
            continue
        like, since = _kind(segment), since + 1
        ends = segment.start in turned or _is_grave(segment)
        if ends or since > _APART or (like is not None and like != kind):
            yield run
            run = []
        if like is not None:
            kind, since = like, 0
            if not ends:
                run.append(segment)
    yield run


def _kind(segment: Segment) -> tuple[object, ...] | None:
    """Return what shots that land alike have in common, None for a play in which none lands.

    Where they land is told apart only if that costs more or less.
    """
    for event in _events(segment):
        if isinstance(event, BotHit):
            return (event.part if segment.board.rules.has_armour else "any"), event.damage
        if isinstance(event, ShotBlocked):
            return "blocked", event.bot
    return None


def _is_grave(segment: Segment) -> bool:
    """Return whether a bot that is hit would not stand another such hit, or one whose shield breaks not one."""
    for event in _events(segment):
        if isinstance(event, BotHit) and event.health <= event.damage:
            return True
        if isinstance(event, ShieldBroke):
            return segment.arena.bot(event.bot).health <= segment.board.rules.bullet_damage[1 - event.bot]
    return False


def _lands(event: Event) -> TypeGuard[BotHit | ShotBlocked]:
    return isinstance(event, BotHit | ShotBlocked)


def _events(segment: Segment) -> tuple[Event, ...]:
    return segment.record.events if isinstance(segment.record, Play) else ()


# What a whole film shows

DEAD = 8
"""Plays in a row without a hit or a block of which most are left out."""
_KEPT, _KEPT_OF_PEACE = 2, 9  # plays at each end of a stretch that are shown; of a game in which nothing else happens
_LEAST = 4  # plays that are left out
_RIBBON_S, _TURNING_S = 1.6, 2.4  # the turning point has more words, which stay until the next play
_EARLY = 1 / 3  # of a game's plays: who watches does not want to know yet who wins
QUIET, FASTER = 3, 3.0
"""Plays in a row without a shot and without words that are waited for that are shown faster, and how much faster all is
that is."""
_LEAST_S = 0.9  # for which a ribbon stays although a banner or a hit follows
_HIGH = 0.36  # share of the arena's height above which a bot would be behind a ribbon


class Piece(NamedTuple):
    """A part of the timeline that is shown from `start` to `end` seconds, after so many turns that are left out.

    `round` is that in which it begins if it is another one than before, else 0.
    """

    start: float
    end: float
    turns: int = 0
    round: int = 0

    @property
    def text(self) -> str:
        """Return what is left out before it, "" if that is nothing."""
        return turns_later(self.turns, self.round) if self.turns else ""


class _Ribbon(NamedTuple):
    start: float
    end: float
    text: str
    bot: int | None
    low: bool
    speed: float = 1.0


def pieces(timeline: Timeline, start: float, end: float, points: Sequence[TurningPoint] = ()) -> list[Piece]:
    """Return the parts of the timeline between `start` and `end` in which something happens, or a game is turned."""
    found, piece = list[Piece](), Piece(start, end)
    for first, after in _gaps(timeline, points):
        if piece.start <= first and after.start < end:
            found.append(piece._replace(end=first))
            piece = after._replace(end=end)
    return [*found, piece]


def whole(
    timeline: Timeline,
    shown: Iterable[Piece],
    points: Sequence[TurningPoint] = (),
    *,
    faster: bool = True,
    quiet: bool = False,
) -> list[Cut]:
    """Return the cuts of a film that shows these parts: each but the first after a flash, with ribbons.

    `faster`: shots that land like those before are shown faster; `quiet`: and plays in which none is fired.
    """
    told = [point for point in points if _is_news(point, timeline)]
    found, cuts = twists(timeline, told), list[Cut]()
    calm = [*_quiet(timeline)] if quiet else []
    ribbons = [*_ribbons(timeline, found), *(_trades(timeline, found) if faster else ())]
    banners = [segment.start for segment in timeline.segments if isinstance(segment.record, RoundStarted)]
    for piece in shown:
        until = min((start for start in banners if start >= piece.start), default=math.inf)
        later = _Ribbon(
            piece.start, max(piece.start + _LEAST_S, min(piece.start + _RIBBON_S, until)), piece.text, None, False
        )
        texts = [*calm, *([later] if piece.text else ()), *ribbons]  # the later ones count more
        marks = {mark for ribbon in texts for mark in ribbon[:2] if piece.start < mark < piece.end}
        for start, end in pairwise(sorted({piece.start, piece.end, *marks})):
            said = next((ribbon for ribbon in reversed(texts) if ribbon.start <= start < ribbon.end), None)
            text, bot, low = (said.text, said.bot, said.low) if said else ("", None, False)
            speed = said.speed if said else 1.0
            cuts.append(Cut(start, end, speed, text, bot, "flash" if cuts and start == piece.start else "", low))
    return cuts


def _is_news(point: TurningPoint, timeline: Timeline) -> bool:
    """Return whether a ribbon tells where a game tipped: not early, which would tell who wins, nor at a knock-out."""
    plays = (segment.record for segment in timeline.segments if isinstance(segment.record, Play))
    keys = [play.key for play in plays if play.game == point.play.game]
    return point.play.key in keys and keys.index(point.play.key) >= _EARLY * len(keys)


def _ribbons(timeline: Timeline, found: Mapping[float, Twist]) -> Iterator[_Ribbon]:
    followed = sorted(filter(None, map(_next_news, timeline.segments)))
    for segment in timeline.segments:
        twist = found.get(segment.start)
        if twist is not None:
            end = twist.known + _RIBBON_S
            if twist.kind == "lead" and any(twist.known < start < twist.known + _LEAST_S for start in followed):
                continue  # a hit comes before that can be read, and the lead may be gone
            if twist.kind == "turning":
                end = min(max(end, segment.end), twist.known + _TURNING_S)
            end = next((start for start in followed if twist.known + _LEAST_S <= start < end), end)
            low = twist.kind != "comeback" and _is_high(segment)  # below, there is the result's banner
            yield _Ribbon(twist.known, end, twist.text, twist.bot, low)


def _is_high(segment: Segment) -> bool:
    return min(segment.arena.bot(bot).y for bot in (0, 1)) < _HIGH * segment.board.rules.arena_height


def _next_news(segment: Segment) -> float | None:
    """Return when a segment shows what a ribbon makes way for: a banner, or a hit."""
    if isinstance(segment.record, RoundStarted | GameEnded):
        return segment.start
    hit = isinstance(segment.record, Play) and segment.record.is_hit
    return segment.flight[1] if hit and segment.flight else None


def _quiet(timeline: Timeline) -> Iterator[_Ribbon]:
    for game in games(timeline):
        run = list[Segment]()
        for segment in (*game, None):
            if segment is not None and isinstance(segment.record, Play) and segment.flight is None and not segment.lead:
                run.append(segment)
                continue
            if len(run) >= QUIET:
                yield _Ribbon(run[0].start, run[-1].end, "", None, False, FASTER)
            run = []


def _trades(timeline: Timeline, found: Mapping[float, Twist]) -> Iterator[_Ribbon]:
    """Yield where shots land like those before, without the banners of rounds in between."""
    for game in games(timeline):
        banners = [segment for segment in game if isinstance(segment.record, RoundStarted)]
        for trade in trades(game, found):
            start, what = trade.start, "shots blocked" if trade.blocked else "hits"
            if trade.hit is not None and not trade.blocked:
                what = f"hits on {called(film_names(game[0].board.seats))[trade.hit]}"
            text = say("more", n=f"{trade.hits}", what=what)
            for banner in banners:
                if start < banner.start < trade.end:
                    yield _Ribbon(start, banner.start, text, None, False, FASTER)
                    start = banner.end
            yield _Ribbon(start, trade.end, text, None, False, FASTER)


def _gaps(timeline: Timeline, points: Sequence[TurningPoint]) -> Iterator[tuple[float, Piece]]:
    """Yield from when on nothing happens, without the plays at both ends, and what is shown after that."""
    for game in games(timeline):
        for run, peaceful in _stretch_runs(game, points):
            kept = _KEPT_OF_PEACE if peaceful else _KEPT
            plays = len(run) - 2 * kept
            if len(run) >= DEAD and plays >= _LEAST:
                before, after = run[kept - 1], run[len(run) - kept]
                turns, new = turn_of(after.board) - turn_of(before.board), after.board.round != before.board.round
                yield before.end, Piece(after.start, timeline.end, turns, after.board.round if new else 0)


def turns_later(turns: int, new_round: int = 0, stands: str = "") -> str:
    """Return how many turns are left out: `1 turn later`, and in which round what follows is if that is another one.

    `stands` is how both stand then, if that is told.
    """
    when = f"round {new_round}, " if new_round else ""
    return say("later", when=when, turns=f"{turns} turn{'s' * (turns != 1)}", stands=stands)


def turn_of(board: Scoreboard) -> int:
    """Return the turn of a play with this scoreboard, counted through its game."""
    return (board.round - 1) * board.rules.turns_per_round + board.turn


def _stretch_runs(game: list[Segment], points: Sequence[TurningPoint]) -> Iterator[tuple[list[Segment], bool]]:
    """Yield the plays in a row in which nothing happens or turns the game, and whether that is the whole game."""
    run, happened, prompts, raised = list[Segment](), False, None, set[int]()
    for segment in game:
        record = segment.record
        if isinstance(record, RoundStarted):
            if prompts not in (None, record.prompts):  # new orders are seen to be carried out
                yield run, False
                run = []
            prompts = record.prompts
        elif isinstance(record, Play) and (any(map(_lands, record.events)) or any(it.is_at(record) for it in points)):
            yield run, False
            run, happened = [], True
        elif isinstance(record, Play) and ShieldRaised in map(type, record.events) and record.bot not in raised:
            raised.add(record.bot)
            yield run, False
            run = [segment]
        elif isinstance(record, Play):
            run.append(segment)
    yield run, not happened and any(isinstance(segment.record, GameEnded) for segment in game)
