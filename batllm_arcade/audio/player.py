"""The sound of the window; without a sound device the game is the same, but silent."""

from __future__ import annotations

import math
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from importlib.resources import as_file, files

import pygame

from batllm_arcade.settings.user_settings import Settings
from batllm_arcade.view.sound_cues import DUCKING, NIGHT_MUSIC, RATE, Cue, cues, ducking, night, stereo
from batllm_arcade.view.timeline import Timeline

BUFFER = 512
"""Samples of the output buffer: 11 ms of latency."""
CHANNELS = 24
FASTEST = 4.0
"""Above this playback speed there is no sound: too many sounds would overlap."""
LEFT_OUT = ("turn", "move", "load")
"""Sounds of every play, which are left out from twice the speed on."""
LATEST_S = 0.25
"""After a gap, such as a hung window, only the cues of the last LATEST_S seconds are played."""
MUSIC_FADE_S = 0.8
AGAIN_S = 0.03
"""Seconds within which the same sound is not started twice."""

_DEVICE_ERRORS = (pygame.error, NotImplementedError, OSError)


class Player:
    """Plays the sounds of a timeline and of menus, and music; every call returns at once and none of them raises.

    `on_cue`, if set, is called with every cue as it is played, `at` in seconds of `clock`, also without a device and
    while muted.
    """

    def __init__(self, settings: Settings, clock: Callable[[], float] = time.monotonic) -> None:
        self._settings, self._clock = settings, clock
        self._sounds: dict[str, pygame.mixer.Sound] = {}
        self._last_started: dict[str, float] = {}
        self._ducked: dict[str, float] = {}  # when each sound that the music steps back for began last
        self._music_wanted = self._music_going = False
        self._music_level = 0.0
        self._updated = clock()
        self.on_cue: Callable[[Cue], None] | None = None
        self.problem = ""
        """Why nothing can be heard; "" if all is well."""
        try:
            self._open()
        except _DEVICE_ERRORS as error:
            self.problem = f"there is no sound: {error}"

    @property
    def music_on(self) -> bool:
        """Return whether music is switched on, also without a device."""
        return self._music_wanted

    def _open(self) -> None:
        with _quiet_stderr():
            pygame.mixer.init(RATE, -16, 2, BUFFER)
        pygame.mixer.set_num_channels(CHANNELS)
        with as_file(files("batllm_arcade.assets") / "sounds") as folder:
            for path in sorted(folder.glob("*.wav")):
                self._sounds[path.stem] = pygame.mixer.Sound(str(path))
            pygame.mixer.music.load(str(folder / "loop.ogg"))

    def follow(self, timeline: Timeline, before: float, now: float, speed: float = 1.0) -> None:
        """Play the cues with `before <= at < now`, in timeline seconds; nothing while it is paused or goes back.

        `speed` is the playback speed: from 2 on only the important sounds are played, above FASTEST none.
        """
        if now <= before or not 0 < speed <= FASTEST:
            return
        strongest: dict[str, Cue] = {}
        for cue in cues(timeline, max(before, now - LATEST_S * speed), now):
            if speed >= 2 and cue.sound in LEFT_OUT:
                continue
            if cue.sound not in strongest or cue.gain > strongest[cue.sound].gain:
                strongest[cue.sound] = cue
        for cue in strongest.values():
            self.play(cue.sound, cue.gain, cue.pan)

    def ui(self, name: str) -> None:
        """Play a sound of the menus: move, confirm, back or error."""
        self.play(f"ui_{name}")

    def play(self, sound: str, gain: float = 1.0, pan: float = 0.0) -> None:
        """Play one sound now, unless it was started less than AGAIN_S seconds ago."""
        now = self._clock()
        if now - self._last_started.get(sound, -math.inf) < AGAIN_S:
            return
        self._last_started[sound] = now
        if sound in DUCKING:
            self._ducked[sound] = now
        cue = Cue(now, sound, gain, pan)
        if self.on_cue is not None:
            self.on_cue(cue)
        volume = 0.0 if self._settings.muted else self._settings.effects_volume
        volume *= night(sound) if self._settings.night else 1.0
        if volume > 0 and sound in self._sounds:
            self._begin(cue, volume)

    def _begin(self, cue: Cue, volume: float) -> None:
        try:
            _require_mixer()
            channel = self._sounds[cue.sound].play()
            if channel is not None:  # None if all channels are busy
                left, right = stereo(cue)
                channel.set_volume(left * volume, right * volume)
        except _DEVICE_ERRORS as error:
            self.problem = f"there is no sound: {error}"

    def music(self, on: bool) -> None:
        """Fade the music in or out."""
        self._music_wanted = on

    def apply(self, settings: Settings) -> None:
        """Use these settings from now on."""
        self._settings = settings

    def update(self) -> None:
        """Advance the music's volume; to be called once a frame."""
        now = self._clock()
        step, self._updated = (now - self._updated) / MUSIC_FADE_S, now
        volume = 0.0 if self._settings.muted else self._settings.music_volume
        volume *= NIGHT_MUSIC if self._settings.night else 1.0
        self._music_level += step if self._music_wanted else -step
        self._music_level = min(1.0, max(0.0, self._music_level))
        if not self.problem:
            try:
                _require_mixer()
                stepped_back = min((ducking(now - at, sound) for sound, at in self._ducked.items()), default=1.0)
                self._set_music(self._music_level * volume * stepped_back)
            except _DEVICE_ERRORS as error:
                self.problem = f"there is no sound: {error}"

    def _set_music(self, volume: float) -> None:
        """Play the music so loud, from its beginning after a silence.

        pygame's `pause` and `unpause` wait for the mixer's lock without releasing Python's: where a sound ends in that
        moment its thread waits the other way round, and the program stands still for ever.
        """
        if volume > 0 and not self._music_going:
            pygame.mixer.music.play(loops=-1)
        elif volume <= 0 and self._music_going:
            pygame.mixer.music.stop()
        self._music_going = volume > 0
        pygame.mixer.music.set_volume(volume)

    def close(self) -> None:
        """Stop all sound and release the device."""
        self._sounds.clear()
        self._music_wanted, self.problem = False, "the sound is closed"
        with suppress(*_DEVICE_ERRORS):  # without a device
            pygame.mixer.quit()


@contextmanager
def _quiet_stderr() -> Iterator[None]:
    """Discard what the system's sound libraries write to standard error: a page if there is no device."""
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


def _require_mixer() -> None:
    """Raise pygame.error if the mixer was closed elsewhere: pygame crashes on sounds that outlive it."""
    if pygame.mixer.get_init() is None:
        raise pygame.error("the mixer was closed")
