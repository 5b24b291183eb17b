"""How workers begin: on a fresh clone each would compile the same modules, and rewrite the same tests, at once."""

from __future__ import annotations

import compileall
from collections.abc import Sequence
from pathlib import Path
from typing import TypeVar

import pytest
from paths import ROOT, TESTS

Child = TypeVar("Child")
PACKAGES = ("batllm_arcade", "plugins", "tests/support")
LONG = (
    "plugins/test_embedded.py", "isolation/test_strangers.py", "app/test_walks.py", "share/test_browser.py",
    "app/services/test_film_jobs.py", "plugins/test_duel.py", "plugins/test_real_server.py", "video/test_outputs.py",
    "league/test_playing.py", "security/test_plugins.py", "app/test_window.py", "league/test_cluster.py",
    "plugins/test_conversation_brains.py", "security/test_sandbox_network.py", "serve/test_live_page.py",
    "agents/test_agents.py",
)  # fmt: skip
"""Where tests are long or share what takes long to make: a browser, a model, a world; the longest first."""


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


def long_ones_first(items: list[pytest.Item], workers: int) -> list[pytest.Item]:
    """Return the tests in another order, in which every worker begins with some of the files with long tests.

    Workers get parts of the same size, one after the other, and those that have done theirs take from the ends of
    others': no file with long tests is then divided, and none is left for the end.
    """
    by_file: dict[Path, list[pytest.Item]] = {TESTS / name: [] for name in LONG}
    rest: list[pytest.Item] = []
    for item in items:
        by_file.get(item.path, rest).append(item)
    files, ordered = [tests for tests in by_file.values() if tests], []
    for worker in range(workers):
        size = (len(items) - len(ordered)) // (workers - worker)
        part = [item for tests in files[worker::workers] for item in tests]
        room = max(0, size - len(part))
        ordered += [*part, *rest[:room]]
        del rest[:room]
    return ordered
