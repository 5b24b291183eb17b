"""What pages that only watch decide: who they think wins, or the next orders of a seat."""

from __future__ import annotations

import time
from collections.abc import Sequence
from itertools import count
from random import Random
from typing import Any

VOTE_S = 20.0
"""Seconds to choose orders."""
PROPOSALS = 3
_numbers = count(1)


class Ballot:
    """A question and its choices: a vote for each voter, of whom the last one counts; the lobby's lock guards it.

    `ends` is when its time is over, in seconds of `time.monotonic`, 0 where nobody says.
    """

    def __init__(self, question: str, choices: Sequence[str], *, seat: int | None = None, ends: float = 0.0) -> None:
        self.number = next(_numbers)
        self.question, self.choices, self.seat, self.ends = question, tuple(choices), seat, ends
        self.open = True
        self.votes: dict[object, int] = {}

    @property
    def counts(self) -> list[int]:
        """Return how many votes each choice has."""
        return [sum(vote == choice for vote in self.votes.values()) for choice in range(len(self.choices))]

    @property
    def chosen(self) -> str | None:
        """Return the choice with most votes, of several the first; None without votes."""
        return self.choices[self.counts.index(max(self.counts))] if self.votes else None

    def told(self) -> dict[str, Any]:
        """Return it for a page."""
        return {
            "of": self.number, "question": self.question, "choices": self.choices, "counts": self.counts,
            "open": self.open, "seat": self.seat, "left": max(0.0, round(self.ends - time.monotonic(), 1)),
        }  # fmt: skip


def orders_ballot(seat: int, round_: int, present: str, library: Sequence[tuple[str, str]], seed: int) -> Ballot:
    """Return the question which of three ready-made orders, drawn by the seed, a seat is given for a round."""
    others = [text for _, text in library if text.strip() != present.strip()]
    drawn = Random(f"vote {seed} {round_} {seat}").sample(others, min(PROPOSALS, len(others)))
    return Ballot(f"Orders for {'RIGHT' if seat else 'LEFT'}", drawn, seat=seat, ends=time.monotonic() + VOTE_S)
