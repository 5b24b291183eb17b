"""Pages of recorded sessions, written on a thread beside the window, and the folder they are in shown."""

from __future__ import annotations

from pathlib import Path

from batllm_arcade.app.services.background import BackgroundTask, Report
from batllm_arcade.app.services.films.film_jobs import FilmJobs
from batllm_arcade.app.services.films.show_folder import has_desktop, short, show_folder
from batllm_arcade.errors import ArcadeError
from batllm_arcade.files.paths import free_path
from batllm_arcade.session.live_session import sessions_folder
from batllm_arcade.share.shown import Selection
from batllm_arcade.share.write import write_page


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
        stem = session.name.removesuffix(".journal").removesuffix(".json")
        page = write_page(session, free_path(folder, f"{stem}.html"), chosen, notice=report)
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
