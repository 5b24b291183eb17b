"""How workers begin: on a fresh clone each would compile the same modules, and rewrite the same tests, at once."""

from __future__ import annotations

import compileall
from collections.abc import Sequence
from typing import TypeVar

import pytest
from paths import ROOT

Child = TypeVar("Child")
PACKAGES = ("batllm_arcade", "plugins", "tests/support")


def share(config: pytest.Config) -> tuple[int, int] | None:
    """Return which of how many workers this is, None outside of them."""
    about: dict[str, str | int] | None = getattr(config, "workerinput", None)
    return about and (int(str(about["workerid"]).removeprefix("gw")), int(about["workercount"]))


def compile_share(number: int, workers: int) -> None:
    """Compile one share of the modules that all workers import; those that are compiled are only looked at."""
    files = sorted(file for package in PACKAGES for file in (ROOT / package).rglob("*.py"))
    for file in files[number::workers]:
        compileall.compile_file(file, quiet=2)


def from_own_place(children: Sequence[Child], number: int, workers: int) -> list[Child]:
    """Return them in the same order, from another beginning in each worker: what one has rewritten the others find."""
    begin = len(children) * number // workers
    return [*children[begin:], *children[:begin]]
