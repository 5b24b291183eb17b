"""A match against each stranger, a few at a time, as the user of a world to throw away: `MODE KIND...`; prints JSON."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from strange_world import BOTS, HOME

from batllm_arcade.brains.protocol import Spec
from batllm_arcade.history.reader import read
from batllm_arcade.history.verification import verify
from batllm_arcade.match.records import GameEnded, Play
from batllm_arcade.plugin import manager
from batllm_arcade.plugin.isolated import IsolationChoice
from batllm_arcade.processes import child
from batllm_arcade.session.live_session import LiveSession, SessionPlan
from batllm_arcade.settings import config

AT_ONCE = 4


def spec_of(kind: str) -> Spec:
    limits = {"memory_mb": "64", "deadline_s": "0.2" if kind in ("stop", "spin", "closed") else "20"}
    if kind.startswith("py_"):
        return Spec(kind, "", {**limits, "memory_mb": "200"})
    line = f"{shlex.quote(sys.executable)} -I -S {BOTS / 'stranger.py'} {kind}"
    return Spec("proc", "", {"cmd": line, **limits}) if kind != "good" else Spec("proc", "", {"cmd": line})


def played(kind: str, plugins: manager.Plugins) -> Mapping[str, object]:
    path = HOME / "sessions" / f"{kind}.json"
    rules = config.with_lengths(config.load("default"), 1, 3)
    plan = SessionPlan(rules, (Spec("scripted", "turtle"), spec_of(kind)), seed=5, history=path, bot_logs=True)
    session = LiveSession(plan, plugins)
    table = session.table(plan)
    try:
        table.prepare(lambda _: None)
        records = list(session.match(plan, table))
    finally:
        session.close()
        table.close()
    plays = [record for record in records if isinstance(record, Play)]
    return {
        "ended": [record.result.reason for record in records if isinstance(record, GameEnded)],
        "other": [play.status for play in plays if play.bot == 0],
        "own": [play.status for play in plays if play.bot == 1],
        "reasons": [play.reason for play in plays if play.bot == 1 and play.reason],
        "verified": [str(each) for each in verify(read(path))],
        "isolation": json.loads(path.read_text())["games"][0]["seats"][1].get("isolation"),
    }


def main() -> None:
    mode, *kinds = sys.argv[1:]
    child.QUIT_S, child.TERM_S = 0.3, 0.05
    folder = BOTS / "plugins" if any(kind.startswith("py_") for kind in kinds) else None
    plugins = manager.load(Path(folder) if folder else None, IsolationChoice("files", mode))
    for problem in plugins.problems:
        sys.stderr.write(f"PROBLEM {problem}\n")
    with ThreadPoolExecutor(AT_ONCE if mode == "sandbox" else 1) as pool:  # outside of one they slow each other down
        found = dict(zip(kinds, pool.map(lambda kind: played(kind, plugins), kinds), strict=True))
    print(json.dumps(found))


if __name__ == "__main__":
    main()
