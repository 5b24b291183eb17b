"""Work beside the window: its progress, its result, giving it up at any moment, waiting for it at the end."""

from __future__ import annotations

import threading

import pytest

from batllm_arcade.app.services.background import BackgroundTask, Leftovers
from batllm_arcade.errors import ArcadeError, UsageError

MOST_S = 20.0


def test_a_task_has_progress_and_then_a_result():
    reported, go_on = threading.Event(), threading.Event()

    def work(report):
        report("half")
        reported.set()
        go_on.wait(MOST_S)
        return "whole"

    task = BackgroundTask("work", work)
    assert reported.wait(MOST_S)
    assert (task.progress, task.done, task.result) == ("half", False, None)
    go_on.set()
    task.join(MOST_S)
    assert (task.done, task.result, task.error) == (True, "whole", None)


def test_what_cannot_be_done_is_an_error_and_no_bug():
    def work(report):
        raise UsageError("choose another file")

    task = BackgroundTask("work", work)
    task.join(MOST_S)
    assert (task.done, str(task.error), task.bug) == (True, "choose another file", None)


def test_anything_else_is_said_in_one_sentence_and_kept_for_the_traceback():
    task = BackgroundTask("work", lambda report: 1 / 0)
    task.join(MOST_S)
    assert task.done
    assert str(task.error) == "the program failed: ZeroDivisionError: division by zero"
    assert isinstance(task.bug, ZeroDivisionError)


def test_a_task_given_up_stops_at_its_next_report():
    reported, go_on, steps = threading.Event(), threading.Event(), []

    def work(report):
        for step in range(3):
            report(str(step))
            steps.append(step)
            reported.set()
            go_on.wait(MOST_S)

    task = BackgroundTask("work", work)
    assert reported.wait(MOST_S)
    task.cancel()
    go_on.set()
    task.join(MOST_S)
    assert steps == [0]
    assert task.error is None


@pytest.mark.parametrize("when", ["before the result", "after it"])
def test_a_result_that_nobody_wants_any_more_is_discarded_once(when):
    go_on, discarded = threading.Event(), []

    def work(report):
        go_on.wait(MOST_S)
        return "a table"

    task = BackgroundTask("work", work, discarded.append)
    if when == "after it":
        go_on.set()
        task.join(MOST_S)
    task.cancel()
    go_on.set()
    task.join(MOST_S)
    task.cancel()
    task.join(MOST_S)
    assert discarded == ["a table"]
    assert task.result is None


def test_a_task_given_up_at_any_moment_leaves_no_thread_and_discards_what_it_made():
    before = threading.active_count()
    for _ in range(200):
        made, discarded = [], []

        def work(report, made=made):
            report("at work")
            made.append("a table")
            return "a table"

        task = BackgroundTask("work", work, discarded.append)
        task.cancel()
        task.join(MOST_S)
        assert discarded == made
    assert threading.active_count() == before


class Work:
    def __init__(self, alive: bool, bug: BaseException | None = None) -> None:
        self.alive, self.bug, self.waited = alive, bug, 0

    def join(self, seconds: float) -> None:
        self.waited += 1


def test_what_is_over_and_went_well_is_not_kept_and_the_rest_is_waited_for():
    over, running, broken, last = Work(False), Work(True), Work(False, ArcadeError("no")), Work(True)
    leftovers = Leftovers()
    for work in (over, running, broken, running, last):
        leftovers.add(work)
    assert leftovers.close(1.0) is broken.bug
    assert [work.waited for work in (over, running, broken, last)] == [0, 1, 1, 1]
