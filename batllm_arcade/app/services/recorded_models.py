"""The recorded sessions in which a model played, which a cassette can play again."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from batllm_arcade.app.services.background import BackgroundTask, Leftover, Report
from batllm_arcade.app.services.session_list import SessionEntry, find_sessions
from batllm_arcade.brains.protocol import BrainKind, Spec
from batllm_arcade.core.model import Rules
from batllm_arcade.errors import ArcadeError
from batllm_arcade.history.reader import read
from batllm_arcade.history.summary import summary
from batllm_arcade.match.result_text import distinct
from batllm_arcade.session.live_session import SessionPlan
from batllm_arcade.session.recorded_match import CASSETTE

LARGEST_BYTES = 2 * 1024 * 1024
"""A larger session is not read for the list of players."""
_READ, MOST = 24, 5
"""Newest sessions that are read, and how many of them are offered at most."""


@dataclass(frozen=True, slots=True)
class RecordedModel:
    """A recorded session as a player: what it is called, what is said about it, and the match that it needs."""

    spec: Spec
    title: str
    about: str
    rules: Rules
    seed: int
    prompts: tuple[str, str]


class RecordedModels:
    """Looks for them on a thread; none are looked for where no cassette can be played."""

    def __init__(self, kinds: Mapping[str, BrainKind], folder: Path, wait_at_end: Callable[[Leftover], None]) -> None:
        self.offered: tuple[RecordedModel, ...] = ()
        self._task: BackgroundTask[tuple[RecordedModel, ...]] | None = None
        if CASSETTE in kinds:
            self._task = BackgroundTask("recorded models", lambda report: find_recorded(folder, report))
            wait_at_end(self._task)

    def update(self) -> bool:
        """Take what has been found; return whether there is something new to be offered."""
        task, self._task = self._task, None
        if task is not None and not task.done:
            self._task = task
        self.offered = (task.result if task is not None and task.done else None) or self.offered
        return task is not None and task.done and bool(self.offered)

    def applied(self, plan: SessionPlan) -> SessionPlan:
        """Return a plan in which one of them plays with the rules, seed and orders that it was recorded with."""
        for each in self.offered:
            if any((spec.name, spec.variant) == (CASSETTE, each.spec.variant) for spec in plan.seats):
                config = replace(plan.config, rules=each.rules, prompts=each.prompts)
                return replace(plan, config=config, seed=each.seed)
        return plan


def find_recorded(folder: Path, report: Report) -> tuple[RecordedModel, ...]:
    """Return the newest sessions of a folder whose first game was played by a model."""
    found: list[RecordedModel] = []
    for entry in find_sessions(folder)[:_READ]:
        report(entry.path.name)
        each = _recorded(entry) if entry.bytes <= LARGEST_BYTES else None
        found += [each] if each is not None else []
        if len(found) == MOST:
            break
    return tuple(found)


def _recorded(entry: SessionEntry) -> RecordedModel | None:
    try:
        session = read(entry.path)
    except ArcadeError:
        return None
    game = session.games[0] if session.games else None
    if game is None or not game.rounds or not game.drawn or game.forked_from is not None:
        return None
    models = [seat for seat in game.seats if seat.model]
    if not models or any(each.brain.partition(":")[0] == CASSETTE for each in game.seats):
        return None
    entry.summary = summary(session)
    left, right = distinct((game.seats[0].name, game.seats[1].name))
    about = f"{left} against {right} as recorded, while both seats play as they did: give it both"
    title = f"{models[0].name} \u00b7 {entry.when()}"
    spec = Spec(CASSETTE, str(entry.session_file), {"pace": "1"})
    return RecordedModel(spec, title, about, game.rules, game.seed, game.rounds[0].prompts)
