"""The edit: the games of a series, what turns a game, what is left out, and a draw that takes its time."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise

import pytest
from fakes import eventful, played
from plays import COUCH, bot, game

from batllm_arcade.analysis.game import swings
from batllm_arcade.core.model import Rules
from batllm_arcade.match.records import GameEnded, GameStarted, Play, RoundStarted
from batllm_arcade.match.series import describe_result
from batllm_arcade.story.moments import TurningPoint
from batllm_arcade.story.sentences import say
from batllm_arcade.video.edit import captions as pacing
from batllm_arcade.video.edit import highlights, stretches
from batllm_arcade.video.edit import text as story
from batllm_arcade.video.edit.edit_list import Cut, EditList
from batllm_arcade.video.edit.highlights import moments
from batllm_arcade.video.edit.stretches import trades
from batllm_arcade.video.edit.text import film_names
from batllm_arcade.view.timeline import Timeline


def cuts(timeline, start, end, *longest):
    """The cuts of a timeline's highlights."""
    return highlights.cuts(timeline, swings(segment.record for segment in timeline.segments), start, end, *longest)


def renamed(records, names):
    found = []
    for record in records:
        if isinstance(record, GameStarted):
            record = replace(record, seats=tuple(replace(s, name=n) for s, n in zip(record.seats, names, strict=True)))
        found.append(record)
    return found


def series(games):
    """A timeline of so many games."""
    records = eventful()
    last = max(n for n, record in enumerate(records) if isinstance(record, GameStarted))
    one = records[1:last]
    found = [records[0]]
    for number in range(1, games + 1):
        found += [replace(record, game=number) if hasattr(record, "game") else record for record in one]
    return Timeline.of(found)


@pytest.mark.parametrize("games", [2, 3, 5, 7, 12])
def test_highlights_of_a_series_have_every_game_s_ending_and_a_card_with_the_score_before_each(games):
    timeline = series(games)
    shown = cuts(timeline, 0.0, timeline.end, 26.0)
    assert sum(cut.seconds for cut in shown) <= 26.0 + 1e-6
    results = [segment for segment in timeline.segments if isinstance(segment.record, GameEnded)]
    assert all(any(cut.start <= result.start + 0.3 < cut.end for cut in shown) for result in results)
    wins, expected = [0, 0], []
    for number, result in enumerate(results[:-1], 2):
        winner = result.record.result.winner
        if winner is not None:
            wins[winner] += 1
        how = describe_result(result.record.result, film_names(result.board.seats))
        expected.append((f"game {number}", f"{wins[0]} : {wins[1]}", f"game {number - 1}: {how}"))
    assert [cut.card for cut in shown if cut.card] == expected
    assert all(timeline.at(cut.start).board.round == 1 for cut in shown if cut.card)  # with both orders beside it
    assert all(before.end <= after.start for before, after in pairwise(shown))


@pytest.mark.parametrize(("between", "told"), [((), set()), (("B S0", "A S0", "B S0"), {say("lead", who="Ann")})])
def test_a_lead_that_may_be_gone_before_it_can_be_read_is_not_told(between, told):
    timeline = Timeline.of(game("B B", "A B", "A B", *between, "B B", **FAR))
    assert {cut.text for cut in stretches.whole(timeline, [stretches.Piece(0.0, timeline.end)]) if cut.text} == told


def test_a_turn_of_the_game_is_on_the_ribbon_of_its_highlight_and_of_a_whole_film():
    timeline = Timeline.of(eventful())
    twists = story.twists(timeline)
    ribbons = {cut.text for cut in stretches.whole(timeline, stretches.pieces(timeline, 0.0, timeline.end)) if cut.text}
    named = {twist.text for twist in twists.values()}
    assert named <= ribbons
    told_by = {moment.text for moment in moments(timeline, swings(segment.record for segment in timeline.segments))}
    assert {twist.text for twist in twists.values() if twist.kind == "next"} <= told_by


def test_a_comeback_is_told_above_the_banner_of_the_result_wherever_the_bots_are(monkeypatch):
    timeline = Timeline.of(eventful())
    for kind, low in (("next", True), ("comeback", False)):
        found = {each.start: story.Twist(kind, "it turns", 0, each.start) for each in timeline.segments[-1:]}
        monkeypatch.setattr(stretches, "twists", lambda *given, found=found: found)
        monkeypatch.setattr(stretches, "_HIGH", 2.0)  # any height
        cuts = stretches.whole(timeline, [stretches.Piece(0.0, timeline.end)])
        assert [cut.low for cut in cuts if cut.text == "it turns"] == [low]


