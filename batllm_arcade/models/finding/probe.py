"""A quick look at what a server has, on time whatever it does: for menus and for what is missing to play."""

from __future__ import annotations

import contextlib
import queue
import threading
import time
from collections.abc import Mapping
from typing import Any, Protocol

from batllm_arcade.brains.live import Cancelled
from batllm_arcade.brains.protocol import BrainError
from batllm_arcade.models.failures.patience import ONCE
from batllm_arcade.models.http_client import ModelServer
from batllm_arcade.models.server_error import too_slow

PROBE_S = 1.2
PROBES_S = 1.4
"""Seconds for everything that is looked up to say what is missing."""


class Look(Protocol):
    """Asks a server for the JSON object at a path: GET, or POST with a body, the first of what is streamed then."""

    def __call__(self, path: str, body: Any = None) -> Mapping[str, Any]:
        """Return the object; raise BrainError."""
        ...


def prober(server: ModelServer) -> Look:
    """Return a function like `probe` whose calls together take at most `PROBES_S` seconds."""
    ends = time.monotonic() + PROBES_S

    def look(path: str, body: Any = None) -> dict[str, Any]:
        return probe(server, path, max(0.05, min(PROBE_S, ends - time.monotonic())), body)

    return look


def probe(server: ModelServer, path: str, limit_s: float = PROBE_S, body: Any = None) -> dict[str, Any]:
    """Return the JSON object at `path`, asked once, of a question's answer the first one.

    It is on time even if looking the name up hangs.
    """
    answers: queue.SimpleQueue[dict[str, Any] | BrainError] = queue.SimpleQueue()

    def ask() -> None:
        try:
            if body is None:
                answers.put(server.fetch(path, limit_s=limit_s, patience=ONCE))
            else:
                answers.put(server.try_out(path, body, limit_s=limit_s, patience=ONCE))
        except BrainError as error:
            answers.put(error)
        except Cancelled:
            pass

    threading.Thread(target=ask, daemon=True, name=f"probe {server.where}").start()
    answer: dict[str, Any] | BrainError = too_slow(server.where, limit_s)
    with contextlib.suppress(queue.Empty):
        answer = answers.get(timeout=limit_s + 0.1)
    if isinstance(answer, BrainError):
        raise answer
    return answer
