"""What a league's workers send is read as a stranger's: whatever plays in one could write in its name."""

from __future__ import annotations

import json
import sys
from copy import deepcopy
from typing import Any

import pytest
from leagues import begun, line, small

from batllm_arcade.history.schema import HistoryError
from batllm_arcade.league.engines import processes
from batllm_arcade.league.engines.processes import read_pair
from batllm_arcade.league.plan import PairSchedule
from batllm_arcade.league.setup import load_config, set_up

PLAN = small("a=scripted:dancer", "b=scripted:turtle", pairs=5)
FIRST = PairSchedule(PLAN).pair(1)
GOOD = {"line": line(1, PLAN, ("a", "a")), "sessions": {"0": "{}"}, "failures": {"a": ["late"]}}
SAYS = """
import sys
sys.stdin.readline(), sys.stdin.readline()
print({said!r}, flush=True)
sys.stdin.readline()
"""
WRONG: dict[str, Any] = {
    "no chunk": {"problem": ""},
    "a chunk that nobody gave it": {"chunk": 8, "problem": ""},
    "a chunk that is none": {"chunk": [7], "problem": ""},
    "a problem that is none": {"chunk": 7, "problem": {}},
    "no pair": {"chunk": 7},
    "another pair": {"chunk": 7, **GOOD, "line": line(2, PLAN)},
    "a line that is none": {"chunk": 7, **GOOD, "line": {"pair": 1}},
    "the winner flipped": {"chunk": 7, **GOOD, "line": {**GOOD["line"], "outcome": "LL"}},
    "sessions of a third game": {"chunk": 7, **GOOD, "sessions": {"2": "{}"}},
    "a session that is none": {"chunk": 7, **GOOD, "sessions": {"0": 7}},
    "sessions in a folder": {"chunk": 7, **GOOD, "sessions": {"../x": "{}"}},
    "failures of nobody": {"chunk": 7, **GOOD, "failures": {"c": ["late"]}},
    "failures without end": {"chunk": 7, **GOOD, "failures": {"a": ["late"] * 3}},
    "failures in a number": {"chunk": 7, **GOOD, "failures": {"a": 7}},
    "what a plugin's host says": {"type": "loaded", "kinds": [], "problems": [], "inside": "an observer"},
}
TEXTS = {"no JSON": "ready", "deep": "[" * 100_000, "no object": "7"}


def test_a_pair_as_a_worker_sends_it_is_taken():
    setup = set_up(PLAN, load_config(PLAN))
    played = read_pair(json.loads(json.dumps(GOOD)), FIRST, setup)
    assert (played.line, dict(played.sessions), dict(played.failures)) == (GOOD["line"], {0: "{}"}, {"a": ["late"]})


@pytest.mark.parametrize("name", [name for name, message in WRONG.items() if "line" in message])
def test_what_is_not_the_pair_that_was_given_is_refused(name):
    with pytest.raises(HistoryError):
        read_pair(deepcopy(WRONG[name]), FIRST, set_up(PLAN, load_config(PLAN)))


@pytest.mark.skipif(sys.platform == "win32", reason="of one line a worker is enough")
@pytest.mark.parametrize("name", [*WRONG, *TEXTS])
def test_a_worker_that_talks_nonsense_is_ended_and_its_pairs_are_played_again(name, tmp_path, monkeypatch, capfd):
    said = TEXTS.get(name) or json.dumps(WRONG[name])
    monkeypatch.setattr(processes, "WORKER", [sys.executable, "-I", "-S", "-c", SAYS.format(said=said)])
    pool = processes.ProcessPool(begun(tmp_path / "out", PLAN), 1, tmp_path / "log")
    try:
        pool.submit(7, [FIRST])
        (worker,) = pool._workers
        worker.child.join(10)
        (report,) = pool.reports(10)
        assert (report.chunk, report.ended, report.played) == (7, True, None)
    finally:
        pool.close()
    assert "Traceback" not in capfd.readouterr().err
