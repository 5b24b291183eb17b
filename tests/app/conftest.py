"""Shared by the tests of the window."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from pathlib import Path

import pytest
from display import Screen, virtual_screen
from windows import hasten

from batllm_arcade.plugin import manager
from batllm_arcade.video.recorder import Recorder


@pytest.fixture(scope="module")
def screen(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Screen]:
    """A virtual screen for the tests of a module."""
    with virtual_screen(tmp_path_factory.mktemp("screen")) as made:
        yield made


@pytest.fixture(autouse=True)
def _nobodys_sessions(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The title shows the last session: in tests none of whoever runs them."""
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))


@pytest.fixture(autouse=True)
def _no_clips(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep no last seconds for clips, but where a test is of them and has the fixture `clips`.

    Encoding all that a window shows takes time, and memory in pieces between which the rest of a worker's lies.
    """
    if "clips" not in request.fixturenames:
        monkeypatch.setattr(Recorder, "keep_clips", lambda self, on: None)


@pytest.fixture
def clips() -> None:
    """The last seconds are kept for clips, as in a real window."""


@pytest.fixture(autouse=True)
def _memory() -> Iterator[None]:
    """Screens hold their pictures in cycles, whose size Python does not know: let them go in time."""
    yield
    if _resident() - _kept[0] > 300e6:
        gc.collect()
        _kept[0] = _resident()


_kept = [0.0]


def _resident() -> float:
    """Return the bytes of memory this process has; 0 where the system does not say."""
    try:
        return int(Path("/proc/self/statm").read_text("ascii").split()[1]) * 4096.0
    except OSError:
        return 0.0


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Animation at twenty times its speed."""
    hasten(monkeypatch.setattr)


@pytest.fixture
def plugins() -> manager.Plugins:
    """The bundled plugins, loaded anew."""
    return manager.load()