FACED = (bot(200, 0), bot(800, 180))
PEACE = ("A C10", "B C10", "A A10", "B A10") * 3
LOWERED = ["A M", "B S1", *PEACE, "A C10", "B S0", "A A10", *PEACE[2:], "B C10", "A B"]
"""A game that tips where Bob lowers the shield, in the middle of a stretch in which nothing else happens."""


def lowered():
    """That game's timeline and its turning point."""
    records = game(*LOWERED, bots=FACED)
    lowers = next(r for r in records if isinstance(r, Play) and r.command.token == "S0")
    hits = [r for r in records if isinstance(r, Play)][-1]
    return Timeline.of(records), TurningPoint(lowers, hits)


def test_the_turning_point_is_on_a_ribbon_of_a_whole_film_which_does_not_leave_it_out():
    timeline, point = lowered()
    for points in ((), (point,)):
        shown = stretches.whole(timeline, stretches.pieces(timeline, 0.0, timeline.end, points), points)
        assert any(cut.text == point.ribbon(("Ann", "Bob")) for cut in shown) == bool(points)
        lowers = next(segment.acts for segment in timeline.segments if point.is_at(segment.record))
        assert any(cut.start <= lowers < cut.end for cut in shown) == bool(points)


QUIET = ["A C10", "B C10", "A A10", "B A10"] * 6


FAR = {"bots": (bot(200, 0, health=400), bot(800, 180, health=400)), "rules": replace(COUCH, battery=0)}


def exchanged(*plays):
    """The cuts of a whole film of these plays of two bots that face each other, and its timeline."""
    timeline = Timeline.of(game(*plays, **FAR))
    return stretches.whole(timeline, stretches.pieces(timeline, 0.0, timeline.end)), timeline


def test_a_ribbon_makes_way_for_the_next_hit_once_it_could_be_read():
    shown, timeline = exchanged("A B", "B B", "A S0", "B B", "A S0", "B S0", "A B")
    *_, hit = (segment.flight[1] for segment in timeline.segments if segment.flight)
    ribbon = next(cut for cut in shown if cut.text == say("lead", who="Bob"))
    assert 0.9 <= hit - ribbon.start < 1.6
    assert ribbon.end == hit


def test_like_hits_in_a_row_are_shown_faster_but_those_at_both_ends():
    shown, timeline = exchanged(*["A B", "B B"] * 6)
    fast = [cut for cut in shown if cut.speed != 1.0]
    hits = [segment for segment in timeline.segments if isinstance(segment.record, Play)]
    assert (fast[0].start, fast[-1].end, {cut.speed for cut in fast}) == (hits[1].end, hits[-1].start, {3.0})
    assert {cut.text for cut in fast} == {"» 9 more hits"}
    assert stretches.whole(timeline, [stretches.Piece(0.0, timeline.end)], faster=False)[0].speed == 1.0


def test_banners_of_rounds_among_like_hits_are_not_covered_and_not_faster():
    records = game(*["A B", "B B"] * 6, bots=FAR["bots"], rules=FAR["rules"])
    begins = RoundStarted(1, 2, (0, 1), records[0].arena, ("", ""), True, False, ("", ""))
    timeline = Timeline.of([*records[:6], begins, *records[6:]])
    shown = stretches.whole(timeline, [stretches.Piece(0.0, timeline.end)])
    banner = next(segment for segment in timeline.segments if isinstance(segment.record, RoundStarted))
    before, over, after = (next(cut for cut in shown if cut.start <= t < cut.end) for t in
                           (banner.start - 0.01, (banner.start + banner.end) / 2, banner.end + 0.01))  # fmt: skip
    assert (over.text, over.speed) == ("", 1.0)
    assert before.text == after.text == "\u00bb 9 more hits"


def test_a_ribbon_says_who_takes_all_of_the_hits_that_are_shown_faster():
    shown, _ = exchanged(*["A B", "B S0"] * 8)
    assert {cut.text for cut in shown if cut.speed != 1.0} == {"» 5 more hits on Bob"}


