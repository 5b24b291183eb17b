"""Connecting to a Dask cluster, and calls to it that end: a scheduler or a worker that is gone answers never."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from typing import Any

from batllm_arcade.errors import UsageError, one_line
from batllm_arcade.league.engines.cluster_address import LOCAL, ClusterAddress

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
