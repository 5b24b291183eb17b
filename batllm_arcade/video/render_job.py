"""The film of a recorded session, and of the best moments of many games."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate

import pygame

from batllm_arcade.analysis.game import swings
from batllm_arcade.errors import UsageError
from batllm_arcade.history.reader import SessionTape
from batllm_arcade.history.replay import replay
from batllm_arcade.match.records import Play
from batllm_arcade.story.moments import TurningPoint, turnings
from batllm_arcade.video.draw.cards import FilmRenderer, fight_poster
from batllm_arcade.video.draw.frames import AlphaRenderer, FrameRenderer, film_scenes
from batllm_arcade.video.draw.versus import JoinedRenderer, Still
from batllm_arcade.video.draw.winner import WinnerCard, winner_picture
from batllm_arcade.video.edit import captions, cards, highlights, script, selection, stretches
from batllm_arcade.video.edit import captions as pacing
from batllm_arcade.video.edit.captions import Captions, FilmChapter, Line
from batllm_arcade.video.edit.cards import FilmCards, OpeningCard
from batllm_arcade.video.edit.edit_list import Cut, EditList, film_cues
from batllm_arcade.video.edit.highlights import LONGEST_S, drama
from batllm_arcade.video.edit.script import ScriptRow
from batllm_arcade.video.edit.text import games, told_apart
from batllm_arcade.video.film_job import FilmJob, MessageCallback
from batllm_arcade.video.film_plan import FilmPlan
from batllm_arcade.view import theme
from batllm_arcade.view.layout import anchor, film_layout
from batllm_arcade.view.sound_cues import Cue
from batllm_arcade.view.theme import Color
from batllm_arcade.view.timeline import Timeline

POSTER = 1280
"""Pixels of a poster's longer side at least."""
_MULTIPLE = 8
"""What a poster's sides are multiples of: a gif of 720 by 404 pixels has one of 1280 by 720."""


class RenderJob(FilmJob):
    """A session's film before it is made: its timeline, its cards, its cuts and its captions.

    Where its opening card would be the one that was shown `before`, it has none.
    """

    def __init__(self, session: SessionTape, plan: FilmPlan, before: OpeningCard | None = None) -> None:
        self.timeline, self.points = _timeline_of(session, plan)
        self._span = _span(self.timeline, plan)
        self.cards = self._cards(plan)
        edit_list = self._edit_list(plan, before).faster(plan.pace)
        if plan.shape.overlay:  # nothing flashes where nothing is
            edit_list = edit_list.without_flashes()
        super().__init__(plan, edit_list)
        still = plan.fast or plan.shape.overlay
        self.scene_at = film_scenes(self.timeline, fast=still, anchor=anchor(plan.shape.size, plan.shape.film))
        """What the film shows of the arena at a second of the timeline."""
        self.captions = Captions(self.timeline, edit_list)

    def _cards(self, plan: FilmPlan) -> FilmCards | None:
        if not plan.cards or plan.fast:
            return None
        (start, end), number = self._span, len(games(self.timeline))
        above = f"Highlights of {number} games" if plan.highlights and number > 1 else ""
        opening = cards.opening_card(self.timeline, start, plan.title, above)
        return FilmCards(opening, cards.end_card(self.timeline, end, self.points, plan.sign))

    def _edit_list(self, plan: FilmPlan, before: OpeningCard | None) -> EditList:
        timeline, (start, end), points = self.timeline, self._span, self.points
        opening = closing = 0.0
        repeated = self.cards is not None and self.cards.opening == before
        if self.cards is not None:
            opening, closing = self.cards.opening.seconds * (not repeated), self.cards.closing.seconds * plan.ends
        if plan.highlights:
            chances = swings(segment.record for segment in timeline.segments)
            longest = plan.longest - opening - closing
            cuts = highlights.cuts(timeline, chances, start, end, longest, points)
            if repeated:
                cuts[0] = replace(cuts[0], entry="flash")
            return EditList(cuts, opening, closing, highlights=True)
        if plan.fast:
            return EditList([Cut(start, end)])
        return EditList(_whole(timeline, plan, start, end, points), opening, closing)

    def frame_renderer(self) -> FilmRenderer:
        """Return a new renderer of its frames."""
        if self.plan.shape.alpha:
            return AlphaRenderer(self._renderer(theme.BLACK), self._renderer(theme.WHITE))
        return self._renderer(theme.KEY if self.plan.shape.overlay else None)

    def _renderer(self, key: Color | None) -> FrameRenderer:
        shape = self.plan.shape
        return FrameRenderer(
            shape.size, self.timeline, self.edit_list, self.cards, scene_at=self.scene_at, film=shape.film, key=key
        )

    def lines(self, frames: int) -> list[Line]:
        """Return the captions of a film of which so many frames were made."""
        return self.captions.lines(self.edit_list, frames / self.plan.shape.fps)

    @property
    def tags(self) -> dict[str, str]:
        """Return its title and its description, which the file carries."""
        title = script.title_of(self.timeline, self.plan.title)
        return {"title": title, "description": script.description(self.timeline, self.edit_list)}

    def chapters(self, frames: int) -> list[FilmChapter]:
        """Return the chapters of a film of which so many frames were made."""
        return captions.chapters(self.timeline, self.edit_list, frames / self.plan.shape.fps)

    def script(self) -> list[ScriptRow]:
        """Return all that it says, and when."""
        lines = self.lines(self.frames) if self.plan.captions != "none" else ()
        panels = film_layout(self.plan.shape.size, self.plan.shape.film) is None
        return script.script(self.timeline, self.edit_list, self.cards, lines, panels=panels)

    def cues(self) -> Iterator[Cue]:
        """Yield what is heard, in film seconds."""
        return film_cues(self.timeline, self.edit_list)

    def poster(self) -> pygame.Surface:
        """Return its poster: the claim, who was told what, and the fight, whether or not the film has cards.

        It has the film's shape and is at least `POSTER` pixels long, for pages and feeds show it larger than a gif.
        """
        shape, spans = self.plan.shape, [(cut.start, cut.end) for cut in self.edit_list.cuts]
        return fight_poster(self.timeline, spans, self.plan.title, poster_size(shape.size), telephone=shape.vertical)


