"""A model in a process of its own, for brains inside the program: llama.cpp through xllamacpp.

Loading a model holds the interpreter, and would freeze the window; a process can also be stopped
whatever it is doing.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar

from batllm_arcade.brains.lifetime import Lifetime
from batllm_arcade.brains.live import Cancelled, Live
from batllm_arcade.brains.orders import Reading
from batllm_arcade.brains.protocol import BrainError
from batllm_arcade.models.llama_calls import LlamaCalls, ProcessReply
from batllm_arcade.processes.launch import python_command

WORKER = python_command("from batllm_arcade.models.llama_worker import serve; serve(sys.argv[1])")
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
