"""A film that is being made, and how far it is."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Protocol, TextIO

import pygame

from batllm_arcade.terminal.output import redraw, write_line
from batllm_arcade.video.draw.cards import FilmRenderer
from batllm_arcade.video.edit.captions import FilmChapter, Line
from batllm_arcade.video.edit.edit_list import EditList
from batllm_arcade.video.film_plan import FilmPlan
from batllm_arcade.view.sound_cues import Cue

# -- What is known of a film before it is made: of a session, of two side by side, or of the best


class FilmJob(Protocol):
    """A film before it is made; all but `partial` is a function of what it shows and of its plan."""

    plan: FilmPlan
    partial: Path | None
    """The file the film is kept in while it is written."""
    edit_list: EditList
    frames: int
    sounds: bool

    def frame_renderer(self) -> FilmRenderer:
        """Return a new renderer of its frames."""

    def moving(self, frames: int) -> int:
        """Return how many of the first frames show the match: those of cards take next to no bytes. At least one."""

    def lines(self, frames: int) -> list[Line]:
        """Return the captions of a film of which so many frames were made."""

    @property
    def tags(self) -> dict[str, str]:
        """Return its title and its description, which the file carries."""

    def chapters(self, frames: int) -> list[FilmChapter]:
        """Return the chapters of a film of which so many frames were made."""

    def text(self, frames: int) -> str:
        """Return what is posted with the film."""

    def cues(self) -> Iterator[Cue]:
        """Yield what is heard, in film seconds."""

    def poster(self) -> pygame.Surface:
        """Return its poster, a picture of the film's shape."""


def moving_frames(edit_list: EditList, frames: int, fps: int) -> int:
    """Return how many of the first frames are between a film's cards, at least one."""
    return max(1, round((min(frames / fps, edit_list.ends) - edit_list.card) * fps))


# -- Progress of a film: a callback for every caller, and the terminal's bar and lines

ProgressCallback = Callable[[float, str], None]
"""Called with the share of the film that is done, 0 to 1, and the speed and the time left in words."""
MessageCallback = Callable[[str], None]
"""Called with a sentence for the user: a notice, or what became of the film."""

_INTERVAL_S = 0.2
_BAR_WIDTH = 24  # characters


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


class TerminalReport:
    """Shows progress as a bar where `out` is a terminal, and messages as lines everywhere."""

    def __init__(self, out: TextIO | None) -> None:
        self._out, self._terminal = out, out is not None and out.isatty()

    def progress(self, fraction: float, text: str) -> None:
        """Redraw the bar; nothing is written to what is no terminal."""
        if self._terminal:
            filled = int(_BAR_WIDTH * fraction)
            bar = "#" * filled + "-" * (_BAR_WIDTH - filled)
            redraw(f"[{bar}] {fraction:4.0%}  {text}", self._out)

    def message(self, sentence: str) -> None:
        """Write a line in place of the bar."""
        if self._terminal:
            redraw("", self._out)
        write_line(sentence, self._out)

    def notice(self, sentence: str) -> None:
        """Write a line that names the program, as its errors do."""
        self.message(f"batllm-arcade: {sentence}")
