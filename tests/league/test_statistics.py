"""What a league's figures mean: outcomes, ratings against an oracle, intervals, ranks, the sequential test."""

from __future__ import annotations

import math
from dataclasses import MISSING, fields
from random import Random
from typing import get_type_hints

import numpy as np
import pytest
from fakes import eventful
from leagues import line, small
from values import changeable, roomy

from batllm_arcade.brains.kinds import Price
from batllm_arcade.errors import UsageError
from batllm_arcade.league.engines.pair_play import GameCounts
from batllm_arcade.league.plan import SprtPlan
from batllm_arcade.league.statistics.rating import (
    ELO,
    Duel,
    chance_of,
    circle,
    expected_score,
    fit,
    log_likelihood_ratio,
    probability,
    quantile,
    ranks,
    rate,
    sprt,
    surely,
)
from batllm_arcade.league.statistics.strengths import Strengths
from batllm_arcade.league.statistics.table import LeagueTable, Pairing, PlayTimes, Side, TableRow, table
from batllm_arcade.league.statistics.tally import (
    GameLine,
    Latencies,
    LeagueTally,
    fault_of,
    mirrored,
    outcome_of,
    pentanomial,
)


@pytest.mark.parametrize(
    ("winners", "outcome", "other"),
    [
        (("a", "a"), "WW", "LL"), ((None, "a"), "WD", "LD"), (("a", "b"), "WL", "WL"), (("b", "a"), "WL", "WL"),
        ((None, None), "DD", "DD"), (("b", None), "LD", "WD"), (("b", "b"), "LL", "WW"),
    ],
)  # fmt: skip
def test_a_pair_has_one_outcome_for_each_player(winners, outcome, other):
    assert (outcome_of(winners, "a"), outcome_of(winners, "b"), mirrored(outcome)) == (outcome, other, other)
    assert pentanomial({outcome: 3}) == pentanomial({other: 3})[::-1]


def test_faults_are_told_apart_by_the_first_word_of_their_reason():
    assert fault_of("ok", "") == ""
    assert [fault_of("error", f"{word}: it said nothing") for word in ("crashed", "silent", "garbage")] == [
        "crashed", "silent", "garbage",
    ]  # fmt: skip
    assert [fault_of("timeout", ""), fault_of("invalid", ""), fault_of("error", "crashing sea")] == [
        "timeout", "invalid", "error",
    ]  # fmt: skip
    assert [fault_of("forfeit", "crashed with 1"), fault_of("forfeit", "no answer within 2 s")] == [
        "crashed",
        "timeout",
    ]


RESULTS = {(0, 1): (31.5, 50.0), (0, 2): (40.0, 50.0), (1, 2): (20.0, 50.0), (0, 3): (0.0, 50.0), (2, 3): (1.5, 30.0)}


def test_ratings_are_those_of_another_program():
    """Of the data with half a win and half a loss for each unit of leverage that a pairing has (Firth)."""
    choix = pytest.importorskip("choix")
    found = Strengths(4, list(RESULTS), *zip(*RESULTS.values(), strict=True))
    wins = np.zeros((4, 4))
    for ((one, other), (points, games)), added in zip(RESULTS.items(), found.added, strict=True):
        wins[one, other], wins[other, one] = points + added / 2, games - points + added / 2
    oracle = choix.ilsr_pairwise_dense(wins, max_iter=1000, tol=1e-12) * ELO
    assert fit(4, RESULTS) == pytest.approx(oracle - oracle.mean(), abs=0.5)
    assert sum(found.added) == pytest.approx(3, abs=0.01)  # one for each strength that is free


def test_an_end_is_where_the_likelihood_has_fallen_by_its_drop():
    """Of two players the profile is the likelihood itself: known in closed form."""
    found = Strengths(2, [(0, 1)], [15.0], [20.0])
    for side in (-1, 1):
        (end,) = found.ends([[1.0, -1.0]], [3.84], side)
        points, games = 15.5, 21.0
        fall = 2 * sum(
            count * math.log(share / (1 / (1 + math.exp(-sign * end))))
            for count, share, sign in ((points, points / games, 1), (games - points, 1 - points / games, -1))
        )
        assert fall == pytest.approx(3.84, abs=0.02)
        assert math.copysign(1, end - (found.theta[0] - found.theta[1])) == side


