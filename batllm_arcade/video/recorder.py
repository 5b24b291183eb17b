"""Films the window while it is played in; the game's thread pays for a copy of the picture and for nothing else."""

from __future__ import annotations

import time
from collections import deque
from pathlib import Path

import pygame

from batllm_arcade.video.recorder_thread import CapturedFrame, RecorderThread, RecordingRequest
from batllm_arcade.view.sound_cues import Cue

AHEAD = 6
MOST_BYTES = 64_000_000
"""Pictures that may wait for the encoder, and what they may hold; then some are left out, and the game goes on."""
CLIP_STEP_S = 0.025
"""Seconds that pass at least between two pictures while only clips are kept: every second picture of a window."""
CLOSING_S = 60.0
"""Seconds the closed window waits for its film; what is not whole by then still plays."""


class Recorder:
    """One film at a time, and the last seconds for clips; every call returns at once."""

    def __init__(self) -> None:
        self._recorder_thread: RecorderThread | None = None
        self._spare: deque[pygame.Surface] = deque()
        self._made = 0
        self._clips = False
        self._last = -CLIP_STEP_S
        self.since: float | None = None
        """When the film under way began, in seconds of time.monotonic()."""
        self.volumes = (0.0, 0.0)
        """How loud effects and music are to be in the film."""
        self.taken = self.dropped = 0
        """Pictures handed on, and pictures left out because the encoder was behind."""

    @property
    def active(self) -> bool:
        """Whether pictures are wanted."""
        return (self._clips or self.since is not None) and not (
            self._recorder_thread is not None and self._recorder_thread.failed
        )

    def keep_clips(self, on: bool) -> None:
        """Keep the last seconds at hand, or no longer."""
        if on != self._clips:
            self._clips = on
            self._order(RecordingRequest("keep" if on else "forget"))

    def start(self, out: Path) -> None:
        """Film into this file from the next picture on."""
        if self.since is None:
            self.since = time.monotonic()
            self._order(RecordingRequest("record", out))

    def stop(self) -> None:
        """The film is over; it is put in place in the background."""
        if self.since is not None:
            self.since = None
            self._order(RecordingRequest("stop"))

    def clip(self, out: Path) -> None:
        """Save the last seconds to this file."""
        self._order(RecordingRequest("clip", out))

    def heard(self, cue: Cue) -> None:
        """A sound was played, `at` seconds of time.monotonic()."""
        if self.active and self._recorder_thread is not None:
            self._recorder_thread.cues.append(cue)

    def shoot(self, window: pygame.Surface) -> None:
        """Hand on a copy of the picture; left out where the encoder is too far behind."""
        now = time.monotonic()
        if not self.active or self._recorder_thread is None or (self.since is None and now - self._last < CLIP_STEP_S):
            return
        self._last = now
        copy = self._blank(window.get_size())
        if copy is None:
            self.dropped += 1
            return
        copy.blit(window, (0, 0))
        self._recorder_thread.volumes = self.volumes
        self._recorder_thread.inbox.put(CapturedFrame(copy, now))
        self.taken += 1

    def _blank(self, size: tuple[int, int]) -> pygame.Surface | None:
        """A surface of that size that nobody uses; None where all of them wait for the encoder."""
        while self._spare:
            surface = self._spare.popleft()
            if surface.get_size() == size:
                return surface
            self._made -= 1  # of the size the window had
        most = max(2, min(AHEAD, MOST_BYTES // (4 * size[0] * size[1])))
        if self._made >= most:
            return None
        self._made += 1
        return pygame.Surface(size, 0, 32)

    def news(self) -> list[str]:
        """What there is to say since the last time it was asked, a sentence each."""
        found: list[str] = []
        while self._recorder_thread is not None and self._recorder_thread.news:
            found.append(self._recorder_thread.news.popleft())
        if self._recorder_thread is not None and self._recorder_thread.failed:
            self.since = None
        return found

    def _order(self, order: RecordingRequest) -> None:
        if order.what in ("record", "keep") and (self._recorder_thread is None or self._recorder_thread.failed):
            self._spare, self._made = deque(), 0
            self._recorder_thread = RecorderThread(self._spare.append)
            if self._clips and order.what == "record":
                self._recorder_thread.inbox.put(RecordingRequest("keep"))
        if self._recorder_thread is not None:
            self._recorder_thread.inbox.put(order)

    def close(self) -> None:
        """End the film under way; waits until it is whole, or CLOSING_S."""
        self.since, self._clips = None, False
        if self._recorder_thread is not None:
            self._recorder_thread.inbox.put(None)
            self._recorder_thread.join(CLOSING_S)
