"""What a reel says of a moment: before it what makes curious, after it how near a knock-out was or where it hit."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from batllm_arcade.core.model import Arena
from batllm_arcade.match.records import GameEnded, Play
from batllm_arcade.video.edit.moments import KNOCKOUT, Highlight
from batllm_arcade.video.edit.story import behind_words, furthest_behind, twists
from batllm_arcade.video.edit.text import by_color, film_names, unnamed
from batllm_arcade.view.segment import Segment
from batllm_arcade.view.timeline import Timeline
from batllm_arcade.view.words.judged_words import next_hit_wins

CLOSE = 0.2
"""The share of its health with which a winner has only just won."""


COMEBACK, UNHURT, PLAIN = "comeback", "unhurt", "plain"
"""Kinds of headlines: of a game that was won from far behind, and those that tell nothing that one would remember."""
_BACK = "back"
"""The kind of those of a winner that had less health when its moment began."""
_WHO, _OTHERWISE = "who wins?", ("is it over?", "any hope left?")
"""What is asked of a moment, and of others at which the score is the same."""
_FAR_AHEAD = 5
"""How many times the other one's health a bot has that is asked to have won already."""
_HIT = re.compile(r"\bhit in the (side|back)\b")


class Headline(NamedTuple):
    """What is said of a moment, whose doing it is, and of which `kind` it is: those of one kind say nearly the same.

    Of a kind that says how much, the one of more `weight` is better.
    """

    text: str
    bot: int | None
    kind: str
    weight: float = 0.0


def headlines(moment: Highlight, timeline: Timeline) -> Iterator[Headline]:
    """Yield what can be said of a moment, the best first: of a knock-out how near it was (`SmolLM2 wins with
    only 4 health left`), or where its hit struck."""
    over = next((segment for segment in reversed(timeline.segments) if isinstance(segment.record, GameEnded)), None)
    winner = over.board.result.winner if over is not None and over.board.result is not None else None
    if moment.score < KNOCKOUT or over is None or winner is None:
        yield Headline(moment.text, moment.bot, "hit" if _HIT.search(moment.text) else moment.text)
        return
    comeback, name = twists(timeline).get(over.start), film_names(over.board.seats)[winner]
    left, full = over.arena.bot(winner).health, over.board.rules.initial_health[winner]
    if comeback is not None:
        yield Headline(comeback.text, winner, COMEBACK, furthest_behind(timeline.segments, winner)[1])
    if left >= full:
        fought = any(play.is_shot and play.bot != winner for play in _plays(timeline))
        yield Headline(f"{name} wins unhurt", winner, UNHURT if fought else PLAIN)
    elif left <= CLOSE * full:
        stood = begins(moment, timeline)[1]
        own, its = stood.bot(winner).health, stood.bot(1 - winner).health
        if own < its and not next_hit_wins(stood, over.board.rules):
            yield Headline(f"{name} wins from {its - own:g} behind", winner, _BACK, its - own)
        yield Headline(f"{name} wins with only {left:g} health left", winner, "last", -left / full)
    part = _HIT.search(moment.text)
    if over.board.rules.has_armour and part is not None:
        yield Headline(f"{name} wins with a {part[0]}", winner, "hit")
    if CLOSE * full < left < full:
        yield Headline(f"{name} wins with {left:g} health left", winner, PLAIN, -left / full)


def begins(moment: Highlight, timeline: Timeline) -> tuple[Segment, Arena]:
    """Return what is shown first of a moment, and how both bots stand then."""
    shown = next(segment for segment in timeline.segments if segment.end > moment.start)
    return shown, shown.record.before if isinstance(shown.record, Play) else shown.arena


def teaser(moment: Highlight, kind: str, weight: float, timeline: Timeline) -> str:
    """Return what the card of a moment says without telling who wins: `Blue is down 4 to 16: who wins?`.

    `kind` and `weight` are those of its headline.
    """
    shown, arena = begins(moment, timeline)
    rules = shown.board.rules
    if moment.score < KNOCKOUT:
        text = unnamed(moment.text, film_names(shown.board.seats))
        return f"{text[:1].upper()}{text[1:]}"
    if kind == COMEBACK:
        return f"{behind_words(weight, rules)}: is it over?"
    healths = arena.left.health, arena.right.health
    if kind == UNHURT:
        return f"Will it stay unhurt? {healths[0]:g} : {healths[1]:g}"
    if next_hit_wins(arena, rules):
        return f"The next hit wins, {healths[0]:g} : {healths[1]:g}"
    shares = [health / full for health, full in zip(healths, rules.initial_health, strict=True)]
    if shares[0] == shares[1]:
        return f"Level at {healths[0]:g}, who wins?"
    down = shares.index(min(shares))
    name = by_color(film_names(shown.board.seats)[down])
    hopeless = shares[down] * _FAR_AHEAD <= shares[1 - down]
    if hopeless and kind != _BACK and healths[down] <= rules.bullet_damage[1 - down]:
        return f"{name} is one hit from defeat, {healths[down]:g} to {healths[1 - down]:g}"
    asked = _OTHERWISE[0] if hopeless or kind == _BACK else _WHO
    return f"{name} is down {healths[down]:g} to {healths[1 - down]:g}: {asked}"


def apart(teasers: Sequence[str]) -> list[str]:
    """Return what cards say of moments, none twice in the same words: `who wins?`, `is it over?`."""
    found = list[str]()
    for teaser in teasers:
        others = (teaser.replace(_WHO, words) for words in _OTHERWISE)
        found.append(next((each for each in (teaser, *others) if each not in found), teaser))
    return found


def _plays(timeline: Timeline) -> Iterator[Play]:
    return (segment.record for segment in timeline.segments if isinstance(segment.record, Play))
