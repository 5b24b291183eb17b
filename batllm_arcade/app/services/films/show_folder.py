"""Shows a folder in the desktop's own file manager; the window goes on meanwhile."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from batllm_arcade.app.services.background import BackgroundTask
from batllm_arcade.errors import ArcadeError

_WAIT_S = 5.0
"""Seconds in which an opener that fails says so; one that still runs then has opened the folder."""


def show_folder(folder: Path) -> BackgroundTask[bool]:
    """Return the task that opens a folder on the desktop; its error says in one sentence where the folder is."""
    return BackgroundTask("showing a folder", lambda report: _show(folder))


def has_desktop() -> bool:
    """Return whether there is a window, and so a desktop on which a folder could be shown."""
    return os.environ.get("SDL_VIDEODRIVER") not in ("dummy", "offscreen")


def short(folder: Path) -> str:
    """Return a folder as it is shown: the user's own folder is `~`."""
    home = Path.home()
    return f"~{os.sep}{folder.relative_to(home)}" if folder.is_relative_to(home) and folder != home else str(folder)


def _show(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if sys.platform == "win32":
            os.startfile(folder)
            return True
        opener = "open" if sys.platform == "darwin" else "xdg-open"
        program = subprocess.Popen(
            [opener, str(folder)], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            start_new_session=True,
        )  # fmt: skip
        failed = program.wait(_WAIT_S) != 0
    except subprocess.TimeoutExpired:
        failed = False
    except OSError:
        failed = True
    if failed:
        raise ArcadeError(f"the folder cannot be opened from here; it is {short(folder)}")
    return True
