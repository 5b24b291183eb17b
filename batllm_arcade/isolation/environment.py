"""What a bot's process is given: a command, an environment without secrets, limits."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from batllm_arcade.brains.redaction import holds_password, is_secret
from batllm_arcade.errors import UsageError

INTERPRETERS: Mapping[str, str] = {".py": sys.executable, ".js": "node", ".mjs": "node", ".sh": "sh"}
"""What runs a file with this ending."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What a bot may use: MiB of memory and open files of each of its processes, and how many processes."""

    memory_mb: int = 512
    processes: int = 8
    files: int = 256
    nice: int = 10
    """How far it gives way to the window when all processors are busy."""


def scrubbed_environment() -> dict[str, str]:
    """Return this process's environment without what holds a key, a token, a secret, a password or a credential."""
    return {name: value for name, value in os.environ.items() if not is_secret(name) and not holds_password(value)}


def file_command(path: Path) -> list[str]:
    """Return the command that runs a bot's file; raise UsageError if there is none."""
    path = path.expanduser().absolute()  # the bot gets an empty folder to work in
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
    return os.path.abspath(found)


def _whole_path(word: str) -> str:
    return os.path.abspath(word) if os.path.isfile(word) else word


def python_command(code: str, *arguments: str) -> Sequence[str]:
    """Return the command of a Python that runs `code` and can import this package, whatever folder it is in."""
    place = str(Path(__file__).parents[2])
    start = f"import sys; sys.path[0:1] = []; {place!r} in sys.path or sys.path.append({place!r}); {code}"
    return [sys.executable, "-c", start, *arguments]
