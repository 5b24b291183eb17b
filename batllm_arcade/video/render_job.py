"""One match as a film."""

from __future__ import annotations

import math
import os
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pygame

from batllm_arcade.analysis.game import swings
from batllm_arcade.errors import ArcadeError, UsageError
from batllm_arcade.files.atomic import write_text
from batllm_arcade.history.reader import SessionTape
from batllm_arcade.history.replay import replay
from batllm_arcade.render.fonts import missing_fonts
from batllm_arcade.session.interrupts import ENDING, on_interrupt
from batllm_arcade.story.turning import TurningPoint, turnings
from batllm_arcade.video.draw.cards import FilmRenderer, fight_poster, write_picture
from batllm_arcade.video.draw.frame_renderer import AlphaRenderer, FrameRenderer, film_scenes
from batllm_arcade.video.edit import captions, cards, highlights, pacing, selection, stretches
from batllm_arcade.video.edit import captions as chapters
from batllm_arcade.video.edit import script as film_text
from batllm_arcade.video.edit.captions import Captions, FilmChapter, Line
from batllm_arcade.video.edit.cards import FilmCards
from batllm_arcade.video.edit.edit_list import Cut, EditList, frame_count
from batllm_arcade.video.edit.script import ScriptRow, script
from batllm_arcade.video.edit.text import games, told_apart
from batllm_arcade.video.encode import encoder_thread as soundtrack
from batllm_arcade.video.encode.encoder_thread import SWITCH_S, EncoderThread
from batllm_arcade.video.encode.film_files import new_frames, open_film
from batllm_arcade.video.encode.formats import TooLarge
from batllm_arcade.video.encode.switch_interval import short_switch_interval
from batllm_arcade.video.film_job import FilmJob, MessageCallback, Progress, ProgressCallback, moving_frames
from batllm_arcade.video.film_plan import FilmPlan
from batllm_arcade.view import theme
from batllm_arcade.view.layout import anchor, film_layout
from batllm_arcade.view.sound_cues import Cue
from batllm_arcade.view.theme import Color
from batllm_arcade.view.timeline import Timeline

# -- A film's timeline and its cuts: what its plan shows of a session, and for how long


def film_timeline(session: SessionTape, plan: FilmPlan) -> tuple[Timeline, list[TurningPoint]]:
    """Return the timeline of what may be shown, and where its games tipped."""
    game = plan.game or selection.implied_game(plan.first, plan.last)
    replayed = replay(session)
    records = list(told_apart(selection.records_of_game(replayed, game) if game else replayed))
    timeline = pacing.timeline_of(records)
    if not timeline.segments:
        raise UsageError("this session holds no game yet; film one in which something was played")
    points = [] if plan.fast else list(turnings(records))
    leads = () if plan.fast else _leads(timeline, plan, points)
    return pacing.timeline_of(records, leads) if any(leads) else timeline, points


def _leads(timeline: Timeline, plan: FilmPlan, points: Sequence[TurningPoint]) -> Sequence[float]:
    """Return how many seconds longer each play is shown, so that its words can be read."""
    start, end = _span(timeline, plan)
    if plan.highlights:
        return pacing.leads(timeline, highlights.spans(timeline, start, end), math.inf)
    cuts = _whole(timeline, plan, start, end, points, quiet=False)
    first, last = selection.time_span(timeline, plan.first, plan.last)
    return pacing.leads(
        timeline, [(cut.start, cut.end) for cut in cuts if cut.speed == 1.0], pacing.budget(last - first)
    )


def film_cards(timeline: Timeline, plan: FilmPlan, points: Sequence[TurningPoint] = ()) -> FilmCards | None:
    """Return a film's cards, None if it has none; `points` is where the games of its timeline tipped."""
    if not plan.cards or plan.fast:
        return None
    start, end = _span(timeline, plan)
    number = len(games(timeline))
    above = f"Highlights of {number} games" if plan.highlights and number > 1 else ""
    opening = cards.opening_card(timeline, start, plan.title, above)
    return FilmCards(opening, cards.end_card(timeline, end, points, plan.sign))


def film_edit_list(
    timeline: Timeline, plan: FilmPlan, shown: FilmCards | None, points: Sequence[TurningPoint] = ()
) -> EditList:
    """Return the cuts of a film between the cards that are `shown`; `points` is where the games of its timeline
    tipped."""
    start, end = _span(timeline, plan)
    opening, closing = (0.0, 0.0) if shown is None else (shown.opening.seconds, shown.closing.seconds * plan.ends)
    longest = plan.longest - opening - closing
    if plan.highlights:
        found = swings(segment.record for segment in timeline.segments)
        return EditList(
            highlights.cuts(timeline, found, start, end, longest, points), opening, closing, highlights=True
        )
    if plan.fast:
        return EditList([Cut(start, end)])
    return EditList(_whole(timeline, plan, start, end, points), opening, closing)


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