def poster_size(size: tuple[int, int]) -> tuple[int, int]:
    """Return the size of the poster of a film of this size."""
    larger = max(1.0, POSTER / max(size))
    wide, high = (_MULTIPLE * round(larger * side / _MULTIPLE) for side in size)
    return wide, high


def _timeline_of(session: SessionTape, plan: FilmPlan) -> tuple[Timeline, list[TurningPoint]]:
    """Return the timeline of what may be shown, with the time to read its words, and where its games tipped."""
    game = plan.game or selection.implied_game(plan.first, plan.last)
    replayed = replay(session)
    records = list(told_apart(selection.records_of_game(replayed, game) if game else replayed))
    timeline = pacing.timeline_of(records)
    if not timeline.segments:
        raise UsageError("this session holds no game yet; film one in which something was played")
    if plan.fast:
        return timeline, []
    points = list(turnings(records))
    start, end = _span(timeline, plan)
    if plan.highlights:
        leads = pacing.leads(timeline, highlights.spans(timeline, start, end), math.inf)
    else:
        cuts = _whole(timeline, plan, start, end, points, quiet=False)
        first, last = selection.time_span(timeline, plan.first, plan.last)
        spans = [(cut.start, cut.end) for cut in cuts if cut.speed == 1.0]
        leads = pacing.leads(timeline, spans, pacing.budget(last - first))
    return pacing.timeline_of(records, leads) if any(leads) else timeline, points


def _span(timeline: Timeline, plan: FilmPlan) -> tuple[float, float]:
    """Return from when to when a film shows its timeline; its cards say already who plays and who has won."""
    start, end = selection.time_span(timeline, plan.first, plan.last)
    if not plan.cards or plan.fast:
        return start, end
    return (
        start if plan.first else cards.match_begins(timeline),
        cards.result_shown(timeline, end) if plan.ends else end,
    )


def _whole(
    timeline: Timeline, plan: FilmPlan, start: float, end: float, points: Sequence[TurningPoint], *, quiet: bool = True
) -> list[Cut]:
    """Return the cuts of a whole film; of a part that was asked for nothing is left out, nor shown faster.

    `quiet`: plays without a shot are shown faster, which must wait until it is known which words are waited for.
    """
    if plan.first or plan.last:
        return stretches.whole(timeline, [stretches.Piece(start, end)], points, faster=False)
    return stretches.whole(timeline, stretches.pieces(timeline, start, end, points), points, quiet=quiet)


# The best moments of many games

MINUTE_S = 60.0
"""Seconds that a film of many games has at most."""
MOST_GAMES = 8
"""Games that are shown at most: those in which there is most to see."""

Game = tuple[SessionTape, float]
"""A session of one game, and how much there is to see in it."""


