"""Slow work on a thread: it ends well, badly or not at all, and may be given up at any moment."""

from __future__ import annotations

import threading

import pytest
from fakes import eventful, written
from menus import finish

from batllm_arcade.app.services import session_loader
from batllm_arcade.app.services.background_task import UNEXPECTED, BackgroundTask
from batllm_arcade.app.services.session_loader import SessionPreview
from batllm_arcade.errors import UsageError
from batllm_arcade.settings.display import DisplayOptions


def run(work) -> BackgroundTask:
    task = BackgroundTask("task", work)
    task.start()
    finish("task")
    return task


def test_a_task_has_a_result_when_it_is_done():
    task = run(lambda report: 7)
    assert (task.done, task.result, task.problem) == (True, 7, "")


def test_an_expected_failure_is_its_sentence():
    def fail(report):
        raise UsageError("there is no such file; choose another")

    task = run(fail)
    assert (task.done, task.result, task.problem) == (True, None, "there is no such file; choose another")


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
@pytest.mark.parametrize("bug", [KeyError("x"), RecursionError(), SystemExit(3), MemoryError()])
def test_anything_else_is_one_sentence_too_and_never_leaves_a_task_undone(bug):
    def fail(report):
        raise bug

    task = run(fail)
    assert (task.done, task.result, task.problem) == (True, None, UNEXPECTED)


def test_a_task_begins_once_and_not_at_all_after_it_was_closed():
    calls = []
    task = BackgroundTask("task", lambda report: calls.append(1))
    task.start()
    task.start()
    finish("task")
    task.start()
    closed = BackgroundTask("task", lambda report: calls.append(2))
    closed.close()
    closed.start()
    finish("task")
    assert calls == [1]
    assert not closed.done


def test_what_a_closed_task_found_out_is_dropped():
    started, gate = threading.Event(), threading.Event()
    task = BackgroundTask("task", lambda report: (started.set(), gate.wait(20), 7)[2])
    task.start()
    assert started.wait(20)
    task.close()
    gate.set()
    finish("task")
    assert (task.done, task.result) == (False, None)


def test_a_preview_that_is_closed_at_any_step_ends_and_shows_nothing(tmp_path, monkeypatch):
    """Closed before it starts, while it reads, and at each of its records; nothing is left of its thread."""
    path, before = written(eventful(), tmp_path / "one.json"), threading.active_count()
    steps = []
    preview = SessionPreview(path, DisplayOptions())
    replay = session_loader.replay

    def stepping(session):
        for record in replay(session):
            steps.append(record)
            if len(steps) == closes_at:
                preview.close()
            yield record

    monkeypatch.setattr(session_loader, "replay", stepping)
    whole = len(list(replay(session_loader.read(path))))
    for closes_at in range(-1, whole + 2):
        steps.clear()
        preview = SessionPreview(path, DisplayOptions())
        if closes_at == -1:
            preview.close()
        preview.start()
        if closes_at == 0:
            preview.close()
        finish("session ")
        assert preview.done == (closes_at > whole)
        assert (preview.result is not None) == preview.done
        assert len(steps) <= max(0, closes_at) + 1 if closes_at != 0 else True
    assert threading.active_count() == before


def test_a_session_being_loaded_says_how_far_it_has_come(tmp_path):
    shares: list[float] = []
    session_loader.load_session(written(eventful(), tmp_path / "one.json"), DisplayOptions(), shares.append)
    assert shares == sorted(shares)
    assert shares[0] == 0.0
    assert shares[-1] == 1.0
