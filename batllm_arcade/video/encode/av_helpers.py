"""Helpers for PyAV that recordings and films share: colour tags, sound frames, copying packets, file names."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import av
from av.video.reformatter import ColorRange
from numpy import int16
from numpy.typing import NDArray

from batllm_arcade.files.atomic import create_beside
from batllm_arcade.video.encode.formats import TooLarge
from batllm_arcade.view.sound_cues import RATE

_BT709 = 1


def url_of(path: Path) -> str:
    """Return a URL that FFmpeg takes for a file even if the path contains a colon."""
    return f"file:{path}"


def open_partial(out: Path, name: str, options: dict[str, str]) -> tuple[Path, Any]:
    """Create the partial file of a film, over nothing that is there; return it and the container to write into it."""
    partial = create_beside(out, "partial")
    try:
        return partial, av.open(url_of(partial), "w", name, options=options)
    except BaseException:
        partial.unlink(missing_ok=True)
        raise


def check_size(film: Path, most: float) -> None:
    """Raise TooLarge if a film has more than `most` bytes."""
    size = film.stat().st_size
    if size > most:
        raise TooLarge(size)


def tag_colors(context: Any) -> None:
    """Set all four colour tags: without any of them players guess, and red turns orange."""
    context.color_range, context.colorspace = ColorRange.MPEG, _BT709
    context.color_primaries, context.color_trc = _BT709, _BT709


def sound_frame(samples: NDArray[int16], before: int) -> Any:
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
