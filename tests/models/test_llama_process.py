"""A model's process that is released, or dies, at every step of its life; a small script stands in for the model."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from resources import SOON, children, nothing_left

from batllm_arcade.brains.live import Cancelled, Live
from batllm_arcade.brains.protocol import BrainError
from batllm_arcade.models import llama as llama_process
from batllm_arcade.models.llama import ModelProcess

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")

TIMES = 5
"""How often each way to end is tried at each step."""

WORKER = r"""
import json, os, sys
settings = json.loads(sys.argv[1])
def reached(step):
    if step != settings["step"]:
        return
    if settings["then"] == "die":
        os._exit(7)
    with open(settings["model"], "w") as steps:
        steps.write(step)
    sys.stdin.read()
    os._exit(0)
def send(text):
    sys.stdout.write(text)
    sys.stdout.flush()
reached("loading")
send('{"id": 0')
reached("half a line")
send('}\n')
for line in iter(sys.stdin.readline, ""):
    request = json.loads(line)
    if "body" not in request:
        continue
    reached("asked")
    answer = json.dumps({"id": request["id"], "text": "B", "tokens": {}, "weights": {}, "cached": 0})
    send(answer[:20])
    reached("half an answer")
    send(answer[20:] + "\n")
"""
"""Loads and answers at once, but waits or dies when it has reached a step; it says so first to the `model`, a pipe."""
IN_WORKER = ("loading", "half a line", "asked", "half an answer")
IN_START = ("before start", "before the process", "after the process")


class Command(list[str]):
    """The worker's command; calls `act` when it is read, just before the process is started."""

    act: Callable[[], None] | None = None

    def __iter__(self) -> Iterator[str]:
        act, self.act = self.act, None
        if act is not None:
            act()
        return super().__iter__()


def alive(pid: int) -> bool:
    """Whether this process runs."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.fixture
def command(monkeypatch) -> Command:
    fake = Command([sys.executable, "-I", "-S", "-c", WORKER])
    monkeypatch.setattr(llama_process, "WORKER", fake)
    return fake


@pytest.fixture
def steps(tmp_path) -> Path:
    os.mkfifo(tmp_path / "steps")
    return tmp_path / "steps"


def release_at(step: str, act: Callable[[], None], command: Command, steps: Path, monkeypatch: Any) -> None:
    """Arrange that `act` is called at this step, from another thread where it is one of the worker's."""
    if step in IN_WORKER:
        # Reading waits until the worker is there.
        threading.Thread(target=lambda: (steps.read_text(), act()), name="at the step").start()
    elif step == "before start":
        act()
    elif step == "before the process":
        command.act = act
    else:
        start = subprocess.Popen.__init__

        def then_act(*args: Any, **options: Any) -> None:
            start(*args, **options)
            monkeypatch.setattr(subprocess.Popen, "__init__", start)
            act()

        monkeypatch.setattr(subprocess.Popen, "__init__", then_act)


@pytest.mark.parametrize("users", [1, 2])
@pytest.mark.parametrize("step", [*IN_START, *IN_WORKER])
def test_a_process_released_at_any_step_ends_at_once_and_leaves_nothing(step, users, command, steps, monkeypatch):
    for _ in range(TIMES):
        with nothing_left():
            stuck = step if step in IN_WORKER else "loading"  # a start that is not cut short never ends
            engines = [ModelProcess.shared(steps, {"step": stuck, "then": "wait"}) for _ in range(users)]
            release = lambda engines=engines: [engine.release() for engine in engines]  # noqa: E731
            release_at(step, release, command, steps, monkeypatch)
            with pytest.raises(Cancelled):
                engines[0].ask({"prompt": "x"})
            with pytest.raises(Cancelled):
                engines[0].start()