def test_who_wins_all_is_bounded_below_alone_and_who_loses_all_above():
    ratings = rate(3, {(0, 1): [0, 0, 0, 0, 50], (0, 2): [0, 0, 0, 0, 50], (1, 2): [0, 0, 50, 0, 0]})
    best, *others = ratings.players
    assert best.high is None
    assert best.low is not None
    assert 0 < best.low < best.value < 1000
    for each in others:
        assert each.low is not None
        assert each.high is not None
        assert each.low < each.value < each.high < best.low
    assert others[0].value == pytest.approx(others[1].value)
    assert ratings.difference(0, 1).high is None
    assert ratings.difference(1, 0).low is None
    even = ratings.difference(1, 2)
    assert even.high is not None
    assert 2 < even.high < 60  # fifty drawn pairs do not prove equality
    assert even.chance == pytest.approx(0.5, abs=1e-6)
    two = rate(2, {(0, 1): [0, 0, 0, 0, 10]}).players
    assert (two[0].high, two[1].low) == (None, None)
    assert two[0].low == pytest.approx(-two[1].high)


def test_an_interval_narrows_with_the_pairs_and_without_any_says_nothing():
    few, many = (rate(2, {(0, 1): [n, n, 2 * n, n, 2 * n]}).players[0] for n in (2, 200))
    assert few.low < many.low < many.value < many.high < few.high
    for players, counts in ((2, {(0, 1): [0] * 5}), (3, {(0, 1): [1, 0, 2, 0, 1], (0, 2): [0] * 5, (1, 2): [0] * 5})):
        unknown = rate(players, counts).players[0]
        assert (unknown.value, unknown.low, unknown.high) == (pytest.approx(0), None, None)


@pytest.mark.parametrize(
    ("classes", "reach"),
    [
        ([1, 2, 1, 2, 1], 2.447), ([1, 2, 3, 2, 1], 2.306), ([2, 3, 6, 5, 4], 2.093),
        ([30, 50, 90, 60, 40], 1.969), ([60, 100, 180, 120, 80], 1.964),
    ],
)  # fmt: skip
def test_an_interval_of_few_pairs_is_as_wide_as_students_distribution_wants(classes, reach):
    """`reach` is the quantile of Student's t for 95%, with one degree of freedom less than there are pairs."""
    pairs = sum(classes)
    assert quantile(0.975, pairs - 1) == pytest.approx(reach, abs=0.01)
    assert probability(reach, pairs - 1) == pytest.approx(0.975, abs=3e-4)
    mean = sum(count * score / 4 for score, count in enumerate(classes)) / pairs
    deviation = math.sqrt(sum(count * (score / 4 - mean) ** 2 for score, count in enumerate(classes)) / (pairs - 1))
    low, high = Duel(classes).interval()
    assert high - low == pytest.approx(2 * reach * deviation / math.sqrt(pairs), rel=0.12 if pairs > 8 else 0.22)
    assert low < mean < high


@pytest.mark.parametrize(("share", "freedom", "value"), [(0.975, 1, 12.706), (0.975, 2, 4.303), (0.95, 5, 2.015)])
def test_students_distribution_is_the_known_one(share, freedom, value):
    assert quantile(share, freedom) == pytest.approx(value, rel=0.005)
    assert quantile(1 - share, freedom) == pytest.approx(-value, rel=0.005)
    assert probability(value, freedom) == pytest.approx(share, abs=0.001)
    assert probability(-value, freedom) == pytest.approx(1 - share, abs=0.001)


@pytest.mark.parametrize("classes", [[0, 0, 20, 0, 0], [0, 0, 17, 3, 0], [1, 0, 5, 2, 4], [0, 3, 1, 0, 9]])
def test_two_players_are_seen_alike_from_either_side(classes):
    low, high = Duel(classes).interval()
    assert [1 - end for end in reversed(Duel(classes[::-1]).interval())] == pytest.approx([low, high], abs=1e-6)
    assert Duel(classes[::-1]).chance() == pytest.approx(1 - Duel(classes).chance())
    assert low < Duel(classes).mean < high


def test_who_looks_again_and_again_at_equals_is_rarely_told_that_one_is_better():
    claimed = {always: set[int]() for always in (False, True)}
    for seed in range(40):
        stream, counts = Random(f"looks {seed}"), [0] * 5
        for _ in range(8):
            for place in stream.choices(range(5), [1, 1, 6, 1, 1], k=20):
                counts[place] += 1
            chance = Duel(counts).chance()
            for always in claimed:
                if surely({(0, 1): chance_of(chance, sum(counts), always)}):
                    claimed[always].add(seed)
    assert len(claimed[False]) > 4
    assert len(claimed[True]) <= 2


