"""The best moments of a match, at most half a minute of them, with how it ended; the same ones every time."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import pairwise

from batllm_arcade.core.events import BotHit, BotKnockedOut, ShotBlocked
from batllm_arcade.core.geometry import bearing
from batllm_arcade.match.records import GameEnded, GameStarted, Play
from batllm_arcade.video.edit.edit_list import Cut, Entry
from batllm_arcade.view.timeline import Segment, Timeline

LONGEST_S = 30.0
LAST_DEGREES = 6.0
"""A block that only so many degrees of shield held off is one at the last degree."""
_KNOCKOUT = 100.0
_SLOW = 0.35  # of the real speed, around an impact
_BEFORE_S, _AFTER_S = 0.14, 0.22  # timeline seconds of slow motion around an impact
_HIGH = 0.36  # of the arena's height; what befalls a bot further up is seen where the words stand
_SEAM_S = 0.45  # moments nearer than this are one stretch


@dataclass(frozen=True, slots=True)
class Highlight:
    """A stretch of the timeline worth seeing: why, whose, how much so.

    `known` is when it has happened, `slow` what is in slow motion, `high` whether it happens near the arena's top.
    """

    start: float
    end: float
    score: float
    words: str
    bot: int | None
    known: float
    slow: tuple[float, float] | None = None
    high: bool = False


def pieces(timeline: Timeline, start: float, end: float, longest: float = LONGEST_S) -> list[Cut]:
    """The film's pieces: the moments between `start` and `end` with the highest scores, in order of time.

    The ending is always among them.
    """
    found = [moment for moment in _moments(timeline) if moment.start < end and moment.end > start]
    last = _ending(timeline, start, end)
    chosen = [last]
    for moment in sorted(found, key=lambda moment: (-moment.score, moment.start)):
        if any(moment.start < other.end and moment.end > other.start for other in chosen[1:]):
            continue  # in an exchange of shots every impact needs its run-up
        wider = [*chosen, moment]
        if sum(piece.seconds for piece in _cut(wider, start, end)) <= longest:
            chosen = wider
    return _cut(chosen, start, end)


def _moments(timeline: Timeline) -> Iterator[Highlight]:
    fumbles, blood = 0, False
    for segment in timeline.segments:
        play = segment.record
        if not isinstance(play, Play):
            blood = blood and not isinstance(play, GameStarted)
            continue
        if play.status != "ok":
            fumbles += 1
            name = segment.board.seats[play.bot].name
            words = f"{name} fumbles" if play.status in ("invalid", "timeout") else f"{name} fails"
            start, end, high = segment.start - 0.2, segment.end + 0.3, _high(segment, play, play.bot)
            yield Highlight(start, end, 12 / fumbles, words, play.bot, segment.start, high=high)
        hit = any(isinstance(event, BotHit) for event in play.events)
        for moment in _of_shot(segment, play):
            yield _first_blood(moment, segment, play) if hit and not blood else moment
        blood = blood or hit


def _first_blood(moment: Highlight, segment: Segment, play: Play) -> Highlight:
    if moment.score >= _KNOCKOUT:
        return moment
    return replace(moment, score=moment.score + 30, words=f"first blood for {segment.board.seats[play.bot].name}")


def _of_shot(segment: Segment, play: Play) -> Iterator[Highlight]:
    """What a bullet that met the other bot is worth: one moment at most."""
    if segment.flight is not None:
        high = _high(segment, play, 1 - play.bot)
        yield from (replace(moment, high=high) for moment in _of_bullet(segment, play, segment.flight[1]))


def _high(segment: Segment, play: Play, bot: int) -> bool:
    return play.before.bot(bot).y < _HIGH * segment.board.rules.arena_height


def _of_bullet(segment: Segment, play: Play, impact: float) -> Iterator[Highlight]:
    events = {type(event): event for event in play.events}
    hit, block = events.get(BotHit), events.get(ShotBlocked)
    if BotKnockedOut in events:
        me, foe = (segment.board.seats[bot].name for bot in (play.bot, 1 - play.bot))
        words = f"{me} knocks {foe} out"
        yield Highlight(impact - 1.0, segment.end + 0.2, _KNOCKOUT, words, play.bot, impact, _around(impact))
    elif isinstance(hit, BotHit):
        yield _hit(segment, play, hit, impact)
    elif isinstance(block, ShotBlocked):
        yield _block(segment, play, block, impact)


def _hit(segment: Segment, play: Play, hit: BotHit, impact: float) -> Highlight:
    me, foe = (segment.board.seats[bot].name for bot in (play.bot, hit.bot))
    rules = segment.board.rules
    full, over = rules.initial_health[hit.bot], _angle(play, hit) - rules.shield_degrees
    past = play.before.bot(hit.bot).shield and over <= 2 * LAST_DEGREES
    words = f"{me} gets past the shield" if past else f"{me} hits: {hit.health:g} left for {foe}"
    score = 30 + 40 * hit.damage / full + 15 * (1 - hit.health / full) + 15 * past
    return Highlight(impact - 0.8, impact + 0.75, score, words, play.bot, impact, _around(impact))


def _block(segment: Segment, play: Play, block: ShotBlocked, impact: float) -> Highlight:
    spare = segment.board.rules.shield_degrees - _angle(play, block)
    foe = segment.board.seats[block.bot].name
    if spare > LAST_DEGREES:
        return Highlight(impact - 0.7, impact + 0.7, 8.0, f"{foe} blocks", block.bot, impact)
    words, score = f"{foe} blocks at the last degree", 45 - 2 * max(0.0, spare)
    return Highlight(impact - 0.8, impact + 0.75, score, words, block.bot, impact, _around(impact))


def _around(impact: float) -> tuple[float, float]:
    return impact - _BEFORE_S, impact + _AFTER_S


def _angle(play: Play, event: BotHit | ShotBlocked) -> float:
    """Degrees between the target's nose and the way from its centre to where it was struck, 0 to 180."""
    foe = play.before.bot(event.bot)
    away = bearing(event.at[0] - foe.x, event.at[1] - foe.y) - foe.rot
    return abs(math.remainder(away, 360.0))


