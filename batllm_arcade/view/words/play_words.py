"""What a play says, in at most eight plain words, for captions, panels and pages: the reason, never the figures."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable

from batllm_arcade.brains.protocol import SeatInfo
from batllm_arcade.match.records import Play
from batllm_arcade.view.words.cut_words import ended
from batllm_arcade.view.words.reading_shown import reading_of

PLAN = "PLAN"
"""What stands above a plan, as against a reply."""
MOST_WORDS = 8
"""Words of a caption; the rest of a thought is in the panel."""
_LONGEST = 90
"""Characters of a caption, for words that have no spaces between them."""
_READ = 2000
"""Characters of a thought that are looked at."""
_SENTENCE = re.compile(r"(?<=[.!?])\s+|(?<=[\u3002\uff01\uff1f])|\n+")
_CLAUSE = re.compile(
    r"(\S+\s+){2,}\S+(?=[,;:.!?](\s|$)| [\u2013\u2014]( |$))|.{8,}(?=[\u3001\u3002\uff0c\uff01\uff1f\uff1a\uff1b])"
)
"""The longest beginning of a text that ends where a clause does, of three words at least."""
_SPACELESS = {"\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef\U00020000-\U0003ffff": 0.5, "\u0e01-\u0e5b": 0.2}
"""Characters of scripts that put no spaces between words, and how much of a word one is."""
_EACH = "".join(_SPACELESS)
_UNIT = re.compile("|".join(rf"\s*([{each}])" for each in _SPACELESS) + rf"|\s*([^\s{_EACH}]+)")
_WORTH = (0.0, *_SPACELESS.values(), 1.0)
"""How much of a word a unit is, by its group in the expression."""
_ROUNDING = 1e-6
_LONGEST_REPLY = 20
"""Characters of a reply that is shown whole, beside other words."""


def play_words(play: Play) -> str:
    """Return what the bot thought, else what it said, in at most eight words; "" if it told neither."""
    thought = play.decision.thought
    if reading := reading_of(thought):
        return shortened_to_words(reading.does)
    return shortened_to_words(_sentence(thought) or _sentence(play.decision.say))


def short_reply(play: Play, seat: SeatInfo) -> str:
    """Return what the model at a seat answered in quotation marks, "" if that is long or nothing but the command."""
    if not seat.model or seat.human:
        return ""
    reply = play.decision.raw.strip()
    if not reply or reply == str(play.decision.command or "") or len(reply) > _LONGEST_REPLY or "\n" in reply:
        return ""
    return f"\u201c{reply.replace('_', ' ') if reply_heading(play) == PLAN else reply}\u201d"


def reply_heading(play: Play) -> str:
    """Return what stands above a reply, which is a plan where the embedded model's tactician carries it out."""
    return PLAN if reading_of(play.decision.thought) else "REPLY"


def reads_orders(records: Iterable[object], seat: int) -> bool:
    """Return whether the model at a seat reads its orders alone and a tactician plays them, as its plays tell."""
    return any(isinstance(play, Play) and play.bot == seat and reply_heading(play) == PLAN for play in records)


def shortened_to_words(text: str, most: int = MOST_WORDS) -> str:
    """Return the text's first words, with an ellipsis where some are left out: after a whole clause if one fits."""
    text, end, count = " ".join(text.split()), 0, 0.0
    for unit in _UNIT.finditer(text):
        count += _WORTH[unit.lastindex or 0]
        if count > most or unit.end() > _LONGEST:
            break
        end = unit.end()
    else:
        return text
    kept = text[: end or _LONGEST]
    clause = _CLAUSE.match(kept)
    return ended(clause[0] if clause else kept)


def word_count(words: str) -> int:
    """Return how many words a reader sees, in scripts without spaces between words by their characters."""
    return math.ceil(sum(_WORTH[unit.lastindex or 0] for unit in _UNIT.finditer(words.rstrip("\u2026"))) - _ROUNDING)


def _sentence(text: str) -> str:
    """Return the last sentence that is short enough: who thinks aloud decides at the end; else the first one."""
    sentences = [part for part in (" ".join(piece.split()) for piece in _SENTENCE.split(text[:_READ])) if part]
    whole = [part for part in sentences if 2 <= word_count(part) <= MOST_WORDS]
    return whole[-1] if whole and len(text) <= _READ else sentences[0] if sentences else ""
