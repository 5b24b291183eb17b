"""What a person is shown of who can hurt whom: every sentence, that none is untrue, and that no shot is unannounced."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import product
from pathlib import Path
from random import Random

import pytest
from approved import Wordings, approve_wordings
from hypothesis import example, given
from hypothesis import strategies as st

from batllm_arcade.core.commands import Command, Fire, Move, Nothing, Rotate, Shield
from batllm_arcade.core.events import BotHit, BulletFlew
from batllm_arcade.core.flight import bank_shots, lined_up
from batllm_arcade.core.geometry import bearing, turn_between, wrapped
from batllm_arcade.core.model import Arena, BotState, Rules
from batllm_arcade.core.rules import start, step
from batllm_arcade.settings import config
from batllm_arcade.view.telegraph.advice import CHOICES, Choice, command_of, prospect
from batllm_arcade.view.telegraph.lines import PlayerKeys, Telegraph, aim_alone
from batllm_arcade.view.telegraph.person_turn import PersonTurn

COUCH, ARENA, DEFAULT = (config.load(name).rules for name in ("couch", "arena", "default"))
KEYS = PlayerKeys("SPACE", "W", "S", "A D", "X", "Q")


def bot(x: float, y: float, rot: float, charge: int = 6, *, shield: bool = False, health: float = 100) -> BotState:
    return BotState(x, y, rot, health, shield, charge)


def seen(left: BotState, right: BotState, choice: Choice = "", *, rules: Rules = COUCH, turned: float = 0) -> Telegraph:
    return PersonTurn(Arena(left, right), rules, 0, KEYS, "YOUR TURN").telegraph(turned, choice)


MENACING, ASIDE = bot(700, 500, 180), bot(700, 500, 90)
BENT = 300.96375653
"""The way by which a bullet from (300, 500) comes off the upper wall to (900, 500)."""


def situations():
    """Many of all pairs of bots: each aimed at the other, past it, off a wall; with charge, shield, health, room."""
    lefts = [bot(300, 500, rot) for rot in (0, 20, 90, 121, 180, BENT)]
    lefts += [bot(300, 60, 270), bot(60, 500, 180), bot(580, 500, 0), bot(460, 500, 0), bot(500, 350, 90)]
    rights = [bot(700, 500, rot) for rot in (0, 90, 180, 180, 180)]
    rights += [bot(900, 500, 540 - BENT), bot(620, 500, 180), bot(100, 500, 0)]
    states = list(product((6, 1, 2), (False, True), (100, 100, 12)))
    plays = [(ARENA, choice) for choice in ("", "", "move", "shield", "retreat", "wait")]
    plays += [(rules, choice) for rules in (COUCH, COUCH, DEFAULT) for choice in ("", "move", "shield")]
    for left, mine, right, other, (rules, choice) in Random(8).sample(
        list(product(lefts, states, rights, states, plays)), 1600
    ):
        pair = (replace(at, charge=c, shield=s, health=h) for at, (c, s, h) in ((left, mine), (right, other)))
        yield *pair, choice, rules
    covered = bot(300, 500, 0, shield=True)
    yield replace(covered, health=12), MENACING, "", COUCH
    yield covered, MENACING, "shield", COUCH
    yield bot(300, 500, 0), bot(900, 500, 180, shield=True), "", ARENA
    yield bot(460, 500, 0, 1), bot(620, 500, 180), "", ARENA


def test_what_a_person_is_told_in_a_turn_is_as_it_was_approved():
    told = Wordings()
    for left, right, choice, rules in situations():
        bots = " ".join(f"{b.x:g},{b.y:g}/{b.rot:.0f}{'+' * b.shield}c{b.charge}h{b.health:g}" for b in (left, right))
        for turned in (0, -20, -90) if not choice else (0,):
            shown = seen(left, right, choice, rules=rules, turned=turned)
            where = f"{rules.battery}{'w' * bool(rules.ricochet)} {bots} {choice}{turned or ''}"
            told.note(f"sentence {choice}{'turning' if turned else ''}", shown.banner, where)
            told.note("own line", f"{shown.own.words} / {shown.own.note}", where)
            if shown.foe is not None:
                told.note("other's line", f"{shown.foe.words} / {shown.foe.note}", where)
            told.note("shield leaves", " / ".join(shown.leaves), where)
            for name, ghost in (
                ("bumped", shown.shoved),
                ("step", shown.step),
                ("step back", shown.back),
                ("its step", shown.foe_step),
            ):
                told.note(name, "none" if ghost is None else f"{ghost.words} / {ghost.threat}", where)
    approve_wordings(Path(__file__).parent / "approved" / "turns.txt", told)


@pytest.mark.parametrize("turned", [0, -90, 20])
def test_an_aim_alone_is_the_own_line_with_or_without_its_words(turned):
    for left, right, _, rules in [*situations()][:200]:
        own = seen(left, right, rules=rules, turned=turned).own
        named, bare = (
            aim_alone(Arena(left, right), rules, 0, left.rot + turned, named=names) for names in (True, False)
        )
        assert named == Telegraph(own)
        assert (bare.own.words, bare.own.note, bare.own.end) == ("", "", own.end)


def test_keys_are_named_as_they_are_bound_or_left_out():
    me = bot(300, 500, 0)
    told = {
        replace(me, rot=45): "it aims at you: step aside",
        replace(me, rot=25): "it aims at you: a shield would block, for two plays",
    }
    for left, words in told.items():
        assert PersonTurn(Arena(left, MENACING), COUCH, 0).telegraph().banner == words
    assert PersonTurn(Arena(me, ASIDE), COUCH, 0).telegraph().banner == "a shot hits its side"
    assert PersonTurn(Arena(replace(me, charge=2), ASIDE), COUCH, 0).telegraph().banner == "step to load first"
    turn = PersonTurn(Arena(replace(me, shield=True), ASIDE), COUCH, 0, PlayerKeys("A", "Y", "B", "STICK", ""))
    assert turn.telegraph().banner == "lower the shield first: B"


@pytest.mark.parametrize(("left", "right", "place"), [(780, 300, "bottom"), (900, 300, "top"), (900, 100, "middle")])
def test_the_sentence_stands_where_no_bot_does(left, right, place):
    assert seen(bot(300, left, 0), bot(700, right, 90)).place == place


def test_a_step_is_a_ring_where_it_lands_and_the_lines_of_a_chosen_one_begin_there():
    assert seen(bot(300, 500, 90, 2), ASIDE).step.end == (300, 600)
    turning = seen(bot(300, 500, 90), ASIDE, turned=-90)
    assert turning.step.end == (300, 600), "what the key or the wheel would do, whatever is aimed at"
    assert (turning.aimed_step.end, turning.back) == ((400, 500), None)
    assert seen(bot(300, 500, 90), ASIDE).aimed_step is seen(bot(300, 500, 90), ASIDE, "move").aimed_step is None
    assert seen(bot(300, 60, 270), ASIDE).step is seen(bot(580, 500, 0), ASIDE).step is None  # no room for one
    shown = seen(bot(300, 380, 90), bot(700, 480, 180), "move")
    assert shown.step.end == (300, 480) == shown.own.start
    back = seen(bot(500, 500, 0, 1), bot(620, 500, 90), "retreat", rules=ARENA)
    assert (back.back.end, back.chosen, back.own.start) == ((440, 500), "retreat", (440, 500))
    assert seen(bot(60, 500, 0), bot(620, 500, 90), rules=ARENA).back is None  # right at the wall
    assert seen(bot(500, 500, 0), bot(620, 500, 90), "retreat").back is None  # no such play


@pytest.mark.parametrize(
    ("charge", "words"), [(3, "BUMP: SIDE 28 NEXT"), (1, "BUMP: SIDE OPEN")], ids=["loaded", "empty"]
)
@pytest.mark.parametrize("gap", [0, 40])
def test_a_step_into_the_other_bot_shows_it_shoved_and_spun_with_what_is_open_then(charge, words, gap):
    me, foe = bot(500, 500, 0, charge), bot(620 + gap, 500, 180)
    shown = seen(me, foe, "move", rules=ARENA)
    assert (shown.shoved.end, shown.shoved.rot, shown.shoved.words) == ((680 + gap, 500), 330, words)
    assert seen(me, foe, "move", rules=replace(ARENA, bump_push=0, bump_turn=0)).shoved is None
    for choice in ("", "fire", "wait", "shield"):
        assert seen(me, foe, choice, rules=ARENA).shoved is None
    assert seen(me, foe, rules=ARENA).foe_step.words == "IF IT STEPS: BUMPS YOU"


def test_how_far_a_play_turns_is_shown_where_that_is_not_everywhere():
    assert seen(bot(300, 500, 20), ASIDE, rules=ARENA, turned=30).reach == (20, 90)
    assert seen(bot(300, 500, 20), ASIDE).reach is None


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
    assert seen(left, right).step.struck == seen(left, right, "move").step.struck == struck


def test_who_lowers_or_raises_the_shield_sees_what_a_shot_would_hit_or_is_given_up():
    for shield in (True, False):
        own = seen(bot(300, 500, 0, shield=shield), ASIDE, "shield").own
        assert (own.held, own.words) == ("", "SIDE 24")


def test_a_play_that_the_rules_refuse_shows_nothing_of_its_own():
    arena = Arena(bot(580, 500, 0, 2), bot(700, 500, 90))
    turn = PersonTurn(arena, COUCH, 0, KEYS)
    assert turn.telegraph(0, "move") == turn.telegraph(0, "fire") == turn.telegraph(0)
    assert turn.telegraph(30, "shield") == turn.telegraph(30), "a turn is under way"


@pytest.mark.parametrize(
    ("left", "right", "there"),
    [
        (bot(300, 500, 0), ASIDE, True),  # it has reason to go: this aim would hit it
        (bot(300, 500, 14), bot(700, 500, 90, 6), True),  # aimed where it would be
        (bot(300, 500, 180), bot(700, 500, 90, 2), True),  # it has to load
        (bot(300, 500, 180), ASIDE, False),
        (bot(300, 500, 0), MENACING, False),  # it would rather shoot
        (bot(300, 500, 0), bot(700, 500, 90, shield=True), False),
    ],
)
def test_the_other_one_s_likely_step_has_a_ghost_where_it_has_reason_to_make_it(left, right, there):
    ghost = seen(left, right).foe_step
    assert (ghost and ghost.end) == ((700, 600) if there else None)


def test_lines_bend_at_the_wall_where_bullets_bounce():
    shown = seen(bot(300, 500, -45), bot(900, 500, 200), rules=ARENA)
    assert shown.own.path == ((300, 500), shown.own.bounce, shown.own.end)
    assert shown.own.bounce == pytest.approx((800, 0))
    assert seen(bot(300, 500, BENT), bot(900, 500, 540 - BENT)).own.bounce is None


def test_the_walls_are_marked_off_which_a_shot_would_take_health():
    marks = seen(bot(300, 500, 215), bot(900, 500, 90), rules=ARENA).marks
    assert len(marks) == 2, "those that one play turns to"
    for x, y in marks:
        assert min(x, y, 1000 - x, 1000 - y) == pytest.approx(0, abs=1e-6)
        aimed = seen(bot(300, 500, bearing(x - 300, y - 500)), bot(900, 500, 90), rules=ARENA)
        assert (aimed.own.outcome, aimed.own.note) == ("hit", "OFF THE WALL")
    assert seen(bot(300, 500, 180), bot(900, 500, 90)).marks == ()


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
@example((Arena(bot(300, 500, 90), MENACING), COUCH), 0, 0)
@example((Arena(bot(300, 500, 90), MENACING), COUCH), 0, -90)
@example((Arena(bot(300, 500, 0, shield=True), MENACING), COUCH), 0, 180)
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
