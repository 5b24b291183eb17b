"""Shared by the tests of the window."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from display import Screen, virtual_screen
from windows import hasten

from batllm_arcade.plugin import manager


@pytest.fixture(scope="module")
def screen(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Screen]:
    """A virtual screen for the tests of a module."""
    with virtual_screen(tmp_path_factory.mktemp("screen")) as made:
        yield made


@pytest.fixture(autouse=True)
def _nobodys_sessions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The title shows the last session: in tests none of whoever runs them."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Animation at twenty times its speed."""
    hasten(monkeypatch.setattr)


@pytest.fixture
def plugins() -> manager.Plugins:
    """The bundled plugins, loaded anew."""
    return manager.load()
