"""What a person is told of a play before it is made, and that no shot takes health that was not announced."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from batllm_arcade.core.commands import Command, Fire, Move, Nothing, Rotate, Shield
from batllm_arcade.core.events import BotHit, BulletFlew
from batllm_arcade.core.flight import bank_shots, lined_up
from batllm_arcade.core.geometry import bearing, turn_between
from batllm_arcade.core.model import Arena, BotState, Rules
from batllm_arcade.core.rules import start, step
from batllm_arcade.settings import config
from batllm_arcade.view.telegraph.advice import CHOICES, Choice, command_of, prospect
from batllm_arcade.view.telegraph.lines import PlayerKeys, Telegraph
from batllm_arcade.view.telegraph.person_turn import PersonTurn

COUCH = config.load("couch").rules
KEYS = PlayerKeys("SPACE", "W", "S", "A D", "X")


def bot(x: float, y: float, rot: float, charge: int = 6, *, shield: bool = False, health: float = 100) -> BotState:
    return BotState(x, y, rot, health, shield, charge)


def chosen(choice: Choice, left: BotState, right: BotState) -> Telegraph:
    return PersonTurn(Arena(left, right), COUCH, 0, KEYS, "YOUR TURN").telegraph(0, choice)


MENACING = bot(700, 500, 180)


def test_a_chosen_step_shows_what_hits_there_and_what_could_be_hit_from_there():
    shown = chosen("move", bot(300, 380, 90), bot(700, 480, 180))
    assert shown.step.end == (300, 480) == shown.own.start
    assert shown.foe.words == "THERE -24 SIDE"
    assert shown.banner == "there its shot hits your side"
    ahead = chosen("move", bot(300, 500, 0), bot(700, 500, 90))
    assert (ahead.own.start, ahead.own.words) == ((400, 500), "SIDE 24")
    assert ahead.banner == "there its shot does not hit you"


@pytest.mark.parametrize(
    ("left", "right", "struck"),
    [
        (bot(300, 380, 90), bot(700, 480, 180), True),
        (bot(300, 380, 90), bot(700, 480, 180, 2), False),  # its gun is empty
        (bot(300, 380, 90, shield=True), bot(700, 480, 145), False),  # it aims past there
        (bot(300, 500, 0), bot(700, 500, 90), False),
    ],
)
def test_a_ring_is_hot_where_a_shot_would_hit_before_its_step_is_chosen_and_while_it_is(left, right, struck):
    assert chosen("", left, right).step.struck == chosen("move", left, right).step.struck == struck


@pytest.mark.parametrize(
    ("left", "right", "leaves", "words"),
    [
        (bot(300, 500, 0), MENACING, ("LEAVES 5 OF 9", "3 after a blocked hit"), "it blocks; lowering it takes a play"),
        (bot(300, 500, 0, 3), MENACING, ("LEAVES 2 OF 9", "a hit breaks it"), "it breaks if hit"),
        (bot(300, 500, 0), bot(700, 500, 180, 2), ("LEAVES 5 OF 9", "3 after a blocked hit"),
         "it would block; the other one is loading"),
        (bot(300, 500, 180), MENACING, ("LEAVES 5 OF 9", "3 after a blocked hit"), "it does not cover you there"),
        (bot(300, 500, 0, shield=True), MENACING, ("", ""), "shield down: its shot hits your front"),
    ],
)  # fmt: skip
def test_a_chosen_shield_says_what_it_leaves_and_what_it_would_stop(left, right, leaves, words):
    shown = chosen("shield", left, right)
    assert (shown.leaves, shown.banner) == (leaves, words)


def test_who_is_about_to_lower_the_shield_sees_what_a_shot_would_then_hit():
    shown = chosen("shield", bot(300, 500, 0, shield=True), bot(700, 500, 90))
    assert (shown.own.held, shown.own.words) == ("", "SIDE 24")
    assert chosen("shield", bot(300, 500, 0), bot(700, 500, 90)).own.words == "SIDE 24"  # raising: what is given up


def test_who_is_aimed_at_behind_a_shield_that_runs_dry_is_told_to_lower_it():
    assert chosen("", bot(300, 500, 0, 1, shield=True), MENACING).banner == (
        "your shield fades now: lower it, that loads: S"
    )
    assert "fades" not in chosen("", bot(300, 500, 0, 3, shield=True), MENACING).banner


def test_a_play_that_the_rules_refuse_shows_nothing_of_its_own():
    arena = Arena(bot(580, 500, 0, 2), bot(700, 500, 90))
    turn = PersonTurn(arena, COUCH, 0, KEYS)
    assert turn.telegraph(0, "move") == turn.telegraph(0, "fire") == turn.telegraph(0)
    assert turn.telegraph(30, "shield") == turn.telegraph(30), "a turn is under way"


@pytest.mark.parametrize(
    ("left", "right", "words"),
    [
        (bot(300, 500, 0), bot(700, 500, 90), ""),  # it has reason to go: this aim would hit it
        (bot(300, 500, 14), bot(700, 500, 90, 6), "IF IT STEPS: SIDE 24"),  # aimed where it would be
        (bot(300, 500, 180), bot(700, 500, 90, 2), ""),  # it has to load
        (bot(300, 500, 180), bot(700, 500, 90), None),
        (bot(300, 500, 0), bot(700, 500, 180), None),  # it would rather shoot
        (bot(300, 500, 0), bot(700, 500, 90, shield=True), None),
    ],
)
def test_the_other_one_s_likely_step_has_a_ghost_that_says_what_the_aim_would_strike(left, right, words):
    ghost = chosen("", left, right).foe_step
    assert (ghost and ghost.words) == words
    if ghost is not None:
        assert ghost.end == (700, 600)


# -- off the wall, and back ---------------------------------------------------------------------

ARENA = config.load("arena").rules


def in_arena(left: BotState, right: BotState, choice: Choice = "") -> Telegraph:
    keys = PlayerKeys("SPACE", "W", "S", "A D", "X", "Q")
    return PersonTurn(Arena(left, right), ARENA, 0, keys, "YOUR TURN").telegraph(0, choice)


def test_lines_bend_at_the_wall_and_name_what_they_take_there():
    shown = in_arena(bot(300, 500, -45), bot(900, 500, 200))
    assert shown.own.path == ((300, 500), shown.own.bounce, shown.own.end)
    assert shown.own.bounce == pytest.approx((800, 0))
    aimed = in_arena(bot(300, 500, 300.96375653), bot(900, 500, 150))
    assert (aimed.own.words, aimed.own.note) == ("SIDE 12", "OFF THE WALL")
    assert aimed.banner == "SPACE hits its side off the wall"
    struck = in_arena(bot(300, 500, 121), bot(900, 500, 239.03624347))
    assert (struck.foe.words, struck.foe.note) == ("HITS YOU -12 BACK", "OFF THE WALL")
    assert in_arena(bot(300, 500, 200), bot(900, 500, 250)).foe.note == "", "one that misses takes nothing"


def test_where_bullets_do_not_bounce_no_line_bends():
    assert chosen("", bot(300, 500, 300.96375653), bot(900, 500, 239.03624347)).own.bounce is None


def test_a_step_back_is_a_play_with_a_ring_where_the_rules_have_it():
    shown = in_arena(bot(500, 500, 0, 1), bot(620, 500, 90), "retreat")
    assert (shown.back.end, shown.chosen) == ((440, 500), "retreat")
    assert shown.own.start == (440, 500)
    assert in_arena(bot(500, 500, 0, 1), bot(620, 500, 90)).banner == "wait until loaded: X; or aim off the wall"
    assert in_arena(bot(500, 440, 45), bot(560, 800, 255)).banner == "it aims at you: W steps aside"
    assert chosen("retreat", bot(500, 500, 0), bot(620, 500, 90)).back is None
    assert in_arena(bot(60, 500, 0), bot(620, 500, 90)).back is None, "right at the wall"
    stuck = in_arena(bot(500, 500, 0, 1), bot(620, 500, 180))
    assert stuck.banner == "too close to load, wait or step back: Q"
    near = in_arena(bot(460, 500, 0, 1), bot(620, 500, 180))
    assert near.step.words == "+1"
    assert near.banner == stuck.banner, "a step there loads no more than waiting"
    at_the_wall = in_arena(bot(60, 500, 180, 1), bot(620, 500, 180))
    assert at_the_wall.banner == "it aims at you: turn your front to it, that costs less"
    assert in_arena(bot(300, 500, 0, 1), bot(620, 500, 180)).banner == ("it aims at you: W loads, or aim off the wall")


def test_the_walls_are_marked_off_which_a_shot_would_take_health_and_the_sentence_says_so():
    shown = in_arena(bot(300, 500, 215), bot(900, 500, 90))
    assert len(shown.marks) >= 3
    for x, y in shown.marks:
        assert min(x, y, 1000 - x, 1000 - y) == pytest.approx(0, abs=1e-6)
        aimed = in_arena(bot(300, 500, bearing(x - 300, y - 500)), bot(900, 500, 90))
        assert (aimed.own.outcome, aimed.own.note) == ("hit", "OFF THE WALL")
    assert shown.banner == "aim at it, or off the wall: A D"
    assert in_arena(bot(300, 500, 90, 2), bot(900, 500, 90)).banner == "load: W steps, or aim off the wall"
    assert in_arena(bot(300, 500, 0, 0), bot(420, 500, 90)).banner == "wait until loaded: X; or aim off the wall"
    blocked = in_arena(bot(300, 500, 0), bot(900, 500, 180, shield=True))
    assert blocked.banner == "its shield blocks this: aim off the wall"
    assert chosen("", bot(300, 500, 180), bot(900, 500, 90)).marks == ()


def test_the_words_at_both_rings_say_which_step_they_are_of():
    shown = in_arena(bot(450, 420, 90), bot(700, 500, 180))
    assert shown.step.threat.startswith("STEP: -")
    beside = in_arena(bot(450, 590, 90), bot(700, 500, 180))
    assert (beside.back.threat, beside.back.words) == ("STEP BACK: -24 SIDE", "")


# -- nothing hits unannounced -------------------------------------------------------------------


def person_s_play(rng: Random, arena: Arena, who: int, rules: Rules) -> tuple[Choice, int, Command]:
    """What a person might do: mostly aim, shoot and walk, sometimes anything; a choice or a turn, and the command."""
    me, foe = arena.bot(who), arena.bot(1 - who)
    facing = round(turn_between(me.rot, bearing(foe.x - me.x, foe.y - me.y)))
    able = [choice for choice in CHOICES if prospect(arena, who, choice, rules) is not None]
    choice: Choice = rng.choice([*able, ""])
    if not facing and "fire" in able and rng.random() < 0.5:
        choice = "fire"
    if choice:
        return choice, 0, command_of(choice, rules) or Nothing()
    degrees = (facing if rng.random() < 0.7 else rng.randint(-180, 180)) or 1
    return "", degrees, Rotate(degrees, "")


def other_s_play(rng: Random, arena: Arena, who: int, rules: Rules) -> Command:
    """An opponent that shoots whenever it is aimed and can."""
    me, foe = arena.bot(who), arena.bot(1 - who)
    facing = turn_between(me.rot, bearing(foe.x - me.x, foe.y - me.y))
    if lined_up(arena, who, rules) and not me.shield and me.charge >= rules.shot_charge:
        return Fire()
    banks = bank_shots(arena, who, rules)
    if banks and rng.random() < 0.5:
        return Rotate(banks[0].turn, "")
    if rng.random() < 0.4:
        return Rotate(facing, "")
    return rng.choice([Move(None, "M"), Move(None, "M"), Shield(None, "S"), Nothing(), Rotate(facing, "")])


def announced(shown: Telegraph) -> float:
    """The health that the picture says the other's shot would take."""
    return (
        shown.foe.damage
        if shown.foe is not None and ("HITS YOU" in shown.foe.words or "THERE" in shown.foe.words)
        else 0
    )


