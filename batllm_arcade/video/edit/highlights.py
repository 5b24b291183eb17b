"""The best moments of a match and its end, at most half a minute; a function of the timeline."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import pairwise

from batllm_arcade.core.events import BotHit, BotKnockedOut, ShieldBroke, ShotBlocked
from batllm_arcade.core.geometry import bearing
from batllm_arcade.match.records import GameEnded, GameStarted, Play
from batllm_arcade.video.edit.edit_list import Cut, Entry
from batllm_arcade.video.edit.text import film_names
from batllm_arcade.view.timeline import Segment, Timeline

LONGEST_S = 30.0
LAST_DEGREES = 6.0
"""A block so near to the shield's edge, in degrees, counts as one at the last degree."""
_DRAMATIC = 8  # moments that make a game dramatic; a longer one is not more so
_KNOCKOUT = 100.0
_SLOW = 0.35  # of the real speed, around an impact
_BEFORE_S, _AFTER_S = 0.14, 0.22  # timeline seconds of slow motion around an impact
_HIGH = 0.36  # share of the arena's height above which an event would be behind the text
_BOTH = 26  # characters of two names that fit on a ribbon with some words
_SEAM_S = 0.45  # highlights nearer to each other than this are joined


@dataclass(frozen=True, slots=True)
class Highlight:
    """A part of the timeline worth seeing, in timeline seconds; the higher its score the more so.

    `known` is when `text` may be shown, `slow` the part in slow motion, `high` whether it happens near the arena's top.
    """

    start: float
    end: float
    score: float
    text: str
    bot: int | None
    known: float
    slow: tuple[float, float] | None = None
    high: bool = False


def cuts(timeline: Timeline, start: float, end: float, longest: float = LONGEST_S) -> list[Cut]:
    """Return the cuts of the highlights with the highest scores between `start` and `end`, in order.

    The ending is always among them; together they last at most `longest` seconds.
    """
    found = [moment for moment in _moments(timeline) if moment.start < end and moment.end > start]
    last = _ending(timeline, start, end)
    chosen = [last]
    for moment in sorted(found, key=lambda moment: (-moment.score, moment.start)):
        if any(moment.start < other.end and moment.end > other.start for other in chosen[1:]):
            continue  # every impact needs the seconds before it
        wider = [*chosen, moment]
        if sum(cut.seconds for cut in _joined_cuts(wider, start, end)) <= longest:
            chosen = wider
    return _joined_cuts(chosen, start, end)


def spans(timeline: Timeline, start: float, end: float) -> list[tuple[float, float]]:
    """Return the plays of all highlights between `start` and `end`, in timeline seconds."""
    return [
        (segment.start, segment.end)
        for segment in timeline.segments
        if start <= segment.start < end and isinstance(segment.record, Play) and any(_of_shot(segment, segment.record))
    ]


def drama(timeline: Timeline) -> float:
    """Return how much there is to see in a timeline: the scores of its best moments together, 0 without any."""
    return sum(sorted((moment.score for moment in _moments(timeline)), reverse=True)[:_DRAMATIC])


def _moments(timeline: Timeline) -> Iterator[Highlight]:
    fumbles, blood = 0, False
    for segment in timeline.segments:
        play = segment.record
        if not isinstance(play, Play):
            blood = blood and not isinstance(play, GameStarted)
            continue
        if play.status != "ok":
            fumbles += 1
            name = film_names(segment.board.seats)[play.bot]
            text = f"{name} fumbles" if play.status in ("invalid", "timeout") else f"{name} fails"
            start, end, high = segment.acts - 0.2, segment.end + 0.3, _high(segment, play, play.bot)
            yield Highlight(start, end, 12 / fumbles, text, play.bot, segment.acts, high=high)
        hit = any(isinstance(event, BotHit) for event in play.events)
        for moment in _of_shot(segment, play):
            yield _first_blood(moment, segment, play) if hit and not blood else moment
        blood = blood or hit


def _first_blood(moment: Highlight, segment: Segment, play: Play) -> Highlight:
    if moment.score >= _KNOCKOUT:
        return moment
    text = f"first blood for {film_names(segment.board.seats)[play.bot]}"
    if any(isinstance(event, BotHit) and _in_the_back(segment, event) for event in play.events):
        text = moment.text
    return replace(moment, score=moment.score + 30, text=text)


def _in_the_back(segment: Segment, hit: BotHit) -> bool:
    return segment.board.rules.has_armour and hit.part == "back"


def _of_shot(segment: Segment, play: Play) -> Iterator[Highlight]:
    """Yield the highlight of a shot that met the other bot, if it did."""
    if segment.flight is not None:
        high = _high(segment, play, 1 - play.bot)
        for moment in _of_bullet(segment, play, segment.flight[1]):
            begins = min(moment.start, segment.start) if segment.lead else moment.start  # its words come first
            yield replace(moment, start=begins, high=high)


def _high(segment: Segment, play: Play, bot: int) -> bool:
    return play.before.bot(bot).y < _HIGH * segment.board.rules.arena_height


