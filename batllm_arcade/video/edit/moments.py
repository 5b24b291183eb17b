"""The moments of a match worth seeing: hits, blocks, broken shields, fumbles, each with a score and words."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from batllm_arcade.analysis.judgement import Swings, own
from batllm_arcade.analysis.tipping import TurningPoint
from batllm_arcade.core.commands import Fire
from batllm_arcade.core.events import BotHit, BotKnockedOut, ShieldBroke, ShotBlocked
from batllm_arcade.core.geometry import bearing
from batllm_arcade.match.records import GameEnded, GameStarted, Play, Record, RoundStarted
from batllm_arcade.video.edit.story import Twist, twists
from batllm_arcade.video.edit.text import film_names
from batllm_arcade.view.segment import Segment
from batllm_arcade.view.timeline import Timeline
from batllm_arcade.view.words.judged_words import deed, played_and_hit

LAST_DEGREES = 6.0
"""A block so near to the shield's edge, in degrees, counts as one at the last degree."""
KNOCKOUT = 100.0
"""The score of a knock-out."""
_BEFORE_S, _AFTER_S = 0.14, 0.32  # timeline seconds of slow motion around an impact
_HIGH = 0.36  # share of the arena's height above which an event would be behind the text
_BOTH = 26  # characters of two names that fit on a ribbon with some words
TURNS = 0.2
"""The change of a chance by which a play is a moment in which nothing else happens."""
_MOST_ALIKE = 2
"""Of shots of one bot that land alike, or that one shield stops, how many are moments whatever they change."""
_SEEN = 0.2
"""What there is to see counts that much, beside a hundred points for a game that is turned from lost to won."""
_TWIST = {"turning": 500.0, "next": 40.0, "lead": 20.0, "comeback": 0.0}
"""How much more a moment is worth that turns the game."""


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
            name = film_names(segment.board.seats)[play.bot]
            text = f"{name} {deed(play)}: {'a mistake' if after < before else 'well played'}"
            start, end, high = segment.acts - 0.2, segment.end + 0.5, _high(segment, play, play.bot)
            yield Highlight(start, end, 100 * abs(after - before), text, play.bot, segment.acts, high=high)


def _seen(timeline: Timeline, turns: Mapping[float, Twist]) -> Iterator[tuple[Segment, Highlight]]:
    """Yield what is hit, blocked and fumbled, in order, scored by what there is to see; and what `turns` the games."""
    fumbles, blood = 0, False
    for before, segment in pairwise([timeline.segments[0], *timeline.segments]):
        play = segment.record
        if not isinstance(play, Play):
            blood = blood and not isinstance(play, GameStarted)
            continue
        if play.status != "ok":
            fumbles += 1
            name = film_names(segment.board.seats)[play.bot]
            text = f"{name} fumbles" if play.status in ("invalid", "timeout") else f"{name} fails"
            start, end, high = segment.acts - 0.2, segment.end + 0.3, _high(segment, play, play.bot)
            yield segment, Highlight(start, end, 12 / fumbles, text, play.bot, segment.acts, high=high)
        hit = play.is_hit
        twist, shots = turns.get(segment.start), list(of_shot(segment, play, before.record))
        if twist is not None and twist.kind == "turning" and not shots:  # what was left out is told before it
            start, end, high = segment.acts - 1.0, segment.end + 0.5, _high(segment, play, play.bot)
            yield segment, Highlight(start, end, _TWIST[twist.kind], twist.text, twist.bot, twist.known, high=high)
        for moment in shots:
            if twist is not None:
                yield segment, _turning(moment, twist)
            else:
                yield segment, _first_blood(moment, segment, play) if hit and not blood else moment
        blood = blood or hit


def _turning(moment: Highlight, twist: Twist) -> Highlight:
    """Return a moment with what it turns."""
    if moment.score >= KNOCKOUT:
        return moment
    return replace(moment, score=moment.score + _TWIST[twist.kind], text=twist.text, bot=twist.bot)


def _first_blood(moment: Highlight, segment: Segment, play: Play) -> Highlight:
    if moment.score >= KNOCKOUT:
        return moment
    text = f"first blood for {film_names(segment.board.seats)[play.bot]}"
    if any(isinstance(event, BotHit) and _in_the_back(segment, event) for event in play.events):
        text = moment.text
    return replace(moment, score=moment.score + 30, text=text)


def _in_the_back(segment: Segment, hit: BotHit) -> bool:
    return segment.board.rules.has_armour and hit.part == "back"


def of_shot(segment: Segment, play: Play, before: Record | None = None) -> Iterator[Highlight]:
    """Yield the highlight of a shot that met the other bot, if it did; of a knock-out it tells what came `before`."""
    if segment.flight is not None:
        high = _high(segment, play, 1 - play.bot)
        for moment in _of_bullet(segment, play, segment.flight[1], before):
            if moment.score < KNOCKOUT:  # no blink of the next play
                moment = replace(moment, end=min(moment.end, segment.end))
            if segment.lead:  # all of it is waited for so that its words can be read
                moment = replace(moment, start=min(moment.start, segment.start), end=max(moment.end, segment.end))
            yield replace(moment, high=high)


def _high(segment: Segment, play: Play, bot: int) -> bool:
    return play.before.bot(bot).y < _HIGH * segment.board.rules.arena_height


def _of_bullet(segment: Segment, play: Play, impact: float, before: Record | None) -> Iterator[Highlight]:
    events = {type(event): event for event in play.events}
    hit, block = events.get(BotHit), events.get(ShotBlocked)
    if BotKnockedOut in events:
        text, bot = _knocked_out(segment, play, before)
        yield Highlight(impact - 1.0, segment.end + 0.2, KNOCKOUT, text, bot, impact, _around(impact))
    elif isinstance(hit, BotHit):
        yield _hit(segment, play, hit, impact)
    elif isinstance(block, ShotBlocked) and ShieldBroke in events:
        yield _broken(segment, play, block, impact)
    elif isinstance(block, ShotBlocked):
        yield _block(segment, play, block, impact)


def _knocked_out(segment: Segment, play: Play, before: Record | None) -> tuple[str, int]:
    """Return what led to a knock-out, and whose doing that was; of one in an exchange of shots whose it was."""
    if isinstance(before, Play) and before.bot != play.bot and not isinstance(before.command, Fire):
        return played_and_hit(before, play, film_names(segment.board.seats), segment.board.rules), before.bot
    me, foe = _names(segment, play.bot)
    return f"{me} knocks {foe} out" if len(me) + len(foe) <= _BOTH else f"knock-out by {me}", play.bot


def _hit(segment: Segment, play: Play, hit: BotHit, impact: float) -> Highlight:
    me, rules = _names(segment, play.bot)[0], segment.board.rules
    full, over = rules.initial_health[hit.bot], _angle(play, hit) - rules.shield_degrees
    past = play.before.bot(hit.bot).shield and over <= 2 * LAST_DEGREES
    back = _in_the_back(segment, hit)
    left, right = (play.after.bot(bot).health for bot in (0, 1))
    stands = f"level at {left:g}" if left == right else f"{left:g} : {right:g}"
    text = f"{me} gets past the shield" if past else f"{me} hits, {stands}"
    if back:
        text = f"{me} hits from behind, {stands}"
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
