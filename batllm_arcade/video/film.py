"""`video`: a recorded session to a film, off screen and without waiting for anybody."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import FrameType
from typing import Any, TextIO

from batllm_arcade.errors import ArcadeError, UsageError
from batllm_arcade.history.reader import SessionTape
from batllm_arcade.history.replay import replay
from batllm_arcade.video import waits
from batllm_arcade.video.belt import Belt
from batllm_arcade.video.cuts import Piece, Reel, frames
from batllm_arcade.video.files import StreamFile, partial_of
from batllm_arcade.video.formats import Shape
from batllm_arcade.video.pixels import YuvFrames
from batllm_arcade.video.progress import Progress
from batllm_arcade.video.stage import Stage
from batllm_arcade.view.look import Look
from batllm_arcade.view.timeline import Timeline


@dataclass(frozen=True, slots=True)
class FilmPlan:
    """What is wished for: `keep_thinking` is the longest wait in seconds, None for none."""

    out: Path
    shape: Shape
    title: str = ""
    keep_thinking: float | None = None
    force: bool = False


def make(session: SessionTape, plan: FilmPlan, told: TextIO = sys.stderr) -> int:
    """Film the session; the exit code is 1 where ctrl-C cut the film short, and the file holds what was done."""
    timeline = Timeline()
    waiting = waits.put(timeline, replay(session), plan.keep_thinking)
    if not timeline.segments:
        raise UsageError("this session holds no game yet; film one in which something was played")
    reel = Reel([Piece(0.0, timeline.end)])
    stage = Stage(plan.shape.size, timeline, waiting, reel, Look())
    total = frames(reel.seconds, plan.shape.fps)
    progress = Progress(total, told)
    with _failures(plan.out), _stopping() as stopped:
        done = _shoot(stage, plan, total, progress, stopped)
    whole = done == total
    words = f"{plan.out.name}: {done / plan.shape.fps:.1f} s, {plan.out.stat().st_size / 1e6:.1f} MB"
    progress.end(words if whole else f"stopped; {words}", done)
    return 0 if whole else 1


def _shoot(stage: Stage, plan: FilmPlan, total: int, progress: Progress, stopped: threading.Event) -> int:
    """Draw, convert and encode; how many frames were done."""
    file = StreamFile(plan.out, plan.shape, sound=False, title=plan.title)
    try:
        yuv = YuvFrames(plan.shape.size)
        belt = Belt(file, yuv, plan.shape.fps, None)
        done = 0
        while done < total and not (stopped.is_set() and done):
            changed = stage.draw(done / plan.shape.fps)
            belt.put(yuv.take(stage.surface, changed), done)
            done += 1
            progress.show(done)
        belt.close()
    except BaseException:
        file.abandon()
        raise
    file.finish()
    return done


@contextmanager
def _stopping() -> Iterator[threading.Event]:
    """The first ctrl-C ends the film in good order, the second one at once."""
    stopped = threading.Event()

    def stop(_signal: int, _frame: FrameType | None) -> None:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        stopped.set()

    if threading.current_thread() is not threading.main_thread():
        yield stopped
        return
    before: Any = signal.signal(signal.SIGINT, stop)
    try:
        yield stopped
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def _failures(out: Path) -> Iterator[None]:
    """What the disk or the encoder says, in one sentence."""
    try:
        yield
    except OSError as error:  # PyAV's errors are some of these
        said = os.strerror(error.errno) if error.errno and error.errno > 0 else str(error)
        rest = f"; what was filmed is in {partial_of(out).name!r}" if partial_of(out).exists() else ""
        raise ArcadeError(f"the film {out.name!r} cannot be written: {said}{rest}") from None


def check_way(out: Path, *, force: bool) -> None:
    """Make sure a file can be written there; UsageError for an existing one without `force`."""
    try:
        if out.is_dir():
            raise UsageError(f"{str(out)!r} is a folder; name a file to write")
        if out.exists() and not force:
            raise UsageError(f"{str(out)!r} exists already; name another file or add --force")
        if not out.parent.is_dir():
            raise UsageError(f"the folder {str(out.parent)!r} does not exist; create it or name another file")
        if not os.access(out.parent, os.W_OK):
            raise UsageError(f"the folder {str(out.parent)!r} cannot be written to; name a file somewhere else")
    except (OSError, ValueError) as error:
        raise UsageError(f"{str(out)!r} cannot be written: {error}") from None
