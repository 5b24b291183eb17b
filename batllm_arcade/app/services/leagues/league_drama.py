"""Finds the most dramatic game that was kept of a pairing, by the measure that highlights are chosen by."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from batllm_arcade.analysis.game import swings
from batllm_arcade.app.services.background import BackgroundTask, Report
from batllm_arcade.app.services.leagues.league_games import kept_games
from batllm_arcade.app.services.opening import open_timeline
from batllm_arcade.errors import ArcadeError, UsageError
from batllm_arcade.settings.display import DisplayOptions
from batllm_arcade.video.edit.highlights import drama
from batllm_arcade.view.timeline import Timeline

MOST = 16
"""Games that are looked at, those that were closest at their end."""


@dataclass(frozen=True, slots=True, eq=False)
class DramaticGame:
    """A session to watch, and the file it is in."""

    path: Path
    timeline: Timeline


class DramaSearch(BackgroundTask[DramaticGame]):
    """A search on a thread; it may be cancelled at any moment."""

    def __init__(self, folder: Path, pairing: tuple[str, str], display: DisplayOptions) -> None:
        self.pairing = pairing
        super().__init__("drama search", lambda report: find_dramatic(folder, pairing, display, report))


def find_dramatic(folder: Path, pairing: tuple[str, str], display: DisplayOptions, report: Report) -> DramaticGame:
    """Return the most dramatic of a pairing's kept games; raise UsageError if none was kept or none can be read."""
    report("looking for the games that were kept")
    games = sorted(kept_games(folder, pairing), key=lambda game: (game.health, -game.turns, str(game.path)))[:MOST]
    best: DramaticGame | None = None
    most, problem = -1.0, ""
    for number, game in enumerate(games, 1):
        report(f"watching game {number} of {len(games)}")
        try:
            timeline = open_timeline(game.path, display, lambda text: None)
        except ArcadeError as error:
            problem = str(error)
            continue
        measure = drama(timeline, swings(segment.record for segment in timeline.segments))
        if measure > most:
            best, most = DramaticGame(game.path, timeline), measure
    if best is None:
        one, other = pairing
        raise UsageError(f"no game of {one} against {other} was kept" + (f"; {problem}" if problem else ""))
    return best
