"""A step that runs into the other bot, as it is seen: the other stands, is shoved, and ends where the rules say."""

from __future__ import annotations

from dataclasses import replace

import pytest
from fakes import eventful

from batllm_arcade.core.events import BotBumped
from batllm_arcade.core.model import Arena, BotState, Rules
from batllm_arcade.core.rules import read_command, step
from batllm_arcade.match.records import Play
from batllm_arcade.view.timeline import Timeline


def bumped() -> tuple[Timeline, float, float, Play]:
    """A match whose first play is a step into the other bot, and when that play acts and ends."""
    rules = Rules(bot_radius=60, step_length=100, bump_push=60, bump_turn=150)
    before = Arena(BotState(300, 500, 0, 100, False), BotState(480, 500, 180, 100, False))
    after, events = step(before, 0, read_command("M", rules), rules)
    timeline = Timeline()
    for record in eventful():
        if isinstance(record, Play):
            play = replace(record, bot=0, before=before, after=after, events=events)
            timeline.append(play)
            return timeline, timeline.segments[-1].acts, timeline.segments[-1].end, play
        timeline.append(record)
    raise AssertionError("no play")


def test_the_other_stands_until_it_is_met_and_ends_shoved_and_turned():
    timeline, acts, ends, play = bumped()
    bump = next(event for event in play.events if isinstance(event, BotBumped))
    first, last = (timeline.at(t).bots[1] for t in (acts + 0.01, ends + 0.01))
    assert (first.x, first.y, first.rot % 360) == (*bump.start, 180)
    assert (last.x, last.y, last.rot % 360) == (*bump.end, 330)
    places = [timeline.at(acts + (ends - acts) * share / 20).bots[1].x for share in range(21)]
    assert places == sorted(places)
    assert ends - acts > 0.6
    sparks = [effect.at for effect in timeline.segments[-1].effects if effect.kind == "bump"]
    assert sparks == [pytest.approx((430, 500))]  # where they meet, by the radius of this match
