"""The moment of a fight that a picture of it shows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from operator import itemgetter

from batllm_arcade.core.events import BotHit, BotKnockedOut, ShotBlocked
from batllm_arcade.match.records import Play
from batllm_arcade.view.scene import Scene
from batllm_arcade.view.segment import Segment
from batllm_arcade.view.timeline import Timeline

Span = tuple[float, float]
_AFTER_S = 0.2
"""Seconds after a bullet has landed until that is seen best."""
_PASSING = "refused", "uncharged", "fumble"
"""Effects whose words say nothing of the fight."""
_HIT = 3
"""The gravity of hits that do not tell how a game ends."""
_APART = 0.4
"""What it counts that bots are an arena's width apart and hence drawn small, beside a hit that takes all health."""


def fight_scene(timeline: Timeline, spans: Iterable[Span]) -> Scene:
    """Return the scene at `fight_second` as a picture shows it: without numbers, and words that say nothing of it."""
    scene = timeline.at(fight_second(timeline, spans))
    seen = (replace(effect, amount=0.0) if effect.kind == "hit" else effect for effect in scene.effects)
    # the number of what a hit took may stand beside the other bot of two that are near
    return replace(scene, effects=tuple(effect for effect in seen if effect.kind not in _PASSING))


def fight_second(timeline: Timeline, spans: Iterable[Span]) -> float:
    """Return the second of a timeline within `spans` in which there is most to see: the gravest hit of near
    bots that does not tell how it ends, else a knock-out, else a block, else the middle of what is shown."""
    shown = list(spans)
    gravest = max(_shots(timeline, shown), default=None, key=itemgetter(0))
    if gravest and gravest[0][0]:
        return _seen_at(gravest[1])
    return (shown[0][0] + shown[-1][1]) / 2 if shown else timeline.end / 2


def _shots(timeline: Timeline, spans: Iterable[Span]) -> Iterator[tuple[tuple[int, float], Segment]]:
    """Yield the segments whose bullets land within some spans, each after how much there is to see of it."""
    shown = list(spans)
    for segment in timeline.segments:
        if segment.flight is not None and any(start <= segment.flight[1] < end for start, end in shown):
            yield _gravity(segment), segment


def _seen_at(segment: Segment) -> float:
    """Return the second at which it is seen best what a segment's bullet did."""
    assert segment.flight is not None
    return segment.flight[1] + _AFTER_S


def _gravity(segment: Segment) -> tuple[int, float]:
    """Return how much there is to see where a bullet lands, and the share of health it takes, less if it flew far."""
    play = segment.record
    if not isinstance(play, Play):
        return 0, 0.0
    kinds = {type(event) for event in play.events}
    if BotHit not in kinds:
        return int(ShotBlocked in kinds), 0.0
    hit = 1 - play.bot
    lost = play.before.bot(hit).health - play.after.bot(hit).health
    rules = segment.board.rules
    apart = play.after.apart / rules.arena_width
    return 2 if BotKnockedOut in kinds else _HIT, lost / rules.initial_health[hit] - _APART * apart
