"""Captions: a few plain words of the bot that acts, shown only where the film leaves the time to read them."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pytest
from approved import approve
from fakes import played

from batllm_arcade.brains.protocol import Decision, SeatInfo
from batllm_arcade.core.model import Rules
from batllm_arcade.match.records import GameStarted, Play
from batllm_arcade.video.edit import captions as pacing
from batllm_arcade.video.edit.captions import Captions, Line, srt, told_plays
from batllm_arcade.video.edit.edit_list import Cut, EditList
from batllm_arcade.video.edit.text import film_names, own_name, shortened, told_apart
from batllm_arcade.view import theme
from batllm_arcade.view.cut_words import reading_seconds
from batllm_arcade.view.play_words import MOST_WORDS, play_words
from batllm_arcade.view.sound_cues import cues
from batllm_arcade.view.timeline import Timeline

SNIPES = "snipe 0.65 · counter 0.25 · charge 0.06 — sniping: too close: turning away"


def match(left, right=(), rules=None):
    """Records of a match in which both bots think these thoughts."""
    right = [*right, *[""] * (len(left) - len(right))]
    answers = [[Decision("M", "M", thought) for thought in thoughts] for thoughts in (left, right)]
    return played(*answers, rules=rules or Rules(total_rounds=1, turns_per_round=len(left)))


def filmed(records, budget=1000.0):
    """The timeline of a film that waits for words, at most so many seconds in all."""
    fast = Timeline.of(records)
    return pacing.timeline_of(records, pacing.leads(fast, [(0.0, fast.end)], budget))


def captions(timeline):
    return Captions(timeline, EditList([Cut(0.0, timeline.end)]))


def test_a_caption_tells_why_in_a_few_words_and_no_figures():
    (caption,) = captions(filmed(match([SNIPES]))).all
    assert caption.text == "left: Too close: turning away"
    assert not re.search(r"\d\.\d", caption.text)


def test_only_the_bot_that_acts_is_told_until_the_other_one_acts():
    timeline = filmed(match(["one two", "three four"], ["five six", "seven eight"]))
    shown = captions(timeline).all
    plays = [segment for segment in timeline.segments if isinstance(segment.record, Play)]
    for segment, after in pairwise(plays):
        found = {each.bot for each in shown if each.start < after.start - 0.01 and each.end > segment.start + 0.01}
        assert found == {segment.record.bot}


def test_every_caption_that_is_shown_can_be_read():
    words = [f"this is number {number} of them" for number in range(6)]
    timeline = filmed(match(words, words))
    shown = captions(timeline).all
    assert len(shown) == 12
    for caption in shown:
        assert caption.end - caption.start >= reading_seconds(len(caption.words.split())) - 0.051


def test_before_the_first_shot_of_a_game_a_film_waits_once_for_each_bot():
    moves = [Decision(did, did, f"this is number {number} of them") for number, did in enumerate(("S0", "M", "M"))]
    fires = [*moves, Decision("B", "B", "there it goes at last"), Decision("M", "M", "and that was all of it")]
    records = played(fires, fires, rules=Rules(total_rounds=1, turns_per_round=5))
    fast = Timeline.of(records)
    leads = pacing.leads(fast, [(0.0, fast.end)], 1000.0)
    assert [bool(lead) for lead in leads] == [True, True, *[False] * 4, *[True] * 4]
    peaceful = Timeline.of(played(moves, moves, rules=Rules(total_rounds=1, turns_per_round=3)))
    assert all(pacing.leads(peaceful, [(0.0, peaceful.end)], 1000.0))
    calm = [*played(moves, moves, rules=Rules(total_rounds=1, turns_per_round=3)), *records]
    both = Timeline.of(calm)
    assert all(pacing.leads(both, [(0.0, both.end)], 1000.0)[:6])  # another game has the first shot


def test_without_time_to_read_there_is_no_caption():
    records = match(["one two three four five"] * 2)
    assert captions(Timeline.of(records)).all == []
    assert captions(filmed(records)).all != []


def test_words_that_were_just_told_are_not_told_again():
    assert [caption.words for caption in told_plays(filmed(match(["a b", "a b", "c d", "a b"])))] == ["a b", "c d"]


def test_a_film_waits_once_for_words_that_a_bot_says_again_later_in_the_game():
    records = match(["one two", "three four", "five six", "seven eight", "nine ten", "one two"])
    plays = [segment for segment in filmed(records).segments if isinstance(segment.record, Play)]
    assert [bool(play.lead) for play in plays[::2]] == [True] * 5 + [False]
    again = [replace(record, game=2) for record in records if hasattr(record, "game")]
    plays = [segment for segment in filmed([*records, *again]).segments if isinstance(segment.record, Play)]
    assert [bool(play.lead) for play in plays[::2]] == ([True] * 5 + [False]) * 2


def test_the_waits_keep_to_their_budget_and_spare_the_eventful_plays():
    rules = Rules(total_rounds=1, turns_per_round=8)
    answers = [Decision("B" if number == 5 else "M", None, f"thinking of number {number} now") for number in range(8)]
    answers = [replace(answer, command=answer.raw) for answer in answers]
    records = played(answers, ["S0"] * 8, rules=rules)
    fast = Timeline.of(records)
    whole = pacing.leads(fast, [(0.0, fast.end)], 1000.0)
    some = pacing.leads(fast, [(0.0, fast.end)], 2.0)
    shot = next(n for n, play in enumerate(r for r in records if isinstance(r, Play)) if play.decision.raw == "B")
    assert 0 < sum(some) <= 2.0 < sum(whole)
    assert some[shot] == whole[shot] > 0


def test_words_come_before_the_deed_and_the_deed_is_heard_with_it():
    records = match(["one two three four five six"])
    fast, slow = Timeline.of(records), filmed(records)
    play = next(segment for segment in slow.segments if isinstance(segment.record, Play))
    begun = next(segment for segment in fast.segments if isinstance(segment.record, Play))
    assert play.lead > 0
    before = slow.at(play.acts - 0.01)
    assert (before.acting, before.board.plays[0]) == (0, play.record)
    assert (before.bots[0].x, before.bots[0].y) == (play.record.before.left.x, play.record.before.left.y)
    moved = [cue.at for cue in cues(slow, 0.0, slow.end) if cue.sound == "move"]
    assert moved[0] == pytest.approx(play.acts)
    longer = (play.end - play.start) - (begun.end - begun.start)
    assert longer > play.lead == theme.WORDS_FIRST_S  # the rest of the wait comes after the deed
    assert slow.end == pytest.approx(fast.end + longer)


def test_captions_never_overlap_and_are_cut_where_the_film_is():
    timeline = filmed(match(["one", "two", "three"]))
    edit_list = EditList([Cut(0.0, timeline.end / 2, 0.5), Cut(timeline.end / 2, timeline.end)], card=2.0)
    shown = Captions(timeline, edit_list)
    lines = shown.lines(edit_list, edit_list.seconds)
    assert [line.text for line in lines][-1] == "left: three"
    assert all(before.end <= after.start + 1e-9 for before, after in pairwise(lines))
    assert lines[0].start >= 2.0
    assert all(line.end <= edit_list.seconds + 1e-9 for line in lines)
    assert shown.lines(edit_list, 1.0) == []


def thought(words, say=""):
    records = played([Decision("M", "M", words, say)], ["S0"], rules=Rules(total_rounds=1, turns_per_round=1))
    return next(play_words(record) for record in records if isinstance(record, Play) and record.bot == 0)


def test_what_is_said_counts_where_nothing_was_thought():
    assert thought("", say="hello there") == "hello there"
    assert thought("") == ""


def test_a_play_s_words_are_plain_and_few():
    def say(words: str) -> str:
        assert len(thought(words).split()) <= MOST_WORDS
        return thought(words)

    approve(Path(__file__).parent / "approved" / "words.txt", say)


def test_a_model_s_text_cannot_break_a_caption():
    hostile = "a\x00b\ud800c\u202e\n\n00:00 --> 00:01 <b>{\\an8}" + "word " * 10_000
    words = shortened(hostile)
    assert len(words) <= 160
    assert "\n" not in words
    words.encode("utf-8")
    (caption,) = captions(filmed(match([hostile]))).all
    assert not set(caption.text) & set("<>{}\\\x00\ud800\u202e")
    assert srt([Line(1.0, 2.5, "left: x"), Line(3600.0, 3661.0625, "y")]) == (
        "1\n00:00:01,000 --> 00:00:02,500\nleft: x\n\n2\n01:00:00,000 --> 01:01:01,062\ny\n"
    )


@pytest.mark.parametrize(
    ("names", "shown"),
    [
        (("Ann", "Bob"), ("Ann", "Bob")),
        (("SmolLM2", "smollm2"), ("SmolLM2 (blue)", "smollm2 (orange)")),
        (("a very long name of one", "a very long name of two"), ("a very long… (blue)", "a very long… (orange)")),
    ],
)
def test_films_tell_equal_names_apart_by_the_colours_of_their_bots(names, shown):
    seats = tuple(SeatInfo(name, "scripted") for name in names)
    assert film_names(seats) == shown
    records = [replace(each, seats=seats) if isinstance(each, GameStarted) else each for each in match(["a b"])]
    started = next(record for record in told_apart(records) if isinstance(record, GameStarted))
    assert film_names(started.seats) == shown
    assert [shortened(own_name(seat.name), 16) for seat in started.seats] == [shortened(name, 16) for name in names]
