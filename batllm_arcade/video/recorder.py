"""Recording a match as it is played."""

from __future__ import annotations

import queue
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import pygame

from batllm_arcade.files.atomic import create_beside
from batllm_arcade.video.encode.formats import CLIP_S
from batllm_arcade.view.sound_cues import RATE, Cue

if TYPE_CHECKING:
    from batllm_arcade.video.encode.live_encoder import KeptSound, LiveEncoder, Packet, PacketFile

MAX_BYTES = 64_000_000
"""The most memory it may take; with large frames clips are shorter."""


class RingBuffer:
    """Keeps the packets of at least the last `seconds`, from a key frame on, and discards older ones."""

    def __init__(self, seconds: float = CLIP_S, max_bytes: int = MAX_BYTES) -> None:
        self._seconds, self._max_bytes = seconds, max_bytes
        self._packets: deque[Packet] = deque()
        self._keys: deque[Packet] = deque()
        self.bytes = 0
        """The size of all packets in it."""

    def add(self, packet: Packet) -> None:
        """Append a packet and discard what is too old or too much."""
        self._packets.append(packet)
        self.bytes += len(packet.data)
        if packet.video and packet.key:
            self._keys.append(packet)
        while len(self._keys) > 1 and (self._keys[1].at <= packet.at - self._seconds or self.bytes > self._max_bytes):
            self._keys.popleft()
            self._discard(self._keys[0])

    def _discard(self, until: Packet) -> None:
        while self._packets[0] is not until:
            self.bytes -= len(self._packets.popleft().data)

    def __iter__(self) -> Iterator[Packet]:
        return iter(self._packets)

    def __len__(self) -> int:
        return len(self._packets)

    def clear(self) -> None:
        """Discard everything."""
        self._packets.clear()
        self._keys.clear()
        self.bytes = 0


KEY_EVERY_S = 1.0
"""Seconds between key frames: a killed program loses at most so much, and clips begin at one."""
MISSING = "films need PyAV and numpy: pip install 'batllm-arcade[video]'"
_SOUND_STEP = 4800  # least samples mixed at a time; small portions cost three times as much
_PAUSE_S = 5.0  # without frames: a clip holds nothing of what was before
_FRAME_S = 1 / 60  # between the last frame before such a pause and the first after it


@dataclass(frozen=True, slots=True)
class CapturedFrame:
    """A copy of the window at `at` seconds of the recorder's clock."""

    surface: pygame.Surface
    at: float


