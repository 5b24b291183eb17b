"""A bullet that comes off a wall: where it is at each moment, its sparks, its sound and what is said of it."""

from __future__ import annotations

import math

import pytest
from fakes import eventful, played

from batllm_arcade.core.events import BotHit, BulletFlew
from batllm_arcade.core.model import Rules
from batllm_arcade.match.records import Play
from batllm_arcade.view import animation as bullet_path
from batllm_arcade.view.animation import Segment
from batllm_arcade.view.look.effects import words
from batllm_arcade.view.play_text import outcome
from batllm_arcade.view.sound_cues import cues
from batllm_arcade.view.timeline import Timeline

RULES = Rules(
    total_rounds=1, turns_per_round=12, ricochet=1, initial_shield=False, bot_radius=150, side_damage=2, back_damage=3
)


@pytest.fixture(scope="module")
def timeline() -> Timeline:
    return Timeline.of(played(["C40", "B"] * 6, ["A70", "B"] * 6, rules=RULES, seed=4))


def flown(timeline: Timeline) -> list[tuple[Segment, Play, BulletFlew]]:
    """The bounced shots: segment, play, event."""
    return [
        (segment, segment.record, event)
        for segment in timeline.segments
        if isinstance(segment.record, Play)
        for event in segment.record.events
        if isinstance(event, BulletFlew) and event.bounce is not None
    ]


def off_line(point: tuple[float, float], start: tuple[float, float], end: tuple[float, float]) -> float:
    """How much longer the way from start to end is by way of a point."""
    return math.dist(start, point) + math.dist(point, end) - math.dist(start, end)


def test_a_bullet_flies_to_the_wall_and_from_there_on(timeline):
    shots = flown(timeline)
    assert len(shots) >= 4
    for segment, _, flew in shots:
        leaves, lands = segment.flight
        for number in range(1, 60):
            (bullet,) = timeline.at(leaves + (lands - leaves) * number / 60).bullets
            legs = bullet_path.legs(flew)
            assert min(max(off_line(bullet.head, *leg), off_line(bullet.tail, *leg)) for leg in legs) < 1e-6
            far = bullet_path.length(flew) * number / 60
            along = (
                math.dist(flew.start, bullet.head)
                if far < math.dist(*legs[0])
                else math.dist(*legs[0]) + math.dist(flew.bounce, bullet.head)
            )
            assert along == pytest.approx(far)


def test_sparks_fly_off_the_wall_as_the_bullet_reaches_it_and_a_click_is_heard(timeline):
    for segment, _, flew in flown(timeline):
        (spark,) = (effect for effect in segment.effects if effect.kind == "bounce")
        assert spark.at == flew.bounce
        (bullet,) = timeline.at(spark.start).bullets
        assert bullet.head == pytest.approx(flew.bounce, abs=1e-6)
        inside = (
            flew.bounce[0] + 9 * math.cos(math.radians(spark.degrees)),
            flew.bounce[1] + 9 * math.sin(math.radians(spark.degrees)),
        )
        assert 0 < inside[0] < RULES.arena_width
        assert 0 < inside[1] < RULES.arena_height
        heard = [cue.at for cue in cues(timeline, segment.start, segment.end) if cue.sound == "bounce"]
        assert heard == [spark.start]


def test_what_it_leaves_behind_bends_at_the_wall(timeline):
    for segment, _, flew in flown(timeline):
        traces = [effect for effect in segment.effects if effect.kind == "trace"]
        ends = [
            (
                t.at[0] + t.amount * math.cos(math.radians(t.degrees)),
                t.at[1] + t.amount * math.sin(math.radians(t.degrees)),
            )
            for t in traces
        ]
        assert [trace.at for trace in traces] == [flew.start, flew.bounce]
        assert ends[0] == pytest.approx(flew.bounce, abs=1e-6)
        assert ends[1] == pytest.approx(flew.end, abs=1e-6)


def test_a_hit_off_the_wall_is_called_so(timeline):
    hits = [(play, flew) for _, play, flew in flown(timeline) if any(isinstance(e, BotHit) for e in play.events)]
    assert hits
    for segment, _, _ in flown(timeline):
        said = [words(effect).text for effect in segment.effects if effect.kind == "hit"]
        assert all(text.startswith("OFF THE WALL -") for text in said)
    for play, _ in hits:
        assert outcome(play, RULES)[0].startswith("off a wall, ")


def test_where_bullets_fly_straight_none_has_sparks_at_a_wall_on_its_way():
    straight = [segment for segment in Timeline.of(eventful()).segments if segment.flight]
    assert straight
    assert not [effect for segment in straight for effect in segment.effects if effect.kind == "bounce"]
