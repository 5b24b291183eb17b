"""The best moments of a match, at most half a minute of them, with how it ended; the same ones every time."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise

from batllm_arcade.core.events import BotHit, BotKnockedOut, ShotBlocked
from batllm_arcade.core.geometry import bearing
from batllm_arcade.records import GameEnded, Play
from batllm_arcade.video.cuts import Piece
from batllm_arcade.view.timeline import RESULT_WORDS, Segment, Timeline

LONGEST_S = 30.0
LAST_DEGREES = 6.0
"""A block that only so many degrees of shield held off is one at the last degree."""
_SLOW = 0.35  # of the real speed, around an impact
_BEFORE_S, _AFTER_S = 0.14, 0.22  # timeline seconds of slow motion around an impact
_SEAM_S = 0.45  # moments nearer than this are one stretch


@dataclass(frozen=True, slots=True)
class Highlight:
    """A stretch of the timeline worth seeing: why, whose, how much so; `slow` is the stretch in slow motion."""

    start: float
    end: float
    score: float
    words: str
    bot: int | None
    slow: tuple[float, float] | None = None


def pieces(timeline: Timeline, start: float, end: float, longest: float = LONGEST_S) -> list[Piece]:
    """The film's pieces: the moments between `start` and `end` with the highest scores, in order of time.

    The ending is always among them.
    """
    found = [moment for moment in _moments(timeline) if moment.start < end and moment.end > start]
    last = _ending(timeline, start, end)
    chosen = [last]
    for moment in sorted(found, key=lambda moment: (-moment.score, moment.start)):
        wider = [*chosen, moment]
        if sum(piece.seconds for piece in _cut(wider, start, end)) <= longest:
            chosen = wider
    return _cut(chosen, start, end)


def _moments(timeline: Timeline) -> Iterator[Highlight]:
    fumbles = 0
    for segment in timeline.segments:
        play = segment.record
        if not isinstance(play, Play):
            continue
        if play.status != "ok":
            fumbles += 1
            name = segment.board.seats[play.bot].name
            words = f"{name} fumbles" if play.status in ("invalid", "timeout") else f"{name} fails"
            yield Highlight(segment.start - 0.2, segment.end + 0.3, 12 / fumbles, words, play.bot)
        yield from _of_shot(segment, play)


def _of_shot(segment: Segment, play: Play) -> Iterator[Highlight]:
    if segment.flight is None:
        return
    impact = segment.flight[1]
    slow = (impact - _BEFORE_S, impact + _AFTER_S)
    me, foe = (segment.board.seats[bot].name for bot in (play.bot, 1 - play.bot))
    knocked = any(isinstance(event, BotKnockedOut) for event in play.events)
    for event in play.events:
        if isinstance(event, BotHit) and not knocked:
            share = event.damage / segment.board.rules.initial_health[event.bot]
            left = event.health / segment.board.rules.initial_health[event.bot]
            past = _past_the_shield(play, event, segment.board.rules.shield_degrees)
            words = f"{me} gets past the shield" if past else f"{me} hits {foe}"
            score = 30 + 40 * share + 15 * (1 - left) + 15 * past
            yield Highlight(impact - 0.8, impact + 0.75, score, words, play.bot, slow)
        elif isinstance(event, BotKnockedOut):
            yield Highlight(impact - 1.0, segment.end + 0.2, 100, f"{me} knocks {foe} out", play.bot, slow)
        elif isinstance(event, ShotBlocked):
            spare = segment.board.rules.shield_degrees - _angle(play, event)
            close = spare <= LAST_DEGREES
            words = f"{foe} blocks at the last degree" if close else f"{foe} blocks"
            score = 45 - 2 * max(0.0, spare) if close else 8.0
            yield Highlight(impact - 0.7, impact + 0.7, score, words, event.bot, slow if close else None)


def _angle(play: Play, event: BotHit | ShotBlocked) -> float:
    """Degrees between the target's nose and the way from its centre to where it was struck, 0 to 180."""
    foe = play.before.bot(event.bot)
    away = bearing(event.at[0] - foe.x, event.at[1] - foe.y) - foe.rot
    return abs(math.remainder(away, 360.0))


def _past_the_shield(play: Play, event: BotHit, shield_degrees: float) -> bool:
    """Whether the shield was up and missed the bullet by little."""
    return play.before.bot(event.bot).shield and _angle(play, event) - shield_degrees <= 2 * LAST_DEGREES


def _ending(timeline: Timeline, start: float, end: float) -> Highlight:
    """The last thing that happened, and the result where there is one."""
    shown = [segment for segment in timeline.segments if segment.start < end and segment.end > start]
    last = next((segment for segment in reversed(shown) if isinstance(segment.record, Play)), shown[-1])
    over = next((segment.record for segment in shown if isinstance(segment.record, GameEnded)), None)
    begins = max(start, end - LONGEST_S / 2, last.start - 0.6)
    words, slow, bot = "", None, None
    for moment in _of_shot(last, last.record) if isinstance(last.record, Play) else ():
        words, slow, bot = moment.words, moment.slow, moment.bot
    if not words and over is not None:
        words, bot = f"It ends {RESULT_WORDS[over.result.reason].partition(':')[0]}", over.result.winner
    return Highlight(begins, end, math.inf, words, bot, slow)


def _cut(moments: Iterable[Highlight], start: float, end: float) -> list[Piece]:
    """The moments in order as pieces; those that touch run on without a cut."""
    cut: list[Piece] = []
    for moment in sorted(moments, key=lambda moment: (moment.start, moment.end)):
        begins, ends = max(start, moment.start), min(end, moment.end)
        near = bool(cut) and begins - cut[-1].end < _SEAM_S
        if near:
            begins = cut[-1].end
        if begins >= ends:
            continue
        cut += _speeds(moment, begins, ends, "" if near or not cut else "flash")
    return cut


def _speeds(moment: Highlight, begins: float, ends: float, entry: str) -> Iterator[Piece]:
    slow = moment.slow or (ends, ends)
    marks = [begins, min(ends, max(begins, slow[0])), min(ends, max(begins, slow[1])), ends]
    for index, (first, last) in enumerate(pairwise(marks)):
        if first < last:
            yield Piece(first, last, _SLOW if index == 1 else 1.0, moment.words, moment.bot, "flash" if entry else "")
            entry = ""
