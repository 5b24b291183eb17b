"""Cups of scripts, played without a window."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from batllm_arcade.cup.folder import Cup
from batllm_arcade.cup.tree import CupEntrant, CupPlan, Match, next_match
from batllm_arcade.plugin import manager
from batllm_arcade.session.live_session import LiveSession


def plan(names: Sequence[str], **values: Any) -> CupPlan:
    return CupPlan(tuple(CupEntrant(name, "scripted:dancer") for name in names), **values)


def played(folder: Path, names: Sequence[str], **values: Any) -> Cup:
    """A cup of these names that is over."""
    cup = Cup.create(folder, plan(names, **values))
    while next_match(cup.tree) is not None:
        cup.take(play(cup))
    return cup


def play(cup: Cup) -> Match:
    """Play the next game of a cup; return its match before it."""
    match = next_match(cup.tree)
    assert match is not None
    session_plan = cup.session_plan(match)
    session = LiveSession(session_plan, _plugins())
    table = session.table(session_plan)
    table.prepare(lambda text: None)
    for _record in session.match(session_plan, table):
        pass
    session.close()
    table.close()
    return match


@cache
def _plugins() -> Any:
    return manager.load()
