"""What ribbons say over the begin of a moment, before what happens in it: its title, and how its orders were kept."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import pairwise
from operator import attrgetter
from typing import NamedTuple

from batllm_arcade.match.records import Play
from batllm_arcade.video.edit.cards import BADLY, WELL, CardSide
from batllm_arcade.video.edit.edit_list import Cut, EditList
from batllm_arcade.view.timeline import Timeline

TITLE_S, KEPT_S = 2.2, 2.5
"""Seconds for which the title is said, and then how orders were kept."""
LEAST_S = 1.2
"""What would be said for less is not said, unless it is said first."""
_MOMENT_S = 1e-6
_FEW = re.compile(r"\b[1-9]\d* of \d+\b(?!.*\u201d)")
"""A count of what a bot did as it was told; not one in the orders."""


class Said(NamedTuple):
    """What a ribbon says, in the colour of which bot, for so many seconds at most."""

    text: str
    bot: int | None
    seconds: float


def kept_of(sides: Sequence[CardSide], winner: int | None) -> Said:
    """Return how a bot kept to its orders, one that did not before one that did, else the winner; "" if neither."""
    told = [(side.followed, bot, f"{side.told}: {side.kept}") for bot, side in enumerate(sides) if side.kept]
    clear = [(share > BADLY, bot != winner, bot, text) for share, bot, text in told
             if share is not None and not BADLY < share < WELL]  # fmt: skip
    if not clear:
        return Said("", None, 0.0)
    kept, *_, bot, text = min(clear)
    return Said(text if kept else _FEW.sub(r"only \g<0>", text, count=1), bot, KEPT_S)


def title_seconds(cuts: Sequence[Cut], timeline: Timeline) -> float:
    """Return for how long the title is said, which tells how both stand: until that changes, if it can be read so."""
    begin, later = cuts[0].start, (each for each in timeline.segments if each.known > cuts[0].start)
    known = next((each.known for each in later if isinstance(each.record, Play) and each.record.is_hit), cuts[-1].end)
    seen = sum(end - start for start, end in EditList(list(cuts)).spans(begin, known))
    return min(TITLE_S, max(LEAST_S, seen))


def saying(cuts: Sequence[Cut], said: Iterable[Said]) -> list[Cut]:
    """Return cuts that say these one after the other on ribbons, up to the first one that has another text."""
    silent = next((number for number, cut in enumerate(cuts) if cut.text), len(cuts))
    room = sum(cut.seconds for cut in cuts[:silent])
    spans, begin = list[tuple[float, float, Said]](), 0.0
    for each in filter(attrgetter("text"), said):
        end = min(room, begin + each.seconds)
        if end - begin >= (LEAST_S if begin else _MOMENT_S):
            spans.append((begin, end, each))
            begin = end
    found, at = list[Cut](), 0.0
    for cut in cuts[:silent]:
        marks = {at, at + cut.seconds, *(mark for span in spans for mark in span[:2] if at < mark < at + cut.seconds)}
        times = sorted(marks)
        for first, last in pairwise(times):
            if last - first <= _MOMENT_S:
                continue
            says = next((each for start, end, each in spans if start <= first + _MOMENT_S < end), Said("", None, 0.0))
            start, end = (cut.start + (mark - at) * cut.speed for mark in (first, last))
            end = cut.end if last == times[-1] else end
            entry = cut.entry if first == at else ""
            found.append(replace(cut, start=start, end=end, text=says.text, bot=says.bot, entry=entry))
        at += cut.seconds
    return [*found, *cuts[silent:]]
