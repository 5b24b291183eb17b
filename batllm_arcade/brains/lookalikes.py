"""Names that look like those of bundled brains."""

from __future__ import annotations

import re
from collections.abc import Collection
from unicodedata import category, normalize

_ANY = "\0"
"""Stands for a letter that is none of ASCII, which may look like any."""


def looks_like(name: str, known: Collection[str]) -> str:
    """Return which of these names it is, or looks like up to a `:`, `,` or `=`; "" where that is none.

    Capitals, wide letters, accents, spaces and what is not seen make no other name, nor do single foreign letters.
    """
    seen = "".join(map(_seen, normalize("NFKD", normalize("NFKD", name).casefold())))
    head = re.split("[:,=]", seen, maxsplit=1)[0]
    if head in known or not head.strip(_ANY):
        return head if head in known else ""
    return next((each for each in known if len(each) == len(head) and all(map(_alike, head, each))), "")


def _seen(character: str) -> str:
    kind = category(character)[0]
    if kind in "CMZ":
        return ""
    if character.isascii():
        return character
    return _ANY if kind in "LN" else ":"


def _alike(one: str, other: str) -> bool:
    return one in (other, _ANY)