TURNS = ["A B", "B C90", "A B", "B C90"] * 3
"""Hits in the front, the side, the back and the other side in turn."""


@pytest.mark.parametrize(("costs", "faster"), [(1, True), (2, False)])
def test_hits_in_other_parts_are_alike_where_they_cost_no_more(costs, faster):
    rules = replace(COUCH, battery=0, side_damage=costs, back_damage=costs)
    timeline = Timeline.of(game(*TURNS, bots=FAR["bots"], rules=rules))
    assert bool([*trades(timeline.segments, ())]) == faster


def test_of_hits_that_are_alike_two_are_moments_and_what_changes_the_chances_much():
    records = game(*["A B", "B C1", "A B", "B C359"] * 3, **FAR)
    hits = [record for record in records if isinstance(record, Play) and record.bot == 0]
    timeline = Timeline.of(records)
    assert len(list(moments(timeline, {}))) == 2
    assert len(list(moments(timeline, {hit.key: (0.5, 0.8) for hit in hits[2:5]}))) == 3


def test_a_hit_after_which_the_next_one_would_be_the_knock_out_is_a_moment_however_many_were_like_it():
    bots = bot(200, 0), bot(800, 180, health=60)
    for shots, count in ((3, 2), (4, 3), (5, 4)):
        records = game(*["A B", "B S0"] * shots, bots=bots, rules=replace(COUCH, battery=0))
        assert len(list(moments(Timeline.of(records), {}))) == count


def test_hits_in_other_parts_are_other_moments_where_they_cost_more():
    plays = ["A B", "B C90", "A B", "B C90"] * 3
    for costs, count in ((1, 2), (2, 5)):
        rules = replace(COUCH, battery=0, side_damage=costs, back_damage=costs)
        records = game(*plays, bots=FAR["bots"], rules=rules)
        assert len(list(moments(Timeline.of(records), {}))) == count


@pytest.mark.parametrize(("between", "said"), [(5, ["11 turns later, 400 : 388"]), (0, [])])
def test_highlights_say_how_many_turns_are_left_out_between_two_moments_of_a_game(between, said):
    records = game("A B", *["B C1", "A S0"] * between, "B C359", "A B", **FAR)
    begins = RoundStarted(1, 1, (0, 1), records[0].arena, ("", ""), True, False, ("", ""))
    timeline = Timeline.of([records[0], begins, *records[1:]])
    shown = cuts(timeline, 0.0, timeline.end)
    assert list(dict.fromkeys(cut.text for cut in shown if "later" in cut.text)) == said
    told = [cut for cut in shown if "later" in cut.text]
    assert not told or sum(cut.seconds for cut in told) > 0.8  # for as long as nothing else is said
    assert {cut.speed for cut in told} == ({1.0, 0.35} if between else set())


def test_highlights_say_so_where_health_was_lost_in_a_turn_that_is_left_out():
    records = game("A B", "B C1", "A B", "B C1", "A B", **FAR)
    begins = RoundStarted(1, 1, (0, 1), records[0].arena, ("", ""), True, False, ("", ""))
    timeline = Timeline.of([records[0], begins, *records[1:]])
    first, _, third = (segment for segment in timeline.segments if segment.flight)
    shown = [Cut(first.start, first.end), Cut(third.start - 0.3, third.flight[1]), Cut(third.flight[1], third.end)]
    shown[1] = replace(shown[1], entry="flash", speed=0.5)
    assert "2 turns later" in [cut.text for cut in highlights._with_gaps(shown, timeline)]


def test_a_moment_that_ends_no_game_shows_nothing_of_the_next_play():
    timeline = Timeline.of(game("A B", "B C1", "A B", "B C1", **FAR))
    shots = [segment for segment in timeline.segments if segment.flight]
    assert [moment.end for moment in moments(timeline, {})] == [pytest.approx(shot.end) for shot in shots]


def test_health_that_a_shot_has_just_taken_counts_in_what_is_told_of_the_score():
    timeline = Timeline.of(game("A B", "B C1", "A B", **FAR))
    first, second = (segment for segment in timeline.segments if segment.flight)
    assert highlights._stood(timeline, first.flight[1] + 0.01).right.health == first.arena.right.health
    assert highlights._stood(timeline, second.flight[1] + 0.01).right.health == second.arena.right.health


