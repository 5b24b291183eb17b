"""Having a server fetch a model, as Ollama does: told how far it is, given up at any moment, gone on with later."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from batllm_arcade.brains.kinds.pulling import PullProgress
from batllm_arcade.brains.live import Live
from batllm_arcade.models.failures.patience import Patience
from batllm_arcade.models.http_client import ModelServer

LIMIT_S = 24 * 3600.0
"""Seconds that fetching a model may take."""
PATIENCE = Patience(away_s=30.0)
"""A server that is gone is asked again for so long: it goes on where it was."""
CAP = 256 << 20
"""Bytes of progress that are read at most: some lines a second, for a day."""
Tell = Callable[[PullProgress], None]


def pull_model(server: ModelServer, path: str, model: str, live: Live, progress: Tell) -> None:
    """Have the server fetch a model; return when it is there.

    Raise BrainError if it cannot be fetched, Cancelled when `live` is cancelled; the server keeps what has come.
    """
    server.cap = CAP
    body = {"model": model, "stream": True}
    server.stream(path, body, lambda lines: _read(server, lines, model, progress), live=live, limit_s=LIMIT_S,
                  patience=PATIENCE)  # fmt: skip


def _read(server: ModelServer, lines: Iterator[str], model: str, progress: Tell) -> bool | None:
    """Return True when the model is there, None if the answer broke off; raise ServerError."""
    layers: dict[str, tuple[int, int]] = {}  # a model has several, each told by itself
    for line in server.json_lines(lines):
        if line.get("error"):
            sentence = f"{server.where} could not fetch {model!r}: {line['error']}; check its name"
            raise server.failure(sentence, fatal=True)
        progress(_progress(line, layers))
        if line.get("status") == "success":
            return True
    return None


def _progress(line: Mapping[str, Any], layers: dict[str, tuple[int, int]]) -> PullProgress:
    digest, words = line.get("digest"), line.get("status")
    if isinstance(digest, str):
        layers[digest] = _count(line.get("completed")), _count(line.get("total"))
    done, total = (sum(each[place] for each in layers.values()) for place in (0, 1))
    return PullProgress(words if isinstance(words, str) else "", done, total)


def _count(value: Any) -> int:
    return value if type(value) is int and value > 0 else 0
