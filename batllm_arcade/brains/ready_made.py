"""The orders that come with the game."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from importlib.resources import files


@lru_cache(maxsize=1)
def library() -> Sequence[tuple[str, str]]:
    """Return the orders that come with the game, each a name and a text, sorted by name."""
    folder = files("batllm_arcade.assets") / "prompts"
    texts = [entry for entry in folder.iterdir() if entry.name.endswith(".txt")]
    return tuple(
        (entry.name[:-4], entry.read_text("utf-8").strip()) for entry in sorted(texts, key=lambda entry: entry.name)
    )
