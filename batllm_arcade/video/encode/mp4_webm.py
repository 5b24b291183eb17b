"""Film files as mp4, webm and mov: a killed program leaves a file that plays; complete ones replace the target."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any, Protocol

import av
import numpy as np
from numpy.typing import NDArray

from batllm_arcade.files.atomic import replacing
from batllm_arcade.video.edit.chapters import FilmChapter
from batllm_arcade.video.encode.av_helpers import (
    check_size,
    copy_packets,
    open_partial,
    sound_frame,
    tag_colors,
    tracks_like,
    url_of,
)
from batllm_arcade.video.encode.formats import Shape
from batllm_arcade.view.sound_cues import RATE

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


class FilmFile(Protocol):
    """A film being written; `partial` is the file it is kept in meanwhile.

    Frames come in order of time, and so does sound, which may be encoded on a thread of its own.
    """

    partial: Path

    def add_frame(self, frame: Any, number: int) -> None:
        """Encode the next frame; its buffer may be reused afterwards."""

    def encode_sound(self, samples: NDArray[np.int16] | None) -> list[Any]:
        """Return the packets of the next stereo samples, shape (n, 2), or with None the last ones, for `write`."""

    def write(self, packets: list[Any]) -> None:
        """Write packets of sound."""

    def finish(self, chapters: Sequence[FilmChapter] = (), most: float = math.inf) -> None:
        """Complete the film and move it to its place.

        Raise TooLarge if it has more than `most` bytes; what is there already stays, as does the partial file.
        """

    def abandon(self) -> None:
        """Close the files; what was written so far stays beside the target."""


class StreamFile:
    """An mp4, a webm or a mov: written in fragments, then copied into a file that plays while it loads."""

    def __init__(
        self, out: Path, shape: Shape, *, sound: bool, tags: Mapping[str, str] | None = None, force: bool = True
    ) -> None:
        self._out, self._shape, self._tags, self._force = out, shape, dict(tags or {}), force
        file_format = shape.format
        suffix = file_format.suffix
        self.partial, self._container = open_partial(out, _NAMES[suffix], _PARTIAL[suffix])
        self._video: Any = self._container.add_stream(file_format.picture, shape.fps, options=_picture_options(shape))
        _configure(self._video, shape)
        self._sound: Any = None
        if sound:
            self._sound = self._container.add_stream(
                file_format.sound, RATE, layout="stereo", options=_QUALITY[file_format.sound]
            )
            if file_format.sound != "pcm_s16le":
                self._sound.codec_context.bit_rate = _SOUND_RATES[shape.coarse]
            self._sound.codec_context.open()  # here, for pictures and sound may begin on two threads at once
        self._samples = 0

    def add_frame(self, frame: Any, number: int) -> None:
        """Encode the next frame, yuv420p in BT.709."""
        frame.pts, frame.time_base = number, Fraction(1, self._shape.fps)
        self._container.mux(self._video.encode(frame))

    def encode_sound(self, samples: NDArray[np.int16] | None) -> list[Any]:
        """Return the packets of the next samples."""
        frame = None if samples is None else sound_frame(samples, self._samples)
        self._samples += 0 if samples is None else len(samples)
        found: list[Any] = self._sound.encode(frame)
        return found

    def write(self, packets: list[Any]) -> None:
        """Write packets of sound."""
        self._container.mux(packets)

    def finish(self, chapters: Sequence[FilmChapter] = (), most: float = math.inf) -> None:
        """Flush the encoders, copy the streams and replace the target."""
        self._container.mux(self._video.encode(None))
        self._container.close()
        with replacing(self._out, new=not self._force) as whole:
            self._copy(whole, chapters)
            check_size(whole, most)
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
            film.set_chapters([_chapter(number, each) for number, each in enumerate(chapters, 1)])
            copy_packets(written, film, tracks)

    def abandon(self) -> None:
        """Close the partial file as it is."""
        self._container.close()


def _picture_options(shape: Shape) -> dict[str, str]:
    options = _QUALITY[shape.format.picture]
    if "crf" not in options:
        return options
    return {**options, "crf": str(int(options["crf"]) + _COARSER_CRF * shape.coarse)}


def _marks(shape: Shape) -> dict[str, str]:
    """Return what tells players of a webm that it has an alpha layer."""
    return {"alpha_mode": "1"} if shape.alpha and shape.format.suffix == ".webm" else {}


def _configure(stream: Any, shape: Shape) -> None:
    """Set size, pixel format, colour tags and threads."""
    stream.width, stream.height = shape.size
    stream.pix_fmt = shape.alpha or "yuv420p"
    stream.metadata.update(_marks(shape))
    context = stream.codec_context
    context.time_base = Fraction(1, shape.fps)
    context.thread_type, context.thread_count = "AUTO", 0
    tag_colors(context)


def _chapter(number: int, chapter: FilmChapter) -> dict[str, Any]:
    start, end = round(chapter.start * 1000), round(chapter.end * 1000)
    metadata = {"title": chapter.title}
    return {"id": number, "start": start, "end": end, "time_base": _MILLISECONDS, "metadata": metadata}
