"""What holds for any game, any text and any walk."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from math import copysign, hypot
from random import Random

from hypothesis import given
from hypothesis import strategies as st

from batllm_arcade.core.commands import Nothing, parse
from batllm_arcade.core.events import BotHit, ShotBlocked
from batllm_arcade.core.geometry import wrapped
from batllm_arcade.core.model import Arena, BotState, Rules, rules_from
from batllm_arcade.core.rules import start, step

HAIR = 1e-9

angles = st.one_of(st.integers(0, 360), st.decimals(0, 360, places=3)).map(str)
distances = st.one_of(st.integers(-2000, 2000), st.decimals(-2, 2, places=4)).map(str)
tokens = st.one_of(
    st.sampled_from(["M", "M", "M", "B", "B", "B", "S", "S0", "S1", "nonsense"]),
    st.builds("{}{}".format, st.sampled_from("CA"), angles),
    st.builds("M{}".format, distances),
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
    },
)
rules = figures.map(rules_from)
seeds = st.integers(0, 10_000)


def game(the_rules, seed, script):
    """Every arena of a game in which the bots take turns through the script."""
    arena = start(Random(f"{seed}/1"), the_rules)
    arenas = [arena]
    for number, token in enumerate(script):
        arena, _ = step(arena, number % 2, parse(token, the_rules.free_move), the_rules)
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
    after, _ = step(before, actor, parse(token, the_rules.free_move), the_rules)
    assert repr((before, the_rules)) == text
    mine, theirs = after.bot(actor), after.bot(1 - actor)
    assert mine.health == before.bot(actor).health
    assert replace(theirs, health=0) == replace(before.bot(1 - actor), health=0)
    if token != "B":
        assert theirs == before.bot(1 - actor)


@given(st.text(), st.booleans())
def test_the_parser_never_raises_on_any_text(text, free_move):
    assert parse(text, free_move).token


@given(st.from_regex(r"\A\s?[CcAaMm]-?[0-9]{1,4}(\.[0-9]{1,4})?\s?\Z"), st.booleans())
def test_a_canonical_form_is_ascii_and_reads_as_itself(text, free_move):
    command = parse(text, free_move)
    if not isinstance(command, Nothing):
        assert command.token.isascii()
        assert "e" not in command.token.lower()
        assert parse(command.token, free_move) == command


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
