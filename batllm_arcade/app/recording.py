"""Filming the window: start, stop, clips, names of files, and the REC mark that no film shows."""

from __future__ import annotations

from datetime import datetime
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

import pygame

from batllm_arcade.app.kit.canvas import Box, Canvas
from batllm_arcade.app.services.background import BackgroundTask
from batllm_arcade.app.services.film_jobs import short, show_folder
from batllm_arcade.errors import UsageError
from batllm_arcade.files.paths import free_path
from batllm_arcade.history.paths import films_folder
from batllm_arcade.settings.user_settings import Settings
from batllm_arcade.video.encode import formats as output_paths
from batllm_arcade.video.recorder import MISSING, Recorder
from batllm_arcade.view import theme

_NOTICE_TOP, _NOTICE_WIDE = 48.0, 560.0
"""Where a notice is: below the headings of screens, between the panels of a match; in a narrow window at the bottom."""
NOTICE_S, SAVED_S = 4.0, 8.0
HELD_S = 60.0
"""Seconds after a match in which a clip is of its end, whatever is on the screen."""


_OLD = "filming the window needs PyAV 17.1, which macOS 13 has not; 'batllm-arcade video' films recorded matches"


def unable() -> str:
    """Return what filming the window lacks, "" if nothing."""
    if find_spec("av") is None or find_spec("numpy") is None:
        return MISSING
    release = version("av").split(".")[:2]
    return "" if tuple(map(int, release)) >= (17, 1) else _OLD


def check(out: Path, *, force: bool) -> None:
    """Make sure that the window can be filmed into this file; raise UsageError if not."""
    if out.suffix.lower() != ".mp4":
        raise UsageError(f"{out.name!r} is no .mp4; a match is filmed into one, 'batllm-arcade video' makes the others")
    if missing := unable():
        raise UsageError(missing)
    output_paths.check(out, force=force)


def mark_place(canvas: Canvas) -> Box:
    """Return where the mark of a film under way is: where no screen has a heading, a name or a button."""
    wide = canvas.measure("REC 00:00", "bold", 12) + 32
    return Box((canvas.width - wide) / 2, 0, wide, 18)


