"""A film of two games side by side before it is made."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import pairwise
from operator import attrgetter

import pygame

from batllm_arcade.errors import UsageError
from batllm_arcade.history.replay import replay
from batllm_arcade.match.records import Play, Record
from batllm_arcade.video.draw.cards import CardPainter
from batllm_arcade.video.draw.frames import film_scenes
from batllm_arcade.video.draw.versus import FilmedMatch, SplitRenderer, versus_closing, versus_opening
from batllm_arcade.video.edit import captions, selection, side_by_side
from batllm_arcade.video.edit.captions import FilmChapter
from batllm_arcade.video.edit.cards import first_round
from batllm_arcade.video.edit.edit_list import EditList, film_cues
from batllm_arcade.video.edit.side_by_side import LETTERS, contest, outcome
from batllm_arcade.video.edit.text import told_apart
from batllm_arcade.video.film_job import FilmJob
from batllm_arcade.video.film_plan import Compared, FilmPlan
from batllm_arcade.view.layout import match_columns
from batllm_arcade.view.scene import Scene
from batllm_arcade.view.sound_cues import Cue

OPENING_S, END_S = 3.6, 4.5
"""Seconds for which both cards are shown: 0.3 for each word that is new on them."""
_HOW_TO = "$ batllm-arcade versus"
_PAN = 0.45  # of each game's sounds to its side, in a wide film


class VersusJob(FilmJob):
    """Two games' film before it is made: their timelines on one clock, and what is compared."""

    def __init__(self, first: Compared, second: Compared, plan: FilmPlan) -> None:
        both = _records(first), _records(second)
        self.timelines = side_by_side.on_one_clock(*both, read=not plan.fast)
        self.contest = contest(self.timelines, plan.title)
        self.outcome = outcome(*both, self.contest.subject)
        opening, closing = (OPENING_S, END_S) if plan.cards and not plan.fast else (0.0, 0.0)
        cuts = side_by_side.cuts(self.timelines, whole=plan.fast)
        super().__init__(plan, EditList(cuts, opening, closing).faster(plan.pace))

    def frame_renderer(self) -> SplitRenderer:
        """Return a new renderer of its frames."""
        shape, sign = self.plan.shape, self.plan.sign or _HOW_TO

        def opening(painter: CardPainter) -> pygame.Surface:
            return versus_opening(painter, self.contest)

        def closing(painter: CardPainter) -> pygame.Surface:
            return versus_closing(painter, self.contest, self.outcome, sign)

        return SplitRenderer(shape.size, self.matches(), self.edit_list, opening, closing, covered=shape.vertical)

    def matches(self) -> list[FilmedMatch]:
        """Return what is shown of both games, and where."""
        shape, subject = self.plan.shape, self.contest.subject
        prompts = [first_round(timeline, 0.0).prompts for timeline in self.timelines]
        places = match_columns(
            shape.size, self.contest.labels, subject, tuple(both[subject] for both in prompts),
            against=any(both[1 - subject].strip() for both in prompts), covered=shape.vertical,
        )  # fmt: skip
        gaps = [(one.end, other.start) for one, other in pairwise(self.edit_list.cuts) if other.start > one.end]
        matches = []
        for number, (timeline, place) in enumerate(zip(self.timelines, places, strict=True)):
            scene_at = film_scenes(timeline, fast=self.plan.fast)
            over = math.inf if self.plan.fast else side_by_side.result_shown(self.timelines, number)
            meanwhile = {end: side_by_side.meanwhile(timeline, subject, start, end) for start, end in gaps}
            shown = labelled(scene_at, subject, LETTERS[number])
            matches.append(FilmedMatch(place, shown, over, self.outcome.plates[number], meanwhile))
        return matches

    @property
    def tags(self) -> dict[str, str]:
        """Return its title and its description, which the file carries."""
        games = zip(LETTERS, self.timelines, self.contest.told, self.outcome.plates, strict=True)
        told = [
            f"{letter}: {timeline.segments[0].board.seats[self.contest.subject].name}, {orders or 'no orders'}; "
            f"{', '.join(said)}."
            for letter, timeline, orders, said in games
        ]
        seeds = dict.fromkeys(timeline.segments[0].board.seed for timeline in self.timelines)
        result = ": ".join(filter(None, (self.outcome.title, self.outcome.margin)))
        end = f"{result}. {self.contest.against}, seed {' and '.join(map(str, seeds))}, in BatLLM Arcade."
        return {"title": self.contest.claim, "description": "\n".join([*told, end])}

    def chapters(self, frames: int) -> list[FilmChapter]:
        """Return the chapters of a film of which so many frames were made: the rounds of the longer game."""
        longer = max(self.timelines, key=attrgetter("end"))
        return captions.chapters(longer, self.edit_list, frames / self.plan.shape.fps)

    def cues(self) -> Iterator[Cue]:
        """Yield what is heard of both games, in film seconds: each from its side of a wide film."""
        width, height = self.plan.shape.size
        aside = _PAN if width > height else 0.0
        both = zip(self.timelines, (-aside, aside), strict=True)
        cues = [
            replace(cue, pan=(1 - aside) * cue.pan + pan)
            for timeline, pan in both
            for cue in film_cues(timeline, self.edit_list)
        ]
        yield from sorted(cues, key=attrgetter("at"))

    def poster(self) -> pygame.Surface:
        """Return its poster: what is compared, in large type."""
        renderer = self.frame_renderer()
        renderer.draw(self.edit_list.card / 2)
        return renderer.surface


def labelled(scene_at: Callable[[float], Scene], subject: int, label: str) -> Callable[[float], Scene]:
    """Return the same scenes with banners that say how it went for the side that is compared: `B wins`, `A loses`."""

    def labelled_scene(t: float) -> Scene:
        scene = scene_at(t)
        if scene.banner is None or scene.board.result is None or scene.board.result.winner is None:
            return scene
        title = f"{label} {'wins' if scene.board.result.winner == subject else 'loses'}"
        return replace(scene, banner=replace(scene.banner, title=title))

    return labelled_scene


def _records(compared: Compared) -> list[Record]:
    """Return the records of a game; raise UsageError if there is no such game, or nothing was played in it."""
    records = list(told_apart(selection.records_of_game(replay(compared.session), compared.game)))
    if not any(isinstance(record, Play) for record in records):
        raise UsageError("nothing was played in one of these games yet; name two in which something was")
    return records
