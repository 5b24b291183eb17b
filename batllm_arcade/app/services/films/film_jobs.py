"""Films of recorded sessions, made by a process of their own while the window goes on; one at a time."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO

from batllm_arcade.app.services.films.show_folder import short
from batllm_arcade.files.paths import free_path
from batllm_arcade.session.live_session import films_folder

_PROCESS = "batllm_arcade.app.services.films.film_worker"
_CLOSING_S = 3.0
"""Seconds a film that was stopped has to end before its process is killed."""


class FilmJobs:
    """The film being made and what became of the last one; every call returns at once."""

    def __init__(self) -> None:
        self.share: float | None = None
        """How much of the film is done, 0 to 1; None while none is being made."""
        self.words = ""
        """What became of the last film, or which one is being made."""
        self.saved: tuple[Path, Path] | None = None
        """The session that was filmed last, and its film."""
        self._process: subprocess.Popen[str] | None = None
        self._listener: threading.Thread | None = None
        self._cancelled = False

    def start(self, session: Path, out: Path, options: Sequence[str] = ()) -> None:
        """Film a session file with options of `film_worker`; do nothing while a film is being made."""
        if self.share is not None:
            return
        try:
            out.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            self.words = f"films cannot be kept in {str(out.parent)!r} ({error.strerror})"
            return
        self.share, self.words, self._cancelled = 0.0, f"filming {out.name}", False
        self._process = subprocess.Popen(
            [sys.executable, "-m", _PROCESS, str(session), "-o", str(out), *options],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
            env={**os.environ, "SDL_VIDEODRIVER": "dummy", "SDL_AUDIODRIVER": "dummy"},
        )  # fmt: skip
        self._listener = threading.Thread(
            target=self._listen, args=(self._process, session, out), daemon=True, name="film"
        )
        self._listener.start()

    def join(self, seconds: float | None = None) -> None:
        """Wait until it is known what became of the film, at most so long."""
        if self._listener is not None:
            self._listener.join(seconds)

    def _listen(self, process: subprocess.Popen[str], session: Path, out: Path) -> None:
        assert process.stdout is not None
        assert process.stdin is not None
        with process.stdout as lines:
            words = _last_words(lines, self._set_share)
        failed = process.wait() != 0
        process.stdin.close()  # nothing is ever written: its end tells the film that the program is gone
        if self._cancelled:
            with suppress(OSError):
                out.unlink(missing_ok=True)
            words = "the film was stopped, nothing of it is kept"
        elif failed and not words:
            words = "the film could not be made"
        elif not failed:
            words, self.saved = f"{words}, in {short(out.parent)}", (session, out)
        self.words, self.share, self._process = words, None, None

    def made_of(self, session: Path | None) -> bool:
        """Return whether the last film was made of this session, and none is being made now."""
        return self.share is None and self.saved is not None and self.saved[0] == session

    def _set_share(self, share: float) -> None:
        self.share = share

    def stop(self) -> None:
        """Stop making the film; nothing of it is kept."""
        process = self._process
        if process is not None and process.poll() is None:
            self._cancelled = True
            process.send_signal(signal.SIGINT) if os.name == "posix" else process.terminate()

    def close(self) -> None:
        """The window closes: no process is left behind."""
        process = self._process
        self.stop()
        if process is not None:
            with suppress(subprocess.TimeoutExpired):
                process.wait(_CLOSING_S)
            if process.poll() is None:
                process.kill()
        self.join(_CLOSING_S)


def _last_words(lines: IO[str], set_share: Callable[[float], None]) -> str:
    """Read the process's report to its end and return its last sentence, "" if it said none."""
    words = ""
    for line in lines:
        with suppress(ValueError):
            report = json.loads(line)
            if "share" in report:
                set_share(report["share"])
            words = report.get("words", words)
    return words


def film_of(session: Path) -> Path:
    """Return a free name for the next film of a session: named like it, in the user's folder of films."""
    stem = session.name.removesuffix(".journal").removesuffix(".json")
    return free_path(films_folder(), f"{stem}.mp4")
