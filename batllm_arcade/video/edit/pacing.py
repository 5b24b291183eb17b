"""How long a film waits for words to be read: at the plays whose words are new in a game, within a budget."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from batllm_arcade.core.events import BotHit, BotKnockedOut, BulletFlew, ShieldBroke, ShotBlocked
from batllm_arcade.match.records import GameStarted, Play, Record
from batllm_arcade.video.edit.captions import told_plays
from batllm_arcade.video.edit.text import games
from batllm_arcade.view.cut_words import reading_seconds
from batllm_arcade.view.play_words import word_count
from batllm_arcade.view.timeline import Timeline

SLOWER, SLOWEST, _SURE_S = 0.4, 0.6, 6.0
"""The share by which the waits may make a film longer than without them, that of a short one, and what it may be sure
of within that, in seconds."""
_WORTH = ((BotKnockedOut, 5), (BotHit, 4), (ShieldBroke, 3), (ShotBlocked, 3), (BulletFlew, 2))
"""How eventful a play is by what it brought about."""
Span = tuple[float, float]
"""Start and end in timeline seconds."""


@dataclass(frozen=True, slots=True)
class _Wait:
    """The seconds that play `number` has to wait for its words; `worth` is how eventful it is."""

    number: int
    seconds: float
    worth: int


def budget(seconds: float) -> float:
    """Return how many seconds a film may wait that would be so long without."""
    return min(SLOWEST * seconds, max(SLOWER * seconds, _SURE_S))


def leads(timeline: Timeline, shown: Sequence[Span], budget: float) -> list[float]:
    """Return for each play of the timeline how many seconds longer its words need.

    Only plays that begin within one of the `shown` spans count, and words that the bot has not said in the game before,
    of those before the first shot of a game a bot's first ones alone. Together they wait for at most `budget` seconds,
    the more eventful plays first, and those of one kind spread over the film.
    """
    waits, found, left = _waits(timeline, shown), [0.0] * _plays(timeline), budget
    for wait in sorted(waits, key=lambda wait: (-wait.worth, _spread(wait.number))):
        if wait.seconds <= left:
            found[wait.number] = wait.seconds
            left -= wait.seconds
    return found


def timeline_of(records: Iterable[Record], leads: Sequence[float] = ()) -> Timeline:
    """Return the timeline of records; `leads` is how many seconds longer each play is shown, 0 beyond its end."""
    timeline, waits = Timeline(), iter(leads)
    for record in records:
        timeline.append(record, lead=next(waits, 0.0) if isinstance(record, Play) else 0.0)
    return timeline


def _plays(timeline: Timeline) -> int:
    return sum(isinstance(segment.record, Play) for segment in timeline.segments)


def _waits(timeline: Timeline, shown: Sequence[Span]) -> list[_Wait]:
    told = {caption.start: caption for caption in told_plays(timeline)}
    waits: list[_Wait] = []
    heard: set[tuple[int, str]] = set()
    shots = {game[0].start: next((each.start for each in game if each.flight), 0.0) for game in games(timeline)}
    number, first = -1, 0.0
    for segment in timeline.segments:
        play = segment.record
        if isinstance(play, GameStarted):
            heard, first = set(), shots[segment.start]
        if not isinstance(play, Play):
            continue
        number += 1
        caption = told.get(segment.start)
        if caption is None or (play.bot, caption.words) in heard or not _within(segment.start, shown):
            continue
        early = segment.start < first and any(bot == play.bot for bot, _ in heard)
        heard.add((play.bot, caption.words))
        if early:
            continue
        wait = reading_seconds(word_count(caption.words)) - (caption.end - caption.start)
        if wait > 0:
            waits.append(_Wait(number, wait, _worth(play)))
    return waits


def _within(t: float, spans: Iterable[Span]) -> bool:
    return any(start <= t < end for start, end in spans)


def _worth(play: Play) -> int:
    kinds = {type(event) for event in play.events}
    return next((worth for kind, worth in _WORTH if kind in kinds), 0)


def _spread(number: int) -> int:
    """Return the number's bits in reverse: in this order plays are taken from all over a film."""
    return int(f"{number & 0xFFFF:016b}"[::-1], 2)
