"""Importing pygame for what has no window: it prints no greeting."""

from __future__ import annotations

import os


def import_pygame() -> None:
    """Import pygame, so that whoever imports it later has it; its exceptions pass."""
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    import batllm_arcade.render  # noqa: F401 - which imports it in half the time
