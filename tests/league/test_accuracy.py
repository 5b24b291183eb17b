"""The chance that plays lose: judged in a sample, the same for the same games, and what it says of players."""

from __future__ import annotations

from dataclasses import replace
from statistics import mean

import pytest
from leagues import line, small, timeless

from batllm_arcade.league.engines.pair_play import PairPlayer
from batllm_arcade.league.output import words
from batllm_arcade.league.plan import PairSchedule
from batllm_arcade.league.setup import load_config, set_up
from batllm_arcade.league.statistics.table import table
from batllm_arcade.league.statistics.tally import LeagueTally, LossTally


def test_so_many_plays_of_each_player_are_judged_the_same_ones_whenever_it_is_played():
    plan = small("scripted:random", "scripted:sharpshooter", turns=12, pairs=1, accuracy=3)
    lines = []
    for _ in range(2):
        player = PairPlayer(set_up(plan, load_config(plan)))
        lines.append([timeless(player.play(pair).line) for pair in PairSchedule(plan).from_number(1)])
        player.close()
    assert lines[0] == lines[1]
    games = [game for each in lines[0] for game in each["games"]]
    assert all(loss["plays"] == 3 for game in games for loss in game["loss"].values())
    for name in ("random", "sharpshooter"):
        assert 0 <= mean(game["loss"][name]["sum"] for game in games) < 3


def test_the_error_of_a_mean_takes_pairs_as_one():
    tally = LossTally()
    assert (tally.mean, tally.deviation) == (None, None)
    for lost in (1.0, 3.0, 2.0):
        tally.add([{"plays": 8, "sum": lost / 2}] * 2)
    assert tally.mean == pytest.approx(2 / 16)
    assert tally.deviation == pytest.approx(1 / 16 / 3**0.5)  # of means 1/16, 3/16, 2/16


@pytest.mark.parametrize(("other", "told"), [(0.9, True), (0.3, False)])
def test_players_that_never_win_are_told_apart_by_their_plays(other, told):
    plan = small("strong=scripted", "a=scripted", "b=scripted", pairs=10, schedule="gauntlet", accuracy=8)
    tally = LeagueTally(plan)
    for number in range(1, plan.total + 1):
        made = line(number, plan, ("strong", "strong"))
        lost = {"strong": 0.1, "a": 0.4 + 0.02 * (number % 3), "b": other + 0.1 * (number % 4)}
        for game in made["games"]:
            game["loss"] = {name: {"plays": 8, "sum": lost[name]} for name in made["players"]}
        tally.add(made)
    found = table(plan, tally, complete=True)
    rows = {row.name: row for row in found.players}
    assert rows["a"].wins == rows["b"].wins == 0
    assert rows["a"].loss_low < rows["a"].loss < rows["a"].loss_high
    assert words.accuracy(found) == (["a plays better than b: its plays lose less chance"] if told else [])
    assert "loss a play" in words.markdown(found, "", "")
    silent = replace(found, players=[replace(row, loss=None) for row in found.players])
    assert "loss a play" not in words.markdown(silent, "", "")
