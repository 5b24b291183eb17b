"""A model in a process of its own, for brains inside the program: llama.cpp through xllamacpp.

Loading a model holds the interpreter, and would freeze the window; a process can also be stopped
whatever it is doing. It is spoken to in JSON lines; `model_serve` is the other end.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import threading
import time
from collections.abc import Mapping
from concurrent.futures import CancelledError, Future
from concurrent.futures import TimeoutError as NoAnswer
from contextlib import suppress
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any, ClassVar

from batllm_arcade.brains.protocol import BrainError, Cancelled, Live
from batllm_arcade.brains.redaction import is_secret

LOAD_S = 300.0
"""Seconds that loading a model may take."""
STALE_S = 2.0
"""How long a request that was given up may keep the model busy before its process is started anew."""


@dataclass(frozen=True)
class ProcessReply:
    """What the model wrote, the tokens it read and wrote, and the weight of each word it could have begun with.

    `cached` is how many of those it read it knew already from the seat's last request.
    """

    text: str
    tokens: Mapping[str, int]
    weights: Mapping[str, float]
    cached: int = 0


class ModelProcess:
    """A model's process, shared by both seats; it is started when needed, and anew after it ended.

    `settings`: `n_ctx` tokens of context, `kv_unified` (one pool for both seats), `threads`. A request's
    body is llama.cpp's own, for a completion (`prompt`) or a chat (`messages`).
    """

    _shared: ClassVar[dict[str, ModelProcess]] = {}
    _sharing: ClassVar[threading.Lock] = threading.Lock()

    def __init__(self, path: Path, settings: Mapping[str, Any]) -> None:
        self._path, self._settings = path, {**settings, "model": str(path)}
        self._lock = threading.Lock()
        self._child: _Child | None = None
        self._users = 0
        self.notes: dict[str, float] = {}
        """What its users found out about the model, kept as long as they share it."""

    @classmethod
    def shared(cls, path: Path, settings: Mapping[str, Any]) -> ModelProcess:
        """The engine for this file and these settings; every user must `release` it."""
        with cls._sharing:
            engine = cls._shared.setdefault(json.dumps([str(path), settings]), cls(path, settings))
            engine._users += 1
            return engine

    def release(self) -> None:
        """One user less; the last one takes the process along."""
        with self._sharing:
            self._users -= 1
            if self._users > 0:
                return
            for key in [key for key, engine in self._shared.items() if engine is self]:
                del self._shared[key]
        if self._child is not None:
            self._child.end()

    @property
    def pid(self) -> int | None:
        """The process that holds the model, None where there is none."""
        return self._child.pid if self._child is not None else None

    def start(self) -> _Child:
        """The running process, its model loaded; BrainError where that cannot be."""
        with self._lock:
            if self._child is not None and not self._child.free(STALE_S):
                self._child.end()
                self._child = None
            self._child = child = self._child or _Child(self._path, self._settings)
        child.wait_for(child.loaded, LOAD_S)
        return child

    def ask(self, body: Mapping[str, Any], live: Live | None = None) -> ProcessReply:
        """The model's answer; Cancelled when it is no longer wanted, BrainError where there is none."""
        return self.start().ask(body, live)

    def complete(self, slot: int, header: str, prompt: str, body: Mapping[str, Any], live: Live | None) -> ProcessReply:
        """The completion of a prompt, read so that the same prompt always has the same weights.

        How a text is cut into batches changes the last digits of what a model computes. So a new prompt
        always begins after the header alone, and its last token is always read by itself.
        """
        child = self.start()
        body = {**body, "id_slot": slot, "cache_prompt": True}
        if child.held.get(slot) != prompt:
            child.held[slot] = ""
            for text in (header, prompt):
                child.ask({**body, "prompt": text, "n_predict": 0}, live)
            child.held[slot] = prompt
        return child.ask({**body, "prompt": prompt}, live)


# Started by -c, because -m puts the folder it is started in first on the path: a `queue.py` there would be imported.
_START = "import sys; del sys.path[0]; from batllm_arcade.models.llama_worker import serve; serve(sys.argv[1])"


