"""Draws scenes on pygame surfaces; whoever imports this room first has pygame in half the time, and no greeting."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager


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
    import pygame  # noqa: F401
