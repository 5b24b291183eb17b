"""Shared by the tests of the window."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from display import Screen, virtual_screen
from windows import hasten

from batllm_arcade.plugin import manager


@pytest.fixture(scope="module")
def screen(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Screen]:
    """A virtual screen for the tests of a module."""
    with virtual_screen(tmp_path_factory.mktemp("screen")) as made:
        yield made


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Animation at twenty times its speed."""
    hasten(monkeypatch.setattr)


@pytest.fixture
def plugins() -> manager.Plugins:
    """The bundled plugins, loaded anew."""
    return manager.load()