class _Child:
    """One life of the process: JSON lines to it and from it, each with the number of its request."""

    def __init__(self, path: Path, settings: Mapping[str, Any]) -> None:
        self._name = path.name
        self.loaded: Future[dict[str, Any]] = Future()
        self.held: dict[int, str] = {}
        """The prompt each slot has read to its end."""
        self._calls = {0: self.loaded}
        self._numbers = count(1)
        self._writing = threading.Lock()
        self._ended = threading.Event()
        self._process = subprocess.Popen(
            [sys.executable, "-c", _START, json.dumps(settings)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=_environment(),
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )  # fmt: skip
        self.pid = self._process.pid
        threading.Thread(target=self._listen, daemon=True, name="embedded model").start()

    def ask(self, body: Mapping[str, Any], live: Live | None) -> ProcessReply:
        """Send a request and wait for its answer, at most until the deadline."""
        number, call = next(self._numbers), Future[dict[str, Any]]()
        self._calls[number] = call
        left = live.seconds_left() if live is not None else None
        limit = {} if left is None else {"t_max_predict_ms": int(left * 1000) + 1}
        self._send({"id": number, "body": {**body, **limit}})
        if live is not None:
            live.on_cancel(lambda: self._give_up(number, call))
        try:
            answer = self.wait_for(call, LOAD_S if left is None else left)
        except NoAnswer:
            self._give_up(number, call)
            raise BrainError(f"{self._name} did not answer in time") from None
        return ProcessReply(answer["text"], answer["tokens"], answer["weights"], answer["cached"])

    def wait_for(self, call: Future[dict[str, Any]], seconds: float) -> dict[str, Any]:
        """The answer to a request; Cancelled, NoAnswer, or BrainError where the model or its process failed."""
        try:
            answer = call.result(seconds)
        except CancelledError:
            raise Cancelled from None
        if "error" in answer:
            raise BrainError(_sentence(answer["error"], self._name))
        return answer

    def free(self, patience: float) -> bool:
        """Whether it can take a request: alive, and within `patience` seconds done with what was given up."""
        ends = time.monotonic() + patience
        while not self._ended.is_set() and time.monotonic() < ends:
            if not any(call.cancelled() for call in list(self._calls.values())):
                return True
            time.sleep(0.01)
        return False

    def end(self) -> None:
        """Stop the process at once."""
        self._process.kill()
        self._ended.wait(5.0)

    def _give_up(self, number: int, call: Future[dict[str, Any]]) -> None:
        if call.cancel():
            self._send({"id": number})

    def _send(self, message: Mapping[str, Any]) -> None:
        assert self._process.stdin is not None
        with self._writing, suppress(OSError, ValueError):  # the listener tells that a process has ended
            self._process.stdin.write(json.dumps(message).encode() + b"\n")
            self._process.stdin.flush()
        if self._ended.is_set():
            self._settle_all("")

    def _listen(self) -> None:
        process = self._process
        assert process.stdout is not None
        words: list[bytes] = []
        errors = threading.Thread(target=lambda: words.extend(process.stderr or ()), daemon=True)
        errors.start()
        for line in process.stdout:
            answer = json.loads(line)
            self._settle(answer["id"], answer)
        process.wait()
        errors.join(1.0)
        self._ended.set()
        self._settle_all(words[-1].decode("utf-8", "replace").strip() if words else "")
        for pipe in (process.stdout, process.stderr, process.stdin):
            with suppress(OSError, ValueError):
                pipe.close()  # type: ignore[union-attr]

    def _settle(self, number: int, answer: dict[str, Any]) -> None:
        call = self._calls.pop(number, None)
        if call is not None and call.set_running_or_notify_cancel():
            call.set_result(answer)

    def _settle_all(self, last_words: str) -> None:
        told = f" and said: {last_words}" if last_words else ""
        message = f"the model's process ended (code {self._process.poll()}){told}"
        for number in list(self._calls):
            self._settle(number, {"error": {"message": message}})


def _environment() -> dict[str, str]:
    """This process's environment without its secrets: a model needs none."""
    return {name: value for name, value in os.environ.items() if not is_secret(name)}


def _sentence(error: Mapping[str, Any], name: str) -> str:
    if error.get("type") == "exceed_context_size_error":
        sent, room = error.get("n_prompt_tokens"), error.get("n_ctx")
        return (
            f"the match so far takes {sent} tokens and {name} has room for {room}; set payload.history_window "
            "to show it fewer turns, or give embedded:raw a larger n_ctx"
        )
    # Folders are this machine's business; errors are shown and recorded.
    text = re.sub(r"[^\s'\"]*[/\\]([^\s/\\'\"]*)", r"\1", str(error.get("message", "it gave no reason")))
    return f"{name}: {text[:300]}"