@pytest.mark.parametrize("classes", [[1, 2, 9, 4, 8], [0, 0, 0, 0, 30], [3, 9, 80, 20, 12], [1, 0, 0, 0, 3]])
def test_what_holds_at_any_time_is_wider_and_agrees_with_who_is_better(classes):
    once, always = (rate(2, {(0, 1): classes}, always=each).difference(0, 1) for each in (False, True))
    assert always.value == once.value
    assert always.low < once.low
    assert 0.5 <= always.chance <= once.chance
    assert (always.low > 0) == (always.chance > 0.975)


def test_few_pairs_prove_little():
    """In simulated leagues 90% of those who had won two pairs of two were the better ones, 96% with three of three."""
    assert [round(Duel([0, 0, 0, 0, n]).chance(), 2) for n in (1, 2, 3)] == [0.83, 0.83, 0.93]
    assert 0.99 < Duel([0, 0, 0, 0, 10]).chance() < 1
    assert rate(2, {(0, 1): [1, 1, 3, 3, 3]}).difference(0, 1).chance == pytest.approx(0.9004, abs=5e-5)
    assert rate(2, {(0, 1): [3, 3, 3, 1, 1]}).difference(0, 1).chance < 0.2


def test_of_many_comparisons_each_has_to_be_the_surer():
    assert surely({(0, 1): 0.98}) == {(0, 1)}
    assert surely({(0, 1): 0.02}) == {(1, 0)}
    assert surely({(0, 1): 0.98, (0, 2): 0.5, (1, 2): 0.5}) == set()
    # Holm: 0.002 <= 0.05 / 3, then 0.022 <= 0.05 / 2, then 0.06 > 0.05
    assert surely({(0, 1): 0.999, (0, 2): 0.011, (1, 2): 0.97}) == {(0, 1), (2, 0)}


def test_results_that_go_round_in_a_circle_are_noticed():
    won, lost = [0, 1, 2, 3, 14], [14, 3, 2, 1, 0]
    assert circle({(0, 1): won, (0, 2): lost, (1, 2): won}) == [0, 1, 2]
    assert circle({(0, 1): lost, (0, 2): won, (1, 2): lost}) == [0, 2, 1]
    assert circle({(0, 1): won, (0, 2): won, (1, 2): won}) == []
    assert circle({(0, 1): [0, 0, 0, 0, 2], (0, 2): [2, 0, 0, 0, 0], (1, 2): [0, 0, 0, 0, 2]}) == []  # too few


def test_who_has_not_met_is_compared_by_whom_both_have_met():
    counts = {(0, 1): [0, 2, 4, 10, 34], (0, 2): [34, 10, 4, 2, 0], (0, 3): [0, 0, 0, 0, 0]}
    found = rate(4, counts)
    assert found.difference(2, 1).low > found.difference(0, 1).low > 0
    assert (found.difference(2, 3).low, found.difference(2, 3).high) == (None, None)
    assert ranks(found)[:3] == [2, 3, 1]


@pytest.mark.parametrize(
    "classes", [[0, 0, 40, 0, 0], [0, 0, 0, 0, 9], [9, 0, 0, 0, 0], [0, 0, 0, 0, 0], [1, 0, 0, 0, 0]]
)
@pytest.mark.parametrize("model", ["logistic", "normalized"])
def test_the_test_has_a_ratio_whatever_was_played(classes, model):
    state = sprt(classes, SprtPlan(0, 50, model=model))
    assert math.isfinite(state.llr)
    assert (state.lower, state.upper) == pytest.approx((-2.944, 2.944), abs=1e-3)


def test_the_test_accepts_what_it_has_seen():
    assert sprt([5, 10, 50, 40, 60], SprtPlan(0, 50)).decision == "H1"
    assert sprt([40, 40, 100, 40, 40], SprtPlan(0, 50)).decision == "H0"
    assert sprt([3, 4, 10, 5, 4], SprtPlan(0, 50)).decision is None
    assert sprt([0, 0, 0, 0, 0], SprtPlan(0, 50, 0.5, 0.5)).decision == "H1", "at the bound itself it has decided"


@pytest.mark.parametrize(
    ("classes", "elo0", "elo1", "llr"),
    [
        ([365, 16618, 36229, 16974, 390], 0, 2, 2.25),
        ([127, 4883, 10712, 5150, 104], -1.75, 0.25, 3.01),
        ([104, 5150, 10712, 4883, 127], -0.25, 1.75, -3.01),
        ([0, 0, 0, 0, 5550], 0, 5, 111.82),
    ],
)
def test_the_normalized_model_is_that_of_engine_testers(classes, elo0, elo1, llr):
    """Expected values: those of fastchess's own tests (earlier ones had 2.94 for 104 pairs that were all won)."""
    assert log_likelihood_ratio(classes, elo0, elo1, "normalized") == pytest.approx(llr, rel=0.005)
    assert sprt(classes, SprtPlan(elo0, elo1, model="normalized")).llr == pytest.approx(llr, rel=0.005)
    for model in ("logistic", "normalized"):  # the ratio is the same from either side
        ratio = log_likelihood_ratio(classes, elo0, elo1, model)
        assert log_likelihood_ratio(classes, elo1, elo0, model) == pytest.approx(-ratio)
        assert log_likelihood_ratio(classes[::-1], -elo0, -elo1, model) == pytest.approx(ratio, rel=1e-6)


