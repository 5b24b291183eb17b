"""What a page shows of a session, and how it was made."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any

import batllm_arcade
from batllm_arcade.analysis.session import judged_plays
from batllm_arcade.core.model import SEATS
from batllm_arcade.errors import UsageError
from batllm_arcade.history.paths import program
from batllm_arcade.history.reader import SessionTape, compact_json
from batllm_arcade.history.replay import replay
from batllm_arcade.match.records import GameStarted, Play, Record, RoundStarted
from batllm_arcade.match.series import describe_result
from batllm_arcade.share.look_export import LookExport
from batllm_arcade.share.timeline_export import Entry, Place, TimelineExport, states
from batllm_arcade.story.moments import TurningPoint, turnings
from batllm_arcade.story.sentences import say
from batllm_arcade.video.edit import selection
from batllm_arcade.video.edit.cards import ending
from batllm_arcade.video.edit.selection import Turn
from batllm_arcade.video.edit.text import shortened
from batllm_arcade.view.animation import Segment
from batllm_arcade.view.reading_words import judged
from batllm_arcade.view.timeline import HAPPENED, Timeline, TimelineIndex

_LONGEST_NAME = 80
MOST_ANALYSED = 400
"""Plays that are shown with their chances at most."""


@dataclass(frozen=True, slots=True)
class Selection:
    """The part of a session that is shown: a game counted from 1 (None: all), from a turn to a turn."""

    game: int | None = None
    first: Turn | None = None
    last: Turn | None = None


class Shown:
    """The segments of a page, and where each is in the session; raise UsageError if there is nothing to show."""

    def __init__(self, session: SessionTape, chosen: Selection) -> None:
        self.chosen = chosen
        game = chosen.game or selection.implied_game(chosen.first, chosen.last)
        self._place: Place = ()
        records = self._placed(replay(session))
        self.timeline = timeline = Timeline()
        places: list[Place] = []
        for record in selection.records_of_game(records, game) if game else records:
            before = len(timeline.segments)
            timeline.append(record)
            places += [self._place] * (len(timeline.segments) - before)
        if not timeline.segments:
            raise UsageError("this session holds no game yet; share one in which something was played")
        self.start, self.end = selection.time_span(timeline, chosen.first, chosen.last)
        inside = [
            (segment, place)
            for segment, place in zip(timeline.segments, places, strict=True)
            if self.start <= segment.start and segment.end <= self.end
        ]
        self.segments: list[Segment] = [segment for segment, _ in inside]
        self.places: list[Place] = [place for _, place in inside]
        self.plays = [segment.record for segment in self.segments if isinstance(segment.record, Play)]
        self._index = TimelineIndex(timeline)
        self._session = session

    def _placed(self, records: Iterable[Record]) -> Iterator[Record]:
        game = round_ = play = -1
        for record in records:
            if isinstance(record, GameStarted):
                game, round_, play = game + 1, -1, -1
            elif isinstance(record, RoundStarted):
                round_, play = round_ + 1, -1
            elif isinstance(record, Play):
                play += 1
            self._place = (game, round_, play) if isinstance(record, Play) else (game, max(0, round_))
            yield record

    @property
    def games(self) -> int:
        """Return how many games are shown, at least in part."""
        return len({segment.board.game for segment in self.segments})

    @property
    def names(self) -> tuple[str, str]:
        """Return who plays at the end, left first, shortened."""
        left, right = self.segments[-1].board.seats
        return shortened(left.name, _LONGEST_NAME), shortened(right.name, _LONGEST_NAME)

    @property
    def title(self) -> str:
        """Return who plays whom."""
        return " vs ".join(self.names)

    @property
    def summary(self) -> str:
        """Return how the last game shown ended, and how long it took, on one line."""
        result, rounds = self.segments[-1].board.result, len({(play.game, play.round) for play in self.plays})
        outcome = describe_result(result, self.names) if result is not None else "not over yet"
        turns = len({(play.game, play.round, play.turn) for play in self.plays})
        return f"{outcome}; {_counted(rounds, 'round')}, {_counted(turns, 'turn')}"

    @property
    def length(self) -> str:
        """Return how much there is to see, without telling who wins."""
        turns = len({(play.game, play.round, play.turn) for play in self.plays})
        return f"{_counted(self.games, 'game')}, {_counted(turns, 'turn')}"

    def export(self, look: LookExport | None = None, *, chances: bool = True) -> Entry:
        """Return everything that the page's script draws; `look` if several pages are drawn with the same."""
        look = look or LookExport()
        exporter = TimelineExport(look, self.start)
        segments = [exporter.segment(each, place) for each, place in zip(self.segments, self.places, strict=True)]
        first = self.segments[0]
        before = first.record.before if isinstance(first.record, Play) else first.arena
        return {
            "version": 1,
            "end": round(self.end - self.start, 3),
            "several": self.games > 1,
            "length": self.length,
            "before": states(before),
            "segments": segments,
            "ending": ending(self.segments, self.names, self._turnings()),
            "moments": self._moments(),
            "chapters": self._chapters(),
            "chances": self._chances() if chances else None,
            "look": look.figures(),
        }

    def _turnings(self) -> list[TurningPoint]:
        return [] if self.games > 1 else list(turnings(segment.record for segment in self.segments))

    def _moments(self) -> list[list[Any]]:
        starts = [segment.start for segment in self.segments if isinstance(segment.record, Play)]
        moments: list[list[Any]] = []
        for moment in self._index.moments:
            if self.start <= moment.t <= self.end and self.plays:
                number = bisect_right(starts, moment.t)
                play = self.plays[max(0, number - 1)]
                where = f"game {play.game}, " if self.games > 1 else ""
                what = say("does", who=SEATS[moment.bot], did=HAPPENED[moment.kind])
                words = f"{where}round {play.round}, turn {play.turn}: {what}"
                moments.append([number, moment.kind, moment.bot, words])
        return moments

    def _chances(self) -> Entry | None:
        """Return left's chance after each play in thousandths, and the plays with a mark as `moments` are told.

        None where more is shown than would be worked out in a few seconds.
        """
        if not 1 <= len(self.plays) <= MOST_ANALYSED:
            return None
        numbers = {play.key for play in self.plays}
        curve: list[int] = []
        marks: list[list[Any]] = []
        for game in sorted({play.game for play in self.plays}):
            for play, found in judged_plays(self._session, game):
                if play.key not in numbers:
                    continue
                if found.mark:
                    rules = self._session.game(game).rules
                    words = f"round {play.round}, turn {play.turn}: {judged(play, found, rules)}"
                    marks.append([len(curve), found.mark, found.bot, words])
                curve.append(round(1000 * found.chance))
        return {"left": curve, "marks": marks}

    def _chapters(self) -> list[list[int]]:
        starts = [segment.start for segment in self.segments if isinstance(segment.record, Play)]
        return [
            [bisect_right(starts, chapter.t), chapter.game, chapter.round]
            for chapter in self._index.chapters
            if self.start <= chapter.t < self.end
        ]


