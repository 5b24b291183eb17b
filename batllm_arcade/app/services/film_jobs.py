"""Films and pages that are made beside the window."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path

from batllm_arcade.app.kit.widgets import Button
from batllm_arcade.app.services.background import BackgroundTask, Report
from batllm_arcade.errors import ArcadeError
from batllm_arcade.files.atomic import move_into_place
from batllm_arcade.files.paths import free_path
from batllm_arcade.history.paths import films_folder, sessions_folder
from batllm_arcade.processes.child import Child, Ended, Launch, Limits, Line, Link, message_of, python_command
from batllm_arcade.share.shown import Selection
from batllm_arcade.share.write import write_page

_WAIT_S = 5.0
"""Seconds in which an opener that fails says so; one that still runs then has opened the folder."""


def show_folder(folder: Path) -> BackgroundTask[bool]:
    """Return the task that opens a folder on the desktop; its error says in one sentence where the folder is."""
    return BackgroundTask("showing a folder", lambda report: _show(folder))


def has_desktop() -> bool:
    """Return whether there is a window, and so a desktop on which a folder could be shown."""
    return os.environ.get("SDL_VIDEODRIVER") not in ("dummy", "offscreen")


def short(folder: Path) -> str:
    """Return a folder as it is shown: the user's own folder is `~`."""
    home = Path.home()
    return f"~{os.sep}{folder.relative_to(home)}" if folder.is_relative_to(home) and folder != home else str(folder)


def _show(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if sys.platform == "win32":
            os.startfile(folder)
            return True
        opener = "open" if sys.platform == "darwin" else "xdg-open"
        program = subprocess.Popen(
            [opener, str(folder)], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            start_new_session=True,
        )  # fmt: skip
        failed = program.wait(_WAIT_S) != 0
    except subprocess.TimeoutExpired:
        failed = False
    except OSError:
        failed = True
    if failed:
        raise ArcadeError(f"the folder cannot be opened from here; it is {short(folder)}")
    return True


WORKER = python_command("from batllm_arcade.app.services.film_worker import main; sys.exit(main(sys.argv[1:]))")
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
        """Film a session file with options of `video`; do nothing while a film is being made."""
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

    @property
    def news(self) -> str:
        """What is said of the film, and how much of it is done."""
        return self.words if self.share is None else f"{self.words}  {self.share:.0%}"

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


def film_of(session: Path, suffix: str = "") -> Path:
    """Return a free name for the next film of a session: named like it, in the user's folder of films."""
    return free_path(films_folder(), f"{_stem(session)}{suffix}.mp4")


def _stem(session: Path) -> str:
    return session.name.removesuffix(".journal").removesuffix(".json")


def pages_folder() -> Path:
    """Return the folder of the window's pages, beside the sessions; it may not exist yet."""
    return sessions_folder().parent / "pages"


def share_page(films: FilmJobs, session: Path, chosen: Selection = Selection()) -> BackgroundTask[Path]:  # noqa: B008, frozen
    """Return the task that writes the page of a session and shows its folder; `films.words` says what becomes of it."""
    films.words = f"making a page of {session.name}"
    return BackgroundTask("sharing", lambda report: _write(films, session, chosen, report))


def _write(films: FilmJobs, session: Path, chosen: Selection, report: Report) -> Path:
    folder = pages_folder()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        page = write_page(session, free_path(folder, f"{_stem(session)}.html"), chosen, notice=report)
    except OSError as error:
        films.words = f"pages cannot be kept in {short(folder)} ({error.strerror})"
        raise ArcadeError(films.words) from None
    except ArcadeError as error:
        films.words = f"no page was made: {error}"
        raise
    films.words = f"{page.sentence}, in {short(folder)}"
    if has_desktop():
        show_folder(folder)
    return page.path


CHOICES: tuple[tuple[str, str, str, Sequence[str]], ...] = (
    ("The best moments", "Film, hits and the end, at most 30 s, 1280x720", "-best", ["--highlights"]),
    ("For telephones", "Film, the same, upright, 1080x1920", "-phone", ["--highlights", "--vertical"]),
    ("The whole game", "Film, every turn, 1280x720", "", []),
)
"""The kinds of film: what each is called, what it is, what its file's name ends with, and the options that make it."""
_SAVE, _HINT = "Save or share", "A film of this game, or one web page that plays it, made while you go on"
_STOP = "Nothing of it is kept then"
_PAGE = ("A page", "One web page that plays this game in any browser")
_SHOW = ("Show the last one", "Opens the folder that it is in")


Pick = Callable[[str, Sequence[tuple[str, str]], Callable[[int], None]], None]
"""Shows a list under a title; a choice calls a function with its index."""


class SaveVideo:
    """Makes films of one session's game on request, one at a time; `show_films` opens the folder of films.

    `share` makes a page of it.
    """

    def __init__(
        self, films: FilmJobs, show_films: Callable[[], None], pick: Pick, session: Path, game: int,
        share: Callable[[], None],
    ) -> None:  # fmt: skip
        self._share = share
        self._films, self._show_films, self._pick, self._session, self._game = films, show_films, pick, session, game
        self._asked = False
        self.button = Button(_SAVE, self._press, hint=_HINT)

    def update(self) -> None:
        """Say on the button what it does now; show the folder once a film that was asked for here is made."""
        films = self._films
        free = films.share is None
        self.button.text, self.button.hint = (_SAVE, _HINT) if free else ("Stop the video", _STOP)
        if self._asked and films.share is None:
            self._asked = False
            if films.saved is not self._before and has_desktop():
                self._show_films()

    def _press(self) -> None:
        if self._films.share is not None:
            self._films.stop()
            return
        items = [(name, what) for name, what, _, _ in CHOICES]
        items += [_PAGE, *([_SHOW] if self._films.made_of(self._session) else [])]
        self._pick("Save or share this game", items, self._choose)

    def _choose(self, index: int) -> None:
        if index >= len(CHOICES):
            (self._share, self._show_films)[index - len(CHOICES)]()
            return
        self._before, self._asked = self._films.saved, True
        _, _, suffix, options = CHOICES[index]
        self._films.start(self._session, film_of(self._session, suffix), ["--game", str(self._game), *options])
