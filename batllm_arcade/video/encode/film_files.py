"""Films as files: MP4, WebM, GIF, WebP, pictures."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from pathlib import Path
from typing import Any

import av
import av.container
import av.filter
import numpy as np
import pygame
from av.video.reformatter import ColorRange, Colorspace, Interpolation, VideoReformatter
from numpy.typing import NDArray

from batllm_arcade.files.atomic import create_beside, move_into_place, replacing
from batllm_arcade.render.draw_list import merged
from batllm_arcade.video.edit.captions import FilmChapter
from batllm_arcade.video.encode.formats import Shape, TooLarge
from batllm_arcade.view.sound_cues import RATE

# Film files as mp4, webm and mov: a killed program leaves a file that plays; complete ones

_MILLISECONDS = Fraction(1, 1000)
_QUALITY: dict[str, dict[str, str]] = {
    "libx264": {"preset": "veryfast", "crf": "20"},
    "aac": {"aac_coder": "fast"},  # the default one takes a tenth of x264's time
    "libopus": {},
    "qtrle": {},
    "pcm_s16le": {},
    "libvpx-vp9": {"deadline": "realtime", "cpu-used": "6", "row-mt": "1", "crf": "30", "b": "0"},
}
_COARSER_CRF = 5  # for each step by which a film is coarser
_SOUND_RATES = (192_000, 128_000, 96_000, 64_000)  # bits a second, by how much coarser a film is
_PARTIAL = {  # playable up to the last second if the program is killed
    ".mp4": {"movflags": "+delay_moov+default_base_moof", "frag_duration": "1000000", "flush_packets": "1"},
    ".webm": {"flush_packets": "1", "cluster_time_limit": "1000"},
    ".mov": {"movflags": "+delay_moov+default_base_moof", "frag_duration": "1000000", "flush_packets": "1"},
}
_WHOLE = {".mp4": {"movflags": "+faststart"}, ".webm": {"cues_to_front": "1"}, ".mov": {"movflags": "+faststart"}}
_NAMES = {".mp4": "mp4", ".webm": "webm", ".mov": "mov"}


class FilmFile:
    """A film being written; `partial` is the file it is kept in meanwhile.

    Frames come in order of time, and so does sound, which may be encoded on a thread of its own.
    """

    def __init__(
        self, out: Path, shape: Shape, name: str, options: dict[str, str], codec: dict[str, str], pixels: str, *,
        force: bool,
    ) -> None:  # fmt: skip
        self._out, self._shape, self._force = out, shape, force
        self.partial, self._container = _open_partial(out, name, options)
        self._video: Any = self._container.add_stream(shape.format.picture, shape.fps, options=codec)
        self._video.width, self._video.height = shape.size
        self._video.pix_fmt = pixels
        self._video.codec_context.time_base = Fraction(1, shape.fps)

    def add_frame(self, frame: Any, number: int) -> None:
        """Encode the next frame; its buffer may be reused afterwards."""
        frame.pts, frame.time_base = number, Fraction(1, self._shape.fps)
        self._container.mux(self._video.encode(frame))

    def encode_sound(self, samples: NDArray[np.int16] | None) -> list[Any]:
        """Return the packets of the next stereo samples, shape (n, 2), or with None the last ones, for `write`."""
        return []

    def write(self, packets: list[Any]) -> None:
        """Write packets of sound."""
        self._container.mux(packets)

    def finish(self, chapters: Sequence[FilmChapter] = (), most: float = math.inf) -> None:
        """Complete the film and move it to its place.

        Raise TooLarge if it has more than `most` bytes; what is there already stays, as does the partial file.
        """
        self._container.mux(self._video.encode(None))
        self._container.close()
        _check_size(self.partial, most)
        move_into_place(self.partial, self._out, new=not self._force)

    def abandon(self) -> None:
        """Close the files; what was written so far stays beside the target."""
        self._container.close()


class StreamFile(FilmFile):
    """An mp4, a webm or a mov: written in fragments, then copied into a file that plays while it loads.

    Its frames are yuv420p in BT.709.
    """

    def __init__(
        self, out: Path, shape: Shape, *, sound: bool, tags: Mapping[str, str] | None = None, force: bool = True
    ) -> None:
        form, self._tags = shape.format, dict(tags or {})
        name, codec = _NAMES[form.suffix], _picture_options(shape)
        super().__init__(out, shape, name, _PARTIAL[form.suffix], codec, shape.alpha or "yuv420p", force=force)
        self._video.metadata.update(_marks(shape))
        context = self._video.codec_context
        context.thread_type, context.thread_count = "AUTO", 0
        tag_colors(context)
        self._sound: Any = None
        if sound:
            self._sound = self._container.add_stream(form.sound, RATE, layout="stereo", options=_QUALITY[form.sound])
            if form.sound != "pcm_s16le":
                self._sound.codec_context.bit_rate = _SOUND_RATES[shape.coarse]
            self._sound.codec_context.open()  # here, for pictures and sound may begin on two threads at once
        self._samples = 0

    def encode_sound(self, samples: NDArray[np.int16] | None) -> list[Any]:
        """Return the packets of the next samples."""
        frame = None if samples is None else sound_frame(samples, self._samples)
        self._samples += 0 if samples is None else len(samples)
        packets: list[Any] = self._sound.encode(frame)
        return packets

    def finish(self, chapters: Sequence[FilmChapter] = (), most: float = math.inf) -> None:
        """Flush the encoders, copy the streams and replace the target."""
        self._container.mux(self._video.encode(None))
        self._container.close()
        with replacing(self._out, new=not self._force) as whole:
            self._copy(whole, chapters)
            _check_size(whole, most)
        self.partial.unlink()

    def _copy(self, whole: Path, chapters: Sequence[FilmChapter]) -> None:
        suffix = self._shape.format.suffix
        with (
            av.open(url_of(self.partial), "r") as written,
            av.open(url_of(whole), "w", _NAMES[suffix], options=_WHOLE[suffix]) as film,
        ):
            tracks = tracks_like(written, film)
            film.streams.video[0].metadata.update(_marks(self._shape))
            film.metadata.update(self._tags)
            if can_have_chapters(film):
                film.set_chapters([_chapter(number, each) for number, each in enumerate(chapters, 1)])
            copy_packets(written, film, tracks)


def can_have_chapters(film: Any = av.container.OutputContainer) -> bool:
    """Return whether this PyAV writes chapters; the newest one for macOS 13 does not."""
    return hasattr(film, "set_chapters")


def _picture_options(shape: Shape) -> dict[str, str]:
    options = _QUALITY[shape.format.picture]
    if "crf" not in options:
        return options
    return {**options, "crf": str(int(options["crf"]) + _COARSER_CRF * shape.coarse)}


def _marks(shape: Shape) -> dict[str, str]:
    """Return what tells players of a webm that it has an alpha layer."""
    return {"alpha_mode": "1"} if shape.alpha and shape.format.suffix == ".webm" else {}


def _chapter(number: int, chapter: FilmChapter) -> dict[str, Any]:
    start, end = round(chapter.start * 1000), round(chapter.end * 1000)
    metadata = {"title": chapter.title}
    return {"id": number, "start": start, "end": end, "time_base": _MILLISECONDS, "metadata": metadata}


# Film files that play by themselves on a web page: gif and animated webp

_MATRIX_601 = 5
_COARSER_QUALITY = 15  # of a webp, for each step by which a film is coarser
_COLORS, _DITHER = (256, 128), ("bayer:bayer_scale=4", "bayer:bayer_scale=5")  # of a gif, and of a coarser one
_END = (av.error.BlockingIOError, av.error.EOFError)


class WebpFile(FilmFile):
    """An animated webp; its frames are yuv420p in BT.601, the only matrix of the format."""

    def __init__(self, out: Path, shape: Shape, *, force: bool = True) -> None:
        codec = {"quality": str(80 - _COARSER_QUALITY * shape.coarse), "compression_level": "2", "loop": "0"}
        super().__init__(out, shape, "webp", {"loop": "0"}, codec, "yuv420p", force=force)
        self._video.codec_context.colorspace = _MATRIX_601


class GifFile(FilmFile):
    """A gif with one palette, computed from sample frames before the first frame is written; its frames are bgr0."""

    def __init__(self, out: Path, shape: Shape, samples: Iterable[Any], *, force: bool = True) -> None:
        palette = _palette(samples, shape)
        super().__init__(out, shape, "gif", {"loop": "0"}, {"gifflags": "offsetting"}, "pal8", force=force)
        self._graph, self._in, self._palette, self._sink = _palette_graph(shape)
        self._palette.push(palette)
        self._palette.push(None)

    def add_frame(self, frame: Any, number: int) -> None:
        """Encode the next frame."""
        frame.pts, frame.time_base = number, Fraction(1, self._shape.fps)
        self._in.push(frame)
        self._drain()

    def _drain(self) -> None:
        with suppress(*_END):
            while True:
                self._container.mux(self._video.encode(self._sink.pull()))

    def finish(self, chapters: Sequence[FilmChapter] = (), most: float = math.inf) -> None:
        """Write the file and move it to its place; chapters it has none."""
        self._in.push(None)
        self._drain()
        super().finish(chapters, most)


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


# Converts surfaces to encoder frames; only what changed is converted

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
    left, width = _enlarged(rect.left, rect.right, whole.width)
    top, height = _enlarged(rect.top, rect.bottom, whole.height)
    return pygame.Rect(left, top, width, height)


def _enlarged(start: int, end: int, most: int) -> tuple[int, int]:
    start = start // _GRID * _GRID
    step = next(step for until, step in _STEPS if end - start <= until)
    length = -(-(end - start) // step) * step
    if start + length <= most:
        return start, length
    start = max(0, (most - length) // _GRID * _GRID)
    return start, most - start


def _slices(area: pygame.Rect, by: int) -> tuple[slice, slice]:
    return slice(area.top // by, area.bottom // by), slice(area.left // by, area.right // by)


def _planes(frame: Any) -> list[Pixels]:
    found = []
    for plane in frame.planes:
        rows = _bytes_of(plane)[: plane.height * plane.line_size]
        found.append(rows.reshape(plane.height, plane.line_size)[:, : plane.width])
    return found


def _bytes_of(buffer: Any) -> Pixels:
    """Return the memory of a surface or a plane; a surface stays locked while the array exists."""
    found: Pixels = np.frombuffer(buffer, np.uint8)
    return found


# Which file and which frames a film format needs


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


# What films and recordings share

_BT709 = 1


def url_of(path: Path) -> str:
    """Return a URL that FFmpeg takes for a file even if the path contains a colon."""
    return f"file:{path}"


def _open_partial(out: Path, name: str, options: dict[str, str]) -> tuple[Path, Any]:
    """Create the partial file of a film, over nothing that is there; return it and the container to write into it."""
    partial = create_beside(out, "partial")
    try:
        return partial, av.open(url_of(partial), "w", name, options=options)
    except BaseException:
        partial.unlink(missing_ok=True)
        raise


def _check_size(film: Path, most: float) -> None:
    """Raise TooLarge if a film has more than `most` bytes."""
    size = film.stat().st_size
    if size > most:
        raise TooLarge(size)


def tag_colors(context: Any) -> None:
    """Set all four colour tags: without any of them players guess, and red turns orange."""
    context.color_range, context.colorspace = ColorRange.MPEG, _BT709
    context.color_primaries, context.color_trc = _BT709, _BT709


def sound_frame(samples: NDArray[np.int16], before: int) -> Any:
    """Return a frame of stereo samples, shape (n, 2), that follow `before` samples."""
    frame = av.AudioFrame.from_ndarray(samples.reshape(1, -1), "s16", "stereo")
    frame.sample_rate, frame.pts, frame.time_base = RATE, before, Fraction(1, RATE)
    return frame


def tracks_like(written: Any, film: Any) -> dict[int, Any]:
    """Add streams like those of `written` to `film`; return them by their index in `written`."""
    tracks = {}
    for stream in written.streams:
        tracks[stream.index] = film.add_stream_from_template(stream)
        tracks[stream.index].time_base = stream.time_base
    return tracks


def copy_packets(written: Any, film: Any, tracks: dict[int, Any]) -> None:
    """Copy all packets of `written` into those tracks of `film`."""
    for packet in written.demux():
        if packet.dts is not None:
            packet.stream = tracks[packet.stream.index]
            film.mux(packet)
