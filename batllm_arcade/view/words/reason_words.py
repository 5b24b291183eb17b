"""A tactician's reason in plain words: `sniping: turning to get away: too near` reads `Too close: turning away`."""

from __future__ import annotations

import re

from batllm_arcade.brains.styles import DOING
from batllm_arcade.brains.ways import WAYS

_REASONS = {
    "taking aim": "taking aim",
    "lined up, lowering the shield to fire": "lined up: shield down to fire",
    "its side or back is open, fire": "its side or back is open: fire!",
    "lined up, shield down, fire": "lined up: fire!",
    "its side or back is open, coming out for a shot": "open side or back: shield down to shoot",
    "on its way, its side or back is open, fire": "on its way: open side or back, fire!",
    "its shield is in the way, closing in": "shield in the way: closing in",
    "its shield is in the way, aiming off the wall": "shield in the way: aiming off the wall",
    "keeping its gun on it until the shield falls": "gun on it until its shield falls",
    "empty and aimed at, staying behind the shield": "staying behind the shield",
    "empty, lowering the shield to load": "shield down to load",
    "fully loaded, fire on the way": "fully loaded: fire!",
    "it shows nothing but its front, fire": "only its front is open: fire!",
    "it shows nothing but its front, taking aim": "only its front is open: taking aim",
    "a shot before it backs off": "lined up: fire!",
    "a shot in passing": "clear shot: fire!",
    "a safe shot": "clear shot: fire!",
    "no danger, a safe shot": "no danger: shield down to shoot",
    "no danger, taking aim": "no danger: taking aim",
    "turning its front to it": "turning to face it",
    "turning to it": "turning to face it",
    "turning to get away": "turning away",
    "turning to step aside": "turning aside",
    "turning to step aside, to load": "turning aside to load",
    "stepping aside, to load": "stepping aside to load",
    "keeping turned to it": "keeping it in sight",
    "keeping its eyes on it": "watching it",
    "behind the shield, waiting for an opening": "shield up, waiting for an opening",
    "doing nothing": "doing nothing",
}
"""Reasons whose plain words are not the reason itself."""
_FIRST = {
    "it cannot fire": "the foe cannot fire",
    "too near": "too close",
    "not far enough": "not far enough",
    "as far as it goes": "far enough",
    "it is too near to wait": "too near to wait",
}
"""Parts of a reason that stand first in plain words, and how."""
_HOLDS_FIRE, _MIXES = "hold_fire", "mixed"
"""Styles whose reason alone does not tell what was ordered: nothing is shot, or everything is tried in turn."""
_STYLE_OF = {doing: style for style, doing in {**DOING, **WAYS}.items()}
_SENTENCE = re.compile(r"(?P<doing>[a-z ]+): (?P<why>.+)", re.DOTALL)
_INNER = re.compile(r"(?P<doing>[a-z ]+), (?P<why>.+)", re.DOTALL)


def worded(sentence: str) -> str:
    """Return what a sentence such as `camping: in the corner, shield up` says in plain words, without the style."""
    found = _SENTENCE.fullmatch(sentence)
    if found is None or found["doing"] not in _STYLE_OF:
        return sentence
    style, (inner, why) = _STYLE_OF[found["doing"]], _inner(found["why"])
    parts = _parts(why)
    if style == _HOLDS_FIRE:
        aims = {"taking aim": _REASONS["keeping its eyes on it"]}  # at nothing, for it does not shoot
        parts = [DOING[style], *(aims.get(part, part) for part in parts if part != "strolling")]
    elif style == _MIXES and inner:
        parts = [f"now {inner}", *parts]
    return _joined(parts)


def _inner(why: str) -> tuple[str, str]:
    """Return the style that a reason begins with, as those of who mixes or holds fire do ("" if none), and the rest."""
    found = _INNER.fullmatch(why)
    return (found["doing"], found["why"]) if found is not None and found["doing"] in _STYLE_OF else ("", why)


def _parts(why: str) -> list[str]:
    if why in _REASONS:
        return [_REASONS[why]]
    head, *rest = re.split(r": |, ", why, maxsplit=1)
    if not rest:
        return [_FIRST.get(why, why)]
    last = why.rsplit(": ", 1)
    if last[-1] in _FIRST:
        return [_FIRST[last[-1]], *_parts(last[0])]
    return [_FIRST.get(head, head), *_parts(rest[0])]


def _joined(parts: list[str]) -> str:
    """Return the parts as a line: a colon after the first, commas after the others."""
    told = list(dict.fromkeys(parts))
    line = told[0] if len(told) == 1 else f"{told[0]}: {', '.join(part.replace(': ', ', ') for part in told[1:])}"
    return line[:1].upper() + line[1:]
