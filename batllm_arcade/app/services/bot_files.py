"""Which bots there are at a path that a player types, found out on a thread."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from batllm_arcade.app.services.background import BackgroundTask

ENDINGS = (".py", ".js", ".mjs", ".sh")
"""Names of files that are bots although nobody made them executable."""
_MOST = 200


@dataclass(frozen=True, slots=True)
class BotFiles:
    """The bots at a path: `file` is the one it names or the first in a folder, `others` all in that folder."""

    path: str
    file: str = ""
    others: tuple[str, ...] = ()
    problem: str = ""


class BotFinder:
    """Looks at the path asked for last; `found` is what is known of it, None while it is looked at."""

    def __init__(self) -> None:
        self._task: BackgroundTask[BotFiles] | None = None
        self._path = ""
        self.found: BotFiles | None = None

    def look(self, path: str) -> None:
        """Look at a path, unless that is what was looked at last."""
        if path != self._path or (self._task is None and self.found is None):
            self._path, self.found = path, None
            self._task = BackgroundTask("looking for bots", lambda report: bots_at(path))

    def update(self) -> bool:
        """Take over what has been found; return whether there is news."""
        task = self._task
        if task is None or not task.done:
            return False
        self._task = None
        self.found = task.result if task.result is not None else BotFiles(self._path, problem=str(task.error))
        return True


def bots_at(path: str) -> BotFiles:
    """Return the bots at a path: a file, or a folder with files that are or look like bots."""
    if not path.strip():
        return BotFiles(path, problem="type the path of a bot's file, or of a folder with bots")
    place = Path(path.strip()).expanduser()
    if place.is_file():
        return BotFiles(path, str(place))
    if not place.is_dir():
        return BotFiles(path, problem=f"there is no file and no folder {place.name!r}")
    try:
        files = tuple(sorted(str(each) for each in place.iterdir() if _is_bot(each)))[:_MOST]
    except OSError as error:
        return BotFiles(path, problem=f"the folder {place.name!r} cannot be read: {error.strerror}")
    if not files:
        return BotFiles(path, problem=f"there is no bot in the folder {place.name!r}")
    return BotFiles(path, files[0], files)


def _is_bot(path: Path) -> bool:
    if path.name.startswith(("_", ".")) or not path.is_file():
        return False
    return path.suffix in ENDINGS or (not path.suffix and os.access(path, os.X_OK))
