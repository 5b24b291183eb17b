"""Hostile bots on either side: each costs its own plays and nothing else, is told by its right name, leaves nothing."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from paths import TESTS
from resources import SOON, nothing_left

from batllm_arcade.brains.protocol import BrainError, Spec
from batllm_arcade.core.model import SEATS, Rules
from batllm_arcade.match import runner
from batllm_arcade.match.records import GameEnded, Play, SeatSwapped
from batllm_arcade.match.runner import MatchPlan
from batllm_arcade.plugin import manager
from batllm_arcade.processes import child
from batllm_arcade.seats.table import Table

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")

BOT = TESTS / "support" / "hostile_bots.py"
KINDS = manager.load().kinds
RULES = Rules(total_rounds=1, turns_per_round=4)
LATE = "no answer within 0.3 s"
PROCESS = {"isolation": "process"}
EXPECTED = {
    "mute": ("timeout", LATE, "late 3"),
    "flooding": ("error", "garbage: it wrote more than 1 MiB or 4096 lines for one answer", "garbage 3"),
    "half_a_line": ("timeout", LATE, "late 3"),
    "long_line": ("error", "garbage: a line of more than 64 KiB", "garbage 3"),
    "forking": ("error", "crashed: it had ", "crashed 3"),
    "stubborn": ("ok", "", ""),
    "allocating": ("error", "crashed: it ended with exit code 1", "crashed 3"),
    "spinning": ("timeout", LATE, "late 3"),
    "exiting": ("error", "crashed: it ended with exit code 3", "crashed 3"),
    "segfault": ("error", "crashed: it used memory that is not its own", "crashed 3"),
    "closing": ("error", "crashed: it closed its output", "crashed 3"),
    "printing": ("ok", "", ""),
    "wrong_type": ("error", "garbage: a play whose command is no text", "garbage 3"),
    "killing_guard": ("error", "crashed: its guard was ended", "crashed 3"),
    "stopping_guard": ("error", "crashed: its guard was stopped", "crashed 3"),
}
"""The status of a play, how its reason begins, and what the brain has counted in the end."""


def bot(kind: str, **options: object) -> Spec:
    # Without the packages of the installation, so that it is there in an instant.
    line = f"{sys.executable} -I -S {BOT} {kind}"
    return Spec(
        "proc", "", {"cmd": line, "isolation": "process", **{key: str(value) for key, value in options.items()}}
    )


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(child, "QUIT_S", 0.2)
    monkeypatch.setattr(child, "TERM_S", 0.05)
    monkeypatch.setattr(child, "CLOSED_S", 0.2)


def play(kind: str, seat: int) -> tuple[list[object], str, list[str]]:
    """The records of a match against a turtle, and what the brain has counted and logged."""
    # A bot that only has to be on time when it is late anyway gets all the time it needs on a busy machine.
    limit = 0.3 if EXPECTED[kind][0] == "timeout" else 30
    hostile = bot(kind, deadline_s=limit, memory_mb=64)
    specs = [Spec("scripted", "turtle")] * 2
    specs[seat] = hostile
    table = Table(KINDS, (specs[0], specs[1]), fallback=Spec("scripted", "turtle"))
    brain = table._seats[seat].brain_thread.brain
    try:
        table.prepare(lambda _: None)
        records = list(runner.play(MatchPlan(RULES, seed=3), table))
    finally:
        table.close()
    return records, str(brain.faults), brain.log.lines()


@pytest.mark.parametrize("kind", EXPECTED)
def test_a_hostile_bot_costs_its_plays_and_nothing_else(kind):
    status, reason, faults = EXPECTED[kind]
    with nothing_left(), ThreadPoolExecutor(2) as both:
        found = list(both.map(play, [kind] * 2, (0, 1)))
    for seat, (records, counted, log) in enumerate(found):
        plays = [record for record in records if isinstance(record, Play)]
        mine = [each for each in plays if each.bot == seat][: 3 if status != "ok" else 4]
        assert [(each.status, each.reason.startswith(reason)) for each in mine] == [(status, True)] * len(mine), mine
        assert {each.status for each in plays if each not in mine} <= {"ok"}
        # On a busy machine a brain's thread may come to its third question when that is over.
        assert counted in (faults, faults.replace("late 3", "late 2"))
        swaps = [record for record in records if isinstance(record, SeatSwapped)]
        assert [(swap.bot, swap.why) for swap in swaps] == ([] if status == "ok" else [(seat, "fallback")])
        assert [record for record in records if isinstance(record, GameEnded)]
        if kind == "printing":
            assert log[:4] == ["debugging", "[1, 2]", "colour", "{no json"]
            assert mine[0].decision.thought == "round and round"


def test_a_bot_that_says_nothing_is_silent_and_one_that_cannot_run_has_crashed(tmp_path):
    (tmp_path / "broken").write_text("#!/no/such/program\n")
    (tmp_path / "broken").chmod(0o755)
    for spec, problem in (
        (
            bot("silent", prepare_s=0.4),
            "right: silent: it did not say that it is ready within 0.4 s; if it did, it has to flush its output "
            "after every line",
        ),
        (
            Spec("proc", str(tmp_path / "broken"), PROCESS),
            "right: crashed: it could not be started: No such file or directory",
        ),
    ):
        with nothing_left():
            table = Table(KINDS, (Spec("scripted", "turtle"), spec), fallback=Spec("scripted", "random"))
            with pytest.raises(BrainError, match=f"^{problem}$"):
                table.prepare(lambda _: None)
            table.close()


def processes(marker: str) -> list[int]:
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if marker in path.read_text():
                found.append(int(path.parent.name))
        except OSError:
            continue
    return found


def test_nothing_is_left_when_the_program_is_killed(tmp_path):
    marker = f"marker-{os.getpid()}-{time.monotonic_ns()}"
    specs = [
        f'proc:cmd="{sys.executable} -I -S {BOT} {kind} {marker}",processes=99,isolation=process'
        for kind in ("forking", "stubborn")
    ]
    seats = [part for seat, spec in zip(SEATS, specs, strict=True) for part in (f"--{seat}", spec)]
    line = [sys.executable, "-m", "batllm_arcade", "run", *seats, "--quiet", "--history", "s.json"]
    with subprocess.Popen(line, cwd=tmp_path, env={**os.environ, "TMPDIR": str(tmp_path)}) as program:
        ends = time.monotonic() + 6 * SOON
        while len(processes(marker)) < 47:  # the program, two guards and watches, two bots, 40 of other sessions
            assert time.monotonic() < ends
            assert program.poll() is None
            time.sleep(0.02)
        program.send_signal(signal.SIGKILL)
        program.wait()
    while processes(marker) or list(tmp_path.glob("batllm-bot-*")):
        assert time.monotonic() < ends, processes(marker)
        time.sleep(0.02)
