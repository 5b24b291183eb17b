"""Machines of a Dask cluster that play pairs (extra `league`).

Every pair is given to one worker, which was asked before whether it is the same program with the same bots. Whatever
happens to the scheduler or to workers is told in a sentence within half a minute, and costs no pair.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from queue import Empty, SimpleQueue
from typing import Any

from batllm_arcade.errors import ArcadeError, UsageError, one_line
from batllm_arcade.history.node import HistoryError
from batllm_arcade.league.engines.cluster_address import ClusterAddress
from batllm_arcade.league.engines.cluster_client import TaskLost, connected, fetch, within
from batllm_arcade.league.engines.cluster_worker import brains_of, forget_player, identity_here, play_pairs
from batllm_arcade.league.engines.cluster_workers import ClusterWorker, ClusterWorkers
from batllm_arcade.league.engines.engine import EngineReport
from batllm_arcade.league.engines.pair_play import PlayedPair, unready
from batllm_arcade.league.engines.worker_message import read_pair
from batllm_arcade.league.identity import identity_from
from batllm_arcade.league.plan import ScheduledPair
from batllm_arcade.league.setup import LeagueSetup

LOOK_S, LOOK_WAIT_S = 2.0, 3.0
"""Seconds between two looks at the workers, and for which each is waited for."""
GONE_S = 15.0
"""Seconds without an answer after which the scheduler is gone."""
WAITING_S, MISSING_S = 5.0, 20.0
"""Seconds without a worker that may play after which that is said, and after which the league pauses."""
CLOSING_S = 5.0
LOST = 5
"""Times that the workers of one chunk may be lost."""


class DaskCluster:
    """A connected cluster; raise UsageError if Dask is missing or nobody answers at the address."""

    def __init__(
        self,
        setup: LeagueSetup,
        address: ClusterAddress,
        workers: int,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        address.check()
        self._address, self._brains, self._identity = address.address, brains_of(setup), setup.identity
        self._plugins_dir = str(setup.config.plugins_dir or "")
        # Workers have been asked for files before they play, and need not be sent the hashes of all of them.
        self._setup = setup.light()
        self._clock = clock
        self._news = SimpleQueue[tuple[Callable[..., list[EngineReport]], Any, Any]]()
        self._workers = ClusterWorkers(setup.agreed)
        self._futures: dict[int, Any] = {}
        self._lost: dict[int, int] = {}
        self._sent, self._looked, self._said = 0, float("-inf"), False
        self._client, self._own = connected(address, workers)
        self._answered = self._had_worker = clock()

    @property
    def workers(self) -> int:
        """Return how many workers may play."""
        return len(self._workers.ready)

    # -- pairs ----------------------------------------------------------------------------------

    def submit(self, chunk: int, pairs: Sequence[ScheduledPair]) -> None:
        """Give these pairs to the worker with the least to do."""
        worker = min(self._workers.ready, key=lambda each: (each.slow, each.load), default=None)
        if worker is None:  # it has gone this moment
            self._news.put((self._played, chunk, TaskLost()))
            return
        worker.chunks[chunk] = pairs
        task = (play_pairs, self._identity, self._setup, tuple(pairs))
        self._futures[chunk] = self._send(self._played, chunk, worker, *task)

    def late(self, chunk: int) -> str:
        """Give its worker nothing more until it answers; return who it is."""
        worker = self._workers.of(chunk)
        if worker is None:
            return "a worker"
        worker.slow = True
        return f"worker {worker.name}"

    def reports(self, timeout_s: float) -> list[EngineReport]:
        """Return the news since the last call; wait so long for the first."""
        found = self._look()
        try:
            take, *news = self._news.get(timeout=0.0 if found else timeout_s)
            while True:
                found += take(*news)
                take, *news = self._news.get_nowait()
        except Empty:
            return found

    def _send(self, take: Callable[..., list[EngineReport]], what: Any, worker: ClusterWorker, *task: Any) -> Any:
        """Have a task done by one worker; `take` gets `what` and what the task returns or raises."""
        self._sent += 1
        key = f"league-{self._identity[:12]}-{id(self):x}-{self._sent}"
        try:
            future = self._client.submit(*task, key=key, pure=False, workers=[worker.address])
            future.add_done_callback(lambda done: fetch(done, lambda outcome: self._news.put((take, what, outcome))))
        except Exception as error:  # noqa: BLE001 - the scheduler has just gone, which the next look tells
            future = None
            self._news.put((take, what, TaskLost(str(error))))
        return future

    def _played(self, chunk: int, outcome: Any) -> list[EngineReport]:
        worker = self._workers.of(chunk)
        if worker is None or isinstance(outcome, TaskLost):
            return self._ended(chunk)
        worker.slow = False
        if isinstance(outcome, ArcadeError):
            return self._ended(chunk, unready(outcome))
        if isinstance(outcome, Exception):  # the worker was lost, or failed as a program
            return self._ended(chunk, self._lost_with(worker.chunks[chunk], one_line(outcome, 200)))
        try:
            played = self._pairs(outcome, worker.chunks[chunk])
        except (HistoryError, TypeError, AttributeError, ValueError) as error:
            return self._ended(chunk, self._lost_with(worker.chunks[chunk], one_line(error, 200)))
        for pair in played:
            pair.line["worker"] = worker.name
        return [*(EngineReport(chunk, pair) for pair in played), *self._ended(chunk)]

    def _pairs(self, outcome: Any, given: Sequence[ScheduledPair]) -> list[PlayedPair]:
        """Return what a worker has played; raise HistoryError, TypeError or another error if it is something else."""
        found = []
        for played, pair in zip(outcome, given, strict=True):
            sessions = {str(game): text for game, text in played.sessions.items()}
            failures = {name: list(why) for name, why in played.failures.items()}
            message = {"line": played.line, "sessions": sessions, "failures": failures}
            found.append(read_pair(message, pair, self._setup))
        return found

    def _ended(self, chunk: int, problem: str = "") -> list[EngineReport]:
        """Return that nobody plays a chunk any more; what still comes of it is not waited for."""
        worker, future = self._workers.of(chunk), self._futures.pop(chunk, None)
        if worker is not None:
            del worker.chunks[chunk]
        if future is not None:
            future.release()
        return [EngineReport(chunk, ended=True, problem=problem)]

    def _lost_with(self, pairs: Sequence[ScheduledPair], why: str) -> str:
        """Count the loss of a worker; return why the league cannot go on after too many, "" before."""
        number = pairs[0].number
        self._lost[number] = self._lost.get(number, 0) + 1
        if self._lost[number] < LOST:
            return ""
        return f"the cluster lost {LOST} workers that played pair {number}: {why}"

    # -- workers --------------------------------------------------------------------------------

    def _look(self) -> list[EngineReport]:
        """See which workers there are, if it is time to; return what their chunks come to, and what there is to say."""
        now = self._clock()
        if now - self._looked < LOOK_S:
            return []
        self._looked = now
        try:
            infos = self._client.sync(self._client.scheduler.identity, callback_timeout=LOOK_WAIT_S)["workers"]
        except Exception:  # noqa: BLE001 - whatever it is, there was no answer
            return self._unanswered(now)
        self._answered = now
        return [*self._changes(infos, now), *self._missing(now)]

    def _unanswered(self, now: float) -> list[EngineReport]:
        found: list[EngineReport] = []
        if self._client.status != "running":  # its tasks are lost; whoever answers later is asked again who it is
            for chunk in self._workers.forget():
                found += self._ended(chunk)
        if now - self._answered >= GONE_S:
            problem = f"the scheduler at {self._address} is gone; start it again, and its workers"
            found.append(EngineReport(0, problem=problem))
        return found

    def _changes(self, infos: Mapping[str, Mapping[str, Any]], now: float) -> list[EngineReport]:
        seen, found = self._workers.look(infos, now), list[EngineReport]()
        for worker in seen.new:
            self._send(self._asked, worker.address, worker, identity_here, self._brains, self._plugins_dir)
        for worker in seen.gone:
            problem = ""
            if worker.chunks and worker.state == "ready":
                problem = self._lost_with(next(iter(worker.chunks.values())), "its connection ended")
            for chunk in worker.chunks:
                found += self._ended(chunk, problem)
        for worker in seen.late:
            for chunk in list(worker.chunks):
                found += self._ended(chunk)
            found.append(_note(f"worker {worker.name} does not answer; its pairs are played elsewhere"))
        found += [_note(f"worker {worker.name} answers again") for worker in seen.back]
        return found

    def _asked(self, address: str, outcome: Any) -> list[EngineReport]:
        """Take in a worker's identity, which decides whether it may play."""
        if isinstance(outcome, TaskLost) or type(outcome).__name__ == "KilledWorker":
            return []
        try:
            if isinstance(outcome, Exception):
                raise outcome
            said = self._workers.admit(address, identity_from(outcome))
        except HistoryError:
            said = self._workers.refuse(address, "it runs another version of the program (it says otherwise who it is)")
        except UsageError as error:
            said = self._workers.refuse(address, str(error))
        except Exception as error:  # noqa: BLE001 - another version has no such task, or sends something else
            said = self._workers.refuse(address, f"it runs another version of the program ({one_line(error, 100)})")
        if self._workers.ready:
            self._had_worker = self._clock()
        return [_note(said)] if said else []

    def _missing(self, now: float) -> list[EngineReport]:
        """Return what there is to say while no worker may play."""
        if self._workers.ready:
            self._had_worker, self._said = now, False
            return []
        waited = now - self._had_worker
        refused = "".join(f"; {name}: {why}" for name, why in self._workers.refused.items())
        if waited >= MISSING_S:
            return [EngineReport(0, problem=f"no worker at {self._address} can play{refused}")]
        if waited >= WAITING_S and not self._said:
            self._said = True
            return [_note(f"no worker at {self._address} can play yet; waiting for one")]
        return []

    # -- the end --------------------------------------------------------------------------------

    def close(self) -> None:
        """Give up what is being played, let the workers' models go, and leave the cluster as it was."""
        there = [worker.address for worker in self._workers.ready]
        if self._own is None and there:
            within(CLOSING_S, lambda: self._client.run(forget_player, workers=there, on_error="ignore"))
        within(CLOSING_S, lambda: self._client.close(timeout=CLOSING_S))
        if self._own is not None:
            self._own.close()


def _note(text: str) -> EngineReport:
    return EngineReport(0, note=text)
