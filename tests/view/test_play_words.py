"""Words that are cut end where a sense does, and are counted as they are read, in any script."""

from __future__ import annotations

import pytest

from batllm_arcade.core.commands import Rotate
from batllm_arcade.view.cut_words import ended
from batllm_arcade.view.play_text import describe
from batllm_arcade.view.play_words import shortened_to_words, word_count
from batllm_arcade.view.reading_words import worded


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("I will wait behind my shield until the battery is full", "I will wait behind my shield\u2026"),
        ("The enemy is at distance 512 and its shield is up", "The enemy is at distance 512\u2026"),
        ("Too close, so I have to turn away from it now", "Too close, so I have to turn away\u2026"),
        ("敌人就在我的左边，距离大约五百，他的护盾已经打开", "敌人就在我的左边，距离大约五百\u2026"),
        ("保持距离，等待他的护盾放下来的那一刻，然后开火", "保持距离，等待他的护盾放下来的那\u2026"),
        ("我要先转向他，然后开火。", "我要先转向他，然后开火。"),
    ],
)
def test_a_thought_is_cut_where_it_says_something(text, shown):
    assert shortened_to_words(text) == shown


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("never so close that he can get behind you, and", "never so close that he can get behind you\u2026"),
        ("when he looks away; otherwise keep", "when he looks away\u2026"),
        ("靠近他，从侧面打他，别浪费子弹；如果", "靠近他，从侧面打他，别浪费子弹\u2026"),
        ("it leads 2 : 1", "it leads 2 : 1\u2026"),
        ("the", "the\u2026"),
    ],
)
def test_a_text_does_not_end_with_what_leads_on(text, shown):
    assert ended(text) == shown


def test_characters_count_where_there_are_no_spaces_between_words():
    assert [word_count(text) for text in ("", "shield up\u2026", "我要先转向他，然后开火。")] == [0, 2, 6]


def test_a_turn_of_less_than_half_a_degree_is_hardly_one():
    assert [describe(Rotate(degrees, "")) for degrees in (0.4, -0.4, 0.6)] == [
        "hardly turns", "hardly turns", "turns right 1\u00b0",
    ]  # fmt: skip


def test_who_holds_fire_is_not_said_to_take_aim():
    assert worded("holding fire: fully loaded, taking aim") == "Holding fire: fully loaded, watching it"
    assert worded("sniping: taking aim") == "Taking aim"
