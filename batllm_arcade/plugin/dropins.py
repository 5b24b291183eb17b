"""Files with plugins: read, trusted, imported, and described to the program."""

from __future__ import annotations

import importlib.util
import json
import sys
from collections.abc import Iterable, Sequence
from glob import escape
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any, Literal

from batllm_arcade.brains.protocol import BrainKind
from batllm_arcade.errors import UsageError, place_of_code
from batllm_arcade.files.atomic import write_text
from batllm_arcade.files.paths import config_folder
from batllm_arcade.files.reading import read_bytes, read_text

Trust = Literal["yes", "changed", "no"]
"""Whether a file is trusted; `changed`: one of its name was, with another content."""
MOST = 200
"""Files that are remembered, the latest."""


class TrustedFiles:
    """What a person trusts for good: names of files with the SHA-256 of their content, in the settings folder."""

    def __init__(self, path: Path | None = None) -> None:
        self._given = path
        self.problem = ""
        """Why the file is not used, "" if it is."""
        self._known: list[tuple[str, str]] = []
        try:
            self._known = [(str(name), str(digest)) for name, digest in json.loads(read_text(self._path()))["trusted"]]
        except FileNotFoundError:
            pass
        except (OSError, ValueError, KeyError, TypeError, RecursionError):
            self.problem = f"{str(self._path())!r} holds no trusted plugins and is left aside: nothing is trusted by it"

    def _path(self) -> Path:
        return self._given or config_folder() / "trusted.json"

    def trust_in(self, name: str, digest: str) -> Trust:
        """Return whether the file of this name with this content is trusted."""
        if (name, digest) in self._known:
            return "yes"
        return "changed" if any(name == known for known, _ in self._known) else "no"

    def remember(self, files: Iterable[tuple[str, str]]) -> None:
        """Trust files, by name and digest, from now on; raise UsageError if that cannot be written."""
        new = list(files)
        known = [*(file for file in self._known if file not in new), *new][-MOST:]
        try:
            self._path().parent.mkdir(parents=True, exist_ok=True)
            write_text(self._path(), [json.dumps({"trusted": known}, indent=1), "\n"])
        except OSError as error:
            raise UsageError(f"what you trust cannot be kept ({error.strerror}); leave --always out") from None
        self._known = known


def digest(code: bytes) -> str:
    """Return what tells one content of a file from another."""
    from hashlib import sha256  # which is slow to import

    return sha256(code).hexdigest()


PROVIDERS = ("ModelBrain", "ModelServer", "ModelProcess", "OrdersReader")
"""Public names that a provider needs: it holds a key or a model's process, and so stays in the program."""


ASKS = ("an observer", "a provider", "a person's seat")
"""What needs the program itself: it is told records, holds a key or a model's process, or reads the keyboard."""
LARGEST = 16 * 1024 * 1024
"""Bytes of the largest file that is loaded."""


_OF_A_PROJECT = ("conftest.py", "setup.py")


def plugin_files(folder: Path, only: str = "") -> list[Path]:
    """Return the files of a folder that are plugins, or the one named `only`, sorted.

    Names that begin with `_` or `.` are none: they are helpers, or what an editor or another system left there. Nor are
    `conftest.py` and `setup.py`.
    """
    found = folder.glob(escape(only) if only else "[!_.]*.py")
    return sorted(path for path in found if only or path.name not in _OF_A_PROJECT)


def read_code(path: Path) -> bytes:
    """Return what is in a plugin's file; raise UsageError if it cannot be read or is no regular file."""
    if not path.is_file():
        raise UsageError(f"{path.name} is no regular file")
    try:
        return read_bytes(path, LARGEST)
    except OSError as error:
        raise UsageError(f"{path.name} cannot be read: {error.strerror}") from None


class _Code(SourceFileLoader):
    """Runs exactly this code of a file, never what lies compiled in `__pycache__` beside it."""

    def __init__(self, name: str, path: Path, code: bytes) -> None:
        super().__init__(name, str(path))
        self._code = code

    def get_code(self, fullname: str) -> CodeType:
        """Return the code, compiled."""
        return self.source_to_code(self._code, self.path)


def import_file(path: Path, code: bytes | None = None) -> ModuleType:
    """Return the module in a file, of which `code` has been read already.

    Raise UsageError if it cannot be read, and whatever its code raises.
    """
    name = f"batllm_arcade_dropin_{path.stem}"
    loader = _Code(name, path, read_code(path) if code is None else code)
    spec = importlib.util.spec_from_file_location(name, path, loader=loader)
    if spec is None or spec.loader is None:
        raise UsageError(f"{path.name} cannot be imported")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # dataclasses and pickling look a class's module up here
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module


def offer(plugin: Any, kinds: Iterable[BrainKind], problems: Sequence[str], observes: bool) -> dict[str, Any]:
    """Return what a plugin offers as values for JSON, and what of it needs the program itself, "" if nothing does."""
    kinds = list(kinds)
    served = any(kind.models or kind.missing or kind.orders_reader for kind in kinds)
    provides = served or any(hasattr(plugin, name) for name in PROVIDERS)
    asks = zip(ASKS, (observes, provides, any(kind.human for kind in kinds)), strict=True)
    inside = next((what for what, asked in asks if asked), "")
    return {"kinds": [_described(kind) for kind in kinds], "problems": list(problems), "inside": inside}


def _described(kind: BrainKind) -> dict[str, Any]:
    return {
        "name": kind.name, "summary": kind.summary, "variants": list(kind.variants), "about": dict(kind.about),
        "levels": dict(kind.levels), "prompted": bool(kind.prompted), "prepare_s": float(kind.prepare_s),
        "level_variants": list(kind.level_variants), "titles": dict(kind.titles),
        "place": kind.place or place_of_code(kind.make),
    }  # fmt: skip
