"""What runs on a worker of a cluster: who it is, playing pairs, giving its models up."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from batllm_arcade.league.engines.pair_play import PairPlayer, PlayedPair
from batllm_arcade.league.identity import identity_of
from batllm_arcade.league.plan import LeaguePlan, LeaguePlayer, ScheduledPair
from batllm_arcade.league.setup import LeagueSetup

IDLE_S = 60.0
"""Seconds without a pair after which a worker gives its models up."""
Brains = Sequence[tuple[str, str, str]]
"""Of each player its name, its brain and its fallback."""


def brains_of(setup: LeagueSetup) -> Brains:
    """Return what a worker is asked with: plain texts, which every version of this program can be sent."""
    return tuple((player.name, player.brain, player.fallback) for player in setup.plan.players)


def identity_here(brains: Brains, plugins_dir: str) -> dict[str, Any]:
    """Return the identity of this worker as plain values; raise UsageError if a bot's file cannot be read."""
    players = tuple(LeaguePlayer(name, brain, fallback=fallback) for name, brain, fallback in brains)
    return identity_of(LeaguePlan(players), Path(plugins_dir) if plugins_dir else None).values()


@dataclass(slots=True)
class _Kept:
    """The player of this worker's process, kept between tasks, until another league comes or none for a while."""

    identity: str = ""
    player: PairPlayer | None = None
    timer: threading.Timer | None = None


_kept, _lock = _Kept(), threading.Lock()


def play_pairs(identity: str, setup: LeagueSetup, pairs: Sequence[ScheduledPair]) -> list[PlayedPair]:
    """Return the played pairs of the league with this identity; raise an ArcadeError if a player cannot play here."""
    with _lock:  # a worker plays one pair at a time, however many threads it has
        if _kept.timer is not None:
            _kept.timer.cancel()
        try:
            if _kept.player is None or _kept.identity != identity:
                _forget()
                _kept.player, _kept.identity = PairPlayer(setup), identity
            return [_kept.player.play(pair) for pair in pairs]
        finally:
            _kept.timer = threading.Timer(IDLE_S, forget_player)
            _kept.timer.daemon = True
            _kept.timer.start()


def forget_player() -> None:
    """Release the models of this worker; while it plays it does so at once, and the pair is lost."""
    if _lock.acquire(blocking=False):
        try:
            _forget()
        finally:
            _lock.release()
    elif (player := _kept.player) is not None:
        player.stop()


def _forget() -> None:
    player, _kept.player = _kept.player, None
    if player is not None:
        player.close()
