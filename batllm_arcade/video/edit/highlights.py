"""The moments worth showing."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise, takewhile

from batllm_arcade.analysis.game import Swings, own
from batllm_arcade.core.events import BotHit, ShieldBroke, ShotBlocked
from batllm_arcade.core.model import Arena
from batllm_arcade.match.records import GameEnded, GameStarted, Play, Record, RoundStarted
from batllm_arcade.match.series import describe_result
from batllm_arcade.story import moments as told
from batllm_arcade.story.games import called
from batllm_arcade.story.moments import KNOCKOUT, TurningPoint, deed
from batllm_arcade.story.sentences import say, score
from batllm_arcade.video.edit.cards import wins
from batllm_arcade.video.edit.edit_list import Cut, Entry
from batllm_arcade.video.edit.stretches import turn_of, turns_later
from batllm_arcade.video.edit.text import Twist, film_names, games, twists
from batllm_arcade.view.animation import Segment
from batllm_arcade.view.scene import Scoreboard
from batllm_arcade.view.timeline import Timeline

# Moments

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


# The best of them, and the end of each game

LONGEST_S = 30.0
DRAW_S = 10.0
"""The least seconds of a game that nobody won: that nothing happens takes a while to be seen."""
_DRAMATIC = 8  # moments that make a game dramatic; a longer one is not more so
_SLOW = 0.35  # of the real speed, around an impact
_GAP, _LATER_S = 3, 1.6  # turns from which on it is told that they are left out even if nothing happened, and how long
_LEAST_LATER_S, _LEAST_S = 0.8, 0.5  # for which it is told with the score, until that changes, and without
_SEAM_S = 0.45  # highlights nearer to each other than this are joined
_CARD_S, _RESULT_S, _LEAST_ENDING_S = 0.8, 0.8, 0.5  # of a game's card, its result, and the shortest ending with both


def cuts(
    timeline: Timeline, swings: Swings, start: float, end: float, longest: float = LONGEST_S,
    points: Sequence[TurningPoint] = (),
) -> list[Cut]:  # fmt: skip
    """Return the cuts of the highlights with the highest scores between `start` and `end`, in order.

    The ending of every game is among them, a card before every game but the first, then their turning `points`, the
    best one else of each game, and the best of all; together they last at most `longest` seconds.
    """
    kept = _endings(timeline, start, end, longest)
    found = [moment for moment in moments(timeline, swings, points) if moment.start < end and moment.end > start]
    chosen = list(kept)
    for moment in _each_game_first(sorted(found, key=lambda moment: (-moment.score, moment.start)), kept, timeline):
        if any(moment.start < other.end and moment.end > other.start for other in chosen[len(kept) :]):
            continue  # every impact needs the seconds before it
        if any(other.card and moment.start < other.end and moment.end > other.start for other in kept):
            continue
        wider = [*chosen, moment]
        if sum(cut.seconds for cut in _joined_cuts(wider, start, end)) <= longest:
            chosen = wider
    if _drawn(timeline.segments, end):
        chosen += _waiting(
            chosen, start, min(DRAW_S, longest) - sum(cut.seconds for cut in _joined_cuts(chosen, start, end))
        )
    return _with_gaps(_joined_cuts(chosen, start, end), timeline)


def _each_game_first(found: Sequence[Highlight], kept: Sequence[Highlight], timeline: Timeline) -> list[Highlight]:
    """Return moments, the best first, with the best of each game beside its ending before all others."""
    first = dict[int, Highlight]()
    for moment in found:
        if not any(moment.start < other.end and moment.end > other.start for other in kept):
            first.setdefault(timeline.at(moment.start).board.game, moment)
    return sorted(found, key=lambda moment: moment not in first.values())


def _with_gaps(shown: Sequence[Cut], timeline: Timeline) -> list[Cut]:
    """Return cuts of which those after a gap in their game say what was left out, until they say what happens."""
    found, told, until = list[Cut](), "", 0.0
    last: tuple[Scoreboard, Arena] | None = None
    for number, cut in enumerate(shown):
        if cut.entry == "flash" or cut.text or cut.card:
            told = ""
        board = timeline.at(cut.start).board
        if last is not None and cut.entry == "flash" and not cut.text and not cut.card and board.game == last[0].game:
            told, until = _left_out(shown[number:], timeline, *last)
        if told and cut.start < until:
            said = replace(cut, end=min(cut.end, until), text=told)
            found.append(said)
            cut = replace(cut, start=said.end, entry="")
        board = timeline.at(cut.end - 1e-3).board
        last = (board, _stood(timeline, cut.end - 1e-3)) if board.round else None
        found += [cut] if cut.start < cut.end else []
    return found


def _left_out(shown: Sequence[Cut], timeline: Timeline, last: Scoreboard, stood: Arena) -> tuple[str, float]:
    """Return what was left out before these cuts, and until when that is told; "" if that is nothing, or too short."""
    start, run = shown[0].start, [shown[0], *takewhile(lambda cut: not (cut.entry or cut.text or cut.card), shown[1:])]
    board, now = timeline.at(start).board, _stood(timeline, start)
    hurt = (now.left.health, now.right.health) != (stood.left.health, stood.right.health)
    turns, new = turn_of(board) - turn_of(last), board.round != last.round
    lands, until = _lands(timeline, start, run[-1].end), min(run[-1].end, start + _LATER_S)
    if turns < (1 if hurt or new else _GAP) or sum(cut.seconds for cut in run) < _LEAST_S:
        return "", start
    later = board.round if new else 0
    if lands < start + _LEAST_LATER_S:  # the score would soon be stale
        return turns_later(turns, later), until
    return turns_later(turns, later, f", {score(now.left.health, now.right.health)}"), min(until, lands)


def _stood(timeline: Timeline, t: float) -> Arena:
    segment = next(segment for segment in reversed(timeline.segments) if segment.start <= t)
    if not isinstance(segment.record, Play) or (segment.flight is not None and segment.flight[1] < t):
        return segment.arena
    return segment.record.before


def _lands(timeline: Timeline, start: float, end: float) -> float:
    """Return when the first bullet lands between these seconds, so that health may be lost; infinity if none does."""
    flights = (segment.flight for segment in timeline.segments if segment.flight)
    return min((flight[1] for flight in flights if start < flight[1] < end), default=math.inf)


def _waiting(chosen: Iterable[Highlight], start: float, seconds: float) -> Iterator[Highlight]:
    """Yield what is between the highlights, the last of it, until it is so many seconds."""
    before = math.inf
    for moment in sorted(chosen, key=lambda moment: -moment.start):
        until = before
        before = moment.start
        if until is not math.inf and seconds > 0 and moment.end < until:
            yield Highlight(max(moment.end, until - seconds), until, 0.0, "", None, until)
            seconds -= until - max(moment.end, until - seconds)
    if seconds > 0 and before > start:
        yield Highlight(max(start, before - seconds), before, 0.0, "", None, before)


def spans(timeline: Timeline, start: float, end: float) -> list[tuple[float, float]]:
    """Return the plays of all highlights between `start` and `end`, in timeline seconds."""
    found = [
        (segment.start, segment.end)
        for segment in timeline.segments
        if start <= segment.start < end
        and isinstance(segment.record, Play)
        and segment.flight
        and of_play(segment, segment.record)
    ]
    return [*found, (max(start, end - DRAW_S), end)] if _drawn(timeline.segments, end) else found


def drama(timeline: Timeline, swings: Swings) -> float:
    """Return how much there is to see in a timeline: the scores of its best moments together, 0 without any."""
    return sum(sorted((moment.score for moment in moments(timeline, swings)), reverse=True)[:_DRAMATIC])


def _drawn(segments: list[Segment], end: float) -> bool:
    last = next((segment.record for segment in reversed(segments) if segment.start < end), None)
    return isinstance(last, GameEnded) and last.result.winner is None


def _endings(timeline: Timeline, start: float, end: float, longest: float) -> list[Highlight]:
    """Return the ending of each game and, of all but the first, its card; of too many games only those of the last."""
    shown = [game for game in games(timeline) if game[0].start < end and game[-1].end > start]
    most = max(1, int(longest / (_CARD_S + _RESULT_S + _LEAST_ENDING_S)))
    shown = shown[-most:]
    room = longest / len(shown) - (_CARD_S if len(shown) > 1 else 0.0)
    found = []
    for number, game in enumerate(shown):
        last = number == len(shown) - 1
        over = min(end, game[-1].end if last else game[-1].start + _RESULT_S)
        found.append(_ending(game, max(start, game[0].start), end if last else over, room, timeline))
        if number:
            found.append(_game_card(timeline, game))
    return found


def _game_card(timeline: Timeline, game: list[Segment]) -> Highlight:
    started = game[0]
    left, right = wins([segment for segment in timeline.segments if segment.start <= started.start])[0]
    before = [segment for segment in timeline.segments if segment.start < started.start]
    over = next(segment.record for segment in reversed(before) if isinstance(segment.record, GameEnded))
    how = describe_result(over.result, film_names(before[-1].board.seats))
    card = f"game {started.board.game}", f"{left} : {right}", f"game {before[-1].board.game}: {how}"
    start = next((segment.start for segment in game if segment.board.round), started.start)  # with orders beside it
    return Highlight(start, start + _CARD_S, math.inf, "", None, start, card=card)


def _ending(game: list[Segment], start: float, end: float, room: float, timeline: Timeline) -> Highlight:
    """Return the highlight of a game's last play, with the result if there is one, of at most `room` film seconds."""
    shown = [segment for segment in game if segment.start < end and segment.end > start]
    last = next((segment for segment in reversed(shown) if isinstance(segment.record, Play)), shown[-1])
    over = next((segment for segment in shown if isinstance(segment.record, GameEnded)), None)
    begins = max(start, end - LONGEST_S / 2, last.start - 0.6)
    comeback = twists(timeline).get(over.start) if over is not None else None
    before = game[max(0, game.index(last) - 1)].record
    shot = of_play(last, last.record, before) if isinstance(last.record, Play) and last.flight else None
    if shot and (shot.score >= KNOCKOUT or over is None):
        if comeback:
            shot = replace(shot, text=comeback.text, bot=comeback.bot, told=math.inf)
        elif over is not None:
            shot = replace(shot, told=over.start)
        return _shortened(replace(shot, start=begins, end=end, score=math.inf), room)
    begins = max(begins, min(last.end, end - 0.5) - 0.3)
    if comeback is not None:
        return Highlight(begins, end, math.inf, comeback.text, comeback.bot, comeback.known)
    return Highlight(begins, end, math.inf, "", None, end)  # the banner shows the result