@pytest.mark.parametrize("rules", [COUCH, ARENA], ids=["couch", "arena"])
def test_in_fifty_games_no_shot_takes_health_that_the_chosen_play_did_not_announce(rules):
    hits: Counter[tuple[bool, str]] = Counter()
    for seed in range(50):
        rng = Random(seed)
        arena, who = start(rng, rules), seed % 2
        for _ in range(60):
            turn = PersonTurn(arena, rules, who, KEYS)
            choice, degrees, command = person_s_play(rng, arena, who, rules)
            shown = turn.telegraph(degrees, choice)
            arena, _ = step(arena, who, command, rules)
            if arena.bot(1 - who).health <= 0:
                break
            arena, events = step(arena, 1 - who, other_s_play(rng, arena, 1 - who, rules), rules)
            taken = sum(event.damage for event in events if isinstance(event, BotHit))
            assert taken in (0, announced(shown)), (seed, choice, degrees)
            if taken and choice == "move":  # who holds no key and points at no button is told at the ring
                assert f"-{taken:g}" in turn.telegraph().step.threat.split()
            if taken:
                bounced = any(isinstance(event, BulletFlew) and event.bounce is not None for event in events)
                assert bounced == (shown.foe.bounce is not None)
                hits[bounced, choice] += 1
            if arena.bot(who).health <= 0:
                break
    assert hits.total() > 100
    assert {choice for _, choice in hits} >= {"", "move", "wait", *(["retreat"] if rules.back_step else [])}
    assert any(bounced for bounced, _ in hits) == bool(rules.ricochet)