@pytest.mark.parametrize("step", IN_WORKER)
def test_a_process_that_dies_at_any_step_is_told_at_once_and_can_be_started_anew(step, command, steps):
    for _ in range(TIMES):
        with nothing_left():
            engine = ModelProcess.shared(steps, {"step": step, "then": "die"})
            for _ in range(2):
                with pytest.raises(BrainError, match="the model's process ended: it ended with exit code 7; choose"):
                    engine.ask({"prompt": "x"}, Live(SOON))
            engine.release()


@pytest.mark.parametrize(
    ("code", "told"),
    [
        (
            "import sys; print('E error loading model: it is incomplete', file=sys.stderr, flush=True)\n"
            'print(\'{"id": 0, "error": {"message": "check the parameters"}}\', flush=True)',
            "cannot be loaded: it is incomplete; if its file was cut short get it again",
        ),
        ("import os; os.kill(os.getpid(), 9)", "memory was short .*; close other programs, or take a smaller model"),
        ("import os; os.kill(os.getpid(), 4)", "this processor does not have .*; choose another brain"),
    ],
)
def test_why_a_model_is_not_there_is_told_with_what_to_do(code, told, command, steps):
    command[-1] = code
    with nothing_left():
        engine = ModelProcess.shared(steps, {})
        with pytest.raises(BrainError, match=told):
            engine.start()
        engine.release()


def test_whoever_waits_for_an_answer_is_told_when_a_line_is_none(command, steps):
    command[-1] = "import sys; print('{\"id\": 0}'); input(); print('no JSON', flush=True); input()"
    with nothing_left():
        engine = ModelProcess.shared(steps, {})
        with pytest.raises(BrainError, match="the model's process ended"):
            engine.ask({"prompt": "x"}, Live(SOON))
        engine.release()


def test_a_process_stays_while_somebody_uses_it(command, steps):
    with nothing_left():
        settings = {"step": "", "then": ""}
        left, right = ModelProcess.shared(steps, settings), ModelProcess.shared(steps, settings)
        assert left is right
        assert left.ask({"prompt": "x"}).text == "B"
        left.release()
        assert right.ask({"prompt": "x"}).text == "B"
        assert alive(right.pid)
        right.release()


def test_who_comes_after_the_last_user_has_gone_gets_a_process_of_its_own(command, steps):
    with nothing_left():
        first = ModelProcess.shared(steps, {"step": "", "then": ""})
        first.start()
        first.release()
        second = ModelProcess.shared(steps, {"step": "", "then": ""})
        assert second.ask({"prompt": "x"}).text == "B"
        second.release()


def test_a_model_that_does_not_load_in_time_is_one_sentence_and_its_process_is_gone(command, steps, monkeypatch):
    monkeypatch.setattr(llama_process, "LOAD_S", 0.0)
    with nothing_left():
        before = children()
        engine = ModelProcess.shared(steps, {"step": "loading", "then": "wait"})
        with pytest.raises(BrainError, match="steps was not loaded within 0 s"):
            engine.start()
        assert children() <= before
        engine.release()


def test_a_late_answer_is_given_up_and_the_process_started_anew(command, steps, monkeypatch):
    monkeypatch.setattr(llama_process, "STALE_S", 0.0)
    with nothing_left():
        engine = ModelProcess.shared(steps, {"step": "asked", "then": "wait"})
        first = engine.start().pid
        now = [0.0]
        late = Live(1.0, clock=lambda: now[0])
        now[0] = 2.0
        with pytest.raises(Cancelled):
            engine.ask({"prompt": "x"}, late)
        assert engine.start().pid != first
        engine.release()


def test_two_who_start_at_once_share_one_process(command, steps):
    with nothing_left():
        engine = ModelProcess.shared(steps, {"step": "", "then": ""})
        together = threading.Barrier(2)
        pids = []
        threads = [threading.Thread(target=lambda: (together.wait(), pids.append(engine.start().pid))) for _ in "ab"]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(SOON)
        assert len(pids) == 2
        assert len(set(pids)) == 1
        engine.release()
