"""How orders were read, found again in a play's thought: shares for small bars, and what is done in plain words."""

from __future__ import annotations

import re
from typing import NamedTuple

from batllm_arcade.brains.orders import CALLED, UNCLEAR
from batllm_arcade.brains.wording.outright import SAID
from batllm_arcade.view.words.reason_words import worded

_UNCLEAR = f"{UNCLEAR}, "
BARS = 3
"""Shares that are shown at most."""
_THOUGHT = re.compile(r"(?P<shares>[a-z_]+ [01]\.\d\d(?: · [a-z_]+ [01]\.\d\d)*) — (?P<sentence>.+)", re.DOTALL)


class ReadingShown(NamedTuple):
    """The largest shares, each with what the window calls the style, and what the bot does now in plain words.

    Rules that orders give outright are no shares of anything, and not among them.
    """

    shares: list[tuple[str, float]]
    sentence: str
    does: str
    """The sentence without that the orders are unclear, if it says so."""


def reading_of(thought: str) -> ReadingShown | None:
    """Return what a thought such as `camp 0.81 · hold_fire 0.12 — camping: in the corner` shows, None for any other."""
    found = _THOUGHT.fullmatch(thought)
    if found is None:
        return None
    words = [part.split(" ") for part in found["shares"].split(" · ")]
    if not all(style in CALLED or style in SAID for style, _ in words):
        return None  # somebody else's figures
    shares = [(CALLED[style], float(share)) for style, share in words if style in CALLED][:BARS]
    told = found["sentence"]
    sentence = worded(told.removeprefix(_UNCLEAR))
    return ReadingShown(shares, _unclear(sentence) if told.startswith(_UNCLEAR) else sentence, sentence)


def _unclear(sentence: str) -> str:
    """Return the words of a play that is the first under orders which may mean something else."""
    return f"{UNCLEAR.capitalize()}: {sentence[:1].lower()}{sentence[1:].replace(': ', ', ')}"
