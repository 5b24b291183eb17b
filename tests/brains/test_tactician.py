"""The tactician: each style is played so that one sees it, orders bind it, levels weaken it; its tactics."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import pairwise
from math import hypot
from pathlib import Path
from random import Random

import pytest
from approved import approve
from asking import a_view
from batllm_arcade_plugins import scripted

from batllm_arcade.brains.bots import BotClock, BotView
from batllm_arcade.brains.manner import Manner
from batllm_arcade.brains.orders import STYLES, Reading
from batllm_arcade.brains.protocol import PastPlay, PastTurn, Spec
from batllm_arcade.brains.styles import DOING, WAYS, play_style
from batllm_arcade.brains.tactician import FIRST, Tactician, binding, drawn, level_of, rookie_lapse
from batllm_arcade.brains.tactics import TACTICS, Situation, carry_out, tactic_weights
from batllm_arcade.core.commands import Nothing, parse
from batllm_arcade.core.events import CommandIgnored, FireRefused, ShieldRefused
from batllm_arcade.core.model import Arena, BotState, Rules
from batllm_arcade.core.rules import read_command, start, step
from batllm_arcade.errors import UsageError
from batllm_arcade.settings import config

COUCH, ARENA = config.load("couch").rules, config.load("arena").rules
RULES = Rules()
WEST = 180.0


def bot(x=500.0, y=500.0, rot=0.0, shield=False, charge=9):
    return BotState(x, y, rot, 100.0, shield, charge)


def situation(me, foe, begun="", rules=RULES):
    return Situation(*BotView.pair(Arena(me, foe), 0, rules), begun)


def view(arena, prompt="", rng=None, rules=RULES, turn=2, history=()):
    return a_view(
        2 * turn - 1, arena=arena, prompts=(prompt, ""), rng=rng or Random(1), rules=rules, history=history,
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
    assert styles[True] > 3 * styles[False]


# How it is played


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("rules", [RULES, COUCH])
def test_every_style_gives_commands_the_rules_know(style, rules):
    for play, _ in played(reading(**{style: 1.0}), seed=5, rules=rules):
        assert play.command is None or parse(play.command).token
        assert play.sentence.startswith(f"{DOING[style]}: ")


@pytest.mark.parametrize("seed", range(3))
def test_who_camps_walks_on_under_fire_instead_of_turning_to_and_fro(seed):
    turns = [play.command or "" for play, _ in played(reading(camp=1.0), seed=seed, plays=12, fighting=True)]
    assert not any({a[:1], b[:1]} == {"A", "C"} and a[1:] == b[1:] for a, b in pairwise(turns))


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


# What orders say outright is kept by every command


def rule_bound(style="attack", *rules, then=None):
    return Reading({each: float(each == style) for each in STYLES}, rules=rules, then=then)


def watched(reading, rules=ARENA, seeds=(1, 2), plays=30):
    """What is played against a foe that turns about with its shield up half of the time, with both bots before it."""
    given = []
    for seed in seeds:
        arena, rng, tactician = start(Random(seed), rules), Random(seed), Tactician()
        for turn in range(1, plays + 1):
            me, foe = BotView.pair(arena, 0, rules)
            play = tactician.play(view(arena, "go", rng, rules, turn), reading)
            given.append((play, me, foe))
            arena, _ = step(arena, 0, parse(play.command), rules)
            right, left = BotView.pair(arena, 1, rules)
            answer = "B" if right.menaces(left) else "S1" if turn % 6 == 0 else "S0" if turn % 6 == 3 else "C50"
            arena, _ = step(arena, 1, parse(answer), rules)
            if min(arena.left.health, arena.right.health) <= 0:
                break
    return given


BROKEN = {
    "stand": lambda command, me, foe: command in ("M", me.back),
    "no_shield": lambda command, me, foe: command == "S1",
    "open": lambda command, me, foe: command == "B" and foe.is_shielded_from(me) and me.faces(foe),
    "unfaced": lambda command, me, foe: command == "B" and me.strikes(foe) == "front",
    "spare": lambda command, me, foe: command == "B" and foe.menaces(me) and me.strikes(foe) == "front",
}


@pytest.mark.parametrize("rule", BROKEN)
@pytest.mark.parametrize("style", ["attack", "charge", "shield", "retreat", "snipe", "counter"])
def test_no_command_of_any_style_breaks_what_was_said(rule, style):
    given = watched(rule_bound(style, rule))
    assert not any(BROKEN[rule](play.command, me, foe) for play, me, foe in given)
    if style == "attack":
        assert any(play.command == "B" for play, _, _ in given)


def test_who_holds_a_place_hides_there_where_orders_want_the_shield_too():
    now = situation(bot(1000.0 - RULES.bot_radius, RULES.bot_radius, 135.0), bot(300.0, 730.0, 315.0))
    assert play_style("camp", now, "top right corner", there="shield")[0] == "S1"
    assert play_style("camp", now, "top right corner")[0] == "B"


def test_who_hides_keeps_its_shield_up_and_who_sprays_spins_and_fires():
    for me, command in ((bot(300), "S1"), (bot(300, shield=True), "M")):
        arena = Arena(me, bot(800, rot=WEST))
        assert Tactician().play(view(arena, rules=ARENA), reading(shield=0.9)).command == command
    plays = Counter((play.command or "")[:1] for play, _, _ in watched(rule_bound("attack", "spray")))
    assert plays["C"] > plays["B"] > 5
    often, usual = (sum(play.command == "B" for play, _, _ in watched(each)) for each in (
        rule_bound("charge", "often"), rule_bound("charge"),
    ))  # fmt: skip
    assert often > usual


def test_going_round_it_finds_sides_and_backs():
    shots = [
        (me, foe) for play, me, foe in watched(rule_bound("charge", "flank"), seeds=range(4)) if play.command == "B"
    ]
    bare = [me.strikes(foe) != "front" for me, foe in shots]
    assert sum(bare) > 0.6 * len(bare) > 3


def test_off_the_walls_bullets_bounce_and_where_they_cannot_it_says_so():
    shots = [me.strike(foe).off_wall for play, me, foe in watched(rule_bound("attack", "bank")) if play.command == "B"]
    assert sum(shots) > 0.7 * len(shots) > 1
    told = {play.command: play.why for play, _, _ in watched(rule_bound("attack", "bank"), COUCH)}
    assert told["B"] == "walls stop bullets, firing straight"
    assert any(why.startswith("walls stop bullets, ") for command, why in told.items() if command != "B")


def test_a_way_is_named_and_hiding_stays_hiding():
    play = watched(rule_bound("attack", "flank"))[0][0]
    assert (play.style, play.sentence.partition(":")[0]) == ("flank", WAYS["flank"])
    assert play.thought.startswith("flank 1.00 · attack 1.00 — going round it: ")
    assert watched(rule_bound("camp", "flank"))[0][0].style == "camp"


def test_the_first_thing_lasts_some_plays_and_begins_again_with_new_orders():
    tactician, arena = Tactician(), Arena(bot(300), bot(800, shield=True))
    first = rule_bound("idle", then=rule_bound("retreat"))
    styles = [tactician.play(view(arena, rules=ARENA), first).style for _ in range(FIRST + 3)]
    assert styles == ["idle"] * FIRST + ["retreat"] * 3
    assert tactician.play(view(arena, "again", rules=ARENA), first).style == "idle"


@pytest.mark.parametrize(("rules", "me", "foe", "command", "why"), [
    ((), bot(300), bot(700, rot=WEST, shield=True), "B", ""),
    (("open",), bot(300), bot(700, rot=WEST, shield=True), None, ""),  # a full gun would hammer it
    (("flank",), bot(500, 300, charge=6), bot(500, 700, WEST, charge=6), "C90", "at its side, taking aim"),
])  # fmt: skip
def test_a_shield_is_left_alone_and_who_stands_beside_it_takes_aim(rules, me, foe, command, why):
    play = Tactician().play(view(Arena(me, foe), rules=COUCH), rule_bound("attack", *rules))
    assert (play.command, why or play.why) == (command, play.why)


def test_a_case_counts_while_it_holds_and_the_manner_changes_what_is_played():
    hurt = Arena(replace(bot(300), health=40.0), bot(800, rot=WEST))
    reading = replace(rule_bound("attack"), cases=(("hurt", rule_bound("retreat")),))
    assert Tactician().play(view(hurt, rules=ARENA), reading).style == "retreat"
    assert Tactician().play(view(Arena(bot(300), bot(800)), rules=ARENA), reading).style == "attack"
    aimed_at, rng = Arena(bot(300, charge=6), bot(700, rot=WEST)), Random(1)
    done = {
        manner: Counter(
            Tactician().play(view(aimed_at, rng=rng, rules=ARENA), replace(rule_bound("attack"), manner=manner)).command
            for _ in range(60)
        )
        for manner in (Manner(0.0, 1.0, 0.0), Manner(0.0, 0.0, 0.0), Manner(0.0, 1.0, 1.0), Manner(1.0, 1.0, 0.0))
    }
    (plain, timid, patient, near) = done.values()
    assert plain == {"B": 60}
    assert 10 < timid["S1"] < 30
    assert 20 < 60 - patient["B"] < 50
    assert 20 < near["M"] < 40


@pytest.mark.parametrize("style", [style for style in STYLES if style != "idle"])
def test_a_shield_goes_up_only_where_it_covers_the_line(style):
    raised = [(me, foe) for play, me, foe in watched(rule_bound(style)) if play.command == "S1" and not me.shield]
    assert all(foe.strikes(me) == "front" if foe.aims_at(me) else me.covers(foe) for me, foe in raised)


def test_who_backs_off_steps_back_with_its_gun_on_the_foe_and_who_loads_up_fires_when_full():
    backs = [play.command for play, _, _ in watched(rule_bound("retreat", "kite"))]
    assert backs.count("M-60") > 0.2 * len(backs)
    full = [me.charge for play, me, _ in watched(rule_bound("attack", "full")) if play.command == "B"]
    assert full[0] == ARENA.battery


# Levels: what a rookie does worse; `regular` is the brain as it is


def arenas(number):
    return [start(Random(f"{seed}/1"), COUCH) for seed in range(number)]


def plays(level, style="attack"):
    rng = Random(1)
    return [
        Tactician(level=level).play(view(arena, "", rng, COUCH), reading(**{style: 1.0})).command
        for arena in arenas(200)
    ]


def test_an_unknown_level_is_refused_with_the_ones_there_are():
    assert level_of(Spec("x")) == "regular"
    with pytest.raises(UsageError, match=r"rookie, regular, merciless, not 'easy'"):
        level_of(Spec.parse("scripted:turtle,level=easy"))


def test_a_rookie_hesitates_and_forgets_its_shield():
    rng = Random(3)
    lapses = Counter(rookie_lapse("S1", rng) for _ in range(1000))
    assert 200 < lapses["hesitating"] < 300
    assert 310 < lapses["forgetting the shield"] < 440
    assert {rookie_lapse("B", rng) for _ in range(200)} == {"", "hesitating"}


@pytest.mark.parametrize("style", ["attack", "camp"])
def test_a_rookie_does_nothing_more_often(style):
    assert plays("rookie", style).count(None) > plays("regular", style).count(None) + 25


@pytest.mark.parametrize(("better", "worse"), [("regular", "rookie"), ("merciless", "regular")])
def test_each_level_beats_the_one_below(better, worse):
    wins = 0
    for seed in range(12):
        arena, rng, good = start(Random(f"{seed}/1"), ARENA), Random(seed), seed % 2
        both = [Tactician(level=better if seat == good else worse) for seat in (0, 1)]
        for number in range(1, 109):
            seat = (number + seed // 2) % 2
            now = a_view(number, seat=seat, arena=arena, rng=rng, rules=ARENA)
            arena, _ = step(arena, seat, parse(both[seat].play(now, reading(attack=1.0)).command), ARENA)
            if min(arena.left.health, arena.right.health) <= 0:
                break
        wins += arena.bot(good).health > arena.bot(1 - good).health
    assert wins >= 8


def test_the_merciless_fires_at_what_is_open_unless_orders_forbid_it():
    open_side = Arena(bot(200), bot(800, rot=90, charge=0))
    for style, command in (("camp", "B"), ("dodge", "B"), ("hold_fire", "other"), ("idle", None)):
        given = Tactician(level="merciless").play(view(open_side, rules=COUCH), reading(**{style: 1.0})).command
        assert given != "B" if command == "other" else given == command


def won(level, games=12):
    """Games a turtle of this level wins against a regular sharpshooter, the same starts for every level."""
    turtle, wins = scripted.at_level(scripted.turtle, level), 0
    for seed, arena in enumerate(arenas(games)):
        rng, play = Random(seed), 0
        while play < 108 and min(arena.left.health, arena.right.health) > 0:
            seat = play % 2
            clock = BotClock(1, 1, 1 + play // 2, 3, 18, None, rng)
            token = (turtle if seat else scripted.sharpshooter)(*BotView.pair(arena, seat, COUCH), clock)
            arena, _ = step(arena, seat, parse(token), COUCH)
            play += 1
        wins += arena.right.health > arena.left.health
    return wins


def test_a_merciless_character_is_better_than_a_rookie():
    assert scripted.at_level(scripted.turtle, "regular") is scripted.turtle
    assert won("merciless") >= won("rookie") + 4


# Which command serves a tactic, and how much an arena speaks for each


def play(case):
    """What a tactic and the style of that name do between two bots at x, y, direction, shield and charge."""
    rules, style, *bots, fired = case if len(case) == 5 else (*case, "")
    me, foe = (bot(x, y, rot, shield, charge=charge) for x, y, rot, shield, charge in bots)
    now = situation(me, foe, rules={"default": RULES, "couch": COUCH, "arena": ARENA}[rules])
    lines = ["tactic {}: {}".format(*carry_out(style, now))] if style in TACTICS else []
    return "\n".join([*lines, "style {}: {}".format(*play_style(style, now, foe_fired=bool(fired)))])


def test_a_tactic_and_a_style_are_carried_out_by_the_command_that_serves_them():
    approve(Path(__file__).parent / "approved" / "plays.txt", play)


@pytest.mark.parametrize("seed", range(40))
def test_every_tactic_always_gives_a_command(seed):
    rng = Random(seed)
    states = [
        bot(rng.uniform(50, 950), rng.uniform(50, 950), rng.uniform(0, 360), rng.random() < 0.5) for _ in range(2)
    ]
    for tactic in TACTICS:
        for now in (situation(*states), situation(*states, tactic), situation(states[0], states[0])):
            assert not isinstance(parse(carry_out(tactic, now)[0]), Nothing)


@pytest.mark.parametrize(
    ("tactic", "more", "less"),
    [
        ("attack", situation(bot(300), bot(800, rot=0.0)), situation(bot(300, rot=90), bot(800, rot=0.0))),
        ("attack", situation(bot(300), bot(800)), situation(bot(300), bot(800, rot=WEST, shield=True))),
        ("charge", situation(bot(100, 100), bot(900, 900)), situation(bot(500), bot(610))),
        ("shield", situation(bot(300, rot=90), bot(800, rot=WEST)), situation(bot(300, shield=True), bot(800))),
        ("dodge", situation(bot(300, rot=90), bot(800, rot=WEST)), situation(bot(300, rot=90), bot(800, shield=True))),
        ("retreat", situation(bot(300, rot=90), bot(800, rot=WEST)), situation(bot(100, 100), bot(900, 900))),
        ("dodge", situation(bot(300), bot(800), "dodge"), situation(bot(300), bot(800))),
    ],
)
def test_the_situation_speaks_for_what_is_worth_doing(tactic, more, less):
    assert tactic_weights(more)[tactic] > tactic_weights(less)[tactic]


def test_an_open_side_speaks_for_firing_and_an_empty_gun_for_walking():
    ready = tactic_weights(situation(bot(200, charge=3), bot(800, rot=WEST), rules=COUCH))
    assert tactic_weights(situation(bot(200, charge=3), bot(800, rot=0.0), rules=COUCH))["attack"] > ready["attack"]
    empty = tactic_weights(situation(bot(200, charge=2), bot(800, rot=WEST), rules=COUCH))
    assert empty["attack"] < ready["attack"]
    assert empty["charge"] > ready["charge"]
    assert empty["dodge"] > ready["dodge"]


@pytest.mark.parametrize("rules", [COUCH, ARENA])
@pytest.mark.parametrize("seed", range(60))
def test_no_tactic_gives_a_command_that_the_rules_refuse(seed, rules):
    rng = Random(seed)
    me, foe = (
        bot(rng.uniform(60, 940), rng.uniform(60, 940), rng.uniform(0, 360), rng.random() < 0.4, rng.randint(1, 9))
        for _ in range(2)
    )
    if seed % 2:  # face to face
        me = replace(me, rot=(BotView(me, rules).bearing_to(BotView(foe, rules)) + me.rot) % 360)
    for tactic in TACTICS:
        for begun in ("", tactic):
            token, _ = carry_out(tactic, situation(me, foe, begun, rules))
            _, events = step(Arena(me, foe), 0, read_command(token, rules), rules)
            assert not {type(event) for event in events} & {FireRefused, ShieldRefused, CommandIgnored}
