"""What a match looks like at a moment: pure, in order, true to the states."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from fakes import Sits, eventful, played, plays

from batllm_arcade.brains.protocol import SeatInfo
from batllm_arcade.core.events import BotHit, BulletFlew
from batllm_arcade.core.model import Rules
from batllm_arcade.core.rules import Result
from batllm_arcade.match.records import GameEnded, GameStarted, Play, RoundStarted
from batllm_arcade.view import theme
from batllm_arcade.view.timeline import Timeline, banner_of


@pytest.fixture(scope="module")
def timeline() -> Timeline:
    return Timeline.of(eventful())


def test_the_same_moment_is_always_the_same_scene(timeline):
    times = [timeline.end * number / 200 for number in range(200)]
    first = {t: timeline.at(t) for t in times}
    shuffled = random.Random(1).sample(times, len(times))
    assert all(Timeline.of(eventful()).at(t) == first[t] for t in shuffled[:20])
    assert all(timeline.at(t) == first[t] for t in shuffled)


def test_when_a_play_is_over_the_bots_stand_where_the_rules_put_them(timeline):
    for segment in timeline.segments:
        if isinstance(segment.record, Play):
            scene = timeline.at(segment.end - 1e-6)
            for index in (0, 1):
                pose, state = scene.bots[index], segment.record.after.bot(index)
                assert (pose.x, pose.y) == pytest.approx((state.x, state.y), abs=0.5)
                assert abs((pose.rot - state.rot + 180) % 360 - 180) < 0.5
                assert pose.points == state.health


def test_orders_are_not_those_of_a_script_that_takes_a_seat_but_wait_there_for_a_model():
    left = ["M", Sits("scripted:dancer"), "M", Sits("a:b"), "M"]
    records = played(left, ["M"] * 3, rules=Rules(total_rounds=1, turns_per_round=3), prompts=("rush", "hide"))
    segments = [each for each in Timeline.of(records).segments if isinstance(each.record, Play)]
    assert [each.board.prompts for each in segments[1::2]] == [("rush", "hide"), ("", "hide"), ("rush", "hide")]


def test_a_move_is_under_way_between_its_two_states():
    timeline = Timeline.of(played(["M"], ["M"], rules=Rules(total_rounds=1, turns_per_round=1)))
    segment = next(s for s in timeline.segments if isinstance(s.record, Play))
    bot, before, after = segment.record.bot, segment.record.before, segment.record.after
    middle = timeline.at(segment.start + theme.MOVE_S / 2).bots[bot]
    assert (middle.x, middle.y) == pytest.approx(
        ((before.bot(bot).x + after.bot(bot).x) / 2, (before.bot(bot).y + after.bot(bot).y) / 2)
    )
    assert timeline.at(segment.start).bots[bot].x == pytest.approx(before.bot(bot).x)


def test_health_falls_only_when_the_bullet_has_landed(timeline):
    hit = next(s for s in timeline.segments if s.flight and any(e.kind == "hit" for e in s.effects))
    target = 1 - hit.record.bot
    assert timeline.at(hit.flight[1] - 0.01).bots[target].points > timeline.at(hit.flight[1] + 0.01).bots[target].points
    assert timeline.at(hit.flight[1] - 0.01).bullets
    assert timeline.at(hit.flight[1] - 0.01).board.known_at[hit.record.bot] == hit.flight[1]


def test_shots_hits_and_blocks_are_counted_only_when_the_bullet_has_landed(timeline):
    shots = [(n, s) for n, s in enumerate(timeline.segments) if s.flight]
    assert any(segment.board.tallies[bot].hits for _, segment in shots for bot in (0, 1))
    for number, segment in shots:
        before, after = timeline.segments[number - 1].board.tallies, segment.board.tallies
        assert before != after
        assert timeline.at(segment.flight[1] - 0.001).board.tallies == before
        assert timeline.at(segment.flight[1]).board.tallies == after


def test_a_knocked_out_bot_falls_and_the_banner_names_winner_and_reason(timeline):
    end = [s for s in timeline.segments if isinstance(s.record, GameEnded) and s.record.result.reason == "knockout"][-1]
    scene = timeline.at(end.start + 0.5)
    winner = end.record.result.winner
    assert [pose.alive for pose in scene.bots] == [winner == 0, winner == 1]
    assert scene.banner is not None
    assert scene.banner.title == f"{scene.board.seats[winner].name} wins"
    assert scene.banner.subtitle == "by knock-out"


def test_records_are_shown_one_after_the_other_and_never_before_they_arrive():
    timeline = Timeline()
    for number, record in enumerate(eventful()):
        timeline.append(record, not_before=2.0 * number)
    starts = [segment.start for segment in timeline.segments]
    assert starts == sorted(starts)
    assert all(a.end <= b.start for a, b in zip(timeline.segments, timeline.segments[1:], strict=False))
    assert timeline.segments[5].start >= 10.0


def test_every_play_and_every_round_has_its_stretch(timeline):
    shown = [segment.record for segment in timeline.segments]
    assert [record for record in shown if isinstance(record, Play)] == plays(eventful())
    rounds = [s for s in timeline.segments if isinstance(s.record, RoundStarted)]
    assert [timeline.at(s.start + 0.3).banner.title for s in rounds] == [f"Round {s.record.round}" for s in rounds]


def test_in_slow_motion_a_shake_is_smooth(timeline):
    hit = next(s for s in timeline.segments if any(effect.kind == "hit" for effect in s.effects))
    watched = [timeline.at(hit.flight[1] + 0.25 * n / 60).shake for n in range(24)]
    assert len(set(watched)) == 24, "one picture each"
    assert max(abs(dx) + abs(dy) for dx, dy in watched) > 1


def test_the_picture_shakes_on_a_hit_and_comes_to_rest(timeline):
    hit = next(s for s in timeline.segments if s.flight and any(e.kind == "hit" for e in s.effects))
    assert any(timeline.at(hit.flight[1] + 0.01 * n).shake != (0.0, 0.0) for n in range(1, 10))
    assert timeline.at(hit.start).shake == (0.0, 0.0)


def test_at_the_very_end_of_a_recording_the_result_still_stands(timeline):
    scene = timeline.at(timeline.end + 100)
    assert scene.banner is not None
    assert scene.banner.lasts is None
    assert scene.banner.age > 1.0


def test_a_winner_is_told_apart_from_an_opponent_of_the_same_name():
    records = played(["S0"], ["S0"], rules=Rules(total_rounds=1, turns_per_round=1, initial_health=(5, 5)))
    twins = SeatInfo("twin", "fake:twin")
    records = [replace(r, seats=(twins, twins)) if isinstance(r, GameStarted) else r for r in records]
    records = [replace(r, result=Result(1, "points")) if isinstance(r, GameEnded) else r for r in records]
    timeline = Timeline.of(records)
    assert timeline.at(timeline.end).banner.title == "twin (orange) wins"


def test_shots_hits_blocks_and_fumbles_are_counted_per_seat_and_anew_in_each_game(timeline):
    for game in (1, 2):
        own = [play for play in plays(eventful()) if play.game == game]
        last = [s for s in timeline.segments if s.board.game == game][-1].board.tallies
        for bot in (0, 1):
            mine = [play for play in own if play.bot == bot]
            fired = [play for play in mine if any(isinstance(event, BulletFlew) for event in play.events)]
            assert last[bot].shots == len(fired)
            assert last[bot].hits == sum(any(isinstance(event, BotHit) for event in play.events) for play in fired)
            assert last[bot].fumbles == sum(play.status != "ok" for play in mine)


@pytest.mark.parametrize(
    ("names", "first"), [(("Ann", "Bob"), {"Ann", "Bob"}), (("Ann", "Ann"), {"Ann (blue)", "Ann (orange)"})]
)
def test_the_banner_of_a_round_says_who_acts_first(names, first):
    seats = tuple(SeatInfo(name, "fake") for name in names)
    records = [replace(each, seats=seats) if isinstance(each, GameStarted) else each for each in eventful()]
    banners = [
        banner_of(segment) for segment in Timeline.of(records).segments if isinstance(segment.record, RoundStarted)
    ]
    assert {banner.subtitle.removesuffix(" acts first") for banner in banners} <= first
