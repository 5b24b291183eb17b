"""Which folders are one bot's own, so that it may read all that is there, and which hold other things in any case."""

from __future__ import annotations

import os
import re
import tempfile
from contextlib import suppress
from functools import cache
from pathlib import Path

from batllm_arcade.errors import UsageError
from batllm_arcade.files.reading import read_text

MARKER = ".batllm-bot"
"""A file that says of the folder it is in: all in it is one bot's, which may read it."""
_PROGRAM = Path(os.path.realpath(__file__)).parents[1]
"""This program's folder, which may be in a hidden one with its examples."""
_LARGE = ("/tmp", "/var/tmp", "/dev/shm", "/etc", "/var", "/run", "/proc", "/sys", "/dev", "/home", "/root")
"""Folders that hold far more than a bot's files, whoever works there."""


def is_bot_folder(folder: str) -> bool:
    """Return whether a folder is one bot's own, which its maker has said by a file MARKER in it.

    A folder that holds other things is not, whatever is in it, nor a hidden one below the home folder.
    """
    return os.path.isfile(os.path.join(folder, MARKER)) and not holds_more(folder) and not _hidden(folder)


def _hidden(folder: str) -> bool:
    """Return whether it lies in a hidden folder below the home folder, as programs' data do, and not in this one."""
    real = Path(os.path.realpath(folder))
    homes = [Path(os.path.realpath(home)) for home in (os.path.expanduser("~"), _home_of_user()) if home]
    parts = [part for home in homes if home in real.parents for part in real.relative_to(home).parts]
    return any(part.startswith(".") for part in parts) and _PROGRAM not in real.parents


def is_shared(name: str) -> bool:
    """Return whether the bots of a plugins folder may read what has this name there; `__pycache__` is Python's."""
    return name.startswith("_") and not name.startswith("__")


def check_unreadable(path: Path) -> None:
    """Raise UsageError if a bot could read what is written there while it plays."""
    real = Path(os.path.realpath(path))
    for each in (real, *real.parents):
        if is_shared(each.name) and next(each.parent.glob("*.py"), None) is not None:
            raise UsageError(
                f"{str(path)!r} is or lies in {each.name!r} beside Python files, which bots there may read; name "
                "another place"
            )
    for folder in real.parents:
        if is_bot_folder(str(folder)):
            raise UsageError(
                f"{str(path)!r} lies in a folder that a bot may read ({str(folder)!r} has {MARKER}); name another place"
            )


def holds_more(folder: str) -> bool:
    """Return whether a folder is /, the home folder, one for temporary or the system's files, or above one of them."""
    real = os.path.realpath(folder)
    return any(place == real or place.startswith(real.rstrip("/") + "/") for place in _private())


@cache
def _private() -> frozenset[str]:
    home = os.path.expanduser("~")
    variables = ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR")
    given = [os.environ[name] for name in variables if os.environ.get(name)]
    usual = [os.path.join(home, name) for name in (".config", ".local", ".local/share", ".cache", ".ssh")]
    own = [os.path.join(folder, "batllm-arcade") for folder in (*usual, *given)]
    everyday = [os.path.join(home, name) for name in ("Desktop", "Documents", "Downloads", "Public")]
    # A folder to which archives are unpacked may have a stranger's marker in it, whatever it is called here.
    everyday += _named_folders(os.environ.get("XDG_CONFIG_HOME") or os.path.join(home, ".config"), home)
    places = [home, _home_of_user(), _temporary(), *_LARGE, *usual, *given, *own, *everyday]
    return frozenset(os.path.realpath(place) for place in places if place)


def _temporary() -> str:
    with suppress(FileNotFoundError):  # a read-only computer may have none
        return tempfile.gettempdir()
    return ""


def _named_folders(settings: str, home: str) -> list[str]:
    try:
        text = read_text(Path(settings, "user-dirs.dirs"))
    except (OSError, ValueError):
        return []
    found = re.findall(r'^\s*XDG_\w+_DIR\s*=\s*"(.+)"', text, re.MULTILINE)
    return [each.replace("$HOME", home).replace("${HOME}", home) for each in found]


def _home_of_user() -> str:
    try:
        import pwd

        return pwd.getpwuid(os.getuid()).pw_dir
    except (ImportError, KeyError):
        return ""
