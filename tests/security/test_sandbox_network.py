"""What a bot in a sandbox reaches with each kind of network; and that nothing of the network outlives it."""

from __future__ import annotations

import json
import os
import shutil
import signal
import stat
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from paths import TESTS
from resources import SOON, nothing_left
from sandboxing import bot_program, process_brain, require_network, require_sandbox

from batllm_arcade.brains.protocol import BrainError, Spec
from batllm_arcade.errors import UsageError
from batllm_arcade.isolation import sandbox as modes
from batllm_arcade.isolation.process_brain import ProcessBrain
from batllm_arcade.processes.descendants import end_marked

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="bubblewrap is for Linux")

WORLD = TESTS / "support" / "network_world.py"
NAMESPACES = ("--user", "--map-root-user", "--net", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc")
NEIGHBOURS = {"neighbour": "neighbour", "neighbour by IPv6": "neighbour by IPv6", "name": "10.77.0.2"}


@cache
def world() -> dict[str, Any]:
    """What bots have reached in a world with a neighbour and this computer, by the network that they were given."""
    require_network()
    if shutil.which("ip") is None or shutil.which("unshare") is None:
        pytest.skip("ip (iproute2) and unshare make the world")
    line = ["unshare", *NAMESPACES, sys.executable, str(WORLD), "no", "yes", "loopback"]
    made = subprocess.run(line, capture_output=True, text=True, timeout=100, check=False)
    assert made.returncode == 0, made.stderr[-3000:]
    found: dict[str, Any] = json.loads(made.stdout)
    return found


def test_without_the_network_a_bot_reaches_nothing():
    assert world()["no"] == {"reached": {}, "heard": []}


def test_with_the_network_a_bot_reaches_servers_and_nothing_of_this_computer():
    """Neither its loopback nor another of its addresses, nor a socket without a file, such as a screen's."""
    assert world()["yes"] == {"reached": NEIGHBOURS, "heard": []}


def test_this_computer_s_own_servers_are_reached_by_an_option_alone_and_its_nameless_sockets_never():
    found = world()["loopback"]
    assert {name: found["reached"].get(name) for name in NEIGHBOURS} == NEIGHBOURS
    assert {"loopback: loopback", "loopback: any"} <= set(found["heard"])
    assert found["reached"]["loopback"] == "loopback"
    assert not [said for said in found["heard"] if said.startswith("screen")]


def test_without_pasta_the_network_is_refused_with_what_to_install(monkeypatch):
    require_sandbox()
    monkeypatch.setattr(modes, "pasta", lambda: "")
    for network in ("yes", "loopback"):
        with pytest.raises(UsageError, match=r"pasta.*install passt"):
            modes.bot_isolation(Spec("proc", "x", {"isolation": "sandbox", "network": network}))
    assert modes.bot_isolation(Spec("proc", "x", {"isolation": "sandbox"})).network == "no"


def test_where_pasta_fails_no_bot_begins(tmp_path, monkeypatch):
    require_sandbox()
    (tmp_path / "pasta").write_text("#!/bin/sh\necho 'no tunnel here' >&2\nexit 1\n")
    (tmp_path / "pasta").chmod(stat.S_IRWXU)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    with nothing_left():
        made = brain(tmp_path)
        with pytest.raises(BrainError, match=r"^crashed: it could not be started: .* \(no tunnel here\)$"):
            made.prepare(lambda _: None)
        made.close()


def brain(folder: Path) -> ProcessBrain:
    return process_brain(bot_program(folder / "bot.py"), network="yes", processes="1")


def below(pid: int) -> Iterator[int]:
    """All that a process has started; one that ends meanwhile, or a thread of it, is none."""
    with suppress(OSError):
        for task in list(Path(f"/proc/{pid}/task").iterdir()):
            for child in map(int, read(task / "children").split()):
                yield child
                yield from below(child)


def read(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""


@pytest.mark.parametrize("killed", ["guard", "watch", "pasta", "both guards", "bot"])
def test_nothing_of_a_bot_s_network_is_left_whatever_is_killed(killed, tmp_path):
    require_network()
    with nothing_left():
        made = brain(tmp_path)
        made.prepare(lambda _: None)
        assert made._bot is not None
        process = made._bot.child._process
        watch = process._process.pid
        all_of_it = [watch, *below(watch)]
        names = {pid: Path(f"/proc/{pid}/cmdline").read_bytes() for pid in all_of_it}
        [pasta] = [pid for pid, name in names.items() if name.split(b"\0")[0].endswith(b"/pasta")]
        guard = next(below(watch))
        victims = {
            "guard": [guard], "watch": [watch], "pasta": [pasta], "both guards": [watch, guard], "bot": [process.pid],
        }[killed]  # fmt: skip
        for pid in victims:
            os.kill(pid, signal.SIGSTOP if len(victims) > 1 else signal.SIGKILL)
        for pid in victims if len(victims) > 1 else ():
            os.kill(pid, signal.SIGKILL)
        if killed == "pasta":
            wait_until(lambda: not alive(pasta))
        made.close()
        wait_until(lambda: not [pid for pid in all_of_it if alive(pid)])
        assert not end_marked(process._mark)


def test_nothing_of_a_bot_s_network_is_left_when_the_program_is_killed(tmp_path):
    require_network()
    file = bot_program(tmp_path / "bot.py", "import time; time.sleep(60)")
    bot = f'proc:cmd="{sys.executable} -I -S {file}",network=yes,isolation=sandbox'
    line = [sys.executable, "-m", "batllm_arcade", "run", "--quiet", "--history", "s.json", "--left", bot]
    line += ["--right", "scripted:turtle"]
    with subprocess.Popen(line, cwd=tmp_path, env={**os.environ, "TMPDIR": str(tmp_path)}) as program:
        found: list[int] = []

        def begun() -> bool:
            found[:] = [program.pid, *below(program.pid)]
            return any(read(Path(f"/proc/{pid}/cmdline")).count(b"bot.py") == 1 for pid in found[3:])

        wait_until(lambda: len(list(below(program.pid))) >= 7 and begun())
        program.kill()
        program.wait()
    wait_until(lambda: not [pid for pid in found if alive(pid)])


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def wait_until(so: Any) -> None:
    ends = time.monotonic() + 3 * SOON
    while not so():
        assert time.monotonic() < ends
        time.sleep(0.01)
