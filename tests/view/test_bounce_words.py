"""What is said of bounces and back steps: in panels and pages, while a match loads, and on the console."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from batllm_arcade_plugins.console_log import describe as console_line

from batllm_arcade.brains.protocol import Decision, SeatInfo
from batllm_arcade.core.events import BotHit
from batllm_arcade.core.model import Arena, BotState
from batllm_arcade.core.rules import read_command, step
from batllm_arcade.match.records import GameStarted, Play
from batllm_arcade.settings import config
from batllm_arcade.view import play_text, theme
from batllm_arcade.view.look import effects as look
from batllm_arcade.view.scene import Effect
from batllm_arcade.view.timeline import Timeline

RULES = config.load("arena").rules
PLAIN = replace(RULES, side_damage=1, back_damage=1)
NOON = "2026-01-01T12:00:00.000000Z"
EAST, SOUTH, WEST = 0, 90, 180


def bot(x, rot=EAST, shield=False):
    return BotState(x, 500.0, rot, 100.0, shield, 9)


def played(token, me, foe=None, rules=RULES):
    before = Arena(me, foe or bot(800, WEST))
    command = read_command(token, rules)
    after, events = step(before, 0, command, rules)
    return Play(1, 1, 1, 1, 0, Decision(token, token), command, "ok", "", 0.1, NOON, before, after, events)


@pytest.mark.parametrize(
    ("foe", "rules", "words", "line"),
    [
        (bot(800, WEST), RULES, "off a wall, in the front", "hit front off a wall"),
        (bot(800, SOUTH), RULES, "off a wall, in the side: no bonus", "hit side off a wall"),
        (bot(800, EAST), RULES, "off a wall, in the back: no bonus", "hit back off a wall"),
        (bot(800, EAST), PLAIN, "a hit off a wall!", "hit off a wall"),
        (bot(800, EAST, shield=True), RULES, "off a wall, past the shield!", "hit back off a wall"),
        (bot(800, WEST, shield=True), RULES, "off a wall, blocked by the shield", "blocked off a wall"),
    ],
)
def test_a_shot_off_a_wall_is_said_to_be_one(foe, rules, words, line):
    play = played("B", bot(300, WEST), foe, rules)
    assert play_text.outcome(play, rules)[0] == words
    assert console_line(play, armour=rules.has_armour).endswith(line)


def test_a_shot_that_meets_the_side_of_a_bot_that_faces_who_fires_is_a_grazing_one():
    for foe, words in ((bot(800, WEST), "a hit in the front"), (bot(800, SOUTH), "a \u00d72 hit in the side!")):
        assert play_text.outcome(played("B", bot(300), foe), RULES)[0] == words
    grazes = next(
        play for play in (played("B", replace(bot(300), y=500.0 + each), bot(800, WEST)) for each in range(50))
        if "side" in play_text.outcome(play, RULES)[0]
    )  # fmt: skip
    assert play_text.outcome(grazes, RULES)[0] == "a \u00d72 grazing hit in the side!"


@pytest.mark.parametrize(
    ("foe", "rules", "words", "shown"),
    [
        (bot(800, WEST), PLAIN, "a hit!", "-12"),
        (bot(800, SOUTH), PLAIN, "a hit!", "-12"),
        (bot(800, EAST), PLAIN, "a hit from behind!", "-12"),
        (bot(800, SOUTH, shield=True), PLAIN, "a hit past the shield!", "PAST THE SHIELD -12"),
        (bot(800, EAST, shield=True), PLAIN, "a hit past the shield!", "PAST THE SHIELD -12"),
        (bot(800, WEST, shield=True), PLAIN, "blocked by the shield", None),
        (bot(800, SOUTH, shield=True), RULES, "past the shield, \u00d72 in the side!", "SIDE -24"),
        (bot(800, EAST, shield=True), RULES, "past the shield, \u00d73 in the back!", "BACK -36"),
    ],
)
def test_a_hit_past_a_raised_shield_or_from_behind_is_said_to_be_one(foe, rules, words, shown):
    play = played("B", bot(300), foe, rules)
    assert play_text.outcome(play, rules)[0] == words
    seats = SeatInfo("a", "fake:a"), SeatInfo("b", "fake:b")
    timeline = Timeline.of([GameStarted(1, 1, rules, seats, play.before), play])
    hits = [effect for effect in timeline.segments[-1].effects if effect.kind == "hit"]
    assert [look.words(hit).text for hit in hits] == ([shown] if shown else [])


def test_the_last_hit_is_as_hard_as_any_however_little_health_was_left():
    play = played("B", bot(300), bot(800, EAST).hurt(4))
    assert sum(event.damage for event in play.events if isinstance(event, BotHit)) == 4
    seats = SeatInfo("a", "fake:a"), SeatInfo("b", "fake:b")
    segment = Timeline.of([GameStarted(1, 1, RULES, seats, play.before), play]).segments[-1]
    assert [look.words(effect).text for effect in segment.effects if effect.kind == "hit"] == ["BACK -36"]
    assert segment.health[1].old == 4  # the bar falls from what was left


def test_a_straight_hit_and_a_miss_off_a_wall_are_called_as_ever():
    straight = played("B", bot(300), bot(800, EAST))
    assert play_text.outcome(straight, RULES)[0] == "a \u00d73 hit in the back!"
    missed = played("B", bot(300, SOUTH))
    assert missed.events[0].bounce
    assert play_text.outcome(missed, RULES)[0] == "missed"
    assert "wall" not in console_line(straight) + console_line(missed)


def test_a_back_step_is_said_to_be_one_and_what_stopped_it():
    assert play_text.describe(played("M-60", bot(300)).command) == "steps back"
    assert play_text.outcome(played("M-60", bot(300)), RULES)[0] == ""
    assert play_text.outcome(played("M-60", bot(60)), RULES)[0] == "blocked by the wall"
    assert play_text.outcome(played("M-60", bot(300), bot(180)), RULES)[0] == "blocked by the other bot"
    assert " M-60 " in console_line(played("M-60", bot(300)))


def test_while_a_match_loads_each_rule_that_is_on_is_said():
    assert play_text.advice(RULES) == (
        "Walking loads your gun; shooting and blocking empty it.",
        "Never show your back.",
        "Off the wall a bullet takes 12, front or not.",
        "Too close and empty? Step back: you keep aiming.",
    )
    assert len(play_text.advice(config.load("couch").rules)) == 2
    assert play_text.advice(config.load("default").rules) == ()
    for figures in ({"bounce_cap": 0}, {"bullet_damage": (12, 20)}, {"side_damage": 1, "back_damage": 1}):
        assert "A bullet comes off the wall, once." in play_text.advice(replace(RULES, **figures))


@pytest.mark.parametrize("text", ["", "side", "back", "off the wall"])
def test_what_a_hit_takes_is_in_the_colour_of_who_took_it(text):
    for hit in (0, 1):
        color = look.words(Effect("hit", 0.0, 0.9, (0.0, 0.0), 0.0, hit, 12.0, text)).color
        assert math.dist(color, theme.SEAT_COLORS[hit]) < math.dist(color, theme.SEAT_COLORS[1 - hit])
