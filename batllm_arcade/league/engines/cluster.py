"""Games of a league on several machines."""

from __future__ import annotations

import ipaddress
import logging
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any, Literal, NamedTuple
from urllib.parse import urlsplit

from batllm_arcade.errors import ArcadeError, UsageError, one_line
from batllm_arcade.files.reading import read_text
from batllm_arcade.history.reader import parsed_json
from batllm_arcade.history.schema import HistoryError
from batllm_arcade.league.engines.pair_play import EngineReport, PairPlayer, PlayedPair, unready
from batllm_arcade.league.engines.processes import read_pair
from batllm_arcade.league.identity import LeagueIdentity, identity_from, identity_of
from batllm_arcade.league.plan import LeaguePlan, LeaguePlayer, ScheduledPair
from batllm_arcade.league.setup import LeagueSetup

LOCAL = "local"
"""The address that starts a cluster on this machine, for a try."""


@dataclass(frozen=True, slots=True)
class ClusterAddress:
    """A scheduler's address, or `local`, and the files that prove who one is."""

    address: str
    ca: Path | None = None
    cert: Path | None = None
    key: Path | None = None

    def check(self) -> None:
        """Raise UsageError if the address is malformed, or off this machine without TLS, or a file is missing."""
        files = {"--tls-ca": self.ca, "--tls-cert": self.cert, "--tls-key": self.key}
        for option, path in files.items():
            if path is not None and not path.is_file():
                raise UsageError(f"{option} takes a file, and there is no {str(path)!r}")
        missing = [option for option, path in files.items() if path is None]
        if missing and len(missing) < len(files):
            raise UsageError(f"TLS needs --tls-ca, --tls-cert and --tls-key; {missing[0]} is missing")
        if self.address == LOCAL:
            return
        scheme, host, port = _parts(self.address)
        if scheme not in ("tcp", "tls") or not host or port is None:
            raise UsageError(f"--cluster takes tls://HOST:PORT (or 'local'), not {self.address!r}")
        if scheme == "tcp" and not is_loopback(host):
            raise UsageError(
                f"{self.address!r} is not this machine, and who reaches a scheduler can run anything on its workers; "
                "use tls://HOST:PORT with --tls-ca, --tls-cert and --tls-key"
            )
        if scheme == "tls" and missing and not _configured():
            raise UsageError("tls:// needs --tls-ca, --tls-cert and --tls-key, or Dask's own TLS configuration")


def _configured() -> Any:
    """Return what Dask's own configuration says of TLS, None without certificates for a client there."""
    with suppress(ImportError):
        security = import_module("distributed").Security(require_encryption=True)
        return security if all((security.tls_ca_file, security.tls_client_cert, security.tls_client_key)) else None
    return None


def address_in(scheduler_file: Path) -> str:
    """Return the address in a file of `dask scheduler --scheduler-file`; raise UsageError if there is none."""
    try:
        address = parsed_json(read_text(scheduler_file))["address"]
    except (OSError, ValueError, KeyError, TypeError, HistoryError):
        address = None
    if not isinstance(address, str):
        raise UsageError(f"--scheduler-file takes what dask has written, and {str(scheduler_file)!r} is no such file")
    return address


def _parts(address: str) -> tuple[str, str, int | None]:
    try:
        parts = urlsplit(address)
        return parts.scheme, parts.hostname or "", parts.port
    except ValueError:
        return "", "", None


