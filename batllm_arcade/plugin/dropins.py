"""Files with plugins: importing one, and describing to the program what one offers that was loaded elsewhere."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterable, Sequence
from importlib.machinery import SourceFileLoader
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

from batllm_arcade.brains.protocol import BrainKind
from batllm_arcade.errors import UsageError
from batllm_arcade.files.reading import read_bytes

PROVIDERS = ("ModelBrain", "ModelServer", "ModelProcess", "OrdersReader")
"""Public names that a provider needs: it holds a key or a model's process, and so stays in the program."""


ASKS = ("an observer", "a provider", "a person's seat")
"""What needs the program itself: it is told records, holds a key or a model's process, or reads the keyboard."""
LARGEST = 16 * 1024 * 1024
"""Bytes of the largest file that is loaded."""


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
    }  # fmt: skip
