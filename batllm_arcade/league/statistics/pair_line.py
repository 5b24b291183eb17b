"""A line of `pairs.jsonl`: what is told of a pair of games, by the names of its two players."""

from __future__ import annotations

from typing import TypedDict


class PlayTimesLine(TypedDict):
    """How long a player's plays took in one game, in seconds."""

    plays: int
    median: float
    max: float
    total: float


class _Later(TypedDict, total=False):
    by_fallback: dict[str, int]
    written: dict[str, int]


class GameLine(_Later):
    """One game: who sat left, who won (None: nobody), who acted first in round 1; what is by name has both players.

    `by_fallback` is how many plays were those of a player's fallback, `written` are those of the tokens that a model
    wrote; lines of earlier versions have neither.
    """

    left: str
    winner: str | None
    reason: str
    turns: int
    health: dict[str, float]
    first: str
    faults: dict[str, dict[str, int]]
    tokens: dict[str, int]
    requests: dict[str, int]
    latency_s: dict[str, PlayTimesLine]


class _Worker(TypedDict, total=False):
    worker: str


class PairLine(_Worker):
    """Two games of one seed with the seats changed; `outcome` is the first player's, such as `WL`.

    `worker`, who played it, is added by the engine.
    """

    pair: int
    players: list[str]
    seed: int
    games: list[GameLine]
    outcome: str
    finished: str
