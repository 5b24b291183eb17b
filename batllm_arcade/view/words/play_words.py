"""What a play says, in at most eight plain words, for captions, panels and pages: the reason, never the figures."""

from __future__ import annotations

import re

from batllm_arcade.match.records import Play
from batllm_arcade.view.words.reading_shown import reading_of

MOST_WORDS = 8
"""Words of a caption; the rest of a thought is in the panel."""
_LONGEST = 90
"""Characters of a caption, for words that have no spaces between them."""
_READ = 2000
"""Characters of a thought that are looked at."""
_SENTENCE = re.compile(r"(?<=[.!?])\s+|\n+")
_CLAUSE = re.compile(r"(\S+\s+){2,}\S+(?=[,;:.!?](\s|$)| [\u2013\u2014]( |$))")
"""The longest beginning of a text that ends where a clause does, of three words at least."""
_SIDE_CHARACTERS = " ,;:-\u2013\u2014"


def play_words(play: Play) -> str:
    """Return what the bot thought, else what it said, in at most eight words; "" if it told neither."""
    thought = play.decision.thought
    if reading := reading_of(thought):
        return shortened_to_words(reading.sentence)
    return shortened_to_words(_sentence(thought) or _sentence(play.decision.say))


def shortened_to_words(text: str, most: int = MOST_WORDS) -> str:
    """Return the text's first words, with an ellipsis where some are left out: after a whole clause if one fits."""
    words = text.split()
    kept = " ".join(words[:most])
    if len(kept) <= _LONGEST and len(words) <= most:
        return kept
    kept = kept[:_LONGEST]
    clause = _CLAUSE.match(kept)
    return (clause[0] if clause else kept).rstrip(_SIDE_CHARACTERS) + "\u2026"


def word_count(words: str) -> int:
    """Return how many words a reader sees."""
    return len(words.split())


def _sentence(text: str) -> str:
    """Return the last sentence that is short enough: who thinks aloud decides at the end; else the first one."""
    sentences = [part for part in (" ".join(piece.split()) for piece in _SENTENCE.split(text[:_READ])) if part]
    whole = [part for part in sentences if 2 <= word_count(part) <= MOST_WORDS]
    return whole[-1] if whole and len(text) <= _READ else sentences[0] if sentences else ""
