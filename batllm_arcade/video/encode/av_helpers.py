"""What every film's streams share, recorded live or made from a session: colour tags, sound, copies, names."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import av
from av.video.reformatter import ColorRange
from numpy import int16
from numpy.typing import NDArray

from batllm_arcade.view.sound_cues import RATE

_BT709 = 1


def url_of(path: Path) -> str:
    """A name that is taken for a file whatever is in it, a colon included."""
    return f"file:{path}"


def tag_colors(context: Any) -> None:
    """All four colour tags: with any of them missing players guess, and red turns orange."""
    context.color_range, context.colorspace = ColorRange.MPEG, _BT709
    context.color_primaries, context.color_trc = _BT709, _BT709


def sound_frame(samples: NDArray[int16], before: int) -> Any:
    """Stereo samples, shape (n, 2), that come after so many others."""
    frame = av.AudioFrame.from_ndarray(samples.reshape(1, -1), "s16", "stereo")
    frame.sample_rate, frame.pts, frame.time_base = RATE, before, Fraction(1, RATE)
    return frame


def tracks_like(written: Any, film: Any) -> dict[int, Any]:
    """Streams in `film` for what the streams of `written` hold, by their index there."""
    tracks = {}
    for stream in written.streams:
        tracks[stream.index] = film.add_stream_from_template(stream)
        tracks[stream.index].time_base = stream.time_base
    return tracks


def copy_packets(written: Any, film: Any, tracks: dict[int, Any]) -> None:
    """Everything in `written`, as it is, into those tracks of `film`."""
    for packet in written.demux():
        if packet.dts is not None:
            packet.stream = tracks[packet.stream.index]
            film.mux(packet)
