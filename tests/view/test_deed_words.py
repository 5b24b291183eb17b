"""What is told of a bot that tells no thought: what its play is for, what its script does."""

from __future__ import annotations

from dataclasses import replace

import pytest
from batllm_arcade_plugins.scripted import DEPTHS, VARIANTS

from batllm_arcade.brains.protocol import Decision, SeatInfo
from batllm_arcade.core.model import Arena, BotState
from batllm_arcade.core.rules import read_command, step
from batllm_arcade.match.records import Play
from batllm_arcade.settings import config
from batllm_arcade.view.play_words import MOST_WORDS, deed_words, player_words, script_words, word_count

RULES = config.load("arena").rules
PLAIN = config.load("default").rules
NOON = "2026-01-01T12:00:00.000000Z"
EAST, SOUTH, WEST, NORTH = 0, 90, 180, 270


def bot(x, rot=EAST, shield=False, charge=9):
    return BotState(x, 500.0, rot, 100.0, shield, charge)


def played(token, me, foe, rules=RULES, status="ok"):
    before, command = Arena(me, foe), read_command(token, rules)
    after, events = step(before, 0, command, rules)
    return Play(1, 1, 1, 1, 0, Decision(token, token), command, status, "", 0.1, NOON, before, after, events)


FAR = bot(800, SOUTH)
AIMS = bot(800, WEST)


@pytest.mark.parametrize(
    ("token", "me", "foe", "words"),
    [
        ("B", bot(300), AIMS, "Lined up: fires"),
        ("B", bot(300), FAR, "Its side is open: fires"),
        ("B", bot(300), bot(800, EAST), "Its back is open: fires"),
        ("B", bot(300, WEST), bot(800, WEST), "Lined up off a wall: fires"),
        ("B", bot(300, SOUTH), FAR, "Tries a shot"),
        ("B", bot(300, shield=True), FAR, "Fires behind its own shield"),
        ("B", bot(300, charge=0), FAR, "Not loaded: cannot fire"),
        ("S1", bot(300), AIMS, "Aimed at: raises the shield"),
        ("S1", bot(300), FAR, "Raises the shield"),
        ("S1", bot(300, shield=True), AIMS, "Keeps the shield up"),
        ("S1", bot(300, charge=0), AIMS, "No charge for the shield"),
        ("S0", bot(300, shield=True), AIMS, "Lined up: shield down to fire"),
        ("S0", bot(300, shield=True, charge=1), AIMS, "Shield down to load"),
        ("S0", bot(300, SOUTH, shield=True), AIMS, "Lowers the shield"),
        ("C90", bot(300, NORTH), AIMS, "Turns to aim"),
        ("C90", bot(300, SOUTH), AIMS, "Turns to aim off a wall"),
        ("C80", bot(300, 265), AIMS, "Turns to face it"),
        ("C50", bot(300, 200), FAR, "Turns towards it"),
        ("C70", bot(300), AIMS, "Aimed at: turns to step aside"),
        ("C70", bot(300), FAR, "Turns away"),
        ("C70", bot(300, charge=0), FAR, "Turns to walk and load"),
        ("M", bot(300, SOUTH), AIMS, "Aimed at: steps aside"),
        ("M", bot(300, charge=0), FAR, "Walks to load"),
        ("M", bot(300), FAR, "Walks closer"),
        ("M", bot(300, WEST), FAR, "Walks away"),
        ("M", bot(300, SOUTH), FAR, "Walks around it"),
        ("M", bot(RULES.bot_radius + 5, WEST), FAR, "Walks, but the way is blocked"),
        ("M-60", bot(300), FAR, "Steps back"),
        ("", bot(300, charge=0), FAR, "Rests to load"),
        ("", bot(300, shield=True), FAR, "Waits behind its shield"),
        ("", bot(300), FAR, "Loaded: waits"),
    ],
)
def test_what_a_play_is_for_is_seen_from_where_both_stand(token, me, foe, words):
    assert deed_words(played(token, me, foe), RULES) == words
    assert word_count(words) <= MOST_WORDS


def test_no_side_is_open_where_all_are_worth_the_same_and_no_shield_is_up():
    shot = played("B", bot(300), FAR, PLAIN)
    assert deed_words(shot, PLAIN) == "Lined up: fires"
    assert deed_words(played("B", bot(300), replace(FAR, shield=True), PLAIN), PLAIN) == "Its side is open: fires"


def test_a_play_that_failed_has_no_reason():
    assert deed_words(played("B", bot(300), FAR, status="invalid"), RULES) == ""


def test_every_script_of_the_program_is_told_of():
    told = [script_words(SeatInfo(name, f"scripted:{name}")) for name in VARIANTS]
    assert all(told)
    assert all(word_count(words) <= MOST_WORDS for words in told)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({}, "looks 2 moves ahead"),
        *(({"depth": str(depth)}, f"looks {depth} move{'s' * (depth > 1)} ahead") for depth in DEPTHS),
        ({"depth": "1", "level": "rookie"}, "looks 1 move ahead"),
        ({"depth": "3", "level": "merciless"}, "looks 4 moves ahead"),
        ({"depth": "many"}, "looks 2 moves ahead"),
    ],
)
def test_how_far_a_strategist_looks_ahead_is_told(options, words):
    assert script_words(SeatInfo("strategist", "scripted:strategist", options=options)) == words


@pytest.mark.parametrize(
    ("seat", "words"),
    [
        (SeatInfo("turtle", "scripted:turtle"), "Script: raises its shield when threatened, creeps up, fires"),
        (SeatInfo("Ann", "keyboard", human=True), "a person"),
        (SeatInfo("turret", "turret"), "no orders"),
        (SeatInfo("SmolLM2", "embedded:tactics,model=/home/me/secret.gguf"), "no orders"),
    ],
)
def test_who_was_told_nothing_is_told_by_what_it_does_or_is(seat, words):
    assert player_words(seat) == words
