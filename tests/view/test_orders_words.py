"""Orders on one line read as the sentences they were."""

from __future__ import annotations

import pytest

from batllm_arcade.view.play_words import in_one_line


@pytest.mark.parametrize(
    ("orders", "line"),
    [
        ("Stay close\nNever shoot", "Stay close. Never shoot"),
        ("Stay close.\n\nNever shoot!\nWait", "Stay close. Never shoot! Wait"),
        ("- stay close\n- never shoot", "stay close, never shoot"),
        ("Raise your shield and\r\n  shoot him", "Raise your shield and shoot him"),
        ("Stay away from the other bot for all of it\nor lose", "Stay away from the other bot for all of it or lose"),
        ("one   line", "one line"),
        (" \n ", ""),
    ],
)
def test_what_begins_a_line_begins_a_sentence_where_the_one_before_does_not_go_on(orders, line):
    assert in_one_line(orders) == line
