"""What a film shows when: turns, captions and highlights are functions of the timeline."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from fakes import eventful, played, plays

from batllm_arcade.analysis.game import swings
from batllm_arcade.core import rules as game_rules
from batllm_arcade.core.commands import parse
from batllm_arcade.core.events import BotKnockedOut
from batllm_arcade.core.model import Arena, BotState, Rules
from batllm_arcade.errors import UsageError
from batllm_arcade.match.records import Play, RoundStarted
from batllm_arcade.video.edit import highlights
from batllm_arcade.video.edit.edit_list import Cut, EditList, film_cues, frame_count
from batllm_arcade.video.edit.selection import Turn, implied_game, parse_turn, records_of_game, time_span
from batllm_arcade.view.sound_cues import cues
from batllm_arcade.view.timeline import Timeline


def cuts(timeline, start, end, *longest):
    """The cuts of a timeline's highlights."""
    return highlights.cuts(timeline, swings(segment.record for segment in timeline.segments), start, end, *longest)


@pytest.fixture(scope="module")
def records():
    return eventful()


@pytest.fixture(scope="module")
def timeline(records):
    return Timeline.of(records_of_game(records, 1))


@pytest.fixture(scope="module")
def both(records):
    return Timeline.of(records)


# Film time


def test_a_film_of_one_piece_shows_the_timeline_as_it_is():
    edit_list = EditList([Cut(0.0, 10.0)])
    assert edit_list.seconds == 10.0
    assert [edit_list.at(n / 60).t for n in range(600)] == [n / 60 for n in range(600)]


def test_pieces_follow_the_card_each_at_its_speed():
    edit_list = EditList([Cut(5.0, 6.0, 0.5), Cut(2.0, 3.0)], card=1.5)
    assert edit_list.seconds == 4.5
    assert edit_list.at(1.0) is None
    assert edit_list.at(2.5).t == 5.5
    assert (edit_list.at(3.75).t, edit_list.at(3.75).age) == (2.25, 0.25)
    assert edit_list.at(99.0).t == 3.0


def test_the_end_card_comes_after_everything():
    edit_list = EditList([Cut(0.0, 2.0)], card=1.5, end_card=2.5)
    assert (edit_list.ends, edit_list.seconds) == (3.5, 6.0)
    assert edit_list.at(3.49).t == pytest.approx(1.99)
    assert [edit_list.at(t) for t in (0.0, 3.5, 5.9)] == [None] * 3


def test_a_stretch_of_the_timeline_is_found_wherever_the_film_shows_it():
    edit_list = EditList([Cut(5.0, 6.0, 0.5), Cut(0.0, 10.0)], card=1.0)
    assert list(edit_list.spans(5.5, 7.0)) == [(2.0, 3.0), (8.5, 10.0)]


@pytest.mark.parametrize(("seconds", "count"), [(0.0, 1), (0.5, 30), (10.004, 600), (10.01, 601)])
def test_a_film_has_as_many_pictures_as_it_is_long(seconds, count):
    assert frame_count(seconds, 60) == count


# Turns


@pytest.mark.parametrize(("text", "turn"), [("7", Turn(7)), ("2.13", Turn(13, 2)), ("4.2.13", Turn(13, 2, 4))])
def test_a_turn_is_named_as_people_name_it(text, turn):
    assert parse_turn(text) == turn
    assert str(turn) == text


@pytest.mark.parametrize("text", ["", "x", "1.2.3.4", "-1", "1.", "٣", "1e3", "9" * 30])
def test_what_is_no_turn_is_refused_with_an_example(text):
    with pytest.raises(ValueError, match=r"ROUND\.TURN"):
        parse_turn(text)


def test_from_a_turn_to_a_turn_shows_their_plays_and_no_others(timeline):
    start, end = time_span(timeline, Turn(2, 1), Turn(3, 1))
    shown = [s.record for s in timeline.segments if s.start < end - 1e-9 and s.end > start + 1e-9]
    assert {(play.round, play.turn) for play in shown if isinstance(play, Play)} == {(1, 2), (1, 3)}


def test_a_round_s_first_turn_brings_its_banner_along(timeline):
    start, _ = time_span(timeline, Turn(1, 2), None)
    assert start == next(
        s.start for s in timeline.segments if isinstance(s.record, RoundStarted) and s.record.round == 2
    )


def test_turns_count_through_the_game(timeline):
    assert time_span(timeline, Turn(5), Turn(5)) == time_span(timeline, Turn(1, 2), Turn(1, 2))


def test_a_stretch_may_begin_in_one_game_and_end_in_another(both):
    start, end = time_span(both, Turn(4, 1, 1), Turn(2, 1, 2))
    shown = [s.record for s in both.segments if s.start < end - 1e-9 and s.end > start + 1e-9]
    found = [(play.game, play.round, play.turn) for play in shown if isinstance(play, Play)]
    assert (found[0], found[-1]) == ((1, 1, 4), (2, 1, 2))
    assert time_span(both, Turn(1, 1, 2), Turn(2, 1)) == time_span(both, Turn(1, 1, 2), Turn(2, 1, 2))
    assert time_span(both, Turn(1, 1, 2), None)[1] == both.end