# -- Makes a film of a recorded session, off screen and as fast as the machine can

POSTER = 1280
"""Pixels of a poster's longer side at least."""
_MULTIPLE = 8
"""What a poster's sides are multiples of: a gif of 720 by 404 pixels has one of 1280 by 720."""
_PALETTE_FRAMES = 120  # of a film from which a gif's palette is computed


class RenderJob:
    """A session's film before it is made: its timeline, its cuts, its captions and its number of frames."""

    def __init__(self, session: SessionTape, plan: FilmPlan) -> None:
        self.plan = plan
        self.partial: Path | None = None
        """The file the film is kept in while it is written."""
        self.timeline, self.points = film_timeline(session, plan)
        self.cards = film_cards(self.timeline, plan, self.points)
        self.edit_list = film_edit_list(self.timeline, plan, self.cards, self.points).faster(plan.pace)
        if plan.shape.overlay:  # nothing flashes where nothing is
            self.edit_list = self.edit_list.without_flashes()
        still = plan.fast or plan.shape.overlay
        self.scene_at = film_scenes(self.timeline, fast=still, anchor=anchor(plan.shape.size, plan.shape.film))
        """What the film shows of the arena at a second of the timeline."""
        self.captions = Captions(self.timeline, self.edit_list)
        self.sounds = plan.sound and bool(plan.shape.format.sound)
        self.frames = frame_count(self.edit_list.seconds, plan.shape.fps)

    def frame_renderer(self) -> FilmRenderer:
        """Return a new renderer of its frames."""
        if self.plan.shape.alpha:
            return AlphaRenderer(self._renderer(theme.BLACK), self._renderer(theme.WHITE))
        return self._renderer(theme.KEY if self.plan.shape.overlay else None)

    def _renderer(self, key: Color | None) -> FrameRenderer:
        shape = self.plan.shape
        return FrameRenderer(
            shape.size,
            self.timeline,
            self.edit_list,
            self.cards,
            scene_at=self.scene_at,
            film=shape.film,
            key=key,
        )

    def moving(self, frames: int) -> int:
        """Return how many of the first frames show the match: those of cards take next to no bytes. At least one."""
        return moving_frames(self.edit_list, frames, self.plan.shape.fps)

    def lines(self, frames: int) -> list[Line]:
        """Return the captions of a film of which so many frames were made."""
        return self.captions.lines(self.edit_list, frames / self.plan.shape.fps)

    @property
    def tags(self) -> dict[str, str]:
        """Return its title and its description, which the file carries."""
        title = film_text.title_of(self.timeline, self.plan.title)
        return {"title": title, "description": film_text.description(self.timeline, self.edit_list)}

    def chapters(self, frames: int) -> list[FilmChapter]:
        """Return the chapters of a film of which so many frames were made."""
        return chapters.chapters(self.timeline, self.edit_list, frames / self.plan.shape.fps)

    def text(self, frames: int) -> str:
        """Return what is posted with the film."""
        title, described = self.tags.values()
        return film_text.film_text(title, described, self.chapters(frames))

    def script(self) -> list[ScriptRow]:
        """Return all that it says, and when."""
        captions = self.lines(self.frames) if self.plan.captions != "none" else ()
        panels = film_layout(self.plan.shape.size, self.plan.shape.film) is None
        return script(self.timeline, self.edit_list, self.cards, captions, panels=panels)

    def cues(self) -> Iterator[Cue]:
        """Yield what is heard, in film seconds."""
        return soundtrack.film_cues(self.timeline, self.edit_list)

    def poster(self) -> pygame.Surface:
        """Return its poster: the claim, who was told what, and the fight, whether or not the film has cards.

        It has the film's shape and is at least `POSTER` pixels long, for pages and feeds show it larger than a gif.
        """
        shape, spans = self.plan.shape, [(cut.start, cut.end) for cut in self.edit_list.cuts]
        larger = max(1.0, POSTER / max(shape.size))
        wide, high = (_MULTIPLE * round(larger * side / _MULTIPLE) for side in shape.size)
        return fight_poster(self.timeline, spans, self.plan.title, (wide, high), telephone=shape.vertical)


@dataclass(frozen=True, slots=True)
class FilmResult:
    """A film that was made: `complete` unless an interruption cut it short; `took` and `seconds` in seconds."""

    path: Path
    frames: int
    seconds: float
    took: float
    complete: bool
    interrupted: int = 0
    """The exit code that says which signal cut it short, 0 if none did."""

    @property
    def sentence(self) -> str:
        """Return what was written and how fast, in one line."""
        size = self.path.stat().st_size / 1e6
        speed = f"in {self.took:.1f} s ({self.frames / max(self.took, 1e-9):.0f} frames/s)"
        words = f"{self.path.name}: {self.seconds:.1f} s, {size:.1f} MB {speed}"
        return words if self.complete else f"stopped; {words}"


