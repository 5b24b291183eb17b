"""Surfaces to the frames an encoder takes; only what changed is converted."""

from __future__ import annotations

import queue
from collections.abc import Sequence
from typing import Any

import av
import numpy as np
import pygame
from av.video.reformatter import ColorRange, Colorspace, Interpolation, VideoReformatter
from numpy.typing import NDArray

_GRID = 16  # pixels; regions on it keep swscale on its fast path, and chroma whole
_TILE = 32  # rows; what is looked at as one
_RESTLESS = 3  # pictures that are not compared after one in which nearly everything had changed
_SIZES = 100  # of regions whose conversion is kept ready
_WHOLE = 0.6  # of the picture; where more than this changed, converting all of it at once is cheaper
_THREADED = int(av.__version__.partition(".")[0]) >= 18  # since then swscale can be told how many threads to use
_ONE_THREAD, _TWO_THREADS = ({"threads": 1}, {"threads": 2}) if _THREADED else ({}, {})
_MATRICES = {709: Colorspace.ITU709, 601: Colorspace.ITU601}

Pixels = NDArray[np.uint8]
Pairs = NDArray[np.uint64]
"""Two pixels next to each other in a number."""


class YuvFrames:
    """Turns pictures of one size into yuv420p frames from a small pool; give every frame back when it is encoded."""

    def __init__(self, size: tuple[int, int], matrix: int = 709, spare: int = 8) -> None:
        self._size, self._matrix = size, _MATRICES[matrix]
        self._reformatters: dict[tuple[int, int], Any] = {}  # one a size: one that changes sizes starts anew each time
        self._seen = np.zeros((size[1], size[0] // 2), np.uint64)  # the pixels last converted, two at a time
        self._other = np.zeros((size[1], -(-size[0] // _GRID) * 8), np.bool_)  # room to compare them in
        self._restless = 0
        self._now = av.VideoFrame(*size, "yuv420p")
        self._planes = _planes(self._now)
        black = np.zeros((size[1], size[0], 4), np.uint8)
        self._keep(
            self._converted(av.VideoFrame.from_numpy_buffer(black, "bgra"), whole=True), pygame.Rect(0, 0, *size)
        )
        self._spare: queue.SimpleQueue[Any] = queue.SimpleQueue()
        for _ in range(spare):
            self._spare.put(self._blank())

    def _blank(self) -> Any:
        frame = av.VideoFrame(*self._size, "yuv420p")
        frame.colorspace, frame.color_range = self._now.colorspace, ColorRange.MPEG
        return frame

    def take(self, surface: pygame.Surface, changed: Sequence[pygame.Rect]) -> Any:
        """The picture as a frame; `changed` is where it may differ from the one before. Waits for a free frame."""
        width, height = self._size
        pixels = _bytes_of(surface.get_buffer()).reshape(height, surface.get_pitch() // 4, 4)
        for area in self._different(pixels, regions(changed, self._size)):
            part = pixels[area.top : area.bottom, area.left : area.right]
            frame = av.VideoFrame.from_numpy_buffer(part, "bgra", width=area.width)
            whole = area.width * area.height > _WHOLE * width * height
            self._keep(self._converted(frame, whole=whole), area)
        del pixels  # it locks the surface
        return self._copy()

    def _different(self, pixels: Pixels, areas: list[pygame.Rect]) -> list[pygame.Rect]:
        """Where in these areas pixels really are others: comparing is cheaper than converting, while few are."""
        pairs, found = pixels.reshape(self._size[1], -1).view(np.uint64), areas
        if self._restless:
            self._restless -= 1
        else:
            inside = [_pairs_in(area) for area in areas]
            tiles = zip(areas, inside, strict=True)
            found = [run for area, part in tiles for run in _tiles(pairs[part], self._seen[part], self._other, area)]
            found = regions(found, self._size)
            if 2 * _extent(found) > _extent(areas):
                self._restless = _RESTLESS  # an arena that shakes goes on shaking
        for area in found:
            part = _pairs_in(area)
            self._seen[part] = pairs[part]
        return found

    def _converted(self, frame: Any, *, whole: bool) -> Any:
        size = frame.width, frame.height
        if len(self._reformatters) > _SIZES:
            self._reformatters.clear()
        if size not in self._reformatters:
            self._reformatters[size] = VideoReformatter()
        return self._reformatters[size].reformat(
            frame,
            format="yuv420p",
            dst_colorspace=self._matrix,
            dst_color_range=ColorRange.MPEG,
            interpolation=Interpolation.AREA,  # reads no pixel beyond a region's edge, unlike the default
            **(_TWO_THREADS if whole else _ONE_THREAD),
        )

    def _keep(self, frame: Any, area: pygame.Rect) -> None:
        for index, (plane, part) in enumerate(zip(self._planes, _planes(frame), strict=True)):
            by = 2 if index else 1
            plane[area.top // by : area.bottom // by, area.left // by : area.right // by] = part

    def _copy(self) -> Any:
        frame = self._spare.get()
        for plane, mine in zip(frame.planes, self._now.planes, strict=True):
            plane.update(mine)
        return frame

    def give_back(self, frame: Any) -> None:
        """The frame is encoded: its buffer may be written again."""
        self._spare.put(frame)


class RgbFrames:
    """Turns pictures into bgr0 frames, a new one each: a filter may keep them."""

    def __init__(self, size: tuple[int, int]) -> None:
        self._size = size

    def take(self, surface: pygame.Surface, _changed: Sequence[pygame.Rect]) -> Any:
        """The picture as a frame."""
        frame = av.VideoFrame(*self._size, "bgr0")  # not bgra: a surface's fourth byte is 0, and would be seen through
        plane, pitch, height = frame.planes[0], surface.get_pitch(), self._size[1]
        rows = _bytes_of(plane)[: height * plane.line_size].reshape(height, plane.line_size)
        rows[:, :pitch] = _bytes_of(surface.get_buffer()).reshape(height, pitch)
        return frame

    def give_back(self, frame: Any) -> None:
        """Nothing is pooled."""


def regions(changed: Sequence[pygame.Rect], size: tuple[int, int]) -> list[pygame.Rect]:
    """Rectangles on the grid that cover `changed` without overlapping; one for the whole where much has changed."""
    whole, found = pygame.Rect((0, 0), size), list[pygame.Rect]()
    for rect in changed:
        area = _on_grid(rect.clip(whole))
        while area.size != (0, 0) and (hit := area.inflate(2, 2).collidelist(found)) >= 0:
            area.union_ip(found.pop(hit))
        if area.width and area.height:
            found.append(area)
    found = [area.clip(whole) for area in found]
    if _extent(found) > _WHOLE * size[0] * size[1]:
        return [whole]
    return found


def _pairs_in(area: pygame.Rect) -> tuple[slice, slice]:
    return slice(area.top, area.bottom), slice(area.left // 2, area.right // 2)


def _extent(areas: list[pygame.Rect]) -> int:
    return sum(area.width * area.height for area in areas)


def _tiles(pairs: Pairs, seen: Pairs, room: NDArray[np.bool_], area: pygame.Rect) -> list[pygame.Rect]:
    """Runs of tiles in an area that hold a pair of pixels that is another."""
    high, wide = pairs.shape
    other = room[:high, : -(-wide // 8) * 8]
    other[:, wide:] = False
    np.not_equal(pairs, seen, out=other[:, :wide])
    # Eight booleans are one number here, which makes of pairs of pixels tiles one grid step wide.
    tiles = np.bitwise_or.reduceat(other.view(np.uint64), np.arange(0, other.shape[0], _TILE), axis=0) != 0
    rows, columns = np.nonzero(np.diff(tiles.astype(np.int8), prepend=0, append=0))
    runs = zip(rows[::2].tolist(), columns[::2].tolist(), columns[1::2].tolist(), strict=True)
    return [
        pygame.Rect(area.left + first * _GRID, area.top + row * _TILE, (end - first) * _GRID, _TILE).clip(area)
        for row, first, end in runs
    ]


def _on_grid(rect: pygame.Rect) -> pygame.Rect:
    if not rect.width or not rect.height:
        return pygame.Rect(0, 0, 0, 0)
    left, top = rect.left // _GRID * _GRID, rect.top // _GRID * _GRID
    right, bottom = -(-rect.right // _GRID) * _GRID, -(-rect.bottom // _GRID) * _GRID
    return pygame.Rect(left, top, right - left, bottom - top)


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
