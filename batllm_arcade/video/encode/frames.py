"""Converts surfaces to encoder frames; only what changed is converted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import av
import numpy as np
import pygame
from av.video.reformatter import ColorRange, Colorspace, Interpolation, VideoReformatter
from numpy.typing import NDArray

from batllm_arcade.render.draw_list import merged

_GRID = 16  # pixels; regions aligned to it use swscale's fast path and whole chroma samples
_MAX_CACHED_SIZES = 200  # of regions, each with a converter of its own
_STEPS = ((128, 16), (512, 32), (1 << 20, 64))  # (up to a length, its multiple): so that sizes recur
_WHOLE_SHARE = 0.6  # of the frame; if more than this changed, converting all of it is cheaper
_THREADED = int(av.__version__.partition(".")[0]) >= 18  # earlier versions have no such option
_ONE_THREAD, _TWO_THREADS = ({"threads": 1}, {"threads": 2}) if _THREADED else ({}, {})
_FULL_CHROMA_INPUT = 0x4000  # SWS_FULL_CHR_H_INP, which PyAV 17 has no name for; swscale's code for it is vectorised
_AVERAGED = int(Interpolation.AREA) | _FULL_CHROMA_INPUT
"""Means of 2 x 2 pixels; unlike the default it reads no pixel outside the region."""
_MATRICES = {709: Colorspace.ITU709, 601: Colorspace.ITU601}

Pixels = NDArray[np.uint8]
YuvPart = tuple[Any, pygame.Rect]
"""A yuv420p frame and the part of the picture it shows."""


class YuvFrames:
    """Converts surfaces of one size to a yuv420p frame; `take` and `join` may run on two threads."""

    def __init__(self, size: tuple[int, int], matrix: int = 709) -> None:
        self._size, self._matrix = size, _MATRICES[matrix]
        self._reformatters: dict[tuple[int, int], Any] = {}  # one per size, because a new size makes it start over
        black = np.zeros((size[1], size[0], 4), np.uint8)
        self._frame = self._converted(av.VideoFrame.from_numpy_buffer(black, "bgra"), whole=True)
        self._frame.color_range = ColorRange.MPEG
        self._planes = _planes(self._frame)

    def take(self, surface: pygame.Surface, changed: Sequence[pygame.Rect]) -> list[YuvPart]:
        """Return the parts of the surface that cover `changed`, converted."""
        width, height = self._size
        pixels = _bytes_of(surface.get_buffer()).reshape(height, surface.get_pitch() // 4, 4)
        parts = []
        for area in regions(changed, self._size):
            part = pixels[area.top : area.bottom, area.left : area.right]
            frame = av.VideoFrame.from_numpy_buffer(part, "bgra", width=area.width)
            whole = area.width * area.height > _WHOLE_SHARE * width * height
            parts.append((self._converted(frame, whole=whole), area))
        return parts

    def _converted(self, frame: Any, *, whole: bool) -> Any:
        size = frame.width, frame.height
        if size not in self._reformatters:
            if len(self._reformatters) >= _MAX_CACHED_SIZES:
                del self._reformatters[next(iter(self._reformatters))]
            self._reformatters[size] = VideoReformatter()
        return self._reformatters[size].reformat(
            frame,
            format="yuv420p",
            dst_colorspace=self._matrix,
            dst_color_range=ColorRange.MPEG,
            interpolation=_AVERAGED,
            **(_TWO_THREADS if whole else _ONE_THREAD),
        )

    def join(self, parts: list[YuvPart]) -> Any:
        """Return the frame with these parts put in; always the same object, so encode it before the next call."""
        for frame, area in parts:
            for index, (plane, part) in enumerate(zip(self._planes, _planes(frame), strict=True)):
                plane[_slices(area, 2 if index else 1)] = part
        return self._frame


class RgbFrames:
    """Converts surfaces to new bgr0 frames, which a filter may keep; `join` does nothing."""

    def __init__(self, size: tuple[int, int]) -> None:
        self._size = size

    def take(self, surface: pygame.Surface, _changed: Sequence[pygame.Rect]) -> Any:
        """Return the surface as a frame."""
        frame = av.VideoFrame(*self._size, "bgr0")  # not bgra: a surface's fourth byte is 0 and would be transparent
        plane, pitch, height = frame.planes[0], surface.get_pitch(), self._size[1]
        rows = _bytes_of(plane)[: height * plane.line_size].reshape(height, plane.line_size)
        rows[:, :pitch] = _bytes_of(surface.get_buffer()).reshape(height, pitch)
        return frame

    def join(self, frame: Any) -> Any:
        """Return the frame unchanged."""
        return frame


class AlphaFrames:
    """Converts surfaces with an alpha layer to frames of these pixels; `join` does nothing."""

    def __init__(self, size: tuple[int, int], pixels: str) -> None:
        self._size, self._pixels = size, pixels
        self._reformatter = VideoReformatter()
        self._frame: Any = None

    def take(self, surface: pygame.Surface, changed: Sequence[pygame.Rect]) -> Any:
        """Return the surface as a frame, the last one if nothing `changed`."""
        if changed or self._frame is None:
            pixels = _bytes_of(surface.get_buffer()).reshape(self._size[1], surface.get_pitch() // 4, 4)
            self._frame = self._reformatter.reformat(
                av.VideoFrame.from_ndarray(pixels, "bgra"),
                format=self._pixels,
                dst_colorspace=Colorspace.ITU709,
                dst_color_range=ColorRange.MPEG,
            )
        return self._frame

    def join(self, frame: Any) -> Any:
        """Return the frame unchanged."""
        return frame


def regions(changed: Sequence[pygame.Rect], size: tuple[int, int]) -> list[pygame.Rect]:
    """Return rectangles on the grid, in few sizes, that cover `changed`; the whole frame if much has changed."""
    whole = pygame.Rect((0, 0), size)
    found = merged([_on_grid(area, whole) for area in merged([rect.clip(whole) for rect in changed])])
    extent = sum(area.width * area.height for area in found)
    return [whole] if extent > _WHOLE_SHARE * size[0] * size[1] else [_on_grid(area, whole) for area in found]


def _on_grid(rect: pygame.Rect, whole: pygame.Rect) -> pygame.Rect:
    """Return the rectangle enlarged to the grid and to a recurring size, within `whole`."""
    left, width = _enlarged(rect.left, rect.right, whole.width)
    top, height = _enlarged(rect.top, rect.bottom, whole.height)
    return pygame.Rect(left, top, width, height)


def _enlarged(start: int, end: int, most: int) -> tuple[int, int]:
    """Return start and length of an interval enlarged to the grid, within 0 to `most`."""
    start = start // _GRID * _GRID
    step = next(step for until, step in _STEPS if end - start <= until)
    length = -(-(end - start) // step) * step
    if start + length <= most:
        return start, length
    start = max(0, (most - length) // _GRID * _GRID)
    return start, most - start


def _slices(area: pygame.Rect, by: int) -> tuple[slice, slice]:
    """Return the slices of an area in a plane with one value per `by` x `by` pixels."""
    return slice(area.top // by, area.bottom // by), slice(area.left // by, area.right // by)


def _planes(frame: Any) -> list[Pixels]:
    """Return the planes of a yuv420p frame as arrays that share its memory."""
    found = []
    for plane in frame.planes:
        rows = _bytes_of(plane)[: plane.height * plane.line_size]
        found.append(rows.reshape(plane.height, plane.line_size)[:, : plane.width])
    return found


def _bytes_of(buffer: Any) -> Pixels:
    """Return the memory of a surface or a plane; a surface stays locked while the array exists."""
    found: Pixels = np.frombuffer(buffer, np.uint8)
    return found
