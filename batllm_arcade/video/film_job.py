"""A film before it is made, and its making: off screen and as fast as the machine can."""

from __future__ import annotations

import math
import os
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pygame

from batllm_arcade.audio.mixer import mastered, mix
from batllm_arcade.errors import ArcadeError
from batllm_arcade.files.atomic import write_text
from batllm_arcade.render.fonts import missing_fonts
from batllm_arcade.session.interrupts import ENDING, on_interrupt
from batllm_arcade.video.draw.cards import FilmRenderer, write_picture
from batllm_arcade.video.edit.captions import FilmChapter, Line, srt
from batllm_arcade.video.edit.edit_list import EditList, frame_count
from batllm_arcade.video.edit.script import film_text
from batllm_arcade.video.encode.encoder_thread import SWITCH_S, EncoderThread
from batllm_arcade.video.encode.film_files import can_have_chapters, new_frames, open_film
from batllm_arcade.video.encode.formats import TooLarge
from batllm_arcade.video.encode.switch_interval import short_switch_interval
from batllm_arcade.video.film_plan import FilmPlan
from batllm_arcade.view.sound_cues import LOUDNESS_LUFS, Cue

ProgressCallback = Callable[[float, str], None]
"""Called with the share of the film that is done, 0 to 1, and the speed and the time left in words."""
MessageCallback = Callable[[str], None]
"""Called with a sentence for the user: a notice, or what became of the film."""
_INTERVAL_S = 0.2
_PALETTE_FRAMES = 120  # of a film from which a gif's palette is computed


class FilmJob(ABC):
    """A film before it is made; all but `partial` is a function of what it shows and of its plan."""

    def __init__(self, plan: FilmPlan, edit_list: EditList) -> None:
        self.plan, self.edit_list = plan, edit_list
        self.partial: Path | None = None
        """The file the film is kept in while it is written."""
        self.sounds = plan.sound and bool(plan.shape.format.sound)
        self.frames = frame_count(edit_list.seconds, plan.shape.fps)

    @property
    @abstractmethod
    def tags(self) -> dict[str, str]:
        """Return its title and its description, which the file carries."""

    @abstractmethod
    def frame_renderer(self) -> FilmRenderer:
        """Return a new renderer of its frames."""

    @abstractmethod
    def cues(self) -> Iterator[Cue]:
        """Yield what is heard, in film seconds."""

    @abstractmethod
    def poster(self) -> pygame.Surface:
        """Return its poster, a picture of the film's shape."""

    def lines(self, frames: int) -> Sequence[Line]:
        """Return the captions of a film of which so many frames were made."""
        return ()

    def chapters(self, frames: int) -> Sequence[FilmChapter]:
        """Return the chapters of a film of which so many frames were made."""
        return ()

    def text(self, frames: int) -> str:
        """Return what is posted with the film."""
        title, described = self.tags.values()
        return film_text(title, described, self.chapters(frames))

    def moving(self, frames: int) -> int:
        """Return how many of the first frames show the match: those of cards take next to no bytes. At least one."""
        fps, film = self.plan.shape.fps, self.edit_list
        return max(1, round((min(frames / fps, film.ends) - film.card) * fps))


