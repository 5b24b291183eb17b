"""How a bot is isolated: in a sandbox, in a process, or not at all; what was asked for, and what that comes to here."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, get_args

from batllm_arcade.brains.protocol import Spec
from batllm_arcade.errors import UsageError
from batllm_arcade.isolation.sandbox import pasta, sandboxes

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
