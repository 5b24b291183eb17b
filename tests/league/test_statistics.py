"""What a league's figures mean: outcomes, ratings against an oracle, intervals, ranks, the sequential test."""

from __future__ import annotations

import math
from dataclasses import MISSING, fields

import pytest
from leagues import line, small
from values import changeable, roomy

from batllm_arcade.league.plan import SprtPlan
from batllm_arcade.league.statistics.outcome import fault_of, is_decisive, mirrored, outcome_of, pentanomial
from batllm_arcade.league.statistics.rating import ELO, PRIOR_GAMES, fit, rate
from batllm_arcade.league.statistics.sprt import expected_score, log_likelihood_ratio, sprt
from batllm_arcade.league.statistics.standings import table
from batllm_arcade.league.statistics.table import LeagueTable, Pairing, PlayTimes, Side, TableRow
from batllm_arcade.league.statistics.tally import Latencies, LeagueTally


@pytest.mark.parametrize(
    ("winners", "outcome", "other"),
    [
        (("a", "a"), "WW", "LL"), ((None, "a"), "WD", "LD"), (("a", "b"), "WL", "WL"), (("b", "a"), "WL", "WL"),
        ((None, None), "DD", "DD"), (("b", None), "LD", "WD"), (("b", "b"), "LL", "WW"),
    ],
)  # fmt: skip
def test_a_pair_has_one_outcome_for_each_player(winners, outcome, other):
    assert (outcome_of(winners, "a"), outcome_of(winners, "b"), mirrored(outcome)) == (outcome, other, other)


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


def test_ratings_are_those_of_another_program():
    np, choix = pytest.importorskip("numpy"), pytest.importorskip("choix")
    results = {
        (0, 1): (31.5, 50.0),
        (0, 2): (40.0, 50.0),
        (1, 2): (20.0, 50.0),
        (0, 3): (0.0, 50.0),
        (2, 3): (1.5, 30.0),
    }
    wins = np.zeros((5, 5))
    for (one, other), (points, games) in results.items():
        wins[one, other], wins[other, one] = points, games - points
    wins[:4, 4] = wins[4, :4] = PRIOR_GAMES / 2  # the average player that everybody has drawn against
    oracle = choix.ilsr_pairwise_dense(wins, max_iter=1000, tol=1e-12)[:4] * ELO
    assert fit(4, results) == pytest.approx(oracle - oracle.mean(), abs=1e-3)


def test_who_wins_all_or_draws_all_has_a_rating_and_an_interval():
    ratings = rate(3, {(0, 1): [0, 0, 0, 0, 50], (0, 2): [0, 0, 0, 0, 50], (1, 2): [0, 0, 50, 0, 0]}).players
    assert all(math.isfinite(value) for each in ratings for value in (each.value, each.low, each.high))
    assert ratings[0].low > max(ratings[1].high, ratings[2].high)
    assert ratings[1].value == pytest.approx(ratings[2].value)
    assert 2 < ratings[1].high - ratings[1].low < 100  # fifty drawn pairs do not prove equality
    assert sum(each.value for each in ratings) == pytest.approx(0)


def test_an_interval_narrows_with_the_pairs_and_without_any_says_nothing():
    few, many = (rate(2, {(0, 1): [n, n, 2 * n, n, 2 * n]}).players[0] for n in (2, 200))
    assert few.low < many.low < many.value < many.high < few.high
    unknown = rate(2, {(0, 1): [0, 0, 0, 0, 0]}).players[0]
    assert unknown.value == 0
    assert unknown.high - unknown.low > 300


@pytest.mark.parametrize(
    ("classes", "quantile"),
    [
        ([0, 1, 2, 1, 1], 2.776), ([1, 2, 1, 2, 1], 2.447), ([1, 2, 3, 2, 1], 2.306), ([2, 3, 6, 5, 4], 2.093),
        ([30, 50, 90, 60, 40], 1.969), ([60, 100, 180, 120, 80], 1.964),
    ],
)  # fmt: skip
def test_an_interval_of_few_pairs_is_as_wide_as_students_distribution_wants(classes, quantile):
    """The quantile is that of Student's t for 95%, with one degree of freedom less than there are pairs."""
    pairs = sum(classes)
    mean = sum(count * score / 4 for score, count in enumerate(classes)) / pairs
    deviation = math.sqrt(sum(count * (score / 4 - mean) ** 2 for score, count in enumerate(classes)) / (pairs - 1))
    reach = quantile * deviation / math.sqrt(pairs)
    low, value, high = (
        fit(2, {(0, 1): (2 * pairs * share, 2 * pairs)})[0] for share in (mean - reach, mean, mean + reach)
    )
    found = rate(2, {(0, 1): classes}, resamples=4000).players[0]
    assert found.value == pytest.approx(value)
    assert found.high - found.low == pytest.approx(high - low, rel=0.08)
    assert (found.low, found.high) == pytest.approx((low, high), abs=0.1 * (high - low))


@pytest.mark.parametrize(
    "classes", [[0, 0, 40, 0, 0], [0, 0, 0, 0, 9], [9, 0, 0, 0, 0], [0, 0, 0, 0, 0], [1, 0, 0, 0, 0]]
)
def test_the_test_has_a_ratio_whatever_was_played(classes):
    state = sprt(classes, SprtPlan(0, 50))
    assert math.isfinite(state.llr)
    assert (state.lower, state.upper) == pytest.approx((-2.944, 2.944), abs=1e-3)


