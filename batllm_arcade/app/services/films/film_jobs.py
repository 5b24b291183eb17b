"""Films of recorded sessions, made by a process of their own while the window goes on; one at a time."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import IO

from batllm_arcade.app.services.films.show_folder import short
from batllm_arcade.files.paths import free_path
from batllm_arcade.session.live_session import films_folder

_PROCESS = "batllm_arcade.app.services.films.film_worker"
STOPPED = "the film was stopped, nothing of it is kept"


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
            # What is unfinished is in a folder of its own, which goes with it however it ends.
            folder = tempfile.mkdtemp(prefix=f"{out.stem[:40]}.partial-", dir=out.parent)
        except OSError as error:
            self.words = f"films cannot be kept in {str(out.parent)!r} ({error.strerror})"
            return
        self.share, self.words, self._cancelled = 0.0, f"filming {out.name}", False
        self._process = subprocess.Popen(
            [sys.executable, "-m", _PROCESS, str(session), "-o", str(out), "--folder", folder, *options],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
            env={**os.environ, "SDL_VIDEODRIVER": "dummy", "SDL_AUDIODRIVER": "dummy"},
            start_new_session=True,
        )  # fmt: skip
        self._listener = threading.Thread(
            target=self._listen, args=(self._process, session, out, Path(folder)), daemon=True, name="film"
        )
        self._listener.start()

    def join(self, seconds: float | None = None) -> None:
        """Wait until it is known what became of the film, at most so long."""
        if self._listener is not None:
            self._listener.join(seconds)

    def _listen(self, process: subprocess.Popen[str], session: Path, out: Path, folder: Path) -> None:
        assert process.stdout is not None
        assert process.stdin is not None
        with process.stdout as lines:
            words = _last_words(lines, self._set_share)
        failed, stopped = process.wait() != 0, self._cancelled
        process.stdin.close()  # nothing is ever written: its end tells the film that the program is gone
        try:
            if not failed and not stopped:
                os.replace(folder / out.name, out)
                words, self.saved = f"{words}, in {short(out.parent)}", (session, out)
        except OSError as error:
            words = f"the film {out.name!r} cannot be written: {error.strerror}"
        shutil.rmtree(folder, ignore_errors=True)
        if stopped:
            words = STOPPED if not folder.exists() else f"the film was stopped, and {folder.name!r} is left of it"
        self.words, self.share, self._process = words or "the film could not be made", None, None

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
            process.kill()

    def close(self) -> None:
        """The window closes: no process and nothing unfinished is left behind."""
        self.stop()
        self.join()


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
