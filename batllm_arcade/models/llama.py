"""The embedded model: its calls, and the process in which it lives."""

from __future__ import annotations

import json
import os
import queue
import re
import signal
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from batllm_arcade.brains.live import Cancelled, Lifetime, Live
from batllm_arcade.brains.orders import Reading
from batllm_arcade.brains.protocol import BrainError
from batllm_arcade.processes.child import (
    Bounds,
    Call,
    Calls,
    Child,
    ChildLog,
    Ended,
    GivenUp,
    Launch,
    Output,
    handed_on,
    json_line,
    messages,
    python_command,
)

ANSWER_S = 300.0
"""Seconds that an answer without a deadline may take."""
EXIT_S = 2.0
"""Seconds that a model's process which has closed its output may take to end by itself, with its own exit code."""
_LOAD_ERROR = "error loading model: "
_INSTEAD = {
    -4: "choose another brain, or a model on a server",  # SIGILL
    -9: "close other programs, or take a smaller model",  # SIGKILL
}
"""What to do where the model's process has ended with this code."""
LOOK_S = 0.01
"""Seconds between two looks whether what was given up is over."""
_HARDWARE = (
    "CUDA_", "GGML_", "GOMP_", "HIP_", "HSA_", "KMP_", "LLAMA_", "MTL_", "NVIDIA_", "OMP_", "ROCR_", "SYCL_", "VK_",
    "XDG_DATA_DIRS", "ZE_",
)  # fmt: skip
"""How the variables begin by which a person tells the model's engine what to compute on."""


@dataclass(frozen=True)
class ProcessReply:
    """What the model wrote, the tokens it read and wrote, and the weight of each word it could have begun with.

    `cached` is how many of those it read it knew already from the seat's last request.
    """

    text: str
    tokens: Mapping[str, int]
    weights: Mapping[str, float]
    cached: int = 0


class LlamaCalls:
    """A running model; `end` may be called at any time from any thread, and whoever waits gets an error.

    `name` is the model's in error sentences.
    """

    def __init__(self, command: Sequence[str], name: str) -> None:
        self._name = name
        self.held: dict[int, str] = {}
        """The prompt each slot has read to its end."""
        self._log, self._calls = ChildLog(), Calls()
        launch = Launch(command, handed_on(*_HARDWARE))
        self._child = Child(launch, self._calls, "embedded model", Bounds(closed_s=EXIT_S), self._log.write)

    @property
    def pid(self) -> int:
        """Return the process that holds the model."""
        return self._child.pid

    def loaded(self, seconds: float) -> None:
        """Return when the model is loaded; raise TimeoutError if it is late, and as `ask` does."""
        self._answer(self._calls.ready, seconds)

    def ask(self, body: Mapping[str, Any], live: Live | None) -> ProcessReply:
        """Send a request and return its answer.

        Raise Cancelled at the deadline or if it was given up, BrainError if the model or its process failed.
        """
        call = self._calls.ask(body)
        if live is not None:
            live.on_cancel(call.cancel)
        left = live.seconds_left() if live is not None else None
        try:
            answer = self._answer(call, ANSWER_S if left is None else left)
        except TimeoutError:
            call.cancel()
            if left is not None:
                raise Cancelled from None
            raise BrainError(f"{self._name} did not answer within {ANSWER_S:g} s; use a smaller model") from None
        return ProcessReply(answer["text"], answer["tokens"], answer["weights"], answer["cached"])

    def free(self, patience: float) -> bool:
        """Return whether it can take a request: alive, and within `patience` seconds done with what was given up."""
        ends = time.monotonic() + patience
        while self._child.alive and time.monotonic() < ends:
            if not self._calls.busy_in_vain:
                return True
            self._child.join(LOOK_S)
        return False

    def end(self) -> None:
        """Stop the process at once and wait until it is gone."""
        self._child.kill()

    def _why(self, error: Mapping[str, Any]) -> str:
        """Return why a model was not loaded: the engine tells its log more than it raises."""
        self._child.join(EXIT_S)
        found = (line.partition(_LOAD_ERROR) for line in self._log.lines())
        said = next((why for _, told, why in found if told), str(error["message"]))
        advice = "if its file was cut short get it again, and if memory is short take a smaller one"
        return lacking(said) or f"{said}; {advice}"

    def _answer(self, call: Call, seconds: float) -> Mapping[str, Any]:
        try:
            answer = call.wait(seconds)
        except GivenUp:
            raise Cancelled from None
        if isinstance(answer, Ended):
            words = self._log.last_words()
            said = f"; its log ends with: {words}" if words else ""
            instead = _INSTEAD.get(answer.code, "choose another model or another brain")
            answer = {"error": {"message": f"the model's process ended: {answer.problem}; {instead}{said}"}}
        elif "error" in answer and call is self._calls.ready:
            answer = {"error": {"message": f"the model cannot be loaded: {self._why(answer['error'])}"}}
        if "error" in answer:
            raise BrainError(error_sentence(answer["error"], self._name))
        return answer


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


