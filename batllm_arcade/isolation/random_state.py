"""The state of a random stream as a short text, to hand it to a bot in another process and back."""

from __future__ import annotations

import base64
import struct
from typing import Any

from batllm_arcade.core.streams import resumed

State = tuple[int, tuple[int, ...], Any]
_WORDS = struct.Struct("<625I")


def pack(state: Any) -> list[Any]:
    """Return the state that `Random.getstate` returned as values for JSON."""
    _, words, gauss = state
    return [base64.b64encode(_WORDS.pack(*words)).decode("ascii"), gauss]


def unpack(packed: Any) -> State:
    """Return the state again; raise ValueError if it is none."""
    try:
        text, gauss = packed
        if gauss is not None and type(gauss) is not float:
            raise ValueError(gauss)
        state = (3, _WORDS.unpack(base64.b64decode(text, validate=True)), gauss)
        resumed(state)
    except (TypeError, struct.error) as error:
        raise ValueError(str(error)) from None
    return state
