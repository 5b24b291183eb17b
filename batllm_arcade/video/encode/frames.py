"""Surfaces to the frames an encoder takes; only what changed is converted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import av
import numpy as np
import pygame
from av.video.reformatter import ColorRange, Colorspace, Interpolation, VideoReformatter
from numpy.typing import NDArray

from batllm_arcade.render.draw_list import merged

_GRID = 16  # pixels; regions on it keep swscale on its fast path, and chroma whole
_SIZES = 200  # of regions whose conversion is kept ready
_STEPS = ((128, 16), (512, 32), (1 << 20, 64))  # up to a length, what it is a multiple of: sizes are to recur
_WHOLE = 0.6  # of the picture; where more than this changed, converting all of it at once is cheaper
_THREADED = int(av.__version__.partition(".")[0]) >= 18  # since then swscale can be told how many threads to use
_ONE_THREAD, _TWO_THREADS = ({"threads": 1}, {"threads": 2}) if _THREADED else ({}, {})
_MATRICES = {709: Colorspace.ITU709, 601: Colorspace.ITU601}

Pixels = NDArray[np.uint8]
YuvPart = tuple[Any, pygame.Rect]
"""A frame of yuv420p, and which part of the picture it is."""


class YuvFrames:
    """Turns pictures of one size into a yuv420p frame, in two steps that can be taken on two threads."""

    def __init__(self, size: tuple[int, int], matrix: int = 709) -> None:
        self._size, self._matrix = size, _MATRICES[matrix]
        self._reformatters: dict[tuple[int, int], Any] = {}  # one a size: one that changes sizes starts anew each time
        black = np.zeros((size[1], size[0], 4), np.uint8)
        self._frame = self._converted(av.VideoFrame.from_numpy_buffer(black, "bgra"), whole=True)
        self._frame.color_range = ColorRange.MPEG
        self._planes = _planes(self._frame)

    def take(self, surface: pygame.Surface, changed: Sequence[pygame.Rect]) -> list[YuvPart]:
        """The parts of the picture that may differ from the one before, which `changed` covers, converted."""
        width, height = self._size
        pixels = _bytes_of(surface.get_buffer()).reshape(height, surface.get_pitch() // 4, 4)
        parts = []
        for area in regions(changed, self._size):
            part = pixels[area.top : area.bottom, area.left : area.right]
            frame = av.VideoFrame.from_numpy_buffer(part, "bgra", width=area.width)
            whole = area.width * area.height > _WHOLE * width * height
            parts.append((self._converted(frame, whole=whole), area))
        return parts

    def _converted(self, frame: Any, *, whole: bool) -> Any:
        size = frame.width, frame.height
        if size not in self._reformatters:
            if len(self._reformatters) >= _SIZES:
                del self._reformatters[next(iter(self._reformatters))]
            self._reformatters[size] = VideoReformatter()
        return self._reformatters[size].reformat(
            frame,
            format="yuv420p",
            dst_colorspace=self._matrix,
            dst_color_range=ColorRange.MPEG,
            interpolation=Interpolation.AREA,  # reads no pixel beyond a region's edge, unlike the default
            **(_TWO_THREADS if whole else _ONE_THREAD),
        )

    def joined(self, parts: list[YuvPart]) -> Any:
        """The picture whose parts these are, taken in order; the same frame each time, so encode it before the next."""
        for frame, area in parts:
            for index, (plane, part) in enumerate(zip(self._planes, _planes(frame), strict=True)):
                plane[_part(area, 2 if index else 1)] = part
        return self._frame


class RgbFrames:
    """Turns pictures into bgr0 frames, a new one each: a filter may keep them. The second step does nothing."""

    def __init__(self, size: tuple[int, int]) -> None:
        self._size = size

    def take(self, surface: pygame.Surface, _changed: Sequence[pygame.Rect]) -> Any:
        """The picture as a frame."""
        frame = av.VideoFrame(*self._size, "bgr0")  # not bgra: a surface's fourth byte is 0, and would be seen through
        plane, pitch, height = frame.planes[0], surface.get_pitch(), self._size[1]
        rows = _bytes_of(plane)[: height * plane.line_size].reshape(height, plane.line_size)
        rows[:, :pitch] = _bytes_of(surface.get_buffer()).reshape(height, pitch)
        return frame

    def joined(self, frame: Any) -> Any:
        """The picture as it was taken."""
        return frame


def regions(changed: Sequence[pygame.Rect], size: tuple[int, int]) -> list[pygame.Rect]:
    """Rectangles on the grid, of usual sizes, that cover `changed`; one for the whole where much has changed."""
    whole = pygame.Rect((0, 0), size)
    found = merged([_on_grid(area, whole) for area in merged([rect.clip(whole) for rect in changed])])
    extent = sum(area.width * area.height for area in found)
    return [whole] if extent > _WHOLE * size[0] * size[1] else [_on_grid(area, whole) for area in found]


def _on_grid(rect: pygame.Rect, whole: pygame.Rect) -> pygame.Rect:
    """The rectangle enlarged to one on the grid whose size is a usual one, within the whole."""
    left, width = _stretched(rect.left, rect.right, whole.width)
    top, height = _stretched(rect.top, rect.bottom, whole.height)
    return pygame.Rect(left, top, width, height)


def _stretched(start: int, end: int, most: int) -> tuple[int, int]:
    """Where a stretch begins and how long it is, on the grid."""
    start = start // _GRID * _GRID
    step = next(step for until, step in _STEPS if end - start <= until)
    length = -(-(end - start) // step) * step
    if start + length <= most:
        return start, length
    start = max(0, (most - length) // _GRID * _GRID)
    return start, most - start


def _part(area: pygame.Rect, by: int) -> tuple[slice, slice]:
    """An area of a plane that has one value for so many pixels each way."""
    return slice(area.top // by, area.bottom // by), slice(area.left // by, area.right // by)


def _planes(frame: Any) -> list[Pixels]:
    """The planes of a yuv420p frame as arrays that share its memory."""
    found = []
    for plane in frame.planes:
        rows = _bytes_of(plane)[: plane.height * plane.line_size]
        found.append(rows.reshape(plane.height, plane.line_size)[:, : plane.width])
    return found


def _bytes_of(buffer: Any) -> Pixels:
    """The memory of a surface or a plane; a surface is locked while this is alive."""
    found: Pixels = np.frombuffer(buffer, np.uint8)
    return found
