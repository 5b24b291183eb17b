"""Small positions to be solved: `assets/puzzles/puzzles.yaml`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from importlib.resources import files
from typing import Any

from batllm_arcade.brains.protocol import Spec
from batllm_arcade.core.model import Rules, rules_from
from batllm_arcade.settings import config as configuration

RULES = "arena"
"""The configuration that puzzles change."""
TARGET = Spec("scripted", "target")
"""Who stands still at the right."""


@dataclass(frozen=True, slots=True)
class Puzzle:
    """A position, what is to be done from there, and one way to do it.

    The game of its `rules` and `seed` has as many turns as the person at the left has plays; a knock-out solves it.
    """

    number: int
    name: str
    goal: str
    rules: Rules
    seed: int
    answer: tuple[str, ...]


@lru_cache(maxsize=1)
def puzzles() -> tuple[Puzzle, ...]:
    """Return all puzzles in their order."""
    import yaml

    text = (files("batllm_arcade.assets") / "puzzles" / "puzzles.yaml").read_text("utf-8")
    return tuple(_puzzle(number, values) for number, values in enumerate(yaml.safe_load(text), start=1))


def _puzzle(number: int, values: Mapping[str, Any]) -> Puzzle:
    base = replace(configuration.load(RULES).rules, total_rounds=1, second_charge=0)
    rules = rules_from({**asdict(base), **values["rules"]})
    return Puzzle(number, values["name"], values["goal"], rules, values["seed"], tuple(values["answer"]))
