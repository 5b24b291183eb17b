"""`video`: a recorded session to a film, off screen and without waiting for anybody."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from batllm_arcade.errors import ArcadeError, UsageError
from batllm_arcade.files.atomic import write_text
from batllm_arcade.history.reader import SessionTape
from batllm_arcade.history.replay import replay
from batllm_arcade.session.interrupts import on_interrupt
from batllm_arcade.video.draw import title_card
from batllm_arcade.video.draw.frame_renderer import FrameRenderer
from batllm_arcade.video.edit import captions, highlights, selection, thinking_time
from batllm_arcade.video.edit.captions import Captions, Line
from batllm_arcade.video.edit.edit_list import Cut, EditList, frames
from batllm_arcade.video.edit.selection import Turn
from batllm_arcade.video.edit.thinking_time import ThinkingTimes
from batllm_arcade.video.encode import soundtrack
from batllm_arcade.video.encode.encoder_thread import EncoderThread, quick_turns
from batllm_arcade.video.encode.formats import Shape
from batllm_arcade.video.encode.frame_hashes import FrameHashes
from batllm_arcade.video.encode.frames import RgbFrames, YuvFrames
from batllm_arcade.video.encode.gif_webp import GifFile, WebpFile
from batllm_arcade.video.encode.mp4_webm import FilmFile, StreamFile
from batllm_arcade.video.encode.output_paths import partial_of
from batllm_arcade.video.progress import MessageCallback, Progress, ProgressCallback
from batllm_arcade.view.timeline import Timeline

CaptionsWay = Literal["none", "burn", "srt", "soft"]
_PALETTE_PICTURES = 120  # of a film that a gif's palette is made of


@dataclass(frozen=True, slots=True)
class FilmPlan:
    """What is wished for; `keep_thinking` is the longest wait in seconds, None for none, `game` None for all."""

    out: Path
    shape: Shape
    title: str = ""
    game: int | None = None
    first: Turn | None = None
    last: Turn | None = None
    keep_thinking: float | None = None
    highlights: bool = False
    captions: CaptionsWay = "none"
    sound: bool = True
    music: bool = True
    manifest: Path | None = None
    force: bool = False


class RenderJob:
    """A session's film before it is made: what is seen and heard when; `seconds` long."""

    def __init__(self, session: SessionTape, plan: FilmPlan) -> None:
        self.plan = plan
        self.timeline, self.waits = _timeline(session, plan)
        self.reel = _reel(self.timeline, plan)
        self.captions = Captions(self.timeline)
        self.sounds = plan.sound and bool(plan.shape.format.sound)
        self.frames = frames(self.reel.seconds, plan.shape.fps)

    def stage(self) -> FrameRenderer:
        """A stage that draws it."""
        burnt = self.captions if self.plan.captions == "burn" else None
        return FrameRenderer(self.plan.shape.size, self.timeline, self.waits, self.reel, burnt, self.plan.title)

    def lines(self, pictures: int) -> list[Line]:
        """The captions of a film of which so many pictures were made."""
        return self.captions.filmed(self.reel, pictures / self.plan.shape.fps)


def _timeline(session: SessionTape, plan: FilmPlan) -> tuple[Timeline, ThinkingTimes]:
    records = replay(session)
    game = plan.game or selection.game_of(plan.first, plan.last)
    timeline = Timeline()
    found = thinking_time.put(timeline, selection.only(records, game) if game else records, plan.keep_thinking)
    if not timeline.segments:
        raise UsageError("this session holds no game yet; film one in which something was played")
    return timeline, found


def _reel(timeline: Timeline, plan: FilmPlan) -> EditList:
    start, end = selection.stretch(timeline, plan.first, plan.last)
    opening = title_card.SECONDS if plan.title else 0.0
    if not plan.highlights:
        return EditList([Cut(start, end)], opening)
    return EditList(highlights.pieces(timeline, start, end, highlights.LONGEST_S - opening), opening)


