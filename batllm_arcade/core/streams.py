"""The random streams of a game: one for starts and acting orders, one for each seat's brain."""

from __future__ import annotations

from random import Random
from typing import Any

from batllm_arcade.core.model import SeatName


def game_stream(seed: int, game: int) -> Random:
    """Return the stream from which game `game` (from 1) draws its start, then each round's acting order."""
    return Random(f"{seed}/{game}")


def seat_stream_name(seed: int, game: int, seat: SeatName, fork: str = "", secret: str = "") -> str:
    """Return the name of a seat's stream, which is also what it is made from: `Random(name)`.

    `fork` is the ROUND.TURN after which a fork plays on. With the `secret` of a session, in hex, the name tells
    nothing of the other seat's to whoever does not know that: where one is used, `match/runner.py` says.
    """
    name = f"{seed}/{game}/{seat}/{fork}" if fork else f"{seed}/{game}/{seat}"
    return keyed_name(secret, name) if secret else name


def keyed_name(secret: str, name: str) -> str:
    """Return a text in hex that nobody can tell from this name without the secret, which is in hex, too."""
    import hashlib  # only where bots of files play: it takes longer than all else here
    import hmac

    return hmac.new(bytes.fromhex(secret), name.encode(), hashlib.sha256).hexdigest()


def resumed(state: Any) -> Random:
    """Return a new stream in the state that `Random.getstate` returned; raise TypeError or ValueError if it is none."""
    # Random() would draw a seed first, which takes longer than all the rest.
    stream = Random.__new__(Random, 0)  # type: ignore[call-arg]
    stream.setstate(state)
    return stream


TAMPERED = "it changed its random stream itself; draw from view.rng and leave it as it is"


def state_of(stream: Random) -> tuple[Any, ...] | None:
    """Return the state of a stream that a brain had in its hands; None if it can no longer be used."""
    try:
        state = Random.getstate(stream)  # of the class: the brain may have replaced the object's own methods
        resumed(state)
    except BaseException:  # noqa: BLE001 - what a plugin has put in may raise anything
        return None
    return state
