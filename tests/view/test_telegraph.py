"""What a person is shown of who can hurt whom: every sentence, and that no word of it is untrue."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from batllm_arcade.core.commands import Fire, Move, Nothing, Rotate, Shield
from batllm_arcade.core.geometry import bearing, wrapped
from batllm_arcade.core.model import Arena, BotState, Rules
from batllm_arcade.core.rules import step
from batllm_arcade.settings import config
from batllm_arcade.view.telegraph.lines import PlayerKeys, Telegraph, aim_alone
from batllm_arcade.view.telegraph.person_turn import PersonTurn

COUCH, DEFAULT = config.load("couch").rules, config.load("default").rules
KEYS = PlayerKeys("SPACE", "W", "S", "A D", "X")
FACING, AWAY = 0, 180
"""Left's directions: the bots stand beside each other."""


def bot(x: float, y: float, rot: float, charge: int = 6, *, shield: bool = False, health: float = 100) -> BotState:
    return BotState(x, y, rot, health, shield, charge)


def seen(left: BotState, right: BotState, *, rules: Rules = COUCH, turned: float = 0, who: int = 0) -> Telegraph:
    return PersonTurn(Arena(left, right), rules, who, KEYS, "YOUR TURN").telegraph(turned)


def me(rot: float = FACING, charge: int = 6, **more: object) -> BotState:
    return bot(300, 500, rot, charge, **more)  # type: ignore[arg-type]


def foe(rot: float = 90, charge: int = 6, **more: object) -> BotState:
    return bot(700, 500, rot, charge, **more)  # type: ignore[arg-type]


ASIDE = foe(90)  # shows its side, aims at nobody
MENACING = foe(180)


@pytest.mark.parametrize(
    ("left", "right", "words"),
    [
        (me(), ASIDE, "SPACE hits its side"),
        (me(), foe(0), "SPACE hits its back"),
        (me(), foe(180), "SPACE hits its front"),
        (me(), foe(90, health=24), "SPACE wins"),
        (me(), foe(180, shield=True), "its shield blocks this"),
        (me(), foe(180, 2, shield=True), "its shield blocks this and breaks"),
        (me(charge=2), ASIDE, "step to load first: W"),
        (bot(300, 60, 270, 2), ASIDE, "load first: turn, then step"),
        (me(shield=True), ASIDE, "lower the shield first: S"),
        (me(shield=True), MENACING, "lower it to fire, but its shot then hits you: S"),
        (me(shield=True, health=12), MENACING, "without your shield its shot knocks you out"),
        (me(AWAY), ASIDE, "aim at it: A D"),
        (me(AWAY, shield=True), ASIDE, "aim at it: A D"),
        (me(90), MENACING, "it aims at you: W steps aside"),
        (me(25), MENACING, "it aims at you: S would block, for two plays"),
        (me(25, health=12), MENACING, "its shot knocks you out: raise the shield: S"),
        (me(health=12), MENACING, "its shot knocks you out: raise the shield: S"),
        (me(health=12), foe(180, health=12), "SPACE wins"),
        (bot(500, 350, 90, 2), bot(100, 500, 0, 6), "a step would load, but into its line of fire"),
        (me(45), MENACING, "it aims at you: W steps aside"),
        (me(120, shield=True), MENACING, "it aims at you: W steps aside"),
        (me(AWAY, shield=True), MENACING, "it aims at you: turn your shield to it"),
        (me(AWAY, 1), MENACING, "it aims at you: turn your front to it, that costs less"),
        (bot(580, 500, 0, 2), ASIDE, "wait until loaded: X"),
        (bot(580, 500, 0, 1), MENACING, "it aims at you"),
        (me(20, 1), MENACING, "it aims at you"),
        (me(20, shield=True), MENACING, "your shield holds"),
        (me(20, 2, shield=True), MENACING, "your shield breaks if it fires"),
    ],
)
def test_one_sentence_says_what_matters_most(left, right, words):
    assert seen(left, right).banner == words


