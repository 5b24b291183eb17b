"""A bot in its sandbox, looked at from outside while it plays: its namespaces, rights, mounts, limits; and its end."""

from __future__ import annotations

import os
import socket
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from random import Random

import pytest
from paths import TESTS
from resources import SOON, nothing_left
from sandboxing import require_network, require_sandbox

from batllm_arcade.brains.live import Live
from batllm_arcade.brains.protocol import BrainError, Spec, View
from batllm_arcade.core import rules
from batllm_arcade.core.model import Rules
from batllm_arcade.isolation.process_brain import ProcessBrain
from batllm_arcade.models.api_keys import KeyStore, data_file
from batllm_arcade.plugin import manager

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="bubblewrap is for Linux")

BOT = TESTS / "support" / "stranger.py"
ARENA = rules.start(Random(1), Rules())
PROC = manager.load().kinds["proc"]


def brain(command: str, **options: str) -> ProcessBrain:
    made = PROC.make(Spec("proc", "", {"cmd": command, "isolation": "sandbox", **options}))
    assert isinstance(made, ProcessBrain)
    return made


@pytest.fixture
def bot() -> Iterator[Path]:
    """The folder in /proc of a bot that waits in its sandbox for a question."""
    require_sandbox()
    with nothing_left():
        playing = brain(f"{sys.executable} -I -S {BOT} good", memory_mb="99", processes="3")
        playing.prepare(lambda _: None)
        assert playing._bot is not None
        yield Path(f"/proc/{innermost(playing._bot.child.pid)}")
        playing.close()


def innermost(pid: int) -> int:
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return innermost(int(children[0])) if children else pid


def fields(path: Path) -> dict[str, str]:
    return {name: value.strip() for name, _, value in (line.partition(":") for line in path.read_text().splitlines())}


def test_it_has_namespaces_of_its_own_and_no_rights(bot):
    for space in ("user", "mnt", "pid", "ipc", "uts", "cgroup", "net"):
        assert os.readlink(bot / "ns" / space) != os.readlink(f"/proc/self/ns/{space}"), space
    status = fields(bot / "status")
    assert {status[name].strip("0") for name in ("CapInh", "CapPrm", "CapEff", "CapBnd", "CapAmb")} == {""}
    assert status["NoNewPrivs"] == "1"
    assert int(status["NSsid"].split()[-1]) > 0  # a session of its own, which no terminal belongs to
    assert sorted(os.listdir(bot / "fd")) == ["0", "1", "2"]


def test_it_can_write_nowhere_but_to_its_own_memory(bot):
    writable = {}
    for line in (bot / "mountinfo").read_text().splitlines():
        before, _, after = line.partition(" - ")
        _, _, _, _, place, options = before.split()[:6]
        if "rw" in options.split(","):
            writable[place] = after.split()[0]
    devices = [place for place in writable if place.startswith("/dev/") and place != "/dev/shm"]
    assert {place for place in writable if place not in devices} == {"/tmp", "/dev/shm"}
    assert {writable["/tmp"], writable["/dev/shm"]} == {"tmpfs"}
    assert set(devices) <= {f"/dev/{name}" for name in ("null", "zero", "full", "random", "urandom", "tty", "pts")}
    assert os.statvfs(bot / "root" / "tmp").f_blocks * os.statvfs(bot / "root" / "tmp").f_frsize == 64 * 2**20


def test_its_limits_are_set_before_it_begins(bot):
    limits = {line[:26].strip(): line[26:].split()[:2] for line in (bot / "limits").read_text().splitlines()}
    assert limits["Max data size"] == [str(99 * 2**20)] * 2
    assert limits["Max file size"] == [str(64 * 2**20)] * 2
    assert limits["Max open files"] == ["256"] * 2
    assert limits["Max processes"] == ["96"] * 2
    assert limits["Max core file size"] == ["0"] * 2
    assert limits["Max cpu time"] == [str(4 * 3600)] * 2


def test_its_environment_is_made_from_nothing(bot):
    found = {entry.partition(b"=")[0].decode() for entry in (bot / "environ").read_bytes().split(b"\0") if entry}
    assert found <= {
        "PATH", "HOME", "TMPDIR", "LANG", "PWD", "PYTHONUSERBASE", "PYTHONPATH", "LC_CTYPE",
        "PYTHONUNBUFFERED",
    }  # fmt: skip


def test_it_can_reach_neither_the_keys_that_are_kept_nor_the_keyring_s_bus(bot):
    """The file is there for the program, not in the bot's world; nor is the folder with the session bus's socket."""
    store = KeyStore()
    store.keep("https://openrouter.ai", "canary-kept-4d10b2", "file")
    path = data_file()
    assert path.is_file()
    assert not os.path.lexists(f"{bot}/root{path}")
    assert not os.path.lexists(f"{bot}/root/run/user")
    mounts = (bot / "mounts").read_text()
    assert str(path.parent) not in mounts
    assert b"canary-kept" not in (bot / "environ").read_bytes() + (bot / "cmdline").read_bytes()
    store.forget("https://openrouter.ai")


ASKING = """\
import json, socket, sys
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print('{"type":"ready"}', flush=True)
    elif message["type"] == "decide":
        try:
            with socket.create_connection(("127.0.0.1", int(message["view"]["round_prompt"]["self"])), 2) as link:
                said = link.recv(9).decode()
        except OSError:
            said = "nothing"
        print(json.dumps({"type": "play", "id": message["id"], "command": "C1", "thought": said}), flush=True)
"""


@pytest.mark.parametrize(("network", "said"), [("loopback", "hello"), ("yes", "nothing"), ("no", "nothing")])
def test_it_reaches_this_computer_s_servers_only_if_it_is_given_them(network, said, tmp_path):
    require_sandbox()
    if network != "no":
        require_network()
    (tmp_path / "asking.py").write_text(ASKING)
    with nothing_left(), socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(SOON if network == "loopback" else 0)
        playing = brain(f"{sys.executable} -I -S {tmp_path / 'asking.py'}", network=network)
        playing.prepare(lambda _: None)
        answering = threading.Thread(target=answer_once, args=(server,))
        answering.start()
        port = str(server.getsockname()[1])
        view = View(0, Rules(), 1, 1, 1, 1, (0, 1), (port, ""), ARENA, ARENA, live=Live(30), stream="1/1/left")
        assert playing.decide(view).thought == said
        answering.join()
        playing.close()


def answer_once(server: socket.socket) -> None:
    with suppress(BlockingIOError):
        link, _ = server.accept()
        with link:
            link.sendall(b"hello")


def test_it_dies_with_its_guard(bot):
    outer = int(fields(bot / "status")["PPid"])
    wrapper = int(fields(Path(f"/proc/{outer}/status"))["PPid"])
    os.kill(int(fields(Path(f"/proc/{wrapper}/status"))["PPid"]), 9)
    ends = time.monotonic() + SOON
    while bot.exists():
        assert time.monotonic() < ends
        time.sleep(0.005)


def test_what_cannot_be_run_is_told_with_what_bwrap_says(tmp_path):
    require_sandbox()
    (tmp_path / "broken").write_text("#!/no/such/program\n")
    (tmp_path / "broken").chmod(0o755)
    with nothing_left():
        playing = brain(str(tmp_path / "broken"))
        with pytest.raises(
            BrainError, match=r"^crashed: it ended with exit code 1; its log ends with: bwrap: execvp .*broken"
        ):
            playing.prepare(lambda _: None)
        playing.close()
