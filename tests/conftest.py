"""Shared by all tests."""

from __future__ import annotations

import atexit
import gc
import os
import sys
from collections.abc import Generator

import pytest

os.environ["HYPOTHESIS_NO_PLUGINS"] = "1"  # those of packages that happen to be installed: trio's costs half a second
import begin
from hypothesis import HealthCheck, settings
from paths import TESTS

# Programs that tests start read compiled modules; compiling all of them anew each time costs half a second a program,
# and compiling the tests themselves costs four seconds a run.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
sys.dont_write_bytecode = False


def _leave(worker: int) -> None:
    """End a worker at once: what is left is the system's, and freeing it object by object takes seconds."""
    if os.getpid() == worker:  # and not what it has forked
        os._exit(0)


if "PYTEST_XDIST_WORKER" in os.environ:
    atexit.register(_leave, os.getpid())  # first, hence after all else that is done at the end

# The same examples in every run and on every machine; a slow one must not fail for being slow.
# The first input of a fresh checkout builds Hypothesis' tables of letters, which takes long on a busy machine.
settings.register_profile(
    "batllm", derandomize=True, max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.register_profile("quick", settings.get_profile("batllm"), max_examples=25)
settings.load_profile("batllm")


@pytest.fixture(autouse=True)
def _folders_of_its_own(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What one test's programs keep, such as what servers refuse, no other test finds; nor do they find a person's."""
    place = f"{tmp_path_factory.getbasetemp()}/{{}}/{abs(hash(request.node.nodeid))}"
    monkeypatch.setenv("XDG_DATA_HOME", place.format("data"))
    monkeypatch.setenv("XDG_CONFIG_HOME", place.format("config"))
    for name in ("ANTHROPIC_BASE_URL", "GOOGLE_GEMINI_BASE_URL", "OLLAMA_HOST", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture(autouse=True)
def _the_same_installation(monkeypatch: pytest.MonkeyPatch) -> None:
    """Games with bots of files depend on a key of the installation: that of all tests is the same, in every run."""
    from batllm_arcade.match import runner as seat_streams

    monkeypatch.setattr(seat_streams, "installation_key", lambda: bytes(range(32)))


def pytest_sessionstart(session: pytest.Session) -> None:
    """Compile this worker's share of what all of them import."""
    if share := begin.share(session.config):
        begin.compile_share(*share)


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(collector: pytest.Collector) -> Generator[None, pytest.CollectReport, object]:
    """Let each worker begin in another room, so that on a fresh clone each rewrites the tests of its share only."""
    report = yield
    if collector.path == TESTS and (share := begin.share(collector.config)):
        report.result = begin.from_own_place(report.result, *share)
    return report


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Put the tests in the one order in which all workers must have them, the long ones where they are begun first."""
    if share := begin.share(config):
        items.sort(key=lambda item: item.path)
        items[:] = begin.long_ones_first(items, share[1])


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Keep the collected tests out of what Python looks through for garbage: nine thousand tests are many objects.

    Looking among ever more of them takes a fifth of the time in which they are collected. The window freezes what is
    there when it opens and unfreezes it as it closes; here the tests would be back with that.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.freeze = gc.unfreeze = lambda: None
        gc.collect()  # so that few objects are taken for the usual number, and garbage is looked for again soon
        gc.enable()


@pytest.hookimpl(wrapper=True, optionalhook=True)
def pytest_xdist_auto_num_workers() -> Generator[None, int, int]:
    """Two workers more than processors: tests that wait for a window, a process or a deadline leave theirs idle.

    With one more, two processors had nothing to do for a fifth of the time.
    """
    return (yield) + (0 if os.environ.get("PYTEST_XDIST_AUTO_NUM_WORKERS") else 2)
