"""What a whole film and the best moments show of games made play by play, when, how fast, and what they say of it."""

from __future__ import annotations

from dataclasses import fields, replace
from itertools import chain, pairwise
from pathlib import Path

import pytest
from approved import approve
from fakes import eventful, played
from plays import COUCH, bot, game

from batllm_arcade.analysis.game import swings
from batllm_arcade.core.events import BotHit
from batllm_arcade.core.model import Rules
from batllm_arcade.match.records import GameEnded, GameStarted, Play, RoundStarted
from batllm_arcade.match.series import describe_result
from batllm_arcade.story.moments import TurningPoint
from batllm_arcade.video.edit import highlights, stretches
from batllm_arcade.video.edit import text as film_words
from batllm_arcade.video.edit.captions import budget
from batllm_arcade.video.edit.text import film_names
from batllm_arcade.view.timeline import Timeline


def plays_of(text: str) -> list[str]:
    """The plays of `2x A B, B B | A M`: parts behind each other, each so many times."""
    parts = [part.strip().rpartition("x ") for part in text.split("|")]
    return [*chain.from_iterable(int(times or 1) * plays.split(", ") for times, _, plays in parts)]


def made(plays: str, options: dict) -> tuple[Timeline, list[TurningPoint]]:
    """The timeline of a game between two bots that face each other, and its turning point if that is given."""
    left, right = options.get("health", (100, 100))
    facing = bot(800, 180, options.get("shield", False), options.get("charge", 9), right)
    figures = {name: value for name, value in options.items() if name in {each.name for each in fields(Rules)}}
    start, *played, end = game(
        *plays_of(plays), bots=(bot(200, 0, health=left), facing), rules=replace(COUCH, **figures)
    )
    records, number, rounds = [start], 1, options.get("rounds", {})
    for at, play in enumerate(played):
        if at in rounds:
            number = rounds[at]
            records.append(RoundStarted(1, number, (0, 1), play.before, ("", ""), True, False, ("", "")))
        turn = (at - max((each for each in rounds if each <= at), default=0)) // 2 + 1
        records.append(replace(play, round=number, turn=turn if rounds else play.turn))
    shown = [record for record in records if isinstance(record, Play)]
    points = [TurningPoint(shown[at], shown[hit], tuple(shown)) for at, hit in [options.get("turning", (0, 0))] if at]
    return Timeline.of([*records, end]), points


def whole(timeline, points=()):
    return stretches.whole(timeline, stretches.pieces(timeline, 0.0, timeline.end, points), points, quiet=True)


def best(timeline, longest=highlights.LONGEST_S, points=()):
    chances = swings(segment.record for segment in timeline.segments)
    return highlights.cuts(timeline, chances, 0.0, timeline.end, longest, points)


def told(cuts):
    """Cuts as lines; those that touch and are alike as one."""
    joined = []
    for cut in cuts:
        like = joined and not cut.entry and replace(cut, start=joined[-1].start, entry=joined[-1].entry)
        if like and joined[-1].end == cut.start and replace(joined[-1], end=cut.end) == like:
            joined[-1] = like
        else:
            joined.append(cut)
    for cut in joined:
        marks = [f"x{cut.speed:g}", cut.entry, "low" * cut.low, f"bot {cut.bot}" * (cut.bot is not None), cut.text]
        yield f"  {cut.start:.1f} to {cut.end:.1f}  {'  '.join(filter(None, marks))}"


def say(case) -> str:
    _, plays, options = case
    timeline, points = made(plays, options)
    chances = swings(segment.record for segment in timeline.segments)
    count = len(list(highlights.moments(timeline, chances, points)))
    rows = ["whole", *told(whole(timeline, points)), f"best of {count} moments", *told(best(timeline, points=points))]
    return "\n".join(rows)


def test_what_films_show_of_games_is_what_was_approved():
    approve(Path(__file__).parent / "approved" / "cuts.txt", say)


def series(games: int) -> Timeline:
    """A timeline of so many games."""
    records = eventful()
    last = max(n for n, record in enumerate(records) if isinstance(record, GameStarted))
    found = [records[0]]
    for number in range(1, games + 1):
        found += [replace(record, game=number) if hasattr(record, "game") else record for record in records[1:last]]
    return Timeline.of(found)


@pytest.mark.parametrize("games", [2, 3, 5, 7, 12])
def test_highlights_of_a_series_have_every_game_s_ending_and_a_card_with_the_score_before_each(games):
    timeline = series(games)
    shown = best(timeline, 26.0)
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