def make(
    session: SessionTape,
    plan: FilmPlan,
    progress: ProgressCallback = lambda fraction, text: None,
    notice: MessageCallback = lambda sentence: None,
) -> FilmResult:
    """Make the film of a session as `make_job` does."""
    return make_job(RenderJob(session, plan), progress, notice)


def make_job(
    job: FilmJob,
    progress: ProgressCallback = lambda fraction, text: None,
    notice: MessageCallback = lambda sentence: None,
) -> FilmResult:
    """Make the film and return what came of it; raise UsageError for an impossible plan, ArcadeError if writing fails,
    TooLarge if it has more bytes than planned; then nothing of it is left.

    Ctrl-C, SIGTERM and SIGHUP end the film early; what was made by then plays. `notice` gets what the user should know.
    """
    plan = job.plan
    shown = Progress(job.frames, progress)
    stopped = threading.Event()
    with (
        _failures(job),
        on_interrupt(stopped.set, ENDING, in_handler=True) as interrupt,
        short_switch_interval(SWITCH_S),
    ):
        done = _FilmMaker(job).run(shown, stopped)
        lines = job.lines(done)
        if plan.captions == "srt":
            write_text(srt_of(plan.out), [captions.srt(lines)], new=not plan.force)
        if plan.text is not None:
            write_text(plan.text, [job.text(done)], new=not plan.force)
        if plan.poster is not None:
            write_picture(job.poster(), plan.poster, force=plan.force)
    if unseen := missing_fonts():
        notice(unseen)
    if plan.captions != "none" and not lines:
        notice("nobody told a thought in this film: there are no captions")
    return FilmResult(plan.out, done, done / plan.shape.fps, shown.elapsed(), done == job.frames, interrupt.exit_code)


def srt_of(out: Path) -> Path:
    """Return the path of the captions beside a film."""
    return out.with_suffix(".srt")


class _FilmMaker:
    """Draws, converts and encodes one film."""

    def __init__(self, film: FilmJob) -> None:
        self._film, self._plan, self._shape = film, film.plan, film.plan.shape
        self._renderer = film.frame_renderer()
        self._frames: Any = new_frames(self._shape)
        self._file = open_film(
            self._plan.out, self._shape, self._sample_frames, sound=film.sounds, tags=film.tags, force=self._plan.force
        )
        film.partial = self._file.partial

    def run(self, progress: Progress, stopped: threading.Event) -> int:
        """Make the film and move it to its place; return its number of frames."""
        try:
            done = self._encode(progress, stopped)
        except BaseException as problem:
            self._file.abandon()
            self._discard(problem)
            raise
        try:
            self._file.finish(self._film.chapters(done), self._plan.most)
        except TooLarge as problem:
            self._discard(problem)
            raise
        return done

    def _discard(self, problem: BaseException) -> None:
        """Leave nothing of a film that is too large."""
        if isinstance(problem, TooLarge):
            self._file.partial.unlink(missing_ok=True)

    def _check_size(self, done: int) -> None:
        """Raise TooLarge once there are too many bytes, with how many the whole film would have."""
        size = self._file.partial.stat().st_size if self._plan.most < math.inf else 0
        if size > self._plan.most:
            seen = self._film.moving(done) / self._film.moving(self._film.frames)
            raise TooLarge(size / seen, seen)

    def _encode(self, progress: Progress, stopped: threading.Event) -> int:
        plan = self._plan
        seconds = self._film.edit_list.seconds
        track = soundtrack.track(self._film.cues, seconds, music=plan.music)
        heard = track if self._film.sounds else None
        encoder = EncoderThread(self._file, self._frames, self._shape.fps, heard, self._film.frames)
        done = 0
        try:
            while done < self._film.frames and not (stopped.is_set() and done):
                changed = self._renderer.draw(done / self._shape.fps)
                encoder.put(self._frames.take(self._renderer.surface, changed), done)
                done += 1
                progress.show(done)
                self._check_size(done)
            encoder.close()
        except BaseException:
            encoder.stop()
            raise
        return done

    def _sample_frames(self) -> Iterator[Any]:
        """Yield frames from all over the film."""
        renderer, total = self._film.frame_renderer(), self._film.frames
        for number in range(0, total, max(1, total // _PALETTE_FRAMES)):
            renderer.draw(number / self._shape.fps)
            yield self._frames.join(self._frames.take(renderer.surface, []))


@contextmanager
def _failures(job: FilmJob) -> Iterator[None]:
    """Raise errors of the disk and the encoder as an ArcadeError with one sentence."""
    try:
        yield
    except OSError as error:  # PyAV's errors are some of these
        reason = os.strerror(error.errno) if error.errno and error.errno > 0 else str(error)
        partial = job.partial
        rest = f"; what was filmed is in {partial.name!r}" if partial is not None and partial.exists() else ""
        raise ArcadeError(f"the film {job.plan.out.name!r} cannot be written: {reason}{rest}") from None
