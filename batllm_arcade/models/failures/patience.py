"""How often and how long a server that failed is asked again, and what is said meanwhile."""

from __future__ import annotations

import math
from dataclasses import dataclass
from random import Random

from batllm_arcade.models.server_error import ServerError

LOADING = (503, 529)
"""What servers answer that load a model or have too much to do: they are there."""
FIRST_S, LONGEST_S, LONGEST_BROKEN_S = 0.25, 2.0, 8.0
"""Seconds before the second request, between later ones, and between those for answers that break off: they cost."""
ANSWER_S = 0.2
"""Seconds an answer takes at least: with less left after a pause, why there is none is told instead of a timeout."""


@dataclass(frozen=True, slots=True)
class Patience:
    """How a server is asked again: at most `tries` times in all, for `away_s` seconds while it is not merely busy.

    Without limits it is asked until the deadline of the call.
    """

    tries: float = math.inf
    away_s: float = math.inf

    def ends(self, error: ServerError, failures: int, waited_s: float) -> bool:
        """Return whether to give up after this many failures and seconds."""
        away = error.status not in LOADING and error.wait_s is None and waited_s >= self.away_s
        return not error.again or failures >= self.tries or away


UNTIL_DEADLINE = Patience()
ONCE = Patience(tries=1)
STARTING = Patience(away_s=3.0)
"""Before a match: a server that loads is waited for, one that is not there is told soon."""


def pause_s(error: ServerError, failures: int, jitter: Random, *, broken: bool) -> float:
    """Return the seconds to wait after this many failures; `broken`: an answer had begun and is paid for."""
    longest = LONGEST_BROKEN_S if broken else LONGEST_S
    usual = min(longest, FIRST_S * 2.0 ** min(failures - 1, 10)) * jitter.uniform(0.5, 1.5)
    return usual if error.wait_s is None else max(error.wait_s + jitter.uniform(0.0, 0.1), usual)


def waiting_words(name: str, error: ServerError, left_s: float) -> str:
    """Return what is said while the server called `name` is asked again."""
    what = "does not answer" if error.status is None else f"failed ({error.status})"
    if error.status in (429, *LOADING):
        what = "takes no requests now" if error.status == 429 else "is busy or loading"
    return f"{name[:1].upper()}{name[1:]} {what}; asking again, {left_s:.0f} s left"
