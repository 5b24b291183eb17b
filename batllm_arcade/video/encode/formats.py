"""The formats of films by suffix, and the size and frame rate of a film."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from pathlib import Path

from batllm_arcade.errors import UsageError
from batllm_arcade.view.layout import FilmKind

VERTICAL = (1080, 1920)
"""The size of a film for telephones, in pixels."""
MIN_SIDE, MAX_SIDE = 128, 7680
"""Pixels of a film's shortest and longest side."""


@dataclass(frozen=True, slots=True)
class Format:
    """A file format: its codecs and the default size and frame rate.

    `chapters` says whether it can have these; `rates` are the possible frame rates, empty for any. `most` are the bytes
    it is to have at most unless somebody says otherwise. It can be made coarser so many times (`coarsest`), and each
    time this share of its bytes is left (`coarser`).
    """

    suffix: str
    picture: str
    sound: str = ""
    chapters: bool = False
    size: tuple[int, int] = (1280, 720)
    fps: int = 60
    rates: tuple[int, ...] = ()
    most: float = math.inf
    coarsest: int = 3
    coarser: float = 0.62


FORMATS = {
    known.suffix: known
    for known in (
        Format(".mp4", "libx264", "aac", chapters=True),
        Format(".webm", "libvpx-vp9", "libopus", chapters=True),
        Format(".gif", "gif", size=(800, 450), fps=25, rates=(10, 20, 25, 50), most=10e6, coarsest=1, coarser=0.75),
        Format(".webp", "libwebp_anim", size=(800, 450), fps=25, coarser=0.8),
        Format(".mov", "qtrle", "pcm_s16le", chapters=True, coarsest=0),
    )
}
OVERLAYS = {".webm": "yuva420p", ".mov": "argb", ".mp4": ""}
"""The formats of overlays, with the pixels of those that have an alpha layer."""


@dataclass(frozen=True, slots=True)
class Shape:
    """A film's format, its size in pixels (even numbers), its frames per second, and how much coarser it is made.

    A `vertical` one is arranged for telephones, an `overlay` lies over another film.
    """

    format: Format
    size: tuple[int, int]
    fps: int
    coarse: int = 0
    vertical: bool = False
    overlay: bool = False

    @property
    def alpha(self) -> str:
        """Return the pixels of a film with an alpha layer, "" if it has none."""
        return OVERLAYS[self.format.suffix] if self.overlay else ""

    @property
    def film(self) -> FilmKind:
        """Return what kind of film its pictures are arranged for."""
        if self.vertical:
            return "covered"
        return "plain" if self.format.sound else "small"  # pages show gifs as they are, and small


def parse_size(text: str) -> tuple[int, int]:
    """Return width and height of a size such as `1920x1080`; raise ValueError with a sentence."""
    match = re.fullmatch(r"([0-9]{1,5})[xX]([0-9]{1,5})", text, re.ASCII)
    if match is None:
        raise ValueError(f"{text!r:.60} is no size; write it like 1920x1080")
    width, height = int(match[1]), int(match[2])
    if min(width, height) < MIN_SIDE or max(width, height) > MAX_SIDE:
        raise ValueError(f"{text!r:.60} cannot be filmed; a film's sides have from {MIN_SIDE} to {MAX_SIDE} pixels")
    return width, height


def shape(
    out: Path, size: tuple[int, int] | None, fps: int | None, *, vertical: bool = False, overlay: bool = False
) -> Shape:
    """Return the shape for a file name and options, with sides cropped to even numbers; raise UsageError."""
    known = [suffix for suffix in FORMATS if (suffix in OVERLAYS if overlay else suffix != ".mov")]
    if out.suffix.lower() not in known:
        what = "an overlay" if overlay else "a film"
        raise UsageError(f"{out.name!r} has no suffix of {what}; end it with {', '.join(known)}")
    file_format = FORMATS[out.suffix.lower()]
    fps = fps or file_format.fps
    if file_format.rates and fps not in file_format.rates:
        rates = ", ".join(str(rate) for rate in file_format.rates)
        raise UsageError(f"a {file_format.suffix[1:]} cannot have {fps} frames a second; choose one of {rates}")
    if vertical and size is not None and size[0] > size[1]:
        raise UsageError("--vertical is higher than wide; turn --size round, or leave one of both out")
    width, height = size or (VERTICAL if vertical and file_format.sound else file_format.size)
    if vertical and width > height:
        width, height = height, width
    return Shape(file_format, (width & ~1, height & ~1), fps, vertical=vertical, overlay=overlay)
