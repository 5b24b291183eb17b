"""Sessions of every kind, played by this program as people play them: with swaps, take-overs, forks, bots of files."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from batllm_arcade.brains.protocol import Spec
from batllm_arcade.cli.main import main
from batllm_arcade.match.records import Play
from batllm_arcade.match.series import Series
from batllm_arcade.plugin.manager import load
from batllm_arcade.seats.table import Table
from batllm_arcade.session.live_session import LiveSession, SessionPlan
from batllm_arcade.settings import config as configuration

SHORT = ("--rounds", "2", "--turns", "8", "--quiet")
BOTS = {
    "fails": "raise ValueError('it broke')",
    "draws": "return clock.rng.choice(['M', 'S', 'B', f'C{clock.rng.randrange(360)}'])",
    "fails_later": "return 'M' if clock.turn < 3 else 1 / 0",
}
"""Bots of files: what each does in a play."""


def run(path: Path, left: str, right: str, *options: str, config: str = "couch", seed: int = 5, code: int = 0) -> Path:
    how = ["--config", config, "--seed", str(seed), *SHORT, *options]
    assert main(["run", *how, "--left", left, "--right", right, "--history", str(path), "--force"]) == code
    return path


def fork(session: Path, out: Path, place: str, *options: str) -> Path:
    assert main(["fork", str(session), "--at", place, "--history", str(out), "--quiet", "--force", *options]) == 0
    return out


def outside(folder: Path, *names: str) -> tuple[str, ...]:
    """Options for bots of files, which are written into a folder; each file there is a process to look at it."""
    folder.mkdir(exist_ok=True)
    for name in names:
        code = f"from batllm_arcade import bot\n\n@bot('{name}')\ndef decide(me, foe, clock):\n    {BOTS[name]}\n"
        (folder / f"{name}.py").write_text(code)
    return ("--plugins-dir", str(folder), "--isolation", "process")


def live(path: Path, acts: Mapping[int, Callable[[Table], Any]], **more: Any) -> Path:
    """Play as the window does; behind so many plays somebody acts at the table. A person's command is always `M`."""
    options = {"left": "scripted:random", "right": "scripted:dancer", "rounds": 2, "turns": 8, "games": 1} | more
    plugins = load()
    config = configuration.with_lengths(configuration.load("couch"), options["rounds"], options["turns"])
    seats = (Spec.parse(options["left"]), Spec.parse(options["right"]))
    plan = SessionPlan(config, seats, 5, options["games"], path, series=options.get("series"))
    session = LiveSession(plan, plugins)
    table = session.table(plan)
    over = threading.Event()
    threading.Thread(target=_person, args=(table, over), daemon=True).start()
    try:
        table.prepare(lambda _: None)
        plays = 0
        for record in session.records(plan, table):
            plays += isinstance(record, Play)
            if isinstance(record, Play) and plays in acts:
                acts[plays](table)
    finally:
        over.set()
        table.close()
    return path


def _person(table: Table, over: threading.Event) -> None:
    asked = None
    while not over.is_set():
        request = table.thinking
        if request is not None and request is not asked and request.seat.human:
            asked = request
            request.live.submit_command("M")
        time.sleep(0.001)


def swap(bot: int, brain: str) -> Callable[[Table], None]:
    def act(table: Table) -> None:
        table.swap(bot, Spec.parse(brain))
        while not (pending := table.pending(bot)) or not pending.ready:
            time.sleep(0.001)

    return act


def take_over(bot: int) -> Callable[[Table], None]:
    return lambda table: table.take_over(bot)


def hand_back(bot: int) -> Callable[[Table], None]:
    return lambda table: table.hand_back(bot)


def best_of(games: int) -> Series:
    return Series(games)
