"""A battery that runs dry is seen: the shield that drops, the command that is refused, the words for it."""

from __future__ import annotations

import pytest

from batllm_arcade.brains.protocol import Decision, SeatInfo
from batllm_arcade.core.commands import parse
from batllm_arcade.core.events import FireRefused, ShieldBroke, ShieldFaded, ShieldRefused
from batllm_arcade.core.model import Arena, BotState
from batllm_arcade.core.rules import step
from batllm_arcade.match.records import GameStarted, Play
from batllm_arcade.settings import config
from batllm_arcade.view.play_text import outcome
from batllm_arcade.view.timeline import Timeline

COUCH = config.load("couch").rules
NOON = "2026-01-01T12:00:00.000000Z"
ME, FOE = 0, 1
REFUSED = {"refused", "uncharged"}


def bot(x, rot=0.0, shield=False, charge=9):
    return BotState(x, 500.0, rot, 100.0, shield, charge)


def shown(token, me, foe=None):
    """The left bot's play, the timeline that ends with it, and the segment that shows it."""
    before = Arena(me, foe or bot(800.0, 180.0))
    command = parse(token)
    after, events = step(before, ME, command, COUCH)
    play = Play(1, 1, 1, 1, ME, Decision(token, token), command, "ok", "", 0.1, NOON, before, after, events)
    seats = (SeatInfo("left", "fake"), SeatInfo("right", "fake"))
    timeline = Timeline.of([GameStarted(1, 1, COUCH, seats, before), play])
    return play, timeline, timeline.segments[-1]


def shield(timeline, bot_index, t):
    return timeline.at(t).bots[bot_index].shield


def test_a_shield_that_breaks_is_up_until_the_bullet_lands_and_then_drops():
    play, timeline, segment = shown("B", bot(200.0), bot(800.0, 180.0, True, 2))
    assert ShieldBroke in map(type, play.events)
    assert shield(timeline, FOE, segment.flight[1] - 0.01) == 1
    assert shield(timeline, FOE, segment.flight[1] + segment.hold) == 1  # it stops that bullet yet
    assert shield(timeline, FOE, segment.end) == 0
    assert [effect.kind for effect in segment.effects].count("block") == 1


def test_a_shield_that_has_charge_left_stays_up_where_it_stops_a_bullet():
    _, timeline, segment = shown("B", bot(200.0), bot(800.0, 180.0, True, 3))
    assert shield(timeline, FOE, segment.end) == 1


@pytest.mark.parametrize("token", ["S1", "C40"])
def test_a_shield_that_fades_is_up_during_the_play_and_down_after_it(token):
    play, timeline, segment = shown(token, bot(200.0, shield=True, charge=1))
    assert ShieldFaded in map(type, play.events)
    assert shield(timeline, ME, segment.start + 0.01) == 1
    assert 0 <= shield(timeline, ME, segment.end) < 0.01
    assert shield(timeline, FOE, segment.end) == 0


@pytest.mark.parametrize(
    ("token", "me", "event", "words"),
    [
        ("S1", bot(200.0, charge=1), ShieldRefused, "no shield: charge 1 of 2"),
        ("B", bot(200.0, charge=2), FireRefused, "too little charge: 2 of 3"),
        ("B", bot(200.0, shield=True), FireRefused, "its own shield is up: nothing happened"),
    ],
)
def test_a_refused_command_is_seen_at_the_bot_and_the_panel_says_why(token, me, event, words):
    play, timeline, segment = shown(token, me)
    assert event in map(type, play.events)
    assert outcome(play, COUCH)[0] == words
    (effect,) = (effect for effect in segment.effects if effect.kind in REFUSED)
    assert (effect.bot, effect.at) == (ME, (me.x, me.y))
    assert segment.flight is None
    assert shield(timeline, ME, segment.end) == float(me.shield)


def test_a_shot_and_a_shield_that_have_the_charge_are_not_called_refused():
    for token in ("B", "S1"):
        play, _, segment = shown(token, bot(200.0, charge=3))
        assert "charge" not in outcome(play, COUCH)[0]
        assert not REFUSED & {effect.kind for effect in segment.effects}
