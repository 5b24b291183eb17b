"""The codes that let a page in, and how many wrong ones an address may try."""

from __future__ import annotations

import time
from collections.abc import Callable

LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ"
"""What codes are made of: no I and no O, which are read as digits."""
LENGTH = 6
GUESSES, WITHIN_S = 10, 60.0
"""Wrong codes from one address, and the seconds within which more of them are not looked at."""
_MOST_ADDRESSES = 1000


def new_code() -> str:
    """Return six letters that nobody can guess."""
    import secrets

    return "".join(secrets.choice(LETTERS) for _ in range(LENGTH))


class Codes:
    """A code for each of these doors, such as a seat, and of others that come; `clock` gives the time in seconds."""

    def __init__(self, *doors: str, clock: Callable[[], float] = time.monotonic) -> None:
        self.by_door: dict[str, str] = {door: new_code() for door in doors}
        self._clock = clock
        self._wrong: dict[str, list[float]] = {}

    def door(self, code: str, address: str) -> str | None:
        """Return which door a code opens, "" for none, None where the address has tried too many wrong ones.

        How long that takes tells nothing of how much of a code is right.
        """
        from hmac import compare_digest

        now = self._clock()
        tried = [at for at in self._wrong.get(address, ()) if now - at < WITHIN_S]
        if len(tried) >= GUESSES:
            return None
        given, found = "".join(code.upper().split()).encode("utf-8", "replace"), ""
        for door, right in tuple(self.by_door.items()):
            if compare_digest(given, right.encode()):
                found = door
        if not found:
            if len(self._wrong) >= _MOST_ADDRESSES:
                self._wrong.clear()
            self._wrong[address] = [*tried, now]
        return found