class Recording:
    """Films the window into `out`, if one is given, or when asked to; `now` is seconds of time.monotonic().

    With `force` that film replaces a file that is there.
    """

    def __init__(self, out: Path | None = None, *, force: bool = False) -> None:
        self.recorder = Recorder()
        self._missing = unable()
        self._notice, self._notice_until = "", 0.0
        self._used: set[Path] = set()  # what was begun in this second may not be in place yet
        self._canvas: Canvas | None = None
        self._folder = out.parent if out is not None else None  # of the film begun last
        self._ended: float | None = None  # when the last match ended
        self._opening: BackgroundTask[bool] | None = None
        if out is not None:
            self.recorder.start(out, force=force)

    def toggle(self, now: float) -> None:
        """Begin to film, or end the film."""
        if self.recorder.since is not None:
            self.recorder.stop()
        elif (out := self._new("batllm", now)) is not None:
            self.recorder.start(out)

    def match_ended(self, since: float | None) -> None:
        """Take when the match ended that was seen last, None while one is played; once a frame, before `take`."""
        if since != self._ended:
            self._ended = since
            if since is not None:
                self.recorder.hold()

    def clip(self, now: float) -> None:
        """Save the last seconds: of the match, for a while after it."""
        if not self.recorder.active:
            self._say(self._missing or "clips are switched off in the settings", now)
        elif (out := self._new("clip", now)) is not None:
            self.recorder.clip(out, held=self._ended is not None and now - self._ended <= HELD_S)

    def _new(self, stem: str, now: float) -> Path | None:
        if self._missing:
            self._say(self._missing, now)
            return None
        folder = self._folder = films_folder()
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            self._say(f"the folder for films cannot be made: {error.strerror}", now)
            return None
        name = f"{stem}-{datetime.now():%Y%m%d-%H%M%S}.mp4"
        out = free_path(folder, name, in_use=lambda path: path in self._used or path.exists())
        self._used.add(out)
        return out

    def show_folder(self, now: float) -> None:
        """Open the folder of the film begun last on the desktop, or the one where films are kept."""
        folder = self._folder or films_folder()
        self._opening = show_folder(folder)
        self._say(f"opening {short(folder)}", now)

    def _say(self, words: str, now: float, seconds: float = NOTICE_S) -> None:
        self._notice, self._notice_until = words, now + seconds

    def notice(self, now: float) -> str:
        """Return what is to be said at `now` seconds, "" if nothing is."""
        return self._notice if now <= self._notice_until else ""

    def is_seen(self, now: float) -> bool:
        """Return whether it draws anything, or films: every frame counts then."""
        return self.recorder.since is not None or bool(self.notice(now))

    def take(
        self, surface: pygame.Surface, settings: Settings, now: float, *, music: bool, folder_key: str = ""
    ) -> None:
        """Film what was drawn, once a frame; `folder_key` is the key to name that opens the folder of films."""
        self.recorder.keep_clips(settings.clips and not self._missing)
        heard = not settings.muted
        self.recorder.volumes = heard * settings.effects_volume, (heard and music) * settings.music_volume
        self.recorder.add_frame(surface)
        for words in self.recorder.messages():
            placed = _placed(words, self._folder)
            saved, key = placed != words, f"   {folder_key} opens it" if folder_key else ""
            self._say(placed + key if saved else words, now, SAVED_S if saved else NOTICE_S)
        if self._opening is not None and self._opening.done:
            task, self._opening = self._opening, None
            if task.error is not None:
                self._say(str(task.error), now, SAVED_S)

    def draw(self, surface: pygame.Surface, now: float, *, still: bool) -> None:
        """Draw what a film must not show: the mark of a film under way (`still` without blinking), and notices."""
        since, notice = self.recorder.since, self.notice(now)
        if since is None and not notice:
            return
        if self._canvas is None or self._canvas.size != surface.get_size():
            self._canvas = Canvas(surface.get_size())
        self._canvas.target = surface
        if since is not None:
            self._draw_mark(self._canvas, max(0.0, now - since), still=still)
        if notice:
            self._draw_notice(self._canvas, notice)

    @staticmethod
    def _draw_mark(canvas: Canvas, seconds: float, *, still: bool) -> None:
        mark = mark_place(canvas)
        canvas.box(mark, theme.SUNKEN, theme.DANGER, width=1, radius=mark.h / 2)
        lit = still or seconds % 1.0 < 0.6
        color = theme.DANGER if lit else theme.mixed(theme.SUNKEN, theme.DANGER, 0.35)
        canvas.box(Box(mark.x + 8, mark.y + 5, 8, 8), color, radius=4)
        words = f"REC {int(seconds) // 60}:{int(seconds) % 60:02d}"
        canvas.words((mark.x + 22, mark.y), words, "bold", 12, theme.TEXT)

    @staticmethod
    def _draw_notice(canvas: Canvas, notice: str) -> None:
        width = min(canvas.width - 20, _NOTICE_WIDE, canvas.measure(notice, "label", 18) + 40)
        rows = canvas.lines(notice, "label", 18, width - 32, 3)
        high = 10.0 + 24.0 * rows
        y = canvas.height - 4 - high if canvas.narrow else _NOTICE_TOP
        box = Box((canvas.width - width) / 2, y, width, high)
        canvas.box(box, theme.SUNKEN, theme.GOLD, radius=17)
        canvas.block((box.x + (20 if rows == 1 else 16), box.y + 5), notice, "label", 18, theme.GOLD, width - 32, rows)

    def close(self) -> str:
        """End the film; return what there is left to say."""
        self.recorder.close()
        return " ".join(_placed(words, self._folder) for words in self.recorder.messages())


def _placed(words: str, folder: Path | None) -> str:
    return f"{words}, in {short(folder)}" if folder is not None and " saved: " in words else words
