"""The pool of processes: what one of them said before it died is not lost."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import pytest
from leagues import answer_and_die, begun, small

from batllm_arcade.league.engines import processes
from batllm_arcade.league.plan import PairSchedule


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="looks for a dead process in /proc")
def test_the_last_words_of_a_process_that_was_killed_are_heard(tmp_path, monkeypatch):
    monkeypatch.setattr(processes, "serve", answer_and_die)
    plan = small()
    pool = processes.ProcessPool(begun(tmp_path / "out", plan), 1, tmp_path / "log")
    try:
        (first,) = pool.pids
        pool.submit(7, [PairSchedule(plan).pair(1)])
        ends = time.monotonic() + 60
        while Path(f"/proc/{first}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z":
            assert time.monotonic() < ends
            time.sleep(0.01)
        told = pool.reports(10)
        assert [(report.chunk, report.ended) for report in told] == [(7, True)]
        pool.reports(10)
        assert pool.pids != [first], "another one is started in its place"
    finally:
        pool.close()
