"""What makes two leagues the same."""

from __future__ import annotations

import hashlib
import json
import os
import shlex
import stat
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from functools import cache
from importlib.metadata import entry_points
from importlib.util import find_spec
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple

from batllm_arcade.brains.protocol import Spec
from batllm_arcade.errors import UsageError
from batllm_arcade.files.bot_folder import holds_more
from batllm_arcade.history.paths import program
from batllm_arcade.league.plan import LeaguePlan
from batllm_arcade.league.validation import read_as
from batllm_arcade.plugin.hookspecs import PROJECT

_WHOLE = 64 * 1024 * 1024
"""Bytes up to which a file is read whole; of a larger one, such as a model, its size and both ends."""

CORE = ("core", "match", "brains", "prompts", "isolation", "models", "seats", "env")
"""The folders of this program that decide what is played."""
BESIDE_BYTES = 1024 * 1024
"""Bytes of the largest file beside a bot that is looked at."""
BESIDE_FILES = 1000
"""Files beside a bot that are looked at, in the order of their names."""
_DROP_INS = "[!_]*.py"
_NOT_BESIDE = ("__pycache__", "node_modules", "logs")


def of_value(value: Any) -> str:
    """Return the hash of a plain value."""
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()


def of_file(path: Path) -> str:
    """Return the hash of a file; raise OSError if it cannot be read."""
    digest = hashlib.sha256()
    with path.open("rb") as file:
        size = file.seek(0, 2)
        digest.update(str(size).encode())
        file.seek(0)
        left = size if size <= _WHOLE else _WHOLE // 2
        while block := file.read(min(left, 1 << 20)):
            digest.update(block)
            left -= len(block)
        if size > _WHOLE:
            file.seek(size - _WHOLE // 2)
            while block := file.read(1 << 20):
                digest.update(block)
    return digest.hexdigest()


def of_plugins(plugins_dir: Path | None) -> dict[str, str]:
    """Return the hash of every plugin by name: the drop-ins of this folder, and what is installed."""
    hashes: dict[str, str] = {}
    if plugins_dir is not None and plugins_dir.is_dir():
        for path in sorted(plugins_dir.glob(_DROP_INS)):
            if path.is_file():
                hashes[path.stem] = of_file(path)
    for entry in entry_points(group=PROJECT):
        module = _of_module(entry.value.partition(":")[0])
        # A file of a bundled plugin's name is left out, and one of another's stands for it: either may play.
        hashes[entry.name] = of_value([hashes[entry.name], module]) if entry.name in hashes else module
    return hashes


def _of_module(name: str) -> str:
    try:
        spec = find_spec(name)
    except (ImportError, ValueError):
        spec = None
    if spec is None or spec.origin is None:
        return "missing"
    path = Path(spec.origin)
    files = sorted(path.parent.rglob("*.py")) if path.name == "__init__.py" else [path]
    try:
        return of_value([of_file(each) for each in files])
    except OSError:
        return "unreadable"


@cache
def of_core() -> str:
    """Return the hash of what decides in this program what is played: two copies of one version may differ in it."""
    digest, root = hashlib.sha256(), Path(__file__).parents[1]
    for path in sorted(each for folder in CORE for each in (root / folder).rglob("*.py")):
        digest.update(path.relative_to(root).as_posix().encode() + b"\0")
        digest.update(path.read_bytes().replace(b"\r\n", b"\n") + b"\0")  # a checkout on Windows is the same program
    return digest.hexdigest()


def of_orders(plan: LeaguePlan) -> dict[str, str]:
    """Return the hash of every player's orders by its name."""
    return {player.name: of_value(player.orders) for player in plan.players}


def of_brain_files(plan: LeaguePlan) -> dict[str, str]:
    """Return the hash of every file that a brain is started from or given, by `PLAYER: FILE`."""
    hashes = {}
    for player in plan.players:
        for text in (player.brain, player.fallback):
            for path in _files_in(text) if text else ():
                try:
                    hashes[f"{player.name}: {path.name}"] = of_file(path)
                except OSError as error:
                    raise UsageError(f"{str(path)!r} of {player.name} cannot be read: {error.strerror}") from None
    return hashes


def of_folders(plan: LeaguePlan, plugins_dir: Path | None = None) -> dict[str, dict[str, str]]:
    """Return the hashes of the files beside bots and drop-ins, by their folder as it is named and their path in it.

    A bot may read them: helpers, data. A folder that holds more than bots, such as the home folder, is left out, and
    so are hidden files, logs, what a league wrote, and what is larger than BESIDE_BYTES.
    """
    bots = [
        path
        for player in plan.players
        for text in (player.brain, player.fallback)
        if text and Spec.parse(text).name == "proc"
        for path in _files_in(text)
    ]
    own, folders = {path.absolute() for path in bots}, [path.parent for path in bots]
    if plugins_dir is not None:
        own |= {path.absolute() for path in plugins_dir.glob(_DROP_INS)}
        folders.append(plugins_dir)
    return {each.as_posix(): _beside(each, own) for each in dict.fromkeys(folders) if not _holds_more(each)}


def _holds_more(folder: Path) -> bool:
    """Return whether a folder is no bot's: the home folder, one of programs, one for temporary files."""
    programs = os.environ.get("PATH", "").split(os.pathsep)
    return holds_more(str(folder)) or any(
        place and os.path.realpath(place) == os.path.realpath(folder) for place in programs
    )


def _beside(folder: Path, own: set[Path]) -> dict[str, str]:
    hashes: dict[str, str] = {}
    for path in _walked(folder):
        if path.absolute() in own or path.suffix == ".log":
            continue
        try:
            seen = path.stat()
            if stat.S_ISREG(seen.st_mode) and seen.st_size <= BESIDE_BYTES:
                hashes[path.relative_to(folder).as_posix()] = of_file(path)
        except OSError:
            continue
        if len(hashes) == BESIDE_FILES:
            break
    return hashes


def _walked(folder: Path) -> Iterator[Path]:
    """Yield the files in a folder and below it, in the order of their names, without those of a league."""
    for place, folders, files in os.walk(folder):
        if "league.json" in files:
            folders.clear()
            continue
        folders[:] = sorted(name for name in folders if not name.startswith(".") and name not in _NOT_BESIDE)
        yield from (Path(place, name) for name in sorted(files) if not name.startswith("."))


def _files_in(brain: str) -> Iterator[Path]:
    """Yield the files that a brain's text names: bots, models, sessions; those it looks for elsewhere are not seen."""
    spec = Spec.parse(brain)
    for text in (spec.variant, *spec.options.values()):
        try:
            words = [text, *shlex.split(text)]
        except ValueError:
            words = [text]
        for word in dict.fromkeys(words):
            path = Path(word).expanduser()
            try:
                if word and path.is_file():
                    yield path
            except OSError:
                continue


def changes(before: Mapping[str, str], now: Mapping[str, str], *, new_ones: bool = True) -> list[str]:
    """Return the names whose hashes differ; with `new_ones` false those that were not there before do not count."""
    names = [*before, *(name for name in now if new_ones and name not in before)]
    return [name for name in names if before.get(name) != now.get(name)]


class IdentityDifference(NamedTuple):
    """Something that is not as it was agreed: `what` it is, and whether it is `gone` or another one.

    `versions` are those of the program where that is what differs, agreed and found.
    """

    what: str
    gone: bool = False
    versions: tuple[str, str] | None = None

    def since(self) -> str:
        """Return it as a sentence on what has changed since a league began."""
        if self.versions is not None:
            return f"the program was {self.versions[0]} and is {self.versions[1]} now"
        return f"{self.what} has {'gone' if self.gone else 'changed'} since the league began"

    def there(self) -> str:
        """Return it as a clause on another machine than the one where the league is run."""
        if self.versions is not None:
            return f"it runs {self.versions[1]}, and the league {self.versions[0]}"
        return f"{self.what} is {'missing' if self.gone else 'another one'} there"


@dataclass(frozen=True, slots=True)
class LeagueIdentity:
    """The program's version and the hash of its `core`, and the hashes of bots' files, plugins and files beside bots.

    A text that is "" and a mapping without a name say nothing about it: leagues that were begun by earlier versions.
    """

    program: str = ""
    core: str = ""
    plugins: Mapping[str, str] = field(default_factory=dict)
    files: Mapping[str, str] = field(default_factory=dict)
    folders: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    def values(self) -> dict[str, Any]:
        """Return it as plain values."""
        return asdict(self)

    def differences(self, found: LeagueIdentity) -> Iterator[IdentityDifference]:
        """Yield what of this is not so in `found`; what only `found` has does not count, but for files of bots."""
        if self.program and self.program != found.program:
            yield IdentityDifference("the program", versions=(self.program, found.program))
        elif self.core and self.core != found.core:
            yield IdentityDifference(f"the code of {self.program} (its version is the same)")
        for name in changes(self.plugins, found.plugins, new_ones=False):
            yield IdentityDifference(f"the plugin {name!r}", name not in found.plugins)
        for name in changes(self.files, found.files):
            player, _, file = name.partition(": ")
            yield IdentityDifference(f"the file {file!r} of {player}", name not in found.files)
        for folder, files in self.folders.items():
            there = found.folders.get(folder, {})
            for name in changes(files, there, new_ones=False):
                what = f"the file {name!r} beside bots in {PurePosixPath(folder).name or folder!r}"
                yield IdentityDifference(what, name not in there)


def identity_of(plan: LeaguePlan, plugins_dir: Path | None) -> LeagueIdentity:
    """Return the identity of this program, the plugins and the plan's players here; raise UsageError if unreadable."""
    plugins, files = of_plugins(plugins_dir), of_brain_files(plan)
    return LeagueIdentity(program(), of_core(), plugins, files, of_folders(plan, plugins_dir))


def identity_from(values: Any) -> LeagueIdentity:
    """Return the identity that `values` returned; raise HistoryError, which names the place, if they are none."""
    return read_as(LeagueIdentity, values, "its identity")
