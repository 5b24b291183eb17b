"""Which changes of a seat were a person's choice, and whether a game counts for its winner."""

from __future__ import annotations

from collections.abc import Iterable

from batllm_arcade.core.outcome import Result
from batllm_arcade.match.records import Why

_BY_A_PERSON: tuple[Why, ...] = ("swap", "wheel", "fork")


def by_a_person(why: Why) -> bool:
    """Return whether somebody chose that another plays on: a model's stand-in plays for the model."""
    return why in _BY_A_PERSON


def counts(result: Result, changed: Iterable[int]) -> bool:
    """Return whether a game counts for its winner; `changed` are the seats that a person gave to somebody else."""
    return result.winner is not None and result.winner not in changed
