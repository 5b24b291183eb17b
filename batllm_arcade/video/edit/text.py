"""Short safe texts for films: one line without control characters, and names that tell two bots apart."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

from batllm_arcade.brains.protocol import SeatInfo
from batllm_arcade.match.result_text import distinct
from batllm_arcade.view.words.cut_words import ended

LONGEST = 160
"""Characters that are shown of a text."""
LONGEST_NAME = 16
"""Characters of a name in ribbons and captions, where two may have to fit."""


def shortened(text: str, most: int = LONGEST) -> str:
    """Return the text on one line of at most `most` characters, cut at a clause or word, without control characters."""
    kept = text[: 4 * most]
    kept = "".join(" " if unicodedata.category(character)[0] in "CZ" else character for character in kept)
    kept = " ".join(kept.split())
    if len(kept) <= most:
        return kept
    return ended(kept[: most - 1].rsplit(" ", 1)[0])


def film_names(seats: Iterable[SeatInfo]) -> tuple[str, str]:
    """Return both names as films show them, left first: short, and `NAME (SEAT)` where they would read the same."""
    left, right = (shortened(seat.name, LONGEST_NAME) for seat in seats)
    return distinct((left, right))
