"""Where lines may break: between words, not within a score or `turn 5`; in scripts without spaces, too."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import repeat

_EAST_ASIAN = "\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef\U00020000-\U0003ffff"
_THAI = "\u0e01-\u0e5b"
_SPACELESS = re.compile(f"[{_EAST_ASIAN}{_THAI}]")
_CLOSES = "\u3001\u3002\uff0c\uff0e\uff01\uff1f\uff1a\uff1b\uff09\u300d\u300f\u3011\u3009\u300b\u30fb\u30fc\u201d\u2019"
_OPENS = "\uff08\u300c\u300e\u3010\u3008\u300a\u201c\u2018"
_UNIT = re.compile(
    f"[{_OPENS}]*(?:"
    f"[\u0e40-\u0e44]?[{_THAI}][\u0e30-\u0e3a\u0e45-\u0e4e]*"  # a vowel before, a consonant, what follows it
    f"|[{_EAST_ASIAN}]"
    f"|[^{_EAST_ASIAN}{_THAI}{_OPENS}]+"
    f")?[{_CLOSES}]*"
)
"""What stays on one line: a character with the marks beside it, a Thai syllable, a word of other scripts."""
_SCORE = re.compile(r"(?<=\d) : (?=\d)")
_NUMBERED = re.compile(r"\b(in )?(rounds?|turns?) (?=\d)")


def words_of(paragraph: str) -> Iterable[tuple[str, str]]:
    """Return what has to stay on one line, each with what stands before it if both are on the same line."""
    if paragraph.isascii() or not _SPACELESS.search(paragraph):
        return zip(repeat(" "), _spaced(paragraph), strict=False)
    return _units_of(paragraph)


def _spaced(paragraph: str) -> list[str]:
    """Return the words between spaces; a score such as `2 : 1` is one, and so is `in turn 5`."""
    kept = _SCORE.sub("\0:\0", paragraph) if " : " in paragraph else paragraph
    kept = _NUMBERED.sub(lambda found: found[0].replace(" ", "\0"), kept)
    return [word.replace("\0", " ") for word in kept.split(" ")]


def _units_of(paragraph: str) -> Iterator[tuple[str, str]]:
    for word in _spaced(paragraph):
        glue = " "
        for found in _UNIT.finditer(word) if word else ():
            if found[0]:
                yield glue, found[0]
                glue = ""
        if not word:
            yield " ", ""
