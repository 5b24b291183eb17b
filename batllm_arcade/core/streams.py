"""The random streams of a game: one for starts and acting orders, one for each seat's brain."""

from __future__ import annotations

from random import Random

from batllm_arcade.core.model import SeatName


def game_stream(seed: int, game: int) -> Random:
    """Return the stream from which game `game` (from 1) draws its start, then each round's acting order."""
    return Random(f"{seed}/{game}")


def seat_stream(seed: int, game: int, seat: SeatName) -> Random:
    """Return the stream from which the brain at a seat draws in game `game` (from 1)."""
    return Random(f"{seed}/{game}/{seat}")
