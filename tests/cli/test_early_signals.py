"""A signal to end the program that comes while its modules are loaded ends it at once, without a traceback."""

from __future__ import annotations

import signal
import subprocess
import sys

import pytest
from paths import ROOT
from signals import heard

# A signal may come wherever a module is imported, such as in what is called when an object is freed there, where Python
# drops the interrupt and says so; it comes at the import that is named.
PROGRAM = """
import os, sys, weakref
number, place, *sys.argv[1:] = sys.argv[1:]
class Freed: pass
class Finder:
    def find_spec(self, name, path=None, target=None):
        if name == place:
            freed = Freed()
            watched = weakref.ref(freed, lambda _: os.kill(os.getpid(), int(number)))
            del freed
sys.meta_path.insert(0, Finder())
from batllm_arcade.cli.main import main
sys.exit(main())
"""
LOADING = ("argparse", "batllm_arcade.cli.commands", "batllm_arcade.cli.matches", "batllm_arcade.terminal.output")
RUNNING = ("batllm_arcade.settings.config", "pluggy", "batllm_arcade.plugin.manager", "batllm_arcade_plugins.scripted")


def ended(number: int, place: str) -> tuple[int, str, str]:
    command = [sys.executable, "-c", PROGRAM, str(int(number)), place, "brains"]
    with heard(number):
        done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, timeout=60, check=False)
    return done.returncode, done.stdout, done.stderr


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signals to send to one process")
@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_a_signal_while_modules_are_loaded_ends_the_program_without_a_traceback(name):
    number = signal.Signals[name]
    assert [ended(number, place) for place in LOADING] == [(128 + number, "", "")] * len(LOADING)
    code = 128 + number if number == signal.SIGINT else -number  # which shells call 143 and 129, too
    for place in RUNNING:
        *found, said = ended(number, place)
        assert (found, said.removeprefix("batllm-arcade: stopped\n")) == ([code, ""], "")