class Progress:
    """Calls `callback` while a film of `total` frames is made, at most five times a second and after the last frame."""

    def __init__(self, total: int, callback: ProgressCallback, clock: Callable[[], float] = time.monotonic) -> None:
        self._total, self._callback, self._clock = total, callback, clock
        self._started = clock()
        self._last_call = self._started - _INTERVAL_S

    def show(self, done: int) -> None:
        """Report that `done` frames are finished."""
        now = self._clock()
        if now - self._last_call >= _INTERVAL_S or done >= self._total:
            self._last_call = now
            self._callback(done / self._total, self._pace(done, now))

    def elapsed(self) -> float:
        """Return the seconds since the film was begun."""
        return self._clock() - self._started

    def _pace(self, done: int, now: float) -> str:
        rate = done / max(now - self._started, 1e-9)
        left = (self._total - done) / rate if rate else 0.0
        return f"{rate:.0f} frames/s, " + (f"{left / 60:.0f} min left" if left > 99 else f"{left:.0f} s left")


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
    job: FilmJob,
    progress: ProgressCallback = lambda fraction, text: None,
    notice: MessageCallback = lambda sentence: None,
) -> FilmResult:
    """Make the film and return what came of it; raise UsageError for an impossible plan, ArcadeError if writing fails,
    TooLarge if it has more bytes than planned; then nothing of it is left.

    Ctrl-C, SIGTERM and SIGHUP end the film early; what was made by then plays. `notice` gets what the user should know.
    """
    plan, shown, stopped = job.plan, Progress(job.frames, progress), threading.Event()
    with (
        _failures(job),
        on_interrupt(stopped.set, ENDING, in_handler=True) as interrupt,
        short_switch_interval(SWITCH_S),
    ):
        done = _FilmMaker(job).run(shown, stopped)
        lines = job.lines(done)
        if plan.srt is not None:
            write_text(plan.srt, [srt(lines)], new=not plan.force)
        if plan.text is not None:
            write_text(plan.text, [job.text(done)], new=not plan.force)
        if plan.poster is not None:
            write_picture(job.poster(), plan.poster, force=plan.force)
    if unseen := missing_fonts():
        notice(unseen)
    if plan.shape.format.chapters and job.chapters(done) and not can_have_chapters():
        notice("the film has no chapters, which PyAV writes from 17.1 on: pip install -U av (not on macOS 13)")
    if plan.captions != "none" and not lines:
        notice("nobody told a thought in this film: there are no captions")
    return FilmResult(plan.out, done, done / plan.shape.fps, shown.elapsed(), done == job.frames, interrupt.exit_code)


class _FilmMaker:
    def __init__(self, job: FilmJob) -> None:
        self._job, self._plan, self._shape = job, job.plan, job.plan.shape
        self._renderer = job.frame_renderer()
        self._frames: Any = new_frames(self._shape)
        self._file = open_film(
            self._plan.out, self._shape, self._sample_frames, sound=job.sounds, tags=job.tags, force=self._plan.force
        )
        job.partial = self._file.partial

    def run(self, progress: Progress, stopped: threading.Event) -> int:
        """Make the film and move it to its place; return its number of frames."""
        try:
            try:
                done = self._encode(progress, stopped)
            except BaseException:
                self._file.abandon()
                raise
            self._file.finish(self._job.chapters(done), self._plan.most)
        except TooLarge:
            self._file.partial.unlink(missing_ok=True)
            raise
        return done

    def _encode(self, progress: Progress, stopped: threading.Event) -> int:
        job, fps, seconds = self._job, self._shape.fps, self._job.edit_list.seconds
        track = mastered(lambda: mix(job.cues(), seconds, music=self._plan.music), LOUDNESS_LUFS)
        encoder = EncoderThread(self._file, self._frames, fps, track if job.sounds else None, job.frames)
        done = 0
        try:
            while done < job.frames and not (stopped.is_set() and done):
                changed = self._renderer.draw(done / fps)
                encoder.put(self._frames.take(self._renderer.surface, changed), done)
                done += 1
                progress.show(done)
                self._check_size(done)
            encoder.close()
        except BaseException:
            encoder.stop()
            raise
        return done

    def _check_size(self, done: int) -> None:
        """Raise TooLarge once there are too many bytes, with how many the whole film would have."""
        size = self._file.partial.stat().st_size if self._plan.most < math.inf else 0
        if size > self._plan.most:
            seen = self._job.moving(done) / self._job.moving(self._job.frames)
            raise TooLarge(size / seen, seen)

    def _sample_frames(self) -> Iterator[Any]:
        renderer, total = self._job.frame_renderer(), self._job.frames
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