def games_of(sessions: Sequence[SessionTape], notice: MessageCallback) -> list[Game]:
    """Return the games to show of these sessions, in order; raise UsageError if nothing was played in them."""
    played = [
        (replace(session, games=(game,)), drama(Timeline.of(records), {}))
        for session in sessions
        for game, records in zip(session.games, selection.games_in(replay(session)), strict=False)
        if any(isinstance(record, Play) for record in records)
    ]
    if not played:
        raise UsageError("nothing was played in these sessions yet; name others")
    best = sorted(range(len(played)), key=lambda number: -played[number][1])[:MOST_GAMES]
    if len(best) < len(played):
        notice(f"of {len(played)} games those {MOST_GAMES} are shown in which there is most to see (--game N for one)")
    return [played[number] for number in sorted(best)]


LEAST_S = 7.5
"""Seconds of a game of a cup at least; the last one has twice as many as the others."""


@dataclass(frozen=True, slots=True)
class Evening:
    """What makes a cup of several games: its title and what came of it, what each game is called, and who has won."""

    title: str
    told: str
    games: Sequence[str]
    winner: WinnerCard | None


class HighlightsJob(FilmJob):
    """The best moments of several games, one after the other, the last one before its end card.

    Each begins with a card that says who plays, but where that is the one of the game before. Those of a cup end with
    the picture of its winner.
    """

    def __init__(self, games: Sequence[Game], plan: FilmPlan, evening: Evening | None = None) -> None:
        self._games, self._parts, self._evening = games, list[RenderJob](), evening
        longest, before = min(LONGEST_S, MINUTE_S / len(games)), None
        if evening is not None:
            longest = min(LONGEST_S, max(LEAST_S, MINUTE_S / (len(games) + 1)))
        for number, (session, _) in enumerate(games, 1):
            last = number == len(games)
            seconds = 2 * longest if last and evening is not None else longest
            part = replace(plan, highlights=True, longest=seconds, ends=last)
            part = part if evening is None else replace(part, title=evening.games[number - 1])
            self._parts.append(RenderJob(session, part, before))
            shown = self._parts[-1].cards
            before = shown.opening if shown is not None else None
        *self._starts, self._ends = accumulate((part.edit_list.seconds for part in self._parts), initial=0.0)
        cards = plan.cards and not plan.fast
        self._winner = evening.winner if evening is not None and cards else None
        seconds = self._ends + (0.0 if self._winner is None else self._winner.seconds)
        super().__init__(plan, EditList([Cut(0.0, seconds)]))

    def frame_renderer(self) -> JoinedRenderer:
        """Return a new renderer of its frames."""
        parts: list[Callable[[], FilmRenderer]] = [part.frame_renderer for part in self._parts]
        winner, shape = self._winner, self.plan.shape
        if winner is None:
            return JoinedRenderer(parts, self._starts)
        parts.append(lambda: Still(winner_picture(winner, shape.size, telephone=shape.vertical)))
        return JoinedRenderer(parts, [*self._starts, self._ends])

    def lines(self, frames: int) -> list[Line]:
        """Return the captions of a film of which so many frames were made."""
        fps = self.plan.shape.fps
        return [
            Line(line.start + start, line.end + start, line.text)
            for part, start in zip(self._parts, self._starts, strict=True)
            for line in part.lines(max(0, frames - round(start * fps)))
        ]

    @property
    def tags(self) -> dict[str, str]:
        """Return its title and its description, which the file carries."""
        if self._evening is not None:
            return {"title": self.plan.title or self._evening.title, "description": self._evening.told}
        described = "\n\n".join(dict.fromkeys(part.tags["description"] for part in self._parts))
        return {"title": self.plan.title or f"Highlights of {len(self._parts)} games", "description": described}

    def script(self) -> list[ScriptRow]:
        """Return all that it says, and when."""
        rows = [
            row._replace(at=row.at + start, until=row.until + start)
            for part, start in zip(self._parts, self._starts, strict=True)
            for row in part.script()
        ]
        words = [] if self._winner is None else filter(None, self._winner.rows)
        return [*rows, *(ScriptRow(self._ends, self.edit_list.seconds, "end card", each, False) for each in words)]

    def cues(self) -> Iterator[Cue]:
        """Yield what is heard, in film seconds."""
        for part, start in zip(self._parts, self._starts, strict=True):
            for cue in part.cues():
                yield replace(cue, at=cue.at + start)
        if self._winner is not None:
            yield Cue(self._ends, "win")

    def poster(self) -> pygame.Surface:
        """Return its poster: the winner of a cup, else the fight of the game in which there is most to see."""
        if self._evening is not None and self._evening.winner is not None:
            shape = self.plan.shape
            return winner_picture(self._evening.winner, poster_size(shape.size), telephone=shape.vertical)
        best = max(range(len(self._games)), key=lambda number: self._games[number][1])
        return self._parts[best].poster()