def _of_bullet(segment: Segment, play: Play, impact: float) -> Iterator[Highlight]:
    events = {type(event): event for event in play.events}
    hit, block = events.get(BotHit), events.get(ShotBlocked)
    if BotKnockedOut in events:
        me, foe = _names(segment, play.bot)
        text = f"{me} knocks {foe} out" if len(me) + len(foe) <= _BOTH else f"knock-out by {me}"
        yield Highlight(impact - 1.0, segment.end + 0.2, _KNOCKOUT, text, play.bot, impact, _around(impact))
    elif isinstance(hit, BotHit):
        yield _hit(segment, play, hit, impact)
    elif isinstance(block, ShotBlocked) and ShieldBroke in events:
        yield _broken(segment, play, block, impact)
    elif isinstance(block, ShotBlocked):
        yield _block(segment, play, block, impact)


def _hit(segment: Segment, play: Play, hit: BotHit, impact: float) -> Highlight:
    me, rules = _names(segment, play.bot)[0], segment.board.rules
    full, over = rules.initial_health[hit.bot], _angle(play, hit) - rules.shield_degrees
    past = play.before.bot(hit.bot).shield and over <= 2 * LAST_DEGREES
    back = _in_the_back(segment, hit)
    left, right = (play.after.bot(bot).health for bot in (0, 1))
    text = f"{me} gets past the shield" if past else f"{me} hits, {left:g} : {right:g}"
    if back:
        text = f"{me} hits the back, {left:g} : {right:g}"
    score = 30 + 40 * hit.damage / full + 15 * (1 - hit.health / full) + 15 * (past or back)
    return Highlight(impact - 0.8, impact + 0.75, score, text, play.bot, impact, _around(impact))


def _block(segment: Segment, play: Play, block: ShotBlocked, impact: float) -> Highlight:
    spare = segment.board.rules.shield_degrees - _angle(play, block)
    foe = film_names(segment.board.seats)[block.bot]
    if spare > LAST_DEGREES:
        return Highlight(impact - 0.7, impact + 0.7, 8.0, f"{foe} blocks", block.bot, impact)
    text, score = f"{foe} blocks at the last degree", 45 - 2 * max(0.0, spare)
    return Highlight(impact - 0.8, impact + 0.75, score, text, block.bot, impact, _around(impact))


def _broken(segment: Segment, play: Play, block: ShotBlocked, impact: float) -> Highlight:
    """Return the highlight of a shield that broke; if the bullet would have ended the game it is the bot's escape."""
    me, foe = _names(segment, play.bot)
    saved = play.before.bot(block.bot).health <= segment.board.rules.bullet_damage[play.bot]
    text, score = (f"{foe} escapes on its last charge", 62.0) if saved else (f"{me} breaks the shield", 42.0)
    bot = block.bot if saved else play.bot
    return Highlight(impact - 0.8, impact + 0.95, score, text, bot, impact, _around(impact))


def _names(segment: Segment, bot: int) -> tuple[str, str]:
    """Return the name of that bot and of the other one."""
    left, right = film_names(segment.board.seats)
    return (right, left) if bot else (left, right)


def _around(impact: float) -> tuple[float, float]:
    return impact - _BEFORE_S, impact + _AFTER_S


def _angle(play: Play, event: BotHit | ShotBlocked) -> float:
    """Return the angle between the target's direction and the impact, seen from its centre: 0 to 180 degrees."""
    foe = play.before.bot(event.bot)
    away = bearing(event.at[0] - foe.x, event.at[1] - foe.y) - foe.rot
    return abs(math.remainder(away, 360.0))


def _ending(timeline: Timeline, start: float, end: float) -> Highlight:
    """Return the highlight of the last play, with the result if there is one."""
    shown = [segment for segment in timeline.segments if segment.start < end and segment.end > start]
    last = next((segment for segment in reversed(shown) if isinstance(segment.record, Play)), shown[-1])
    over = any(isinstance(segment.record, GameEnded) for segment in shown)
    begins = max(start, end - LONGEST_S / 2, last.start - 0.6)
    shot = next(_of_shot(last, last.record), None) if isinstance(last.record, Play) else None
    if shot and (shot.score >= _KNOCKOUT or not over):
        return replace(shot, start=begins, end=end, score=math.inf)
    begins = max(begins, min(last.end, end - 0.5) - 0.3)
    return Highlight(begins, end, math.inf, "", None, end)  # the banner shows the result


def _joined_cuts(highlights: Iterable[Highlight], start: float, end: float) -> list[Cut]:
    """Return the cuts of these highlights in order; those that touch are joined."""
    found: list[Cut] = []
    entry: Entry
    for moment in sorted(highlights, key=lambda moment: (moment.start, moment.end)):
        begins, ends = max(start, moment.start), min(end, moment.end)
        near = bool(found) and begins - found[-1].end < _SEAM_S
        if near:
            begins = found[-1].end
        if begins >= ends:
            continue
        entry = "" if near or not found else "flash"
        found += _cuts_by_speed(moment, begins, ends, entry)
    return found


def _cuts_by_speed(moment: Highlight, begins: float, ends: float, entry: Entry) -> Iterator[Cut]:
    """Yield the highlight's cuts: slow motion in between, and the text once it has happened."""
    first, last = moment.slow or (ends, ends)
    marks = sorted({begins, ends, *(mark for mark in (first, moment.known, last) if begins < mark < ends)})
    for start, end in pairwise(marks):
        text = moment.text if start >= moment.known else ""
        speed, bot = _SLOW if first <= start < last else 1.0, moment.bot if text else None
        yield Cut(start, end, speed, text, bot, entry, low=moment.high)
        entry = ""
