"""Strangers' bots in a sandbox, as programs and in Python: each plays, and nothing else comes of what it tries.

They run in a world made for them (namespaces, a home in memory, everything else read-only), as an ordinary user and as
root. What came of it is seen from outside: files, sockets, processes, signals, what is printed and kept.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from paths import ROOT, TESTS
from sandboxing import require_sandbox

import batllm_arcade
from batllm_arcade.isolation.sandbox import own_packages, python_paths, without_covered

stranger = pytest.importorskip("stranger", exc_type=ImportError)  # what it imports, Windows has not
WORLD = TESTS / "support" / "strange_world.py"
NAMESPACES = ("--mount", "--pid", "--net", "--uts", "--ipc", "--fork", "--kill-child", "--mount-proc")
ALONE = set(stranger.KINDS).difference(*(kinds for name, kinds in stranger.TOGETHER.items() if name != "harms"))
IN_PYTHON = ("py_together", "py_forks", "py_exit", "py_rudely", "py_by_descriptor")
STRANGERS = [*(kind for kind in stranger.KINDS if kind in ALONE and kind != "harms"), *IN_PYTHON]
AT_FAULT = {
    "forks": "crashed: it had ", "stop": "no answer", "spin": "no answer", "closed": "no answer",
    "crash": "crashed: it used memory that is not its own", "py_exit": "crashed",
    "flood_answers": "garbage: it wrote more than",
    "py_forks": "crashed: it had ", "py_by_descriptor": "garbage", "deaf": "", "limits_off": "", "threads": "",
    "heap": "", "py_rudely": "",
}  # fmt: skip
"""Those that fail at the game itself, how the reasons begin; "" where it depends on the system."""
SLIPS = ("stop", "spin", "closed", "crash", "flood_answers", "deaf", "py_exit", "py_by_descriptor", "py_rudely")
"""Those of them to which it makes no difference who runs them."""
USERS = {"an ordinary user": 65534, "root": 0}

pytestmark = pytest.mark.skipif(
    sys.platform != "linux" or os.geteuid() != 0 or shutil.which("unshare") is None,
    reason="only root can make a world to throw away, with unshare",
)


def world(user: int, mode: str, *kinds: str) -> dict[str, Any]:
    """What came of matches against these strangers in a world of their own."""
    require_sandbox()
    places = [*python_paths(), *own_packages(), str(ROOT), str(Path(batllm_arcade.__file__).parents[1])]
    readable = without_covered(places, ["/usr", "/bin", "/lib"])
    line = ["unshare", *NAMESPACES, sys.executable, str(WORLD), json.dumps(readable), str(user), mode, *kinds]
    made = subprocess.run(line, capture_output=True, text=True, timeout=300, check=False)
    assert made.returncode == 0, made.stderr[-3000:]
    found: dict[str, Any] = json.loads(made.stdout)
    assert found["code"] == 0, found["log"]
    return found


@pytest.mark.timeout(300)  # some thirty matches, four at a time
@pytest.mark.parametrize("user", USERS)
def test_strangers_in_a_sandbox_do_nothing_but_play(user):
    strangers = [kind for kind in STRANGERS if user != "root" or kind not in SLIPS]
    found = world(USERS[user], "sandbox", *strangers)
    assert list(found["matches"]) == strangers
    finished(found["matches"])
    play_on(found["matches"])
    assert found["leaks"] == [], "a secret came out"
    assert (found["changed"], found["heard"]) == ([], []), "a file was changed, or a connection made"
    assert (found["signals"], found["victim"]) == ([], "S"), "a signal came through"
    assert (found["limited"], found["slowed"]) == (False, False), "another process was limited"
    assert found["left"] == {}, "a second later something of them is left"


def finished(matches: dict[str, Any]) -> None:
    """Every match is finished, its session verifies, and the other seat plays undisturbed."""
    assert {
        kind: match
        for kind, match in matches.items()
        if match["ended"] not in (["draw"], ["points"]) or match["other"] != ["ok"] * 3 or match["verified"]
    } == {}
    assert {match["isolation"] for match in matches.values()} == {"sandbox"}


def play_on(matches: dict[str, Any]) -> None:
    """Those that only try what they must not play on; those that fail at the game itself are told by their names."""
    found = {kind: (match["own"], match["reasons"]) for kind, match in matches.items()}
    assert {kind: each for kind, each in found.items() if each[0] != ["ok"] * 3 and kind not in AT_FAULT} == {}
    for kind, reason in AT_FAULT.items():
        told = found.get(kind, ([], [reason]))[1]
        assert not reason or [each for each in told if each.startswith(reason)], (kind, told)


@pytest.mark.timeout(300)
@pytest.mark.parametrize("user", USERS)
def test_in_a_process_the_same_strangers_do_harm_so_that_what_is_looked_at_would_show_it(user):
    found = world(USERS[user], "process", "harms", "good", "slow_all")
    secrets = "\n".join(found["leaks"])
    kept = ("ring",) if os.uname().machine in ("x86_64", "aarch64") else ()
    for secret in ("file", "ssh", "settings", "session", "beside", "tmp", "net", "shm", "environment", "key", *kept):
        assert f"canary-7f3a-{secret}" in secrets, (secret, found["matches"], secrets)
    assert {"/home/victim/secret", "/home/victim/new"} <= set(found["changed"])
    assert {"('0.0.0.0', 7777)", "'/home/victim/agent.sock'", "'\\x00agent'"} <= set(found["heard"])
    assert "28" in found["signals"]
    assert found["limited"]
    assert found["slowed"]