def is_loopback(host: str) -> bool:
    """Return whether a host's name or address is this machine's own."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


# Connecting to a Dask cluster, and calls to it that end

CONNECT_S = 15
"""Seconds in which the scheduler has to answer at first."""
RESULT_S = 20.0
"""Seconds that the lines and sessions of a chunk may take from a worker to here."""
_TLS_FAILS = ("SSL", "certificate")
# What they log, tracebacks above all, is said by this program in a sentence.
_LOGGERS = ("distributed", "tornado", "asyncio")


class TaskLost(Exception):
    """A task that nobody does any more: its worker or the scheduler has gone."""


def fetch(future: Any, take: Callable[[Any], None]) -> None:
    """Give `take` what a task returned or raised, on a thread: where the worker has gone since, that takes its time."""

    def fetched() -> None:
        try:
            take(TaskLost() if future.cancelled() else future.result(timeout=RESULT_S))
        except Exception as error:  # noqa: BLE001 - whatever it is, it is told
            take(error)

    threading.Thread(target=fetched, daemon=True, name="league result").start()


def within(seconds: float, call: Callable[[], object]) -> None:
    """Call this, and wait so long for its end: a scheduler or a worker that is gone answers never."""

    def called() -> None:
        with suppress(Exception):  # the cluster has gone first, or a worker of it
            call()

    thread = threading.Thread(target=called, daemon=True, name="league cluster")
    thread.start()
    thread.join(seconds)


def connected(address: ClusterAddress, workers: int) -> tuple[Any, Any]:
    """Return a client of the cluster, and the cluster itself if it is started here.

    Raise UsageError if Dask is missing or nobody answers at the address.
    """
    try:
        distributed: Any = import_module("distributed")
    except ImportError:
        raise UsageError("a cluster needs Dask; run: pip install 'batllm-arcade[league]'") from None
    for name in [*_LOGGERS, *logging.root.manager.loggerDict]:  # some have a level of their own
        if name.partition(".")[0] in _LOGGERS:
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)
    own = None
    try:
        security = _security(distributed, address)
        if address.address == LOCAL:
            own = _local(distributed, security, workers)
        return distributed.Client(own or address.address, security=security, timeout=CONNECT_S), own
    except (OSError, ValueError, RuntimeError) as error:  # TimeoutError is an OSError
        if own is not None:
            own.close()
        why = one_line(error, 200)
        cure = (
            "check --tls-ca, --tls-cert and --tls-key"
            if any(word in why for word in _TLS_FAILS)
            else "start its scheduler"
        )
        raise UsageError(f"no cluster can be reached at {address.address!r} ({why}); {cure}") from None


def _security(distributed: Any, address: ClusterAddress) -> Any:
    if address.ca is None:
        return _configured() if _parts(address.address)[0] == "tls" else None
    own = {"cert": str(address.cert), "key": str(address.key)}
    files = {f"tls_{who}_{what}": own[what] for who in ("client", "scheduler", "worker") for what in own}
    return distributed.Security(require_encryption=True, tls_ca_file=str(address.ca), **files)


def _local(distributed: Any, security: Any, workers: int) -> Any:
    more = {} if security is None else {"security": security, "protocol": "tls://"}
    return distributed.LocalCluster(
        n_workers=workers, threads_per_worker=1, processes=True, host="127.0.0.1", dashboard_address=None,
        silence_logs=50, **more,
    )  # fmt: skip


# What runs on a worker of a cluster

IDLE_S = 60.0
"""Seconds without a pair after which a worker gives its models up."""
Brains = Sequence[tuple[str, str, str]]
"""Of each player its name, its brain and its fallback."""


def brains_of(setup: LeagueSetup) -> Brains:
    """Return what a worker is asked with: plain texts, which every version of this program can be sent."""
    return tuple((player.name, player.brain, player.fallback) for player in setup.plan.players)


def identity_here(brains: Brains, plugins_dir: str) -> dict[str, Any]:
    """Return the identity of this worker as plain values; raise UsageError if a bot's file cannot be read."""
    players = tuple(LeaguePlayer(name, brain, fallback=fallback) for name, brain, fallback in brains)
    return identity_of(LeaguePlan(players), Path(plugins_dir) if plugins_dir else None).values()


@dataclass(slots=True)
class _Kept:
    """The player of this worker's process, kept between tasks, until another league comes or none for a while."""

    identity: str = ""
    player: PairPlayer | None = None
    timer: threading.Timer | None = None


_kept, _lock = _Kept(), threading.Lock()