@pytest.mark.parametrize(
    ("right", "words", "note"),
    [
        (MENACING, "HITS YOU -24 SIDE", ""),
        (foe(180, 2), "", "ITS GUN IS EMPTY"),
        (foe(180, shield=True), "", ""),
        (ASIDE, "", ""),
    ],
)
def test_the_foe_s_line_says_what_it_would_do(right, words, note):
    line = seen(me(90), right).foe
    assert (line.words, line.note) == (words, note)


def test_the_own_shield_is_named_where_it_stops_the_shot():
    assert seen(me(shield=True), MENACING).foe.words == "YOUR SHIELD HOLDS"
    assert seen(me(charge=2, shield=True), MENACING).foe.words == "YOUR SHIELD BREAKS"


@pytest.mark.parametrize(
    ("left", "right", "words", "note"),
    [
        (me(), ASIDE, "SIDE 24", ""),
        (me(), foe(0), "BACK 36", ""),
        (me(), foe(180, shield=True), "SHIELD", ""),
        (me(), foe(180, 2, shield=True), "BREAKS SHIELD", ""),
        (me(90), ASIDE, "MISS", ""),
        (me(charge=2), ASIDE, "SIDE 24", "YOUR GUN IS EMPTY"),
        (me(shield=True), ASIDE, "SIDE 24", "YOUR SHIELD IS UP"),
    ],
)
def test_the_own_line_names_what_it_would_strike_and_why_the_gun_cannot_fire(left, right, words, note):
    line = seen(left, right).own
    assert (line.words, line.note) == (words, note)
    alone = aim_alone(Arena(left, right), COUCH, 0, left.rot, named=True)
    assert alone == Telegraph(line)
    bare = aim_alone(Arena(left, right), COUCH, 0, left.rot, named=False)
    assert (bare.own.words, bare.own.note, bare.own.end) == ("", "", line.end)


def test_a_step_s_ghost_stands_where_it_lands_and_says_what_it_loads():
    ghost = seen(me(90, 2), ASIDE).step
    assert (ghost.end, ghost.words, ghost.threat) == ((300, 600), "+3", "")
    assert seen(me(90, 8), ASIDE).step.words == "+1"
    assert seen(me(5, 2), ASIDE).step.words == "+3 THEN SIDE 24"
    assert seen(me(90), bot(700, 600, 180)).step.threat == "STEP: -24 SIDE"
    assert seen(me(90, 6, shield=True), ASIDE).step.words == ""
    assert seen(bot(300, 60, 270), ASIDE).step is None  # right at the wall
    assert seen(bot(580, 500, 0), ASIDE).step is None  # right at the other bot


def test_without_battery_and_armour_there_is_damage_and_nothing_else():
    left, right = bot(300, 500, 0, 0), bot(700, 500, 180, 0)
    shown = seen(left, right, rules=DEFAULT)
    assert (shown.own.words, shown.foe.words, shown.step.words) == ("-5", "HITS YOU -5", "THEN 5")
    assert shown.banner == "SPACE hits it"
    assert shown.step.threat == "STEP: -5"
    words = "lower it to fire, but its shot then hits you: S"
    assert seen(replace(left, shield=True), right, rules=DEFAULT).banner == words


def test_while_aiming_the_foe_is_shown_as_it_would_hit_after_the_turn():
    shown = seen(me(90), MENACING, turned=-90.2)
    assert shown.foe.words == "HITS YOU -12 FRONT"
    assert shown.own.words == "FRONT 12"
    assert shown.banner == "turn, then SPACE hits its front"
    assert shown.step.end == (400, 500)


def test_keys_are_named_as_they_are_bound_or_left_out():
    bare = PersonTurn(Arena(me(45), MENACING), COUCH, 0).telegraph()
    assert bare.banner == "it aims at you: step aside"
    assert PersonTurn(Arena(me(25), MENACING), COUCH, 0).telegraph().banner == (
        "it aims at you: a shield would block, for two plays"
    )
    assert PersonTurn(Arena(me(), ASIDE), COUCH, 0).telegraph().banner == "a shot hits its side"
    assert PersonTurn(Arena(me(charge=2), ASIDE), COUCH, 0).telegraph().banner == "step to load first"
    other = PlayerKeys("A", "Y", "B", "STICK", "")
    turn = PersonTurn(Arena(me(shield=True), ASIDE), COUCH, 0, other)
    assert turn.telegraph().banner == "lower the shield first: B"


