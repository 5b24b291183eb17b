"""What is heard when: in order, from the right side, the same however a match is cut into frames."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from importlib.resources import files
from itertools import pairwise

import pytest
from charged import RULES, charged_match
from fakes import Sits, aim, eventful, played, plays
from hypothesis import given
from hypothesis import strategies as st

from batllm_arcade.brains.protocol import Decision
from batllm_arcade.core.events import (
    BotHit,
    BotKnockedOut,
    BotMoved,
    BulletFlew,
    FireRefused,
    ShieldBroke,
    ShieldRefused,
    ShotBlocked,
    ShotMissed,
)
from batllm_arcade.core.model import Rules
from batllm_arcade.match.records import RoundEnded, SeatSwapped
from batllm_arcade.view.sound_cues import LATEST_S, Cue, cues, ducking, stereo
from batllm_arcade.view.timeline import Timeline

SOUNDS = files("batllm_arcade.assets") / "sounds"
TIMELINE = Timeline.of(eventful())
WHOLE = cues(TIMELINE, 0.0, TIMELINE.end + LATEST_S)


@given(st.lists(st.floats(0, TIMELINE.end + LATEST_S), max_size=30), st.booleans())
def test_the_stretches_of_a_match_sound_like_the_whole(cuts, at_cues):
    if at_cues:  # a frame that begins exactly with a sound is the case that goes wrong
        cuts = [*cuts, *(cue.at for cue in WHOLE[:: len(cuts) + 1])]
    edges = sorted({0.0, *cuts, TIMELINE.end + LATEST_S})
    pieces = [cue for start, end in pairwise(edges) for cue in cues(TIMELINE, start, end)]
    assert pieces == WHOLE


def test_every_event_that_can_be_heard_is_heard_once():
    records = eventful()
    events = [event for play in plays(records) for event in play.events]
    heard = Counter(cue.sound for cue in WHOLE)
    count = Counter(type(event) for event in events)
    assert heard["hit"] == count[BotHit] > 0
    assert heard["block"] == count[ShotBlocked]
    assert heard["wall"] == count[ShotMissed] > 0
    assert heard["knockout"] == count[BotKnockedOut] > 0
    assert heard["refused"] == count[FireRefused] > 0
    assert heard["fire_left"] + heard["fire_right"] == count[BulletFlew]
    assert heard["bump"] == sum(bool(event.stopped_by) for event in events if isinstance(event, BotMoved)) > 0
    assert heard["swap"] == sum(isinstance(record, SeatSwapped) for record in records) > 0
    assert heard["bell_end"] == sum(isinstance(r, RoundEnded) and r.ended == "complete" for r in records) > 0
    assert heard["win"] == heard["draw"] == 1


def test_every_sound_of_a_match_is_heard_in_one():
    """The others are the menus' and the clock's; a new sound needs a match here in which it is heard."""
    bounced = Rules(total_rounds=1, turns_per_round=2, initial_shield=False, ricochet=1)
    weak = replace(bounced, turns_per_round=7, bullet_damage=(15, 1))
    bumped = replace(bounced, turns_per_round=11, step_length=100, bump_push=60, bump_turn=150)
    records = [
        eventful(), charged_match(),
        charged_match(replace(RULES, initial_charge=RULES.battery - 1)),
        played(["C40", "B"], ["A70", "B"], rules=bounced, seed=4),
        played([aim] + ["M"] * 10, [None] * 11, rules=bumped),
        played([aim] + ["B"] * 6, [Decision("", None, say="No!"), Sits("keyboard", "wheel"), *[None] * 6], rules=weak),
    ]  # fmt: skip
    heard = {cue.sound for match in records for cue in cues(Timeline.of(match), 0, 1e6)}
    kept = {path.name.removesuffix(".wav") for path in SOUNDS.iterdir() if path.name.endswith(".wav")}
    assert sorted(name for name in kept - heard if not name.startswith("ui_") and name != "tick") == []


def test_a_hit_is_heard_when_it_is_seen():
    for segment in TIMELINE.segments:
        for effect in segment.effects:
            if effect.kind in ("hit", "block", "wall", "knockout"):
                assert any(cue.sound == effect.kind and cue.at == effect.start for cue in WHOLE)


def test_a_live_match_sounds_like_its_recording_though_it_waits_for_brains():
    timeline, now, heard = Timeline(), 0.0, []
    for record in eventful():
        timeline.append(record, not_before=now)
        while now <= timeline.end + 0.3:
            heard += cues(timeline, now, now + 1 / 60)
            now += 1 / 60
    heard = [cue.sound for cue in heard if cue.sound != "bell"]  # rings when the next round is waited for
    assert Counter(heard) == Counter(cue.sound for cue in WHOLE if cue.sound != "bell")


def test_the_sound_comes_from_where_it_happens():
    rules = Rules(total_rounds=1, turns_per_round=1)
    records = played(["M"], ["M"], rules=rules)
    timeline = Timeline.of(records)
    moves = {play.bot: play.before.bot(play.bot).x for play in plays(records)}
    pans = sorted(cue.pan for cue in cues(timeline, 0, 99) if cue.sound == "move")
    assert len(pans) == 2
    assert pans[0] < pans[1]
    assert (pans[0] < 0) == (min(moves.values()) < 500)


def shot(damage, shots):
    """What is heard of a bot that is shot at so often and does nothing."""
    rules = Rules(bullet_damage=damage, initial_shield=False, total_rounds=1, turns_per_round=shots + 1)
    return cues(Timeline.of(played([aim] + ["B"] * shots, [None] * (shots + 1), rules=rules)), 0, 1e6)


def test_a_harder_hit_is_louder():
    gains = [next(cue.gain for cue in shot((damage, 1), 1) if cue.sound == "hit") for damage in (1, 10, 40)]
    assert gains == sorted(set(gains))
    assert gains[-1] <= 1.0


def test_a_bot_in_danger_is_warned_of_once():
    heard = [cue.sound for cue in shot((15, 1), 6)]
    assert heard.count("hit") == 6
    assert heard.count("danger") == 1
    assert heard.index("danger") > [i for i, sound in enumerate(heard) if sound == "hit"][4]


def test_a_battery_is_heard_loading_full_and_empty_and_a_hit_by_its_part():
    records = charged_match()
    events = [event for play in plays(records) for event in play.events]
    parts = Counter(event.part for event in events if isinstance(event, BotHit))
    heard = Counter(cue.sound for cue in cues(Timeline.of(records), 0, 1e6))
    assert (heard["hit"], heard["hit_side"], heard["hit_back"]) == (parts["front"], parts["side"], parts["back"])
    assert min(parts[part] for part in ("front", "side", "back")) > 0
    assert heard["empty"] == sum(
        isinstance(event, ShieldRefused) or (isinstance(event, FireRefused) and event.reason == "charge")
        for event in events
    )
    assert heard["shield_break"] == sum(isinstance(event, ShieldBroke) for event in events) > 0
    gained = sum(play.after.bot(play.bot).charge > play.before.bot(play.bot).charge for play in plays(records))
    assert heard["load"] == gained > 0


def test_a_battery_that_becomes_full_is_heard_once_instead_of_loading():
    rules = replace(RULES, turns_per_round=8)
    heard = Counter(
        cue.sound for cue in cues(Timeline.of(played(["C5"] * 8, ["S1"] + ["S0"] * 7, rules=rules)), 0, 1e6)
    )
    assert (heard["load"], heard["full"]) == (11, 2)


def test_a_step_is_heard_to_load_more_than_a_rest():
    rules = replace(RULES, turns_per_round=1)
    found = [
        cue for cue in cues(Timeline.of(played(["M"], ["C5"], rules=rules, seed=11)), 0, 99) if cue.sound == "load"
    ]
    assert len(found) == 2
    assert found[0].gain != found[1].gain


def test_nobody_hears_a_deliberate_nothing():
    records = played([None], [None], rules=Rules(total_rounds=1, turns_per_round=1))
    assert "fumble" not in {cue.sound for cue in cues(Timeline.of(records), 0, 99)}


@pytest.mark.parametrize("pan", [-1.0, -0.3, 0.0, 0.8, 1.0, 7.0])
def test_a_sound_is_as_loud_from_the_side_as_from_the_middle(pan):
    left, right = stereo(Cue(0, "hit", 0.5, pan))
    assert left**2 + right**2 == pytest.approx(0.25)
    assert (left < right) == (pan > 0)


def test_the_music_steps_back_for_a_knock_out_and_returns():
    assert ducking(-1) == ducking(3.5) == 1.0
    assert ducking(0.5) < 0.3
    steps = [ducking(0.01 * step) for step in range(400)]
    assert max(abs(a - b) for a, b in pairwise(steps)) < 0.2
