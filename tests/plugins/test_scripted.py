"""The scripted characters: worth meeting, repeatable, and never stuck."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from itertools import combinations
from math import inf
from random import Random
from typing import Any

import pytest
from batllm_arcade_plugins.scripted import CHARACTERS, WHIM, Strategist, make
from duels import Duel, both_ways, fought
from fakes import plays, results, written
from paths import DATA

from batllm_arcade.analysis.game import likely_plays, outlook
from batllm_arcade.brains.bots import BotClock, BotView
from batllm_arcade.brains.protocol import Spec
from batllm_arcade.core.events import BulletFlew
from batllm_arcade.core.model import Arena, BotState
from batllm_arcade.errors import UsageError
from batllm_arcade.match import runner
from batllm_arcade.match.runner import MatchPlan
from batllm_arcade.settings import config

WINNERS = [name for name in CHARACTERS if name != "random"]
PAIRS = [*((one, "random") for one in WINNERS), *combinations(WINNERS, 2)]
STALLED = 12
"""Times the same command may do nothing in a row: even blind luck ends a longer row sooner."""


@pytest.mark.parametrize("name", WINNERS)
def test_each_character_beats_blind_luck(name):
    won = sum(winner == 0 for winner, _ in results(fought(name, "random")))
    won += sum(winner == 1 for winner, _ in results(fought("random", name)))
    assert won >= 28


@pytest.mark.parametrize(("one", "other"), PAIRS)
def test_games_on_the_couch_mostly_end_by_knock_out(one, other):
    reasons = Counter(reason for _, reason in results(both_ways(one, other)))
    assert reasons["knockout"] >= 30


@pytest.mark.parametrize(("one", "other"), [*PAIRS, *((name, name) for name in CHARACTERS)])
def test_no_character_repeats_for_ever_what_does_nothing(one, other):
    rows: dict[Any, int] = {}
    last: dict[Any, str] = {}
    for play in plays(both_ways(one, other)):
        assert play.status == "ok"
        key = (play.game, play.bot)
        idle = play.before == play.after
        rows[key] = rows.get(key, 0) + 1 if idle and last.get(key) == play.command.token else int(idle)
        last[key] = play.command.token
        assert rows[key] < STALLED


@pytest.mark.parametrize("name", CHARACTERS)
def test_the_same_seed_gives_the_same_games(name):
    again = tuple(runner.play(MatchPlan(config.load("couch").rules, 1, 20), Duel(name, "random")))
    assert again == fought(name, "random")
    assert fought(name, "random", seed=2) != fought(name, "random")


@pytest.mark.parametrize(
    ("spec", "sentence"),
    [
        ("scripted", "scripted needs a character: scripted:sharpshooter or scripted:turtle or"),
        ("scripted:ninja", "'ninja' is not a variant of scripted; it must be one of sharpshooter, turtle"),
        ("scripted:turtle,speed=3", "scripted has no option 'speed'"),
        ("scripted:turtle,depth=3", "scripted has no option 'depth'"),
        ("scripted:strategist,depth=5", "depth of scripted:strategist must be one of 1, 2, 3, 4, not '5'"),
        ("scripted:strategist,depth=deep", "depth of scripted:strategist must be one of 1, 2, 3, 4, not 'deep'"),
    ],
)
def test_a_wrong_character_is_refused_with_the_right_ones(spec, sentence):
    with pytest.raises(UsageError, match=sentence):
        make(Spec.parse(spec))


class Whimless:
    """A clock whose dice always fall the same way."""

    class rng:
        random = staticmethod(lambda: 0.0)


def decided(left, right, depth=2, rules=None, seat=0):
    rules = rules or config.load("couch").rules
    me, foe = BotView.pair(Arena(BotState(*left), BotState(*right)), seat, rules)
    return Strategist(depth)(me, foe, Whimless)


@pytest.mark.parametrize("depth", [1, 2, 3, 4])
@pytest.mark.parametrize("seat", [0, 1])
def test_a_strategist_takes_the_knock_out_that_is_there(depth, seat):
    last = [(200, 500, 0, 50, False, 3), (800, 500, 180, 50, False, 3)]
    last[1 - seat] = (*last[1 - seat][:3], 12, False, 3)
    assert decided(*last, depth=depth, seat=seat) == "B"


EMPTY = (200, 500, 270, 12, False, 0), (800, 500, 180, 100, False, 3)
OTHER_DAMAGE = replace(config.load("couch").rules, bullet_damage=(1, 40), battery=0)


@pytest.mark.parametrize(("me", "foe", "depth", "rules"), [
    (*EMPTY, 2, config.load("couch").rules), (*EMPTY, 3, config.load("couch").rules),
    ((500, 500, 90, 40, False), (900, 500, 180, 100, False), 2, OTHER_DAMAGE),
])  # fmt: skip
def test_a_strategist_does_not_stand_in_the_line_of_fire_with_its_last_health(me, foe, depth, rules):
    mine, _ = BotView.pair(Arena(BotState(*me), BotState(*foe)), 0, rules)
    assert mine.simulate(decided(me, foe, depth, rules)).foe.simulate("B").foe.health > 0


def test_a_strategist_looks_two_plays_ahead_unless_told_otherwise():
    assert fought("strategist", "dancer", 2) == fought("strategist,depth=2", "dancer", 2)
    assert fought("strategist", "dancer", 2) != fought("strategist,depth=1", "dancer", 2)


@pytest.mark.parametrize("name", ["default", "classic"])
def test_every_character_also_plays_without_a_battery(name):
    for one in CHARACTERS:
        games = fought(one, "random", 3, name=name)
        assert {play.status for play in plays(games)} == {"ok"}
        shots = [event for play in plays(games) for event in play.events if isinstance(event, BulletFlew)]
        assert {shot.bot for shot in shots} == {0, 1}
        assert one != "strategist" or 1 not in {winner for winner, _ in results(games)}


NARROW = ((666.483479062, 443.485500892, 6.355452125, 88, False, 8), (792.3, 457.51, 200.83757214, 100, True, 3))
"""A place in which hardly any move is worth nearly as much as the best ones."""


@pytest.mark.parametrize("depth", [1, 2, 3, 4])
@pytest.mark.parametrize("place", [NARROW, NARROW[::-1]])
def test_what_a_strategist_takes_is_worth_as_much_as_its_best_move_but_for_a_whim(depth, place):
    me, foe = BotView.pair(Arena(*(BotState(*bot) for bot in place)), 0, config.load("couch").rules)
    worth = {token: outlook(me, token, depth, -inf) for token in likely_plays(me, foe)}
    for seed in range(10 if depth < 4 else 4):
        clock = BotClock(1, 1, 1, 3, 18, None, Random(seed))
        assert worth[Strategist(depth)(me, foe, clock)] > max(worth.values()) - WHIM


# Off the walls, and back

ME, SHIELDED = (300, 500, 0, 100, False, 3), (700, 500, 180, 100, True, 2)
TOUCHING = ((500, 500, 0, 100, False, 0), (620, 500, 180, 100, False, 3))


@pytest.mark.parametrize("name", WINNERS)
@pytest.mark.parametrize(
    ("places", "token"),
    [
        ((ME, SHIELDED), "A68.2"),  # the shield stops the straight shot: off the upper wall
        (((300, 500, 291.8, 100, False, 3), SHIELDED), "B"),
        (TOUCHING, "M"),  # touching and empty: it is spun
    ],
)
def test_a_character_fires_off_a_wall_and_bumps_only_where_the_rules_have_it(name, places, token):
    given = {}
    for config_name in ("arena", "couch"):
        me, foe = BotView.pair(Arena(*(BotState(*bot) for bot in places)), 0, config.load(config_name).rules)
        given[config_name] = CHARACTERS[name](me, foe, BotClock(1, 1, 1, 3, 18, None, Random(1)))
    assert given["arena"] == token != given["couch"]


@pytest.mark.parametrize("name", WINNERS)
def test_a_character_bares_no_side_to_a_loaded_gun_for_a_shot_off_a_wall(name):
    me, foe = BotView.pair(Arena(BotState(*ME), BotState(*SHIELDED[:5], 6)), 0, config.load("arena").rules)
    assert CHARACTERS[name](me, foe, BotClock(1, 1, 1, 3, 18, None, Random(1))) != "A68.2"


def test_a_strategist_considers_every_shot_off_a_wall_and_the_step_back():
    arena = Arena(BotState(*ME), BotState(*SHIELDED))
    me, foe = BotView.pair(arena, 0, config.load("arena").rules)
    here = set(likely_plays(me, foe))
    assert {"A68.2", "C68.2", "M-60"} <= here
    assert not {"A68.2", "C68.2", "M-60"} & set(likely_plays(*BotView.pair(arena, 0, config.load("couch").rules)))


def test_a_strategist_goes_round_a_shield_by_the_wall():
    rules, nearly_out = config.load("arena").rules, (700, 500, 180, 12, True, 9)
    assert decided((300, 500, 0, 100, False, 9), nearly_out, 3, rules) in ("A68.2", "C68.2")
    assert decided((300, 500, 291.8, 100, False, 9), nearly_out, 1, rules) == "B"


@pytest.mark.parametrize(("one", "other"), [*PAIRS, *((name, name) for name in CHARACTERS)])
def test_in_the_arena_characters_play_on_and_only_give_commands_that_are_understood(one, other):
    games = fought(one, other, 4, name="arena")
    assert {play.status for play in plays(games)} == {"ok"}
    assert [reason for _, reason in results(games)].count("knockout") >= 3


WALKER = (700, 500, 90, 100, False, 0)
"""A bot that walks past one at (300, 500): the next step leads it to (700, 600)."""


def sharpshooter(me, foe, dice, name="arena", seed=1):
    """What the sharpshooter does there, and the views after it."""
    mine, theirs = BotView.pair(Arena(BotState(*me), BotState(*foe)), 0, config.load(name).rules)
    clock = BotClock(1, 1, 1, 3, 18, None, Random(seed))
    clock.rng.random = lambda: dice
    token = CHARACTERS["sharpshooter"](mine, theirs, clock)
    return token, mine.simulate(token).me if token else mine, theirs


@pytest.mark.parametrize(("dice", "step"), [(0.6, "M"), (0.1, "M-60")])
def test_in_the_arena_the_sharpshooter_leads_a_bot_that_walks_past(dice, step):
    """The next step of the other one, ahead or back, does not take it out of the line."""
    _, turned, foe = sharpshooter((300, 500, 300, 100, False, 3), WALKER, dice)
    assert turned.faces(foe)
    assert turned.faces(foe.simulate(step).me)
    token, *_ = sharpshooter((300, 500, 300, 100, False, 3), WALKER, dice, "couch")
    assert token == "C60", "by the rules of couch straight at it, as ever"


@pytest.mark.parametrize("place", [(60, 500, 0), (940, 500, 180), (500, 60, 90), (500, 940, 270)])
def test_in_the_arena_the_sharpshooter_turns_aside_to_where_it_can_walk(place):
    """At a wall, empty, with the other one right before it: there is room for a step after the turn."""
    x, y, rot = place
    foe = (x + (500 - x) * 0.3, y + (500 - y) * 0.3, rot, 100, False, 0)
    for seed in range(4):
        token, turned, _ = sharpshooter((x, y, rot, 100, False, 0), foe, 0.6, seed=seed)
        assert token
        assert token[0] in "AC"
        assert turned.free_ahead() >= 50


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
    before = (BEFORE / "couch.json").read_bytes()
    apart = b'"independent_llms":true,"mode":"shared"'
    assert again.read_bytes() == before.replace(b'"independent_llms":false', apart)
