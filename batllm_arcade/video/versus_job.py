"""A film of two games side by side before it is made."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from itertools import pairwise
from operator import attrgetter
from pathlib import Path

import pygame

from batllm_arcade.errors import UsageError
from batllm_arcade.history.replay import replay
from batllm_arcade.match.records import Play, Record
from batllm_arcade.video.draw.card_painter import CardPainter
from batllm_arcade.video.draw.cards import FilmRenderer, frame_of
from batllm_arcade.video.draw.frame_renderer import film_scenes
from batllm_arcade.video.draw.versus import (
    EndedMatch,
    FilmedMatch,
    JoinedRenderer,
    SplitRenderer,
    StillRenderer,
    ended_plate,
    result_plate,
    versus_closing,
    versus_opening,
)
from batllm_arcade.video.edit import captions as chapters
from batllm_arcade.video.edit import script as film_text
from batllm_arcade.video.edit import selection, side_by_side
from batllm_arcade.video.edit.captions import FilmChapter, Line
from batllm_arcade.video.edit.cards import first_round
from batllm_arcade.video.edit.edit_list import Cut, EditList, frame_count
from batllm_arcade.video.edit.side_by_side import LETTERS, contest, outcome
from batllm_arcade.video.edit.text import told_apart
from batllm_arcade.video.encode.encoder_thread import film_cues
from batllm_arcade.video.film_job import moving_frames
from batllm_arcade.video.film_plan import Compared, FilmPlan
from batllm_arcade.view.layout import beside_ended, columns
from batllm_arcade.view.scene import Scene
from batllm_arcade.view.sound_cues import Cue

OPENING_S, END_S = 3.6, 4.5
"""Seconds for which both cards are shown: 0.3 for each word that is new on them."""
_HOW_TO = "$ batllm-arcade versus"
_PAN = 0.45  # of each game's sounds to its side, in a wide film


class VersusJob:
    """Two games' film before it is made: their timelines on one clock, its cuts and its number of frames."""

    def __init__(self, first: Compared, second: Compared, plan: FilmPlan) -> None:
        self.plan = plan
        self.partial: Path | None = None
        both = _records(first), _records(second)
        self.timelines = side_by_side.on_one_clock(*both, read=not plan.fast)
        self.contest = contest(self.timelines, plan.title)
        self.outcome = outcome(*both, self.contest.subject)
        opening, closing = (OPENING_S, END_S) if plan.cards and not plan.fast else (0.0, 0.0)
        shown = side_by_side.cuts(self.timelines, whole=plan.fast)
        beside, alone, self._longer = shown, list[Cut](), 0
        if not plan.fast:
            beside, alone, self._longer = side_by_side.parted(self.timelines, shown, LETTERS)
        self.edit_list = EditList([*beside, *alone], opening, closing).faster(plan.pace)
        shape, subject = plan.shape, self.contest.subject
        orders = [first_round(timeline, 0.0).prompts for timeline in self.timelines]
        against = any(each[1 - subject].strip() for each in orders)
        self._columns = columns(
            shape.size, self.contest.labels, subject, tuple(each[subject] for each in orders),
            against=against, covered=shape.vertical,
        )  # fmt: skip
        self._enlarged = beside_ended(shape.size, self._columns[self._longer], against=against) if alone else None
        if self._enlarged is None:
            beside, alone = [*beside, *alone], []
        self._beside, self._alone = EditList(beside, opening).faster(plan.pace), EditList(alone).faster(plan.pace)
        self.sounds = plan.sound and bool(plan.shape.format.sound)
        self.frames = frame_count(self.edit_list.seconds, plan.shape.fps)

    def frame_renderer(self) -> JoinedRenderer:
        """Return a new renderer of its frames: of both games, of the longer one's rest, and of the last card."""
        parts: list[tuple[float, Callable[[], FilmRenderer]]] = [(0.0, self._both)]
        if self._alone.cuts:
            parts.append((self._beside.seconds, self._rest))
        if self.edit_list.end_card:
            parts.append((self.edit_list.ends, self._last_card))
        return JoinedRenderer([part for _, part in parts], [start for start, _ in parts])

    def _both(self) -> SplitRenderer:
        shape, both = self.plan.shape, (self._filmed(0), self._filmed(1))
        return SplitRenderer(shape.size, both, self._beside, self._opening, covered=shape.vertical)

    def _rest(self) -> SplitRenderer:
        """Return what draws the longer game larger while the other one has ended, whose result is beside it."""
        assert self._enlarged is not None
        column, place = self._enlarged
        other = 1 - self._longer
        ended = self._filmed(other)
        paint = partial(
            ended_plate, subject=self.contest.subject, label=self.contest.labels[other], told=self.contest.told[other],
            said=self.outcome.plates[other], arena=ended.arena_at_end(),
        )  # fmt: skip
        filmed = replace(self._filmed(self._longer), column=column)
        ended_there = EndedMatch(place, paint)
        return SplitRenderer(self.plan.shape.size, (filmed,), self._alone, self._opening, ended=ended_there)

    def _opening(self, painter: CardPainter) -> pygame.Surface:
        return versus_opening(painter, self.contest)

    def _last_card(self) -> StillRenderer:
        shape = self.plan.shape
        paint = partial(versus_closing, contest=self.contest, outcome=self.outcome, sign=self.plan.sign or _HOW_TO)
        return StillRenderer(shape.size, paint, covered=shape.vertical)

    def _filmed(self, number: int) -> FilmedMatch:
        """Return what is shown of one of the games."""
        timeline, subject, cuts = self.timelines[number], self.contest.subject, self.edit_list.cuts
        result = partial(
            result_plate, subject=subject, label=self.contest.labels[number], said=self.outcome.plates[number]
        )
        over = math.inf if self.plan.fast else side_by_side.result_shown(self.timelines, number)
        shown = _with_label(film_scenes(timeline, fast=self.plan.fast), subject, LETTERS[number])
        meanwhile = {
            cut.start: side_by_side.meanwhile(timeline, subject, before.end, cut.start)
            for before, cut in pairwise(cuts)
            if cut.start > before.end
        }
        return FilmedMatch(self._columns[number], shown, over, result, meanwhile)

    def moving(self, frames: int) -> int:
        """Return how many of the first frames show the games, at least one."""
        return moving_frames(self.edit_list, frames, self.plan.shape.fps)

    def lines(self, frames: int) -> list[Line]:
        """Return no captions: both games have their own words."""
        return []

    @property
    def tags(self) -> dict[str, str]:
        """Return its title and its description, which the file carries."""
        told = [
            f"{letter}: {timeline.segments[0].board.seats[self.contest.subject].name}, {what or 'no orders'}; "
            f"{', '.join(said)}."
            for letter, timeline, what, said in zip(
                LETTERS, self.timelines, self.contest.told, self.outcome.plates, strict=True
            )
        ]
        seeds = dict.fromkeys(timeline.segments[0].board.seed for timeline in self.timelines)
        result = ": ".join(filter(None, (self.outcome.title, self.outcome.margin)))
        end = f"{result}. {self.contest.against}, seed {' and '.join(map(str, seeds))}, in BatLLM Arcade."
        return {"title": self.contest.claim, "description": "\n".join([*told, end])}

    def chapters(self, frames: int) -> list[FilmChapter]:
        """Return the chapters of a film of which so many frames were made: the rounds of the longer game."""
        longer = max(self.timelines, key=attrgetter("end"))
        return chapters.chapters(longer, self.edit_list, frames / self.plan.shape.fps)

    def text(self, frames: int) -> str:
        """Return what is posted with the film."""
        title, described = self.tags.values()
        return film_text.film_text(title, described, self.chapters(frames))

    def cues(self) -> Iterator[Cue]:
        """Yield what is heard of both games, in film seconds: each from its side of a wide film."""
        width, height = self.plan.shape.size
        aside = _PAN if width > height else 0.0
        found = []
        for timeline, pan in zip(self.timelines, (-aside, aside), strict=True):
            found += [replace(cue, pan=(1 - aside) * cue.pan + pan) for cue in film_cues(timeline, self.edit_list)]
        yield from sorted(found, key=attrgetter("at"))

    def poster(self) -> pygame.Surface:
        """Return its poster: what is compared, in large type."""
        return frame_of(self.frame_renderer(), self.edit_list.card / 2)


def _with_label(scene_at: Callable[[float], Scene], subject: int, label: str) -> Callable[[float], Scene]:
    """Return the same scenes with banners that say how it went for the side that is compared: `B wins`, `A loses`."""

    def shown(t: float) -> Scene:
        scene = scene_at(t)
        if scene.banner is None or scene.board.result is None or scene.board.result.winner is None:
            return scene
        title = f"{label} {'wins' if scene.board.result.winner == subject else 'loses'}"
        return replace(scene, banner=replace(scene.banner, title=title))

    return shown


def _records(compared: Compared) -> list[Record]:
    """Return the records of a game; raise UsageError if there is no such game, or nothing was played in it."""
    records = list(told_apart(selection.records_of_game(replay(compared.session), compared.game)))
    if not any(isinstance(record, Play) for record in records):
        raise UsageError("nothing was played in one of these games yet; name two in which something was")
    return records
