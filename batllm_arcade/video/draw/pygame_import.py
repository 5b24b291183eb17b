"""Importing pygame as a program wants it: it prints no greeting, and does not load setuptools, which takes as long."""

from __future__ import annotations

import os
import sys
from typing import Any

_SETUPTOOLS = "pkg_resources"
"""pygame looks for its own files with this where it is installed, and in its own folder where it is not."""


def import_pygame() -> None:
    """Import pygame, so that whoever imports it later has it; its exceptions pass."""
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    loaded: dict[str, Any] = sys.modules
    hidden = _SETUPTOOLS not in loaded
    if hidden:
        loaded[_SETUPTOOLS] = None  # an import of it fails, as if it were not installed
    try:
        import pygame  # noqa: F401
    finally:
        if hidden:
            del loaded[_SETUPTOOLS]
