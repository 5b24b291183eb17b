"""Words that fit, and how long they take to read."""

from __future__ import annotations

import re

_MARKS = " ,;:.!?-\u2013\u2014\u3001\u3002\uff0c\uff0e\uff01\uff1f\uff1a\uff1b"
_FULL_WIDTH = "\u3001\u3002\uff0c\uff01\uff1f\uff1a\uff1b"
_STUB = re.compile(
    rf"(?<=[\w)\]\"'\u2019\u201d])[,;:.!?](?: [^\s,;:.!?]+){{1,2}}$|[{_FULL_WIDTH}][^\s{_FULL_WIDTH}]{{1,3}}$"
)
"""The end of a clause with too little of the next one behind it to say anything."""
_LEAST_KEPT = 0.35  # of a text, where such an end is left out
_LEADS_ON = re.compile(
    r"\s(?:the|an?|and|or|but|so|to|of|in|at|on|by|from|with|for|into|as|than|if|when|while|until|that|which|who"
    r"|his|its|your|my|their|this|i|you|he|she|it|they|we|is|are|be|will|only|not|very|even)$",
    re.I,
)
"""A last word that says nothing without the next one."""


def ended(text: str) -> str:
    """Return the beginning of a text with an ellipsis: without the start of a clause, and what leads on (`and the`)."""
    kept = text.rstrip()
    stub = _STUB.search(kept)
    if stub and stub.start() >= _LEAST_KEPT * len(kept):
        kept = kept[: stub.start() + 1]
    while leads_on := _LEADS_ON.search(kept):  # nothing leads on where a clause ends
        kept = kept[: leads_on.start()]
    return f"{kept.rstrip(_MARKS)}\u2026"


# How long words that appear need to stay to be read

WORD_S = 0.3
"""Seconds that a word takes to read, which is 200 words a minute."""
SHORTEST_S, LONGEST_S = 0.9, 2.5
"""The least that new words stay, and the most that a match waits for them."""


def reading_seconds(words: int) -> float:
    """Return how many seconds so many new words stay; 0 if there are none."""
    return min(LONGEST_S, max(SHORTEST_S, WORD_S * words)) if words > 0 else 0.0
