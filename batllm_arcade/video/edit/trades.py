"""Stretches of a game in which one like hit follows the other, which a whole film shows faster."""

from __future__ import annotations

from collections.abc import Container, Iterator
from typing import NamedTuple

from batllm_arcade.core.events import BotHit
from batllm_arcade.match.records import Play
from batllm_arcade.view.segment import Segment

LIKE = 5
"""Hits in a row with the same damage, of which all but the first two and the last one are shown faster."""
SLOWEST, FASTEST = 3.0, 6.0
"""How much faster: as much as it takes to show them in `_SHOWN_S`."""
_FIRST, _LAST, _APART = 2, 1, 8  # hits at both ends that are shown as always; plays from one hit to the next
_SHORTEST_S, _SHOWN_S = 3.0, 3.0  # of the timeline, so that the ribbon can be read; of the film


class Trade(NamedTuple):
    """A part of the timeline from `start` to `end` seconds with nothing new but so many `hits`."""

    start: float
    end: float
    hits: int

    @property
    def speed(self) -> float:
        """Return how much faster it is shown."""
        return min(FASTEST, max(SLOWEST, (self.end - self.start) / _SHOWN_S))


def trades(game: list[Segment], turned: Container[float]) -> Iterator[Trade]:
    """Yield where hits of a game are alike; `turned` has the starts of the segments in which something turns it."""
    for run in _runs(game, turned):
        if len(run) >= LIKE:
            first, last = run[_FIRST - 1], run[-_LAST]
            if last.start - first.end >= _SHORTEST_S:
                yield Trade(first.end, last.start, len(run) - _FIRST - _LAST)


def _runs(game: list[Segment], turned: Container[float]) -> Iterator[list[Segment]]:
    """Yield the hits in a row that are alike: no other damage, nothing turned, nobody one hit from its end."""
    run, kind, since = list[Segment](), None, 0
    for segment in game:
        play = segment.record
        if not isinstance(play, Play):
            continue
        hit, since = next((event for event in play.events if isinstance(event, BotHit)), None), since + 1
        like = None if hit is None else (hit.part, hit.damage)
        if segment.start in turned or since > _APART or (hit is not None and (like != kind or _near_its_end(hit))):
            yield run
            run = []
        if hit is not None:
            kind, since = like, 0
            if segment.start not in turned and not _near_its_end(hit):
                run.append(segment)
    yield run


def _near_its_end(hit: BotHit) -> bool:
    return hit.health <= hit.damage
