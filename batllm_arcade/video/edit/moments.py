"""The moments of a match worth seeing: hits, blocks, broken shields, fumbles, each with a score and words."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from batllm_arcade.analysis.judgement import Swings, own
from batllm_arcade.core.events import BotHit, ShieldBroke, ShotBlocked
from batllm_arcade.match.records import GameEnded, GameStarted, Play, Record, RoundStarted
from batllm_arcade.story import moments as told
from batllm_arcade.story.games import called
from batllm_arcade.story.moments import KNOCKOUT
from batllm_arcade.story.sentences import say
from batllm_arcade.story.turning import TurningPoint, deed
from batllm_arcade.video.edit.story import Twist, twists
from batllm_arcade.video.edit.text import film_names
from batllm_arcade.view.segment import Segment
from batllm_arcade.view.timeline import Timeline

_BEFORE_S, _AFTER_S = 0.14, 0.32  # timeline seconds of slow motion around an impact
_HIGH = 0.36  # share of the arena's height above which an event would be behind the text
TURNS = 0.2
"""The change of a chance by which a play is a moment in which nothing else happens."""
_MOST_ALIKE = 2
"""Of shots of one bot that land alike, or that one shield stops, how many are moments whatever they change."""
_SEEN = 0.2
"""What there is to see counts that much, beside a hundred points for a game that is turned from lost to won."""
_TWIST = {"turning": 500.0, "next": 40.0, "lead": 20.0, "comeback": 0.0}
"""How much more a moment is worth that turns the game."""
_FIRST = 30.0
"""The same of the first hit of a game."""
_PLAIN = 8.0
"""The score of a block that is nothing special."""
_AROUND = {"knockout": (1.0, 0.2), "hit": (0.8, 0.75), "block": (0.75, 0.75), "break": (0.8, 0.95)}
"""Seconds that are shown before an impact, and after it; of a knock-out after the play."""


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
    told: float = math.inf
    """Until when the text is shown."""
    card: tuple[str, str, str] | None = None
    """A game's number, the score before it and how the last one ended, which are shown instead of the arena."""


def moments(timeline: Timeline, swings: Swings, points: Sequence[TurningPoint] = ()) -> Iterator[Highlight]:
    """Yield the moments of a timeline; what counts most is how much they change who is likely to win.

    A knock-out is worth more than all else. Of shots that a bot's shield stops in a game, and of those that break it,
    and of its hits with the same damage, the best two and what changes much count. Plays in which nothing is to be seen
    count where that is all there is.
    """
    turns, alike = twists(timeline, points), Counter[tuple[object, ...]]()
    found = list[tuple[Segment, Highlight, float]]()
    for segment, moment in _seen(timeline, turns):
        change = _change(segment, swings)
        found.append((segment, replace(moment, score=_score(moment, change)), change))
    banners = [segment for segment in timeline.segments if isinstance(segment.record, RoundStarted | GameEnded)]
    for segment, moment, change in sorted(found, key=lambda each: (-each[1].score, each[1].start)):
        kind = _kind(segment) if segment.start not in turns else ()
        alike[kind] += bool(kind)
        if alike[kind] <= _MOST_ALIKE or change >= TURNS:
            yield _between(moment, banners)
    if not found:
        yield from _unseen(timeline, swings)


def _between(moment: Highlight, banners: Sequence[Segment]) -> Highlight:
    """Return a moment without what it shows of the banners of rounds and results before and after it."""
    start = max((banner.end for banner in banners if banner.end <= moment.known), default=0.0)
    end = min((banner.start for banner in banners if banner.start >= moment.known), default=math.inf)
    return replace(moment, start=max(moment.start, start), end=min(moment.end, end))


def _score(moment: Highlight, change: float) -> float:
    """Return what a moment is worth that changes the chances by so much."""
    return (1.0 if moment.score >= KNOCKOUT else _SEEN) * moment.score + 100 * change


