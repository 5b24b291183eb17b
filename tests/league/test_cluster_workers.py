"""A cluster's workers, without Dask: who may play, who is refused, late or gone, and what is said of it."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import pytest
from leagues import line, small

from batllm_arcade.errors import UsageError
from batllm_arcade.league.engines import cluster as engine
from batllm_arcade.league.engines.cluster import ClusterAddress, identity_here
from batllm_arcade.league.engines.pair_play import PlayedPair
from batllm_arcade.league.plan import PairSchedule
from batllm_arcade.league.setup import load_config, set_up

PLAN = small("a=scripted:dancer", "b=scripted:turtle")
SETUP = set_up(PLAN, load_config(PLAN))
PAIRS = [PairSchedule(PLAN).pair(number) for number in (1, 2, 3)]
SAME = SETUP.agreed.values()
OTHER_BOT = replace(SETUP.agreed, files={"a: bot.py": "0"}).values()
OTHER_PROGRAM = replace(SETUP.agreed, program="batllm-arcade 9.9.9").values()


class Future:
    def __init__(self):
        self.calls, self.outcome, self.released = [], None, False

    def add_done_callback(self, call):
        self.calls.append(call)

    def end(self, outcome):
        self.outcome = outcome
        for call in self.calls:
            call(self)

    def release(self):
        self.released = True


class Client:
    """What is used of Dask's client; `infos` is what its scheduler says of the workers."""

    scheduler = SimpleNamespace(identity=None)

    def __init__(self):
        self.status, self.infos, self.tasks = "running", {}, []

    def sync(self, what, callback_timeout):
        if self.status != "running":
            raise OSError("no scheduler")
        return {"workers": self.infos}

    def submit(self, function, *arguments, key, pure, workers):
        future = Future()
        self.tasks.append((workers[0], function, future))
        return future

    def run(self, *_, **__):
        pass

    close = run


class Cluster:
    """An engine on that client, and a clock that only the test moves."""

    def __init__(self, monkeypatch):
        self.now, self.client = 0.0, Client()
        monkeypatch.setattr(engine, "fetch", lambda future, take: take(future.outcome))
        monkeypatch.setattr(engine, "connected", lambda *_: (self.client, None))
        self.engine = engine.DaskCluster(SETUP, ClusterAddress("tcp://127.0.0.1:1"), 2, lambda: self.now)

    def look(self, seconds, *alive):
        """So much later: what the engine reports, when these workers have given a sign of life."""
        self.now += seconds
        for name in alive:
            self.client.infos[name] = {"name": name.upper(), "last_seen": self.now}
        return self.engine.reports(0.0)

    def join(self, **identities):
        """Let workers join that say they are this."""
        self.look(5, *identities)
        for name, found in identities.items():
            (future,) = [each for address, task, each in self.client.tasks if (address, task) == (name, identity_here)]
            future.end(found)
        return [report.note for report in self.engine.reports(0.0)]

    def given(self):
        """Who was given pairs, in order."""
        return [address for address, task, _ in self.client.tasks if task is not identity_here]

    def play(self, which):
        """End a task of pairs with what a worker returns."""
        future = [each for _, task, each in self.client.tasks if task is not identity_here][which]
        future.end([PlayedPair(line(1, PLAN), {})])
        return self.engine.reports(0.0)

    def says(self, which, outcome):
        """End a task of pairs with something else."""
        future = [each for _, task, each in self.client.tasks if task is not identity_here][which]
        future.end(outcome)
        return self.engine.reports(0.0)


@pytest.fixture
def cluster(monkeypatch):
    return Cluster(monkeypatch)


@pytest.mark.parametrize(
    ("answer", "why"),
    [
        (OTHER_BOT, "the file 'bot.py' of a is missing there"),
        (OTHER_PROGRAM, f"it runs {SAME['program']}, and the league batllm-arcade 9.9.9"),
        ({"program": 5}, "it runs another version of the program"),
        (
            AttributeError("no identity_here"),
            "it runs another version of the program (AttributeError: no identity_here)",
        ),
        (UsageError("'bot.py' of a cannot be read"), "'bot.py' of a cannot be read"),
    ],
)
def test_a_worker_that_differs_is_named_and_plays_nothing(cluster, monkeypatch, answer, why):
    agreed = replace(SETUP.agreed, files={"a: bot.py": "0"}) if answer is OTHER_BOT else SETUP.agreed
    agreed = replace(agreed, program="batllm-arcade 9.9.9") if answer is OTHER_PROGRAM else agreed
    cluster.engine._workers._agreed = agreed
    wrong = SAME if answer in (OTHER_BOT, OTHER_PROGRAM) else answer
    (said,) = cluster.join(b=agreed.values(), c=wrong)
    assert said.startswith(f"worker C plays nothing: {why}")
    for chunk in (1, 2, 3):
        cluster.engine.submit(chunk, PAIRS[:1])
    assert cluster.given() == ["b"] * 3
    assert cluster.engine.workers == 1
    (played, ended) = cluster.play(0)
    assert (played.played.line["worker"], ended.ended) == ("B", True)


