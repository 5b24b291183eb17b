"""Which file and which frames a film format needs.

To add a format: a row in `formats.FORMATS`, its options in `mp4_webm` or a file class of its own, and its case here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from batllm_arcade.video.encode.formats import Shape
from batllm_arcade.video.encode.frames import AlphaFrames, RgbFrames, YuvFrames
from batllm_arcade.video.encode.gif_webp import GifFile, WebpFile
from batllm_arcade.video.encode.mp4_webm import FilmFile, StreamFile


def new_frames(shape: Shape) -> Any:
    """Return what converts surfaces to the frames that the format's encoder takes."""
    if shape.format.suffix == ".gif":
        return RgbFrames(shape.size)
    if shape.alpha:
        return AlphaFrames(shape.size, shape.alpha)
    return YuvFrames(shape.size, 601 if shape.format.suffix == ".webp" else 709)


def open_film(
    out: Path,
    shape: Shape,
    samples: Callable[[], Iterable[Any]],
    *,
    sound: bool,
    tags: Mapping[str, str],
    force: bool,
) -> FilmFile:
    """Return the film's file, open for writing; `samples` gives frames from all over the film, for a palette.

    Without `force` it takes its place only if nothing has appeared there meanwhile.
    """
    if shape.format.suffix == ".gif":
        return GifFile(out, shape, samples(), force=force)
    if shape.format.suffix == ".webp":
        return WebpFile(out, shape, force=force)
    return StreamFile(out, shape, sound=sound, tags=tags, force=force)