def play_pairs(identity: str, setup: LeagueSetup, pairs: Sequence[ScheduledPair]) -> list[PlayedPair]:
    """Return the played pairs of the league with this identity; raise an ArcadeError if a player cannot play here."""
    with _lock:  # a worker plays one pair at a time, however many threads it has
        if _kept.timer is not None:
            _kept.timer.cancel()
        try:
            if _kept.player is None or _kept.identity != identity:
                _forget()
                _kept.player, _kept.identity = PairPlayer(setup), identity
            return [_kept.player.play(pair) for pair in pairs]
        finally:
            _kept.timer = threading.Timer(IDLE_S, forget_player)
            _kept.timer.daemon = True
            _kept.timer.start()


def forget_player() -> None:
    """Release the models of this worker; while it plays it does so at once, and the pair is lost."""
    if _lock.acquire(blocking=False):
        try:
            _forget()
        finally:
            _lock.release()
    elif (player := _kept.player) is not None:
        player.stop()


def _forget() -> None:
    player, _kept.player = _kept.player, None
    if player is not None:
        player.close()


# Who the workers of a cluster are

SILENT_S = 10.0
"""Seconds without a sign of life after which a worker is late: it sends one a second or so, whatever it plays."""

State = Literal["new", "ready", "refused", "late"]


@dataclass(slots=True)
class ClusterWorker:
    """A worker, the chunks it has been given, and when (`heard`) its last sign of life, `beat`, was new."""

    address: str
    name: str
    beat: float
    heard: float
    state: State = "new"
    slow: bool = False
    """Whether something that it plays is late, though it gives signs of life."""
    chunks: dict[int, Sequence[ScheduledPair]] = field(default_factory=dict)

    @property
    def load(self) -> int:
        """Return how many pairs it has still to play."""
        return sum(map(len, self.chunks.values()))


class Seen(NamedTuple):
    """What a look at the cluster has brought: `new` workers, those that are `gone` or `late`, and those `back`."""

    new: list[ClusterWorker]
    gone: list[ClusterWorker]
    late: list[ClusterWorker]
    back: list[ClusterWorker]


class ClusterWorkers:
    """The workers by their addresses; those that are not as `agreed` are refused."""

    def __init__(self, agreed: LeagueIdentity) -> None:
        self._agreed = agreed
        self._all: dict[str, ClusterWorker] = {}
        self.refused: dict[str, str] = {}
        """Why workers play nothing, by name."""

    @property
    def ready(self) -> list[ClusterWorker]:
        """Return those that may play."""
        return [each for each in self._all.values() if each.state == "ready"]

    def holder_of(self, chunk: int) -> ClusterWorker | None:
        """Return who was given this chunk, None if nobody has it any more."""
        return next((each for each in self._all.values() if chunk in each.chunks), None)

    def look(self, infos: Mapping[str, Mapping[str, Any]], now: float) -> Seen:
        """Take in what the scheduler says of its workers, by address, at this moment (seconds of any clock)."""
        gone = [self._all.pop(address) for address in list(self._all) if address not in infos]
        seen = Seen([], gone, [], [])
        for address, info in infos.items():
            beat, worker = float(info.get("last_seen", 0.0)), self._all.get(address)
            if worker is None:
                worker = self._all[address] = ClusterWorker(address, str(info.get("name", address)), beat, now)
                seen.new.append(worker)
            elif beat != worker.beat:
                worker.beat, worker.heard = beat, now
                if worker.state == "late":
                    worker.state = "ready"
                    seen.back.append(worker)
            elif worker.state == "ready" and now - worker.heard > SILENT_S:
                worker.state = "late"
                seen.late.append(worker)
        return seen

    def admit(self, address: str, found: LeagueIdentity) -> str:
        """Let a worker play if it is as agreed; return why it may not, "" if it may."""
        differences = [each.there() for each in self._agreed.differences(found)]
        more = f" (and {len(differences) - 1} more)" if len(differences) > 1 else ""
        if differences:
            return self.refuse(address, f"{differences[0]}{more}")
        if (worker := self._all.get(address)) is not None:
            worker.state = "ready"
            self.refused.pop(worker.name, None)  # started again with the right files
        return ""

    def refuse(self, address: str, why: str) -> str:
        """Let a worker play nothing; return the sentence on that."""
        worker = self._all.get(address)
        if worker is None:
            return ""
        worker.state = "refused"
        self.refused[worker.name] = why
        return f"worker {worker.name} plays nothing: {why}"

    def forget(self) -> list[int]:
        """Forget everybody, as when the scheduler is another one; return the chunks that they had."""
        chunks = [chunk for worker in self._all.values() for chunk in worker.chunks]
        self._all.clear()
        return chunks


