"""That couch is decided by play: no simple script gets by, looking ahead pays, and games end."""

from __future__ import annotations

from collections import Counter
from itertools import combinations_with_replacement, product
from statistics import mean, median

import pytest
from duels import EXPLOITERS, Duel, both_ways, fought, won
from fakes import plays, results

from batllm_arcade import BotBrain, Situation, carry_out, tactic_weights
from batllm_arcade.core.events import BotHit, BulletFlew
from batllm_arcade.match.records import GameEnded, GameStarted, RoundStarted, SessionEnded, SessionStarted
from batllm_arcade.match.runner import MatchPlan
from batllm_arcade.match.runner import play as play_match
from batllm_arcade.settings import config

CHARACTERS = ("sharpshooter", "turtle", "dancer")
PAIRS = list(combinations_with_replacement(CHARACTERS, 2))


@pytest.mark.parametrize("name", ["wall", "runner"])
@pytest.mark.parametrize("character", CHARACTERS)
def test_who_only_hides_or_runs_always_loses(name, character):
    assert won(name, character) == (0, 0)


@pytest.mark.parametrize("name", ["leech", "spam", "timer"])
@pytest.mark.parametrize("character", ["sharpshooter", "turtle"])
def test_who_only_fires_hardly_ever_wins(name, character):
    assert won(name, character)[0] <= (2 if name == "leech" else 10)


def test_who_hides_as_soon_as_it_is_ahead_loses_also_to_the_easiest_opponent():
    assert won("leech", "dancer")[0] < 20


@pytest.mark.parametrize("name", [*CHARACTERS, *EXPLOITERS])
def test_looking_two_plays_ahead_beats_everybody_who_does_not(name):
    wins, draws = won("strategist,depth=2", name, 6)
    assert wins >= 11
    assert draws == 0


@pytest.mark.parametrize(("deeper", "shallower", "games"), [(2, 1, 10), (4, 2, 2)])
def test_looking_farther_ahead_wins(deeper, shallower, games):
    wins, _ = won(f"strategist,depth={deeper}", f"strategist,depth={shallower}", games)
    assert wins >= 1.6 * games


def test_looking_one_play_ahead_is_enough_against_one_who_waits():
    assert won("strategist,depth=1", "camper", 10)[0] >= 18


@pytest.mark.parametrize(("one", "other"), PAIRS)
def test_characters_games_end_by_knock_out_in_good_time(one, other):
    games = both_ways(one, other)
    reasons = Counter(reason for _, reason in results(games))
    turns = Counter(play.game for play in plays(both_ways(one, other)[: len(games) // 2]))
    assert reasons["knockout"] >= 39
    assert reasons["draw"] == 0
    assert 12 <= median(plays_of / 2 for plays_of in turns.values()) <= 32


def test_over_all_pairs_of_characters_the_lead_changes_and_who_acts_first_is_no_matter():
    changes, firsts = [], []
    for pair in PAIRS:
        for game in split(both_ways(*pair)):
            lead, changed = 0.0, 0
            for play in plays(game):
                ahead = play.after.left.health - play.after.right.health
                changed += ahead * lead < 0
                lead = ahead or lead
            changes.append(changed)
            began = next(record for record in game if isinstance(record, RoundStarted))
            firsts.append(results(game)[0][0] == began.acting_order[0])
    assert mean(changes) >= 1
    assert 0.42 <= mean(firsts) <= 0.58


def test_a_shot_seldom_follows_an_own_shot_and_every_part_is_hit():
    shots = again = played = 0
    parts: Counter[str] = Counter()
    for pair in PAIRS:
        last: dict[tuple[int, int], bool] = {}
        for play in plays(both_ways(*pair)):
            fired = any(isinstance(event, BulletFlew) for event in play.events)
            again += fired and last.get((play.game, play.bot), False)
            last[play.game, play.bot] = fired
            shots, played = shots + fired, played + 1
            parts.update(event.part for event in play.events if isinstance(event, BotHit))
    assert again <= 0.1 * played
    assert min(parts[part] for part in ("front", "side", "back")) > 0.02 * shots


def test_in_the_arena_looking_ahead_pays_hits_come_off_the_walls_and_no_trick_gets_by():
    games = fought("strategist,depth=2", "strategist,depth=1", 3, name="arena")
    assert [winner for winner, _ in results(games)] == [0, 0, 0]
    careful = plays(fought("strategist,depth=3", "strategist,depth=3", 2, name="arena"))
    flights = [event for play in careful for event in play.events if isinstance(event, BulletFlew)]
    assert 0.1 <= mean(flight.bounce is not None for flight in flights) <= 0.6
    assert any(play.command.token == "M-60" for play in careful)
    for name in ("kiter", "banker", "rusher", "bumper"):
        ended = results(fought("strategist,depth=2", name, 2, name="arena"))
        assert [winner for winner, _ in ended] == [0, 0]


NO_ORDERS = {"attack": 0.755, "shield": 0.154, "charge": 0.043, "retreat": 0.032, "dodge": 0.016}
"""How the embedded model weighs the tactics when it has no orders, to play many games without it."""


def drawing(weights):
    """A bot that draws a tactic for every play, as the embedded model does."""
    begun = ""

    def decide(me, foe, clock):
        nonlocal begun
        now = Situation(me, foe, begun if (clock.round, clock.turn) != (1, 1) else "")
        factor = tactic_weights(now)
        tactic = clock.rng.choices(list(factor), [weights[each] * factor[each] for each in factor])[0]
        command, _ = carry_out(tactic, now)
        begun = "" if command in ("M", "B", "S1") else tactic
        return command

    return decide


def test_the_tactician_without_orders_is_a_match_for_the_characters():
    rules, wins, firsts, reasons = config.load("couch").rules, [], [], Counter()
    for seed, (name, seat) in enumerate(product(CHARACTERS, (0, 1)), 1):
        table = Duel(name, name)
        table.brains[seat] = BotBrain("tactician", drawing(NO_ORDERS))
        for game in split(play_match(MatchPlan(rules, seed, 40), table)):
            ((winner, reason),) = results(game)
            wins.append(winner == seat)
            reasons[reason] += 1
            firsts.append(winner == next(each for each in game if isinstance(each, RoundStarted)).acting_order[0])
    assert 0.25 <= mean(wins) <= 0.75
    assert reasons["knockout"] >= 0.95 * len(wins)
    assert 0.4 <= mean(firsts) <= 0.6


def split(records):
    """The records game by game, without what comes before and after."""
    for record in records:
        if isinstance(record, GameStarted):
            game = []
        elif isinstance(record, GameEnded):
            yield [*game, record]
        if not isinstance(record, (SessionStarted, SessionEnded)):
            game.append(record)
