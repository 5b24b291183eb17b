"""One life of a model's process, `llama_worker` the other end: what is asked of it, and how it fails in sentences."""

from __future__ import annotations

import re
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from batllm_arcade.brains.live import Cancelled, Live
from batllm_arcade.brains.protocol import BrainError
from batllm_arcade.processes.calls import Call, Calls, GivenUp
from batllm_arcade.processes.child import Bounds, Child
from batllm_arcade.processes.child_log import ChildLog
from batllm_arcade.processes.environment import handed_on
from batllm_arcade.processes.launch import Ended, Launch

ANSWER_S = 300.0
"""Seconds that an answer without a deadline may take."""
EXIT_S = 2.0
"""Seconds that a model's process which has closed its output may take to end by itself, with its own exit code."""
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

    def _answer(self, call: Call, seconds: float) -> Mapping[str, Any]:
        try:
            answer = call.wait(seconds)
        except GivenUp:
            raise Cancelled from None
        if isinstance(answer, Ended):
            words = self._log.last_words()
            said = f" and said: {words}" if words else ""
            answer = {"error": {"message": f"the model's process ended (code {answer.code}){said}"}}
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
