"""Records the window while it is played in; the window's thread only copies the picture."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from pathlib import Path

import pygame

from batllm_arcade.video.recorder_thread import CapturedFrame, RecorderThread, RecordingRequest
from batllm_arcade.view.sound_cues import Cue

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
            self._send(RecordingRequest("keep" if on else "forget"))

    def start(self, out: Path, *, force: bool = False) -> None:
        """Record to this file from the next frame on; with `force` it replaces one that is there."""
        if self.since is None:
            self.since = self._clock()
            self._send(RecordingRequest("record", out, force))

    def stop(self) -> None:
        """Stop recording; the file is finished in the background."""
        if self.since is not None:
            self.since = None
            self._send(RecordingRequest("stop"))

    def hold(self) -> None:
        """Set the last seconds aside for `clip`, until others are."""
        self._send(RecordingRequest("hold"))

    def clip(self, out: Path, *, held: bool = False) -> None:
        """Save the last seconds to this file; if `held`, those that were set aside."""
        self._send(RecordingRequest("clip", out, held=held))

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

    def _send(self, request: RecordingRequest) -> None:
        if request.kind in ("record", "keep") and (self._recorder_thread is None or self._recorder_thread.failed):
            self._spare, self._surfaces = deque(), 0
            self._recorder_thread = RecorderThread(self._spare.append)
            if self._clips and request.kind == "record":
                self._recorder_thread.inbox.put(RecordingRequest("keep"))
        if self._recorder_thread is not None:
            self._recorder_thread.inbox.put(request)

    def close(self) -> None:
        """Stop recording and wait until the file is finished, at most CLOSING_S."""
        self.since, self._clips = None, False
        if self._recorder_thread is not None:
            self._recorder_thread.inbox.put(None)
            self._recorder_thread.join(CLOSING_S)
