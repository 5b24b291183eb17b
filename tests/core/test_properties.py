"""What holds for any game, any text and any walk."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from math import copysign, hypot
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from batllm_arcade.core.commands import Nothing, parse
from batllm_arcade.core.events import BotHit, ShotBlocked
from batllm_arcade.core.flight import bank_shots, flight, strikes
from batllm_arcade.core.geometry import bearing, turn_between, wrapped
from batllm_arcade.core.model import Arena, BotState, Rules, rules_from
from batllm_arcade.core.rules import read_command, start, step

HAIR = 1e-9

angles = st.one_of(st.integers(0, 360), st.decimals(0, 360, places=3)).map(str)
distances = st.one_of(st.integers(-2000, 2000), st.decimals(-2, 2, places=4)).map(str)
tokens = st.one_of(
    st.sampled_from(["M", "M", "M", "B", "B", "B", "S", "S0", "S1", "nonsense"]),
    st.builds("{}{}".format, st.sampled_from("CA"), angles),
    st.builds("M{}".format, distances),
    st.builds("M-{}".format, st.integers(0, 9999)),
)
scripts = st.lists(tokens, max_size=40)
figures = st.fixed_dictionaries(
    {},
    optional={
        "step_length": st.sampled_from([1, 13.7, 50, 400, 5000]),
        "bot_radius": st.sampled_from([5, 50, 120.5]),
        "arena_width": st.sampled_from([700, 1000]),
        "bullet_damage": st.sampled_from([0, 5, 0.1, [5, 33.3]]),
        "initial_health": st.sampled_from([100, 1, 0.3, [30, 100]]),
        "shield_degrees": st.sampled_from([0, 64, 180]),
        "bots_collide": st.booleans(),
        "free_move": st.booleans(),
        "ricochet": st.integers(0, 1),
        "bounce_cap": st.sampled_from([0, 1, 1.7]),
        "side_damage": st.sampled_from([1, 2]),
        "back_step": st.sampled_from([1, 9]),
    },
)


def playable(given):
    """The figures without a back step where they allow of none."""
    allowed = given.get("ricochet") and not given.get("free_move") and given.get("step_length", 50) > 9
    return rules_from({**given, "back_step": given.get("back_step", 0) if allowed else 0})


rules = figures.map(playable)
seeds = st.integers(0, 10_000)


def game(the_rules, seed, script):
    """Every arena of a game in which the bots take turns through the script."""
    arena = start(Random(f"{seed}/1"), the_rules)
    arenas = [arena]
    for number, token in enumerate(script):
        arena, _ = step(arena, number % 2, read_command(token, the_rules), the_rules)
        arenas.append(arena)
    return arenas


def apart(arena):
    return hypot(arena.left.x - arena.right.x, arena.left.y - arena.right.y)


@given(rules, seeds, scripts)
def test_a_bot_is_never_outside(the_rules, seed, script):
    radius = the_rules.bot_radius
    for arena in game(the_rules, seed, script):
        for bot in (arena.left, arena.right):
            assert radius - HAIR <= bot.x <= the_rules.arena_width - radius + HAIR
            assert radius - HAIR <= bot.y <= the_rules.arena_height - radius + HAIR


@given(rules, seeds, scripts)
def test_health_never_rises_and_never_falls_below_zero(the_rules, seed, script):
    arenas = game(the_rules, seed, script)
    for before, after in pairwise(arenas):
        assert 0 <= after.left.health <= before.left.health
        assert 0 <= after.right.health <= before.right.health


@given(rules, seeds, scripts)
def test_the_same_seed_and_commands_give_the_same_game(the_rules, seed, script):
    assert repr(game(the_rules, seed, script)) == repr(game(the_rules, seed, script))


@given(rules, seeds, scripts)
def test_every_state_is_rounded_wrapped_and_without_a_negative_zero(the_rules, seed, script):
    for arena in game(the_rules, seed, script):
        for bot in (arena.left, arena.right):
            for value in (bot.x, bot.y, bot.rot, bot.health):
                assert value == round(value, 9)
                assert copysign(1, value) == 1
            assert 0 <= bot.rot < 360


@given(rules, seeds, scripts)
def test_bots_that_collide_never_come_nearer_than_contact(the_rules, seed, script):
    the_rules = replace(the_rules, bots_collide=True)
    for arena in game(the_rules, seed, script):
        assert apart(arena) >= 2 * the_rules.bot_radius - HAIR


@given(st.integers(-80, 80), st.integers(-80, 80), st.integers(0, 359))
def test_bots_that_overlap_at_the_start_never_overlap_more(dx, dy, rot):
    before = Arena(BotState(500, 500, rot, 100, False), BotState(500 + dx, 500 + dy, 0, 100, False))
    after, _ = step(before, 0, parse("M"), Rules())
    assert apart(after) >= min(apart(before), 100) - HAIR


@given(rules, seeds, tokens, st.integers(0, 1))
def test_a_step_changes_only_the_bot_it_may_and_leaves_what_it_was_given(the_rules, seed, token, actor):
    before = start(Random(f"{seed}/1"), the_rules)
    text = repr((before, the_rules))
    after, _ = step(before, actor, read_command(token, the_rules), the_rules)
    assert repr((before, the_rules)) == text
    mine, theirs = after.bot(actor), after.bot(1 - actor)
    assert mine.health == before.bot(actor).health
    assert replace(theirs, health=0) == replace(before.bot(1 - actor), health=0)
    if token != "B":
        assert theirs == before.bot(1 - actor)


@given(st.text(), st.booleans(), st.integers(0, 1))
def test_the_parser_never_raises_on_any_text(text, free_move, back_step):
    assert parse(text, free_move, back_step).token


@given(st.from_regex(r"\A\s?[CcAaMm]-?[0-9]{1,4}(\.[0-9]{1,4})?\s?\Z"), st.booleans(), st.integers(0, 1))
def test_a_canonical_form_is_ascii_and_reads_as_itself(text, free_move, back_step):
    command = parse(text, free_move, back_step)
    if not isinstance(command, Nothing):
        assert command.token.isascii()
        assert "e" not in command.token.lower()
        assert parse(command.token, free_move, back_step) == command


@given(tokens, st.booleans(), st.sampled_from(["", " ", "\n", "\t "]), st.booleans())
def test_case_and_outer_space_change_no_command(token, lower, space, free_move):
    written = space + (token.lower() if lower else token) + space
    read, plain = parse(written, free_move), parse(token, free_move)
    assert read == plain or (isinstance(read, Nothing) and isinstance(plain, Nothing))


def quarter_turned(bot, side):
    """The bot where it is after the whole square arena was turned a quarter clockwise."""
    return BotState(side - bot.y, bot.x, wrapped(bot.rot + 90), bot.health, bot.shield)


whole = st.integers(50, 950).map(float)
bots = st.builds(BotState, whole, whole, st.integers(0, 359).map(float), st.just(100), st.booleans())


@given(bots, bots, st.booleans())
def test_a_shot_comes_out_the_same_when_the_whole_arena_is_turned_a_quarter(me, foe, aimed):
    if aimed:  # else few shots would meet anybody
        foe = replace(foe, x=me.x, y=50.0 if me.y > 500 else 950.0)
        me = replace(me, rot=270.0 if me.y > 500 else 90.0)
    me = replace(me, shield=False)
    _, events = step(Arena(me, foe), 0, parse("B"), Rules())
    _, turned = step(Arena(quarter_turned(me, 1000), quarter_turned(foe, 1000)), 0, parse("B"), Rules())
    assert [type(event) for event in turned] == [type(event) for event in events]
    end, turned_end = events[0].end, turned[0].end
    assert hypot(turned_end[0] - (1000 - end[1]), turned_end[1] - end[0]) < 1e-6


@given(bots, bots)
def test_a_shield_blocks_only_what_would_hit(me, foe):
    me = replace(me, shield=False)
    _, covered = step(Arena(me, replace(foe, shield=True)), 0, parse("B"), Rules())
    _, bare = step(Arena(me, replace(foe, shield=False)), 0, parse("B"), Rules())
    if isinstance(covered[1], ShotBlocked):
        assert isinstance(bare[1], BotHit)
    else:
        assert bare == covered


BOUNCING = Rules(side_damage=2, back_damage=3, ricochet=1)


@given(bots, bots)
def test_a_bullet_comes_off_a_wall_as_it_went_in_and_stays_inside(me, foe):
    way = flight(me, foe, BOUNCING)
    straight = flight(me, foe, Rules())
    if way.bounce is None:
        assert way == straight
        return
    assert straight.end == pytest.approx(way.bounce)
    assert {0.0, 1000.0} & set(way.bounce)
    assert all(-HAIR <= value <= 1000 + HAIR for value in way.end)
    if hypot(way.end[0] - way.bounce[0], way.end[1] - way.bounce[1]) > 1e-6:
        out = bearing(way.end[0] - way.bounce[0], way.end[1] - way.bounce[1])
        turned = [(180 - me.rot) % 360, -me.rot % 360, (me.rot + 180) % 360]  # a wall beside, above, a corner
        assert min(abs(turn_between(out, rot)) for rot in turned) < 1e-3


@given(bots, bots, st.sampled_from([0, 0.5, 1, 1.5, 9]))
def test_after_a_bounce_no_part_costs_more_than_the_cap_and_the_part_is_the_one_struck(me, foe, cap):
    the_rules = replace(BOUNCING, bounce_cap=cap)
    before = Arena(replace(me, shield=False), foe)
    after, (flew, *_, last) = step(before, 0, parse("B"), the_rules)
    lost = foe.health - after.right.health
    if isinstance(last, BotHit):
        times = {"front": 1, "side": 2, "back": 3}[last.part]
        assert lost == 5 * (min(times, cap) if cap and flew.bounce else times)
        assert strikes(before.left, foe, the_rules) == last.part
    else:
        assert lost == 0


@given(bots, bots)
def test_every_aim_off_a_wall_strikes_when_it_is_turned_to_and_fired(me, foe):
    me = replace(me, shield=False)
    for aim in bank_shots(Arena(me, foe), 0, BOUNCING):
        turned, _ = step(Arena(me, foe), 0, parse(f"{'C' if aim.turn >= 0 else 'A'}{abs(aim.turn):.9f}"), BOUNCING)
        after, events = step(turned, 0, parse("B"), BOUNCING)
        assert foe.health - after.right.health == aim.damage
        assert events[0].bounce == pytest.approx(aim.bounce, abs=1e-4)
        assert isinstance(events[-1], BotHit if aim.damage else ShotBlocked)


@given(bots, bots)
def test_a_step_back_is_a_step_of_who_looks_the_other_way(me, foe):
    rules_of_both = Rules(step_length=100, bot_radius=60, ricochet=1, back_step=60)
    backed, (moved,) = step(Arena(me, foe), 0, read_command("M-60", rules_of_both), rules_of_both)
    about = replace(me, rot=(me.rot + 180) % 360)
    _, (walked,) = step(Arena(about, foe), 0, parse("M"), replace(rules_of_both, step_length=60, back_step=0))
    assert moved.end == pytest.approx(walked.end)
    assert (moved.stopped_by, backed.left.rot) == (walked.stopped_by, me.rot)
