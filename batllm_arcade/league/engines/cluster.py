"""Machines of a Dask cluster that play pairs (extra `league`); off this machine only over TLS with certificates.

Whoever reaches a scheduler can have any code run on its workers: that is what a scheduler is for. So an address
that is not this machine's own is refused without TLS, where both sides prove who they are.
"""

from __future__ import annotations

import ipaddress
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any
from urllib.parse import urlsplit

from batllm_arcade.errors import ArcadeError, UsageError, one_line
from batllm_arcade.league.engines.engine import EngineReport
from batllm_arcade.league.engines.pair_play import PairPlayer, PlayedPair, unready
from batllm_arcade.league.plan import ScheduledPair
from batllm_arcade.league.setup import LeagueSetup

LOCAL = "local"
"""The address that starts a cluster on this machine, for a try."""
IDLE_S = 60.0
"""Seconds without a pair after which a worker gives its models up."""
LOOK_S = 5.0
"""Seconds after which the number of workers is looked at again."""
LOST = 5
"""Times that the workers of one chunk may be lost."""
_WAIT_S = 30


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
        if scheme == "tls" and missing:
            raise UsageError("tls:// needs --tls-ca, --tls-cert and --tls-key")


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


class DaskCluster:
    """A connected cluster; raise UsageError if Dask is missing or nobody answers at the address."""

    def __init__(self, setup: LeagueSetup, address: ClusterAddress, workers: int) -> None:
        address.check()
        try:
            distributed: Any = import_module("distributed")
        except ImportError:
            raise UsageError("a cluster needs Dask; run: pip install 'batllm-arcade[league]'") from None
        self._setup, self._news = setup, SimpleQueue[tuple[int, Any]]()
        self._pairs: dict[int, Sequence[ScheduledPair]] = {}
        self._lost: dict[int, int] = {}
        self._workers, self._looked, self._sent = 1, 0.0, 0
        self._identity = setup.identity
        self._own: Any = None
        try:
            security = _security(distributed, address)
            if address.address == LOCAL:
                self._own = _local(distributed, security, workers)
            self._client: Any = distributed.Client(self._own or address.address, security=security, timeout=_WAIT_S)
        except (OSError, ValueError, RuntimeError) as error:  # TimeoutError is an OSError
            self._close_own()
            why = one_line(error, 200)
            raise UsageError(f"no cluster can be reached at {address.address!r} ({why}); start its scheduler") from None

    @property
    def workers(self) -> int:
        """Return how many threads of workers are connected."""
        now = time.monotonic()
        if now - self._looked > LOOK_S:
            self._looked = now
            self._workers = sum(self._client.nthreads().values())
        return self._workers

    def submit(self, chunk: int, pairs: Sequence[ScheduledPair]) -> None:
        """Send these pairs as one task."""
        self._pairs[chunk] = pairs
        self._sent += 1
        key = f"league-{self._identity[:12]}-{pairs[0].number}-{self._sent}"
        future = self._client.submit(play_pairs, self._setup, tuple(pairs), key=key, pure=False)
        future.add_done_callback(lambda done: self._news.put((chunk, done)))

    def reports(self, timeout_s: float) -> list[EngineReport]:
        """Return the news since the last call; wait so long for the first."""
        found: list[EngineReport] = []
        try:
            news = self._news.get(timeout=timeout_s)
            while True:
                found += self._report(*news)
                news = self._news.get_nowait()
        except Empty:
            return found

    def _report(self, chunk: int, future: Any) -> list[EngineReport]:
        pairs, problem = self._pairs.pop(chunk), ""
        try:
            played, worker = future.result()
        except ArcadeError as error:
            problem = unready(error)
        except Exception as error:  # noqa: BLE001 - a worker was lost, or failed as a program
            self._lost[pairs[0].number] = self._lost.get(pairs[0].number, 0) + 1
            if self._lost[pairs[0].number] >= LOST:
                problem = f"the cluster lost {LOST} workers that played pair {pairs[0].number}: {one_line(error, 200)}"
        else:
            found = []
            for pair in played:
                pair.line["worker"] = worker
                found.append(EngineReport(chunk, pair))
            return [*found, EngineReport(chunk, ended=True)]
        finally:
            future.release()
        return [EngineReport(chunk, ended=True, problem=problem)]

    def close(self) -> None:
        """Give up what is being played, let the workers' models go, and leave the cluster as it was."""
        try:
            if self._own is None:
                self._client.run(forget_player)
            self._client.close(timeout=_WAIT_S)
        except Exception:  # noqa: BLE001, S110 - the cluster has gone first, or a worker of it
            pass
        finally:
            self._close_own()

    def _close_own(self) -> None:
        if self._own is not None:
            self._own.close()


def _security(distributed: Any, address: ClusterAddress) -> Any:
    if address.ca is None:
        return None
    return distributed.Security(
        require_encryption=True,
        tls_ca_file=str(address.ca),
        tls_client_cert=str(address.cert),
        tls_client_key=str(address.key),
        tls_scheduler_cert=str(address.cert),
        tls_scheduler_key=str(address.key),
        tls_worker_cert=str(address.cert),
        tls_worker_key=str(address.key),
    )


def _local(distributed: Any, security: Any, workers: int) -> Any:
    more = {} if security is None else {"security": security, "protocol": "tls://"}
    return distributed.LocalCluster(
        n_workers=workers, threads_per_worker=1, processes=True, host="127.0.0.1", dashboard_address=None,
        silence_logs=50, **more,
    )  # fmt: skip


# ---------------------------------------------------------------------------------- on a worker


class _Kept:
    """The player of this worker's process, kept between tasks, until another league comes or none for a while."""

    lock = threading.Lock()
    identity = ""
    player: PairPlayer | None = None
    timer: threading.Timer | None = None


def play_pairs(setup: LeagueSetup, pairs: Sequence[ScheduledPair]) -> tuple[list[PlayedPair], str]:
    """Return the played pairs and this worker's name; raise an ArcadeError if a player cannot play here."""
    with _Kept.lock:  # a worker plays one pair at a time, however many threads it has
        if _Kept.timer is not None:
            _Kept.timer.cancel()
        try:
            if _Kept.player is None or _Kept.identity != setup.identity:
                _forget()
                _Kept.player, _Kept.identity = PairPlayer(setup), setup.identity
            return [_Kept.player.play(pair) for pair in pairs], _worker_name()
        finally:
            _Kept.timer = threading.Timer(IDLE_S, forget_player)
            _Kept.timer.daemon = True
            _Kept.timer.start()


def forget_player() -> None:
    """Release the models of this worker; while it plays it does so at once, and the pair is lost."""
    if _Kept.lock.acquire(blocking=False):
        try:
            _forget()
        finally:
            _Kept.lock.release()
    elif _Kept.player is not None:
        _Kept.player.stop()


def _forget() -> None:
    player, _Kept.player = _Kept.player, None
    if player is not None:
        player.close()


def _worker_name() -> str:
    from distributed import get_worker

    try:
        return str(get_worker().name)
    except ValueError:
        return "cluster"
