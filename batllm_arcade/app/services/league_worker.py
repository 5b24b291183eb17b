"""The process that plays a league for the window and reports on standard output: one JSON object a line.

The first line on standard input says which: `{"folder": ..., "plan": ..., "run": ...}` begins a league there,
`{"folder": ...}` goes on with one, with `"pairs"` to that many for each two players, with `"allowed"` asking these
servers. `{"pairs": 12, "total": 60, "left_s": 40.0}` is how far it is, `{"words": "..."}` a sentence to show,
`{"address": "..."}` a server that nobody has allowed. When standard input ends, the league pauses."""

from __future__ import annotations

import _thread
import io
import json
import os
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from batllm_arcade.errors import ArcadeError
from batllm_arcade.isolation.sandbox import here
from batllm_arcade.league import run as running
from batllm_arcade.league.identity import identity_of
from batllm_arcade.league.league_file import create, keep, open_league
from batllm_arcade.league.plan import checked, grown, plan_from
from batllm_arcade.league.plan_file import RunOptions
from batllm_arcade.league.reuse import reused_by
from batllm_arcade.league.setup import LeagueSetup, load_config, set_up
from batllm_arcade.plugin import manager
from batllm_arcade.processes.child import Output, when_input_ends
from batllm_arcade.settings.foreign import ForeignAddress, own_origins
from batllm_arcade.share.write import QuickPages
from batllm_arcade.video.films import poster_writer

Report = Callable[[Mapping[str, Any]], None]
TABLE_S = 1.0
"""Seconds between two tables, at least: somebody looks at them."""
REPORT_S = 0.25


class _Progress:
    """Reports how far the league is, now and then; the time left is told once there is a pair to judge by."""

    def __init__(self, total: int, report: Report) -> None:
        self._total, self._report = total, report
        self._began, self._first, self._last = time.monotonic(), -1, float("-inf")

    def shown(self, pairs: int) -> None:
        now = time.monotonic()
        self._first = pairs if self._first < 0 else self._first
        if now - self._last < REPORT_S:
            return
        self._last, played = now, pairs - self._first
        left = (self._total - pairs) * (now - self._began) / played if played else None
        self._report({"pairs": pairs, "total": self._total, "left_s": left})


def _new(folder: Path, request: Mapping[str, Any]) -> tuple[LeagueSetup, RunOptions]:
    plan, how = checked(plan_from(request["plan"])), RunOptions(**request["run"])
    how = replace(how, isolation=here(how.isolation))  # from now on it is the same for all who play
    return set_up(plan, load_config(plan), how.choice), how


def _begun(folder: Path, request: Mapping[str, Any]) -> tuple[LeagueSetup, RunOptions]:
    """Return a league that goes on; it grows if more pairs are asked for, or its test is undecided."""
    setup, how, own = open_league(folder, allowed=own_origins(request.get("allowed", ())))
    plan = grown(setup.plan, request.get("pairs") or running.more_pairs(folder, setup.plan))
    if plan != setup.plan:
        setup = replace(setup, plan=plan, agreed=identity_of(plan, setup.config.plugins_dir))
    if plan != setup.plan or not own:
        keep(folder, setup, how)
    return setup, how


def play(request: Mapping[str, Any], report: Report) -> int:
    """Play the league; return 0 if it is complete, 1 if it paused, 2 if it could not begin; raise ArcadeError."""
    folder, new = Path(request["folder"]), "plan" in request
    setup, how = (_new if new else _begun)(folder, request)
    setup = replace(setup, isolation=how.choice)
    plugins = manager.load(setup.config.plugins_dir, how.choice)
    running.check_players(setup, how, plugins)
    reused = reused_by(setup, how, plugins, strict=False)
    setup = replace(setup, inspected=plugins.inspected, isolation=how.choice.trusting(plugins.trusted))
    if new:
        create(folder, setup, how)
    report({"total": setup.plan.total})
    output = running.LeagueOutput(
        running.resume_command(folder), quiet=True, out=io.StringIO(), share=QuickPages().write, new=new,
        reused=reused.get, poster=poster_writer(folder), say=lambda words: report({"words": words}),
        shown=_Progress(setup.plan.total, report).shown, table_s=TABLE_S,
    )  # fmt: skip
    return running.run_league(folder, setup, how, plugins.kinds, output)


def _first_line() -> bytes:
    """Read up to the first line's end, unbuffered: what follows is waited for elsewhere."""
    line = b""
    while not line.endswith(b"\n") and (byte := os.read(0, 1)):
        line += byte
    return line


def main() -> int:
    """Play what standard input asks for; return the exit code."""
    output, request = Output(), json.loads(_first_line())
    when_input_ends(_thread.interrupt_main)  # as ctrl-C does
    try:
        return play(request, output.report)
    except ForeignAddress as strange:
        output.report({"address": strange.origin})
        return 2
    except ArcadeError as error:
        output.report({"words": str(error)})
        return 2
    except KeyboardInterrupt:  # before anything was played
        return 1