def test_every_game_of_a_series_has_a_moment_beside_its_ending_before_one_has_two():
    """Right is hit six times in each of three games; the first two games' hits take more of its health."""
    records = []
    for number, health in ((1, 130), (2, 130), (3, 400)):
        bots, rules = (bot(200, 0), bot(800, 180, health=health)), replace(COUCH, battery=0)
        one = game(*plays_of("3x A B, B A90, A B, B C90 | A B"), bots=bots, rules=rules)
        records += [replace(each, game=number) if hasattr(each, "game") else each for each in one]
    timeline = Timeline.of(records)
    ends = [segment.start for segment in timeline.segments if isinstance(segment.record, GameEnded)]
    for longest in (20.0, 30.0):
        cuts = best(timeline, longest)
        slow = [
            [cut for cut in cuts if cut.speed < 1 and start <= cut.end < end] for start, end in pairwise([0.0, *ends])
        ]
        assert all(slow)
        assert sum(cut.seconds for cut in cuts) <= longest


def test_a_turn_of_the_game_is_on_the_ribbon_of_its_highlight_and_of_a_whole_film():
    timeline = Timeline.of(eventful())
    twists = film_words.twists(timeline).values()
    assert {twist.text for twist in twists} <= {cut.text for cut in whole(timeline)}
    moments = highlights.moments(timeline, swings(segment.record for segment in timeline.segments))
    assert {twist.text for twist in twists if twist.kind == "next"} <= {moment.text for moment in moments}


def test_a_comeback_is_told_above_the_banner_of_the_result_wherever_the_bots_are():
    comeback = Timeline.of(
        game(*plays_of("3x B B | 9x A B"), bots=(bot(200, 0), bot(800, 180)), rules=replace(COUCH, battery=0))
    )
    moved = [
        replace(each, arena=replace(each.arena, left=replace(each.arena.left, y=20))) for each in comeback.segments
    ]
    comeback.segments[:] = moved
    (said,) = [cut for cut in whole(comeback) if cut.text.startswith("Comeback")][-1:]
    assert not said.low


def test_a_draw_gets_ten_seconds_of_the_best():
    timeline = Timeline.of(played(["C10"] * 20, ["C10"] * 20, rules=Rules(total_rounds=1, turns_per_round=20)))
    assert sum(cut.seconds for cut in best(timeline)) == pytest.approx(highlights.DRAW_S)


def test_a_part_that_is_asked_for_is_shown_as_it_is():
    timeline, _ = made("6x A B, B B", {"health": (400, 400), "battery": 0})
    cuts = stretches.whole(timeline, [stretches.Piece(0.0, timeline.end)], faster=False)
    assert {cut.speed for cut in cuts} == {1.0}


def test_quiet_plays_with_words_that_are_waited_for_are_shown_as_they_are():
    records = game("A B", "B C10", "A C10", "B C10", "A C10", "B B", "A C10", "B B")
    plays, read = [record for record in records if isinstance(record, Play)], Timeline()
    for record in records:
        read.append(record, lead=1.0 if record in (plays[2], plays[4]) else 0.0)
    for timeline, speeds in ((Timeline.of(records), {1.0, stretches.FASTER}), (read, {1.0})):
        assert {cut.speed for cut in whole(timeline)} == speeds


def test_moments_of_hits_show_nothing_of_the_next_play():
    timeline, _ = made("A B, B C1, A B, B C1", {"health": (400, 400), "battery": 0})
    shots = [segment for segment in timeline.segments if segment.flight]
    assert [moment.end for moment in highlights.moments(timeline, {})] == [pytest.approx(shot.end) for shot in shots]


def test_what_changes_the_chances_much_is_a_moment_however_many_were_like_it():
    timeline, _ = made("3x A B, B C1, A B, B C359", {"health": (400, 400), "battery": 0})
    hits = [
        segment.record for segment in timeline.segments if isinstance(segment.record, Play) and segment.record.is_hit
    ]
    assert all(BotHit in map(type, hit.events) for hit in hits)
    assert len(list(highlights.moments(timeline, {hit.key: (0.5, 0.8) for hit in hits[2:5]}))) == 3


@pytest.mark.parametrize(("seconds", "waits"), [(5.0, 3.0), (12.0, 6.0), (60.0, 24.0)])
def test_long_films_wait_for_words_for_less_of_their_length(seconds, waits):
    assert budget(seconds) == pytest.approx(waits)


def test_what_was_left_out_is_told_until_the_banner_of_the_next_round_for_as_long_as_it_takes_to_be_read():
    timeline = Timeline.of(played(["C10"] * 26, ["C10"] * 26, rules=Rules(total_rounds=2, turns_per_round=13)))
    banner = [segment.start for segment in timeline.segments if isinstance(segment.record, RoundStarted)][-1]
    for early in (0.2, 1.2):
        piece = stretches.Piece(banner - early, timeline.end, 7)
        (ribbon,) = (cut for cut in stretches.whole(timeline, [piece]) if cut.text)
        assert ribbon.end == pytest.approx(max(banner, ribbon.start + 0.9))