# Machines of a Dask cluster that play pairs (extra `league`)

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
        self, setup: LeagueSetup, address: ClusterAddress, workers: int, clock: Callable[[], float] = time.monotonic
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
        worker = self._workers.holder_of(chunk)
        if worker is None:
            return "a worker"
        worker.slow = True
        return f"worker {worker.name}"

    def reports(self, timeout_s: float) -> list[EngineReport]:
        """Return the news since the last call; wait so long for the first."""
        news_so_far = self._look()
        try:
            take, *news = self._news.get(timeout=0.0 if news_so_far else timeout_s)
            while True:
                news_so_far += take(*news)
                take, *news = self._news.get_nowait()
        except Empty:
            return news_so_far

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
        worker = self._workers.holder_of(chunk)
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
        played_pairs = []
        for played, pair in zip(outcome, given, strict=True):
            sessions = {str(game): text for game, text in played.sessions.items()}
            failures = {name: list(why) for name, why in played.failures.items()}
            message = {"line": played.line, "sessions": sessions, "failures": failures}
            played_pairs.append(read_pair(message, pair, self._setup))
        return played_pairs

    def _ended(self, chunk: int, problem: str = "") -> list[EngineReport]:
        """Return that nobody plays a chunk any more; what still comes of it is not waited for."""
        worker, future = self._workers.holder_of(chunk), self._futures.pop(chunk, None)
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
        reports: list[EngineReport] = []
        if self._client.status != "running":  # its tasks are lost; whoever answers later is asked again who it is
            for chunk in self._workers.forget():
                reports += self._ended(chunk)
        if now - self._answered >= GONE_S:
            problem = f"the scheduler at {self._address} is gone; start it again, and its workers"
            reports.append(EngineReport(0, problem=problem))
        return reports

    def _changes(self, infos: Mapping[str, Mapping[str, Any]], now: float) -> list[EngineReport]:
        seen, reports = self._workers.look(infos, now), list[EngineReport]()
        for worker in seen.new:
            self._send(self._asked, worker.address, worker, identity_here, self._brains, self._plugins_dir)
        for worker in seen.gone:
            problem = ""
            if worker.chunks and worker.state == "ready":
                problem = self._lost_with(next(iter(worker.chunks.values())), "its connection ended")
            for chunk in worker.chunks:
                reports += self._ended(chunk, problem)
        for worker in seen.late:
            for chunk in list(worker.chunks):
                reports += self._ended(chunk)
            reports.append(_note(f"worker {worker.name} does not answer; its pairs are played elsewhere"))
        reports += [_note(f"worker {worker.name} answers again") for worker in seen.back]
        return reports

    def _asked(self, address: str, outcome: Any) -> list[EngineReport]:
        if isinstance(outcome, TaskLost) or type(outcome).__name__ == "KilledWorker":
            return []
        try:
            if isinstance(outcome, Exception):
                raise outcome
            sentence = self._workers.admit(address, identity_from(outcome))
        except HistoryError:
            sentence = self._workers.refuse(
                address, "it runs another version of the program (it says otherwise who it is)"
            )
        except UsageError as error:
            sentence = self._workers.refuse(address, str(error))
        except Exception as error:  # noqa: BLE001 - another version has no such task, or sends something else
            sentence = self._workers.refuse(address, f"it runs another version of the program ({one_line(error, 100)})")
        if self._workers.ready:
            self._had_worker = self._clock()
        return [_note(sentence)] if sentence else []

    def _missing(self, now: float) -> list[EngineReport]:
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