def _ending(timeline: Timeline, start: float, end: float) -> Highlight:
    """The last thing that happened, and the result where there is one."""
    shown = [segment for segment in timeline.segments if segment.start < end and segment.end > start]
    last = next((segment for segment in reversed(shown) if isinstance(segment.record, Play)), shown[-1])
    over = any(isinstance(segment.record, GameEnded) for segment in shown)
    begins = max(start, end - LONGEST_S / 2, last.start - 0.6)
    shot = next(_of_shot(last, last.record), None) if isinstance(last.record, Play) else None
    if shot and (shot.score >= _KNOCKOUT or not over):
        return replace(shot, start=begins, end=end, score=math.inf)
    begins = max(begins, min(last.end, end - 0.5) - 0.3)
    return Highlight(begins, end, math.inf, "", None, end)  # the banner says who won


def _cut(moments: Iterable[Highlight], start: float, end: float) -> list[Cut]:
    """The moments in order as pieces; those that touch run on without a cut."""
    cut: list[Cut] = []
    entry: Entry
    for moment in sorted(moments, key=lambda moment: (moment.start, moment.end)):
        begins, ends = max(start, moment.start), min(end, moment.end)
        near = bool(cut) and begins - cut[-1].end < _SEAM_S
        if near:
            begins = cut[-1].end
        if begins >= ends:
            continue
        entry = "" if near or not cut else "flash"
        cut += _speeds(moment, begins, ends, entry)
    return cut


def _speeds(moment: Highlight, begins: float, ends: float, entry: Entry) -> Iterator[Cut]:
    """The moment's pieces: run-up, slow motion, and the words not before it has happened."""
    first, last = moment.slow or (ends, ends)
    marks = sorted({begins, ends, *(mark for mark in (first, moment.known, last) if begins < mark < ends)})
    for start, end in pairwise(marks):
        words = moment.words if start >= moment.known else ""
        speed, bot = _SLOW if first <= start < last else 1.0, moment.bot if words else None
        yield Cut(start, end, speed, words, bot, entry, low=bool(words) and moment.high)
        entry = ""
