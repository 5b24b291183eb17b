"""Formats of films, and what gives way to a size."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path

from batllm_arcade.errors import UsageError
from batllm_arcade.files.paths import check_output
from batllm_arcade.view.layout import FilmKind

# The formats of films by suffix, and the size and frame rate of a film

VERTICAL = (1080, 1920)
"""The size of a film for telephones, in pixels."""
MIN_SIDE, MAX_SIDE = 128, 7680
"""Pixels of a film's shortest and longest side."""
CLIP_S = 15.0
"""Seconds that a clip of what is played has at least."""


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


# What a film gives up to fit into a number of bytes: fineness, then size and frames a second by

_READABLE, _SIZES = (0.9, 0.8), (0.7, 0.6, 0.5, 0.4)
_RATES = (30, 20, 15, 10)
_PACES = (1.25, 1.5, 2.0)
_BY_SIZE, _BY_RATE, _BY_PACE = 1.72, 0.88, 0.9
"""With which power of a side's length, of the frames a second and of the pace a film's bytes shrink, as measured."""


_DOUBT = 0.45  # by which share the rest of a film may be smaller than its beginning promises


class TooLarge(Exception):
    """A film has more bytes than it may have: `size` is how many it would have by the share that was `seen`."""

    def __init__(self, size: float, seen: float = 1.0) -> None:
        super().__init__(f"{size:.0f} bytes")
        self.least = size * (1.0 - _DOUBT * (1.0 - seen))
        """The bytes that the whole film may turn out to have: the less was seen, the fewer. Rather one attempt more
        than a film that gave up what it need not have."""


@dataclass(frozen=True, slots=True)
class Concession:
    """A film's shape once it has given something up, and how many times faster it plays."""

    shape: Shape
    pace: float = 1.0

    def bytes_of(self, asked: Shape) -> float:
        """Return about which share of the bytes is left of those of the film that was asked for."""
        size = math.pow(self.shape.size[0] / asked.size[0], _BY_SIZE)
        rate = math.pow(self.shape.fps / asked.fps, _BY_RATE)
        return math.pow(asked.format.coarser, self.shape.coarse) * size * rate / math.pow(self.pace, _BY_PACE)

    def words(self, asked: Shape) -> str:
        """Return what was given up, such as `640x360 instead of 800x450`."""
        parts = ["a coarser picture"] if self.shape.coarse > asked.coarse else []
        if self.shape.size != asked.size:
            sizes = ["{}x{}".format(*each.size) for each in (self.shape, asked)]
            parts.append(f"{sizes[0]} instead of {sizes[1]}")
        if self.shape.fps != asked.fps:
            parts.append(f"{self.shape.fps} frames a second instead of {asked.fps}")
        if self.pace != 1.0:
            parts.append(f"{self.pace:g} times the pace")
        return ", ".join(parts)


def ladder(asked: Shape) -> Iterator[Concession]:
    """Yield what can be given up, ever more: the first is the film as it was asked for, the pace is the last to go."""
    for coarse in range(asked.format.coarsest + 1):
        yield Concession(replace(asked, coarse=coarse))
    coarsest = replace(asked, coarse=asked.format.coarsest)
    rates = [fps for fps in _RATES if fps < asked.fps and (not asked.format.rates or fps in asked.format.rates)]
    slow = rates[1:2] or rates[:1] or [asked.fps]
    steps = [*product((1.0, *_READABLE), (asked.fps, *rates[:2])), *product(_SIZES, slow)]
    steps += [(_SIZES[-1], fps) for fps in rates[2:]]
    smaller = {Concession(_made(coarsest, share, fps)) for share, fps in steps} - {Concession(coarsest)}
    rungs = sorted(smaller, key=lambda rung: rung.bytes_of(asked), reverse=True)
    yield from rungs
    for pace in _PACES:
        yield Concession(rungs[-1].shape if rungs else coarsest, pace)


def _made(shape: Shape, share: float, fps: int) -> Shape:
    """Return a shape with so many frames a second and that share of its sides, unless it is that small already."""
    width, height = (round(side * share) & ~1 for side in shape.size)
    return replace(shape, size=(width, height) if min(width, height) >= MIN_SIDE else shape.size, fps=fps)


def parse_bytes(text: str) -> float:
    """Return a number of bytes such as `10MB`, `800 kB`, infinity for `none`; raise ValueError with a sentence."""
    number = text.strip().lower()
    if number == "none":
        return math.inf
    for unit, factor in (("kb", 1e3), ("mb", 1e6), ("gb", 1e9)):
        digits = number.removesuffix(unit).strip()
        if number.endswith(unit) and digits.replace(".", "", 1).isdecimal() and digits.isascii():
            found = float(digits) * factor
            if 1e4 <= found <= 1e12:
                return found
    raise ValueError(f"{text!r:.60} is no size of a film; write it like 10MB or 800kB, or none for any")


# Where films are written: the name of a partial film, and the check of an output path


def partial_of(out: Path) -> Path:
    """Return where a film is kept while it is being written; `-2` and so on is added where that is in use."""
    return out.parent / f"{out.stem}.partial{out.suffix}"


def check(path: Path, *, force: bool) -> None:
    """Raise UsageError if no film can be written at this path, or if one exists and `force` is false."""
    check_output(path, force=force, working_files=[partial_of(path)])
