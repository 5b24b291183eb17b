"""How long a watched match waits for a play's words to be read."""

from __future__ import annotations

from batllm_arcade.match.records import Play
from batllm_arcade.view.words.play_words import play_words, word_count
from batllm_arcade.view.words.reading_time import reading_seconds

PLAY_S = 0.5
"""Seconds for which words can be read anyway, while their play is shown."""
_REMEMBERED = 2  # of a bot's last words: those are not read again


class ReadingPace:
    """Remembers what both bots have said."""

    def __init__(self) -> None:
        self._said: tuple[list[str], list[str]] = ([], [])

    def lead(self, play: Play, *, waits: bool) -> float:
        """Return how many seconds longer a play's words need: 0 unless it `waits` for them and they are new."""
        words, said = play_words(play), self._said[play.bot]
        new = words not in said[-_REMEMBERED:]
        said.append(words)
        return max(0.0, reading_seconds(word_count(words)) - PLAY_S) if waits and new else 0.0