def _counted(number: int, word: str) -> str:
    return f"{number} {word}" if number == 1 else f"{number} {word}s"


# How a page was made, kept in it, so that `verify` can make it again

ROOMS = ("core", "brains", "match", "analysis", "view", "video/edit", "share")
"""Where what a page shows is decided."""


@dataclass(frozen=True, slots=True)
class PageLook:
    """How a page presents itself: its title (else who plays whom), whether it starts by itself and begins again.

    An `embedded` page has no frame of its own. Where its `url` is posted others show the `picture` beside it. Without
    `chances` it has no curve of them, which takes longer to work out than all the rest.
    """

    title: str = ""
    autoplay: bool = False
    loop: bool = False
    embedded: bool = False
    url: str = ""
    picture: str = ""
    chances: bool = True


def made(chosen: Selection, look: PageLook, by: str = "") -> str:
    """Return how a page was made, as JSON for its script element; `by` is the program, this one unless it is given."""
    return compact_json({"by": by or maker(), "chosen": asdict(chosen), "look": asdict(look)})


def choices(values: Any) -> tuple[Selection, PageLook]:
    """Return the part and the look that a page names; raise KeyError, TypeError or ValueError if it names none."""
    chosen, look = dict(values["chosen"]), PageLook(**values["look"])
    for end in ("first", "last"):
        chosen[end] = None if chosen[end] is None else Turn(**chosen[end])
    turns = [turn for turn in (chosen["first"], chosen["last"]) if turn is not None]
    numbers = [chosen["game"], *(number for turn in turns for number in asdict(turn).values())]
    if not all(number is None or type(number) is int for number in numbers):
        raise ValueError("a turn's number is none")
    if [type(value) for value in asdict(look).values()] != [type(value) for value in asdict(PageLook()).values()]:
        raise ValueError("the look is none")
    return Selection(**chosen), look


@lru_cache(maxsize=1)
def maker() -> str:
    """Return what tells this very program from others that would make another page of the same session."""
    import hashlib  # only where a page is made or compared

    package, digest = Path(batllm_arcade.__file__).parent, hashlib.sha256()
    code = [path for room in ROOMS for path in (package / room).rglob("*.py")]
    viewer = [each for each in (files("batllm_arcade.assets") / "page").iterdir() if each.is_file()]
    fits = files("batllm_arcade.assets") / "analysis" / "fits.json"
    for path in (*sorted(code), *sorted(viewer, key=lambda each: each.name), fits):
        digest.update(path.read_bytes().replace(b"\r\n", b"\n") + b"\0")
    return f"{program()} {digest.hexdigest()[:16]}"
