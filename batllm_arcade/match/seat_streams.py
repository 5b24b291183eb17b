"""The random streams of both seats in a game: a bot of a file cannot tell from its own what the other one draws.

From where such a bot sits at the table, both seats of that game draw from streams whose names are keyed with a secret
of the session; all others have the plain names. No bot is told it; it is in the session file, once the session is over.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from random import Random

from batllm_arcade.brains.protocol import SeatInfo
from batllm_arcade.core.model import SEATS
from batllm_arcade.core.streams import keyed_name, seat_stream_name
from batllm_arcade.files.atomic import read_private, write_private
from batllm_arcade.files.paths import data_folder

KEY_BYTES = 32


class StreamSecret:
    """The secret of one session, made when it is first needed."""

    def __init__(self, make: Callable[[], str] = lambda: "") -> None:
        self._make = make
        self.text = ""
        """The secret, in hex; "" as long as nobody has needed it."""

    def use(self) -> str:
        """Return the secret, "" where there is none."""
        self.text = self.text or self._make()
        return self.text


class SeatStreams:
    """The streams from which both seats draw in one game, and their names, left first; `fork` is where a fork begins.

    Every brain is told of with `seated` before it plays, as all who play again what was recorded do.
    """

    def __init__(self, seed: int, game: int, secret: StreamSecret, fork: str = "") -> None:
        self._seed, self._game, self._fork, self._given = seed, game, fork, secret
        self._secret = ""
        self._begin()

    def seated(self, seat: SeatInfo) -> None:
        """Note who takes a seat: with the first bot of a file, wherever it runs, both streams begin anew, keyed."""
        if seat.isolation and not self._secret:
            self._secret = self._given.use()
            self._begin()

    def _begin(self) -> None:
        self.names = [seat_stream_name(self._seed, self._game, seat, self._fork, self._secret) for seat in SEATS]
        self.streams = [Random(name) for name in self.names]


def secret_of(what: str) -> str:
    """Return the secret that this installation has for a name, in hex: the same for the same name."""
    return keyed_name(installation_key().hex(), what)


def session_secret(seed: int) -> str:
    """Return the secret of sessions with this seed: the same seed gives the same games on the same installation."""
    return secret_of(f"session {seed}")


def installation_key() -> bytes:
    """Return the key that all secrets come from, made at first need; for this run alone where it cannot be kept."""
    return _kept_key(data_folder() / "streams.key")


@lru_cache(maxsize=8)
def _kept_key(path: Path) -> bytes:
    try:
        if not path.exists():
            with suppress(FileExistsError):  # another program has just made it
                write_private(path, os.urandom(KEY_BYTES), new=True)
        key = read_private(path, KEY_BYTES)
    except OSError:
        key = b""
    return key if len(key) == KEY_BYTES else os.urandom(KEY_BYTES)
