"""The orders that come with the game."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from importlib.resources import files

LIVELY = ("rush", "circle")
"""The library's orders that a seat begins with whose player has written none, left first."""


def lively(prompts: tuple[str, str], prompted: Sequence[bool]) -> tuple[str, str]:
    """Return the prompts, with orders of the library for seats that take some and have none."""
    texts = dict(library())
    left, right = (
        texts.get(name, "") if wanted and not prompt.strip() else prompt
        for prompt, wanted, name in zip(prompts, prompted, LIVELY, strict=True)
    )
    return left, right


@lru_cache(maxsize=1)
def library() -> Sequence[tuple[str, str]]:
    """Return the prompts that come with the game, each a name and a text, sorted by name."""
    folder = files("batllm_arcade.assets") / "prompts"
    found = [entry for entry in folder.iterdir() if entry.name.endswith(".txt")]
    return tuple(
        (entry.name[:-4], entry.read_text("utf-8").strip()) for entry in sorted(found, key=lambda entry: entry.name)
    )
