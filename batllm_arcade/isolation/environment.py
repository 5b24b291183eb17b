"""What a bot's process is given: a command, an environment, a folder, limits, and in a sandbox a network."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from batllm_arcade.errors import UsageError
from batllm_arcade.files.paths import whole_path
from batllm_arcade.isolation.modes import PROCESS, BotIsolation
from batllm_arcade.isolation.readable import files_of
from batllm_arcade.isolation.sandbox import SHM_MB, TMP_MB, pasta, sandbox_command, sandbox_environment, sandboxes
from batllm_arcade.isolation.seccomp import seccomp_filter
from batllm_arcade.processes.environment import handed_on
from batllm_arcade.processes.launch import Launch, Limits, Sandbox

INTERPRETERS: Mapping[str, str] = {".py": sys.executable, ".js": "node", ".mjs": "node", ".sh": "sh"}
"""What runs a file with this ending."""


BOT_LIMITS = Limits(memory_mb=512, processes=8, files=256, nice=10)
"""What a bot may use unless its options say otherwise."""
MOST_CPU_S = 4 * 3600
"""Seconds of processor time that each process of a bot in a sandbox has; one that needs more is started again."""
THREADS = 32
"""Threads that a bot in a sandbox may have for each process it may have."""
MOST_FILES = 10_000
"""Files and folders that a bot in a sandbox may have in /tmp and /dev/shm: each takes memory, also an empty one."""


def bot_launch(
    command: Sequence[str],
    limits: Limits = BOT_LIMITS,
    isolation: BotIsolation = PROCESS,
    readable: Iterable[str] = (),
) -> Launch:
    """Return how a bot is started: in an empty folder and an environment of its own, within its limits.

    In a sandbox it reads nothing but the system, what its command needs and what is `readable`.
    """
    if isolation.mode != "sandbox":
        return Launch(command, handed_on(), limits, tempfile.mkdtemp(prefix="batllm-bot-"))
    network = isolation.network != "no"
    wrapped = sandbox_command(command, [*files_of(command), *readable], sandboxes(), network=network)
    total_mb = limits.memory_mb * limits.processes + TMP_MB + SHM_MB
    limits = replace(
        limits, file_mb=TMP_MB, cpu_s=MOST_CPU_S, tasks=THREADS * limits.processes, total_mb=total_mb,
        written=MOST_FILES,
    )  # fmt: skip
    sandbox = Sandbox(
        seccomp_filter(network=network).hex(), pasta() if network else "", isolation.network == "loopback"
    )
    return Launch(wrapped, sandbox_environment(), limits, sandbox=sandbox)


def file_command(path: Path) -> list[str]:
    """Return the command that runs a bot's file; raise UsageError if there is none."""
    path = whole_path(path)  # the bot gets an empty folder to work in
    if not path.is_file():
        raise UsageError(f"there is no bot {path.name!r}; proc:PATH takes the file of a bot")
    interpreter = INTERPRETERS.get(path.suffix.lower())
    if interpreter is not None:
        return [_program(interpreter, f"{path.name} needs it"), str(path)]
    if not os.access(path, os.X_OK):
        known = ", ".join(INTERPRETERS)
        raise UsageError(
            f'{path.name!r} cannot be run; make it executable (chmod +x), name it {known}, or write proc:cmd="..."'
        )
    return [str(path)]


def split_command(text: str) -> list[str]:
    """Return a command line as its words, files of the current folder by their whole paths; raise UsageError."""
    import shlex

    try:
        words = shlex.split(text, posix=os.name == "posix")
    except ValueError as error:
        raise UsageError(f"the command {text!r} cannot be read: {error}") from None
    if not words:
        raise UsageError('cmd of proc names no program; write proc:cmd="node bot.js"')
    return [_program(words[0], "cmd of proc names it"), *(_whole_path(word) for word in words[1:])]


def _program(name: str, why: str) -> str:
    found = shutil.which(name)
    if found is None:
        raise UsageError(f"the program {name!r} is not installed, and {why}")
    return str(whole_path(Path(found)))


def _whole_path(word: str) -> str:
    return str(whole_path(Path(word))) if os.path.isfile(word) else word