def test_pairs_go_to_the_worker_with_the_least_to_do(cluster):
    cluster.join(b=SAME, c=SAME)
    cluster.engine.submit(1, PAIRS)
    cluster.engine.submit(2, PAIRS[:1])
    cluster.engine.submit(3, PAIRS[:1])
    assert cluster.given() == ["b", "c", "c"]


def test_a_frozen_worker_is_late_within_half_a_minute_and_its_pairs_are_handed_out_again(cluster):
    cluster.join(b=SAME, c=SAME)
    cluster.engine.submit(1, PAIRS)
    found = [report for _ in range(6) for report in cluster.look(2.1, "c")]
    assert [(report.chunk, report.ended) for report in found if not report.note] == [(1, True)]
    assert [report.note for report in found if report.note] == [
        "worker B does not answer; its pairs are played elsewhere"
    ]
    cluster.engine.submit(2, PAIRS)
    assert cluster.given() == ["b", "c"]
    assert not [report for report in cluster.play(0) if report.played], "it comes too late"
    assert [report.note for report in cluster.look(3, "b", "c")] == ["worker B answers again"]
    assert cluster.engine.workers == 2


def test_a_worker_that_is_gone_leaves_its_pairs_and_the_fifth_on_the_same_pair_ends_it(cluster):
    problems = []
    for number in range(1, 6):
        cluster.join(**{f"w{number}": SAME})
        cluster.engine.submit(number, PAIRS)
        cluster.client.infos.clear()
        (report,) = [each for each in cluster.look(3) if not each.note]
        assert (report.chunk, report.ended) == (number, True)
        problems.append(report.problem)
    assert problems[:4] == [""] * 4
    assert "lost 5 workers that played pair 1" in problems[4]


def test_no_worker_is_said_soon_and_pauses_the_league_with_the_reasons(cluster):
    assert cluster.look(3) == []
    assert [report.note for report in cluster.look(3)] == [
        "no worker at tcp://127.0.0.1:1 can play yet; waiting for one"
    ]
    assert cluster.look(3) == []
    cluster.join(c=OTHER_PROGRAM)
    found = [report.problem for _ in range(4) for report in cluster.look(3, "c")]
    why = f"it runs {OTHER_PROGRAM['program']}, and the league {SAME['program']}"
    assert set(found) == {f"no worker at tcp://127.0.0.1:1 can play; C: {why}"}


def test_a_scheduler_that_is_gone_is_told_within_half_a_minute(cluster):
    cluster.join(b=SAME)
    cluster.engine.submit(1, PAIRS)
    cluster.client.status = "connecting"
    assert [(report.chunk, report.ended) for report in cluster.look(3)] == [(1, True)]
    assert cluster.engine.workers == 0
    found = [report.problem for _ in range(4) for report in cluster.look(3.1)]
    assert found == ["the scheduler at tcp://127.0.0.1:1 is gone; start it again, and its workers"]


def test_a_scheduler_that_is_back_in_time_has_its_workers_asked_again(cluster):
    cluster.join(b=SAME)
    cluster.client.status = "connecting"
    cluster.look(3)
    cluster.client.status = "running"
    cluster.look(3, "b")
    assert [task for _, task, _ in cluster.client.tasks] == [identity_here, identity_here]


@pytest.mark.parametrize(
    "outcome", [[], [7], None, [PlayedPair(line(2, PLAN), {})], [PlayedPair({"pair": 1}, {})],
                [PlayedPair(line(1, PLAN), {2: "{}"})], [PlayedPair(line(1, PLAN), {})] * 2],
)  # fmt: skip
def test_what_is_not_the_pair_that_a_worker_was_given_is_played_again(cluster, outcome):
    cluster.join(b=SAME)
    for _ in range(4):
        cluster.engine.submit(1, PAIRS[:1])
        (report,) = cluster.says(-1, outcome)
        assert (report.chunk, report.ended, report.played, report.problem) == (1, True, None, "")
    cluster.engine.submit(1, PAIRS[:1])
    (report,) = cluster.says(-1, outcome)
    assert "the cluster lost 5 workers that played pair 1: " in report.problem
