"""The window's sound; a machine without a sound device plays the same game in silence."""

from __future__ import annotations

import math
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from importlib.resources import as_file, files

import pygame

from batllm_arcade.settings.user_settings import Settings
from batllm_arcade.view.sound_cues import RATE, Cue, cues, ducking, stereo
from batllm_arcade.view.timeline import Timeline

BUFFER = 512
"""Samples between a cue and the loudspeaker: 11 ms."""
CHANNELS = 24
FASTEST = 4.0
"""Above this speed a match is seen and not heard: the sounds would pile up."""
LATEST_S = 0.25
"""After a gap, such as a hung window, only the cues of this last stretch are heard."""
MUSIC_FADE_S = 0.8
AGAIN_S = 0.03
"""Seconds within which the same sound is not begun twice."""

_OUT_OF_ORDER = (pygame.error, NotImplementedError, OSError)


class Player:
    """Plays what a timeline, a menu and the settings say; every call returns at once and none of them fails.

    `heard`, where it is set, is told every cue as it is played, `at` in seconds of time.monotonic();
    also without a device and while muted.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._sounds: dict[str, pygame.mixer.Sound] = {}
        self._last: dict[str, float] = {}
        self._knockout = -math.inf
        self._music_wanted = self._music_begun = self._music_going = False
        self._music_level = 0.0
        self._updated = time.monotonic()
        self.heard: Callable[[Cue], None] | None = None
        self.problem = ""
        """Why nothing can be heard; empty where all is well."""
        try:
            self._open()
        except _OUT_OF_ORDER as error:
            self.problem = f"there is no sound: {error}"

    @property
    def music_on(self) -> bool:
        """Whether there is music, or would be if there were a device."""
        return self._music_wanted

    def _open(self) -> None:
        with _hushed():
            pygame.mixer.init(RATE, -16, 2, BUFFER)
        pygame.mixer.set_num_channels(CHANNELS)
        with as_file(files("batllm_arcade.assets") / "sounds") as folder:
            for path in sorted(folder.glob("*.wav")):
                self._sounds[path.stem] = pygame.mixer.Sound(str(path))
            pygame.mixer.music.load(str(folder / "loop.ogg"))

    def follow(self, timeline: Timeline, before: float, now: float, speed: float = 1.0) -> None:
        """Play the cues with `before <= at < now`, seconds of the timeline; nothing while it is paused or sought.

        `speed` is how fast the match is shown: at twice the normal speed and above only what
        matters is heard, above four times nothing.
        """
        if now <= before or not 0 < speed <= FASTEST:
            return
        strongest: dict[str, Cue] = {}
        for cue in cues(timeline, max(before, now - LATEST_S * speed), now):
            if speed >= 2 and cue.sound in ("turn", "move"):
                continue
            if cue.sound not in strongest or cue.gain > strongest[cue.sound].gain:
                strongest[cue.sound] = cue
        for cue in strongest.values():
            self.play(cue.sound, cue.gain, cue.pan)

    def ui(self, name: str) -> None:
        """The sound of a menu: move, confirm, back or error."""
        self.play(f"ui_{name}")

    def play(self, sound: str, gain: float = 1.0, pan: float = 0.0) -> None:
        """Play one sound now, unless it has begun this very moment."""
        now = time.monotonic()
        if now - self._last.get(sound, -math.inf) < AGAIN_S:
            return
        self._last[sound] = now
        if sound == "knockout":
            self._knockout = now
        cue = Cue(now, sound, gain, pan)
        if self.heard is not None:
            self.heard(cue)
        volume = 0.0 if self._settings.muted else self._settings.effects_volume
        if volume > 0 and sound in self._sounds:
            self._begin(cue, volume)

    def _begin(self, cue: Cue, volume: float) -> None:
        try:
            _need_mixer()
            channel = self._sounds[cue.sound].play()
            if channel is not None:  # else all channels are busy, and nobody could tell one sound more
                left, right = stereo(cue)
                channel.set_volume(left * volume, right * volume)
        except _OUT_OF_ORDER as error:
            self.problem = f"there is no sound: {error}"

    def music(self, on: bool) -> None:
        """Let the music come or go; it fades."""
        self._music_wanted = on

    def apply(self, settings: Settings) -> None:
        """Play with these settings from now on."""
        self._settings = settings

    def update(self) -> None:
        """Move the music's volume on; once a frame."""
        now = time.monotonic()
        step, self._updated = (now - self._updated) / MUSIC_FADE_S, now
        volume = 0.0 if self._settings.muted else self._settings.music_volume
        self._music_level += step if self._music_wanted else -step
        self._music_level = min(1.0, max(0.0, self._music_level))
        if not self.problem:
            try:
                _need_mixer()
                self._set_music(self._music_level * volume * ducking(now - self._knockout))
            except _OUT_OF_ORDER as error:
                self.problem = f"there is no sound: {error}"

    def _set_music(self, volume: float) -> None:
        if volume > 0 and not self._music_going:
            if not self._music_begun:
                pygame.mixer.music.play(loops=-1)
            pygame.mixer.music.unpause()
        elif volume <= 0 and self._music_going:
            pygame.mixer.music.pause()
        self._music_begun = self._music_begun or volume > 0
        self._music_going = volume > 0
        pygame.mixer.music.set_volume(volume)

    def close(self) -> None:
        """Silence, and the device is free again."""
        self._sounds.clear()
        self._music_wanted, self.problem = False, "the sound is closed"
        with suppress(*_OUT_OF_ORDER):  # there may be none
            pygame.mixer.quit()


@contextmanager
def _hushed() -> Iterator[None]:
    """Keep what the system's sound libraries write on standard error, a page without a device, from the terminal."""
    try:
        terminal = os.dup(2)
    except OSError:  # there is no standard error
        yield
        return
    with open(os.devnull, "wb") as nowhere:
        os.dup2(nowhere.fileno(), 2)
    try:
        yield
    finally:
        os.dup2(terminal, 2)
        os.close(terminal)


def _need_mixer() -> None:
    """Raise where the mixer has been closed elsewhere: pygame crashes on a sound that outlived it."""
    if pygame.mixer.get_init() is None:
        raise pygame.error("the mixer was closed")
