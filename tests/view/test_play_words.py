"""What is said of a play: what it is for, what came of it, what pops up; and what a script is said to do."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import product
from pathlib import Path

import pytest
from approved import Wordings, approve_wordings
from batllm_arcade_plugins.console_log import describe as console_line
from batllm_arcade_plugins.scripted import DEPTHS, VARIANTS
from plays import bot, game, plays, single

from batllm_arcade.brains.manner import Manner
from batllm_arcade.brains.orders import STYLES, Reading
from batllm_arcade.brains.protocol import SeatInfo
from batllm_arcade.brains.tactician import StylePlay
from batllm_arcade.core.commands import Rotate
from batllm_arcade.core.events import BotHit
from batllm_arcade.settings import config
from batllm_arcade.view import theme
from batllm_arcade.view.cut_words import ended, reading_seconds
from batllm_arcade.view.look import effects as look
from batllm_arcade.view.play_text import advice, describe, did, outcome
from batllm_arcade.view.play_words import (
    MOST_WORDS,
    PLAY_S,
    ReadingPace,
    brain_words,
    deed_words,
    in_one_line,
    player_words,
    script_words,
    shortened_to_words,
    word_count,
)
from batllm_arcade.view.reading_words import command_span, excerpt, reading_of, worded
from batllm_arcade.view.scene import Effect
from batllm_arcade.view.timeline import Timeline

ARENA, COUCH, DEFAULT = (config.load(name).rules for name in ("arena", "couch", "default"))
RULES = {"arena": ARENA, "no armour": replace(ARENA, side_damage=1, back_damage=1), "default": DEFAULT}
TOKENS = ("B", "S1", "S0", "C90", "A85", "C80", "C5", "M", "M-60", "")
NOWHERE = SeatInfo("a", "fake:a"), SeatInfo("b", "fake:b")


def situations():
    """Plays of a bot that looks each way, with charge and shield or without, far from the other, near it, at a wall."""
    far = product(TOKENS, [300], (0, 90, 180, 265), [(False, 9), (False, 1), (True, 9), (True, 1)], [800], (0, 90, 180))
    near = product(TOKENS, [500, 60], (0, 180, 270), [(False, 9), (False, 0)], [620], (180,))
    for (token, x, rot, (shield, charge), foe_x, foe_rot), covered in product([*far, *near], (False, True)):
        yield token, bot(x, rot, shield, charge), bot(foe_x, foe_rot, covered)


def test_what_is_said_of_plays_is_as_it_was_approved():
    said = Wordings()
    for (name, rules), (token, me, foe) in product(RULES.items(), situations()):
        if token == "M-60" and not rules.back_step:
            continue
        records = single(token, me, foe, rules)
        play, where = plays(records)[0], f"{name}: {token or '-'} {_state(me)} {_state(foe)}"
        deed = deed_words(play, rules)
        assert word_count(deed) <= MOST_WORDS
        said.note("deed", deed, where)
        said.note("outcome", outcome(play, rules)[0], where)
        said.note("does", describe(play.command), where)
        said.note("console", console_line(play, armour=rules.has_armour).split("  ")[-1], where)
        for effect in Timeline.of(records[:2]).segments[-1].effects:
            words = look.words(effect)
            if words:
                said.note(f"at the bot, {effect.kind}", words.text, where)
    approve_wordings(Path(__file__).parent / "approved" / "plays.txt", said)


def _state(bot):
    return f"{bot.x:g}/{bot.rot:g}{'+' if bot.shield else ''}c{bot.charge}"


def test_a_play_that_failed_has_no_reason():
    (play,) = plays(single("B", bot(300, 0), bot(800, 90), ARENA))
    assert deed_words(replace(play, status="invalid"), ARENA) == ""


def test_a_shot_that_meets_the_side_of_a_bot_that_faces_who_fires_is_a_grazing_one():
    shots = [plays(single("B", replace(bot(300, 0), y=500.0 + aside), bot(800, 180), ARENA))[0] for aside in range(50)]
    assert {outcome(play, ARENA)[0] for play in shots} == {
        "a hit in the front",
        "a \u00d72 grazing hit in the side!",
    }


def test_the_last_hit_is_as_hard_as_any_however_little_health_was_left():
    records = single("B", bot(300, 0), bot(800, 0).hurt(4), ARENA)
    assert sum(event.damage for event in plays(records)[0].events if isinstance(event, BotHit)) == 4
    segment = Timeline.of(records[:2]).segments[-1]
    assert [look.words(effect).text for effect in segment.effects if effect.kind == "hit"] == ["BACK -42"]
    assert segment.health[1].old == 4  # the bar falls from what was left


@pytest.mark.parametrize("text", ["", "side", "back", "off the wall"])
def test_what_a_hit_takes_is_in_the_colour_of_who_took_it(text):
    for hit in (0, 1):
        color = look.words(Effect("hit", 0.0, 0.9, (0.0, 0.0), 0.0, hit, 12.0, text)).color
        assert math.dist(color, theme.SEAT_COLORS[hit]) < math.dist(color, theme.SEAT_COLORS[1 - hit])


def test_while_a_match_loads_each_rule_that_is_on_is_said():
    assert advice(ARENA) == (
        "Walking loads your gun; shooting and blocking empty it.",
        "Never show your back.",
        "Off the wall a bullet takes 14, front or not.",
        "You turn a quarter at most.",
        "Bump it and it spins: its side is yours.",
    )
    assert "You turn 45\u00b0 at most." in advice(replace(ARENA, turn_limit=45))
    assert (len(advice(COUCH)), advice(DEFAULT)) == (2, ())
    for figures in ({"bounce_cap": 0}, {"bullet_damage": (12, 20)}, {"side_damage": 1, "back_damage": 1}):
        assert "A bullet comes off the wall, once." in advice(replace(ARENA, **figures))


def test_every_script_of_the_program_is_told_of():
    told = [script_words(SeatInfo(name, f"scripted:{name}")) for name in VARIANTS]
    assert all(told)
    assert all(word_count(words) <= MOST_WORDS for words in told)


@pytest.mark.parametrize(
    ("brain", "options", "words"),
    [
        *(("strategist", {"depth": str(moves)}, f"looks {moves} move{'s' * (moves > 1)} ahead") for moves in DEPTHS),
        ("strategist", {}, "looks 2 moves ahead"),
        ("strategist", {"depth": "1", "level": "rookie"}, "looks 1 move ahead"),
        ("strategist", {"depth": "3", "level": "merciless"}, "looks 4 moves ahead"),
        ("strategist", {"depth": "many"}, "looks 2 moves ahead"),
        ("turtle", {}, "raises its shield when threatened, creeps up, fires"),
    ],
)
def test_who_was_told_nothing_is_told_by_what_its_script_does(brain, options, words):
    assert player_words(SeatInfo(brain, f"scripted:{brain}", options=options)) == f"Script: {words}"


@pytest.mark.parametrize(
    ("seat", "words"),
    [
        (SeatInfo("Ann", "keyboard", human=True), "a person"),
        (SeatInfo("turret", "turret"), "no orders"),
        (SeatInfo("SmolLM2", "embedded:tactics,model=/home/me/secret.gguf"), "no orders"),
    ],
)
def test_who_has_no_script_is_told_by_what_it_is(seat, words):
    assert player_words(seat) == words


@pytest.mark.parametrize(
    ("shorten", "text", "shown"),
    [
        (
            shortened_to_words,
            "I will wait behind my shield until the battery is full",
            "I will wait behind my shield\u2026",
        ),
        (shortened_to_words, "The enemy is at distance 512 and its shield is up", "The enemy is at distance 512\u2026"),
        (
            shortened_to_words,
            "Too close, so I have to turn away from it now",
            "Too close, so I have to turn away\u2026",
        ),
        (
            shortened_to_words,
            "敌人就在我的左边，距离大约五百，他的护盾已经打开",
            "敌人就在我的左边，距离大约五百\u2026",
        ),
        (
            shortened_to_words,
            "保持距离，等待他的护盾放下来的那一刻，然后开火",
            "保持距离，等待他的护盾放下来的那\u2026",
        ),
        (shortened_to_words, "我要先转向他，然后开火。", "我要先转向他，然后开火。"),
        (ended, "never so close that he can get behind you, and", "never so close that he can get behind you\u2026"),
        (ended, "when he looks away; otherwise keep", "when he looks away\u2026"),
        (ended, "靠近他，从侧面打他，别浪费子弹；如果", "靠近他，从侧面打他，别浪费子弹\u2026"),
        (ended, "it leads 2 : 1", "it leads 2 : 1\u2026"),
        (ended, "the", "the\u2026"),
        (in_one_line, "Stay close\nNever shoot", "Stay close. Never shoot"),
        (in_one_line, "Stay close.\n\nNever shoot!\nWait", "Stay close. Never shoot! Wait"),
        (in_one_line, "- stay close\n- never shoot", "stay close, never shoot"),
        (in_one_line, "Raise your shield and\r\n  shoot him", "Raise your shield and shoot him"),
        (
            in_one_line,
            "Stay away from the other bot for all of it\nor lose",
            "Stay away from the other bot for all of it or lose",
        ),
        (in_one_line, "one   line", "one line"),
        (in_one_line, " \n ", ""),
        (worded, "holding fire: fully loaded, taking aim", "Holding fire: fully loaded, watching it"),
    ],
)
def test_a_text_is_shorter_and_says_something(shorten, text, shown):
    assert shorten(text) == shown


def test_characters_count_where_there_are_no_spaces_between_words():
    assert [word_count(text) for text in ("", "shield up\u2026", "我要先转向他，然后开火。")] == [0, 2, 6]


def test_a_turn_of_less_than_half_a_degree_is_hardly_one():
    turns = [describe(Rotate(degrees, "")) for degrees in (0.4, -0.4, 0.6)]
    assert turns == ["hardly turns", "hardly turns", "turns right 1\u00b0"]


def test_a_play_is_told_to_turn_as_far_as_the_rules_let_it():
    wished = [plays(game(f"A {token}", rules=rules))[0] for rules in (ARENA, DEFAULT) for token in ("A152", "C152")]
    assert [did(play) for play in wished] == [
        "turns left 90\u00b0", "turns right 90\u00b0", "turns left 152\u00b0", "turns right 152\u00b0",
    ]  # fmt: skip
    assert [play.command.token for play in wished[:2]] == ["A152", "C152"]


def test_who_toggles_the_shield_is_told_to_have_it_up_or_down():
    assert [did(play) for play in plays(game("A S", "A S"))] == ["shield up", "shield down"]


@pytest.mark.parametrize(("most", "words"), [
    (60, "embedded:tactics  rookie  SmolLM2-135M-Instruct-Q4_K_M"), (38, "embedded:tactics  rookie  SmolLM2-135M"),
    (30, "embedded:tactics  rookie"),
])  # fmt: skip
def test_of_a_model_s_name_whole_parts_are_told(most, words):
    seat = SeatInfo("SmolLM2", "embedded:tactics", "SmolLM2-135M-Instruct-Q4_K_M")
    assert brain_words(seat, "rookie", lambda text: len(text) <= most) == words


# How long words stay

ASIDE = "I step aside before it fires again"


def thinking(thought, bot=0):
    play = plays(game("A C0", "B C0"))[bot]
    return replace(play, decision=replace(play.decision, thought=thought))


@pytest.mark.parametrize(
    ("words", "seconds"), [(0, 0.0), (1, 0.9), (3, 0.9), (4, 1.2), (6, 1.8), (8, 2.4), (9, 2.5), (40, 2.5)]
)
def test_new_words_stay_as_long_as_they_take_to_read_within_bounds(words, seconds):
    assert reading_seconds(words) == pytest.approx(seconds)
    waited = ReadingPace().lead(thinking(" ".join(["word"] * words)), waits=True)
    assert words > MOST_WORDS or waited == pytest.approx(max(0.0, seconds - PLAY_S))


def test_words_are_waited_for_once_while_they_are_remembered_and_only_by_who_watches():
    assert ReadingPace().lead(thinking(ASIDE), waits=False) == 0.0
    pace, fire = ReadingPace(), "Now I fire"
    said = [(ASIDE, 0), (ASIDE, 0), (ASIDE, 1), (fire, 0), (ASIDE, 0), ("I wait", 0), ("I turn", 0), (ASIDE, 0)]
    waits = [pace.lead(thinking(words, bot), waits=True) > 0 for words, bot in said]
    assert waits == [True, False, True, True, False, True, True, True]


# How orders were read


def test_what_the_tactician_writes_is_found_again():
    reading = Reading(dict.fromkeys(STYLES, 0.0) | {"camp": 0.81, "hold_fire": 0.12, "idle": 0.07})
    shown = reading_of(f"{reading.shown()} — {StylePlay('camp', 'S1', 'in the corner, shield up').sentence}")
    assert shown.shares == [("corner", 0.81), ("holds fire", 0.12), ("does nothing", 0.07)]
    assert shown.sentence == "In the corner: shield up"
    outright = Reading(dict.fromkeys(STYLES, 0.0) | {"attack": 1.0}, rules=("flank",))  # a rule is no share
    shown = reading_of(f"{outright.shown()} \u2014 {StylePlay('attack', 'S1', 'taking aim').sentence}")
    assert [share for _, share in shown.shares] == [1.0]
    hurt = Reading(dict.fromkeys(STYLES, 0.0) | {"snipe": 1.0}, manner=Manner(near=0.0, bold=0.0))
    shown = reading_of(StylePlay("snipe", "S1", "aimed at, shield up", hurt, when="when it is near").thought)
    assert (shown.shares, shown.aside) == ([("from afar", 1.0)], "when it is near: keeps 760 away, shields early")
    placed = Reading(dict.fromkeys(STYLES, 0.0) | {"camp": 1.0}, place="top right corner", unread=("sing",))
    shown = reading_of(StylePlay("camp", "M", "walking to its place", placed).thought)
    assert (shown.shares, shown.aside) == ([("top right corner", 1.0)], "part not understood")
    many = " · ".join(f"{style} 0.20" for style in STYLES[:5])
    assert len(reading_of(f"{many} — attacking: taking aim").shares) == 3


def test_who_says_that_its_orders_are_unclear_says_it_in_plain_words():
    reading = Reading(dict.fromkeys(STYLES, 0.0) | {"retreat": 0.46, "charge": 0.54})
    first = StylePlay("snipe", "C90", "too close, turning away", reading, unclear=True)
    assert reading_of(first.thought).sentence == "Unclear orders: too close, turning away"
    assert reading_of(first.thought).does == "Too close: turning away"  # who watches need not know
    assert reading_of(first._replace(unclear=False).thought).sentence == "Too close: turning away"


@pytest.mark.parametrize(
    "thought", ["", "I turn left", "patience 0.81 — waiting", "camp 0.81", "camp 81 — camping: x", "camp 0.81 — "]
)
def test_other_thoughts_are_text(thought):
    assert reading_of(thought) is None


# The command in a reply


@pytest.mark.parametrize(
    ("raw", "command", "before"),
    [
        ("C17", "C17", ""),
        ('"C17"', "C17", '"'),
        (" c17\n", "C17", " "),
        ('{"cmd": "B", "reasoning": "B is best"}', "B", '{"cmd": "'),
        ('{"reasoning": "B is best", "cmd" : "B"}', "B", '{"reasoning": "B is best", "cmd" : "'),
        ("<think>M or B? B!</think>B", "B", "<think>M or B? B!</think>"),
        ("<think>M</think>{}", "M", "<think>"),
        ("M or B?[/THINK]B", "B", "M or B?[/THINK]"),
        (
            "<|channel|>analysis<|message|>B!<|end|><|channel|>final<|message|>B<|return|>",
            "B",
            "<|channel|>analysis<|message|>B!<|end|><|channel|>final<|message|>",
        ),
        ('{"button_presses": ["right", "a"], "reasoning": "hit"}', "C15", '{"button_presses": ['),
        ("x" * 50_000 + " S0", "S0", "x" * 50_000 + " "),
        *(
            (raw, command, None)
            for raw, command in [("", "B"), ("B", None), ("C175", "C17"), ("Back", "B"), ("x1.5", "5")]
        ),
    ],
)
def test_the_command_is_picked_out_and_nothing_that_only_looks_like_it(raw, command, before):
    span = command_span(raw, command)
    assert (span and raw[: span[0]]) == before


def test_an_excerpt_shows_the_surroundings_of_the_command():
    raw = "a" * 500 + " M " + "b" * 500
    before, token, after = excerpt(raw, command_span(raw, "M"), 20, 30)
    assert (before, token, after) == ("\u2026" + "a" * 19 + " ", "M", " " + "b" * 29 + "\u2026")
    assert excerpt("one\n two", None, 5, 40) == ("", "", "one two")
