"""A process for one Python file with bots: loads it, says what it offers, and plays one of its brains.

The other end of `isolation/dialect.py`. What the file prints goes to the log, as its standard error does.
"""

from __future__ import annotations

import io
import os
import queue
import sys
import threading
import time
from collections.abc import Callable, Mapping
from functools import partial
from importlib import import_module
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from typing import Any

from batllm_arcade.brains.live import Live
from batllm_arcade.brains.protocol import Brain, BrainKind, Spec
from batllm_arcade.errors import UsageError, authors_traceback, method_of, one_line
from batllm_arcade.isolation.dialect import FIRST, ViewReader, write_line
from batllm_arcade.plugin import dropins, manager
from batllm_arcade.processes.child import Output, messages
from batllm_arcade.seats.plugin_calls import (
    NAME_LIMIT,
    PluginCall,
    close_brain,
    decision_of,
    make_brain,
    names_of,
    plain_text,
)
from batllm_arcade.terminal.output import write_lines

PARTIAL_S = 0.02
"""Seconds between two partial texts that are sent on; the last one always is."""


def serve(source: str, name: str) -> None:
    """Load a file, or a module where `source` is no path, as the plugin `name`, and play until told to quit."""
    host = _Host(Output())
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(line_buffering=True)  # what it prints is seen when it prints it
    plugins = manager.Plugins.none()
    path = Path(source)
    if path.is_absolute():
        sys.meta_path.append(_Shared(str(path.parent)))
    load = partial(dropins.import_file, path) if path.is_absolute() else partial(import_module, source)
    manager.register(plugins, name, partial(_logged, load))
    manager.collect_kinds(plugins)
    plugin, observers = plugins.manager.get_plugin(name), plugins.manager.hook.batllm_observer.get_hookimpls()
    host.say("loaded", dropins.offer(plugin, plugins.kinds.values(), plugins.problems, bool(observers)))
    host.run(plugins.kinds, "; ".join(plugins.problems))


class _Shared:
    """Finds the modules called `_NAME` beside a file, which it may import; never one that Python has."""

    def __init__(self, folder: str) -> None:
        self._folder = folder

    def find_spec(self, name: str, path: object = None, _target: object = None) -> ModuleSpec | None:
        """Return where a module is, None if it is not there."""
        beside = path is None and name.startswith("_")
        return PathFinder.find_spec(name, [self._folder]) if beside else None


def _logged(load: Callable[[], Any]) -> Any:
    try:
        return load()
    except BaseException as error:
        for line in authors_traceback(error):
            _log(line)
        raise


def _log(line: str) -> None:
    write_lines([line], sys.stderr)


class _Host:
    """Reads on a thread of its own, so that an answer can be called off; decides on the main one."""

    def __init__(self, output: Output) -> None:
        self._output = output
        self._questions: queue.SimpleQueue[tuple[dict[str, Any], Live | None]] = queue.SimpleQueue()
        self._brain: Brain | None = None
        self._asked: tuple[int, Live] | None = None
        self._name, self._problem = "", ""
        self._views = ViewReader()
        self._partial = _Partial(self)

    def say(self, kind: str, values: Mapping[str, Any]) -> None:
        """Write a line to the program."""
        self._output.write(write_line(kind, values))

    def run(self, kinds: Mapping[str, BrainKind], problem: str = "") -> None:
        """Do what the program asks for, until it asks for nothing more; `problem` is why there are no brains."""
        self._problem = problem
        threading.Thread(target=self._read, daemon=True, name="questions").start()
        while True:
            message, live = self._questions.get()
            if message["type"] == "hello":
                self._make(kinds, message)
            elif message["type"] == "result":
                self._tell(message["result"])
            elif live is not None:
                self._decide(message, live)

    def _read(self) -> None:
        for message in messages():
            kind = message.get("type")
            if kind == "decide":
                budget = message["budget_ms"]
                number = message["id"]
                live = Live(None if budget is None else budget / 1000, published=partial(self._partial.publish, number))
                self._asked = (number, live)
                self._questions.put((message, live))
            elif kind == "stop":
                asked = self._asked
                if asked is not None and asked[0] == message["id"]:
                    asked[1].cancel()
            elif kind == "quit":
                break
            else:
                self._questions.put((message, None))
        if self._brain is not None:
            close_brain(self._brain)
        sys.stderr.flush()
        os._exit(0)

    def _make(self, kinds: Mapping[str, BrainKind], hello: Mapping[str, Any]) -> None:
        if self._brain is not None:  # it is greeted for another seat
            close_brain(self._brain)
            self._brain, self._views = None, ViewReader()
        name = hello["brain"]
        if name not in kinds and name == FIRST and kinds:
            name = next(iter(kinds))
        spec = Spec(name, hello["variant"], hello["options"], hello["seat"])
        self._name = spec.short
        limit_s = hello["prepare_s"]
        try:
            if spec.name not in kinds:
                raise UsageError(self._problem or 'the file offers no bot; mark one with @bot("NAME")')
            self._brain, names = make_brain(kinds[spec.name], spec, limit_s)
            prepare = getattr(self._brain, "prepare", None)
            if callable(prepare):
                call = PluginCall(
                    lambda: prepare(self._progress),
                    f"{spec.short} could not start",
                    code=method_of(self._brain, "prepare"),
                )
                call.result(limit_s)
                names = names_of(self._brain)
        except BaseException as error:  # noqa: BLE001 - a plugin may raise anything
            self.say("failed", {"reason": one_line(error, 1000)})
            return
        self.say("ready", {"name": names.title or (spec.name if hello["brain"] == FIRST else ""), "model": names.model})

    def _progress(self, text: object) -> None:
        self.say("progress", {"text": plain_text(text, NAME_LIMIT)})

    def _decide(self, message: dict[str, Any], live: Live) -> None:
        view, brain = self._views.view(message, live), self._brain
        if live.cancelled or brain is None:
            return
        decision, problem, _ = decision_of(lambda: brain.decide(view), self._name, brain, _log)
        self._partial.flush()
        self.say("play", self._views.answer(message["id"], view, decision, problem))

    def _tell(self, result: Any) -> None:
        end_game = getattr(self._brain, "end_game", None)
        if callable(end_game):
            try:
                end_game(result)
            except BaseException as error:  # noqa: BLE001 - a plugin may raise anything
                write_lines(authors_traceback(error), sys.stderr)


class _Partial:
    def __init__(self, host: _Host) -> None:
        self._host, self._sent = host, 0.0
        self._waiting: tuple[int, str] | None = None

    def publish(self, number: int, text: str) -> None:
        waits, self._waiting = self._waiting is not None, (number, text)
        if time.monotonic() - self._sent >= PARTIAL_S:
            self.flush()
        elif not waits:
            timer = threading.Timer(PARTIAL_S, self.flush)
            timer.daemon = True
            timer.start()

    def flush(self) -> None:
        waiting, self._waiting = self._waiting, None
        self._sent = time.monotonic()
        if waiting is not None:
            self._host.say("partial", {"id": waiting[0], "text": waiting[1]})
