"""A model's orders, reasons and replies in words."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from batllm_arcade.analysis.game import Judgement
from batllm_arcade.brains.orders import CALLED, SAID, UNCLEAR
from batllm_arcade.brains.styles import DOING, WAYS
from batllm_arcade.core.events import BotBumped, BotHit, BotKnockedOut
from batllm_arcade.core.flight import lined_up
from batllm_arcade.core.model import Arena, Rules
from batllm_arcade.core.rules import read_command, step
from batllm_arcade.match.records import Play
from batllm_arcade.match.series import SIDES
from batllm_arcade.prompts.unwrap import split_thought
from batllm_arcade.view.play_text import did, suggest
from batllm_arcade.view.telegraph.lines import threatened

# A tactician's reason in plain words

_HOLDS_FIRE, _MIXES = "hold_fire", "mixed"
"""Styles whose reason alone does not tell what was ordered: nothing is shot, or everything is tried in turn."""
_STYLE_OF = {doing: style for style, doing in {**DOING, **WAYS}.items()}
_SENTENCE = re.compile(r"(?P<doing>[a-z ]+): (?P<why>.+)", re.DOTALL)
_PART = re.compile(": |, ")
_INNER = re.compile(r"(?P<doing>[a-z ]+), (?P<why>.+)", re.DOTALL)


def worded(sentence: str) -> str:
    """Return what a sentence such as `camping: in the corner, shield up` says in plain words, without the style."""
    match = _SENTENCE.fullmatch(sentence)
    if match is None or match["doing"] not in _STYLE_OF:
        return sentence
    style, (inner, why) = _STYLE_OF[match["doing"]], _inner(match["why"])
    parts = _PART.split(why)
    if style == _HOLDS_FIRE:
        # It takes aim at nothing, for it does not shoot.
        seen = ("watching it" if part == "taking aim" else part for part in parts)
        parts = [DOING[style], *(part for part in seen if part != "strolling")]
    elif style == _MIXES and inner:
        parts = [f"now {inner}", *parts]
    return _joined(parts)


def _inner(why: str) -> tuple[str, str]:
    """Return the style that a reason begins with, as those of who mixes or holds fire do ("" if none), and the rest."""
    match = _INNER.fullmatch(why)
    return (match["doing"], match["why"]) if match is not None and match["doing"] in _STYLE_OF else ("", why)


def _joined(parts: list[str]) -> str:
    told = list(dict.fromkeys(parts))
    line = told[0] if len(told) == 1 else f"{told[0]}: {', '.join(part.replace(': ', ', ') for part in told[1:])}"
    return line[:1].upper() + line[1:]


# How orders were read

_UNCLEAR = f"{UNCLEAR}, "
BARS = 3
"""Shares that are shown at most."""
_THOUGHT = re.compile(
    r"(?:(?P<when>when [a-z ]+|then): )?(?P<shares>[a-z_]+ [01]\.\d\d(?: · [a-z_]+ [01]\.\d\d)*)"
    r"(?: · (?P<aside>[^\u2014]+))? \u2014 (?P<sentence>.+)",
    re.DOTALL,
)
_PLACE = re.compile(r"to the ([a-z ]+)(?:, |$)")
"""What an aside begins with where who camps has a place to go to."""


class ReadingShown(NamedTuple):
    """The largest shares, each with what the window calls the style, and what the bot does now in plain words.

    Rules that orders give outright are no shares of anything, and not among them.
    """

    shares: list[tuple[str, float]]
    sentence: str
    does: str
    """The sentence without that the orders are unclear, if it says so."""
    aside: str
    """The case that counts now, how the styles are played, and what counts in other cases, "" if nothing is told."""


def reading_of(thought: str) -> ReadingShown | None:
    """Return what a thought such as `camp 0.81 · hold_fire 0.12 — camping: in the corner` shows, None for any other."""
    match = _THOUGHT.fullmatch(thought)
    if match is None:
        return None
    words = [part.split(" ") for part in match["shares"].split(" · ")]
    if not all(style in CALLED or style in SAID for style, _ in words):
        return None  # somebody else's figures
    beside = match["aside"] or ""
    place = _PLACE.match(beside)
    called = {**CALLED, "camp": place[1]} if place else CALLED
    shares = [(called[style], float(share)) for style, share in words if style in called][:BARS]
    told = match["sentence"]
    sentence = worded(told.removeprefix(_UNCLEAR))
    aside = ": ".join(filter(None, [match["when"], beside[place.end() :] if place else beside]))
    shown = _unclear(sentence) if told.startswith(_UNCLEAR) else sentence
    return ReadingShown(shares, shown, sentence, aside)


def _unclear(sentence: str) -> str:
    return f"{UNCLEAR.capitalize()}: {sentence[:1].lower()}{sentence[1:].replace(': ', ', ')}"


# Find the accepted command in a raw reply and cut an excerpt around it

_BUTTONS = re.compile(r'"button_presses"\s*:\s*\[\s*([^\]]{1,200}?)\s*\]')
_KEY = re.compile(r'"(?:cmd|command)"\s*:\s*"\s*$', re.IGNORECASE)
_MAX_CHARACTERS = 65_536


@lru_cache(maxsize=64)
def command_span(raw: str, command: str | None) -> tuple[int, int] | None:
    """Return start and end in `raw` of the command or of its button presses; None if neither is places."""
    raw = raw[:_MAX_CHARACTERS]
    if not command or not raw:
        return None
    answer = raw.rfind(split_thought(raw)[1])
    token = re.compile(rf"(?<![\w.+-]){re.escape(command.strip())}(?![\w.])", re.IGNORECASE)
    places = list(token.finditer(raw, answer)) or list(token.finditer(raw))
    keyed = [match for match in places if _KEY.search(raw, max(0, match.start() - 40), match.start())]
    for match in (*keyed[-1:], *places[:1]):
        return match.span()
    buttons = _BUTTONS.search(raw)
    return buttons.span(1) if buttons else None


def excerpt(raw: str, span: tuple[int, int] | None, before: int, after: int) -> tuple[str, str, str]:
    """Return the text before `span`, the span and the text after it, without line breaks.

    Before it at most `before` characters are kept, after it at most `after`; cuts are marked by an ellipsis.
    """
    if span is None:
        return "", "", _single_line(raw[: after + 1], after, keep_start=True)
    first, last = span
    return (
        _single_line(raw[max(0, first - before - 1) : first], before, keep_start=False),
        _single_line(raw[first:last], after, keep_start=True),
        _single_line(raw[last : last + after + 1], after, keep_start=True),
    )


def _single_line(text: str, limit: int, *, keep_start: bool) -> str:
    line = re.sub(r"\s+", " ", text)
    if len(text) <= limit:
        return line
    return line[:limit] + "\u2026" if keep_start else "\u2026" + line[-limit:]


def judged(play: Play, judgement: Judgement, rules: Rules) -> str:
    """Return a marked play on one line: `?? blue fires, 34 points lost; best: step back`."""
    words = f"{judgement.mark} {SIDES[play.bot]} {did(play)}"
    if judgement.mark == "!":
        return f"{words}, the only good play"
    return f"{words}, {judgement.points} points lost; best: {suggest(read_command(judgement.best, rules))}"


def judged_shortly(play: Play, judgement: Judgement) -> str:
    """Return what is said of a marked play where its best play is drawn, too: `?? fires, 34 points lost`."""
    lost = "the only good play" if judgement.mark == "!" else f"{judgement.points} points lost"
    return f"{judgement.mark} {did(play)}, {lost}"


def advice_sentence(arena: Arena, bot: int, token: str, chances: tuple[float, float], rules: Rules) -> str:
    """Return what to play and why; `chances` are those of the bot after the best play and after doing nothing."""
    best, waiting = (round(100 * chance) for chance in chances)
    said = suggest(read_command(token, rules))
    compared = f"{best}% to win" + (f", {waiting}% if you wait" if waiting < best else "")
    return f"{said[0].upper()}{said[1:]}: {_why(arena, bot, token, rules)} ({compared})."


def _why(arena: Arena, bot: int, token: str, rules: Rules) -> str:
    after, events = step(arena, bot, read_command(token, rules), rules)
    hit = next((event for event in events if isinstance(event, BotHit)), None)
    if any(isinstance(event, BotKnockedOut) for event in events):
        return "it wins the game"
    if hit is not None:
        return f"it takes {hit.damage:g}"
    if any(isinstance(event, BotBumped) for event in events):
        return "you run into them, and they spin" if rules.bump_turn else "you shove them"
    if threatened(arena, bot, rules) and not threatened(after, bot, rules):
        return "the next shot would hit you here"
    if lined_up(after, bot, rules) and not lined_up(arena, bot, rules):
        return "then you aim at them"
    if after.bot(bot).charge > arena.bot(bot).charge:
        return "it loads your gun"
    if after.bot(bot).shield and not arena.bot(bot).shield:
        return "it stops what comes from ahead"
    return "you stand better after it"
