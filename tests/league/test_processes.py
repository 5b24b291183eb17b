"""The pool of processes: what one of them said before it died is not lost."""

from __future__ import annotations

import sys

import pytest
from leagues import ANSWER_AND_DIE, begun, small

from batllm_arcade.league.engines import processes
from batllm_arcade.league.plan import PairSchedule


@pytest.mark.skipif(sys.platform == "win32", reason="kills by a signal")
def test_the_last_words_of_a_process_that_was_killed_are_heard(tmp_path, monkeypatch):
    monkeypatch.setattr(processes, "WORKER", [sys.executable, "-I", "-S", "-c", ANSWER_AND_DIE])
    plan = small()
    pool = processes.ProcessPool(begun(tmp_path / "out", plan), 1, tmp_path / "log")
    try:
        (first,) = pool.pids
        pool.submit(7, [PairSchedule(plan).pair(1)])
        (dead,) = pool._workers
        dead.child.join()
        told = pool.reports(10)
        assert [(report.chunk, report.ended) for report in told] == [(7, True)]
        assert pool.pids != [first], "another one is started in its place"
    finally:
        pool.close()
