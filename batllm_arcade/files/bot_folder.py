"""Which folders are one bot's own, so that it may read all that is there, and which hold other things in any case."""

from __future__ import annotations

import os
import tempfile
from functools import cache
from pathlib import Path

from batllm_arcade.errors import UsageError

MARKER = ".batllm-bot"
"""A file that says of the folder it is in: all in it is one bot's, which may read it."""
_LARGE = ("/tmp", "/var/tmp", "/dev/shm", "/etc", "/var", "/run", "/proc", "/sys", "/dev", "/home", "/root")
"""Folders that hold far more than a bot's files, whoever works there."""


def is_bot_folder(folder: str) -> bool:
    """Return whether a folder is one bot's own, which its maker has said by a file MARKER in it.

    A folder that holds other things is not, whatever is in it.
    """
    return os.path.isfile(os.path.join(folder, MARKER)) and not holds_more(folder)


def check_unreadable(path: Path) -> None:
    """Raise UsageError if a bot could read what is written there while it plays."""
    for folder in Path(os.path.realpath(path)).parents:
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
    """Return the folders of which nothing else may be shown, and the user's own settings and data."""
    home = os.path.expanduser("~")
    variables = ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR")
    given = [os.environ[name] for name in variables if os.environ.get(name)]
    usual = [os.path.join(home, name) for name in (".config", ".local", ".local/share", ".cache", ".ssh")]
    own = [os.path.join(folder, "batllm-arcade") for folder in (*usual, *given)]
    # A folder to which archives are unpacked may have a stranger's marker in it.
    everyday = [os.path.join(home, name) for name in ("Desktop", "Documents", "Downloads", "Public")]
    places = [home, _home_of_user(), tempfile.gettempdir(), *_LARGE, *usual, *given, *own, *everyday]
    return frozenset(os.path.realpath(place) for place in places if place)


def _home_of_user() -> str:
    """Return the home folder that the system knows, whatever HOME says."""
    try:
        import pwd

        return pwd.getpwuid(os.getuid()).pw_dir
    except (ImportError, KeyError):
        return ""
