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

from batllm_arcade.files.paths import free_path
from batllm_arcade.session.live_session import films_folder

_PROCESS = "batllm_arcade.app.services.film_worker"


class FilmJobs:
    """The film being made and what became of the last one; every call returns at once."""

    def __init__(self) -> None:
        self.share: float | None = None
        """How much of the film is done, 0 to 1; None while none is being made."""
        self.words = ""
        """What became of the last film, or what is being made."""
        self._process: subprocess.Popen[str] | None = None
        self._cancelled = False

    def start(self, session: Path, out: Path, options: Sequence[str] = ()) -> None:
        """Film a session file, with further options of `video`; nothing where a film is being made."""
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
        threading.Thread(target=self._listen, args=(self._process, out), daemon=True).start()

    def _listen(self, process: subprocess.Popen[str], out: Path) -> None:
        assert process.stdout is not None
        assert process.stdin is not None
        words = _last_words(process.stdout, self._told)
        failed = process.wait() != 0
        process.stdin.close()  # nothing is ever written: its end tells the film that the program is gone
        if self._cancelled:
            with suppress(OSError):
                out.unlink(missing_ok=True)
            words = "the film was stopped, nothing of it is kept"
        elif failed and not words:
            words = "the film could not be made"
        elif not failed:
            words = f"{words}, in {str(out.parent)!r}"
        self.words, self.share, self._process = words, None, None

    def _told(self, share: float) -> None:
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
                process.wait(3)
            if process.poll() is None:
                process.kill()


def _last_words(lines: IO[str], told: Callable[[float], None]) -> str:
    words = ""
    for line in lines:
        with suppress(ValueError):
            value = json.loads(line)
            if "share" in value:
                told(value["share"])
            words = value.get("words", words)
    return words


def film_of(session: Path) -> Path:
    """Where the next film of a session goes: named like it, in the user's data folder, and never over another."""
    stem = session.name.removesuffix(".journal").removesuffix(".json")
    return free_path(films_folder(), f"{stem}.mp4")
