"""What a film can be: the formats by suffix, and the shape a wish comes out as."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from batllm_arcade.errors import UsageError

LEAST, MOST = 128, 7680
"""Pixels of a film's shortest and longest side."""


@dataclass(frozen=True, slots=True)
class Format:
    """A file format: its codecs, and what a film of it is unless somebody wishes otherwise.

    `text` is the codec of a text track, "" where there can be none; `rates` the frame rates it can keep, empty for any.
    """

    suffix: str
    picture: str
    sound: str = ""
    text: str = ""
    size: tuple[int, int] = (1280, 720)
    fps: int = 60
    rates: tuple[int, ...] = ()


FORMATS = {
    known.suffix: known
    for known in (
        Format(".mp4", "libx264", "aac", "mov_text"),
        Format(".webm", "libvpx-vp9", "libopus", "webvtt"),
        Format(".gif", "gif", size=(800, 450), fps=25, rates=(20, 25, 50)),
        Format(".webp", "libwebp_anim", size=(800, 450), fps=25),
    )
}


@dataclass(frozen=True, slots=True)
class Shape:
    """What a film is made as: its format, its size in pixels (even), its frames a second."""

    format: Format
    size: tuple[int, int]
    fps: int


def size_of(text: str) -> tuple[int, int]:
    """`1920x1080` in pixels; ValueError with a sentence otherwise."""
    match = re.fullmatch(r"([0-9]{1,5})[xX]([0-9]{1,5})", text, re.ASCII)
    if match is None:
        raise ValueError(f"{text!r:.60} is no size; write it like 1920x1080")
    width, height = int(match[1]), int(match[2])
    if min(width, height) < LEAST or max(width, height) > MOST:
        raise ValueError(f"{text!r:.60} cannot be filmed; a film's sides have from {LEAST} to {MOST} pixels")
    return width, height


def shape(out: Path, size: tuple[int, int] | None, fps: int | None, *, vertical: bool = False) -> Shape:
    """The film that file name and wishes come out as; sides are cropped to even numbers, UsageError otherwise."""
    form = FORMATS.get(out.suffix.lower())
    if form is None:
        raise UsageError(f"{out.name!r} has no suffix of a film; end it with {', '.join(FORMATS)}")
    fps = fps or form.fps
    if form.rates and fps not in form.rates:
        rates = ", ".join(str(rate) for rate in form.rates)
        raise UsageError(f"a {form.suffix[1:]} cannot have {fps} frames a second; choose one of {rates}")
    width, height = size or form.size
    if vertical and width > height:
        width, height = height, width
    return Shape(form, (width & ~1, height & ~1), fps)
