"""One life of a worker process: JSON lines to it and from it, each with the number of its request.

`llama_worker` is the other end.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import threading
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import CancelledError, Future
from concurrent.futures import TimeoutError as NoAnswer
from contextlib import suppress
from dataclasses import dataclass
from itertools import count
from typing import Any

from batllm_arcade.brains.live import Cancelled, Live
from batllm_arcade.brains.protocol import BrainError
from batllm_arcade.brains.redaction import is_secret

ANSWER_S = 300.0
"""Seconds that an answer without a deadline may take."""
EXIT_S = 2.0
"""Seconds that a worker which has closed its output may take to end by itself, with its own exit code."""


@dataclass(frozen=True)
class ProcessReply:
    """What the model wrote, the tokens it read and wrote, and the weight of each word it could have begun with.

    `cached` is how many of those it read it knew already from the seat's last request.
    """

    text: str
    tokens: Mapping[str, int]
    weights: Mapping[str, float]
    cached: int = 0


class WorkerProcess:
    """A running worker; `end` may be called at any time from any thread, and whoever waits gets an error.

    `name` is the model's in error sentences. The worker's first line, numbered 0, says that it is `loaded`.
    """

    def __init__(self, command: Sequence[str], name: str) -> None:
        self._name = name
        self.loaded: Future[dict[str, Any]] = Future()
        self.held: dict[int, str] = {}
        """The prompt each slot has read to its end."""
        self._lock = threading.Lock()
        self._calls = {0: self.loaded}
        self._numbers = count(1)
        self._writing = threading.Lock()
        self._ended = threading.Event()
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment(),
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )  # fmt: skip
        self.pid = self._process.pid
        self._listener = threading.Thread(target=self._listen, daemon=True, name="embedded model")
        try:
            self._listener.start()
        except BaseException:  # no thread, no listener: nobody would ever end it
            with self._process:
                self._process.kill()
            raise

    def ask(self, body: Mapping[str, Any], live: Live | None) -> ProcessReply:
        """Send a request and return its answer; raise Cancelled at the deadline, and as `wait_for` does."""
        number, call = next(self._numbers), Future[dict[str, Any]]()
        with self._lock:
            self._calls[number] = call
        self._send({"id": number, "body": body})
        if live is not None:
            live.on_cancel(lambda: self._give_up(number, call))
        left = live.seconds_left() if live is not None else None
        try:
            answer = self.wait_for(call, ANSWER_S if left is None else left)
        except NoAnswer:
            self._give_up(number, call)
            if left is not None:
                raise Cancelled from None
            raise BrainError(f"{self._name} did not answer within {ANSWER_S:g} s; use a smaller model") from None
        return ProcessReply(answer["text"], answer["tokens"], answer["weights"], answer["cached"])

    def wait_for(self, call: Future[dict[str, Any]], seconds: float) -> dict[str, Any]:
        """Return the answer to a request.

        Raise Cancelled if it was given up, NoAnswer if it is late, BrainError if the model or its process failed.
        """
        try:
            answer = call.result(seconds)
        except CancelledError:
            raise Cancelled from None
        if "error" in answer:
            raise BrainError(error_sentence(answer["error"], self._name))
        return answer

    def free(self, patience: float) -> bool:
        """Return whether it can take a request: alive, and within `patience` seconds done with what was given up."""
        ends = time.monotonic() + patience
        while not self._ended.is_set() and time.monotonic() < ends:
            if self._process.poll() is not None:
                return False  # its listener has not noticed yet
            with self._lock:
                if not any(call.cancelled() for call in self._calls.values()):
                    return True
            self._ended.wait(0.01)
        return False

    def end(self) -> None:
        """Stop the process at once and wait until it is gone."""
        self._process.kill()
        self._listener.join(5.0)

    def _give_up(self, number: int, call: Future[dict[str, Any]]) -> None:
        if call.cancel():
            self._send({"id": number})

    def _send(self, message: Mapping[str, Any]) -> None:
        assert self._process.stdin is not None
        with self._writing, suppress(OSError, ValueError):  # the listener reports that a process has ended
            self._process.stdin.write(json.dumps(message).encode() + b"\n")
            self._process.stdin.flush()
        if self._ended.is_set():
            self._settle_all("")

    def _listen(self) -> None:
        """Hand out answers until the process ends or writes something else; then everybody who waits gets an error."""
        process, errors = self._process, _Errors(self._process)
        try:
            self._hand_out()
            process.wait(EXIT_S)
        except (ValueError, KeyError, TypeError, subprocess.TimeoutExpired):
            pass  # killed while it wrote, or it wrote something that is not an answer
        finally:
            process.kill()
            process.wait()
            last_words = errors.last_line()
            with self._writing:
                for pipe in (process.stdout, process.stdin):
                    with suppress(OSError, ValueError):
                        pipe.close()  # type: ignore[union-attr]
            self._ended.set()
            self._settle_all(last_words)

    def _hand_out(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            answer = json.loads(line)
            self._settle(answer["id"], answer)

    def _settle(self, number: int, answer: dict[str, Any]) -> None:
        with self._lock:
            call = self._calls.pop(number, None)
        if call is not None and call.set_running_or_notify_cancel():
            call.set_result(answer)

    def _settle_all(self, last_words: str) -> None:
        said = f" and said: {last_words}" if last_words else ""
        message = f"the model's process ended (code {self._process.poll()}){said}"
        with self._lock:
            numbers = list(self._calls)
        for number in numbers:
            self._settle(number, {"error": {"message": message}})


class _Errors:
    """Reads a process's standard error, so that it never blocks, and keeps the last line."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self._pipe, self._last = process.stderr, b""
        self._thread = threading.Thread(target=self._read, daemon=True, name="embedded model's errors")
        self._thread.start()

    def _read(self) -> None:
        assert self._pipe is not None
        with self._pipe:
            for line in self._pipe:
                self._last = line

    def last_line(self) -> str:
        """Return the last line, once the process has ended."""
        self._thread.join(1.0)
        return self._last.decode("utf-8", "replace").strip()


def environment() -> dict[str, str]:
    """Return this process's environment without its secrets: a model needs none."""
    return {name: value for name, value in os.environ.items() if not is_secret(name)}


def error_sentence(error: Mapping[str, Any], name: str) -> str:
    """Return one sentence for an engine's error, without folders; `name` is the model's."""
    if error.get("type") == "exceed_context_size_error":
        sent, room = error.get("n_prompt_tokens"), error.get("n_ctx")
        return (
            f"the match so far takes {sent} tokens and {name} has room for {room}; set payload.history_window "
            "to show it fewer turns, or give embedded:raw a larger n_ctx"
        )
    # Folders are this machine's business; errors are shown and recorded.
    text = re.sub(r"[^\s'\"]*[/\\]([^\s/\\'\"]*)", r"\1", str(error.get("message", "it gave no reason")))
    return f"{name}: {text[:300]}"
