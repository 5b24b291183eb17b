"""What bots think, as captions: which words are shown, how long a film waits for them, and its chapters."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from batllm_arcade.core.events import BotHit, BotKnockedOut, BulletFlew, ShieldBroke, ShotBlocked
from batllm_arcade.match.records import GameEnded, GameStarted, Play, Record, RoundStarted
from batllm_arcade.video.edit.edit_list import EditList
from batllm_arcade.video.edit.text import film_names, games, shortened
from batllm_arcade.view.animation import Segment
from batllm_arcade.view.camera import Frame
from batllm_arcade.view.cut_words import reading_seconds
from batllm_arcade.view.play_words import play_words, word_count
from batllm_arcade.view.scene import Scene
from batllm_arcade.view.timeline import Timeline, TimelineIndex

# Captions

_EVERY_S = 0.1  # in which it is looked where the bots are while a caption is shown
_FRAME_S = 0.05  # by which a caption may be shorter: film frames do not fall on its first moment
_REMEMBERED = 3  # plays of a bot whose words are not told again
_MARKUP = str.maketrans({"<": "\u2039", ">": "\u203a", "{": "(", "}": ")", "\\": "/"})


Place = tuple[float, float, float]
"""A bot in what is shown of the arena: its centre and its radius, as shares of the picture's sides."""


@dataclass(frozen=True, slots=True)
class Caption:
    """From `start` to `end` seconds of the timeline: the words of the bot that acts, and its name."""

    start: float
    end: float
    bot: int
    name: str
    words: str

    @property
    def text(self) -> str:
        """Return it on one line that begins with the name."""
        return f"{self.name}: {self.words}".translate(_MARKUP)


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a text track, from `start` to `end` seconds of the film."""

    start: float
    end: float
    text: str


class Captions:
    """The captions of a timeline that `edit_list` shows for long enough, in order."""

    def __init__(self, timeline: Timeline, edit_list: EditList) -> None:
        self.all = [shown for caption in told_plays(timeline) for shown in _shown(caption, edit_list)]

    def lines(self, edit_list: EditList, seconds: float) -> list[Line]:
        """Return the captions shown within the film's first `seconds`, in film time."""
        found = [
            Line(start, min(end, seconds), caption.text)
            for caption in self.all
            for start, end in edit_list.spans(caption.start, caption.end)
            if start < seconds
        ]
        return _joined(sorted(found, key=lambda line: line.start))


def told_plays(timeline: Timeline) -> Iterator[Caption]:
    """Yield a caption for every play whose words are new, from its start to the next play, round or result."""
    recent: tuple[list[str], list[str]] = ([], [])
    for segment, end in _until_next(timeline):
        play = segment.record
        if isinstance(play, GameStarted):
            recent = ([], [])
        if not isinstance(play, Play):
            continue
        words, said = shortened(play_words(play)), recent[play.bot]
        if words and words not in said[-_REMEMBERED:]:
            yield Caption(segment.start, end, play.bot, film_names(segment.board.seats)[play.bot], words)
        said.append(words)


def _until_next(timeline: Timeline) -> Iterator[tuple[Segment, float]]:
    end, found = timeline.end, []
    for segment in reversed(timeline.segments):
        found.append((segment, end))
        if isinstance(segment.record, (Play, GameStarted, RoundStarted, GameEnded)):
            end = segment.start
    return reversed(found)


def _shown(caption: Caption, edit_list: EditList) -> Iterator[Caption]:
    """Yield the caption for every piece of the film that leaves the time to read it."""
    needed = reading_seconds(word_count(caption.words)) - _FRAME_S
    for start, end, seconds in edit_list.pieces(caption.start, caption.end):
        if seconds >= needed:
            yield replace(caption, start=start, end=end)


def places_between(start: float, end: float, scene_at: Callable[[float], Scene]) -> tuple[Place, ...]:
    """Return where both bots are between two seconds of the timeline, in what is shown of the arena."""
    count = max(1, round((end - start) / _EVERY_S))
    times = (start + (end - start) * number / count for number in range(count + 1))
    return tuple(dict.fromkeys(place for t in times for place in _places(scene_at(t))))


def _places(scene: Scene) -> Iterator[Place]:
    rules = scene.board.rules
    left, top, width, height, *_ = scene.frame or Frame(0.0, 0.0, rules.arena_width, rules.arena_height)
    for pose in scene.bots:
        at = (pose.x - left) / width, (pose.y - top) / height, rules.bot_radius / width
        yield tuple(round(share, 3) for share in at)  # type: ignore[misc]


def _joined(lines: list[Line]) -> list[Line]:
    joined: list[Line] = []
    for line in lines:
        last = joined[-1] if joined else None
        if last and abs(last.end - line.start) < 1e-6 and last.text == line.text:
            joined[-1] = Line(last.start, line.end, last.text)
        else:
            joined.append(line)
    return joined


def srt(lines: Iterable[Line]) -> str:
    """Return the content of an .srt file."""
    blocks = (
        f"{number}\n{_clock(line.start)} --> {_clock(line.end)}\n{line.text}\n" for number, line in enumerate(lines, 1)
    )
    return "\n".join(blocks)