WORKER = python_command("from batllm_arcade.models.llama import serve; serve(sys.argv[1])")
"""The command of the worker; its settings follow as JSON."""
LOAD_S = 300.0
"""Seconds that loading a model may take."""
STALE_S = 2.0
"""How long a request that was given up may keep the model busy before its process is started anew."""


class ModelProcess:
    """A model's process, shared by both seats; it is started when needed, and anew after it ended.

    `settings`: `n_ctx` tokens of context, `kv_unified` (one pool for both seats), `threads`. A request's
    body is llama.cpp's own, for a completion (`prompt`) or a chat (`messages`).
    """

    _shared: ClassVar[dict[str, ModelProcess]] = {}
    _sharing: ClassVar[threading.Lock] = threading.Lock()

    def __init__(self, path: Path, settings: Mapping[str, Any]) -> None:
        self.path, self._settings = path, {**settings, "model": str(path)}
        self._lifetime = Lifetime(self._end)
        self._starting = threading.Lock()  # one process at a time
        self._child: LlamaCalls | None = None
        self._users = 0
        self.notes: dict[str, float] = {}
        """What its users found out about the model, kept as long as they share it."""
        self.readings: dict[str, Reading] = {}
        """The orders its users have read."""
        self.exclusive = threading.Lock()
        """Held by who asks more than once and must find the slots as it left them."""

    @classmethod
    def shared(cls, path: Path, settings: Mapping[str, Any]) -> ModelProcess:
        """Return the process for this file and these settings; every user must `release` it, once."""
        with cls._sharing:
            engine = cls._shared.setdefault(json.dumps([str(path), settings]), cls(path, settings))
            engine._users += 1
            return engine

    def release(self) -> None:
        """Give it up; the last user ends the process for good, whatever it is doing."""
        with self._sharing:
            self._users -= 1
            if self._users > 0:
                return
            for key in [key for key, engine in self._shared.items() if engine is self]:
                del self._shared[key]
        self._lifetime.close()

    @property
    def pid(self) -> int | None:
        """The process that holds the model, None where there is none."""
        child = self._child
        return child.pid if child is not None else None

    def start(self) -> LlamaCalls:
        """Return the running process, its model loaded.

        Raise BrainError if it cannot be loaded, Cancelled if its last user has released it, before or meanwhile.
        """
        with self._lifetime.start():
            child = self._running()
            try:
                child.loaded(LOAD_S)
            except TimeoutError:
                child.end()
                raise BrainError(f"{self.path.name} was not loaded within {LOAD_S:g} s; try a smaller model") from None
            return child

    def _running(self) -> LlamaCalls:
        with self._starting:
            child = self._child
            if child is not None and not child.free(STALE_S):
                child.end()
                child = None
            if self._lifetime.ended:
                raise Cancelled
            if child is None:
                child = self._child = LlamaCalls([*WORKER, json.dumps(self._settings)], self.path.name)
            if self._lifetime.ended:  # `_end` may have come before there was anything to end
                child.end()
            return child

    def _end(self) -> None:
        child = self._child
        if child is not None:
            child.end()

    def ask(self, body: Mapping[str, Any], live: Live | None = None) -> ProcessReply:
        """Return the model's answer; raise Cancelled if it is late or not wanted, BrainError if there is none."""
        with self._lifetime.use():
            return self.start().ask(body, live)

    def complete(self, slot: int, header: str, prompt: str, body: Mapping[str, Any], live: Live | None) -> ProcessReply:
        """Return the completion of a prompt, read so that the same prompt always has the same weights.

        How a text is cut into batches changes the last digits of what a model computes. So a new prompt
        always begins after the header alone, and its last token is always read by itself.
        """
        with self._lifetime.use():
            child = self.start()
            place = {"id_slot": slot, "cache_prompt": True}
            if child.held.get(slot) != prompt:
                child.held[slot] = ""
                for text in (header, prompt):  # without the body: its list of words would only take time
                    child.ask({**place, "prompt": text, "n_predict": 0}, live)
                child.held[slot] = prompt
            return child.ask({**body, **place, "prompt": prompt}, live)


