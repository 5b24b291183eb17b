"""Each style is played so that one sees it; what is drawn, what binds for a round."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from math import hypot
from random import Random

import pytest

from batllm_arcade.brains.bots import BotView
from batllm_arcade.brains.orders import STYLES, Reading
from batllm_arcade.brains.protocol import PastPlay, PastTurn, View
from batllm_arcade.brains.styles import DOING
from batllm_arcade.brains.tactician import Tactician, binding, drawn
from batllm_arcade.brains.tactics import Situation
from batllm_arcade.core.commands import parse
from batllm_arcade.core.model import Arena, BotState, Rules
from batllm_arcade.core.rules import start, step
from batllm_arcade.settings import config

COUCH = config.load("couch").rules
RULES = Rules()
WEST = 180.0


def bot(x=500.0, y=500.0, rot=0.0, shield=False, charge=9):
    return BotState(x, y, rot, 100.0, shield, charge)


def situation(me, foe, rules=RULES, begun=""):
    return Situation(*BotView.pair(Arena(me, foe), 0, rules), begun)


def view(arena, prompt="", rng=None, rules=RULES, turn=2, history=()):
    return View(
        seat=0, rules=rules, game=1, round=1, turn=turn, number=2 * turn - 1, acting_order=(0, 1), prompts=(prompt, ""),
        arena=arena, initial=arena, rng=rng or Random(1), history=history,
    )  # fmt: skip


def reading(**weights):
    return Reading(dict.fromkeys(STYLES, 0.0) | weights)


def played(read, prompt="", seed=3, plays=40, rules=COUCH, *, fighting=False):
    """What is played in a game, and the arenas after each play; the foe turns about, or aims and fires."""
    arena, rng, tactician, given = start(Random(seed), rules), Random(seed), Tactician(), []
    for turn in range(1, plays + 1):
        play = tactician.play(view(arena, prompt, rng, rules, turn), read)
        arena, _ = step(arena, 0, parse(play.command), rules)
        right, left = BotView.pair(arena, 1, rules)
        answer = "C40" if not fighting else "B" if right.menaces(left) else right.turn_to(left)
        arena, _ = step(arena, 1, parse(answer), rules)
        given.append((play, arena))
    return given


# What is drawn


def test_a_style_is_drawn_by_its_share_and_by_what_the_arena_says():
    weights, factor = reading(attack=0.6, dodge=0.4).weights, dict.fromkeys(STYLES, 1.0)
    rng = Random(1)
    seen = Counter(drawn(weights, factor, 1.0, rng) for _ in range(1000))
    assert set(seen) == {"attack", "dodge"}
    rng, twin = Random(7), Random(7)  # a play takes one draw
    Tactician().play(view(Arena(bot(200), bot(800)), "", rng), reading(attack=0.6, dodge=0.4))
    twin.random()
    assert rng.random() == twin.random()
    assert abs(seen["attack"] - 600) < 50
    seen = Counter(drawn(weights, factor | {"dodge": 30.0}, 1.0, rng) for _ in range(1000))
    assert seen["dodge"] > 900


@pytest.mark.parametrize("style", ["hold_fire", "idle", "camp"])
def test_half_of_the_weight_binds_for_the_round_and_draws_nothing(style):
    half = reading(**{style: 0.5, "attack": 0.5})
    assert binding(half) == style
    assert binding(reading(**{style: 0.49, "attack": 0.51})) == binding(reading(attack=1.0)) == ""
    rng = Random(4)
    for _ in range(20):
        assert Tactician().play(view(Arena(bot(200), bot(800)), "", rng), half).style == style
    assert rng.random() == Random(4).random()


def test_what_is_half_done_is_finished():
    tactician, rng = Tactician(), Random(2)
    mixed = reading(attack=0.5, camp=0.2, shield=0.3)
    styles = Counter()
    for _ in range(60):
        tactician = Tactician()
        first = tactician.play(view(Arena(bot(200, rot=90), bot(800)), "", rng), mixed)
        again = tactician.play(view(Arena(bot(200, rot=1), bot(800)), "", rng), mixed)
        if first.command not in ("M", "B", "S1", None):
            styles[first.style == again.style] += 1
    assert styles[True] > 4 * styles[False]


# How it is played


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("rules", [RULES, COUCH])
def test_every_style_gives_commands_the_rules_know(style, rules):
    for play, _ in played(reading(**{style: 1.0}), seed=5, rules=rules):
        assert play.command is None or parse(play.command).token
        assert play.sentence.startswith(f"{DOING[style]}: ")


@pytest.mark.parametrize("seed", range(6))
def test_camping_ends_in_the_place_that_is_named_and_stays(seed):
    given = played(reading(camp=0.9, attack=0.1), "camp in the top right corner", seed)
    radius = COUCH.bot_radius
    away = [hypot(a.left.x - (COUCH.arena_width - radius), a.left.y - radius) for _, a in given]
    assert max(away[-12:]) <= COUCH.step_length
    assert "in the top right corner" in given[-1][0].why


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("others", [{}, {"camp": 0.3}, {"charge": 0.4}, {"attack": 0.4}, {"shield": 0.4}])
def test_who_holds_fire_never_fires(seed, others):
    given = [play for play, _ in played(reading(hold_fire=0.6, **others), seed=seed)]
    assert "B" not in {play.command for play in given}
    assert not any("shot" in play.why for play in given if play.command == "S0"), "nor lowers its shield for a shot"


def test_a_counter_opens_its_own_shield_first_and_knows_of_a_shot_in_the_last_turn():
    now = Arena(bot(200, shield=True), bot(800, rot=WEST))
    shot = PastTurn(1, (PastPlay(0, "S1", "S1"), PastPlay(1, "B", "B")), now)
    assert Tactician().play(view(now, history=(shot,)), reading(counter=1.0)).command == "S0"
    missed = PastTurn(1, (PastPlay(0, "B", "B"), PastPlay(1, "S1", "S1")), now)
    assert Tactician().play(view(now, history=(missed,)), reading(counter=1.0)).command == "S1"


@pytest.mark.parametrize("style", [style for style in STYLES if style not in ("hold_fire", "idle", "retreat")])
@pytest.mark.parametrize("charge", [3, 9])
@pytest.mark.parametrize("foe", [bot(500, 500, rot, charge=0) for rot in (0.0, 90.0)])
def test_every_style_but_the_peaceful_fires_at_an_open_side_or_back(style, charge, foe):
    corner = bot(60, 60, 45.0, charge=charge)  # where who camps is at home
    play = Tactician().play(view(Arena(corner, foe), rules=COUCH), reading(**{style: 1.0}))
    assert (play.command, play.style) == ("B", style)


SHOWN = {
    "attack": ("fires", 1), "charge": ("nears", 1), "retreat": ("leaves", 2), "shield": ("covers", 2),
    "dodge": ("steps", 4), "camp": ("nears home", 1), "snipe": ("fires or leaves", 2), "counter": ("faces", 8),
    "mixed": ("changes", 1),
}  # fmt: skip
"""What is to be seen of a style in ten plays, at least how often."""


def seen(given, what):
    """How often something was seen in some plays and the arenas after them."""
    arenas = [arena for _, arena in given]
    gaps = [hypot(a.left.x - a.right.x, a.left.y - a.right.y) for a in arenas]
    home = [hypot(min(a.left.x, 1000 - a.left.x) - 60, min(a.left.y, 1000 - a.left.y) - 60) for a in arenas]
    fires = sum(play.command == "B" for play, _ in given)
    leaves = sum(after > before + 1 for before, after in pairwise(gaps))
    return {
        "fires": fires, "leaves": leaves, "fires or leaves": fires + leaves,
        "nears": gaps[0] - min(gaps) > 90 or min(gaps) < 300,
        "nears home": home[0] - min(home) > 90 or min(home) < 100,
        "covers": sum(arena.left.shield for arena in arenas),
        "steps": sum(play.command == "M" for play, _ in given),
        "faces": sum(abs(BotView.pair(a, 0, COUCH)[0].bearing_to(BotView.pair(a, 0, COUCH)[1])) < 20 for a in arenas),
        "changes": len({play.why.split(",")[0] for play, _ in given}) > 1,
    }[what]  # fmt: skip


@pytest.mark.parametrize("style", SHOWN)
def test_each_style_is_seen_within_ten_plays(style):
    what, least = SHOWN[style]
    games = [played(reading(**{style: 1.0}), seed=seed, plays=10, fighting=True) for seed in range(12)]
    assert sum(seen(given, what) >= least for given in games) >= 11


def test_mixing_changes_its_mind_every_few_plays():
    doing = [play.why.split(",")[0] for play, _ in played(reading(mixed=1.0), plays=60)]
    changes = [index for index in range(1, 60) if doing[index] != doing[index - 1]]
    assert len(set(doing)) >= 4
    assert all(3 <= after - before <= 6 for before, after in pairwise(changes))


def test_that_orders_are_unclear_is_said_once_until_they_change():
    vague, clear = reading(attack=0.58, mixed=0.42), reading(attack=0.98, mixed=0.02)
    told = [play.unclear for play, _ in played(vague)]
    assert told == [True] + [False] * 39
    assert not any(play.unclear for play, _ in played(clear))
    assert not any(play.unclear for play, _ in played(Reading(vague.weights, rules=("stand",))))
    tactician, arena = Tactician(), Arena(bot(), bot(800))
    given = [(1, vague), (2, vague), (3, clear), (4, vague), (5, Reading(vague.weights, then=clear)), (1, vague)]
    assert [tactician.play(view(arena, turn=turn), read).unclear for turn, read in given] == [
        True, False, False, True, True, True,
    ]  # fmt: skip