def _shortened(moment: Highlight, room: float) -> Highlight:
    """Return a highlight of a knock-out that fits: it begins later, then it has no slow motion."""
    slow = moment.slow or (moment.start, moment.start)
    extra = (slow[1] - slow[0]) * (1 / _SLOW - 1)
    begins = max(moment.start, min(slow[0], moment.end + extra - room))
    if moment.end - begins + extra > room:
        return replace(moment, start=max(moment.start, moment.end - room), slow=None)
    return replace(moment, start=begins)


def _joined_cuts(highlights: Iterable[Highlight], start: float, end: float) -> list[Cut]:
    found: list[Cut] = []
    entry: Entry
    for moment in sorted(highlights, key=lambda moment: (moment.start, moment.end)):
        begins, ends = max(start, moment.start), min(end, moment.end)
        near = bool(found) and begins - found[-1].end < _SEAM_S and not moment.card and not found[-1].card
        if bool(found) and (near or begins < found[-1].end):
            begins = found[-1].end
        if begins >= ends:
            continue
        entry = "" if near or not found or moment.card else "flash"
        found += _cuts_by_speed(moment, begins, ends, entry)
    return found


def _cuts_by_speed(moment: Highlight, begins: float, ends: float, entry: Entry) -> Iterator[Cut]:
    """Yield the highlight's cuts: slow motion in between, and the text once it has happened."""
    first, last = moment.slow or (ends, ends)
    marks = sorted({begins, ends, *(mark for mark in (first, moment.known, last, moment.told) if begins < mark < ends)})
    for start, end in pairwise(marks):
        text = moment.text if moment.known <= start < moment.told else ""
        speed, bot = _SLOW if first <= start < last else 1.0, moment.bot if text else None
        yield Cut(start, end, speed, text, bot, entry, moment.high, moment.card)
        entry = ""
