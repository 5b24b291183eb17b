"""Leagues beside the window: what their process says, stopping and going on, the window that closes."""

from __future__ import annotations

import json
from dataclasses import asdict

import pytest
from leagues import FOUR, InstantEngine, small, written

from batllm_arcade.app.services import league_worker
from batllm_arcade.app.services.leagues import LeagueJobs
from batllm_arcade.cli.main import main
from batllm_arcade.league import run as running
from batllm_arcade.league.plan import SprtPlan
from batllm_arcade.league.plan_file import RunOptions
from batllm_arcade.processes.child import Ended

RUN = RunOptions(workers=1)


@pytest.fixture
def worker(tmp_path, monkeypatch):
    """Plays as the process does, with made-up pairs; returns the exit code and all that was reported."""
    monkeypatch.setattr(running, "ProcessPool", InstantEngine)
    monkeypatch.setattr(league_worker, "REPORT_S", 0.0)

    def play(plan=None, pairs=None):
        told = []
        new = {"plan": plan.values(), "run": asdict(RUN)} if plan is not None else {"pairs": pairs}
        request = json.loads(json.dumps({"folder": str(tmp_path / "out"), **new}))
        return league_worker.play(request, told.append), told

    return play


def test_a_league_is_begun_goes_on_and_grows_and_is_that_of_the_command_line(worker, tmp_path, monkeypatch):
    plan, pictured = small(*FOUR[:3], pairs=2), []
    monkeypatch.setattr(league_worker, "poster_writer", pictured.append)
    code, told = worker(plan)
    assert code == 0
    assert pictured == [tmp_path / "out"]
    isolation = json.loads((tmp_path / "out" / "league.json").read_text())["run"]["isolation"]
    assert isolation in ("sandbox", "process"), "the same for whoever goes on with it"
    assert all(each["total"] == 6 for each in told)
    assert (tmp_path / "out" / "report.html").exists()
    assert worker(pairs=4)[0] == 0
    assert len(written(tmp_path / "out")) == 12
    assert main(["league", "--resume", str(tmp_path / "out"), "--pairs", "5", "--quiet"]) == 0
    assert len(written(tmp_path / "out")) == 15


def test_a_test_that_is_undecided_goes_on(worker, tmp_path):
    code, told = worker(small(*FOUR[:2], pairs=2, sprt=SprtPlan(0, 400)))
    assert code == 1
    assert "undecided" in told[-1]["words"]
    worker()
    assert len(written(tmp_path / "out")) > 2


def test_what_its_process_reports_is_shown(tmp_path):
    jobs = LeagueJobs()
    jobs.folder = jobs.last = tmp_path
    jobs.received(b'{"pairs": 3, "total": 12, "left_s": 40.5}')
    assert (jobs.pairs, jobs.total, jobs.left_s) == (3, 12, 40.5)
    jobs.received(b'{"words": "worker 2 is late"}')
    assert jobs.words == "worker 2 is late"
    with pytest.raises(ValueError):
        jobs.received(b"[]")
    jobs.gone(Ended("", 1))
    assert jobs.folder is None
    assert jobs.words == "worker 2 is late"


@pytest.mark.parametrize(
    ("code", "stopping", "words"),
    [
        (0, False, ""),
        (1, True, "The league was stopped"),
        (-9, False, "the league ended unexpectedly (killed); it can go on"),
    ],
)
def test_what_became_of_a_league_is_said(tmp_path, code, stopping, words):
    jobs = LeagueJobs()
    jobs.folder, jobs.stopping = tmp_path, stopping
    jobs.gone(Ended("killed" if code < 0 else "", code))
    assert jobs.words.startswith(words)
    assert bool(jobs.words) == bool(words)


def test_a_league_that_is_stopped_leaves_no_process_and_goes_on_where_it_was(tmp_path, capsys):
    plan = small(*FOUR[:2], pairs=400)
    jobs = LeagueJobs()
    jobs.begin(tmp_path / "out", plan, RUN)
    child = jobs._child
    while jobs.pairs == 0 and jobs.folder is not None:
        child.join(0.02)
    jobs.stop()
    assert jobs.stopping
    child.join(60)
    assert not child.alive
    assert jobs.folder is None
    assert jobs.words.startswith("The league was stopped")
    played = len(written(tmp_path / "out"))
    assert 0 < played < 400
    assert not json.loads((tmp_path / "out" / "table.json").read_text())["complete"]
    assert main(["league", "--resume", str(tmp_path / "out"), "--dry-run"]) == 0
    assert f"{played:,} pairs are played" in capsys.readouterr().out


def test_a_window_that_closes_waits_for_its_league_not_for_long(tmp_path):
    waited = []

    class Child:
        def quit(self, patience_s):
            waited.append(patience_s)

    jobs = LeagueJobs()
    jobs._child = Child()
    jobs.close()
    assert waited == [], "no league is played"
    jobs.folder = tmp_path
    jobs.close()
    assert 0 < waited[0] < 10
