"""Recording from within the arcade: the keys, where films are kept, the mark in the window that no film shows."""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import datetime
from importlib.util import find_spec
from itertools import count
from pathlib import Path

import pygame

from batllm_arcade.app.ui.canvas import Box, Canvas
from batllm_arcade.errors import UsageError
from batllm_arcade.session.live_session import films_folder
from batllm_arcade.settings.user_settings import Settings
from batllm_arcade.video.encode import output_paths
from batllm_arcade.video.recorder import Recorder
from batllm_arcade.video.recorder_thread import MISSING
from batllm_arcade.view import theme

NOTICE_S = 4.0
_MARK = Box(232, 15, 112, 32)


def able() -> bool:
    """Whether the extra that makes films is installed."""
    return find_spec("av") is not None and find_spec("numpy") is not None


def check(out: Path, *, force: bool) -> None:
    """Make sure that the window can be filmed into this file; UsageError otherwise."""
    if out.suffix.lower() != ".mp4":
        raise UsageError(f"{out.name!r} is no .mp4; a match is filmed into one, 'batllm-arcade video' makes the others")
    if not able():
        raise UsageError(MISSING)
    output_paths.check(out, force=force)


class Recording:
    """Films the window into `out`, where one is given, or when it is asked to."""

    def __init__(self, out: Path | None = None) -> None:
        self.recorder = Recorder()
        self._able = able()
        self._notice, self._notice_until = "", 0.0
        self._used: set[Path] = set()  # what was begun in this second may not be in place yet
        self._canvas: Canvas | None = None
        if out is not None:
            self.recorder.start(out)

    def toggle(self) -> None:
        """Begin to film, or end the film."""
        if self.recorder.since is not None:
            self.recorder.stop()
        elif (out := self._new("batllm")) is not None:
            self.recorder.start(out)

    def clip(self) -> None:
        """Save the last seconds."""
        if not self.recorder.active:
            self._say("clips are switched off in the settings" if self._able else MISSING)
        elif (out := self._new("clip")) is not None:
            self.recorder.clip(out)

    def _new(self, stem: str) -> Path | None:
        """A new file in the user's folder of films; None, and a notice, where there can be none."""
        if not self._able:
            self._say(MISSING)
            return None
        folder = films_folder()
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            self._say(f"the folder for films cannot be made: {error.strerror}")
            return None
        named = f"{stem}-{datetime.now():%Y%m%d-%H%M%S}"
        out = next(path for path in _numbered(folder, named) if path not in self._used and not path.exists())
        self._used.add(out)
        return out

    def _say(self, words: str) -> None:
        self._notice, self._notice_until = words, time.monotonic() + NOTICE_S

    def frame(self, surface: pygame.Surface, settings: Settings, *, music: bool) -> None:
        """Film what was drawn, then draw what the film must not show; once a frame."""
        self.recorder.keep_clips(settings.clips and self._able)
        self.recorder.volumes = _volumes(settings, music=music)
        self.recorder.add_frame(surface)
        for words in self.recorder.messages():
            self._say(words)
        self._draw(surface, settings)

    def _draw(self, surface: pygame.Surface, settings: Settings) -> None:
        now, since = time.monotonic(), self.recorder.since
        if since is None and now > self._notice_until:
            return
        if self._canvas is None or self._canvas.size != surface.get_size():
            self._canvas = Canvas(surface.get_size())
        self._canvas.target = surface
        if since is not None:
            self._draw_mark(self._canvas, now - since, still=settings.display.reduced_motion)
        if now <= self._notice_until:
            self._draw_notice(self._canvas)

    @staticmethod
    def _draw_mark(canvas: Canvas, seconds: float, *, still: bool) -> None:
        canvas.box(_MARK, theme.SUNKEN, theme.DANGER, radius=16)
        lit = still or seconds % 1.0 < 0.6
        color = theme.DANGER if lit else theme.mixed(theme.SUNKEN, theme.DANGER, 0.35)
        canvas.box(Box(_MARK.x + 11, _MARK.y + 10, 12, 12), color, radius=6)
        words = f"REC {int(seconds) // 60}:{int(seconds) % 60:02d}"
        canvas.words((_MARK.x + 30, _MARK.y + 6), words, "label", 16, theme.TEXT)

    def _draw_notice(self, canvas: Canvas) -> None:
        width = min(canvas.width - 40, canvas.measure(self._notice, "label", 18) + 40)
        box = Box((canvas.width - width) / 2, canvas.height - 38, width, 34)  # over the keys' hints, for a moment
        canvas.box(box, theme.SUNKEN, theme.GOLD, radius=17)
        canvas.words(box.middle, self._notice, "label", 18, theme.GOLD, width=width - 24, side="middle")

    def close(self) -> str:
        """End the film; what there is left to say."""
        self.recorder.close()
        return " ".join(self.recorder.messages())


def _numbered(folder: Path, stem: str) -> Iterator[Path]:
    yield folder / f"{stem}.mp4"
    yield from (folder / f"{stem}-{number}.mp4" for number in count(2))


def _volumes(settings: Settings, *, music: bool) -> tuple[float, float]:
    if settings.muted:
        return 0.0, 0.0
    return settings.effects_volume, settings.music_volume if music else 0.0