def test_the_score_is_not_told_where_it_changes_while_that_is_shown():
    records = game("A B", *["B C1", "A S0"] * 5, "A B", **FAR)
    begins = RoundStarted(1, 1, (0, 1), records[0].arena, ("", ""), True, False, ("", ""))
    timeline = Timeline.of([records[0], begins, *records[1:]])
    first, second = (segment for segment in timeline.segments if segment.flight)
    early, late = second.start - 1.0, second.flight[1] - 0.1
    lands = second.flight[1]
    for begin, until, said in (
        (early, late, ", 400 : 388"),
        (lands - 0.9, timeline.end, ", 400 : 388"),
        (lands - 0.7, timeline.end, ""),
    ):
        shown = [Cut(first.start, first.end), Cut(begin, until, entry="flash")]
        _, told, *rest = highlights._with_gaps(shown, timeline)
        assert re.fullmatch(rf"\d+ turns later{said}", told.text)
        ends = min(until, begin + 1.6, lands if said else until)
        assert told.end == pytest.approx(ends)
        assert [cut.text for cut in rest] == ([""] if ends < until else [])
    shown = [Cut(first.start, first.end), Cut(lands - 0.3, lands + 0.1, entry="flash")]
    assert [cut.text for cut in highlights._with_gaps(shown, timeline)] == ["", ""]  # nobody could read it


def test_highlights_say_what_was_left_out_between_rounds():
    records = game("A B", "B C1", "A C0", "B C0", "A B", **FAR)
    begins = RoundStarted(1, 2, (0, 1), records[3].after, ("", ""), True, False, ("", ""))
    later = [replace(record, round=2) if isinstance(record, Play) else record for record in records[4:]]
    first = RoundStarted(1, 1, (0, 1), records[0].arena, ("", ""), True, False, ("", ""))
    timeline = Timeline.of([records[0], first, *records[1:4], begins, *later])
    shots = [segment for segment in timeline.segments if segment.flight]
    shown = [Cut(shots[0].start, shots[0].end), Cut(shots[1].start - 1.0, shots[1].end, entry="flash")]
    told = [cut.text for cut in highlights._with_gaps(shown, timeline) if cut.text]
    assert told
    assert all(re.fullmatch(r"round 2, \d+ turns? later, 400 : 388", text) for text in told)


def test_what_is_told_of_the_score_after_turns_that_are_left_out_is_what_the_panels_show_then():
    timeline = Timeline.of(game("A B", "B C1", "A B", **FAR))
    second = [segment for segment in timeline.segments if segment.flight][1]
    assert highlights._stood(timeline, second.start).right.health == 388
    assert highlights._stood(timeline, second.flight[1]).right.health == 388
    assert highlights._stood(timeline, timeline.end).right.health == timeline.segments[-1].arena.right.health


def test_before_the_first_moment_of_a_game_nothing_is_left_out():
    timeline = Timeline.of(eventful())
    assert not any("later" in cut.text for cut in cuts(timeline, 0.0, timeline.end))


def test_moments_show_nothing_of_the_banners_between_rounds():
    records = game("A B", "B C1", "B A1", "A B")
    second = RoundStarted(1, 2, (0, 1), records[2].after, ("", ""), True, False, ("", ""))
    timeline = Timeline.of([*records[:3], second, *records[3:]])
    banners = [segment for segment in timeline.segments if isinstance(segment.record, RoundStarted | GameEnded)]
    found = list(moments(timeline, {}))
    assert len(banners) == 2
    assert len(found) == 2
    assert not any(moment.start < banner.end and moment.end > banner.start for moment in found for banner in banners)


def test_blocks_in_a_row_are_shown_faster_too_until_the_shield_breaks():
    bots = (bot(200, 0, charge=9), bot(800, 180, True, charge=9))
    plays = [*["A B", "B C0"] * 8]
    records = game(*plays, bots=bots, rules=replace(COUCH, battery=0))
    timeline = Timeline.of(records)
    (trade,) = trades(timeline.segments, ())
    assert (trade.hits, trade.blocked) == (5, True)
    shown = stretches.whole(timeline, stretches.pieces(timeline, 0.0, timeline.end))
    assert "» 5 more shots blocked" in {cut.text for cut in shown}


