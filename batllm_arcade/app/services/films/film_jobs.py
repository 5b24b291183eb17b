"""Films of recorded sessions, made by a process of their own while the window goes on; one at a time."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Sequence
from pathlib import Path

from batllm_arcade.app.services.films.show_folder import short
from batllm_arcade.files.atomic import move_into_place
from batllm_arcade.files.paths import free_path
from batllm_arcade.processes.child import Child, Link
from batllm_arcade.processes.launch import Ended, Launch, Limits, python_command
from batllm_arcade.processes.lines import Line, message_of
from batllm_arcade.session.live_session import films_folder

WORKER = python_command("from batllm_arcade.app.services.films.film_worker import main; sys.exit(main(sys.argv[1:]))")
"""The command of the process; its arguments follow."""
_NICENESS = 5
"""How far the process stands back behind the window, as `nice` counts."""


class FilmJobs:
    """The film being made and what became of the last one; every call returns at once, but for `join` and `close`."""

    def __init__(self) -> None:
        self.share: float | None = None
        """How much of the film is done, 0 to 1; None while none is being made."""
        self.words = ""
        """What became of the last film, or which one is being made."""
        self.saved: tuple[Path, Path] | None = None
        """The session that was filmed last, and its film."""
        self._child: Child | None = None
        self._stopped, self._said = False, ""

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
        self.share, self.words = 0.0, f"filming {out.name}"
        self._stopped, self._said, self._film = False, "", (session, out, Path(folder))
        command = [*WORKER, str(session.absolute()), "-o", str(out.absolute()), *options]
        environment = {**os.environ, "SDL_VIDEODRIVER": "dummy", "SDL_AUDIODRIVER": "dummy"}
        launch = Launch(command, environment, Limits(nice=_NICENESS), folder, keep=True)
        self._child = Child(launch, self, "film")

    def join(self) -> None:
        """Wait until it is known what became of the film."""
        if self._child is not None:
            self._child.join()

    def connected(self, link: Link) -> None:
        """Say nothing: the process knows all it needs."""

    def received(self, line: Line) -> None:
        """Take a report of the process; raise ValueError if it is none."""
        report = message_of(line)
        self.share = report.get("share", self.share)
        self._said = report.get("words", self._said)

    def gone(self, ended: Ended) -> None:
        """Take what became of the film, and say it."""
        words, (session, out, folder) = self._said or "the film could not be made", self._film
        if ended.code == 0:
            try:
                out = _move_to_free_name(folder / out.name, out)
                words, self.saved = f"{words}, in {short(out.parent)}", (session, out)
            except OSError as error:
                words = f"the film {out.name!r} cannot be written: {error.strerror}"
        elif self._stopped:
            left = f"{folder.name!r} is left of it" if folder.exists() else "nothing of it is kept"
            words = f"the film was stopped, {left}"
        self.words, self.share = words, None

    def made_of(self, session: Path | None) -> bool:
        """Return whether the last film was made of this session, and none is being made now."""
        return self.share is None and self.saved is not None and self.saved[0] == session

    def stop(self) -> None:
        """Stop making the film; nothing of it is kept."""
        if self.share is not None and self._child is not None:
            self._stopped = True
            self._child.abandon()

    def close(self) -> None:
        """The window closes: no process and nothing unfinished is left behind."""
        self.stop()
        self.join()


def _move_to_free_name(film: Path, out: Path) -> Path:
    """Move a film to `out`, else to the next free name, where something has appeared meanwhile; return where it is."""
    while True:
        try:
            move_into_place(film, out, new=True)
        except FileExistsError:
            out = free_path(out.parent, out.name)
        else:
            return out


def film_of(session: Path) -> Path:
    """Return a free name for the next film of a session: named like it, in the user's folder of films."""
    stem = session.name.removesuffix(".journal").removesuffix(".json")
    return free_path(films_folder(), f"{stem}.mp4")
