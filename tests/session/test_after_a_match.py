"""What a run tells of tokens, money and fallbacks, from a match's records."""

from __future__ import annotations

import io
import json
from dataclasses import replace

import pytest
from fakes import FAILED, LATE, played

from batllm_arcade.app.match.results import game_figures
from batllm_arcade.brains.kinds import cost_of, money, parse_price
from batllm_arcade.brains.protocol import Decision, SeatInfo
from batllm_arcade.brains.redaction import public_options
from batllm_arcade.core.model import Rules
from batllm_arcade.errors import UsageError
from batllm_arcade.match.records import GameStarted, Play, RoundStarted, SeatSwapped
from batllm_arcade.session.games import FallbackReport
from batllm_arcade.session.headless import GamePrinter, Spending
from batllm_arcade.view.statistics import report

RULES = Rules(total_rounds=1, turns_per_round=4)
READ = Decision("M", "M", tokens={"prompt": 1_000_000, "completion": 500_000})
WRONG = replace(FAILED, decision=Decision("C1", None, tokens={"prompt": 1_000_000, "completion": 0}))
"""A failed play that was counted all the same."""


def with_price(records, price):
    """The records, in which the left brain has a price."""
    for record in records:
        if isinstance(record, GameStarted):
            left = replace(record.seats[0], name="m1", options={"price": price} if price else {})
            record = replace(record, seats=(left, record.seats[1]))
        yield record


def spent(records):
    spending = Spending()
    for record in records:
        spending.notify(record)
    return spending


def a_match(games=1):
    return played([READ, WRONG, READ, None] * games, ["M"] * 4 * games, rules=RULES, games=games)


def test_tokens_are_counted_those_of_failed_plays_too_and_priced():
    spending = spent(with_price(a_match(), "0.15/0.60"))
    assert spending.tokens == [{"prompt": 3_000_000, "completion": 1_000_000}, {}]
    assert spending.cost == [pytest.approx(0.45 + 0.6), None]
    assert spending.sentences() == ["tokens of left (m1): 3,000,000 read, 1,000,000 written, cost $1.05"]


def test_without_a_price_tokens_alone_are_told_and_nothing_where_none_were_counted():
    assert spent(with_price(a_match(), "")).sentences() == ["tokens of left (m1): 3,000,000 read, 1,000,000 written"]
    assert spent(played(["M"] * 4, ["M"] * 4, rules=RULES)).sentences() == []


def printed(records):
    out = io.StringIO()
    printer = GamePrinter("x.json", out)
    for record in records:
        printer.notify(record)
    return [json.loads(line) for line in out.getvalue().splitlines()]


def test_each_game_s_line_of_json_has_its_own_tokens_and_cost_where_some_were_counted():
    lines = printed(with_price(a_match(games=2), "1/2"))
    assert [line["tokens"] for line in lines] == [[{"prompt": 3_000_000, "completion": 1_000_000}, {}]] * 2
    assert [line["cost"] for line in lines] == [[5.0, None]] * 2
    assert "rounds" not in lines[0]
    (line,) = printed(played(["M"] * 4, ["M"] * 4, rules=RULES))
    assert not {"tokens", "cost"} & set(line)


def test_the_results_screen_has_the_cost_of_the_brain_that_used_the_tokens():
    records = list(with_price(a_match(), "1/2"))
    cheap = SeatInfo("m2", "openai", options={"price": "0/0"})
    third = next(n for n, each in enumerate(records) if isinstance(each, Play) and (each.bot, each.turn) == (0, 3))
    records.insert(third, SeatSwapped(1, 1, records[third].number, 0, cheap, "swap"))
    seat = report(records).seats[0]
    assert seat.cost == spent(records).cost[0] == pytest.approx(3.0)
    assert game_figures(seat, RULES)[-1] == ("cost", "$3.00")
    assert seat.tokens == {"prompt": 3_000_000, "completion": 1_000_000}


@pytest.mark.parametrize("text", ["1", "a/b", "-1/2", "nan/1", "1/inf", "1/2/3", "/"])
def test_what_is_no_price_is_refused_with_an_example(text):
    with pytest.raises(UsageError, match=r"such as 0.15/0.60"):
        parse_price(text)


def test_a_price_in_a_file_that_others_wrote_does_no_harm():
    assert cost_of({"price": "free"}, {"prompt": 5}) is None
    assert cost_of({"price": ["x"]}, {"prompt": 5}) is None


def test_a_price_is_recorded_as_it_is_and_not_as_a_file():
    assert public_options({"price": "0.15/0.60"}) == {"price": "0.15/0.60"}
    assert public_options({"price": "/home/me/secret"}) == {"price": "secret"}


@pytest.mark.parametrize(
    ("amount", "text"),
    [(0, "$0.00"), (0.000123, "$0.00012"), (0.0042, "$0.0042"), (0.31, "$0.31"), (1234.5, "$1,234.50")],
)
def test_small_amounts_have_more_digits(amount, text):
    assert money(amount) == text


# Fallbacks


def watched(records):
    watch = FallbackReport()
    said = [sentence for record in records if (sentence := watch.notify(record))]
    return said, watch.sentences()


def fallen(turns=6, games=1):
    """A match whose left brain fails three times in the first game; the fallback plays on."""
    rules = Rules(total_rounds=1, turns_per_round=turns)
    rest = ["M"] * (turns * games - 3)
    return played([FAILED, LATE, FAILED], ["M"] * turns * games, fallbacks={0: rest}, rules=rules, games=games)


def test_a_fallback_that_played_to_the_end_is_told_with_what_failed():
    said, wrong = watched(fallen())
    assert said == ["left: fake:left failed, fake:fallback plays on (it broke)"]
    assert wrong == ["left: fake:fallback played for fake:left to the end of game 1; it failed with: it broke"]


def test_the_games_in_which_it_did_are_named():
    _, wrong = watched(fallen(games=3))
    assert len(wrong) == 1
    assert "to the end of games 1, 2 and 3; " in wrong[0]


def test_a_fallback_that_made_no_play_is_no_harm():
    assert watched(fallen(turns=3))[1] == []
    left = [record for record in fallen() if not (isinstance(record, Play) and record.bot == 0 and record.turn > 3)]
    assert watched(left)[1] == []


def test_one_that_took_the_seat_after_a_game_s_last_play_is_told_with_the_next():
    said, wrong = watched(fallen(turns=3, games=2))
    assert said == []
    assert wrong == ["left: fake:fallback played for fake:left to the end of game 2; it failed with: it broke"]


def given_back(records, game, turn):
    """The records, in which the left brain gets its seat back before its play in this turn."""
    for record in records:
        if isinstance(record, Play) and (record.game, record.turn, record.bot) == (game, turn, 0):
            yield SeatSwapped(game, 1, record.number, 0, SeatInfo("left", "fake:left"), "recovered")
        yield record


def test_a_seat_that_was_given_back_in_the_same_game_is_told_but_no_failure():
    said, wrong = watched(given_back(fallen(), 1, 6))
    assert said[-1] == "left: fake:left answers again and plays on"
    assert wrong == []


def test_a_seat_that_was_given_back_only_in_the_next_game_is_one():
    _, wrong = watched(given_back(fallen(games=2), 2, 1))
    assert len(wrong) == 1
    assert "to the end of game 1;" in wrong[0]
    assert sum(isinstance(record, RoundStarted) for record in fallen(games=2)) == 2
