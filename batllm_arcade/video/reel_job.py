"""A film of the best moments of many sessions before it is made."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import accumulate
from pathlib import Path

import pygame

from batllm_arcade.analysis.game import swings
from batllm_arcade.errors import UsageError
from batllm_arcade.history.reader import SessionTape
from batllm_arcade.history.replay import replay
from batllm_arcade.match.records import Play, Record
from batllm_arcade.video.draw.film_camera import film_scenes
from batllm_arcade.video.draw.frame_renderer import FrameRenderer
from batllm_arcade.video.draw.poster import FilmRenderer, fight_poster
from batllm_arcade.video.draw.together.joined_renderer import JoinedRenderer, StillRenderer
from batllm_arcade.video.draw.together.recap import recap_picture
from batllm_arcade.video.edit import film_text
from batllm_arcade.video.edit.captions import Line
from batllm_arcade.video.edit.cards import both_read
from batllm_arcade.video.edit.chapters import FilmChapter
from batllm_arcade.video.edit.edit_list import Cut, EditList, frame_count
from batllm_arcade.video.edit.together.headlines import apart
from batllm_arcade.video.edit.together.reel import CARD_S, RECAP_S, GameMoment, best_of_game, chosen, excitement
from batllm_arcade.video.encode.soundtrack import film_cues
from batllm_arcade.video.film_plan import FilmPlan
from batllm_arcade.view.layout import anchor
from batllm_arcade.view.sound_cues import Cue

_TURNS = "A turning point"
MOST_ANALYSED = 40
"""Games whose chances are computed: those in which there is most to see."""


def best_moments(sessions: Sequence[SessionTape], plan: FilmPlan) -> list[GameMoment]:
    """Return the moments of a reel of these sessions, the best last; raise UsageError if nothing happens in them."""
    games = [records for session in sessions for records in _games(session)]
    ranked = sorted(range(len(games)), key=lambda number: (-excitement(games[number]), number))
    taken = [games[number] for number in sorted(ranked[:MOST_ANALYSED])]
    read, card = not plan.fast, CARD_S if plan.cards and not plan.fast else 0.0
    found = chosen((best_of_game(records, swings(records), read=read) for records in taken), card)
    if not found:
        raise UsageError("nothing happens in these sessions that a reel could show; name others")
    return found


def _games(session: SessionTape) -> Iterator[list[Record]]:
    """Yield the records of each game in which something was played."""
    for game in session.games:
        records = list(replay(replace(session, games=(game,))))
        if any(isinstance(record, Play) for record in records):
            yield records


class ReelJob:
    """The moments of a reel of so many games before it is made, one after the other; its length and its frames."""

    def __init__(self, shown: Sequence[GameMoment], plan: FilmPlan, games: int = 1) -> None:
        self.plan, self._shown, self._games = plan, shown, games
        self.partial: Path | None = None
        card, self._recap = (CARD_S, RECAP_S) if plan.cards and not plan.fast else (0.0, 0.0)
        titles = self._titles() if card else [""] * len(shown)
        self._parts = [
            each.edit_list(0.0 if number else card, plan.pace, title if number else "")
            for number, (each, title) in enumerate(zip(shown, titles, strict=True))
        ]
        *self._starts, self._recap_starts = accumulate((part.seconds for part in self._parts), initial=0.0)
        self.edit_list = EditList([Cut(0.0, self._recap_starts + self._recap)])
        self.sounds = plan.sound and bool(plan.shape.format.sound)
        self.frames = frame_count(self.edit_list.seconds, plan.shape.fps)

    def frame_renderer(self) -> JoinedRenderer:
        """Return a new renderer of its frames."""
        parts: list[Callable[[], FilmRenderer]] = [partial(self._part, number) for number in range(len(self._parts))]
        if not self._recap:
            return JoinedRenderer(parts, self._starts)
        return JoinedRenderer([*parts, self._last_card], [*self._starts, self._recap_starts])

    def _part(self, number: int) -> FrameRenderer:
        each, shape = self._shown[number], self.plan.shape
        scene_at = film_scenes(each.timeline, fast=self.plan.fast, anchor=anchor(shape.size, shape.film))
        return FrameRenderer(
            shape.size, each.timeline, self._parts[number], self._titles()[number],
            scene_at=scene_at, film=shape.film, above=self._title if len(self._shown) > 1 else "",
            score=f"MOMENT {len(self._shown) - number}",
        )  # fmt: skip

    def _last_card(self) -> StillRenderer:
        shape = self.plan.shape
        again = [(*each.told_again, each.seen) for each in reversed(self._shown)]
        told = [(text or _TURNS, bot, seen) for text, bot, seen in again]
        paint = partial(recap_picture, title=self._title if len(told) > 1 else self.tags["title"], moments=told)
        return StillRenderer(shape.size, paint, covered=shape.vertical)

    @property
    def _title(self) -> str:
        if self.plan.title:
            return self.plan.title
        best, games = f"The {len(self._shown)} best moments", self._games
        seats = [seat for each in self._shown for seat in each.timeline.segments[0].board.seats]
        model = len({seat.model for seat in seats}) == 1 and seats[0].model and not any(seat.human for seat in seats)
        if model and games > 1:
            reads = all(both_read(each.timeline) for each in self._shown)
            does = f"One AI reads orders: best moments of {games} games"
            return does if reads else f"One AI model, {games} games: {best[0].lower()}{best[1:]}"
        return f"{best} of {games} games" if games > 1 else best

    def _titles(self) -> list[str]:
        """Return what is said before each moment: its place, counted down, and what makes curious."""
        last, teasers = len(self._shown), apart([each.teaser or _TURNS for each in self._shown])
        return [f"{last - number}. {teaser}" for number, teaser in enumerate(teasers)]

    def moving(self, frames: int) -> int:
        """Return how many of the first frames show matches, at least one."""
        return max(1, frames)

    def lines(self, frames: int) -> list[Line]:
        """Return no captions."""
        return []

    @property
    def tags(self) -> dict[str, str]:
        """Return its title and its description, which the file carries."""
        pairs = [" vs ".join(each.names) for each in self._shown]
        said = [f"{title} ({who})" for title, who in zip(self._titles(), pairs, strict=True)]
        return {"title": self.plan.title or "The best moments", "description": "\n".join([*said, "BatLLM Arcade"])}

    def chapters(self, frames: int) -> list[FilmChapter]:
        """Return a chapter for each moment in so many frames."""
        seconds = frames / self.plan.shape.fps
        ends = [*self._starts[1:], self.edit_list.seconds]
        return [
            FilmChapter(start, min(end, seconds), title)
            for start, end, title in zip(self._starts, ends, self._titles(), strict=True)
            if start < seconds
        ]

    def text(self, frames: int) -> str:
        """Return what is posted with the film."""
        title, described = self.tags.values()
        return film_text.film_text(title, described, self.chapters(frames))

    def cues(self) -> Iterator[Cue]:
        """Yield what is heard, in film seconds."""
        for each, part, start in zip(self._shown, self._parts, self._starts, strict=True):
            for cue in film_cues(each.timeline, part):
                yield replace(cue, at=cue.at + start)

    def poster(self) -> pygame.Surface:
        """Return its poster: the fight of the best moment."""
        best, shape = self._shown[-1], self.plan.shape
        spans = [(cut.start, cut.end) for cut in self._parts[-1].cuts]
        return fight_poster(best.timeline, spans, self._titles()[-1], shape.size, telephone=shape.vertical)
