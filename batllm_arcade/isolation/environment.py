"""Where a bot runs: in the program, as a process, in a sandbox."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal, get_args

from batllm_arcade.brains.protocol import Spec
from batllm_arcade.errors import UsageError
from batllm_arcade.files.paths import whole_path
from batllm_arcade.isolation.readable import files_of
from batllm_arcade.isolation.sandbox import (
    SHM_MB,
    TMP_MB,
    pasta,
    sandbox_command,
    sandbox_environment,
    sandboxes,
    seccomp_filter,
)
from batllm_arcade.processes.launch import Launch, Limits, Sandbox, handed_on

# -- How a bot is isolated: in a sandbox, in a process, or not at all; what was asked for, and what

Mode = Literal["auto", "sandbox", "process", "none"]
"""`auto` is a sandbox where one can be made, else a process; `none` is inside the program."""
MODES: tuple[Mode, ...] = get_args(Mode)
AUTO: Mode = "auto"
ISOLATION_OPTIONS = ("isolation", "network")
"""The options of every bot that can be isolated."""
MEANING: Mapping[str, str] = {
    "sandbox": "in a sandbox: it can do nothing but play",
    "process": "in a process of its own, no sandbox: it can read your files and use the network",
    "none": "inside the program: it can do what the program can",
}
Network = Literal["no", "yes", "loopback"]
"""What network a sandbox has: none, that outside this computer, or also what this computer serves to itself."""
NETWORKS: tuple[Network, ...] = get_args(Network)
NETWORK: Mapping[str, str] = {
    "yes": "in a sandbox with the network: it can reach every server but those of this computer",
    "loopback": "in a sandbox with the network: it can reach every server, and what this computer serves to itself",
}
SHORT: Mapping[str, str] = {
    "sandbox": "in a sandbox", "process": "in a process, no sandbox", "none": "inside the program",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class BotIsolation:
    """How one bot is isolated: `mode` is `sandbox` or `process`; `network` is what a sandbox leaves it of that."""

    mode: Mode
    network: Network = "no"

    def __str__(self) -> str:
        return NETWORK.get(self.network if self.mode == "sandbox" else "no", MEANING[self.mode])


PROCESS = BotIsolation("process")


def bot_isolation(spec: Spec) -> BotIsolation:
    """Return how the bot of this spec runs in a process here; raise UsageError if it cannot run as it asks to."""
    mode = mode_of(spec.text("isolation", AUTO), f"isolation of {spec.name}")
    if mode == "none":
        raise UsageError(
            "a bot of proc is a program of its own and cannot run inside this one: isolation none is for Python files "
            "of --plugins-dir; write isolation=process"
        )
    network = spec.text("network", "no").lower()
    if network not in NETWORKS:
        raise UsageError(f"network of {spec.name} must be no, yes or loopback, not {spec.text('network')!r}")
    mode = here(mode)
    if network != "no" and mode == "sandbox" and not pasta():
        raise UsageError(
            f"network={network} of {spec.name} needs the program pasta, which gives a sandbox a network of its own and "
            "is not installed; install passt (apt install passt), or leave the option out"
        )
    return BotIsolation(mode, network)


def mode_of(text: str, what: str) -> Mode:
    """Return the mode of this name; raise UsageError that names `what` it is for if there is none."""
    if text not in MODES:
        raise UsageError(f"{what} must be {', '.join(MODES[:-1])} or {MODES[-1]}, not {text!r}")
    return text


def here(mode: Mode) -> Mode:
    """Return what a mode comes to on this machine, never `auto`; raise UsageError if it asks for a sandbox in vain."""
    if mode == AUTO:
        return "process" if sandboxes().problem else "sandbox"
    if mode == "sandbox" and (problem := sandboxes().problem):
        raise UsageError(
            f"no sandbox can be made: {problem}; mend that, or allow bots to read your files and use the network with "
            "--isolation process (of one bot: isolation=process)"
        )
    return mode


def in_words(mode: str, options: Mapping[str, str], *, short: bool = False) -> str:
    """Return where a bot of this mode and these options runs, "" for a brain that is never isolated.

    What it asks for in vain is told when it is made.
    """
    mode = options.get("isolation") or mode
    if mode in (AUTO, "sandbox"):
        mode = "process" if sandboxes().problem else "sandbox"
    network = options.get("network", "").lower() if mode == "sandbox" else ""
    if short:
        return f"{SHORT[mode]} with the network" if network in NETWORK else SHORT.get(mode, "")
    return NETWORK.get(network, MEANING.get(mode, ""))


def no_sandbox() -> str:
    """Return a sentence that says why `auto` means a process here, "" where it means a sandbox."""
    problem = sandboxes().problem
    return f"bots run as processes, which can read your files and use the network: {problem}" if problem else ""


# -- What a bot's process is given: a command, an environment, a folder, limits, and in a sandbox a

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


def bot_file_command(path: Path) -> list[str]:
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
