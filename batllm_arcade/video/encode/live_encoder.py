"""A film of what happens now: pictures at their own times and sound to compressed packets, and packets to files."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import av
import numpy as np
from av.video.reformatter import ColorRange, Colorspace, Interpolation, VideoReformatter
from numpy.typing import NDArray

from batllm_arcade.files.atomic import replacing
from batllm_arcade.video.encode.av_helpers import copy_packets, sound_frame, tag_colors, tracks_like, url_of
from batllm_arcade.view.sound_cues import RATE

_CLOCK = Fraction(1, 90000)
_QUALITY = {"preset": "ultrafast", "crf": "22", "tune": "zerolatency"}
_MOST = (1920, 1080)
_IN_PIECES = {"movflags": "+delay_moov+default_base_moof+frag_keyframe", "flush_packets": "1"}
_WHOLE = {"movflags": "+faststart"}

Pixels = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Packet:
    """A compressed piece of a film, `at` in seconds; from a picture's `key` packet on a film can be watched."""

    picture: bool
    at: float
    key: bool
    data: bytes
    pts: int
    dts: int
    duration: int


def film_size(window: tuple[int, int]) -> tuple[int, int]:
    """What a window of that size is filmed at: even, and no larger than 1920 x 1080."""
    width, height = window
    share = min(1.0, _MOST[0] / width, _MOST[1] / height)
    return max(2, round(width * share) & ~1), max(2, round(height * share) & ~1)


class LiveEncoder:
    """Compresses pictures and sound of one film; x264 at its fastest, so that a core has time for the game."""

    def __init__(self, size: tuple[int, int]) -> None:
        self.size = size
        self._scaler, self._fitter = VideoReformatter(), VideoReformatter()
        # A container whose file nobody keeps: its streams are what other files' streams are copied from.
        self._container = av.open(_Nowhere(), "w", "mp4", options=_IN_PIECES)
        self._pictures: Any = self._container.add_stream("libx264", 60, options=_QUALITY)
        self._pictures.width, self._pictures.height = size
        self._pictures.pix_fmt = "yuv420p"
        context = self._pictures.codec_context
        context.time_base, context.gop_size = _CLOCK, 600
        context.thread_type, context.thread_count = "SLICE", 2
        tag_colors(context)
        self._sounds: Any = self._container.add_stream("aac", RATE, layout="stereo")
        self._sounds.codec_context.bit_rate = 160_000
        self._container.start_encoding()
        self.samples = 0
        """How much sound there is so far."""

    def picture(self, pixels: Pixels, at: float, *, key: bool) -> list[Packet]:
        """The picture at that time (later than the last), shape (height, width, 4) in the order blue, green, red."""
        frame = self._converted(pixels)
        frame.pts, frame.time_base = round(at / _CLOCK), _CLOCK
        frame.pict_type = av.video.frame.PictureType.I if key else av.video.frame.PictureType.NONE
        return [_packed(packet, picture=True) for packet in self._pictures.encode(frame)]

    def _converted(self, pixels: Pixels) -> Any:
        height, width = pixels.shape[:2]
        if film_size((width, height)) != self.size:
            pixels = self._fitted(pixels)
            height, width = pixels.shape[:2]
        frame = av.VideoFrame.from_numpy_buffer(pixels, "bgra", width=width)
        return self._scaler.reformat(
            frame,
            *self.size,
            "yuv420p",
            dst_colorspace=Colorspace.ITU709,
            dst_color_range=ColorRange.MPEG,
            interpolation=Interpolation.AREA,
        )

    def _fitted(self, pixels: Pixels) -> Pixels:
        """A picture of another shape, whole, in the middle of a black one."""
        (height, width), (film_width, film_height) = pixels.shape[:2], self.size
        share = min(film_width / width, film_height / height)
        inner = max(2, round(width * share) & ~1), max(2, round(height * share) & ~1)
        frame = av.VideoFrame.from_numpy_buffer(pixels, "bgra", width=width)
        scaled = self._fitter.reformat(frame, *inner, "bgra", interpolation=Interpolation.AREA).to_ndarray()
        whole = np.zeros((film_height, film_width, 4), np.uint8)
        left, top = (film_width - inner[0]) // 2, (film_height - inner[1]) // 2
        whole[top : top + inner[1], left : left + inner[0]] = scaled
        return whole

    def sound(self, samples: NDArray[np.int16]) -> list[Packet]:
        """The next samples, shape (n, 2)."""
        frame = sound_frame(samples, self.samples)
        self.samples += len(samples)
        return [_packed(packet, picture=False) for packet in self._sounds.encode(frame)]

    def end(self) -> list[Packet]:
        """What the encoders still hold; nothing can follow."""
        rest = [_packed(packet, picture=True) for packet in self._pictures.encode(None)]
        return rest + [_packed(packet, picture=False) for packet in self._sounds.encode(None)]

    def file(self, path: Path, *, in_pieces: bool) -> PacketFile:
        """A file for this film's packets; `in_pieces` one that plays even if it is never closed."""
        return PacketFile(path, self._pictures, self._sounds, _IN_PIECES if in_pieces else _WHOLE)


class PacketFile:
    """An mp4 of packets; it begins with the first key picture put in, whatever its time."""

    def __init__(self, path: Path, pictures: Any, sounds: Any, options: dict[str, str]) -> None:
        self._container = av.open(url_of(path), "w", "mp4", options=options)
        self._pictures = self._container.add_stream_from_template(pictures)
        self._sounds = self._container.add_stream_from_template(sounds)
        self._begins: float | None = None

    def put(self, packet: Packet) -> None:
        """The next packet; what comes before the first key picture is left out."""
        if self._begins is None:
            if not (packet.picture and packet.key):
                return
            self._begins = packet.at
        if packet.at < self._begins:
            return
        base = _CLOCK if packet.picture else Fraction(1, RATE)
        shift = round(self._begins / base)
        written = av.Packet(packet.data)
        written.pts, written.dts, written.duration = packet.pts - shift, packet.dts - shift, packet.duration
        written.time_base, written.is_keyframe = base, packet.key
        written.stream = self._pictures if packet.picture else self._sounds
        self._container.mux(written)

    def close(self) -> None:
        """The file is whole."""
        self._container.close()


class _Nowhere:
    """A file that keeps nothing."""

    def write(self, data: bytes) -> int:
        return len(data)


def _packed(packet: Any, *, picture: bool) -> Packet:
    at = float(packet.pts * packet.time_base)
    return Packet(picture, at, packet.is_keyframe, bytes(packet), packet.pts, packet.dts, packet.duration or 0)


def write_whole(encoder: LiveEncoder, packets: Iterable[Packet], out: Path) -> None:
    """Packets as a file that can be played while it loads; it appears when it is whole."""
    with replacing(out) as unfinished:
        film = encoder.file(unfinished, in_pieces=False)
        for packet in packets:
            film.put(packet)
        film.close()


def make_whole(pieces: Path, out: Path) -> None:
    """A file written in pieces as one that can be played while it loads; the pieces are removed."""
    with (
        replacing(out) as unfinished,
        av.open(url_of(pieces)) as written,
        av.open(url_of(unfinished), "w", "mp4", options=_WHOLE) as film,
    ):
        copy_packets(written, film, tracks_like(written, film))
    pieces.unlink()