def _clock(seconds: float) -> str:
    thousandths = round(seconds * 1000)
    minutes, rest = divmod(thousandths, 60_000)
    return f"{minutes // 60:02d}:{minutes % 60:02d}:{rest // 1000:02d},{rest % 1000:03d}"


# Chapters

SHORTEST_S = 10.0
"""Seconds of a chapter at least: sites take no list with a shorter one."""


@dataclass(frozen=True, slots=True)
class FilmChapter:
    """A part of a film from `start` to `end`, in film seconds."""

    start: float
    end: float
    title: str


def chapters(timeline: Timeline, edit_list: EditList, seconds: float) -> list[FilmChapter]:
    """Return the chapters of a film of which so many seconds were made, none of highlights or where there is but one.

    The first begins at 0, the last ends with the film.
    """
    if edit_list.highlights:
        return []
    index, marks = TimelineIndex(timeline).chapters, list[tuple[float, str]]()
    several = len({chapter.game for chapter in index}) > 1
    for each in index:
        title = f"round {max(1, each.round)}"
        marks.append((each.t, f"Game {each.game}, {title}" if several else title.capitalize()))
    begins: list[tuple[float, str]] = []
    for (start, title), (end, _) in pairwise([*sorted(marks), (timeline.end, "")]):
        shown = next((film_start for film_start, _ in edit_list.spans(start, end)), None)
        if shown is None or (begins and (begins[-1][1] == title or shown - begins[-1][0] < SHORTEST_S)):
            continue
        if not begins or seconds - shown >= SHORTEST_S:
            begins.append((shown if begins else 0.0, title))
    if len(begins) < 2:
        return []
    ends = [start for start, _ in begins[1:]]
    return [FilmChapter(start, end, title) for (start, title), end in zip(begins, [*ends, seconds], strict=True)]


# How long a film waits for words

SLOWER, SLOWEST, _SURE_S = 0.4, 0.6, 6.0
"""The share by which the waits may make a film longer than without them, that of a short one, and what it may be sure
of within that, in seconds."""
_WORTH = ((BotKnockedOut, 5), (BotHit, 4), (ShieldBroke, 3), (ShotBlocked, 3), (BulletFlew, 2))
"""How eventful a play is by what it brought about."""
Span = tuple[float, float]
"""Start and end in timeline seconds."""


def budget(seconds: float) -> float:
    """Return how many seconds a film may wait that would be so long without."""
    return min(SLOWEST * seconds, max(SLOWER * seconds, _SURE_S))


def leads(timeline: Timeline, shown: Sequence[Span], budget: float) -> list[float]:
    """Return for each play of the timeline how many seconds longer its words need.

    Only plays that begin within one of the `shown` spans count, and words that the bot has not said in the game before,
    of those before the first shot of a game a bot's first ones alone. Together they wait for at most `budget` seconds,
    the more eventful plays first, and those of one kind spread over the film.
    """
    waits, left = _waits(timeline, shown), budget
    longer = [0.0] * len(waits)
    for number in sorted(range(len(waits)), key=lambda number: (-waits[number][1], _spread(number))):
        seconds, _ = waits[number]
        if seconds <= left:
            longer[number] = seconds
            left -= seconds
    return longer


def timeline_of(records: Iterable[Record], leads: Sequence[float] = ()) -> Timeline:
    """Return the timeline of records; `leads` is how many seconds longer each play is shown, 0 beyond its end."""
    timeline, waits = Timeline(), iter(leads)
    for record in records:
        timeline.append(record, lead=next(waits, 0.0) if isinstance(record, Play) else 0.0)
    return timeline


def _waits(timeline: Timeline, shown: Sequence[Span]) -> list[tuple[float, int]]:
    """Return how many seconds each play has to wait for its words, 0 for none, and how eventful it is."""
    told = {caption.start: caption for caption in told_plays(timeline)}
    shots = {game[0].start: next((each.start for each in game if each.flight), 0.0) for game in games(timeline)}
    waits, heard, first = list[tuple[float, int]](), set[tuple[int, str]](), 0.0
    for segment in timeline.segments:
        play, caption, wait = segment.record, told.get(segment.start), 0.0
        if isinstance(play, GameStarted):
            heard, first = set(), shots[segment.start]
        if not isinstance(play, Play):
            continue
        within = any(start <= segment.start < end for start, end in shown)
        if caption is not None and (play.bot, caption.words) not in heard and within:
            early = segment.start < first and any(bot == play.bot for bot, _ in heard)
            heard.add((play.bot, caption.words))
            if not early:
                wait = max(0.0, reading_seconds(word_count(caption.words)) - (caption.end - caption.start))
        kinds = {type(event) for event in play.events}
        waits.append((wait, next((worth for kind, worth in _WORTH if kind in kinds), 0)))
    return waits


def _spread(number: int) -> int:
    """Return the number's bits in reverse: in this order plays are taken from all over a film."""
    return int(f"{number & 0xFFFF:016b}"[::-1], 2)
