"""Where a random stream stands, in short values for JSON: how far it is from a state that the reader has, too."""

from __future__ import annotations

import base64
import struct
from random import Random
from typing import Any

from batllm_arcade.core.streams import resumed

State = tuple[int, tuple[int, ...], Any]
MOST_WORDS = 2**17
"""Words that are counted at most: 65,536 draws of `random()`, and some milliseconds."""
_BLOCK = 624
"""Words that the Mersenne Twister makes at once; a state holds such a block and how many of it were drawn."""
_STATE = struct.Struct(f"<{_BLOCK + 1}I")


def named(stream: str) -> Any:
    """Return the state in which the stream of this name begins."""
    return Random(stream).getstate()


def drawn(known: State, state: State) -> int | None:
    """Return how many words were drawn from one state to the other, None if there is no knowing.

    Every method of `Random` draws whole words of 32 bits (`random()` two of them), whatever the method: so the states
    alone say how many there were.
    """
    (block, place), (wanted, end) = _parts(known), _parts(state)
    if block == wanted and place <= end:  # as after most plays
        return end - place
    stream, count = resumed(known), -place
    while block != wanted:
        count += _BLOCK
        if count > MOST_WORDS:
            return None
        stream.getrandbits(32 * (_BLOCK - place + 1))  # the rest of this block, and the first word of the next
        block, place = _parts(stream.getstate())
    count += end
    return count if 0 <= count <= MOST_WORDS else None


def _parts(state: State) -> tuple[tuple[int, ...], int]:
    return state[1][:-1], state[1][-1]


def pack(state: State, known: State) -> list[Any]:
    """Return a state as the number of words drawn since `known` and what `gauss` has kept.

    Where no drawing leads from one to the other (a bot has seeded it anew), all of the state stands for the number.
    """
    count = drawn(known, state)
    return [base64.b64encode(_STATE.pack(*state[1])).decode("ascii") if count is None else count, state[2]]


def unpack(packed: Any, known: State) -> Any:
    """Return the state that was packed with the same `known`; raise ValueError if it is none."""
    try:
        words, gauss = packed
        if gauss is not None and type(gauss) is not float:
            raise ValueError(gauss)
        if type(words) is int:
            if not 0 <= words <= MOST_WORDS:
                raise ValueError(words)
            return (3, _further(known, words), gauss)
        state = (3, _STATE.unpack(base64.b64decode(words, validate=True)), gauss)
        resumed(state)
    except (TypeError, OverflowError, struct.error) as error:
        raise ValueError(str(error)) from None
    return state


def _further(known: State, words: int) -> tuple[int, ...]:
    block, place = _parts(known)
    if place + words <= _BLOCK:
        return (*block, place + words)
    stream = resumed(known)
    stream.getrandbits(32 * words)
    return tuple(stream.getstate()[1])
