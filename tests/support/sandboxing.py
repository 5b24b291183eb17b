"""Where a test needs a sandbox: it is skipped where none can be made, and fails there if it must not be."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from batllm_arcade.brains.protocol import Spec
from batllm_arcade.isolation.process_brain import ProcessBrain
from batllm_arcade.isolation.sandbox import pasta, sandboxes

PROGRAM = """\
import json, os, sys
def main(options):
    {does}
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        main(message["options"])
        print('{{"type":"ready"}}', flush=True)
    elif message["type"] == "decide":
        print(json.dumps({{"type": "play", "id": message["id"], "command": "M"}}), flush=True)
"""


def require_sandbox() -> None:
    """Skip the test where no sandbox can be made; fail it where BATLLM_REQUIRE_SANDBOX is set."""
    if problem := sandboxes().problem:
        (pytest.fail if os.environ.get("BATLLM_REQUIRE_SANDBOX") else pytest.skip)(f"no sandbox: {problem}")


def require_network() -> None:
    """Skip the test where a sandbox can be given no network; fail it where BATLLM_REQUIRE_NETWORK is set."""
    require_sandbox()
    if not pasta() or not os.access("/dev/net/tun", os.R_OK | os.W_OK):
        (pytest.fail if os.environ.get("BATLLM_REQUIRE_NETWORK") else pytest.skip)("no pasta, or no /dev/net/tun")


def bot_program(file: Path, does: str = "pass") -> Path:
    """Write a program that does something before it is ready, and always plays `M`."""
    file.write_text(PROGRAM.format(does=does.strip().replace("\n", "\n    ")))
    return file


def process_brain(file: Path, **options: str) -> ProcessBrain:
    """The brain of a program, in a sandbox unless the options say otherwise."""
    spec = Spec("proc", "", {"isolation": "sandbox", **options})
    return ProcessBrain(spec, [sys.executable, "-I", "-S", str(file)], {})


def log_of(brain: ProcessBrain) -> list[str]:
    """What a bot has written to its log by the time it is ready; it is closed then."""
    brain.prepare(lambda _: None)
    brain.close()
    return brain.log.lines()
