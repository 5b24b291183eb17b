"""A film of the best moments of many games before it is made: one card a game, one game after the other."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import accumulate
from pathlib import Path

import pygame

from batllm_arcade.errors import UsageError
from batllm_arcade.history.reader import SessionTape
from batllm_arcade.history.replay import replay
from batllm_arcade.match.records import Play
from batllm_arcade.video.draw.cards import FilmRenderer
from batllm_arcade.video.draw.versus import JoinedRenderer
from batllm_arcade.video.edit import script as film_text
from batllm_arcade.video.edit.captions import FilmChapter, Line
from batllm_arcade.video.edit.edit_list import Cut, EditList, frame_count
from batllm_arcade.video.edit.highlights import LONGEST_S, drama
from batllm_arcade.video.edit.script import ScriptRow, shifted
from batllm_arcade.video.edit.selection import games_in
from batllm_arcade.video.film_job import MessageCallback
from batllm_arcade.video.film_plan import FilmPlan
from batllm_arcade.video.render_job import RenderJob
from batllm_arcade.view.sound_cues import Cue
from batllm_arcade.view.timeline import Timeline

MINUTE_S = 60.0
"""Seconds that it has at most."""
MOST_GAMES = 8
"""Games that are shown at most: those in which there is most to see."""

Game = tuple[SessionTape, float]
"""A session of one game, and how much there is to see in it."""


def games_of(sessions: Sequence[SessionTape], notice: MessageCallback) -> list[Game]:
    """Return the games to show of these sessions, in order; raise UsageError if nothing was played in them."""
    found = [each for session in sessions for each in _games(session)]
    if not found:
        raise UsageError("nothing was played in these sessions yet; name others")
    best = sorted(range(len(found)), key=lambda number: -found[number][1])[:MOST_GAMES]
    if len(best) < len(found):
        notice(f"of {len(found)} games those {MOST_GAMES} are shown in which there is most to see (--game N for one)")
    return [found[number] for number in sorted(best)]


def _games(session: SessionTape) -> Iterator[Game]:
    """Yield each game in which something was played."""
    for game, records in zip(session.games, games_in(replay(session)), strict=False):
        if any(isinstance(record, Play) for record in records):
            yield replace(session, games=(game,)), drama(Timeline.of(records), {})


class HighlightsJob:
    """The best moments of several games, each after a card that says who plays, the last one before its end card."""

    def __init__(self, games: Sequence[Game], plan: FilmPlan) -> None:
        self.plan, self._games = plan, games
        self.partial: Path | None = None
        longest = min(LONGEST_S, MINUTE_S / len(games))
        last = len(games) - 1
        self._parts = [
            RenderJob(session, replace(plan, highlights=True, longest=longest, ends=number == last))
            for number, (session, _) in enumerate(games)
        ]
        self._starts = [0.0, *accumulate(part.edit_list.seconds for part in self._parts)]
        self.edit_list = EditList([Cut(0.0, self._starts.pop())])
        self.sounds = plan.sound and bool(plan.shape.format.sound)
        self.frames = frame_count(self.edit_list.seconds, plan.shape.fps)

    def frame_renderer(self) -> JoinedRenderer:
        """Return a new renderer of its frames."""
        parts: list[Callable[[], FilmRenderer]] = [part.frame_renderer for part in self._parts]
        return JoinedRenderer(parts, self._starts)

    def moving(self, frames: int) -> int:
        """Return how many of the first frames show matches, at least one."""
        return max(1, frames)

    def lines(self, frames: int) -> list[Line]:
        """Return the captions of a film of which so many frames were made."""
        fps = self.plan.shape.fps
        parts = zip(self._parts, self._starts, strict=True)
        return [
            Line(line.start + start, line.end + start, line.text)
            for part, start in parts
            for line in part.lines(max(0, frames - round(start * fps)))
        ]

    @property
    def tags(self) -> dict[str, str]:
        """Return its title and its description, which the file carries."""
        described = "\n\n".join(dict.fromkeys(part.tags["description"] for part in self._parts))
        return {"title": self.plan.title or f"Highlights of {len(self._parts)} games", "description": described}

    def chapters(self, frames: int) -> list[FilmChapter]:
        """Return none: moments are too short for that."""
        return []

    def text(self, frames: int) -> str:
        """Return what is posted with the film."""
        title, described = self.tags.values()
        return film_text.film_text(title, described, ())

    def script(self) -> list[ScriptRow]:
        """Return all that it says, and when."""
        parts = zip(self._parts, self._starts, strict=True)
        return [row for part, start in parts for row in shifted(part.script(), start)]

    def cues(self) -> Iterator[Cue]:
        """Yield what is heard, in film seconds."""
        for part, start in zip(self._parts, self._starts, strict=True):
            for cue in part.cues():
                yield replace(cue, at=cue.at + start)

    def poster(self) -> pygame.Surface:
        """Return its poster: the fight of the game in which there is most to see."""
        best = max(range(len(self._games)), key=lambda number: self._games[number][1])
        return self._parts[best].poster()
