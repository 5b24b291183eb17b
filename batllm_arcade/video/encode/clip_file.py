"""A clip: the last pictures of a recording as they were encoded, and their sound as loud as that of other films."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from batllm_arcade.audio.mastering import mastered
from batllm_arcade.files.atomic import replacing
from batllm_arcade.video.encode.av_helpers import sound_frame
from batllm_arcade.video.encode.live_encoder import LiveEncoder, Packet
from batllm_arcade.video.encode.ring_buffer import SECONDS
from batllm_arcade.view.loudness import LOUDNESS_LUFS
from batllm_arcade.view.sound_cues import RATE

Samples = NDArray[np.int16]
_KEPT = round((SECONDS + 3.0) * RATE)  # samples: a clip begins at a key frame, which may be a second earlier


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
    """Yield the samples in parts of a tenth of a second."""
    for chunk in chunks:
        yield from np.split(chunk, range(RATE // 10, len(chunk), RATE // 10))