def _kind(segment: Segment) -> tuple[object, ...]:
    """Return what shots have in common that land alike in a game; () for plays in which none lands.

    It is () for knock-outs, too, and for hits after which the next one would be one.
    """
    play = segment.record
    assert isinstance(play, Play)
    events = {type(event): event for event in play.events}
    hit = events.get(BotHit)
    if ShotBlocked in events:
        return play.game, play.bot, ShieldBroke in events
    if isinstance(hit, BotHit) and hit.health > segment.board.rules.bullet_damage[play.bot]:
        past = play.before.bot(hit.bot).shield
        return play.game, play.bot, hit.damage, past, segment.board.rules.has_armour and hit.part
    return ()


def _change(segment: Segment, swings: Swings) -> float:
    """Return how much a play changes the chances, together with the one before it, which may have let it happen."""
    play = segment.record
    assert isinstance(play, Play)
    before, after = swings.get(play.key, (0.5, 0.5))
    earlier = swings.get((play.game, play.round, play.number - 1), (before, before))[0]
    return max(abs(after - before), abs(after - earlier))


def _unseen(timeline: Timeline, swings: Swings) -> Iterator[Highlight]:
    """Yield the plays that change a game although nothing is hit, blocked or fumbled."""
    for segment in timeline.segments:
        play = segment.record
        if not isinstance(play, Play):
            continue
        before, after = (own(chance, play.bot) for chance in swings.get(play.key, (0.5, 0.5)))
        if abs(after - before) >= TURNS:
            names = film_names(segment.board.seats)
            text = say("does", who=called(names)[play.bot], did=deed(play))
            start, end, high = segment.acts - 0.2, segment.end + 0.5, _high(segment, play, play.bot)
            yield Highlight(start, end, 100 * abs(after - before), text, play.bot, segment.acts, high=high)


def _seen(timeline: Timeline, turns: Mapping[float, Twist]) -> Iterator[tuple[Segment, Highlight]]:
    """Yield what is hit, blocked and fumbled, in order, scored by what there is to see; and what `turns` the games."""
    fumbles, hits = 0, 0
    for before, segment in pairwise([timeline.segments[0], *timeline.segments]):
        play, twist = segment.record, turns.get(segment.start)
        if not isinstance(play, Play):
            hits = 0 if isinstance(play, GameStarted) else hits
            continue
        found = of_play(segment, play, before.record)
        if found is None:
            continue
        fumbles += play.status != "ok"
        if play.status != "ok":
            found = replace(found, score=found.score / fumbles)
        elif found.score < KNOCKOUT and twist is not None:
            found = replace(found, score=found.score + _TWIST[twist.kind], text=twist.text, bot=twist.bot)
        elif found.score < KNOCKOUT and play.is_hit and not hits:
            found = replace(found, score=found.score + _FIRST)
        hits += play.is_hit
        yield segment, found


def of_play(segment: Segment, play: Play, before: Record | None = None) -> Highlight | None:
    """Return the highlight of a shot that met the other bot, or of a play that failed, None for others; of a knock-out
    it tells what came `before`."""
    seen = told.moment(play, before, segment.board.rules, film_names(segment.board.seats))
    if seen is None:
        return None
    kind, score, text, bot = seen
    if kind == "fumble" or segment.flight is None:
        start, end, high = segment.acts - 0.2, segment.end + 0.3, _high(segment, play, play.bot)
        return Highlight(start, end, score, text, bot, segment.acts, high=high)
    impact, (earlier, later) = segment.flight[1], _AROUND[kind]
    end = segment.end + later if kind == "knockout" else min(impact + later, segment.end)  # no blink of the next play
    slow = (impact - _BEFORE_S, impact + _AFTER_S) if kind != "block" or score > _PLAIN else None
    start = impact - earlier
    if segment.lead:  # all of it is waited for so that its words can be read
        start, end = min(start, segment.start), max(end, segment.end)
    return Highlight(start, end, score, text, bot, impact, slow, _high(segment, play, 1 - play.bot))


def _high(segment: Segment, play: Play, bot: int) -> bool:
    return play.before.bot(bot).y < _HIGH * segment.board.rules.arena_height