def test_the_ratio_is_that_of_the_normal_distribution_where_the_hypotheses_are_near():
    seen, (low, high) = [300, 390, 1000, 410, 320], (expected_score(0), expected_score(5))
    total = sum(seen)
    mean = sum(count * score / 4 for score, count in enumerate(seen)) / total
    variance = sum(count * (score / 4 - mean) ** 2 for score, count in enumerate(seen)) / total
    normal = total * (high - low) * (2 * mean - low - high) / (2 * variance)
    assert log_likelihood_ratio(seen, 0, 5) == pytest.approx(normal, rel=0.03)


def played(plan, outcomes):
    tally = LeagueTally(plan)
    for number, winners in enumerate(outcomes, 1):
        tally.add(line(number, plan, winners, tokens=10))
    return tally


def test_the_table_has_what_was_promised():
    plan = small("a=scripted", "b=scripted", "c=scripted", pairs=20)
    tally = played(plan, [("a", "a"), ("a", "c"), ("b", None)] * 20)
    whole = table(plan, tally, complete=True)
    result = whole.values()
    assert LeagueTable.read(result) == whole
    with pytest.raises(UsageError, match="must have 5 values"):
        LeagueTable.read({**result, "matrix": [{**result["matrix"][0], "pairs": [0, 0, 0, 20]}]})
    best, *_, last = result["players"]
    assert [player["name"] for player in result["players"]] == ["a", "b", "c"]
    assert best["rank"] == 1
    assert {key: best[key] for key in ("games", "wins", "draws", "losses", "score", "pairs", "tokens")} == {
        "games": 80, "wins": 60, "draws": 0, "losses": 20, "score": 0.75, "pairs": [0, 0, 20, 0, 20], "tokens": 800,
    }  # fmt: skip
    assert (last["pairs"], last["los"]) == ([0, 20, 20, 0, 0], None)
    assert 0.5 < best["los"] <= 1
    assert best["latency_s"] == {"plays": 320, "median": pytest.approx(0.01, rel=0.02), "max": 0.02, "total": 3.2}
    assert best["faults"] == dict.fromkeys(("crashed", "silent", "garbage", "timeout", "error", "invalid"), 0)
    assert best["requests"] == 0
    assert (result["sprt"], result["complete"]) == (None, True)
    assert result["left"] == {"wins": 80, "losses": 20, "draws": 20, "share": 0.8}
    assert [result["matrix"][0][key] for key in ("players", "pairs", "score")] == [["a", "b"], [0, 0, 0, 0, 20], 1.0]
    assert result["matrix"][0]["low"] > 0
    assert result["matrix"][0]["chance"] > 0.99
    assert result["circle"] == []
    kept = ("players", "pairs", "score")
    older = {**result, "matrix": [{key: each[key] for key in kept} for each in result["matrix"]]}
    older.pop("circle")  # as older versions wrote it
    assert LeagueTable.read(older).matrix[0] == Pairing(["a", "b"], [0, 0, 0, 0, 20], 1.0, None, None, None, None)


def test_players_share_a_rank_where_nobody_is_surely_better():
    plan = small("a=scripted", "b=scripted", "c=scripted", pairs=30)
    result = table(plan, played(plan, [("a", "b"), ("a", "a"), ("b", "b")] * 30), complete=True)
    assert [(row.name, row.rank) for row in result.players] == [("a", 1), ("b", 1), ("c", 3)]


def test_the_sum_of_a_league_does_not_grow_with_its_pairs():
    import pickle

    plan = small("a=scripted", "b=scripted", pairs=10_000)
    sizes = [len(pickle.dumps(vars(played(plan, [("a", "b"), ("a", None)] * half)))) for half in (10, 400)]
    assert sizes[1] < sizes[0] + 100


