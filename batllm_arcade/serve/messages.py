"""What pages may send: few forms of JSON, each with its own keys and no others."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Mapping
from typing import Any

from batllm_arcade.errors import is_whole
from batllm_arcade.history.reader import compact_json
from batllm_arcade.view.telegraph.advice import CHOICES

LONGEST = 4096
"""Bytes of a message."""
RATE = 20
"""Messages a second."""
ORDERS = 1000
"""Characters of orders."""
NAME = 16
"""Characters of a name."""
ROLES = ("door", "seat", "orders", "watch", "class", "teach", "wall")
"""What a page is for."""


_NO_TEXT = re.compile("[\ud800-\udfff]")
"""Halves of characters."""


class BadMessage(ValueError):
    """A message that no page of ours sends."""


def _text(longest: int) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, str) and len(value) <= longest and not _NO_TEXT.search(value)


def _number(least: int, most: int) -> Callable[[Any], bool]:
    return lambda value: is_whole(value, least, most)


_QUESTION = _number(0, 10**9)
FORMS: Mapping[str, Mapping[str, Callable[[Any], bool]]] = {
    "join": {
        "join": lambda value: value in ROLES, "code": _text(20), "page": _text(64), "name": _text(NAME),
        "match": _number(0, 10**9), "have": _number(0, 10**9),
    },
    "aim": {"aim": _number(-180, 180), "hold": lambda value: value in ("", *CHOICES), "ask": _QUESTION},
    "play": {
        "play": lambda value: value in (*CHOICES, "turn"), "by": _number(-180, 180), "ask": _QUESTION
    },
    "orders": {"orders": _text(ORDERS)},
    "ready": {"ready": lambda value: type(value) is bool},
    "vote": {"vote": _number(0, 2), "of": _QUESTION},
    "lead": {"lead": lambda value: value in ("start", "pause", "next", "leaves"), "name": _text(NAME)},
}  # fmt: skip
"""The keys of each message, whose first one is its name; all others of that form must be there."""


def read(text: str) -> tuple[str, dict[str, Any]]:
    """Return a message's name and its values; raise BadMessage if it is none."""
    try:
        values = json.loads(text)
    except (ValueError, RecursionError):
        raise BadMessage("it is no JSON") from None
    name = next(iter(values), "") if isinstance(values, dict) else ""
    form = FORMS.get(name)
    if form is None or values.keys() != form.keys():
        raise BadMessage("it has other keys than a page sends")
    try:
        good = all(right(values[key]) for key, right in form.items())
    except TypeError:  # a list is in no tuple of texts
        good = False
    if not good:
        raise BadMessage("a value in it is none that a page sends")
    return name, values


class MessagePace:
    """How many messages a page may still send now: `RATE` at once, and as many more each second."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock, self._left, self._at = clock, float(RATE), clock()

    def take(self) -> bool:
        """Count a message; return False for one too many."""
        now = self._clock()
        self._left, self._at = min(RATE, self._left + RATE * (now - self._at)), now
        self._left -= 1
        return self._left >= 0


def written(value: Any) -> str:
    """Return a message to a page; what is no Unicode in a text of somebody else's becomes a question mark."""
    return compact_json(value).encode("utf-8", "replace").decode("utf-8")
