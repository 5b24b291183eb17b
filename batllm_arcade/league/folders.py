"""Where leagues are kept that no folder was named for, beside the sessions."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from batllm_arcade.errors import UsageError
from batllm_arcade.files.paths import free_path
from batllm_arcade.session.live_session import sessions_folder


def leagues_folder() -> Path:
    """Return the folder of leagues without a named one; it may not exist yet."""
    return sessions_folder().parent / "leagues"


def new_folder() -> Path:
    """Return a free folder for a league, named by the time; raise UsageError if there can be none."""
    folder = leagues_folder()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"leagues cannot be kept in {str(folder)!r} ({error.strerror}); add --out DIR") from None
    return free_path(folder, f"{datetime.now():%Y%m%d-%H%M%S}")
