"""What the panels of a film say of a play, the same in every shape: what is done, what came of it, and why."""

from __future__ import annotations

from batllm_arcade.core.model import Rules
from batllm_arcade.match.records import Play
from batllm_arcade.view import theme
from batllm_arcade.view.play_text import doing, outcome
from batllm_arcade.view.theme import Color
from batllm_arcade.view.words.deed_words import deed_words
from batllm_arcade.view.words.play_words import play_words, shortened_to_words

_FAILED = 10
"""Words of why a play failed."""


def does(play: Play) -> str:
    """Return what a play does in large type."""
    return doing(play) if play.status == "ok" else "FUMBLE!"


def led(play: Play, rules: Rules, *, known: bool) -> tuple[str, Color]:
    """Return what a play led to, once that is `known`, or why it failed, and the colour to say it in."""
    if play.status != "ok":
        return shortened_to_words(play.reason, _FAILED), theme.SOFT
    return outcome(play, rules) if known else ("", theme.SOFT)


def said(play: Play, rules: Rules) -> str:
    """Return what a play's bot thought, else what is seen of its reason."""
    return play_words(play) or deed_words(play, rules)
