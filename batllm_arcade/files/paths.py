"""Output paths: checked before any work begins, numbered where a name is in use."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import datetime
from itertools import count
from pathlib import Path

from batllm_arcade.errors import UsageError
from batllm_arcade.files.atomic import check_regular, target_of


class NoUserFolder(UsageError, FileNotFoundError):
    """Nobody knows where this user's files are: there is no HOME, and the user is in no list of users."""

    def __init__(self, variable: str) -> None:
        super().__init__(f"nobody knows where your files are kept; set HOME, or {variable}, to a folder of yours")
        self.strerror = str(self)


def data_folder() -> Path:
    """Return the folder for what the program keeps for this user; it may not exist yet. Raise NoUserFolder."""
    import platformdirs  # only where something is kept there

    return _user_folder(platformdirs.user_data_dir, "XDG_DATA_HOME")


def config_folder() -> Path:
    """Return the folder of the person's settings; it may not exist yet. Raise NoUserFolder."""
    import platformdirs

    return _user_folder(platformdirs.user_config_dir, "XDG_CONFIG_HOME")


def _user_folder(find: Callable[..., str], variable: str) -> Path:
    try:
        folder = Path(find("batllm-arcade", appauthor=False))
    except (RuntimeError, KeyError):
        raise NoUserFolder(variable) from None
    if not folder.is_absolute() or folder.parts[1:2] == ("~",):
        raise NoUserFolder(variable)
    return folder


def whole_path(path: Path) -> Path:
    """Return an absolute path without `~` and `..`; what `..` leads to after a link is the system's answer.

    The file's own name is kept, also that of a link.
    """
    path = path.expanduser().absolute()
    if ".." not in path.parts:
        return path
    return Path(os.path.realpath(path)) if path.name == ".." else Path(os.path.realpath(path.parent), path.name)


def check_output(path: Path, *, force: bool, working_files: Sequence[Path] = ()) -> None:
    """Raise UsageError if no file can be written at `path`, or if one exists and `force` is false.

    `working_files` are written beside it meanwhile: their longer names must fit the file system, too.
    """
    try:
        if path.is_dir():
            raise UsageError(f"{str(path)!r} is a folder; name a file to write")
        check_regular(path)  # whatever `force` says: nobody wants a device or a pipe replaced
        if path.exists() and not force:
            raise already_exists(path)
        for folder in {path.parent, target_of(path).parent}:
            if not folder.is_dir():
                raise UsageError(f"the folder {str(folder)!r} does not exist; create it or name another file")
            if not os.access(folder, os.W_OK):
                raise UsageError(f"the folder {str(folder)!r} cannot be written to; name a file somewhere else")
        for each in (path, *working_files):
            with suppress(FileNotFoundError):
                os.lstat(each)  # raises for a name that is too long
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise UsageError(f"{str(path)!r} cannot be written: {why}") from None


def already_exists(path: Path, note: str = "", how: str = "add --force") -> UsageError:
    """Return the error for an output that exists; the note says more about it, `how` what replaces it."""
    return UsageError(f"{str(path)!r} exists already; name another file or {how}{note}")


def new_path(
    folder: Path, what: str, instead: str, name: str, *, in_use: Callable[[Path], bool] = os.path.exists
) -> Path:
    """Return a free path in a folder, made if it is not there; `name` is a form of the time, as `strftime` has them.

    Raise UsageError, which says `what` cannot be kept there and what to do `instead`, if there can be none.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"{what} cannot be kept in {str(folder)!r} ({error.strerror}); {instead}") from None
    return free_path(folder, f"{datetime.now():{name}}", in_use=in_use)


def free_path(folder: Path, name: str, *, in_use: Callable[[Path], bool] = os.path.exists) -> Path:
    """Return the first of `NAME.EXT`, `NAME-2.EXT`, `NAME-3.EXT` ... in the folder that is not in use."""
    stem, suffix = os.path.splitext(name)
    candidates = (folder / (name if number == 1 else f"{stem}-{number}{suffix}") for number in count(1))
    return next(path for path in candidates if not in_use(path))
