"""Finds the most dramatic game that was kept of a pairing, by the measure that highlights are chosen by."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from batllm_arcade.analysis.game import swings
from batllm_arcade.app.services.background import BackgroundTask, Report
from batllm_arcade.app.services.opening import open_timeline
from batllm_arcade.errors import ArcadeError, UsageError
from batllm_arcade.league.output.pages import kept
from batllm_arcade.league.store import PAIRS
from batllm_arcade.settings.display import DisplayOptions
from batllm_arcade.video.edit.highlights import drama
from batllm_arcade.view.timeline import Timeline

MOST = 16
"""Games that are looked at, those that were closest at their end."""
_NO_LINE = (ValueError, KeyError, TypeError, IndexError, AttributeError)


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
    candidates = sorted(_games(folder, pairing))[:MOST]
    best: DramaticGame | None = None
    most, problem = -1.0, ""
    for number, (*_, path) in enumerate(candidates, 1):
        report(f"watching game {number} of {len(candidates)}")
        try:
            timeline = open_timeline(path, display, lambda text: None)
        except ArcadeError as error:
            problem = str(error)
            continue
        measure = drama(timeline, swings(segment.record for segment in timeline.segments))
        if measure > most:
            best, most = DramaticGame(path, timeline), measure
    if best is None:
        one, other = pairing
        why = problem or "play with --sessions decisive to keep them"
        raise UsageError(f"no game of {one} against {other} was kept; {why}")
    return best


def _games(folder: Path, pairing: tuple[str, str]) -> Iterator[tuple[float, int, Path]]:
    """Yield the kept games of a pairing: the winner's last health, the turns as a negative number, the session."""
    sessions = folder / "sessions"
    there = set(kept(sessions, 10**9))
    try:
        with (folder / PAIRS).open("rb") as file:
            for line in file:
                try:
                    yield from _kept_games(json.loads(line), pairing, there, sessions)
                except _NO_LINE:
                    continue  # torn, or not ours
    except OSError:
        return


def _kept_games(
    pair: Any, pairing: tuple[str, str], there: set[tuple[int, int]], sessions: Path
) -> Iterator[tuple[float, int, Path]]:
    if set(pair["players"]) != set(pairing):
        return
    for number, game in enumerate(pair["games"], 1):
        if (pair["pair"], number) in there:
            health = max(float(each) for each in game["health"].values())
            yield health, -int(game["turns"]), sessions / f"{pair['pair']}-{number}.json"
