"""What a brain misses to play now, exactly as a seat would have it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Why = Literal["", "options", "missing", "down", "key", "wrong key", "model", "pay", "late", "other"]
"""What is wrong: an option, something that is not installed, a server that is not there, no key, a wrong one, a model
that is not there, money or a quota that is used up, a server that did not answer in time, anything else."""


@dataclass(frozen=True, slots=True)
class SeatState:
    """Whether a seat could play."""

    problem: str = ""
    """What is missing, in one sentence; "" if nothing is."""
    why: Why = ""
    """The cause of that."""
    model: str = ""
    """The model that would play, "" where that is not known."""
    models: tuple[str, ...] = ()
    """The models that its server lists, as far as it was asked."""
    variable: str = ""
    """The environment variable in which its key is looked for, "" for none."""

    @property
    def ready(self) -> bool:
        """Whether nothing is missing."""
        return not self.problem
