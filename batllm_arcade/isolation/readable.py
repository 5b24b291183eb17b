"""What of this machine a bot in a sandbox can read: its own files, the system, the Python that runs it."""

from __future__ import annotations

import os
import site
import sys
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from batllm_arcade.errors import UsageError
from batllm_arcade.files.bot_folder import holds_more, is_bot_folder, is_shared
from batllm_arcade.files.paths import whole_path

OWN_PACKAGES = ("batllm_arcade", "batllm_arcade_plugins", "batllm_arcade.assets", "batllm_arcade.configs")
"""What of this program a bot may import or read."""
MOST_SHARED = 500
"""What of a plugins folder is called `_NAME`: each is a word of a command line, which has an end."""
MOST_SHOWN = 100_000
"""Files and folders in a folder that is shown."""


def bot_files(path: Path) -> tuple[str, ...]:
    """Return what the bot in this file may read: the file, or its folder if that is a bot's own and holds files alone.

    A file that is a link is shown as what it leads to, but in a folder that is shown: there links that lead out of it
    lead nowhere.
    """
    named = str(whole_path(path))
    folder = os.path.dirname(named)
    return (folder if is_bot_folder(folder) and _holds_files_alone(folder) else named,)


def shared_files(folder: str) -> tuple[str, ...]:
    """Return what all bots of a plugins folder may read: what is called `_NAME` there, such as a module they import.

    These are files and folders of files alone: a link would show what it leads to, wherever that is, and a socket
    takes what is sent to it also through a folder that can only be read.
    """
    shared = [] if holds_more(folder) else sorted(filter(is_shared, _names(folder)))
    if len(shared) > MOST_SHARED:
        raise UsageError(
            f"{folder!r} has {len(shared)} files whose names begin with _, and {MOST_SHARED} are allowed; put them "
            "into one folder whose name does"
        )
    return tuple(path for name in shared if _is_plain(path := os.path.join(folder, name)))


def _is_plain(path: str) -> bool:
    """Return whether this is a file, or a folder that holds files alone; a link is neither."""
    return not os.path.islink(path) and (os.path.isfile(path) or (os.path.isdir(path) and _holds_files_alone(path)))


def _holds_files_alone(folder: str) -> bool:
    """Return whether a folder holds nothing but files, links and such folders, and no more than can be looked at."""
    waiting, seen = [folder], 0
    while waiting:
        try:
            with os.scandir(waiting.pop()) as listing:
                for entry in listing:
                    seen += 1
                    if entry.is_dir(follow_symlinks=False):
                        waiting.append(entry.path)
                    elif seen > MOST_SHOWN or not (entry.is_symlink() or entry.is_file(follow_symlinks=False)):
                        return False
        except OSError:
            return False
    return True


def files_of(command: Sequence[str]) -> list[str]:
    """Return what a command needs: its program and every argument that is a file; of a Python its packages as well."""
    found = [word for word in command if os.path.isabs(word) and os.path.isfile(word)]
    if command and os.path.realpath(command[0]) == os.path.realpath(sys.executable):
        return [*found, *python_paths(), *own_packages()]
    # A command of one word is a bot's own file, which proves nothing of the folder that it is in.
    runs = len(command) > 1
    return [*found, *(_prefixes(command[0], interpreter=runs) if found[:1] == [command[0]] else ())]


@cache
def python_paths() -> tuple[str, ...]:
    """Return the folders of the Python that runs this program, with its packages."""
    prefixes = [sys.prefix, sys.exec_prefix, sys.base_prefix, sys.base_exec_prefix, *_prefixes(sys.executable)]
    sites = [*site.getsitepackages(), *(given_paths())]
    if site.ENABLE_USER_SITE:
        sites.append(site.getusersitepackages())
    return tuple(dict.fromkeys(path for path in (*prefixes, *sites) if os.path.isdir(path) and not holds_more(path)))


def given_paths() -> list[str]:
    """Return the folders of PYTHONPATH, in which a person keeps packages."""
    return [path for path in os.environ.get("PYTHONPATH", "").split(os.pathsep) if os.path.isabs(path)]


@cache
def own_packages() -> tuple[str, ...]:
    """Return the folders of this program's own packages, which may lie anywhere."""
    return tuple(dict.fromkeys(path for name in OWN_PACKAGES for path in package_paths(name)))


def package_paths(name: str) -> list[str]:
    """Return where a module or package is that can be imported, [] if there is none."""
    try:
        found = find_spec(name)
    except (ImportError, ValueError):
        return []
    if found is None:
        return []
    places = found.submodule_search_locations or ([found.origin] if found.origin else [])
    return [os.path.abspath(place) for place in places if os.path.exists(place)]


def _prefixes(program: str, *, interpreter: bool = True) -> Iterator[str]:
    """Yield the folders that a program cannot run without: those of a Python, a virtual environment, one in /opt.

    Only an `interpreter` can be a Python, and lies in a folder `bin` then.
    A link is followed hop by hop, for each hop is looked up in the sandbox, too.
    """
    for hop in _hops(program):
        prefix = os.path.dirname(os.path.dirname(hop))
        library = os.path.isfile(os.path.join(prefix, "pyvenv.cfg")) or any(
            name.startswith("python3") for name in _names(os.path.join(prefix, "lib"))
        )
        parts = Path(hop).parts
        if parts[:2] == ("/", "opt") and len(parts) > 3:
            yield os.path.join("/opt", parts[2])
        elif interpreter and library and _is_python(hop) and not holds_more(prefix):
            yield prefix
        yield hop


def _is_python(program: str) -> bool:
    folder, name = os.path.split(program)
    return name.startswith("python") and os.path.basename(folder) == "bin"


def _hops(path: str) -> Iterator[str]:
    for _ in range(40):
        yield path
        if not os.path.islink(path):
            break
        path = os.path.normpath(os.path.join(os.path.dirname(path), os.readlink(path)))


def _names(folder: str) -> list[str]:
    try:
        return os.listdir(folder)
    except OSError:
        return []


def without_covered(paths: Iterable[str], covered: Sequence[str]) -> list[str]:
    """Return the paths that exist and lie in none of the `covered` folders nor in each other, outer ones first."""
    kept: list[str] = []
    for path in sorted({os.path.normpath(path) for path in paths if os.path.exists(path)}):
        if not any(path == outer or path.startswith(outer.rstrip("/") + "/") for outer in (*covered, *kept)):
            kept.append(path)
    return kept
