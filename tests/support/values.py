"""Whether the records of a room are values: frozen, and without room for attributes that nobody named."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator
from dataclasses import is_dataclass
from typing import Any


def records(package: str) -> Iterator[Any]:
    """The dataclasses that the modules of a package define."""
    room = importlib.import_module(package)
    for found in pkgutil.walk_packages(room.__path__, f"{package}."):
        module = importlib.import_module(found.name)
        for each in vars(module).values():
            if isinstance(each, type) and is_dataclass(each) and each.__module__ == module.__name__:
                yield each


def changeable(package: str) -> set[str]:
    """The names of those that can be changed after they were made."""
    return {each.__name__ for each in records(package) if not each.__dataclass_params__.frozen}


def roomy(package: str) -> set[str]:
    """The names of those that take attributes beyond their fields."""
    return {each.__name__ for each in records(package) if "__slots__" not in vars(each)}
