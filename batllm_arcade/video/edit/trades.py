"""Stretches of a game in which one shot lands like the other, which a whole film shows faster."""

from __future__ import annotations

from collections.abc import Container, Iterator
from typing import NamedTuple

from batllm_arcade.core.events import BotHit, Event, ShieldBroke, ShotBlocked
from batllm_arcade.match.records import Play
from batllm_arcade.view.segment import Segment

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
                taken = {_foe(segment) for segment in run[_FIRST:-_LAST]}
                hit = taken.pop() if len(taken) == 1 else None
                yield Trade(first.end, last.start, len(run) - _FIRST - _LAST, blocked, hit)


def _foe(segment: Segment) -> int:
    """Return at which bot a play's shot is fired."""
    assert isinstance(segment.record, Play)
    return 1 - segment.record.bot


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


def _events(segment: Segment) -> tuple[Event, ...]:
    return segment.record.events if isinstance(segment.record, Play) else ()