def test_the_sentence_stands_where_no_bot_does():
    for heights, place in (((500, 300), "bottom"), ((900, 300), "top"), ((900, 100), "middle")):
        assert seen(bot(300, heights[0], 0), bot(700, heights[1], 90)).place == place


def places(low: float, high: float) -> st.SearchStrategy[float]:
    return st.floats(low, high).map(lambda value: round(value, 3))


@st.composite
def arenas(draw: st.DrawFn) -> tuple[Arena, Rules]:
    """Two bots anywhere, each mostly aimed at the other, with all kinds of charge, health and shields."""
    rules = draw(st.sampled_from((COUCH, COUCH, DEFAULT)))
    at = [(draw(places(60, 940)), draw(places(60, 940))) for _ in (0, 1)]
    bots = []
    for index in (0, 1):
        (x, y), (foe_x, foe_y) = at[index], at[1 - index]
        off = draw(st.sampled_from((0.0, 0.0, 3.0, -40.0, 120.0)))
        rot = wrapped(bearing(foe_x - x, foe_y - y) + off) if at[0] != at[1] else off % 360
        charge = draw(st.integers(0, rules.battery)) if rules.battery else 0
        shield = draw(st.sampled_from((False, False, True))) and (not rules.battery or charge > 0)
        bots.append(BotState(x, y, rot, draw(st.sampled_from((100, 30, 5))), shield, charge))
    return Arena(*bots), rules


@given(arenas(), st.integers(0, 1), st.sampled_from((0, 0, -40, 7, 180)))
@example((Arena(me(90), MENACING), COUCH), 0, 0)
@example((Arena(me(90), MENACING), COUCH), 0, -90)
@example((Arena(me(shield=True), MENACING), COUCH), 0, 180)
def test_nothing_is_said_that_the_rules_would_not_do(given_arena, who, turned):
    arena, rules = given_arena
    shown = PersonTurn(arena, rules, who, KEYS).telegraph(turned)
    now = step(arena, who, Rotate(turned, "") if turned else Nothing(), rules)[0]
    after = step(now, 1 - who, Fire(), rules)[0]
    taken = now.bot(who).health - after.bot(who).health
    says = shown.foe.words.startswith("HITS YOU")
    assert says == (taken > 0)
    if says:
        assert shown.foe.words.split()[2] == f"-{taken:g}"
    if turned:
        return
    assert shown.own.start == (arena.bot(who).x, arena.bot(who).y)
    landed = step(arena, who, Fire(), rules)[0]
    hit = arena.bot(1 - who).health - landed.bot(1 - who).health
    assert (shown.own.outcome == "hit" and not shown.own.held) == (hit > 0)
    walked = step(arena, who, Move(None, "M"), rules)[0]
    if shown.step is not None:
        assert shown.step.end == (walked.bot(who).x, walked.bot(who).y)
        gained = walked.bot(who).charge - arena.bot(who).charge
        assert shown.step.words.split(" ")[0] == (f"+{gained}" if gained > 0 else "") or gained <= 0
        then = step(walked, 1 - who, Fire(), rules)[0]
        lost = walked.bot(who).health - then.bot(who).health
        assert (f"-{lost:g}" in shown.step.threat.split()) == (lost > 0)
        fired = step(walked, who, Fire(), rules)[0]
        struck = walked.bot(1 - who).health - fired.bot(1 - who).health
        assert ("THEN" in shown.step.words) == (struck > 0)
    for promised, arena_then in (
        ("W steps aside", walked),
        ("S would block", step(arena, who, Shield(True, "S1"), rules)[0]),
        ("raise the shield: S", step(arena, who, Shield(True, "S1"), rules)[0]),
    ):
        if promised in shown.banner:
            fired = step(arena_then, 1 - who, Fire(), rules)[0]
            assert fired.bot(who).health == arena_then.bot(who).health
