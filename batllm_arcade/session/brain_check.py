"""Checking a brain exactly as it would play: it is made and prepared with its options, then closed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from batllm_arcade.brains.protocol import Spec
from batllm_arcade.brains.redaction import public_options
from batllm_arcade.errors import ArcadeError, one_line
from batllm_arcade.seats.brain_thread import BrainThread, Kinds, find_kind


@dataclass(frozen=True, slots=True)
class CheckedBrain:
    """A brain that was checked: its `name`, a `summary` of how it would play, and its `problem`, "" if it is ready."""

    name: str
    summary: str
    problem: str


def check_brain(kinds: Kinds, spec: Spec, deadline_s: float, report: Callable[[str], None]) -> CheckedBrain:
    """Return what comes of making and preparing the brain; `report` gets its lines of progress.

    Raise UsageError if there is no such brain.
    """
    find_kind(kinds, spec)
    options = ",".join(f"{key}={value}" for key, value in public_options(spec.options).items())
    wanted = ", ".join(part for part in (spec.variant, options) if part)
    try:
        brain = BrainThread(kinds, spec, deadline_s)
    except ArcadeError as error:
        return CheckedBrain(spec.name, wanted, one_line(error, 1000))
    try:
        brain.prepare(report)
        model = brain.info.model
        summary = f"{wanted} plays {model}" if model and f"model={model}" not in wanted else wanted
        adapted = f" (requests there: {', '.join(brain.info.adapted)})" if brain.info.adapted else ""
        isolated = f" (runs {brain.isolated})" if brain.isolated else ""
        return CheckedBrain(spec.name, f"{summary}{adapted}{isolated}".strip(), "")
    except ArcadeError as error:
        return CheckedBrain(spec.name, wanted, one_line(error, 1000))
    finally:
        brain.close()
