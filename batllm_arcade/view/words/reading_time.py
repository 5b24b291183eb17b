"""How long words that appear need to stay to be read, for the window and for films."""

from __future__ import annotations

WORD_S = 0.3
"""Seconds that a word takes to read, which is 200 words a minute."""
SHORTEST_S, LONGEST_S = 0.9, 2.5
"""The least that new words stay, and the most that a match waits for them."""


def reading_seconds(words: int) -> float:
    """Return how many seconds so many new words stay; 0 if there are none."""
    return min(LONGEST_S, max(SHORTEST_S, WORD_S * words)) if words > 0 else 0.0