@dataclass(frozen=True, slots=True)
class FilmResult:
    """A film that was made: `complete` unless an interruption cut it short; `took` and `seconds` in seconds."""

    path: Path
    frames: int
    seconds: float
    took: float
    complete: bool

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
    """Make the film and return what came of it; raise UsageError for an impossible plan, ArcadeError if writing fails.

    Ctrl-C and SIGTERM end the film early; what was made by then plays. `notice` gets what the user should know.
    """
    job = RenderJob(session, plan)
    shown = Progress(job.frames, progress)
    stopped = threading.Event()
    signals = (signal.SIGINT, signal.SIGTERM)
    with _failures(plan.out), on_interrupt(stopped.set, signals), quick_turns():
        done = _Rendering(job).run(shown, stopped)
        lines = job.lines(done)
        if plan.captions == "srt":
            write_text(srt_of(plan.out), [captions.srt(lines)])
    if plan.captions != "none" and not lines:
        notice("nobody told a thought in this film: there are no captions")
    return FilmResult(plan.out, done, done / plan.shape.fps, shown.elapsed(), done == job.frames)


def srt_of(out: Path) -> Path:
    """The file of captions beside a film."""
    return out.with_suffix(".srt")


class _Rendering:
    """A film being made."""

    def __init__(self, film: RenderJob) -> None:
        self._film, self._plan, self._shape = film, film.plan, film.plan.shape
        self._stage = film.stage()
        self._frames: Any = self._pixels()
        self._file = self._opened()
        self._manifest = self._told() if self._plan.manifest else None

    def run(self, progress: Progress, stopped: threading.Event) -> int:
        """Draw, convert, encode, and put the film in place; how many pictures it has."""
        try:
            done = self._shoot(progress, stopped)
        except BaseException:
            self._file.abandon()
            raise
        soft = self._plan.captions == "soft"
        self._file.finish(self._film.lines(done) if soft else ())
        if self._manifest:
            self._manifest.write(sound=self._film.sounds)
        return done

    def _shoot(self, progress: Progress, stopped: threading.Event) -> int:
        track = soundtrack.track(self._film.timeline, self._film.reel, music=self._plan.music)
        if self._manifest:
            track = self._manifest.listening(track)
        encoder = EncoderThread(self._file, self._frames, self._shape.fps, track if self._film.sounds else None)
        done = 0
        try:
            while done < self._film.frames and not (stopped.is_set() and done):
                changed = self._stage.draw(done / self._shape.fps)
                if self._manifest:
                    self._manifest.picture(self._stage.surface, changed)
                encoder.put(self._frames.take(self._stage.surface, changed), done)
                done += 1
                progress.show(done)
            encoder.close()
        except BaseException:
            encoder.stop()
            raise
        return done

    def _pixels(self) -> Any:
        if self._shape.format.suffix == ".gif":
            return RgbFrames(self._shape.size)
        return YuvFrames(self._shape.size, 601 if self._shape.format.suffix == ".webp" else 709)

    def _opened(self) -> FilmFile:
        out, suffix = self._plan.out, self._shape.format.suffix
        if suffix == ".gif":
            return GifFile(out, self._shape, self._sampled())
        if suffix == ".webp":
            return WebpFile(out, self._shape)
        return StreamFile(out, self._shape, sound=self._film.sounds, title=self._plan.title)

    def _sampled(self) -> Iterator[Any]:
        """Pictures from all over the film, on a stage of their own."""
        stage, total = self._film.stage(), self._film.frames
        for number in range(0, total, max(1, total // _PALETTE_PICTURES)):
            stage.draw(number / self._shape.fps)
            yield self._frames.joined(self._frames.take(stage.surface, []))

    def _told(self) -> FrameHashes:
        assert self._plan.manifest is not None
        width, height = self._shape.size
        return FrameHashes(self._plan.manifest, {"width": width, "height": height, "fps": self._shape.fps})


@contextmanager
def _failures(out: Path) -> Iterator[None]:
    """What the disk or the encoder says, in one sentence."""
    try:
        yield
    except OSError as error:  # PyAV's errors are some of these
        said = os.strerror(error.errno) if error.errno and error.errno > 0 else str(error)
        rest = f"; what was filmed is in {partial_of(out).name!r}" if partial_of(out).exists() else ""
        raise ArcadeError(f"the film {out.name!r} cannot be written: {said}{rest}") from None
