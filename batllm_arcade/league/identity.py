"""What all who play for a league must share, and what differs where they do not, in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple

from batllm_arcade.history.node import Node
from batllm_arcade.history.version import program
from batllm_arcade.league import fingerprint
from batllm_arcade.league.plan import LeaguePlan


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
        for name in fingerprint.changes(self.plugins, found.plugins, new_ones=False):
            yield IdentityDifference(f"the plugin {name!r}", name not in found.plugins)
        for name in fingerprint.changes(self.files, found.files):
            player, _, file = name.partition(": ")
            yield IdentityDifference(f"the file {file!r} of {player}", name not in found.files)
        for folder, files in self.folders.items():
            there = found.folders.get(folder, {})
            for name in fingerprint.changes(files, there, new_ones=False):
                what = f"the file {name!r} beside bots in {PurePosixPath(folder).name or folder!r}"
                yield IdentityDifference(what, name not in there)


def identity_of(plan: LeaguePlan, plugins_dir: Path | None) -> LeagueIdentity:
    """Return the identity of this program, the plugins and the plan's players here; raise UsageError if unreadable."""
    plugins, files = fingerprint.of_plugins(plugins_dir), fingerprint.of_brain_files(plan)
    return LeagueIdentity(program(), fingerprint.of_core(), plugins, files, fingerprint.of_folders(plan, plugins_dir))


def identity_from(values: Any) -> LeagueIdentity:
    """Return the identity that `values` returned; raise HistoryError, which names the place, if they are none."""
    node = Node(values, "its identity")
    folders = {folder: files.texts() for folder, files in node["folders"].members()}
    return LeagueIdentity(
        node["program"].text(), node["core"].text(), node["plugins"].texts(), node["files"].texts(), folders
    )
