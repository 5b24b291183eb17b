"""One session: a configuration, a table and its observers, ready to be played by a window or without one."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from batllm_arcade import match, plugin_manager
from batllm_arcade.brains import Spec
from batllm_arcade.config import Config
from batllm_arcade.history.writer import make_way
from batllm_arcade.program import program
from batllm_arcade.records import Record
from batllm_arcade.seating import Table


@dataclass(frozen=True, slots=True)
class SessionPlan:
    """What one session is to be; `seats` left first, `history` the file to write or None."""

    config: Config
    seats: tuple[Spec, Spec]
    seed: int
    games: int = 1
    history: Path | None = None
    console: bool = False


class LiveSession:
    """A session that can be played; UsageError where a seat's options are wrong."""

    def __init__(self, plan: SessionPlan, plugins: plugin_manager.Plugins) -> None:
        config = plan.config
        self.plan = plan
        self.table = Table(plugins.kinds, plan.seats, fallback=config.fallback, deadline_s=config.deadline_s)
        self.observers = plugins.observers(plan)

    def records(self) -> Iterator[Record]:
        """Play; every record is told to the observers before it is yielded."""
        config = self.plan.config
        plan = match.MatchPlan(
            config.rules,
            self.plan.seed,
            self.plan.games,
            config.prompts,
            config.style,
            config.header_template,
            program(),
        )
        return self.observers.watching(match.play(plan, self.table))


def new_seed() -> int:
    """A seed for a match nobody gave one for; it is shown and recorded."""
    return random.SystemRandom().randrange(1_000_000)


def new_history_file() -> Path:
    """A new session file in the user's data folder, named by the time."""
    import platformdirs  # only where a session is kept without --history

    folder = Path(platformdirs.user_data_dir("batllm-arcade", appauthor=False)) / "sessions"
    folder.mkdir(parents=True, exist_ok=True)
    stem = datetime.now().strftime("%Y%m%d-%H%M%S")
    for number in range(1, 1000):
        path = folder / (f"{stem}.json" if number == 1 else f"{stem}-{number}.json")
        if not path.exists() and not path.with_name(path.name + ".journal").exists():
            break
    make_way(path, force=False)
    return path
