"""A reel: the best moments of many sessions, each with who plays and their orders, in at most a minute."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import pygame
import pytest
from fakes import eventful
from films import session
from plays import COUCH, bot
from plays import game as plays_of

from batllm_arcade.analysis.game import swings
from batllm_arcade.brains.protocol import SeatInfo
from batllm_arcade.cli.films.reel import _files
from batllm_arcade.cli.main import main
from batllm_arcade.core.events import BotHit
from batllm_arcade.history.reader import read
from batllm_arcade.match.records import GameStarted, Play, RoundStarted
from batllm_arcade.video import reel_job
from batllm_arcade.video.draw.card_painter import CardPainter
from batllm_arcade.video.draw.together.recap import recap_picture
from batllm_arcade.video.edit.cards import CardSide
from batllm_arcade.video.edit.edit_list import Cut
from batllm_arcade.video.edit.moments import KNOCKOUT
from batllm_arcade.video.edit.text import unnamed
from batllm_arcade.video.edit.together import reel
from batllm_arcade.video.edit.together.headlines import PLAIN, Headline, apart
from batllm_arcade.video.edit.together.reel import (
    CARD_S,
    LEAD_PLAYS,
    LONGEST_S,
    MOST_OF_GAME,
    RECAP_S,
    best_of_game,
    chosen,
)
from batllm_arcade.video.edit.together.said_first import KEPT_S, LEAST_S, TITLE_S, Said, kept_of, saying, title_seconds
from batllm_arcade.video.encode.formats import FORMATS, Shape
from batllm_arcade.video.film_plan import FilmPlan
from batllm_arcade.video.reel_job import ReelJob, best_moments
from batllm_arcade.view.timeline import Timeline

PLAN = FilmPlan(Path("a.mp4"), Shape(FORMATS[".mp4"], (320, 180), 10))


def game():
    """The records of the second game, in which a bot is knocked out."""
    found, at = [], 0
    for record in eventful():
        at += isinstance(record, GameStarted)
        if at == 2:
            found.append(record)
    return found


@pytest.fixture(scope="module")
def moments():
    """The best moments of a game."""
    return best_of_game(game(), swings(game()))


def a_round():
    """The record of a round that begins."""
    return next(record for record in eventful() if isinstance(record, RoundStarted))


def titled(each, text, score=None):
    """A moment of which nothing but that is said."""
    score = each.moment.score if score is None else score
    return replace(each, headlines=(), kind="", moment=replace(each.moment, text=text, score=score))


def test_the_moments_of_a_game_are_the_best_ones_and_do_not_overlap(moments):
    assert 1 <= len(moments) <= MOST_OF_GAME
    scores = [each.moment.score for each in moments]
    assert scores == sorted(scores, reverse=True)
    ordered = sorted(moments, key=lambda each: each.moment.start)
    assert all(one.moment.end <= other.moment.start for one, other in pairwise(ordered))


def test_a_reel_has_at_most_a_minute_each_games_best_first_and_ends_with_the_best(moments):
    best = moments[0]
    second = titled(best, "second", best.moment.score - 1)
    games = [(titled(best, chr(ord("A") + n), n), second) for n in range(40)]
    kept = chosen(games, CARD_S)
    scores = [each.moment.score for each in kept]
    assert scores == sorted(scores)
    assert kept[-1].moment.score == 39
    assert "second" not in {each.moment.text for each in kept}
    room = LONGEST_S - RECAP_S  # for the result and the end card
    assert room - CARD_S - best.seconds < CARD_S + sum(each.seconds for each in kept) <= room


@pytest.mark.parametrize(("games", "each"), [(3, 2), (4, 1), (6, 1)])
def test_of_many_games_one_moment_each_is_shown(moments, games, each):
    best = moments[0]
    kept = chosen([(), *((titled(best, f"{n} first"), titled(best, f"{n} second")) for n in range(games))], 0.0)
    assert len(kept) == games * each


def test_a_knock_out_is_the_best_moment_of_a_game_and_all_moments_show_something(moments):
    assert moments[0].moment.score >= KNOCKOUT
    assert not any(word in each.moment.text for each in moments for word in ("mistake", "well played"))


@pytest.mark.parametrize(
    ("plays", "health", "said", "before"),
    [
        (["A B"], 20, "Ann wins with only 20 health left", "Bob is down 12 to 20: who wins?"),
        (["A B"], 12, "Ann wins with only 12 health left", "The next hit wins, 12 : 12"),
        (["A B", "B M0", "A B"], 12, "Ann wins from 12 behind", "Ann is down 12 to 24: is it over?"),
        (["B M0", "A B"], 100, "Ann wins unhurt", "Bob is one hit from defeat, 12 to 100"),
        (["B B", "A B"], 60, "Ann wins with 48 health left", "Bob is one hit from defeat, 12 to 60"),
        (["B B", "B A90", "A B"], 60, "Ann wins with a hit in the side", "Bob is one hit from defeat, 12 to 60"),
        (["B B", "A B", "A B", "A B", "A B"], 20, "comeback by Ann, once 40 behind", "40 behind: is it over?"),
    ],
)
def test_a_knock_out_in_a_reel_says_how_near_it_was_and_before_it_not_who_wins(plays, health, said, before):
    bots = bot(200, 0, health=health), bot(800, 180, health=12 * plays.count("A B"))
    records = plays_of(*plays, bots=bots, rules=replace(COUCH, battery=0))
    best, *_ = best_of_game(records, {})
    assert best.moment.text == said
    assert best.moment.bot == 0
    assert best.teaser == before


def test_a_reel_says_of_how_many_games_its_moments_are(moments, monkeypatch):
    for plan, games, said in (
        (PLAN, 40, "The 2 best moments of 40 games"),
        (PLAN, 1, "The 2 best moments"),
        (replace(PLAN, title="Our league"), 40, "Our league"),
    ):
        assert ReelJob([moments[0], moments[0]], plan, games)._title == said
    model = SeatInfo("SmolLM2", "embedded", "SmolLM2-135M"), SeatInfo("SmolLM2", "embedded", "SmolLM2-135M")
    records = [replace(each, seats=model) if isinstance(each, GameStarted) else each for each in game()]
    told = [replace(moments[0], timeline=Timeline.of(records))] * 2
    assert ReelJob(told, PLAN, 40)._title == "One AI model, 40 games: the 2 best moments"
    assert ReelJob(told, PLAN, 1)._title == "The 2 best moments"
    monkeypatch.setattr(reel_job, "both_read", lambda timeline: True)
    assert ReelJob(told, PLAN, 40)._title == "One AI reads orders: best moments of 40 games"


@pytest.mark.parametrize(
    ("orders", "said"),
    [
        (("Rush him", "Camp in a corner"), "\u201cRush him\u201d wins with only 4 health left"),
        (("Win", "Win"), "SmolLM2 (blue) wins with only 4 health left"),
        (("Rush him", ""), "SmolLM2 (blue) wins with only 4 health left"),
    ],
)
def test_the_last_card_names_bots_of_one_name_by_their_orders(orders, said):
    begun, *records = plays_of("A B", bots=(bot(200, 0, health=4), bot(800, 180, health=12)))
    for names, told in ((("SmolLM2", "SmolLM2"), said), (("Ann", "Bob"), "Ann wins with only 4 health left")):
        seats = tuple(replace(seat, name=name) for seat, name in zip(begun.seats, names, strict=True))
        best, *_ = best_of_game([replace(begun, seats=seats), replace(a_round(), prompts=orders), *records], {})
        assert best.recap == told


@pytest.mark.parametrize("fires", [True, False])
def test_to_be_unhurt_by_who_never_fires_is_nothing_to_remember(fires):
    records = plays_of(*(["B B"] if fires else []), "A B", bots=(bot(200, 0), bot(800, 0, health=12)))
    best, *_ = best_of_game(records, {})
    assert best.moment.text == "Ann wins unhurt"
    assert (best.kind == PLAIN) != fires
    assert best.teaser == ("Will it stay unhurt? 100 : 12" if fires else "Bob is one hit from defeat, 12 to 100")


def test_no_two_cards_of_a_reel_say_the_same():
    down = "Blue is down 4 to 16: "
    told = [f"{down}who wins?", "36 behind: is it over?", f"{down}who wins?", f"{down}who wins?"]
    said = [f"{down}who wins?", "36 behind: is it over?", f"{down}is it over?", f"{down}any hope left?"]
    assert apart(told) == said


def test_the_card_of_a_moment_that_ends_no_game_says_what_happens_and_not_to_whom(moments):
    blocks = f"{moments[0].names[0]} blocks at the last degree"
    assert titled(moments[0], blocks, 40.0).teaser == "Blocks at the last degree"


def test_a_reel_ends_with_a_card_of_all_moments(tmp_path):
    shown = best_moments([read(session(tmp_path))], PLAN)
    assert shown[-1].moment.score >= KNOCKOUT
    with_cards, without = (ReelJob(shown, plan) for plan in (PLAN, replace(PLAN, cards=False)))
    more = with_cards.edit_list.seconds - without.edit_list.seconds
    assert more == pytest.approx(CARD_S + RECAP_S)
    renderer, pictures = with_cards.frame_renderer(), []
    for before_end in (0.1, RECAP_S - 0.1):
        renderer.draw(with_cards.edit_list.seconds - before_end)
        pictures.append(pygame.image.tobytes(renderer.surface, "RGB"))
    assert pictures[0] == pictures[1], "nothing moves on the last card"


def test_moments_that_read_the_same_come_after_all_others(moments):
    best = moments[0]
    same = [(titled(best, "same", 100 - n),) for n in range(40)]
    other = (titled(best, "other", 1),)
    kept = chosen([*same, other], CARD_S)
    assert kept[0].moment.text == "other"
    assert kept[-1].moment.score == 100
    assert len(kept) > 2


def test_headlines_are_not_alike_where_another_is_true(moments):
    best = moments[0]
    said = [
        (Headline(f"wins with its last {left}", 0, "last"), Headline(f"other {left}", 1, f"{left}"))
        for left in (4, 8, 12)
    ]
    kept = chosen([(replace(best, headlines=both).told(both[0]),) for both in (said[0], *said)], CARD_S)
    told = {(each.moment.text, each.moment.bot, each.kind) for each in kept}
    assert told == {each[:3] for each in (*said[0], said[1][0], said[2][1])}


def test_what_one_would_not_remember_comes_after_all_else(moments):
    plain, other = Headline("Ann wins with 40 left", 0, PLAIN), Headline("a", 0, "a")
    found = [titled(moments[0], "").told(each) for each in (plain, other)]
    assert [each.kind for each in reel._varied(found)] == ["a", PLAIN]
    for others, plains in ((4, 1), (5, 0)):
        several = [titled(moments[0], "").told(Headline("abcde"[n], 0, "abcde"[n])) for n in range(others)]
        assert sum(each.kind == PLAIN for each in chosen([(each,) for each in (found[0], *several)], 0.0)) == plains


def test_moments_of_bots_that_are_far_apart_come_after_all_else(moments, monkeypatch):
    far, near = Headline("far", 0, "a"), Headline("near", 0, PLAIN)
    found = [titled(moments[0], "").told(each) for each in (far, near)]
    monkeypatch.setattr(reel.GameMoment, "is_far", property(lambda each: each.moment.text == "far"))
    assert [each.moment.text for each in reel._varied(found)] == ["near", "far"]
    for others, shown in ((4, True), (5, False)):
        several = [titled(moments[0], "").told(Headline("bcdef"[n], 0, "bcdef"[n])) for n in range(others)]
        kept = chosen([(each,) for each in (found[0], *several)], 0.0)
        assert any(each.moment.text == "far" for each in kept) == shown


@pytest.mark.parametrize(("away", "far"), [(540, False), (560, True)])
def test_how_far_bots_are_apart_is_seen_where_the_hit_lands(away, far):
    best, *_ = best_of_game(plays_of("A B", bots=(bot(200, 0), bot(200 + away, 180, health=12))), {})
    assert best.is_far == far


def test_of_moments_of_one_kind_what_reads_as_more_comes_later(moments):
    told = [(40, 30.0, "comeback"), (30, 40.0, "comeback"), (35, 0.0, "other"), (20, 20.0, "comeback")]
    found = [titled(moments[0], "", score).told(Headline(f"{weight}", 0, kind, weight)) for score, weight, kind in told]
    assert [each.weight for each in reel._in_order(found)] == [20, 30, 0, 40]


def test_the_further_behind_a_comeback_was_the_more_it_weighs():
    weights = []
    for health in (60, 80):
        bots = bot(200, 0, health=40), bot(800, 180, health=health)
        plays = ["B B", "B B", *["A S0", "B S0"] * 6, *["A B", "B S0"] * 7]
        best, *_ = best_of_game(plays_of(*plays, bots=bots, rules=replace(COUCH, battery=0)), {})
        weights.append((best.kind, round(best.weight)))
    assert weights == [("comeback", 44), ("comeback", 64)]


def test_a_comeback_in_a_reel_shows_where_who_comes_back_was_furthest_behind():
    bots = bot(200, 0, health=40), bot(800, 180, health=60)
    plays = ["B B", "B B", *["A S0", "B S0"] * 6, *["A B", "B S0"] * 5]
    begun, *records = plays_of(*plays, bots=bots, rules=replace(COUCH, battery=0))
    best, *_ = best_of_game([begun, a_round(), *records], {})
    assert best.before.text == "Ann is 44 behind"
    first, *_ = best.edit_list(0.0, 1.0).cuts
    assert first.start == best.before.start
    assert any("turns later" in cut.text for cut in best.edit_list(0.0, 1.0).cuts)
    assert best.edit_list(0.0, 1.0).seconds > replace(best, before=None).edit_list(0.0, 1.0).seconds + 1


def test_how_far_behind_it_was_is_told_in_percent_where_bots_have_other_health_than_100():
    bots, rules = (bot(200, 0, health=30), bot(800, 180, health=50)), replace(COUCH, battery=0, initial_health=(50, 50))
    records = plays_of("B B", *["A S0", "B S0"] * 6, *["A B", "B S0"] * 5, bots=bots, rules=rules)
    best, *_ = best_of_game(records, {})
    assert best.before.text == "Ann is 64% behind"


@pytest.mark.parametrize(("round_begins", "led"), [(0, LEAD_PLAYS), (5, 1), (6, 0)])
def test_a_moment_begins_two_turns_before_its_shot_but_not_in_the_round_before(round_begins, led):
    turning = ["A A0", "B A180"] * 3
    begun, *records = plays_of(*turning, "A B", bots=(bot(200, 0), bot(800, 180, health=12)))
    records.insert(round_begins, a_round())
    best, *_ = best_of_game([begun, *records], {})
    plays = [segment.start for segment in best.timeline.segments if isinstance(segment.record, Play)]
    assert sum(best.moment.start <= start < best.moment.known for start in plays) == led + 1


def test_of_many_players_or_orders_one_moment_of_the_same_is_shown(moments):
    best = moments[0]

    def told(number, score):
        records = [replace(r, prompts=(f"{number}", "")) if isinstance(r, RoundStarted) else r for r in eventful()]
        return (replace(titled(best, f"{score}", score), timeline=Timeline.of(records)),)

    few = [told(number, 100 - 10 * number) for number in range(3)]
    assert len(chosen([*few, told(0, 95)], CARD_S)) == 4
    many = [told(number, 100 - 10 * number) for number in range(4)]
    assert [each.moment.score for each in chosen([*many, told(0, 95)], CARD_S)] == [70, 80, 90, 100]


def test_of_the_same_players_a_moment_nearly_as_good_is_shown_that_begins_with_another_score():
    def told(name, score, health):
        records = plays_of("A B", bots=(bot(200, 0, health=health), bot(800, 180, health=12)))
        begun = next(record for record in records if isinstance(record, GameStarted))
        seats = replace(begun.seats[0], name=name), begun.seats[1]
        records = [replace(begun, seats=seats) if each is begun else each for each in records]
        return titled(best_of_game(records, {})[0], name, score)

    ranked = [told("a", 100, 60), told("b", 99, 60), told("b", 95, 48), told("b", 80, 36)]
    assert [each.score for each in ranked[1:3]] == ["12 : 60", "12 : 48"]
    assert [each.moment.score for each in reel._of_players(ranked)] == [100, 95]
    assert [each.moment.score for each in reel._of_players([*ranked[:2], ranked[3]])] == [100, 99]


def test_who_won_is_said_after_the_knock_out_was_seen():
    best, *_ = best_of_game(plays_of("A B", bots=(bot(200, 0), bot(800, 180, health=12))), {})
    assert best.moment.text.startswith("Ann wins")
    (said,) = [cut for cut in best.edit_list(0.0, 1.0).cuts if cut.text]
    assert best.moment.known + 0.4 < said.start < said.end
    assert said.end == best.moment.end


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Ann wins unhurt", "wins unhurt"),
        ("comeback by Ann Lee, once 24 behind", "comeback, once 24 behind"),
        ("lead change: Ann", "lead change"),
        ("first blood for Ann Lee", "first blood"),
        ("next hit wins", "next hit wins"),
        ("Annette hits, 64 : 100", "Annette hits, 64 : 100"),
    ],
)
def test_cards_of_moments_say_what_happens_and_not_to_whom(text, said):
    assert unnamed(text, ("Ann", "Ann Lee")) == said


def test_each_moment_begins_with_a_card_and_every_frame_is_a_function_of_its_time(tmp_path):
    shown = best_moments([read(session(tmp_path))], PLAN)
    job = ReelJob(shown, PLAN)
    chapters = job.chapters(job.frames)
    assert [chapter.title[:2] for chapter in chapters] == [f"{n}." for n in range(len(shown), 0, -1)]
    playing, seeking = job.frame_renderer(), job.frame_renderer()
    last = chapters[-1].start + 0.2
    for number in range(round(last * 10) + 1):
        changed = playing.draw(number / 10)
    seeking.draw(round(last * 10) / 10)
    assert seeking.surface.get_buffer().raw == playing.surface.get_buffer().raw
    assert playing.surface.get_rect().unionall(changed) == playing.surface.get_rect()
    cues = list(job.cues())
    assert all(0 <= cue.at <= job.edit_list.seconds for cue in cues)
    assert [cue.at for cue in cues if cue.sound == "start"] == [0.25]


def test_only_the_first_moment_has_a_card_and_the_others_a_ribbon_that_says_what_is_to_be_seen(tmp_path):
    shown = best_moments([read(session(tmp_path))], PLAN)
    job = ReelJob(shown, PLAN)
    first, *others = job._parts
    assert (first.card, {part.card for part in others}) == (CARD_S, {0.0})
    titles = job._titles()
    assert titles[0] not in first.ribbons
    for part, title in zip(others, titles[1:], strict=True):
        assert part.cuts[0].text == title
        assert sum(cut.seconds for cut in part.cuts if cut.text == title) <= TITLE_S + 1e-6
    assert not any(
        part.ribbons and titles[1] in part.ribbons for part in ReelJob(shown, replace(PLAN, cards=False))._parts
    )


def test_what_is_said_first_stays_for_as_long_as_it_takes_to_read_it_and_for_no_longer():
    cuts = [Cut(0.0, 1.0, entry="flash"), Cut(1.0, 2.0, speed=0.5), Cut(2.0, 4.0), Cut(4.0, 5.0, text="said")]
    title, kept = Said("title", None, 2.2), Said("kept", 1, 2.5)
    found = saying(cuts, [title, kept])
    assert sum(cut.seconds for cut in found) == pytest.approx(sum(cut.seconds for cut in cuts))
    assert all(one.end == other.start for one, other in pairwise(found))
    assert sum(cut.seconds for cut in found if cut.text == "title") == pytest.approx(2.2)
    assert sum(cut.seconds for cut in found if cut.text == "kept") == pytest.approx(2.5)
    assert {cut.bot for cut in found if cut.text == "kept"} == {1}
    assert [cut.entry for cut in found] == ["flash", *[""] * (len(found) - 1)]
    assert [cut for cut in found if cut.text == "said"] == cuts[3:]
    assert saying(cuts, [Said("", None, 0.0)]) == cuts
    assert saying(cuts[3:], [title]) == cuts[3:]
    short = [Cut(0.0, 2.2 + LEAST_S - 0.1), cuts[3]]
    assert [cut.text for cut in saying(short, [title, kept])] == ["title", "", "said"]


@pytest.mark.parametrize(("before", "said"), [(0.5, LEAST_S), (1.5, 1.5), (9.0, TITLE_S)])
def test_a_title_that_says_how_both_stand_goes_when_that_changes(moments, before, said):
    timeline = moments[0].timeline
    hit = next(each for each in timeline.segments if each.flight and any(type(e) is BotHit for e in each.record.events))
    cuts = [Cut(hit.known - before, hit.known - before / 2), Cut(hit.known - before / 2, hit.known + 60.0)]
    assert title_seconds(cuts, timeline) == pytest.approx(said)
    slow = [replace(cut, speed=0.5) for cut in cuts]
    assert title_seconds(slow, timeline) == pytest.approx(min(TITLE_S, max(LEAST_S, 2 * before)))


def side(told, kept, followed):
    return CardSide("SmolLM2", told, kept=kept, followed=followed)


@pytest.mark.parametrize(
    ("left", "right", "said", "bot"),
    [
        (side("a", "did", 1.0), side("b", "did not", 0.1), "b: did not", 1),
        (side("a", "did", 0.8), side("b", "did", 1.0), "b: did", 1),
        (side("a", "did not", 0.3), side("b", "did not", 0.0), "b: did not", 1),
        (side("a", "did", 0.8), side("b", "half", 0.5), "a: did", 0),
        (side("a", "half", 0.5), side("b", "", None), "", None),
        (
            side("\u201c1 of 2\u201d", "up 3 of 9 turns", 0.3),
            side("b", "", None),
            "\u201c1 of 2\u201d: up only 3 of 9 turns",
            0,
        ),
        (side("a", "", None), side("b", "0 of 9 steps", 0.0), "b: 0 of 9 steps", 1),
        (side("a", "8 of 9 steps", 0.9), side("b", "", None), "a: 8 of 9 steps", 0),
    ],
)
def test_a_moment_says_who_kept_to_its_orders_or_did_not(left, right, said, bot):
    assert kept_of((left, right), 1) == Said(said, bot, KEPT_S if said else 0.0)


def test_what_changes_between_two_moments_is_the_whole_picture(tmp_path):
    shown = best_moments([read(session(tmp_path))], PLAN)
    job = ReelJob([shown[-1], shown[-1]], PLAN)
    renderer, seam = job.frame_renderer(), job.chapters(job.frames)[1].start
    renderer.draw(seam - 0.1)
    assert renderer.draw(seam) == [renderer.surface.get_rect()]


def test_a_folder_stands_for_its_sessions_and_what_is_none_is_left_out(tmp_path, capsys):
    match, other = session(tmp_path), tmp_path / "other.json"
    other.write_text("{}")
    out = tmp_path / "films" / "reel.mp4"
    out.parent.mkdir()
    assert _files(tmp_path) == [match, other]
    small = ["--size", "160x128", "--fps", "4", "--no-sound"]
    assert main(["reel", str(tmp_path), "-o", str(out), *small]) == 0
    assert "1 of 2 files are no sessions" in capsys.readouterr().err
    assert "1. " in out.with_suffix(".txt").read_text("utf-8")


def test_a_leagues_folder_stands_for_the_sessions_it_kept(tmp_path):
    (tmp_path / "sessions").mkdir()
    (tmp_path / "table.json").touch()
    kept = [tmp_path / "sessions" / name for name in ("1-1.json", "1-2.json")]
    for file in kept:
        file.touch()
    assert _files(tmp_path) == kept


@pytest.mark.parametrize(("named", "said"), [("other.json", "other.json"), ("empty", "no session in what you named")])
def test_what_holds_no_session_is_said(named, said, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    Path("other.json").write_text("{}")
    Path("empty").mkdir()
    assert main(["reel", named, "-o", "r.mp4"]) == 2
    assert said in capsys.readouterr().err


def test_sessions_in_which_nothing_was_played_are_refused(tmp_path, capsys):
    file = session(tmp_path, [record for record in eventful() if not isinstance(record, Play)][:3])
    assert main(["reel", str(file), "-o", str(tmp_path / "r.mp4")]) == 2
    assert "nothing happens in these sessions" in capsys.readouterr().err


MOMENTS = [
    ("\u201cRush him and never stop firing\u201d wins with a hit in the back", 0, None),
    ("\u201cAttack all the time\u201d wins with only 4 health left", 1, None),
]


@pytest.mark.parametrize(("size", "telephone"), [((1280, 720), False), ((1080, 1080), False), ((1080, 1920), True)])
def test_the_last_card_tells_moments_whole_beside_their_numbers(monkeypatch, size, telephone):
    painter, rows = CardPainter(size, telephone=telephone), []
    line = painter.text.line
    monkeypatch.setattr(painter.text, "line", lambda text, *rest: rows.append(text) or line(text, *rest))
    recap_picture(painter, "The 2 best moments", MOMENTS)
    told = [row for row in rows[rows.index("1. ") :] if row not in ("1. ", "2. ")]
    assert " ".join(told) == " ".join(text for text, *_ in MOMENTS)
    assert "\u201cAttack all the time\u201d" in told or MOMENTS[1][0] in told


@pytest.mark.parametrize(
    ("kept", "said", "bot"),
    [
        (Said("", None, 0.0), "Ann wins", 0),
        (Said("\u201cRush\u201d: 4 of 4 steps led nearer", 0, 1.0), "Ann wins: 4 of 4 steps led nearer", 0),
        (
            Said("\u201cHide\u201d: shield up 1 of 9 turns", 1, 1.0),
            "\u201cHide\u201d: shield up 1 of 9 turns, and loses",
            1,
        ),
        (Said("\u201cHide\u201d: " + "x" * 80, 1, 1.0), "Ann wins", 0),
    ],
)
def test_the_last_card_says_how_orders_were_kept_where_that_is_short(moments, kept, said, bot, monkeypatch):
    each = titled(moments[0], "Ann wins", KNOCKOUT)
    each = replace(each, moment=replace(each.moment, bot=0))
    monkeypatch.setattr(reel, "kept_of", lambda *_: kept)
    assert each.told_again == (said, bot)


@pytest.mark.parametrize(("size", "count", "shown"), [((1280, 720), 4, 4), ((1280, 720), 8, 4), ((1080, 1080), 2, 0)])
def test_the_last_card_of_a_wide_film_has_a_picture_of_each_of_the_best_moments(
    moments, monkeypatch, size, count, shown
):
    seen, scene = [], moments[0].seen
    assert not any(effect.amount for effect in scene.effects if effect.kind == "hit")
    monkeypatch.setattr("batllm_arcade.video.draw.together.recap.paint_fight", lambda *given: seen.append(given))
    painter = CardPainter(size)
    recap_picture(painter, "The best moments", [(text, bot, scene) for text, bot, _ in MOMENTS * (count // 2)])
    places = [place for _, _, place, _ in seen]
    assert len(places) == shown
    assert not any(one.colliderect(other) for one, other in pairwise(places))
    assert all(painter.area.contains(place) for place in places)
