"""The bot of docs/a-better-bot.md wins as the page says."""

from __future__ import annotations

import pytest
from blocks import blocks

from batllm_arcade import GameEnded, play

(BOT,) = (block.text for block in blocks("python") if block.page == "a-better-bot.md")


@pytest.fixture(scope="module")
def chess():
    names = {}
    exec(compile(BOT, "chess.py", "exec"), names)
    return names["decide"]


def test_it_has_forty_lines():
    assert len(BOT.splitlines()) <= 40


@pytest.mark.parametrize("character", ["sharpshooter", "turtle", "dancer", "random"])
def test_it_wins_eight_of_ten_games_against_each_character(chess, character):
    won, foe = 0, f"scripted:{character}"
    for seat, seats in enumerate([(chess, foe), (foe, chess)]):
        records = list(play(*seats, games=5, seed=1, config="couch", history=None))
        won += sum(record.result.winner == seat for record in records if isinstance(record, GameEnded))
    assert won >= 8
