"""Encoding of a match as it is played."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import av
import numpy as np
from av.video.reformatter import ColorRange, Colorspace, Interpolation, VideoReformatter
from numpy.typing import NDArray

from batllm_arcade.audio.mixer import mastered
from batllm_arcade.files.atomic import replacing
from batllm_arcade.video.encode.film_files import copy_packets, sound_frame, tag_colors, tracks_like, url_of
from batllm_arcade.video.encode.formats import CLIP_S
from batllm_arcade.view.sound_cues import LOUDNESS_LUFS, RATE

# Live encoding: frames at arbitrary times and sound to packets, and packets to files

_CLOCK = Fraction(1, 90000)
_QUALITY = {"preset": "ultrafast", "crf": "22", "tune": "zerolatency"}
_SOUND_RATE = 160_000  # bits a second
_MAX_SIZE = (1920, 1080)
_FRAGMENTED = {"movflags": "+delay_moov+default_base_moof+frag_keyframe", "flush_packets": "1"}
_FAST_START = {"movflags": "+faststart"}

Pixels = NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Packet:
    """An encoded packet of video or sound, `at` in seconds; playback can start at a video packet with `key`."""

    video: bool
    at: float
    key: bool
    data: bytes
    pts: int
    dts: int
    duration: int


def film_size(window: tuple[int, int]) -> tuple[int, int]:
    """Return the film's size for a window: even numbers, at most 1920 x 1080."""
    width, height = window
    share = min(1.0, _MAX_SIZE[0] / width, _MAX_SIZE[1] / height)
    return max(2, round(width * share) & ~1), max(2, round(height * share) & ~1)


class LiveEncoder:
    """Encodes frames and sound of one film, with x264's fastest preset to leave time for the game."""

    def __init__(self, size: tuple[int, int]) -> None:
        self.size = size
        self._scaler, self._fitter = VideoReformatter(), VideoReformatter()
        # A container that is never saved: the streams of files are copied from its streams.
        self._container = av.open(_NullFile(), "w", "mp4", options=_FRAGMENTED)
        self._video: Any = self._container.add_stream("libx264", 60, options=_QUALITY)
        self._video.width, self._video.height = size
        self._video.pix_fmt = "yuv420p"
        context = self._video.codec_context
        context.time_base, context.gop_size = _CLOCK, 600
        context.thread_type, context.thread_count = "SLICE", 2
        tag_colors(context)
        self._sound = _sound_stream(self._container)
        self._container.start_encoding()
        self.samples = 0
        """The number of samples encoded so far."""

    def add_frame(self, pixels: Pixels, at: float, *, key: bool) -> list[Packet]:
        """Encode a frame at a later time than the last, in seconds; return the finished packets.

        `pixels` has the shape (height, width, 4) with channels blue, green, red, unused.
        """
        frame = self._converted(pixels)
        frame.pts, frame.time_base = round(at / _CLOCK), _CLOCK
        frame.pict_type = av.video.frame.PictureType.I if key else av.video.frame.PictureType.NONE
        return [_packet(packet, video=True) for packet in self._video.encode(frame)]

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
        """Return pixels of another size scaled into the middle of a black frame."""
        (height, width), (film_width, film_height) = pixels.shape[:2], self.size
        share = min(film_width / width, film_height / height)
        inner = max(2, round(width * share) & ~1), max(2, round(height * share) & ~1)
        frame = av.VideoFrame.from_numpy_buffer(pixels, "bgra", width=width)
        scaled = self._fitter.reformat(frame, *inner, "bgra", interpolation=Interpolation.AREA).to_ndarray()
        whole = np.zeros((film_height, film_width, 4), np.uint8)
        left, top = (film_width - inner[0]) // 2, (film_height - inner[1]) // 2
        whole[top : top + inner[1], left : left + inner[0]] = scaled
        return whole

    def add_sound(self, samples: NDArray[np.int16]) -> list[Packet]:
        """Encode the next stereo samples, shape (n, 2); return the finished packets."""
        frame = sound_frame(samples, self.samples)
        self.samples += len(samples)
        return [_packet(packet, video=False) for packet in self._sound.encode(frame)]

    def end(self) -> list[Packet]:
        """Flush the encoders and return the last packets; nothing can be added afterwards."""
        rest = [_packet(packet, video=True) for packet in self._video.encode(None)]
        return rest + [_packet(packet, video=False) for packet in self._sound.encode(None)]

    def file(self, path: Path, *, fragmented: bool) -> PacketFile:
        """Return a new file for packets; a fragmented one plays even if it is never closed."""
        return PacketFile(path, self._video, self._sound, _FRAGMENTED if fragmented else _FAST_START)

    def clip(self, path: Path) -> PacketFile:
        """Return a new file for packets of pictures, whose sound is encoded anew."""
        return PacketFile(path, self._video, None, _FAST_START)


