"""The match that plays on from a recorded one, put together on a thread."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from batllm_arcade.app.services.background import Report
from batllm_arcade.history.reader import read
from batllm_arcade.history.what_if.forking import TurnPlace, fork_at
from batllm_arcade.plugin import manager
from batllm_arcade.plugin.manager import Plugins
from batllm_arcade.seats.brain_thread import find_person
from batllm_arcade.session.forked_session import fork_config, fork_seats, recorded_config
from batllm_arcade.session.live_session import SessionPlan, new_history_file
from batllm_arcade.settings.foreign import Recorded, own_origins


def play_on_plan(
    path: Path, place: TurnPlace, bot: int | None, plugins: Plugins, report: Report, allowed: Iterable[str] = ()
) -> tuple[Plugins, SessionPlan]:
    """Return the plan of a fork, a person in the seat of `bot`, and the plugins it is played with.

    Plugins are loaded if there are none, in a window for a replay. Raise UsageError if it cannot be played on there,
    ForeignAddress if a brain asks an address that nobody has `allowed`.
    """
    report("reading the file")
    fork = fork_at(read(path), place)
    if not plugins.kinds:
        report("loading players")
        plugins = manager.load()
    person = find_person(plugins.kinds) if bot is not None else None
    fork = replace(fork, new=(bot == 0, bot == 1))
    left, right = (person if new else None for new in fork.new)
    recorded = Recorded(plugins.kinds, own_origins(allowed), "take the {who} seat yourself")
    plan = SessionPlan(
        fork_config(recorded_config(fork), fork), fork_seats(fork, (left, right), recorded, report), fork.started.seed,
        history=new_history_file(), fork=fork,
    )  # fmt: skip
    return plugins, plan
