"""How orders were read, found again in a play's thought: shares for small bars, and what is done in plain words."""

from __future__ import annotations

import re
from typing import NamedTuple

from batllm_arcade.brains.orders import CALLED, IN_DOUBT
from batllm_arcade.brains.wording.outright import SAID
from batllm_arcade.view.words.reason_words import worded

_CALLED = {**CALLED, **SAID}
BARS = 3
"""Shares that are shown at most."""
_THOUGHT = re.compile(r"(?P<shares>[a-z_]+ [01]\.\d\d(?: · [a-z_]+ [01]\.\d\d)*) — (?P<sentence>.+)", re.DOTALL)


class ReadingShown(NamedTuple):
    """The largest shares, each with what the window calls the style, and what the bot does now in plain words."""

    shares: list[tuple[str, float]]
    sentence: str


def reading_of(thought: str) -> ReadingShown | None:
    """Return what a thought such as `camp 0.81 · hold_fire 0.12 — camping: in the corner` shows, None for any other."""
    found = _THOUGHT.fullmatch(thought)
    if found is None:
        return None
    words = [part.split(" ") for part in found["shares"].split(" · ")]
    if not all(style in _CALLED for style, _ in words):
        return None  # somebody else's figures
    shares = [(_CALLED[style], float(share)) for style, share in words[:BARS]]
    sentence = worded(found["sentence"])
    return ReadingShown(shares, sentence if shares[0][1] >= IN_DOUBT else _unsure(sentence))


def _unsure(sentence: str) -> str:
    """Return the words of who is not sure what its orders ask for, as the editor of orders says it."""
    return f"Not sure: {sentence[:1].lower()}{sentence[1:].replace(': ', ', ')}"