def serve(arguments: str) -> None:
    """Answer requests until standard input is closed; `arguments` are the process's settings as JSON."""
    settings = json.loads(arguments)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # ctrl-C is for the program, which ends this in good order
    output = Output()
    work: queue.SimpleQueue[tuple[int, dict[str, Any]]] = queue.SimpleQueue()
    unwanted: set[int] = set()
    threading.Thread(target=_read_requests, args=(work, unwanted), daemon=True).start()
    try:
        server = _load(settings)
    except Exception as error:  # noqa: BLE001 - whatever an engine raises, the answer is one sentence
        output.write(json_line({"id": 0, "error": {"message": str(error)}}))
        return
    output.write(json_line({"id": 0}))
    while True:
        number, body = work.get()
        # One at a time: two requests in one batch would change each other's last digits.
        answer = _complete(server, body, lambda: number in unwanted)  # noqa: B023 - called before the next
        output.write(json_line({"id": number, **answer}))


def _read_requests(work: queue.SimpleQueue[tuple[int, dict[str, Any]]], unwanted: set[int]) -> None:
    for message in messages():
        if "body" in message:
            work.put((message["id"], message["body"]))
        else:
            unwanted.add(message["id"])
    os._exit(0)  # the program has gone, however it went; nothing here is worth finishing


def lacking(said: str) -> str:
    """Return which library the engine lacks by what its import said, as in a bare container; "" if it lacks none."""
    found = re.search(r"(\S+)\.so\.(\d+): cannot open shared object file", said)
    return f"the library {found[1]} is missing: apt install {found[1]}{found[2]}" if found else ""


def _load(settings: Mapping[str, Any]) -> Any:
    import secrets

    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path = settings["model"]
    params.n_ctx, params.kv_unified = settings["n_ctx"], settings["kv_unified"]
    params.n_parallel, params.cache_ram_mib = 2, 0  # a slot for each seat
    params.n_batch = 128  # between batches it notices that an answer is no longer wanted
    params.verbosity = 1
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = settings["threads"]
    # It always opens a port on this machine: nobody else shall use it.
    params.api_keys, params.ui = [secrets.token_urlsafe(32)], False
    return xllamacpp.Server(params)


def _complete(server: Any, body: dict[str, Any], unwanted: Callable[[], bool]) -> dict[str, Any]:
    chunks: list[dict[str, Any]] = []

    def take(chunk: dict[str, Any]) -> bool:
        chunks.append(chunk)
        return unwanted()

    if unwanted():
        return {"error": {"message": "given up"}}
    ask = server.handle_chat_completions if "messages" in body else server.handle_completions
    ask({**body, "stream": True, "return_progress": True}, take)
    answer: dict[str, Any] = {"text": "", "tokens": {}, "weights": {}, "cached": 0}
    for chunk in chunks:
        if "error" in chunk:
            return {"error": chunk["error"]}
        _add(answer, chunk)
    return answer


def _add(answer: dict[str, Any], chunk: Mapping[str, Any]) -> None:
    for choice in chunk.get("choices", ()):
        answer["text"] += choice.get("text") or choice.get("delta", {}).get("content") or ""
        for token in (choice.get("logprobs") or {}).get("content", ()):
            answer["weights"] = answer["weights"] or {top["token"]: top["prob"] for top in token.get("top_probs", ())}
    answer["cached"] = chunk.get("timings", {}).get("cache_n", answer["cached"])
    usage = chunk.get("usage")
    if usage:
        answer["tokens"] = {"prompt": usage["prompt_tokens"], "completion": usage["completion_tokens"]}
