"""Where a person's settings are kept."""

from __future__ import annotations

import errno
import os
from collections.abc import Mapping
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

from batllm_arcade.brains.protocol import BrainKind, Spec
from batllm_arcade.errors import UsageError
from batllm_arcade.files.atomic import write_text
from batllm_arcade.files.paths import config_folder
from batllm_arcade.files.reading import read_text
from batllm_arcade.settings import user_settings as settings
from batllm_arcade.settings.parsing import mapping, parse_yaml
from batllm_arcade.settings.user_settings import Settings, settled

LARGEST = 64 * 1024
"""Largest file that is read, in bytes; a file with every setting changed has a few thousand."""
_HEAD = "# BatLLM Arcade: only what differs from the settings shipped; delete a line to have it as shipped again.\n"


class SettingsFile:
    """A settings file: `settings` are those to use, `problem` says what is wrong with the file, else "".

    `over` are values for this session only (a configuration's `settings:`); they are not written unless the
    person changes them.
    """

    def __init__(self, path: Path | None = None, over: Mapping[str, Any] | None = None) -> None:
        self.problem, self._given = "", path
        own = Settings()
        try:
            own, wrong = settings.read_known(self._values())
            if wrong:
                more = f" (and {len(wrong) - 1} more)" if len(wrong) > 1 else ""
                self.problem = f"in your settings file {self.path.name!r} {wrong[0]}{more}; it is kept, and not used"
        except UsageError as error:
            self.problem = f"your settings file {self.path.name!r} was left aside: {error}"
        self.settings = settled(settings.read(over or {}, own))
        self._written = settings.values(self.settings)

    @property
    def path(self) -> Path:
        """Return where it is; raise NoUserFolder where nobody knows."""
        return self._given or config_folder() / "settings.yaml"

    def _values(self) -> Mapping[str, Any]:
        try:
            values = parse_yaml(read_text(self.path, LARGEST))
        except (FileNotFoundError, NotADirectoryError):
            return {}
        except OSError as error:
            if error.errno == errno.EFBIG:
                raise UsageError("it is larger than any settings are") from None
            raise UsageError(f"it cannot be read ({error.strerror})") from None
        return mapping("it", {} if values is None else values)

    def save(self, now: Settings) -> str:
        """Write what has changed here since the last time; return why that failed in one sentence, else "".

        Everything else in the file stays: another window may have changed it meanwhile, or a newer version of the
        program, or the person in an editor.
        """
        import yaml  # only a window needs it

        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            try:
                there = self._values()
            except UsageError:
                _set_aside(self.path)
                there = {}
            values = settings.values(now)
            text = yaml.safe_dump(_merged(values, self._written, there), sort_keys=True)
            write_text(self.path, [_HEAD, "" if text == "{}\n" else text])
            self._written = values
        except OSError as error:
            return f"the settings could not be written ({error.strerror}); they hold until the window is closed"
        return ""


def _set_aside(path: Path) -> None:
    """Rename what holds no settings (a link, not what it leads to): whoever wrote it by hand wants it back."""
    names = (path.with_suffix(".broken" if number == 1 else f".broken-{number}") for number in count(1))
    os.rename(path, next(name for name in names if not os.path.lexists(name)))


def _merged(now: Mapping[str, Any], began: Mapping[str, Any], kept: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values to write: those that differ from when they began, else those that are kept in the file."""
    merged: dict[str, Any] = {}
    for key in {*now, *began, *kept}:
        inner = [each.get(key) for each in (now, began, kept)]
        if any(isinstance(each, Mapping) for each in inner):
            one, two, three = (each if isinstance(each, Mapping) else {} for each in inner)
            deeper = _merged(one, two, three)
            if deeper:
                merged[key] = deeper
        else:
            stays = inner[2] if inner[0] == inner[1] else inner[0]
            if stays is not None:
                merged[key] = stays
    return merged


Names = tuple[str, str]
"""A name for the person at each seat, left first, "" for none."""
Seats = tuple[Spec, Spec]
UNNAMED: Names = ("Player 1", "Player 2")
"""What two people are called who have not said their names."""


def people(seats: Seats, kinds: Mapping[str, BrainKind]) -> tuple[bool, bool]:
    """Return which seats a person has."""
    left, right = (bool(kind and kind.human and not kind.remote) for kind in (kinds.get(spec.name) for spec in seats))
    return left, right


def named(seats: Seats, kinds: Mapping[str, BrainKind], kept: Names) -> Seats:
    """Return the seats with names for the people at them: those given, else those kept, else two that differ."""
    human = people(seats, kinds)
    names = [spec.text("name") or (kept[seat] if human[seat] else "") for seat, spec in enumerate(seats)]
    if all(human):
        names = [name or instead for name, instead in zip(names, UNNAMED, strict=True)]
        if names[0].casefold() == names[1].casefold():
            names[1] = f"{names[1]} 2"
    left, right = (
        replace(spec, options={**spec.options, "name": name}) if human[seat] and name else spec
        for seat, (spec, name) in enumerate(zip(seats, names, strict=True))
    )
    return left, right


def given(seats: Seats, kinds: Mapping[str, BrainKind], kept: Names) -> Names:
    """Return the names to keep: those that the people at these seats have now, the others as they were."""
    human = people(seats, kinds)
    left, right = (
        spec.text("name") if human[seat] and spec.text("name") else kept[seat] for seat, spec in enumerate(seats)
    )
    return left, right