def test_a_table_is_the_same_on_every_machine():
    """Known figures: whoever opens an old league with a new version sees its table unchanged."""
    plan = small("a=scripted", "b=scripted", "c=scripted", pairs=4, seed=3)
    tally = played(plan, [("a", "a"), ("a", None), ("b", "c"), ("a", "b"), (None, None), ("c", "c"), ("b", "b")])
    result = table(plan, tally, complete=False).values()
    figures = [[player[key] for key in ("name", "rating", "low", "high", "los")] for player in result["players"]]
    assert figures == [
        ["c", 24.9, -158.5, 218.7, 0.5251],
        ["a", 16.2, -156.8, 195.0, 0.667],
        ["b", -41.1, -229.6, 131.8, None],
    ]
    assert (result["pairs"], result["pairs_planned"]) == (7, 12)


def test_tokens_cost_what_their_price_says_and_a_draw_is_half_a_win():
    plan = small("a=scripted", "b=scripted", pairs=2)
    tally = played(plan, [("a", None), (None, None)])  # 10 tokens a game, one of them written
    result = table(plan, tally, complete=True, name="cheap", prices={"b": Price(1000.0, 5000.0)})
    assert [(row.name, row.cost) for row in result.players] == [("a", None), ("b", pytest.approx(0.056))]
    assert (result.cost, result.name) == (pytest.approx(0.056), "cheap")
    assert [(row.score, row.draws) for row in result.players] == [(0.625, 3), (0.375, 3)]
    assert table(plan, tally, complete=True).cost is None


def test_a_median_counts_each_games_median_by_its_plays_and_of_two_in_the_middle_it_is_the_lower():
    seen = Latencies()
    assert seen.median == 0.0
    for median, plays in ((0.5, 3), (0.1, 3), (4.0, 0)):
        seen.add({"plays": plays, "median": median, "max": 2 * median})
    assert seen.median == pytest.approx(0.1, rel=0.02)
    assert (seen.plays, seen.slowest, seen.total) == (6, 8.0, 0.0)  # a line of an older league has no total
    seen.add({"plays": 1, "median": 0.5, "max": 0.6, "total": 0.5})
    assert seen.median == pytest.approx(0.5, rel=0.02)
    assert seen.total == 0.5


@pytest.mark.parametrize(("elo", "score"), [(0, 0.5), (400, 10 / 11), (-400, 1 / 11), (200, 0.759746926647958)])
def test_so_many_elo_are_so_many_points(elo, score):
    assert expected_score(elo) == pytest.approx(score, abs=1e-9)


def test_what_is_summed_up_is_added_to_and_all_else_is_a_value():
    assert changeable("batllm_arcade.league.statistics") == {
        "Course",
        "Latencies",
        "LossTally",
        "PlayerTally",
        "SideTally",
    }
    assert roomy("batllm_arcade.league.statistics") == set()


def test_a_pairing_seen_by_the_other_player_is_the_other_way_round():
    seen = Pairing(["a", "b"], [1, 2, 3, 4, 5], 0.75, 40.0, -10.0, None, 0.875)
    assert seen.mirrored() == Pairing(["b", "a"], [5, 4, 3, 2, 1], 0.25, -40.0, None, 10.0, 0.125)
    unplayed = Pairing(["a", "b"], [0] * 5, *[None] * 5)
    assert unplayed.mirrored() == Pairing(["b", "a"], [0] * 5, *[None] * 5)


@pytest.mark.parametrize("part", [LeagueTable, TableRow, Pairing, Side, PlayTimes])
def test_no_figure_of_the_table_can_be_forgotten_where_it_is_made(part):
    assert [field.name for field in fields(part) if field.default is not MISSING] == []


FIGURES = get_type_hints(GameLine)
"""What a line of `pairs.jsonl` tells of a game, with the types."""
PRICED = {"written"}
"""Counts that the table has only in what they cost."""


def test_a_line_tells_every_figure_of_a_game():
    counts = GameCounts(("a", "b"))
    for record in eventful():
        counts.notify(record)
    counts.losses = ([0.1], [0.2])
    counts.as_played = [{"think": "", "temperature": "0.8", "model": "m-2026"}, {}]
    assert sorted(counts.line([True, True])) == sorted(FIGURES)


def test_every_count_of_a_game_is_summed_up_in_the_players_row():
    plan = small("a=scripted", "b=scripted", pairs=1)
    pair, counted = line(1, plan, ("a", "a")), sorted(key for key, kind in FIGURES.items() if kind == dict[str, int])
    assert len(counted) > 3
    for game in pair["games"]:
        game.update({key: {"a": number, "b": 0} for number, key in enumerate(counted, 1)})
    tally = LeagueTally(plan)
    tally.add(pair)
    best, last = table(plan, tally, complete=True).players
    shown = {key: (getattr(best, key, None), getattr(last, key, None)) for key in counted if key not in PRICED}
    assert shown == {key: (2 * number, 0) for number, key in enumerate(counted, 1) if key not in PRICED}
