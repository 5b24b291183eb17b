"""The state of a random stream as a short text, to hand it to a bot in another process and back."""

from __future__ import annotations

import base64
import struct
from typing import Any

from batllm_arcade.core.streams import resumed

State = tuple[int, tuple[int, ...], Any]
_WORDS = struct.Struct("<625I")


def pack(state: Any, known: State | None = None) -> list[Any]:
    """Return the state that `Random.getstate` returned as values for JSON.

    Of 625 words only the last changes with most draws: where the others are those of `known`, a state that the reader
    has, it is sent alone.
    """
    _, words, gauss = state
    if known is not None and words[:-1] == known[1][:-1]:
        return [words[-1], gauss]
    return [base64.b64encode(_WORDS.pack(*words)).decode("ascii"), gauss]


def unpack(packed: Any, known: State | None = None) -> State:
    """Return the state again, `known` as in `pack`; raise ValueError if it is none."""
    try:
        words, gauss = packed
        if gauss is not None and type(gauss) is not float:
            raise ValueError(gauss)
        if known is not None and type(words) is int:
            state = (3, (*known[1][:-1], words), gauss)
        else:
            state = (3, _WORDS.unpack(base64.b64decode(words, validate=True)), gauss)
        resumed(state)
    except (TypeError, OverflowError, struct.error) as error:
        raise ValueError(str(error)) from None
    return state