class RecorderThread:
    """Handles frames, and what is to be done with them, in the order of `inbox`, until None comes; `messages` are
    sentences for the user."""

    def __init__(self, give_back: Callable[[pygame.Surface], None]) -> None:
        self.inbox: queue.SimpleQueue[CapturedFrame | Action | None] = queue.SimpleQueue()
        self.cues: deque[Cue] = deque()
        """The sounds played, at seconds of the recorder's clock."""
        self.volumes = (0.0, 0.0)
        """The current volumes of effects and music."""
        self.messages: deque[str] = deque()
        self.failed = False
        """Whether recording has failed for good."""
        self._give_back = give_back
        self._ring = RingBuffer()
        self._held: tuple[LiveEncoder, list[Packet], KeptSound] | None = None
        self._keeping = False
        self._stream: _Stream | None = None
        self._out: Path | None = None
        self._force = False
        self._file: PacketFile | None = None
        self._partial = Path()  # where the film under way is kept
        self._thread = threading.Thread(target=self._run, name="recorder", daemon=True)
        self._thread.start()

    def join(self, seconds: float) -> None:
        """Wait at most so many seconds until everything in the inbox is handled."""
        self._thread.join(seconds)

    def _run(self) -> None:
        while (item := self.inbox.get()) is not None:
            self._handle(item)
        self._handle(RecorderThread.stop)

    def _handle(self, item: CapturedFrame | Action) -> None:
        try:
            if not isinstance(item, CapturedFrame):
                item(self)
            elif not self.failed:
                self._add_frame(item)
        except ImportError:
            self._fail(MISSING)
        except Exception as error:  # noqa: BLE001 - a failed film must not end the match
            self._fail(f"filming has stopped: {getattr(error, 'strerror', None) or error}")
        finally:
            if isinstance(item, CapturedFrame):
                self._give_back(item.surface)

    def _fail(self, message: str) -> None:
        self.failed = True
        self.messages.append(message)
        file, self._file, self._out, self._stream = self._file, None, None, None
        self._ring.clear()
        if file is not None:
            with suppress(Exception):  # the file plays as far as it goes
                file.close()

    def record(self, out: Path, *, force: bool) -> None:
        """Record to this file from the next frame on; only with `force` it replaces one that is there."""
        self._out, self._force = out, force

    def keep(self, on: bool) -> None:
        """Keep the last seconds for clips, or forget them."""
        self._keeping = on
        if not on:
            self._ring.clear()
            self._held = None

    def hold(self) -> None:
        """Set the last seconds aside."""
        self._held = self._last_seconds()

    def clip(self, out: Path, *, held: bool) -> None:
        """Save the last seconds to this file; if `held`, those that were set aside."""
        from batllm_arcade.video.encode.live_encoder import write_clip

        last = (self._held if held else None) or self._last_seconds()
        if last is None:
            self.messages.append("there is nothing to make a clip of yet")
            return
        write_clip(*last, out)
        self.messages.append(f"clip saved: {out.name}")

    def _add_frame(self, frame: CapturedFrame) -> None:
        from batllm_arcade.video.encode.live_encoder import film_size

        size = film_size(frame.surface.get_size())
        if self._stream is None or (self._file is None and size != self._stream.encoder.size):
            self._ring.clear()
            self._stream = _Stream(size, frame.at)
        elif self._file is None and self._stream.paused(frame.at):
            self._stream.mix(self.cues, self.volumes)
            self._ring.clear()
            self._stream.resume(frame.at)
        starts_file = self._file is None and self._out is not None
        if self._file is None and self._out is not None:
            self._partial = create_beside(self._out, "partial")
            self._file = self._stream.encoder.file(self._partial, fragmented=True)
        self._store(self._stream.add_frame(frame, self.cues, self.volumes, key=starts_file))

    def _store(self, packets: Iterable[Packet]) -> None:
        for packet in packets:
            if self._keeping:
                self._ring.add(packet)
            if self._file is not None:
                self._file.add(packet)

    def stop(self) -> None:
        """Finish the film that is recorded."""
        from batllm_arcade.video.encode.live_encoder import defragment

        if self._file is not None and self._stream is not None and self._out is not None:
            self._store(self._stream.mix(self.cues, self.volumes))
            if not self._keeping:
                self._store(self._stream.encoder.end())
                self._stream = None
            self._file.close()
            self._file, out = None, self._out
            try:
                defragment(self._partial, out, force=self._force)
                self.messages.append(f"film saved: {out.name}")
            except FileExistsError:
                self.messages.append(f"{out.name} has appeared meanwhile; film saved: {self._partial.name}")
        self._out = None

    def _last_seconds(self) -> tuple[LiveEncoder, list[Packet], KeptSound] | None:
        """Return the packets of the last seconds, their encoder and their sound, None while there are none."""
        if self._stream is None or not any(packet.video and packet.key for packet in self._ring):
            return None
        self._store(self._stream.mix(self.cues, self.volumes))
        return self._stream.encoder, list(self._ring), self._stream.sound.copy()


Action = Callable[[RecorderThread], None]
"""What the thread is to do."""


class _Stream:
    def __init__(self, size: tuple[int, int], began: float) -> None:
        from batllm_arcade.audio.mixer import Mixer
        from batllm_arcade.video.encode.live_encoder import KeptSound, LiveEncoder

        self.encoder, self.sound = LiveEncoder(size), KeptSound()
        self._mixer = Mixer()
        self._began = began
        self._last = self._last_key = -KEY_EVERY_S

    def paused(self, at: float) -> bool:
        """Return whether there was a long pause before a frame at this time."""
        return at - self._began - self._last >= _PAUSE_S

    def resume(self, at: float) -> None:
        """Go on with a frame at this time as if the last one had just been shown, with a key frame.

        An encoder made anew instead would leave its memory in pieces each time, which the system does not get back.
        """
        self._began, self._last_key = at - self._last - _FRAME_S, -KEY_EVERY_S

    def add_frame(
        self, frame: CapturedFrame, cues: deque[Cue], volumes: tuple[float, float], *, key: bool
    ) -> list[Packet]:
        """Return the packets of a frame and of the sound up to it; none if it is not later than the last one."""
        import numpy as np

        at = frame.at - self._began
        if at <= self._last:
            return []
        self._last, key = at, key or at - self._last_key >= KEY_EVERY_S
        if key:
            self._last_key = at
        surface = frame.surface
        rows = np.frombuffer(cast(Any, surface.get_buffer()), np.uint8).reshape(surface.get_height(), -1, 4)
        packets = self.encoder.add_frame(rows[:, : surface.get_width()], at, key=key)
        if round(at * RATE) - self.encoder.samples >= _SOUND_STEP:
            packets += self.mix(cues, volumes)
        return packets

    def mix(self, cues: deque[Cue], volumes: tuple[float, float]) -> list[Packet]:
        """Return the packets of the sound up to the last frame."""
        until = self._last
        self._mixer.effects_gain, self._mixer.music_gain = volumes
        while cues and cues[0].at - self._began <= until:
            cue = cues.popleft()
            self._mixer.add(replace(cue, at=cue.at - self._began))
        first, end = self.encoder.samples, round(until * RATE)
        packets: list[Packet] = []
        for start in range(first, end, RATE):  # a second at a time, in case the window hung
            mixed = self._mixer.mixed(start, min(end, start + RATE))
            self.sound.add(mixed)
            packets += self.encoder.add_sound(mixed)
        return packets