def test_early_turning_points_are_told_by_no_ribbon():
    plays = ["A C10", "B S0", "A A10", "B C10"] + ["A C10", "B C10", "A A10", "B A10"] * 3 + ["A B"]
    timeline = Timeline.of(game(*plays, bots=FACED))
    for number, told in ((2, False), (8, True)):
        made = timeline.segments[number].record
        point = TurningPoint(made, timeline.segments[-2].record)
        shown = stretches.whole(timeline, stretches.pieces(timeline, 0.0, timeline.end, [point]), [point])
        assert any(cut.text == point.ribbon(("Ann", "Bob")) for cut in shown) == told


def test_the_first_time_that_a_bot_raises_its_shield_is_shown():
    peace = ["A C10", "B C10"] * 6
    for raises, pieces in ((["A C10", "B S1"], 3), (["A C10", "B C10"], 2)):
        timeline = Timeline.of(game("A B", "B C10", *peace, *raises, *peace, "A B", bots=FACED))
        assert len(stretches.pieces(timeline, 0.0, timeline.end)) == pieces


def test_quiet_plays_are_shown_faster_unless_there_are_words_to_read():
    records = game("A B", "B C10", "A C10", "B C10", "A C10", "B B", "A C10", "B B", bots=FACED)
    timeline, plays = Timeline.of(records), [r for r in records if isinstance(r, Play)]
    quiet = [segment for segment in timeline.segments if segment.record in plays[1:5]]
    read = Timeline()
    for record in records:
        read.append(record, lead=1.0 if record in (plays[2], plays[4]) else 0.0)
    for line, expected in ((timeline, [(quiet[0].start, quiet[-1].end)]), (read, [])):
        cuts = stretches.whole(line, [stretches.Piece(0.0, line.end)], quiet=True)
        assert [(cut.start, cut.end) for cut in cuts if cut.speed != 1.0] == expected
    assert {cut.speed for cut in stretches.whole(timeline, [stretches.Piece(0.0, timeline.end)])} == {1.0}


@pytest.mark.parametrize(("seconds", "waits"), [(5.0, 3.0), (12.0, 6.0), (60.0, 24.0)])
def test_long_films_wait_for_words_for_less_of_their_length(seconds, waits):
    assert pacing.budget(seconds) == pytest.approx(waits)


REST = ["A S0", "B S0"]


@pytest.mark.parametrize(
    ("plays", "faster"),
    [
        (["A B", *REST] * 6, True),
        (["A B", *REST * 3] * 4, False),
        (["A B", *REST * 4] * 6, False),
        (["A B", *REST] * 4 + ["A B", "B M", *REST] * 2, True),
        (["A B", *REST * 2] * 4 + ["B C90"] + ["A B", *REST * 2] * 4, False),
    ],
)
def test_few_hits_hits_that_are_far_apart_and_others_are_shown_as_always(plays, faster):
    assert ({cut.speed for cut in exchanged(*plays)[0]} == {1.0, 3.0}) == faster


def test_what_turns_a_game_is_not_shown_faster():
    timeline = exchanged(*["A B", *REST] * 7)[1]
    middle = [segment for segment in timeline.segments if isinstance(segment.record, Play)][9]
    assert [trade.hits for trade in trades(timeline.segments, ())] == [4]
    assert list(trades(timeline.segments, {middle.start})) == []


def walk(plays):
    """A game of so many turns in which nobody hits."""
    rules = Rules(total_rounds=1, turns_per_round=plays)
    return Timeline.of(played(["C10"] * plays, ["C10"] * plays, rules=rules))


def test_a_dead_stretch_is_left_out_of_a_whole_film_and_a_ribbon_says_how_long_it_was():
    timeline = walk(20)
    pieces = stretches.pieces(timeline, 0.0, timeline.end)
    cuts = stretches.whole(timeline, pieces)
    assert [cut.text for cut in cuts if cut.text] == ["11 turns later"]
    assert [cut.entry for cut in cuts if cut.entry] == ["flash"]
    assert sum(cut.seconds for cut in cuts) < timeline.end
    assert cuts[-1].end == timeline.end
    plays = [segment for segment in timeline.segments if isinstance(segment.record, Play)]
    kept = [play for play in plays if any(cut.start <= play.start < cut.end for cut in cuts)]
    assert len(plays) - len(kept) == 22


