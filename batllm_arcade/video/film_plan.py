"""What film is to be made: its file, its shape, and what of a session it shows."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, NamedTuple

from batllm_arcade.history.reader import SessionTape
from batllm_arcade.video.edit.highlights import LONGEST_S
from batllm_arcade.video.edit.selection import Turn
from batllm_arcade.video.encode.formats import Shape

CaptionMode = Literal["none", "srt"]


class Compared(NamedTuple):
    """A game of a recorded session, counted from 1, that is filmed beside another one."""

    session: SessionTape
    game: int


@dataclass(frozen=True, slots=True)
class FilmPlan:
    """The film to be made.

    `sign` stands on the end card in place of how to play; `game` None means all games. Beside the film go the `text` to
    post with it, and a `poster`. A `fast` film does not wait for words to be read. It has at most `most` bytes, and
    plays `pace` times faster than it would.
    """

    out: Path
    shape: Shape
    title: str = ""
    sign: str = ""
    game: int | None = None
    first: Turn | None = None
    last: Turn | None = None
    highlights: bool = False
    longest: float = LONGEST_S
    """Seconds that highlights have at most."""
    ends: bool = True
    """Whether it has an end card, if it has cards."""
    fast: bool = False
    cards: bool = True
    captions: CaptionMode = "none"
    sound: bool = True
    music: bool | Path = True
    """Whether it has the arcade's music, or the file of another one."""
    text: Path | None = None
    poster: Path | None = None
    most: float = math.inf
    pace: float = 1.0
    force: bool = False
