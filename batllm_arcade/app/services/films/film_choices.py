"""The films that the window offers of a game that is over: how long each is, and about how large it gets."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from batllm_arcade.app.services.background import BackgroundTask
from batllm_arcade.files.paths import free_path
from batllm_arcade.session.live_session import films_folder


@dataclass(frozen=True, slots=True)
class FilmChoice:
    """A kind of film: what it is called, what its file's name ends with, the options that make it.

    `rate` is about how many bytes a second of it has, as measured.
    """

    name: str
    suffix: str
    options: Sequence[str]
    rate: float
    what: str

    def out(self, session: Path) -> Path:
        """Return a free name for this film of a session: named like it, in the user's folder of films."""
        stem = session.name.removesuffix(".journal").removesuffix(".json")
        return free_path(films_folder(), f"{stem}{self.suffix}.mp4")

    def words(self, seconds: float | None) -> str:
        """Return what it is, how long, and about how large."""
        if seconds is None:
            return self.what
        return f"{self.what}: {seconds:.0f} s, about {max(0.1, seconds * self.rate / 1e6):.1f} MB"


CHOICES = (
    FilmChoice("The best 30 seconds", "-best", ["--highlights"], 0.14e6, "Hits and the end, 1280x720"),
    FilmChoice("For telephones", "-phone", ["--highlights", "--vertical"], 0.2e6, "The same, upright, 1080x1920"),
    FilmChoice("The whole game", "", [], 0.1e6, "Every turn, 1280x720"),
)


def measure(session: Path, game: int) -> BackgroundTask[list[float]]:
    """Return the task that finds out how many seconds each choice has, for a game counted from 1."""
    return BackgroundTask("measuring films", lambda report: _lengths(session, game))


def _lengths(session: Path, game: int) -> list[float]:
    """Return the seconds of each choice, nothing where films cannot be made here."""
    try:
        from batllm_arcade.video.encode import formats
        from batllm_arcade.video.film_plan import FilmPlan
        from batllm_arcade.video.render_job import RenderJob
    except ImportError:
        return []
    from batllm_arcade.history.reader import read

    tape, found = read(session), []
    for choice in CHOICES:
        out = Path(f"film{choice.suffix}.mp4")
        shape = formats.shape(out, None, None, vertical="--vertical" in choice.options)
        plan = FilmPlan(out, shape, game=game, highlights="--highlights" in choice.options)
        found.append(RenderJob(tape, plan).edit_list.seconds)
    return found