class PacketFile:
    """An mp4 of packets; it begins with the first key frame added, whatever its time.

    `sounds` is the stream that its packets of sound are from, None if the sound is encoded anew.
    """

    def __init__(self, path: Path, pictures: Any, sounds: Any, options: dict[str, str]) -> None:
        self._container = av.open(url_of(path), "w", "mp4", options=options)
        self._video = self._container.add_stream_from_template(pictures)
        self._encodes = sounds is None
        self._sound: Any = (
            _sound_stream(self._container) if sounds is None else (self._container.add_stream_from_template(sounds))
        )
        self._begins: float | None = None

    def add(self, packet: Packet) -> None:
        """Add a packet; those before the first key frame are left out."""
        if self._begins is None:
            if not (packet.video and packet.key):
                return
            self._begins = packet.at
        if packet.at < self._begins:
            return
        base = _CLOCK if packet.video else Fraction(1, RATE)
        shift = round(self._begins / base)
        copy = av.Packet(packet.data)
        copy.pts, copy.dts, copy.duration = packet.pts - shift, packet.dts - shift, packet.duration
        copy.time_base, copy.is_keyframe = base, packet.key
        copy.stream = self._video if packet.video else self._sound
        self._container.mux(copy)

    def add_sound(self, frame: Any) -> None:
        """Encode the next frame of sound, which begins with the pictures."""
        self._container.mux(self._sound.encode(frame))

    def close(self) -> None:
        """Finish the file."""
        if self._encodes:
            self._container.mux(self._sound.encode(None))
        self._container.close()


def _sound_stream(container: Any) -> Any:
    stream = container.add_stream("aac", RATE, layout="stereo")
    stream.codec_context.bit_rate = _SOUND_RATE
    return stream


class _NullFile:
    """A file object that discards everything."""

    def write(self, data: bytes) -> int:
        return len(data)


def _packet(packet: Any, *, video: bool) -> Packet:
    at = float(packet.pts * packet.time_base)
    return Packet(video, at, packet.is_keyframe, bytes(packet), packet.pts, packet.dts, packet.duration or 0)


def defragment(fragmented: Path, out: Path, *, force: bool = False) -> None:
    """Copy a fragmented file to one that plays while it loads, and remove it.

    Without `force` raise FileExistsError if anything is there, and leave the fragmented file.
    """
    with (
        replacing(out, new=not force) as unfinished,
        av.open(url_of(fragmented)) as written,
        av.open(url_of(unfinished), "w", "mp4", options=_FAST_START) as film,
    ):
        copy_packets(written, film, tracks_like(written, film))
    fragmented.unlink()


# A clip: the last pictures of a recording as they were encoded, and their sound as loud as that

Samples = NDArray[np.int16]
_KEPT = round((CLIP_S + 3.0) * RATE)  # samples: a clip begins at a key frame, which may be a second earlier


class KeptSound:
    """The sound of the last seconds of a recording as it was mixed, in chunks of shape (n, 2)."""

    def __init__(self, chunks: Iterable[Samples] = (), end: int = 0) -> None:
        self._chunks, self._end = deque(chunks), end
        self._count = sum(map(len, self._chunks))

    def add(self, chunk: Samples) -> None:
        """Append the next samples and discard what is too old."""
        self._chunks.append(chunk)
        self._end += len(chunk)
        self._count += len(chunk)
        while self._count - len(self._chunks[0]) > _KEPT:
            self._count -= len(self._chunks.popleft())

    def copy(self) -> KeptSound:
        """Return what is kept now; it stays while this goes on."""
        return KeptSound(self._chunks, self._end)

    def since(self, first: int) -> Samples:
        """Return the samples from that number on, counted from the recording's start; silence where none are kept."""
        kept = np.concatenate([np.zeros((0, 2), np.int16), *self._chunks])
        begins = self._end - len(kept)
        return np.concatenate([np.zeros((max(0, begins - first), 2), np.int16), kept[max(0, first - begins) :]])


def write_clip(encoder: LiveEncoder, packets: Sequence[Packet], sound: KeptSound, out: Path) -> None:
    """Write a recording's packets of pictures from the first key frame on to a new file, with their sound."""
    first = next(packet for packet in packets if packet.video and packet.key)
    samples = sound.since(round(first.at * RATE))
    with replacing(out, new=True) as unfinished:
        film = encoder.clip(unfinished)
        parts = iter([*_parts(mastered(lambda: iter([samples]), LOUDNESS_LUFS))])
        due = 0
        for packet in packets:
            if not packet.video or packet.at < first.at:
                continue
            film.add(packet)
            while due <= (packet.at - first.at) * RATE and (part := next(parts, None)) is not None:
                film.add_sound(sound_frame(part, due))
                due += len(part)
        for part in parts:
            film.add_sound(sound_frame(part, due))
            due += len(part)
        film.close()


def _parts(chunks: Iterable[Samples]) -> Iterator[Any]:
    for chunk in chunks:
        yield from np.split(chunk, range(RATE // 10, len(chunk), RATE // 10))