def test_every_game_of_a_series_has_a_moment_beside_its_ending_before_one_has_two():
    """Right is hit six times in each of three games; the first two games' hits take more of its health."""
    records = []
    for number, health in ((1, 130), (2, 130), (3, 400)):
        one = game(*["A B", "B A90", "A B", "B C90"] * 3, "A B", bots=(bot(200, 0), bot(800, 180, health=health)),
                   rules=replace(COUCH, battery=0))  # fmt: skip
        records += [replace(each, game=number) if hasattr(each, "game") else each for each in one]
    timeline = Timeline.of(records)
    ends = [segment.start for segment in timeline.segments if isinstance(segment.record, GameEnded)]
    for longest in (20.0, 30.0):
        shown = [cut for cut in cuts(timeline, 0.0, timeline.end, longest) if cut.speed < 1]
        before = [[cut for cut in shown if start <= cut.end < end] for start, end in pairwise([0.0, *ends])]
        assert all(before)
        assert sum(cut.seconds for cut in cuts(timeline, 0.0, timeline.end, longest)) <= longest


def test_the_ribbon_after_what_is_left_out_says_which_round_it_is_if_that_is_new():
    rules = Rules(total_rounds=2, turns_per_round=10)
    timeline = Timeline.of(played(["C10"] * 20, ["C10"] * 20, rules=rules))
    cuts = stretches.whole(timeline, stretches.pieces(timeline, 0.0, timeline.end))
    assert [cut.text for cut in cuts if cut.text] == ["round 2, 11 turns later"]


def test_what_was_left_out_is_told_until_the_banner_of_the_next_round_for_as_long_as_it_takes_to_be_read():
    rules = Rules(total_rounds=2, turns_per_round=13)
    timeline = Timeline.of(played(["C10"] * 26, ["C10"] * 26, rules=rules))
    banner = [segment.start for segment in timeline.segments if isinstance(segment.record, RoundStarted)][-1]
    for early in (0.2, 1.2):
        (ribbon,) = (
            cut for cut in stretches.whole(timeline, [stretches.Piece(banner - early, timeline.end, 7)]) if cut.text
        )
        assert ribbon.end == pytest.approx(max(banner, ribbon.start + 0.9))


@pytest.mark.parametrize("turns", [3, 8])
def test_what_is_short_or_peaceful_all_along_is_shown(turns):
    timeline = walk(turns)
    assert stretches.pieces(timeline, 0.0, timeline.end) == [stretches.Piece(0.0, timeline.end)]


def test_a_draw_gets_ten_seconds():
    timeline = walk(20)
    shown = cuts(timeline, 0.0, timeline.end)
    assert sum(cut.seconds for cut in shown) == pytest.approx(highlights.DRAW_S)
    assert EditList(shown).seconds >= 10.0 - 1e-6


CHEAP = replace(COUCH, shot_charge=1, shield_charge=1, block_charge=1)
BREAKS = ("A B", "B C1", "B A1", "B S1") * 6


@pytest.mark.parametrize(("health", "faster"), [(100, 1), (10, 0)])
def test_shields_that_break_again_and_again_are_no_news(health, faster):
    bots = bot(200, 0), bot(800, 180, True, charge=1, health=health)
    timeline = Timeline.of(game(*BREAKS, bots=bots, rules=CHEAP))
    assert len([moment for moment in moments(timeline, {}) if "breaks" in moment.text or "escapes" in moment.text]) == 2
    shown = stretches.whole(timeline, [stretches.Piece(0.0, timeline.end)])
    assert len({cut.text for cut in shown if "3 more shots blocked" in cut.text}) == faster


@pytest.mark.parametrize(("plays", "faster"), [(1, False), (stretches.QUIET - 1, False), (stretches.QUIET, True)])
def test_where_nothing_happens_for_long_that_is_shown_faster(plays, faster):
    quiet = [f"{'AB'[number % 2]} C10" for number in range(plays)]
    timeline = Timeline.of(game("A B", *quiet, "A B", bots=FACED))
    shown = stretches.whole(timeline, [stretches.Piece(0.0, timeline.end)], quiet=True)
    assert max(cut.speed for cut in shown) == (stretches.FASTER if faster else 1.0)
