"""The thread behind a live recording: what it is handed becomes one stream, kept in memory and written to a file."""

from __future__ import annotations

import queue
import threading
from collections import deque
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, cast

from batllm_arcade.video.encode.output_paths import partial_of
from batllm_arcade.video.encode.ring_buffer import RingBuffer
from batllm_arcade.view.sound_cues import RATE, Cue

if TYPE_CHECKING:
    import pygame

    from batllm_arcade.video.encode.live_encoder import Packet, PacketFile

KEY_EVERY_S = 1.0
"""Seconds between key pictures: what a killed program loses at most, and how exactly a clip begins."""
MISSING = "films need PyAV and numpy: pip install 'batllm-arcade[video]'"
_SOUND_STEP = 4800  # samples mixed at a time: in small pieces it costs three times as much
_PAUSE_S = 5.0


@dataclass(frozen=True, slots=True)
class CapturedFrame:
    """A copy of the window at `at` seconds of time.monotonic()."""

    surface: pygame.Surface
    at: float


@dataclass(frozen=True, slots=True)
class RecordingRequest:
    """`record` into `out`, `stop` recording, keep the last seconds for clips or `forget` them, save a `clip`."""

    what: Literal["record", "stop", "keep", "forget", "clip"]
    out: Path = Path()


class RecorderThread:
    """Does what it finds in `inbox` until that is None; `news` is what there is to say, a sentence each."""

    def __init__(self, give_back: Callable[[pygame.Surface], None]) -> None:
        self.inbox: queue.SimpleQueue[CapturedFrame | RecordingRequest | None] = queue.SimpleQueue()
        self.cues: deque[Cue] = deque()
        """What is heard, at seconds of time.monotonic()."""
        self.volumes = (0.0, 0.0)
        """Those of effects and music, as they are heard now."""
        self.news: deque[str] = deque()
        self.failed = False
        """Whether filming is over for good."""
        self._give_back = give_back
        self._ring = RingBuffer()
        self._keeping = False
        self._stream: _Stream | None = None
        self._out: Path | None = None
        self._file: PacketFile | None = None
        self._thread = threading.Thread(target=self._run, name="recorder", daemon=True)
        self._thread.start()

    def join(self, seconds: float) -> None:
        """Wait until everything handed in is done, but not longer."""
        self._thread.join(seconds)

    def _run(self) -> None:
        while (item := self.inbox.get()) is not None:
            self._guarded(item)
        self._guarded(RecordingRequest("stop"))

    def _guarded(self, item: CapturedFrame | RecordingRequest) -> None:
        try:
            if isinstance(item, RecordingRequest):
                self._obey(item)
            elif not self.failed:
                self._film(item)
        except ImportError:
            self._give_up(MISSING)
        except Exception as error:  # noqa: BLE001 - a film that fails must not take the match with it
            self._give_up(f"filming has stopped: {getattr(error, 'strerror', None) or error}")
        finally:
            if isinstance(item, CapturedFrame):
                self._give_back(item.surface)

    def _give_up(self, why: str) -> None:
        self.failed = True
        self.news.append(why)
        file, self._file, self._out, self._stream = self._file, None, None, None
        self._ring.clear()
        if file is not None:
            with suppress(Exception):  # what is in the file so far plays
                file.close()

    def _obey(self, order: RecordingRequest) -> None:
        if order.what == "record":
            self._out = order.out
        elif order.what == "stop":
            self._stop()
        elif order.what == "clip":
            self._save_clip(order.out)
        else:
            self._keeping = order.what == "keep"
            if not self._keeping:
                self._ring.clear()

    def _film(self, shot: CapturedFrame) -> None:
        from batllm_arcade.video.encode.live_encoder import film_size

        size = film_size(shot.surface.get_size())
        if self._file is None and self._stream is not None and not self._stream.continues(size, shot.at):
            self._stream = None
        if self._stream is None:
            self._ring.clear()
            self._stream = _Stream(size, shot.at)
        begins = self._file is None and self._out is not None
        if self._file is None and self._out is not None:
            self._file = self._stream.file(self._out)
        self._keep(self._stream.shot(shot, self.cues, self.volumes, key=begins))

    def _keep(self, packets: Iterable[Packet]) -> None:
        for packet in packets:
            if self._keeping:
                self._ring.add(packet)
            if self._file is not None:
                self._file.put(packet)

    def _stop(self) -> None:
        from batllm_arcade.video.encode.live_encoder import make_whole

        if self._file is not None and self._stream is not None and self._out is not None:
            self._keep(self._stream.heard(self.cues, self.volumes))
            if not self._keeping:
                self._keep(self._stream.end())
                self._stream = None
            self._file.close()
            self._file, out = None, self._out
            make_whole(partial_of(out), out)
            self.news.append(f"film saved: {out.name}")
        self._out = None

    def _save_clip(self, out: Path) -> None:
        from batllm_arcade.video.encode.live_encoder import write_whole

        if self._stream is None or not len(self._ring):
            self.news.append("there is nothing to make a clip of yet")
            return
        self._keep(self._stream.heard(self.cues, self.volumes))
        write_whole(self._stream.encoder, self._ring, out)
        self.news.append(f"clip saved: {out.name}")


class _Stream:
    """One film's pictures and sound, from the first shot on."""

    def __init__(self, size: tuple[int, int], began: float) -> None:
        from batllm_arcade.audio.mixer import Mixer
        from batllm_arcade.video.encode.live_encoder import LiveEncoder

        self.encoder = LiveEncoder(size)
        self._mixer = Mixer()
        self._began = began
        self._last = self._last_key = -KEY_EVERY_S

    def continues(self, size: tuple[int, int], at: float) -> bool:
        """Whether a shot of that size and time belongs to this film: same window, and nobody looked away."""
        return size == self.encoder.size and at - self._began - self._last < _PAUSE_S

    def file(self, out: Path) -> PacketFile:
        return self.encoder.file(partial_of(out), in_pieces=True)

    def shot(self, shot: CapturedFrame, cues: deque[Cue], volumes: tuple[float, float], *, key: bool) -> list[Packet]:
        """The packets that came of a shot and of what was heard up to it."""
        import numpy as np

        at = shot.at - self._began
        if at <= self._last:
            return []
        self._last, key = at, key or at - self._last_key >= KEY_EVERY_S
        if key:
            self._last_key = at
        surface = shot.surface
        rows = np.frombuffer(cast(Any, surface.get_buffer()), np.uint8).reshape(surface.get_height(), -1, 4)
        packets = self.encoder.picture(rows[:, : surface.get_width()], at, key=key)
        if round(at * RATE) - self.encoder.samples >= _SOUND_STEP:
            packets += self.heard(cues, volumes)
        return packets

    def heard(self, cues: deque[Cue], volumes: tuple[float, float]) -> list[Packet]:
        """The sound up to the last picture."""
        until = self._last
        self._mixer.effects_gain, self._mixer.music_gain = volumes
        while cues and cues[0].at - self._began <= until:
            cue = cues.popleft()
            self._mixer.add(replace(cue, at=cue.at - self._began))
        first, end = self.encoder.samples, round(until * RATE)
        packets: list[Packet] = []
        for start in range(first, end, RATE):  # after a hung window in pieces of a second
            packets += self.encoder.sound(self._mixer.mixed(start, min(end, start + RATE)))
        return packets

    def end(self) -> list[Packet]:
        return self.encoder.end()
