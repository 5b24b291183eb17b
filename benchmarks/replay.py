"""How long a recorded session takes to open, and how long any turn of it takes to be shown.

    python benchmarks/replay.py [--turns 200 2000] [--seeks 400]

A match between two scripts that never ends is played and written first. Opening reads the file, plays it again and
lays out its timeline and its marks; its first picture is the one after that. A seek goes to a turn drawn at random
and draws the whole window at 1280 x 720, bar and all. All is processor time of the one thread that does it, so that a
busy machine does not count. Prints a Markdown row for each length.
"""

from __future__ import annotations

import os
import random
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import TypeVar

os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
os.environ["SDL_VIDEODRIVER"] = "dummy"

import pygame
from common import BenchmarkParser, progress

from batllm_arcade.app.input.controls import Controls
from batllm_arcade.app.replay.screen import ReplayScreen
from batllm_arcade.app.services.film_jobs import FilmJobs
from batllm_arcade.brains.protocol import Spec
from batllm_arcade.core.model import Rules
from batllm_arcade.history.reader import read
from batllm_arcade.history.replay import replay
from batllm_arcade.history.writer import SessionWriter
from batllm_arcade.match import runner
from batllm_arcade.match.runner import MatchPlan
from batllm_arcade.plugin import manager
from batllm_arcade.seats.table import Table
from batllm_arcade.settings.user_settings import Settings
from batllm_arcade.view.timeline import Timeline

SIZE = (1280, 720)
PER_ROUND = 100
HEADING = "| turns | file | read | play again | timeline | marks | first picture | opening | seek median | seek worst |"


class Shell:
    """As much of the window as a replay needs."""

    def __init__(self) -> None:
        self.settings = Settings()
        self.controls, self.films = Controls(self.settings), FilmJobs()

    def pop(self) -> None:
        """Nowhere to go."""


def written(turns: int, path: Path) -> None:
    """A session file of so many turns in which nobody is ever knocked out."""
    rounds = max(1, turns // PER_ROUND)
    rules = Rules(initial_health=(1e6, 1e6), total_rounds=rounds, turns_per_round=turns // rounds)
    seats = (Spec.parse("scripted:dancer"), Spec.parse("scripted:sharpshooter"))
    kinds = manager.load().kinds
    table = Table(kinds, seats, fallback=Spec.parse("scripted:random"), deadline_s=30)
    writer = SessionWriter(path)
    for record in runner.play(MatchPlan(rules, 3), table):
        writer.notify(record)


def shown(screen: ReplayScreen, surface: pygame.Surface) -> None:
    """Lay the screen out and draw it, as the window does once a frame."""
    screen.lay_out(surface.get_size())
    screen.draw(surface)


T = TypeVar("T")


def timed(work: Callable[[], T]) -> tuple[float, T]:
    """Milliseconds of processor time that a call takes, and what it returns."""
    began = time.process_time()
    found = work()
    return 1000 * (time.process_time() - began), found


def row(turns: int, seeks: int, folder: Path) -> str:
    """Open a session of so many turns, and seek in it."""
    path = folder / f"{turns}.json"
    progress(f"a session of {turns} turns")
    written(turns, path)
    reading, session = timed(lambda: read(path))
    playing, records = timed(lambda: list(replay(session)))
    laying, timeline = timed(lambda: Timeline.of(records))
    shell = Shell()
    marking, screen = timed(lambda: ReplayScreen(shell, shell, shell, timeline, path))  # type: ignore[arg-type]
    surface = pygame.Surface(SIZE)
    screen.clock.paused = True
    first, _ = timed(lambda: shown(screen, surface))
    rng, times = random.Random(1), []
    for _ in range(seeks):
        at = rng.choice(screen.index.starts["turn"]) + rng.random()

        def seek(at: float = at) -> None:
            screen.clock.seek(at)
            screen.update(0.0)
            shown(screen, surface)

        times.append(timed(seek)[0])
    opening = reading + playing + laying + marking + first
    parts = [f"{part:.0f} ms" for part in (reading, playing, laying, marking, first, opening)]
    size = f"{path.stat().st_size / 1e6:.1f} MB"
    return f"| {turns} | {size} | {' | '.join(parts)} | {median(times):.1f} ms | {max(times):.1f} ms |"


def main() -> None:
    """Print the table."""
    parser = BenchmarkParser(__doc__, turns=[20], seeks=5)
    parser.add_argument("--turns", type=int, nargs="+", default=[200, 2000])
    parser.add_argument("--seeks", type=int, default=400)
    options = parser.parse()
    pygame.display.init()
    pygame.display.set_mode((1, 1))
    print(HEADING)
    print("| ---: " * 10 + "|")
    with tempfile.TemporaryDirectory() as folder:
        for turns in options.turns:
            print(row(turns, options.seeks, Path(folder)), flush=True)


if __name__ == "__main__":
    main()
