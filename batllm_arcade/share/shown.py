"""What a page shows of a session: a game, some turns or all of it, as one object that the page's script reads."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from batllm_arcade.analysis.session import judged_plays
from batllm_arcade.core.model import SEATS
from batllm_arcade.errors import UsageError
from batllm_arcade.history.reader import SessionTape
from batllm_arcade.history.replay import replay
from batllm_arcade.match.records import GameStarted, Play, Record, RoundStarted
from batllm_arcade.match.series import describe_result
from batllm_arcade.share.look_export import LookExport
from batllm_arcade.share.timeline_export import Entry, Place, TimelineExport, states
from batllm_arcade.story.sentences import say
from batllm_arcade.story.turning import TurningPoint, turnings
from batllm_arcade.video.edit import selection
from batllm_arcade.video.edit.cards import ending
from batllm_arcade.video.edit.selection import Turn
from batllm_arcade.video.edit.text import shortened
from batllm_arcade.view.reading_words import judged
from batllm_arcade.view.segment import Segment
from batllm_arcade.view.timeline import Timeline
from batllm_arcade.view.timeline_index import HAPPENED, TimelineIndex

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
        """Yield the records, and keep where in the session the last one is."""
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
        """Return where the only game that is shown tipped, as films tell it, if they do."""
        return [] if self.games > 1 else list(turnings(segment.record for segment in self.segments))

    def _moments(self) -> list[list[Any]]:
        """Return what happened in which play: the plays done once it has, its kind, its bot, and words."""
        starts = [segment.start for segment in self.segments if isinstance(segment.record, Play)]
        found: list[list[Any]] = []
        for moment in self._index.moments:
            if self.start <= moment.t <= self.end and self.plays:
                number = bisect_right(starts, moment.t)
                play = self.plays[max(0, number - 1)]
                where = f"game {play.game}, " if self.games > 1 else ""
                what = say("does", who=SEATS[moment.bot], did=HAPPENED[moment.kind])
                words = f"{where}round {play.round}, turn {play.turn}: {what}"
                found.append([number, moment.kind, moment.bot, words])
        return found

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
        """Return where games and rounds begin: the plays done before, the game, the round (0 for a game)."""
        starts = [segment.start for segment in self.segments if isinstance(segment.record, Play)]
        return [
            [bisect_right(starts, chapter.t), chapter.game, chapter.round]
            for chapter in self._index.chapters
            if self.start <= chapter.t < self.end
        ]


def _counted(number: int, word: str) -> str:
    return f"{number} {word}" if number == 1 else f"{number} {word}s"
