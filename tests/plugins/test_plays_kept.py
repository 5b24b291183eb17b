"""Under rules without bounces and back steps scripts play what they played before there were any."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from duels import Duel
from fakes import plays, written
from paths import DATA

from batllm_arcade.match import runner
from batllm_arcade.match.runner import MatchPlan
from batllm_arcade.settings import config

BEFORE = DATA / "before_bounce"
PLAYED = json.loads((BEFORE / "plays.json").read_text("utf-8"))
GAMES = [(name, pair) for name, games in PLAYED.items() for pair in games]


@pytest.mark.parametrize(("name", "pair"), GAMES)
def test_scripts_play_the_same_to_the_letter(name, pair):
    rules = replace(config.load(name).rules, total_rounds=2, turns_per_round=12)
    played = plays(runner.play(MatchPlan(rules, 11, 1), Duel(*pair.split())))
    assert " ".join(play.command.token for play in played) == PLAYED[name][pair]


def test_a_session_of_scripts_is_the_same_to_the_letter(tmp_path):
    couch = config.load("couch")
    rules = replace(couch.rules, total_rounds=2, turns_per_round=8)
    plan = MatchPlan(rules, 11, 1, prompts=("Be quick.", "Hold on."), header_template=couch.header_template)
    again = written(runner.play(plan, Duel("sharpshooter", "turtle")), tmp_path / "again.json")
    assert again.read_bytes() == (BEFORE / "couch.json").read_bytes()