def test_turns_without_a_game_are_of_the_first_and_named_games_leave_all_of_them(both, timeline):
    assert (implied_game(Turn(3), Turn(4, 1)), implied_game(None, None)) == (1, None)
    assert implied_game(Turn(3), Turn(4, 1, 2)) is None
    with pytest.raises(UsageError, match="there is no game 9; the session holds 2"):
        time_span(both, None, Turn(1, 1, 9))
    with pytest.raises(UsageError, match=r"turn 2\.1\.1 is not in game 1, the only one that was chosen"):
        time_span(timeline, None, Turn(1, 1, 2))


@pytest.mark.parametrize(
    ("first", "last", "words"),
    [
        (Turn(99), None, "there is no turn 99 in this game; it has"),
        (Turn(1, 9), None, "there is no round 9 in this game; it has 2"),
        (None, Turn(9, 1), "there is no turn 9 in round 1; it ends with turn 4"),
        (Turn(3), Turn(2), "turn 2 is before turn 3"),
        (Turn(0), None, "there is no turn 0"),
    ],
)
def test_a_turn_that_is_not_there_is_named(timeline, first, last, words):
    with pytest.raises(UsageError, match=words):
        time_span(timeline, first, last)


def test_one_game_of_several_and_none_that_is_not_there(records):
    assert {play.game for play in plays(records_of_game(records, 2))} == {2}
    with pytest.raises(UsageError, match="there is no game 3; the session holds 2"):
        list(records_of_game(records, 3))


# Highlights


def test_a_hit_is_in_slow_motion_and_named_when_it_has_happened_not_before(both):
    shown_cuts = cuts(both, 0.0, both.end)
    hit = next(s for s in both.segments if any(effect.kind == "hit" for effect in s.effects))
    impact = hit.flight[1]
    at_impact = [cut for cut in shown_cuts if cut.start <= impact < cut.end]
    assert [cut.speed < 0.5 for cut in at_impact] == [True]
    before = next(cut for cut in shown_cuts if cut.end == at_impact[0].start)
    assert (before.text, bool(at_impact[0].text)) == ("", True)


def test_what_led_to_a_knock_out_is_named(both):
    knocked = next(p for p in plays(s.record for s in both.segments) if BotKnockedOut in map(type, p.events))
    loser = [seat.name for seat in both.segments[-1].board.seats][1 - knocked.bot]
    assert f"{loser} turns away and is hit" in [cut.text for cut in cuts(both, 0.0, both.end)]


def shot_at(
    rot: float, *, shield: bool = True, y: float = 500, charge: int = 0, health: float = 100, **figures: Any
) -> Timeline:
    """A game in which left, exactly west of right, turns, opens its shield and fires at right's front, `rot` off."""
    rules = Rules(total_rounds=1, turns_per_round=1, **figures)
    records = played(["B"], ["M"], rules=rules)
    foe = BotState(800, y, (180 + rot) % 360, health, shield, charge)
    arena = Arena(BotState(200, y, 0, 100, False, rules.battery), foe)
    made = []
    for record in records:
        if isinstance(record, Play) and record.bot == 0:
            after, events = game_rules.step(arena, 0, parse("B", False), rules)
            record = replace(record, before=arena, after=after, events=events)
        made.append(record)
    return Timeline.of(made)


def test_blocks_at_the_last_degree_and_shields_that_break_are_told_from_ordinary_blocks():
    shots = [shot_at(rot) for rot in (62.0, -62.0, 10.0, 66.0)]
    shots += [shot_at(10.0, charge=charge, health=5, battery=9) for charge in (2, 3)]
    last, other, block, hit, broken, held = (
        next(cut.text for cut in cuts(timeline, 0.0, timeline.end) if cut.text) for timeline in shots
    )
    assert last == other
    assert block == held
    assert len({last, block, hit, broken}) == 4


@pytest.mark.parametrize(("y", "low"), [(60, True), (500, False), (940, False)])
def test_the_words_make_way_for_what_happens_near_the_arena_s_top(y, low):
    timeline = shot_at(66.0, y=y)
    named = [cut for cut in cuts(timeline, 0.0, timeline.end) if cut.text]
    assert named
    assert {cut.low for cut in named} == {low}


# Sound


def test_the_film_is_heard_where_it_is_seen(both):
    plain = EditList([Cut(0.0, both.end)])
    assert list(film_cues(both, plain)) == cues(both, 0.0, both.end)
    hit = next(cue for cue in cues(both, 0.0, both.end) if cue.sound == "hit")
    slow = EditList([Cut(hit.at - 1.0, hit.at + 1.0, 0.5)], card=3.0)
    found = [cue for cue in film_cues(both, slow) if cue.sound == "hit"]
    assert [cue.at for cue in found] == [pytest.approx(5.0)]


def test_cuts_that_touch_are_shown_since_the_first_of_them_begins():
    cuts = Cut(1.0, 2.0), Cut(2.0, 3.0, speed=0.5, text="hit"), Cut(5.0, 6.0), Cut(6.0, 7.0)
    film = EditList(cuts)
    assert [film.shown_since(cut) for cut in cuts] == [1.0, 1.0, 5.0, 5.0]
    assert [film.faster(2.0).shown_since(cut) for cut in film.faster(2.0).cuts] == [1.0, 1.0, 5.0, 5.0]