# The window's side of it, which only copies the picture

MAX_WAITING = 6
MAX_WAITING_BYTES = 64_000_000
"""Frames that may wait for the encoder, and their size; beyond that frames are dropped."""
CLIP_STEP_S = 0.025
"""Least seconds between two frames while only clips are kept: every second frame of the window."""
CLOSING_S = 60.0
"""Seconds for which `close` waits for the film; an unfinished one still plays."""


class Recorder:
    """Records one film at a time and keeps the last seconds for clips; every call but `close` returns at once."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._recorder_thread: RecorderThread | None = None
        self._spare: deque[pygame.Surface] = deque()
        self._surfaces = 0
        self._clips = False
        self._last_frame = -CLIP_STEP_S
        self.since: float | None = None
        """When the current recording began, in seconds of `clock`; None if there is none."""
        self.volumes = (0.0, 0.0)
        """The volumes of effects and music in the film, 0 to 1."""
        self.dropped = 0
        """The number of frames that were dropped because the encoder was behind."""

    @property
    def active(self) -> bool:
        """Return whether frames are wanted."""
        return (self._clips or self.since is not None) and not (
            self._recorder_thread is not None and self._recorder_thread.failed
        )

    def keep_clips(self, on: bool) -> None:
        """Start or stop keeping the last seconds for clips."""
        if on != self._clips:
            self._clips = on
            self._send(lambda thread: thread.keep(on), begins=on)

    def start(self, out: Path, *, force: bool = False) -> None:
        """Record to this file from the next frame on; with `force` it replaces one that is there."""
        if self.since is None:
            self.since = self._clock()
            self._send(lambda thread: thread.record(out, force=force), begins=True)

    def stop(self) -> None:
        """Stop recording; the file is finished in the background."""
        if self.since is not None:
            self.since = None
            self._send(RecorderThread.stop)

    def hold(self) -> None:
        """Set the last seconds aside for `clip`, until others are."""
        self._send(RecorderThread.hold)

    def clip(self, out: Path, *, held: bool = False) -> None:
        """Save the last seconds to this file; if `held`, those that were set aside."""
        self._send(lambda thread: thread.clip(out, held=held))

    def add_sound(self, cue: Cue) -> None:
        """Add a sound that was played, `at` in seconds of `clock`."""
        if self.active and self._recorder_thread is not None:
            self._recorder_thread.cues.append(cue)

    def add_frame(self, window: pygame.Surface) -> None:
        """Add a copy of the window; drop it if the encoder is too far behind."""
        now = self._clock()
        if (
            not self.active
            or self._recorder_thread is None
            or (self.since is None and now - self._last_frame < CLIP_STEP_S)
        ):
            return
        copy = self._free_surface(window.get_size())
        if copy is None:
            self.dropped += 1
            return
        self._last_frame = now
        copy.blit(window, (0, 0))
        self._recorder_thread.volumes = self.volumes
        self._recorder_thread.inbox.put(CapturedFrame(copy, now))

    def _free_surface(self, size: tuple[int, int]) -> pygame.Surface | None:
        """Return an unused surface of that size; None if all of them wait for the encoder."""
        while self._spare:
            surface = self._spare.popleft()
            if surface.get_size() == size:
                return surface
            self._surfaces -= 1  # of the window's old size
        most = max(2, min(MAX_WAITING, MAX_WAITING_BYTES // (4 * size[0] * size[1])))
        if self._surfaces >= most:
            return None
        self._surfaces += 1
        return pygame.Surface(size, 0, 32)

    def messages(self) -> list[str]:
        """Return the messages for the user since the last call, a sentence each."""
        found: list[str] = []
        while self._recorder_thread is not None and self._recorder_thread.messages:
            found.append(self._recorder_thread.messages.popleft())
        if self._recorder_thread is not None and self._recorder_thread.failed:
            self.since = None
        return found

    def _send(self, action: Action, *, begins: bool = False) -> None:
        if begins and (self._recorder_thread is None or self._recorder_thread.failed):
            self._spare, self._surfaces = deque(), 0
            self._recorder_thread = RecorderThread(self._spare.append)
            if self._clips:
                self._recorder_thread.inbox.put(lambda thread: thread.keep(True))
        if self._recorder_thread is not None:
            self._recorder_thread.inbox.put(action)

    def close(self) -> None:
        """Stop recording and wait until the file is finished, at most CLOSING_S."""
        self.since, self._clips = None, False
        if self._recorder_thread is not None:
            self._recorder_thread.inbox.put(None)
            self._recorder_thread.join(CLOSING_S)
