"""Draws scenes on pygame surfaces; whoever imports this room first has pygame in half the time, and no greeting."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from batllm_arcade.errors import ArcadeError

_ANEW = "run: pip uninstall -y pygame pygame-ce, then: pip install pygame-ce"


@contextmanager
def _hidden(name: str) -> Iterator[None]:
    """Let a module that is not imported yet be none that could be."""
    if name in sys.modules:
        yield
        return
    sys.modules[name] = None  # type: ignore[assignment] # how Python is told so
    try:
        yield
    finally:
        sys.modules.pop(name, None)


os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
# pygame reads its own files with it where there is one, and as well without: a tenth of a second for nothing.
with _hidden("pkg_resources"):
    import pygame
if not hasattr(pygame, "Surface"):  # as it is where two were installed and one of them was removed
    raise ArcadeError(f"pygame lacks its files; {_ANEW}")


def two_pygames() -> str:
    """Return the sentence on pygame and its continuation in one environment, "" where there is only one."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        found = " and ".join(f"{name} {version(name)}" for name in ("pygame", "pygame-ce"))
    except PackageNotFoundError:
        return ""
    return f"{found} are in one folder and break each other; to keep the second, {_ANEW}"
