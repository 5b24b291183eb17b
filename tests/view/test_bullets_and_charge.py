"""A match with a battery, armour and walls that bullets come off: what is seen of it and heard."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import replace
from importlib.resources import files

import pytest
from charged import RULES, charged_match
from fakes import aim, eventful, played, plays
from plays import bot, single

from batllm_arcade.core.events import (
    BotHit,
    BulletFlew,
    FireRefused,
    ShieldBroke,
    ShieldFaded,
    ShieldRefused,
    ShotBlocked,
)
from batllm_arcade.core.model import Rules
from batllm_arcade.match.records import Play
from batllm_arcade.view import animation, theme
from batllm_arcade.view.animation import Segment
from batllm_arcade.view.look.effects import words
from batllm_arcade.view.look.shapes import cartridges, filled, is_loaded, is_weak
from batllm_arcade.view.play_text import outcome
from batllm_arcade.view.sound_cues import cues
from batllm_arcade.view.statistics import report
from batllm_arcade.view.timeline import Timeline, TimelineIndex

RECORDS = charged_match()
SOUNDS = files("batllm_arcade.assets") / "sounds"


@pytest.fixture(scope="module")
def timeline() -> Timeline:
    return Timeline.of(RECORDS)


def effects(timeline: Timeline, kind: str):
    return [effect for segment in timeline.segments for effect in segment.effects if effect.kind == kind]


def play_with(event: type, **values: object) -> Play:
    found = (
        p for p in plays(RECORDS) for e in p.events if type(e) is event and not values.items() - e._asdict().items()
    )
    return next(found)


def segment_of(timeline: Timeline, play: Play):
    return next(segment for segment in timeline.segments if segment.record == play)


# Charge


def test_the_charge_shown_goes_from_one_state_to_the_next(timeline):
    for segment in timeline.segments:
        if isinstance(segment.record, Play):
            play = segment.record
            for bot in (0, 1):
                before, after = sorted((play.before.bot(bot).charge, play.after.bot(bot).charge))
                assert before <= timeline.at(segment.end - 1e-6).bots[bot].charge <= after
    last = plays(RECORDS)[-1].after
    assert [pose.charge for pose in timeline.at(timeline.end).bots] == [last.left.charge, last.right.charge]


def test_a_shot_takes_its_charge_when_the_bullet_leaves_and_a_block_when_it_lands(timeline):
    play = play_with(ShotBlocked)
    (leaves, lands), hold = segment_of(timeline, play).flight, segment_of(timeline, play).hold
    before, after = play.before, play.after
    assert timeline.at(leaves - 0.01).bots[0].charge == before.left.charge
    assert timeline.at(leaves + theme.CHARGE_S).bots[0].charge == after.left.charge
    assert timeline.at(lands + hold).bots[1].charge == before.right.charge
    assert timeline.at(lands + hold + theme.CHARGE_S).bots[1].charge == after.right.charge < before.right.charge


def test_without_a_battery_there_is_no_charge_and_nothing_new_happens():
    rules = replace(RULES, battery=0, side_damage=1, back_damage=1, turns_per_round=4)
    timeline = Timeline.of(played([aim, "B", "B", "S1"], ["S1", "B", "S0", "B"], rules=rules, seed=11))
    assert all(pose.charge == 0 for s in timeline.segments for pose in timeline.at(s.end).bots)
    kinds = {effect.kind for segment in timeline.segments for effect in segment.effects}
    assert not kinds & {"break", "fade", "uncharged"}
    assert {effect.text for effect in effects(timeline, "hit")} <= {"", "past the shield"}


@pytest.mark.parametrize(
    ("battery", "shot", "sizes"),
    [(0, 3, ()), (9, 3, (3, 3, 3)), (10, 3, (3, 3, 3, 1)), (2, 2, (2,)), (5, 0, (5,)), (1000, 3, (1000,))],
)
def test_a_battery_is_shown_as_a_cartridge_per_shot(battery, shot, sizes):
    figures = dict.fromkeys(("initial_charge", "block_charge", "shield_charge", "step_charge", "rest_charge"), 0)
    rules = replace(RULES, battery=battery, shot_charge=shot, **figures)
    assert cartridges(rules) == sizes
    assert all(sum(filled(rules, charge)) == charge for charge in range(battery + 1))


def test_cartridges_fill_one_after_the_other_and_the_gun_is_loaded_from_the_first_full_one():
    assert [filled(RULES, charge) for charge in (0, 2, 4, 9)] == [(0, 0, 0), (2, 0, 0), (3, 1, 0), (3, 3, 3)]
    assert [is_loaded(RULES, charge) for charge in (0, 2, 3, 9)] == [False, False, True, True]
    assert [is_weak(RULES, charge) for charge in (1, 2, 3)] == [True, True, False]


# Events


def test_a_hit_says_its_part_where_there_is_armour(timeline):
    struck = [event for play in plays(RECORDS) for event in play.events if isinstance(event, BotHit)]
    shown = [(effect.text, effect.amount) for effect in effects(timeline, "hit")]
    assert shown == [(event.part, event.damage) for event in struck]
    assert {("front", 12), ("side", 24), ("back", 36)} <= set(shown)


def test_a_shield_breaks_when_the_bullet_has_landed_and_is_gone_then(timeline):
    play = play_with(ShieldBroke)
    segment, (effect,) = segment_of(timeline, play), effects(timeline, "break")
    assert (effect.bot, effect.start) == (1, segment.flight[1])
    assert timeline.at(effect.start).bots[1].shield == 1.0
    assert timeline.at(effect.start + effect.held + theme.SHIELD_S).bots[1].shield == 0.0


def test_a_shield_fades_with_the_charge_that_held_it(timeline):
    (effect,) = effects(timeline, "fade")
    assert effect.bot == play_with(ShieldFaded).bot
    assert timeline.at(effect.start).bots[effect.bot].shield == 1.0
    gone = timeline.at(effect.start + theme.SHIELD_S).bots[effect.bot]
    assert (gone.shield, gone.charge) == (0.0, 0)


def test_a_refusal_says_why(timeline):
    said = [(effect.bot, effect.text) for effect in effects(timeline, "uncharged")]
    assert (0, "too little charge: 1 of 3") in said
    assert (1, "no shield: charge 0 of 2") in said
    refused = [e for p in plays(RECORDS) for e in p.events if isinstance(e, (FireRefused, ShieldRefused))]
    assert len(said) == len(refused) > 2
    behind = Timeline.of(played(["S1", "B"] + ["S0"] * 11, ["S0"] * 13, rules=RULES))
    assert [effect.text for effect in effects(behind, "refused")] == ["shield is up"]


def test_what_happened_is_heard_with_sounds_that_exist(timeline):
    heard = cues(timeline, 0.0, timeline.end + 5)
    (broken,), (faded,) = effects(timeline, "break"), effects(timeline, "fade")
    assert [cue.at for cue in heard if cue.sound == "shield_down"] == [faded.start]
    assert [cue.at for cue in heard if cue.sound == "shield_break"] == [broken.start + broken.held]
    assert Counter(cue.sound for cue in heard)["empty"] == len(effects(timeline, "uncharged"))
    assert {cue.sound for cue in heard} <= {path.name.removesuffix(".wav") for path in SOUNDS.iterdir()}


@pytest.mark.parametrize(("charge", "up"), [(3, 1.0), (2, 0.0)])
def test_a_shield_stops_a_bullet_and_stays_up_with_the_charge_that_is_left(charge, up):
    segment = Timeline.of(single("B", bot(200, 0), bot(800, 180, True, charge))[:2])
    lands, hold = segment.segments[-1].flight[1], segment.segments[-1].hold
    poses = [segment.at(t).bots[1].shield for t in (lands - 0.01, lands + hold, segment.end)]
    assert poses == [1.0, 1.0, up]


@pytest.mark.parametrize("token", ["S1", "C40"])
def test_a_shield_that_runs_dry_is_up_during_the_play_and_down_after_it(token):
    timeline = Timeline.of(single(token, bot(200, 0, True, 1), bot(800, 180))[:2])
    segment = timeline.segments[-1]
    assert timeline.at(segment.start + 0.01).bots[0].shield == 1
    assert 0 <= timeline.at(segment.end).bots[0].shield < 0.01


@pytest.mark.parametrize(("token", "charge", "shield"), [("S1", 1, False), ("B", 2, False), ("B", 9, True)])
def test_a_refused_command_is_seen_at_the_bot_and_one_that_has_its_charge_is_not(token, charge, shield):
    for has, shown in ((charge, 1), (9, int(shield))):
        timeline = Timeline.of(single(token, bot(200, 0, shield, has), bot(800, 180))[:2])
        refused = [e for e in timeline.segments[-1].effects if e.kind in ("refused", "uncharged")]
        assert [(e.bot, e.at) for e in refused] == [(0, (200, 500))] * shown
        assert (timeline.segments[-1].flight is None) == bool(shown or token != "B")


# After the game


def test_the_statistics_count_parts_broken_shields_and_missing_charge():
    told = report(RECORDS)
    left, right = told.seats
    assert left.parts == {"front": 1, "side": 1, "back": 1}
    assert (left.broken, right.broken) == (1, 0)
    assert (left.uncharged, right.uncharged) == (2, 2)
    assert [(mark.kind, mark.bot) for mark in told.marks if mark.kind == "break"] == [("break", 1)]


def test_the_replay_marks_a_broken_shield_instead_of_its_block(timeline):
    marks = [(moment.kind, moment.bot) for moment in TimelineIndex(timeline).moments]
    assert marks.count(("break", 1)) == 1
    assert marks.count(("block", 1)) == 1  # the one before, which held


WALLED = Rules(
    total_rounds=1, turns_per_round=12, ricochet=1, initial_shield=False, bot_radius=150, side_damage=2, back_damage=3
)


@pytest.fixture(scope="module")
def bounced() -> Timeline:
    return Timeline.of(played(["C40", "B"] * 6, ["A70", "B"] * 6, rules=WALLED, seed=4))


def flown(bounced: Timeline) -> list[tuple[Segment, Play, BulletFlew]]:
    """The bounced shots: segment, play, event."""
    return [
        (segment, segment.record, event)
        for segment in bounced.segments
        if isinstance(segment.record, Play)
        for event in segment.record.events
        if isinstance(event, BulletFlew) and event.bounce is not None
    ]


def off_line(point: tuple[float, float], start: tuple[float, float], end: tuple[float, float]) -> float:
    """How much longer the way from start to end is by way of a point."""
    return math.dist(start, point) + math.dist(point, end) - math.dist(start, end)


def test_a_bullet_flies_to_the_wall_and_from_there_on(bounced):
    shots = flown(bounced)
    assert len(shots) >= 4
    for segment, _, flew in shots:
        leaves, lands = segment.flight
        for number in range(1, 60):
            (bullet,) = bounced.at(leaves + (lands - leaves) * number / 60).bullets
            legs = animation.legs(flew)
            assert min(max(off_line(bullet.head, *leg), off_line(bullet.tail, *leg)) for leg in legs) < 1e-6
            far = animation.length(flew) * number / 60
            along = (
                math.dist(flew.start, bullet.head)
                if far < math.dist(*legs[0])
                else math.dist(*legs[0]) + math.dist(flew.bounce, bullet.head)
            )
            assert along == pytest.approx(far)


def test_sparks_fly_off_the_wall_as_the_bullet_reaches_it_and_a_click_is_heard(bounced):
    for segment, _, flew in flown(bounced):
        (spark,) = (effect for effect in segment.effects if effect.kind == "bounce")
        assert spark.at == flew.bounce
        (bullet,) = bounced.at(spark.start).bullets
        assert bullet.head == pytest.approx(flew.bounce, abs=1e-6)
        inside = (
            flew.bounce[0] + 9 * math.cos(math.radians(spark.degrees)),
            flew.bounce[1] + 9 * math.sin(math.radians(spark.degrees)),
        )
        assert 0 < inside[0] < WALLED.arena_width
        assert 0 < inside[1] < WALLED.arena_height
        heard = [cue.at for cue in cues(bounced, segment.start, segment.end) if cue.sound == "bounce"]
        assert heard == [spark.start]


def test_what_it_leaves_behind_bends_at_the_wall(bounced):
    for segment, _, flew in flown(bounced):
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


def test_a_hit_off_the_wall_is_called_so(bounced):
    hits = [(play, flew) for _, play, flew in flown(bounced) if any(isinstance(e, BotHit) for e in play.events)]
    assert hits
    for segment, _, _ in flown(bounced):
        said = [words(effect).text for effect in segment.effects if effect.kind == "hit"]
        assert all(text.startswith("OFF THE WALL -") for text in said)
    for play, _ in hits:
        assert outcome(play, WALLED)[0].startswith("off a wall, ")


def test_where_bullets_fly_straight_none_has_sparks_at_a_wall_on_its_way():
    straight = [segment for segment in Timeline.of(eventful()).segments if segment.flight]
    assert straight
    assert not [effect for segment in straight for effect in segment.effects if effect.kind == "bounce"]
