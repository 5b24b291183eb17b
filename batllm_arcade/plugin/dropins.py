"""Files with plugins: importing one, and describing to the program what one offers that was loaded elsewhere."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

from batllm_arcade.brains.protocol import BrainKind
from batllm_arcade.errors import UsageError

PROVIDERS = ("ModelBrain", "ModelServer", "ModelProcess", "OrdersReader")
"""Public names that a provider needs: it holds a key or a model's process, and so stays in the program."""


def import_file(path: Path) -> ModuleType:
    """Return the module in a file; raise UsageError if it is no regular file, and whatever its code raises."""
    if not path.is_file():
        raise UsageError(f"{path.name} is no regular file")  # reading a pipe would wait for ever
    name = f"batllm_arcade_dropin_{path.stem}"
    spec = importlib.util.spec_from_file_location(name, path)
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
    """Return what a plugin offers as values for JSON, and why it has to be in the program itself, "" if it need not."""
    kinds = list(kinds)
    served = any(kind.models or kind.missing or kind.orders_reader for kind in kinds)
    if observes:
        inside = "an observer"
    elif served or any(hasattr(plugin, name) for name in PROVIDERS):
        inside = "a provider"
    elif any(kind.human for kind in kinds):
        inside = "a person's seat"
    else:
        inside = ""
    return {"kinds": [_described(kind) for kind in kinds], "problems": list(problems), "inside": inside}


def _described(kind: BrainKind) -> dict[str, Any]:
    return {
        "name": kind.name, "summary": kind.summary, "variants": list(kind.variants), "about": dict(kind.about),
        "levels": dict(kind.levels), "prompted": bool(kind.prompted), "prepare_s": float(kind.prepare_s),
        "level_variants": list(kind.level_variants), "titles": dict(kind.titles),
    }  # fmt: skip