def test_the_test_accepts_what_it_has_seen():
    assert sprt([5, 10, 50, 40, 60], SprtPlan(0, 50)).decision == "H1"
    assert sprt([40, 40, 100, 40, 40], SprtPlan(0, 50)).decision == "H0"
    assert sprt([3, 4, 10, 5, 4], SprtPlan(0, 50)).decision is None
    seen = [20, 30, 100, 50, 40]
    assert log_likelihood_ratio(seen, 0, 50) == pytest.approx(-log_likelihood_ratio(seen, 50, 0))
    assert log_likelihood_ratio(seen, 0, 50) == pytest.approx(log_likelihood_ratio(seen[::-1], 0, -50))


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
    assert LeagueTable.of(result) == whole
    with pytest.raises(ValueError, match="4 classes"):
        LeagueTable.of({**result, "matrix": [{**result["matrix"][0], "pairs": [0, 0, 0, 20]}]})
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
    assert result["matrix"][0] == {"players": ["a", "b"], "pairs": [0, 0, 0, 0, 20], "score": 1.0}


def test_players_share_a_rank_where_their_intervals_overlap():
    plan = small("a=scripted", "b=scripted", "c=scripted", pairs=30)
    result = table(plan, played(plan, [("a", "b"), ("a", "a"), ("b", "b")] * 30), complete=True)
    assert [(row.name, row.rank) for row in result.players] == [("a", 1), ("b", 1), ("c", 3)]


def test_the_sum_of_a_league_does_not_grow_with_its_pairs():
    import pickle

    plan = small("a=scripted", "b=scripted", pairs=10_000)
    sizes = [len(pickle.dumps(vars(played(plan, [("a", "b"), ("a", None)] * half)))) for half in (10, 400)]
    assert sizes[1] < sizes[0] + 100


def test_five_classes_are_counted_from_six_outcomes():
    assert pentanomial({"DD": 2, "WL": 3, "LL": 1, "WD": 4}) == [1, 0, 5, 4, 0]
    assert pentanomial({"LD": 6, "WW": 7}) == [0, 6, 0, 0, 7]


def test_a_table_is_the_same_on_every_machine():
    """Known figures: whoever opens an old league with a new version sees its table unchanged."""
    plan = small("a=scripted", "b=scripted", "c=scripted", pairs=4, seed=3)
    tally = played(plan, [("a", "a"), ("a", None), ("b", "c"), ("a", "b"), (None, None), ("c", "c"), ("b", "b")])
    result = table(plan, tally, complete=False).values()
    figures = [[player[key] for key in ("name", "rating", "low", "high", "los")] for player in result["players"]]
    assert figures == [
        ["c", 27.0, -338.7, 217.5, 0.5165],
        ["a", 17.5, -219.6, 371.0, 0.5901],
        ["b", -44.5, -381.3, 350.6, None],
    ]
    assert (result["pairs"], result["pairs_planned"]) == (7, 12)


def test_a_draw_is_half_a_win_in_the_score():
    plan = small("a=scripted", "b=scripted", pairs=2)
    result = table(plan, played(plan, [("a", None), (None, None)]), complete=True).values()
    assert [(each["name"], each["score"], each["draws"]) for each in result["players"]] == [
        ("a", 0.625, 3),
        ("b", 0.375, 3),
    ]


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


def test_at_the_bound_itself_the_test_has_decided():
    assert sprt([0, 0, 0, 0, 0], SprtPlan(0, 50, 0.5, 0.5)).decision == "H1"


@pytest.mark.parametrize(("elo", "score"), [(0, 0.5), (400, 10 / 11), (-400, 1 / 11), (200, 0.759746926647958)])
def test_so_many_elo_are_so_many_points(elo, score):
    assert expected_score(elo) == pytest.approx(score, abs=1e-9)


def test_one_resample_is_enough_for_a_rating():
    assert rate(2, {(0, 1): [1, 0, 2, 1, 1]}, resamples=1).players[0].value > 0


def test_what_is_summed_up_is_added_to_and_all_else_is_a_value():
    assert changeable("batllm_arcade.league.statistics") == {"Latencies", "PlayerTally", "SideTally"}
    assert roomy("batllm_arcade.league.statistics") == set()


def test_how_likely_it_is_that_one_player_is_better_is_a_known_figure():
    assert rate(2, {(0, 1): [1, 1, 3, 3, 3]}).superiority(0, 1) == pytest.approx(0.8659, abs=5e-5)
    assert rate(2, {(0, 1): [3, 3, 3, 1, 1]}).superiority(0, 1) < 0.2


def test_a_game_is_decisive_where_somebody_won_it():
    assert is_decisive({"winner": "a"})
    assert not is_decisive({"winner": None})


def test_a_pairing_seen_by_the_other_player_is_the_other_way_round():
    assert Pairing(["a", "b"], [1, 2, 3, 4, 5], 0.75).mirrored() == Pairing(["b", "a"], [5, 4, 3, 2, 1], 0.25)
    assert Pairing(["a", "b"], [0] * 5, None).mirrored() == Pairing(["b", "a"], [0] * 5, None)


@pytest.mark.parametrize("part", [LeagueTable, TableRow, Pairing, Side, PlayTimes])
def test_no_figure_of_the_table_can_be_forgotten_where_it_is_made(part):
    assert [field.name for field in fields(part) if field.default is not MISSING] == []
