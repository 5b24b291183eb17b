"""Two games side by side: one clock of turns, and cards that say which went better and by how much."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pygame
import pytest
from fakes import eventful, written
from films import session
from texts import note_texts

from batllm_arcade.cli.main import main
from batllm_arcade.core.events import BotHit
from batllm_arcade.core.rules import Result
from batllm_arcade.errors import UsageError
from batllm_arcade.history.reader import read
from batllm_arcade.match.records import GameEnded, GameStarted, Play, RoundStarted
from batllm_arcade.render.hud import upright as last_play
from batllm_arcade.render.renderer import Renderer
from batllm_arcade.story.result import accounts
from batllm_arcade.video.draw import versus as split_renderer
from batllm_arcade.video.draw.card_painter import CardPainter
from batllm_arcade.video.draw.versus import _title, result_plate, versus_closing, versus_opening
from batllm_arcade.video.edit.edit_list import Cut, EditMoment
from batllm_arcade.video.edit.side_by_side import (
    FAST_S,
    RESULT_S,
    Contest,
    Outcome,
    contest,
    cuts,
    meanwhile,
    on_one_clock,
    outcome,
    parted,
    result_of,
    result_shown,
)
from batllm_arcade.video.edit.stretches import FASTER
from batllm_arcade.video.encode.formats import FORMATS, Shape
from batllm_arcade.video.film_plan import Compared, FilmPlan
from batllm_arcade.video.versus_job import VersusJob, _with_label
from batllm_arcade.view.layout import beside_ended, columns
from batllm_arcade.view.play_text import doing
from batllm_arcade.view.timeline import Timeline

made = split_renderer._renderer


def game(number: int = 1, prompts=("win", "hide")):
    """The records of one of the games, whose players are told this."""
    found, at = [], 0
    for record in eventful():
        at += isinstance(record, GameStarted)
        if isinstance(record, RoundStarted):
            record = replace(record, prompts=prompts)
        if at == number:
            found.append(record)
    return found


def numbers(text: str) -> list[float]:
    """The numbers in a text."""
    return [float(number) for number in re.findall(r"\d+(?:\.\d+)?", text)]


def begins(timeline):
    """When each turn begins."""
    found = {}
    for segment in timeline.segments:
        if isinstance(segment.record, Play):
            found.setdefault((segment.record.round, segment.record.turn), segment.start)
    return found


def test_every_turn_begins_at_the_same_second_in_both_games():
    first, second = on_one_clock(game(1), game(2))
    one, other = begins(first), begins(second)
    assert len(one.keys() & other.keys()) > 2
    assert all(one[turn] == other[turn] for turn in one.keys() & other.keys())


def test_a_game_that_has_ended_stands_still_until_the_other_has():
    first, second = on_one_clock(game(1), game(2))
    shorter, longer = sorted((first, second), key=lambda timeline: timeline.end)
    assert shorter.end < longer.end
    still, later = shorter.at(longer.end - 0.1), shorter.at(longer.end)
    assert (still.bots, still.board) == (later.bots, later.board)
    assert cuts((first, second))[-1].end > longer.segments[-1].start


def test_turns_without_a_hit_or_a_block_in_either_game_are_left_out_and_counted():
    quiet = [replace(record, events=()) if isinstance(record, Play) else record for record in game(1)]
    many = [record for record in quiet if not isinstance(record, Play)][:2]
    plays = [record for record in quiet if isinstance(record, Play)]
    for turn in range(1, 13):
        many += [replace(plays[0], turn=turn, number=2 * turn - 1), replace(plays[1], turn=turn, number=2 * turn)]
    both = on_one_clock(many, many)
    assert [numbers(cut.text) for cut in cuts(both) if cut.text] == [[10]]
    assert [cut.text for cut in cuts(both, whole=True)] == [""]


def rounds(turns: int):
    """A game of so many turns, all with a hit."""
    first, *_, last = game(1)
    hit = next(play for play in eventful() if isinstance(play, Play) and BotHit in map(type, play.events))
    begins = next(record for record in game(1) if isinstance(record, RoundStarted))
    plays = [replace(hit, round=1, turn=number // 2, number=number - 1) for number in range(2, 2 * turns + 2)]
    return [first, begins, *plays, last]


def test_a_film_of_two_long_games_is_short_and_ends_with_the_end():
    both = on_one_clock(rounds(60), rounds(100))
    found = cuts(both)
    assert sum(cut.seconds for cut in found) < 50
    assert len([cut for cut in found if cut.entry == "flash"]) == 2
    assert found[-1].end > both[1].segments[-1].start
    over = result_shown(both, 0)
    assert both[0].segments[-1].start < over < found[-1].start
    assert result_shown(both, 1) == float("inf")
    assert sum(cut.seconds for cut in found if cut.start >= over) < 9


def test_of_the_middle_that_is_shown_faster_in_which_most_health_is_lost():
    hits = rounds(40)
    for number, record in enumerate(hits):
        if isinstance(record, Play) and not 15 <= record.turn < 17:
            little = [each._replace(damage=0.5) if isinstance(each, BotHit) else each for each in record.events]
            hits[number] = replace(record, events=tuple(little))
    both = on_one_clock(hits, hits)
    fast = [cut for cut in cuts(both) if cut.speed > 1]
    (before,) = [cut for cut in cuts(both) if cut.end <= fast[0].start][-1:]
    gone = sum(before.end <= at < fast[0].start - 1e-6 for at in begins(both[0]).values())
    assert [(cut.speed, numbers(cut.text)) for cut in fast] == [(FASTER, [FASTER, gone])]
    assert all(cut.end > cut.start for cut in cuts(both))
    assert fast[0].end - fast[0].start <= FAST_S + 5.0  # one turn beside these is not left out alone
    at = begins(both[0])
    assert fast[0].start <= at[1, 15] < at[1, 17] <= fast[0].end + 1e-6
    assert all(cut.speed == 1 for cut in cuts(both, whole=True))


def test_what_a_side_did_in_what_is_left_out_is_told():
    timeline = Timeline.of(rounds(4))
    hits = [event for segment in timeline.segments if isinstance(segment.record, Play)
            for event in segment.record.events if isinstance(event, BotHit)]  # fmt: skip
    lost = [sum(hit.damage for hit in hits if hit.bot == bot) for bot in (0, 1)]
    assert sum(lost)
    for subject in (0, 1):
        assert numbers(meanwhile(timeline, subject, 0.0, timeline.end)) == [lost[1 - subject], lost[subject]]
    assert meanwhile(timeline, 0, timeline.end, timeline.end + 1) == ""


def test_ribbons_of_both_games_say_what_each_did_and_one_that_has_ended_has_none(tmp_path):
    tape = read(session(tmp_path))
    plan = FilmPlan(Path("a.mp4"), Shape(FORMATS[".mp4"], (640, 360), 10))
    renderer = VersusJob(Compared(tape, 1), Compared(tape, 2), plan)._both()
    later = Cut(5.0, 6.0, text="2 turns later")
    told = [replace(match, meanwhile={5.0: did}) for match, did in zip(renderer._matches, ("dealt 9", ""), strict=True)]
    assert [match.told_in(later).text for match in told] == ["2 turns later: dealt 9", "2 turns later"]
    assert told[0].told_in(replace(later, text="")).text == ""
    renderer._matches = [told[0], replace(told[1], over=4.0)]
    placed = renderer._place(EditMoment(5.5, later, 0.5))
    assert [len(covers) for covers in placed] == [1, 0]


def test_a_game_that_goes_on_takes_the_picture_once_the_others_result_was_read():
    both = on_one_clock(rounds(60), rounds(100))
    shown = cuts(both)
    beside, alone, longer = parted(both, shown, ("A", "B"))
    assert longer == 1
    assert beside[-1].end == pytest.approx(both[0].segments[-1].start + RESULT_S)
    assert result_shown(both, 0) < beside[-1].end
    assert alone[0].text.startswith("B ")
    assert (numbers(alone[0].text), alone[0].entry) == ([39], "flash")
    assert alone[0].start > beside[-1].end
    whole, rest, _ = parted(both, [Cut(0.0, shown[-1].end)], ("A", "B"))
    assert whole[-1].end == rest[0].start
    assert [cut.text[:2] for cut in rest] == ["B ", ""]
    assert sum(cut.seconds for cut in [*beside, *alone]) == pytest.approx(sum(cut.seconds for cut in shown))
    assert parted(both[::-1], shown, ("A", "B"))[2] == 0
    ended = both[0].segments[-1].start
    for little, apart in ((2.9, False), (3.1, True)):
        brief = [Cut(0.0, ended + RESULT_S + little)]
        assert bool(parted(both, brief, ("A", "B"))[1]) == apart
    assert parted((both[0], both[0]), shown[:2], ("A", "B")) == (shown[:2], [], 0)


def test_the_picture_of_the_game_that_goes_on_says_which_it_is(tmp_path, monkeypatch):
    monkeypatch.setattr("batllm_arcade.video.edit.side_by_side.RESULT_S", 0.2)
    tape = read(session(tmp_path))
    first, second = (Compared(tape, number) for number in (1, 2))
    job = VersusJob(first, second, FilmPlan(Path("a.mp4"), Shape(FORMATS[".mp4"], (320, 180), 10)))
    longer = "AB"[job.timelines[1].end > job.timelines[0].end]
    renderer, seam = job.frame_renderer(), job._beside.seconds
    renderer.draw(seam - 0.1)
    assert renderer.draw(seam) == [renderer.surface.get_rect()]
    column, (left, top, width, height) = job._enlarged
    assert column.label.startswith(longer)
    assert column.layout.arena[3] > 1.05 * job._columns[0].layout.arena[3]
    ended = pygame.Rect(left, top, width, height)
    assert ended.w + column.place[2] < 320
    assert not ended.colliderect(column.place)
    assert not [rect for rect in renderer.draw(seam + 0.1) if rect.colliderect(ended)]
    seeking = job.frame_renderer()
    for film_t in (seam + 1.0, job.edit_list.seconds - 0.1):
        renderer.draw(film_t)
        seeking.draw(film_t)
        assert seeking.surface.get_buffer().raw == renderer.surface.get_buffer().raw
    assert not VersusJob(first, second, replace(job.plan, fast=True))._alone.cuts
    tall = replace(job.plan, shape=replace(job.plan.shape, size=(180, 320)))
    assert not VersusJob(first, second, tall)._alone.cuts
    assert VersusJob(first, second, tall).edit_list.cuts == job.edit_list.cuts


@pytest.mark.parametrize("y", [0.15, 0.85])
def test_a_result_lies_over_no_bot_that_still_stands(y, tmp_path):
    tape = read(session(tmp_path))
    shape = Shape(FORMATS[".mp4"], (1280, 720), 10)
    half = VersusJob(Compared(tape, 1), Compared(tape, 2), FilmPlan(Path("a.mp4"), shape))._both()._halves[0]
    scene = half._match.scene_at(0.0)
    high = scene.board.rules.arena_height
    left, right = (replace(pose, y=share * high) for pose, share in zip(scene.bots, (y, 0.5), strict=True))
    place = half._beside_bots(pygame.Surface((100, 150)), replace(scene, bots=(left, replace(right, alive=False))))
    arena = half.renderer.arena
    assert arena.contains(place)
    assert not place.inflate(0, 40).top < arena.top + y * arena.height < place.inflate(0, 40).bottom


@pytest.mark.parametrize("size", [(1280, 720), (720, 720)])
@pytest.mark.parametrize("subject", [0, 1])
def test_an_opponent_without_orders_has_no_plate_for_these(size, subject):
    told, alone = (
        columns(size, ("A", "B"), subject, against=against, covered=False)[0].layout.panels for against in (True, False)
    )
    assert alone[1 - subject][2:] == (0, 0)
    assert told[1 - subject][2] > 0
    if size[0] > size[1]:
        assert alone[subject][2] > told[subject][2]


def ended(winner, reason, left, right):
    """A game with this result and these healths at its end."""
    records = game(1)
    last = max(number for number, record in enumerate(records) if isinstance(record, Play))
    after = records[last].after
    records[last] = replace(
        records[last],
        after=replace(after, left=replace(after.left, health=left), right=replace(after.right, health=right)),
    )
    records = [each for each in records if not isinstance(each, GameEnded)]
    records[0] = replace(records[0], rules=replace(records[0].rules, bullet_damage=(2, 2)))
    return [*records, GameEnded(1, 1, Result(winner, reason), after)]


@pytest.mark.parametrize(
    ("one", "other", "better"),
    [
        ((0, "knockout", 20, 0), (1, "knockout", 0, 20), 0),
        ((1, "points", 5, 8), (None, "draw", 8, 8), 1),
        ((0, "points", 9, 8), (0, "points", 20, 8), 1),
        ((1, "knockout", 0, 8), (1, "knockout", 0, 20), 0),
        ((1, "points", 5, 8), (1, "points", 5, 10), None),
        ((0, "points", 9, 8), (0, "points", 9.5, 7), None),
        ((None, "aborted", 9, 8), (0, "points", 20, 8), 1),
        ((0, "points", 9, 8), (0, "points", 9, 8), None),
    ],
)
def test_the_end_card_says_which_went_better_unless_both_went_nearly_alike(one, other, better):
    found = outcome(ended(*one), ended(*other), 0)
    assert found.better == better
    assert bool(found.margin) == (better is not None)
    left, right = (result_of(ended(*each), 0) for each in (one, other))
    assert [plate[0].split(" ", 1)[-1] for plate in found.plates] == [
        f"{own:g} : {its:g}" if each.outcome is not None else f"far {own:g} : {its:g}"
        for each in (left, right)
        for own, its in [each.health]
    ]


def test_both_plates_have_the_counts_of_end_cards():
    records = game(2)
    plays = [each for each in records if isinstance(each, Play)]
    for seat in (0, 1):
        did = accounts(plays, records[0].rules)[seat]
        counted = [did.shots, did.hits, did.shielded, did.close]
        _, *rows = result_of(records, seat).words
        assert [int(word) for word in " ".join(rows).split() if word.isdigit()] == counted


def test_of_equal_results_the_sooner_win_is_better():
    quick, slow = game(2), game(2)
    slow = [each for each in slow if not isinstance(each, GameEnded)]
    extra = next(each for each in slow if isinstance(each, Play))
    end = next(each for each in quick if isinstance(each, GameEnded))
    end = replace(end, result=Result(0, "points"))
    found = outcome(
        [each for each in quick if not isinstance(each, GameEnded)] + [end],
        [*slow[:2], replace(extra, round=9), *slow[2:], end],
        0,
    )
    assert found.better == 0


def test_what_is_compared_is_what_differs():
    orders = contest(on_one_clock(game(1, ("rush", "hide")), game(1, ("camp", "hide"))))
    assert orders.told == ("\u201crush\u201d", "\u201ccamp\u201d")
    assert orders.subject == 0
    assert contest(on_one_clock(game(1, ("a", "rush")), game(1, ("a", "camp")))).subject == 1
    renamed = [
        replace(record, seats=(replace(record.seats[0], name="Ann"), record.seats[1]))
        if isinstance(record, GameStarted)
        else record
        for record in game(1)
    ]
    players = contest(on_one_clock(renamed, game(1)), "Who?")
    assert (players.labels[0], players.claim) == ("A: Ann", "Who?")


@pytest.mark.parametrize("size", [(1280, 720), (1080, 1920), (720, 720), (800, 450), (2000, 500)])
def test_both_games_and_their_words_are_in_the_picture(size, tmp_path):
    tape = read(session(tmp_path))
    shape = Shape(FORMATS[".mp4"], size, 10, vertical=size == (1080, 1920))
    job = VersusJob(Compared(tape, 1), Compared(tape, 2), FilmPlan(Path("a.mp4"), shape))
    renderer = job.frame_renderer()
    for film_t in (0.0, job.edit_list.card + 0.5, job.edit_list.seconds - 0.1):
        renderer.draw(film_t)
        whole = renderer.surface.get_rect()
        assert all(whole.contains(rect) for rect in renderer.draw(film_t + 0.05))


@pytest.mark.parametrize("size", [(1280, 720), (720, 1280)])
def test_the_orders_that_are_compared_have_one_size_of_type_in_both_matches(size):
    orders = ("Rush", "Wait until it comes close, then lower your shield, fire, and raise it again at once")
    alike, alone = [], []
    for said, column in zip(orders, columns(size, ("A", "B"), 0, orders, covered=False), strict=True):
        scene = Timeline.of(game(prompts=(said, "Hide"))).at(2.0)
        for sizes, each in ((alike, column), (alone, replace(column, orders=()))):
            sizes.append(
                Renderer(column.place[2:], scene.board.rules, film="plain", column=each)._hud._plates._sizes(scene)[0]
            )
    assert alike == [min(alone)] * 2
    assert alone[0] > alone[1]


def test_the_orders_of_the_side_that_is_compared_are_compared(tmp_path):
    tape = read(session(tmp_path))
    shape = Shape(FORMATS[".mp4"], (640, 360), 10)
    job = VersusJob(Compared(tape, 1), Compared(tape, 2), FilmPlan(Path("a.mp4"), shape))
    for number in (0, 1):
        prompts = job.timelines[number].segments[-1].board.prompts
        assert job._filmed(number).column.orders[number] == prompts[job.contest.subject]


def test_what_a_side_did_is_told_whole_over_its_arena(monkeypatch):
    painter, drawn = CardPainter((1280, 720)), []
    line = painter.text.line
    monkeypatch.setattr(painter.text, "line", lambda text, *rest: drawn.append(text) or line(text, *rest))
    said = ("loses by knock-out", "0 : 40 after 30 turns", "4 of 4 shots hit, 1 in the side",
            "was hit 7 times, 2 in the side; its shield stopped 2")  # fmt: skip
    result_plate(painter, 350, 0, "A", said)
    assert "\u2026" not in " ".join(drawn)
    assert "stopped 2" in drawn[-1]


@pytest.mark.parametrize("size", [(1280, 720), (1080, 1080), (1080, 1920)])
def test_the_first_card_says_who_reads_the_orders_and_against_whom_whole(size, monkeypatch):
    painter, drawn = CardPainter(size, telephone=size[1] > size[0]), []
    line = painter.text.line
    monkeypatch.setattr(painter.text, "line", lambda text, *rest: drawn.append(text) or line(text, *rest))
    reads = "SmolLM2 reads the orders, a tactician plays them, against the script sharpshooter, one game each, seed 999"
    versus_opening(painter, Contest(0, ("A", "B"), ("\u201cRush\u201d", "\u201cHide\u201d"), "Which?", reads))
    assert reads in " ".join(drawn)


def test_a_model_whose_orders_a_tactician_plays_is_said_to_read_them():
    def games(thought):
        told = ("Rush", "Hide")
        for orders in told:
            yield [
                replace(record, decision=replace(record.decision, thought=thought, raw="charge"))
                if isinstance(record, Play) and record.bot == 0
                else record
                for record in game(prompts=(orders, "win"))
            ]

    plain, read = (
        contest(on_one_clock(*games(thought))) for thought in ("", "charge 0.81 \u2014 attacking: taking aim")
    )
    assert ("tactician" in plain.against, "tactician" in read.against) == (False, True)


def test_a_result_beside_its_arena_is_told_whole(monkeypatch):
    painter, drawn = CardPainter((1080, 1080)), []
    line = painter.text.line
    monkeypatch.setattr(painter.text, "line", lambda text, *rest: drawn.append(text) or line(text, *rest))
    result_plate(
        painter, 485, 0, "A", ("loses to sharpshooter, 0 : 52", "by knock-out in round 2, turn 13", "hit nothing")
    )
    assert "A loses to sharpshooter, 0 : 52" in " ".join(drawn)


@pytest.mark.parametrize("size", [(1280, 720), (720, 720)])
def test_both_orders_have_one_size_of_type_on_each_card(size, monkeypatch):
    painter, sizes = CardPainter(size), set[float]()
    line = painter.text.line

    def noting(text, face, size, color, *rest):
        if text and text in " ".join(told):
            sizes.add(size)
        return line(text, face, size, color, *rest)

    monkeypatch.setattr(painter.text, "line", noting)
    told = ("Get close and shoot him when he looks away, " * 3, "Never shoot")
    compared = Contest(0, ("A", "B"), told, "Which orders do better?", "")
    plates = (("loses by knock-out", "0 : 100 after 10 turns", "never fired"),) * 2
    versus_closing(painter, compared, Outcome(1, "Both lose, B later", "held out longer", plates), "@me")
    assert len(sizes) == 1
    sizes.clear()
    versus_opening(painter, compared)
    assert len(sizes) == 1


def test_a_game_that_has_ended_shows_its_result_and_is_drawn_no_more(tmp_path):
    tape = read(session(tmp_path))
    plan = FilmPlan(Path("a.mp4"), Shape(FORMATS[".mp4"], (640, 360), 10))
    job = VersusJob(Compared(tape, 1), Compared(tape, 2), plan)
    over = next(at for at in (result_shown(job.timelines, number) for number in (0, 1)) if at < 1e9)
    seen = next(begin for begin, _ in job.edit_list.spans(over, over + 1))
    renderer = job.frame_renderer()
    renderer.draw(seen - 0.01)
    changed = renderer.draw(seen + 0.01)
    ended = max(changed, key=lambda rect: rect.w * rect.h)
    assert ended.w * ended.h > 0.4 * 640 * 360
    plate = renderer.surface.get_at(ended.center)
    assert plate != (0, 0, 0)
    assert not [rect for rect in renderer.draw(seen + 0.02) if rect.colliderect(ended.inflate(-20, -20))]


def test_that_a_bot_rests_is_said_below_the_arena_alone(tmp_path):
    plan = FilmPlan(Path("a.mp4"), Shape(FORMATS[".mp4"], (640, 360), 10))
    tape = read(session(tmp_path))
    job = VersusJob(Compared(tape, 1), Compared(tape, 1), plan)
    times = [tenth / 10 for tenth in range(int(10 * job.timelines[0].end))]

    def rests(scene_at):
        return sum(each.kind == "fumble" and not each.amount for t in times for each in scene_at(t).effects)

    assert rests(job.timelines[0].at)
    assert not rests(job._filmed(0).scene_at)


def test_a_film_looks_the_same_where_each_match_paints_for_itself(tmp_path, monkeypatch):
    tape = read(session(tmp_path))
    job = VersusJob(
        Compared(tape, 1), Compared(tape, 2), FilmPlan(Path("a.mp4"), Shape(FORMATS[".mp4"], (480, 270), 10))
    )
    shared = job.frame_renderer()
    monkeypatch.setattr(split_renderer, "_renderer", lambda match, beside=None: made(match))
    alone = job.frame_renderer()
    for film_t in (3.0, 4.5, 4.6, 7.0):
        shared.draw(film_t)
        alone.draw(film_t)
        assert shared.surface.get_buffer().raw == alone.surface.get_buffer().raw


def test_a_frame_is_a_function_of_its_time(tmp_path):
    tape = read(session(tmp_path))
    job = VersusJob(
        Compared(tape, 1), Compared(tape, 2), FilmPlan(Path("a.mp4"), Shape(FORMATS[".mp4"], (320, 180), 10))
    )
    seeking, playing = job.frame_renderer(), job.frame_renderer()
    for number in range(job.frames):
        playing.draw(number / 10)
    seeking.draw((job.frames - 1) / 10)
    assert seeking.surface.get_buffer().raw == playing.surface.get_buffer().raw
    seeking.draw(4.0)
    seeking.draw(3.0)
    playing.draw(3.0)
    assert seeking.surface.get_buffer().raw == playing.surface.get_buffer().raw


@pytest.mark.parametrize("carded", [True, False])
def test_the_first_picture_of_both_games_is_whole(carded, tmp_path):
    tape = read(session(tmp_path))
    plan = FilmPlan(Path("a.mp4"), Shape(FORMATS[".mp4"], (320, 180), 10), cards=carded, fast=not carded)
    job = VersusJob(Compared(tape, 1), Compared(tape, 2), plan)
    renderer = job.frame_renderer()
    assert renderer.surface.get_rect() in renderer.draw(job.edit_list.card)
    assert renderer.surface.get_rect() not in renderer.draw(job.edit_list.card + 0.1)


def test_two_games_of_a_file_become_a_film(tmp_path, capsys):
    file, out = session(tmp_path), tmp_path / "v.mp4"
    small = ["--size", "256x144", "--fps", "4", "-o", str(out)]
    assert main(["versus", f"{file}#1", f"{file}#2", *small]) == 0
    words = out.with_suffix(".txt").read_text("utf-8")
    assert "A: " in words
    assert "B: " in words
    first = out.read_bytes()
    assert main(["versus", f"{file}#1", f"{file}#2", *small, "--force"]) == 0
    assert out.read_bytes() == first


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ([], "name two games"),
        (["match.json"], "name two games"),
        (["match.json", "match.json", "--orders-a", "x", "--orders-b", "y"], "played already"),
        (["match.json#9", "match.json"], "no game 9"),
    ],
)
def test_what_cannot_be_compared_is_said_in_one_sentence(given, said, tmp_path, monkeypatch, capsys):
    session(tmp_path)
    monkeypatch.chdir(tmp_path)
    assert main(["versus", *given, "-o", "v.mp4"]) == 2
    assert said in capsys.readouterr().err
    assert not Path("v.mp4").exists()


def test_two_orders_are_played_first_under_one_seed(tmp_path, monkeypatch, capsys):
    made = []
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setattr("batllm_arcade.video.options.make_film", lambda job_of, plan: made.append(job_of(plan)) or 0)
    orders = ["--orders-a", "rush", "--orders-b", "camp", "--right-prompt", "hide", "--config", "couch"]
    players = ["--left", "scripted:turtle", "--right", "scripted:dancer", "--seed", "9"]
    assert main(["versus", *players, *orders, "-o", str(tmp_path / "v.mp4")]) == 0
    (job,) = made
    boards = [timeline.segments[-1].board for timeline in job.timelines]
    assert [board.prompts for board in boards] == [("rush", "hide"), ("camp", "hide")]
    assert {board.seed for board in boards} == {9}
    assert {"turtle", "dancer"} <= set(job.contest.against.split())


def test_the_end_card_names_the_orders_that_won_where_there_is_room():
    plates = (("loses", "0 : 52"), ("wins", "28 : 0"))
    for size, told, said in (
        ((1280, 720), "\u201cRush him\u201d", "\u201cRush him\u201d wins"),
        ((1280, 720), "\u201cRush him and stay in his face, whatever he does\u201d", "B wins, A loses"),
        ((1280, 720), "no orders", "B wins, A loses"),
        ((720, 1280), "\u201cRush him\u201d", "B wins, A loses"),
    ):
        compared = Contest(0, ("A", "B"), ("\u201cHide\u201d", told), "Which orders do better?", "")
        for title, better in (("B wins, A loses", 1), ("No difference", None)):
            ended = Outcome(better, title, "", plates)
            assert _title(CardPainter(size), compared, ended, size[0] - 48) == (said if better else title)


def test_banners_say_how_it_went_for_the_side_that_is_compared():
    titles = set[str]()
    for winner in (0, 1, None):
        result = Result(winner, "knockout" if winner is not None else "draw")
        records = [replace(each, result=result) if isinstance(each, GameEnded) else each for each in game(1)]
        timeline = Timeline.of(records)
        shown = _with_label(timeline.at, 0, "B")
        over = next(segment for segment in timeline.segments if isinstance(segment.record, GameEnded))
        title = shown(over.start + 0.1).banner.title
        assert title.startswith("B ") == (winner is not None)
        titles.add(title)
        begun = next(segment for segment in timeline.segments if isinstance(segment.record, RoundStarted))
        assert shown(begun.start + 0.1).banner.title == timeline.at(begun.start + 0.1).banner.title
    assert len(titles) == 3


def test_a_game_in_which_nothing_was_played_is_refused(tmp_path):
    empty = [record for record in eventful() if not isinstance(record, Play)]
    tape = read(written(empty[:3], tmp_path / "e.json"))
    shape = Shape(FORMATS[".mp4"], (320, 180), 10)
    with pytest.raises(UsageError, match="nothing was played"):
        VersusJob(Compared(tape, 1), Compared(tape, 1), FilmPlan(Path("a.mp4"), shape))


@pytest.mark.parametrize("size", [(1280, 720), (640, 360), (2000, 500)])
@pytest.mark.parametrize(("number", "against", "subject"), [(0, True, 1), (1, False, 0)])
def test_a_game_that_goes_on_is_larger_on_its_side_of_a_wide_picture(size, number, against, subject):
    both = columns(size, ("A", "B"), subject, against=against, covered=False)
    larger, ended = beside_ended(size, both[number], against=against)
    whole, place, other = pygame.Rect(0, 0, *size), pygame.Rect(larger.place), pygame.Rect(ended)
    assert whole.contains(place)
    assert whole.contains(other)
    assert not place.colliderect(other)
    assert (place.left == 0) == (number == 0)
    layout = larger.layout
    boxes = [layout.bar, layout.arena, layout.words, *layout.heads, *(each for each in layout.panels if each[2])]
    assert len(boxes) == (7 if against else 6)
    inside = pygame.Rect(0, 0, *larger.place[2:])
    rects = [pygame.Rect(box) for box in boxes]
    assert all(inside.contains(rect) for rect in rects)
    assert not any(one.colliderect(rect) for at, one in enumerate(rects) for rect in rects[at + 1 :])
    assert layout.arena[3] > both[number].layout.arena[3]


@pytest.mark.parametrize("size", [(720, 1280), (1080, 1080)])
def test_in_other_pictures_both_games_keep_their_places(size):
    assert beside_ended(size, columns(size, ("A", "B"), 0, covered=False)[0]) is None


def test_in_a_wide_picture_names_health_and_what_is_played_have_a_row_each_and_the_arena_the_rest(monkeypatch):
    column = columns((1280, 720), ("A", "B"), 0, ("Rush", "Hide"), against=False, covered=False)[0]
    assert column.layout.arena[2] > 0.8 * column.place[2]
    timeline, texts = Timeline.of(game(prompts=("Rush", ""))), note_texts(monkeypatch)
    play = next(each for each in timeline.segments if isinstance(each.record, Play))
    scene = timeline.at(play.end - 0.01)
    Renderer(column.place[2:], scene.board.rules, film="plain", column=column).draw(
        pygame.Surface(column.place[2:]), scene
    )
    assert {"left", "right", *(f"{pose.points:g}" for pose in scene.bots)} <= set(texts.words)
    assert doing(play.record) in texts.words
    assert last_play.said(play.record, scene.board.rules) in " ".join(texts.words)
