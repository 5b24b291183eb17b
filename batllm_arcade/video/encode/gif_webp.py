"""Film files that play by themselves on a web page: gif and animated webp."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from contextlib import suppress
from fractions import Fraction
from pathlib import Path
from typing import Any

import av
import av.filter
import numpy as np
from numpy.typing import NDArray

from batllm_arcade.files.atomic import move_into_place
from batllm_arcade.video.edit.chapters import FilmChapter
from batllm_arcade.video.encode.av_helpers import check_size, open_partial
from batllm_arcade.video.encode.formats import Shape

_MATRIX_601 = 5
_COARSER_QUALITY = 15  # of a webp, for each step by which a film is coarser
_COLORS, _DITHER = (256, 128), ("bayer:bayer_scale=4", "bayer:bayer_scale=5")  # of a gif, and of a coarser one
_END = (av.error.BlockingIOError, av.error.EOFError)


class _SilentFile:
    """A film file of a format without sound."""

    def encode_sound(self, samples: NDArray[np.int16] | None) -> list[Any]:
        """Return no packets."""
        return []

    def write(self, packets: list[Any]) -> None:
        """Write nothing."""


class WebpFile(_SilentFile):
    """An animated webp; its frames are yuv420p in BT.601, the only matrix of the format."""

    def __init__(self, out: Path, shape: Shape, *, force: bool = True) -> None:
        self._out, self._fps, self._force = out, shape.fps, force
        self.partial, self._container = open_partial(out, "webp", {"loop": "0"})
        options = {"quality": str(80 - _COARSER_QUALITY * shape.coarse), "compression_level": "2", "loop": "0"}
        self._stream: Any = self._container.add_stream("libwebp_anim", shape.fps, options=options)
        self._stream.width, self._stream.height = shape.size
        self._stream.pix_fmt = "yuv420p"
        self._stream.codec_context.time_base = Fraction(1, shape.fps)
        self._stream.codec_context.colorspace = _MATRIX_601

    def add_frame(self, frame: Any, number: int) -> None:
        """Encode the next frame, yuv420p."""
        frame.pts, frame.time_base = number, Fraction(1, self._fps)
        self._container.mux(self._stream.encode(frame))

    def finish(self, chapters: Sequence[FilmChapter] = (), most: float = math.inf) -> None:
        """Write the file and move it to its place; chapters it has none."""
        self._container.mux(self._stream.encode(None))
        self._container.close()
        check_size(self.partial, most)
        move_into_place(self.partial, self._out, new=not self._force)

    def abandon(self) -> None:
        """Close the partial file as it is."""
        self._container.close()


class GifFile(_SilentFile):
    """A gif with one palette, computed from sample frames before the first frame is written."""

    def __init__(self, out: Path, shape: Shape, samples: Iterable[Any], *, force: bool = True) -> None:
        self._out, self._fps, self._force = out, shape.fps, force
        palette = _palette(samples, shape)
        self.partial, self._container = open_partial(out, "gif", {"loop": "0"})
        self._stream: Any = self._container.add_stream("gif", shape.fps, options={"gifflags": "offsetting"})
        self._stream.width, self._stream.height = shape.size
        self._stream.pix_fmt = "pal8"
        self._stream.codec_context.time_base = Fraction(1, shape.fps)
        self._graph, self._in, self._palette, self._sink = _palette_graph(shape)
        self._palette.push(palette)
        self._palette.push(None)

    def add_frame(self, frame: Any, number: int) -> None:
        """Encode the next frame, bgr0."""
        frame.pts, frame.time_base = number, Fraction(1, self._fps)
        self._in.push(frame)
        self._drain()

    def _drain(self) -> None:
        with suppress(*_END):
            while True:
                self._container.mux(self._stream.encode(self._sink.pull()))

    def finish(self, chapters: Sequence[FilmChapter] = (), most: float = math.inf) -> None:
        """Write the file and move it to its place; chapters it has none."""
        self._in.push(None)
        self._drain()
        self._container.mux(self._stream.encode(None))
        self._container.close()
        check_size(self.partial, most)
        move_into_place(self.partial, self._out, new=not self._force)

    def abandon(self) -> None:
        """Close the partial file as it is."""
        self._container.close()


def _source(graph: Any, shape: Shape, name: str, size: tuple[int, int], pixels: str) -> Any:
    return graph.add_buffer(
        width=size[0], height=size[1], format=av.VideoFormat(pixels), name=name, time_base=Fraction(1, shape.fps)
    )


def _palette(samples: Iterable[Any], shape: Shape) -> Any:
    """Return a frame of 255 colours that suit all samples; the samples are not kept."""
    graph = av.filter.Graph()
    source = _source(graph, shape, "in", shape.size, "bgr0")
    generator = graph.add("palettegen", f"stats_mode=full:reserve_transparent=0:max_colors={_COLORS[shape.coarse]}")
    sink = graph.add("buffersink")
    graph.link_nodes(source, generator, sink)
    graph.configure()
    for number, frame in enumerate(samples):
        frame.pts, frame.time_base = number, Fraction(1, shape.fps)
        source.push(frame)
    source.push(None)
    return sink.pull()


def _palette_graph(shape: Shape) -> tuple[Any, Any, Any, Any]:
    """Return a filter graph that maps frames to a palette: the graph, its inputs for frames and palette, its output."""
    graph = av.filter.Graph()
    frames = _source(graph, shape, "in", shape.size, "bgr0")
    palette = _source(graph, shape, "palette", (16, 16), "bgra")
    mapper = graph.add("paletteuse", f"dither={_DITHER[shape.coarse]}:diff_mode=rectangle")
    sink = graph.add("buffersink")
    frames.link_to(mapper, 0, 0)
    palette.link_to(mapper, 0, 1)
    mapper.link_to(sink)
    graph.configure()
    return graph, frames, palette, sink
