"""What is known of a film before it is made: of a session, of two side by side, or of the best of many."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Protocol

import pygame

from batllm_arcade.video.draw.poster import FilmRenderer
from batllm_arcade.video.edit.captions import Line
from batllm_arcade.video.edit.chapters import FilmChapter
from batllm_arcade.video.edit.edit_list import EditList
from batllm_arcade.video.film_plan import FilmPlan
from batllm_arcade.view.sound_cues import Cue


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
