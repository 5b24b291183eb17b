"""Two games side by side: one clock of turns, and cards that say which went better and by how much."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pygame
import pytest
from approved import approve
from fakes import eventful, written
from films import session
from texts import Noted, assert_laid_out, note_texts

from batllm_arcade.cli.main import main
from batllm_arcade.core.events import BotHit
from batllm_arcade.core.rules import Result
from batllm_arcade.errors import UsageError
from batllm_arcade.history.reader import read
from batllm_arcade.match.records import GameEnded, GameStarted, Play, RoundStarted
from batllm_arcade.render.hud import upright as last_play
from batllm_arcade.render.renderer import Renderer
from batllm_arcade.story.result import accounts
from batllm_arcade.video.draw.cards import CardPainter
from batllm_arcade.video.draw.versus import MatchHalf, SplitRenderer, result_plate, versus_closing, versus_opening
from batllm_arcade.video.edit.edit_list import Cut, EditMoment
from batllm_arcade.video.edit.side_by_side import (
    FAST_S,
    Contest,
    Outcome,
    contest,
    cuts,
    meanwhile,
    on_one_clock,
    outcome,
    result_of,
    result_shown,
)
from batllm_arcade.video.edit.stretches import FASTER
from batllm_arcade.video.encode.formats import FORMATS, Shape
from batllm_arcade.video.film_plan import Compared, FilmPlan
from batllm_arcade.video.versus_job import VersusJob, labelled
from batllm_arcade.view.layout import match_columns
from batllm_arcade.view.play_text import doing
from batllm_arcade.view.timeline import Timeline


@pytest.fixture(scope="module")
def tape(tmp_path_factory):
    return read(session(tmp_path_factory.mktemp("match")))


def job(tape, size=(320, 180), second=2, **options):
    shape = Shape(FORMATS[".mp4"], size, 10, vertical=size == (1080, 1920))
    return VersusJob(Compared(tape, 1), Compared(tape, second), FilmPlan(Path("a.mp4"), shape, **options))


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


def rounds(turns: int):
    """A game of so many turns, all with a hit."""
    first, *_, last = game(1)
    hit = next(play for play in eventful() if isinstance(play, Play) and BotHit in map(type, play.events))
    begins = next(record for record in game(1) if isinstance(record, RoundStarted))
    plays = [replace(hit, round=1, turn=number // 2, number=number - 1) for number in range(2, 2 * turns + 2)]
    return [first, begins, *plays, last]


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


# Time


def test_every_turn_begins_at_the_same_second_and_a_game_that_has_ended_stands_still():
    first, second = on_one_clock(game(1), game(2))
    one, other = begins(first), begins(second)
    assert len(one.keys() & other.keys()) > 2
    assert all(one[turn] == other[turn] for turn in one.keys() & other.keys())
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
    assert [numbers(cut.text) for cut in cuts(both) if cut.text] == [[11]]
    assert [cut.text for cut in cuts(both, whole=True)] == [""]


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
    assert [(cut.speed, numbers(cut.text)) for cut in fast] == [(FASTER, [FASTER, gone + 1])]
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


# Pictures


def test_ribbons_of_both_games_say_what_each_did_and_one_that_has_ended_has_none(tape):
    made = job(tape, (640, 360))
    later = Cut(5.0, 6.0, text="2 turns later")
    both = [replace(match, meanwhile={5.0: did}) for match, did in zip(made.matches(), ("dealt 9", ""), strict=True)]
    assert [match.told_in(later).text for match in both] == ["2 turns later: dealt 9", "2 turns later"]
    assert both[0].told_in(replace(later, text="")).text == ""
    ended = [both[0], replace(both[1], over=4.0)]
    renderer = SplitRenderer((640, 360), ended, made.edit_list, CardPainter.background, CardPainter.background)
    assert [len(covers) for covers in renderer.placed(EditMoment(5.5, later, 0.5))] == [1, 0]


@pytest.mark.parametrize("y", [0.15, 0.85])
def test_a_result_lies_over_no_bot_that_still_stands(y, tape):
    made = job(tape, (1280, 720))
    half, scene = made.frame_renderer().halves[0], made.timelines[0].at(0.0)
    high = scene.board.rules.arena_height
    left, right = (replace(pose, y=share * high) for pose, share in zip(scene.bots, (y, 0.5), strict=True))
    place = half.beside_bots(pygame.Surface((100, 150)), replace(scene, bots=(left, replace(right, alive=False))))
    arena = half.renderer.arena
    assert arena.contains(place)
    assert not place.inflate(0, 40).top < arena.top + y * arena.height < place.inflate(0, 40).bottom


@pytest.mark.parametrize("size", [(1280, 720), (720, 720)])
@pytest.mark.parametrize("subject", [0, 1])
def test_an_opponent_without_orders_has_no_plate_for_these(size, subject):
    told, alone = (
        match_columns(size, ("A", "B"), subject, against=against, covered=False)[0].layout.panels
        for against in (True, False)
    )
    assert alone[1 - subject][2:] == (0, 0)
    assert told[1 - subject][2] > 0
    if size[0] > size[1]:
        assert alone[subject][2] > told[subject][2]


@pytest.mark.parametrize("size", [(1280, 720), (1080, 1920), (720, 720), (800, 450), (2000, 500)])
def test_both_games_and_their_words_are_in_the_picture(size, tape):
    made = job(tape, size)
    renderer = made.frame_renderer()
    for film_t in (0.0, made.edit_list.card + 0.5, made.edit_list.seconds - 0.1):
        renderer.draw(film_t)
        whole = renderer.surface.get_rect()
        assert all(whole.contains(rect) for rect in renderer.draw(film_t + 0.05))


def test_the_orders_of_the_side_that_is_compared_are_compared(tape):
    made = job(tape)
    for number, match in enumerate(made.matches()):
        prompts = made.timelines[number].segments[-1].board.prompts
        assert match.column.orders[number] == prompts[made.contest.subject]


def test_a_game_that_has_ended_shows_its_result_and_is_drawn_no_more(tape):
    made = job(tape, (640, 360))
    over = next(at for at in (result_shown(made.timelines, number) for number in (0, 1)) if at < 1e9)
    seen = next(begin for begin, _ in made.edit_list.spans(over, over + 1))
    renderer = made.frame_renderer()
    renderer.draw(seen - 0.01)
    ended = max(renderer.draw(seen + 0.01), key=lambda rect: rect.w * rect.h)
    assert ended.w * ended.h > 0.4 * 640 * 360
    assert renderer.surface.get_at(ended.center) != (0, 0, 0)
    assert not [rect for rect in renderer.draw(seen + 0.02) if rect.colliderect(ended.inflate(-20, -20))]


def test_that_a_bot_rests_is_said_below_the_arena_alone(tape):
    made = job(tape, second=1)
    times = [tenth / 10 for tenth in range(int(10 * made.timelines[0].end))]

    def rests(scene_at):
        return sum(each.kind == "fumble" and not each.amount for t in times for each in scene_at(t).effects)

    assert rests(made.timelines[0].at)
    assert not rests(made.matches()[0].scene_at)


def test_a_film_looks_the_same_where_each_match_paints_for_itself(tape, monkeypatch):
    made, init = job(tape, (480, 270)), MatchHalf.__init__
    shared = made.frame_renderer()
    monkeypatch.setattr(MatchHalf, "__init__", lambda self, *given: init(self, *given[:3]))
    alone = made.frame_renderer()
    for film_t in (3.0, 4.5, 4.6, 7.0):
        shared.draw(film_t)
        alone.draw(film_t)
        assert shared.surface.get_buffer().raw == alone.surface.get_buffer().raw


def test_a_frame_is_a_function_of_its_time(tape):
    made = job(tape)
    seeking, playing = made.frame_renderer(), made.frame_renderer()
    for number in range(made.frames):
        playing.draw(number / 10)
    for film_t in ((made.frames - 1) / 10, 4.0, 3.0):
        seeking.draw(film_t)
        playing.draw(film_t)
        assert seeking.surface.get_buffer().raw == playing.surface.get_buffer().raw


@pytest.mark.parametrize("carded", [True, False])
def test_the_first_picture_of_both_games_is_whole(carded, tape):
    made = job(tape, cards=carded, fast=not carded)
    renderer = made.frame_renderer()
    assert renderer.surface.get_rect() in renderer.draw(made.edit_list.card)
    assert renderer.surface.get_rect() not in renderer.draw(made.edit_list.card + 0.1)


def test_in_a_wide_picture_names_health_and_what_is_played_have_a_row_each_and_the_arena_the_rest(monkeypatch):
    column = match_columns((1280, 720), ("A", "B"), 0, ("Rush", "Hide"), against=False, covered=False)[0]
    assert column.layout.arena[2] > 0.8 * column.place[2]
    timeline, texts = Timeline.of(game(prompts=("Rush", ""))), note_texts(monkeypatch)
    play = next(each for each in timeline.segments if isinstance(each.record, Play))
    scene = timeline.at(play.end - 0.01)
    picture = pygame.Surface(column.place[2:])
    Renderer(picture.get_size(), scene.board.rules, film="plain", column=column).draw(picture, scene)
    assert {"left", "right", *(f"{pose.points:g}" for pose in scene.bots)} <= set(texts.words)
    assert doing(play.record) in texts.words
    assert last_play.said(play.record, scene.board.rules) in " ".join(texts.words)


@pytest.mark.parametrize("size", [(1280, 720), (720, 1280)])
def test_the_orders_that_are_compared_have_one_size_of_type_in_both_matches(size, monkeypatch):
    orders, texts, sizes = ("Rush", "Wait until it comes close, then lower your shield, fire, and go"), [], []
    for said, column in zip(orders, match_columns(size, ("A", "B"), 0, orders, covered=False), strict=True):
        scene = Timeline.of(game(prompts=(said, "Hide"))).at(2.0)
        for place in (column, replace(column, orders=())):
            with monkeypatch.context() as patched:
                texts = note_texts(patched)
                picture = pygame.Surface(column.place[2:])
                Renderer(picture.get_size(), scene.board.rules, film="plain", column=place).draw(picture, scene)
            sizes.append(next(each.asked for each in texts if each.text.strip("\u201c").startswith(said[:4])))
    first, first_alone, second, second_alone = sizes
    assert first == second == min(first_alone, second_alone)
    assert first_alone > second_alone


def test_banners_say_how_it_went_for_the_side_that_is_compared():
    titles = set[str]()
    for winner in (0, 1, None):
        result = Result(winner, "knockout" if winner is not None else "draw")
        records = [replace(each, result=result) if isinstance(each, GameEnded) else each for each in game(1)]
        timeline = Timeline.of(records)
        shown = labelled(timeline.at, 0, "B")
        over = next(segment for segment in timeline.segments if isinstance(segment.record, GameEnded))
        title = shown(over.start + 0.1).banner.title
        assert title.startswith("B ") == (winner is not None)
        titles.add(title)
        begun = next(segment for segment in timeline.segments if isinstance(segment.record, RoundStarted))
        assert shown(begun.start + 0.1).banner.title == timeline.at(begun.start + 0.1).banner.title
    assert len(titles) == 3


# Which went better


def ended(winner, reason, left, right):
    """A game with this result and these healths at its end."""
    records = game(1)
    last = max(number for number, record in enumerate(records) if isinstance(record, Play))
    after = records[last].after
    arena = replace(after, left=replace(after.left, health=left), right=replace(after.right, health=right))
    records[last] = replace(records[last], after=arena)
    records = [each for each in records if not isinstance(each, GameEnded)]
    records[0] = replace(records[0], rules=replace(records[0].rules, bullet_damage=(2, 2)))
    return [*records, GameEnded(1, 1, Result(winner, reason), after)]


def test_the_end_card_says_which_went_better_unless_both_went_nearly_alike():
    def say(case) -> str:
        found = outcome(*(ended(*each) for each in case), 0)
        return "\n".join([f"{found.title}, {found.margin or '-'}", *map("; ".join, found.plates)])

    approve(Path(__file__).parent / "approved" / "versus.txt", say)


def test_both_plates_have_the_counts_of_end_cards():
    records = game(2)
    plays = [each for each in records if isinstance(each, Play)]
    for seat in (0, 1):
        did = accounts(plays, records[0].rules)[seat]
        _, *rows = result_of(records, seat).words
        assert numbers(" ".join(rows)) == [did.shots, did.hits, did.shielded, did.close]


def test_of_equal_results_the_sooner_win_is_better():
    end = replace(next(each for each in game(2) if isinstance(each, GameEnded)), result=Result(0, "points"))
    quick = [*(each for each in game(2) if not isinstance(each, GameEnded)), end]
    extra = next(each for each in quick if isinstance(each, Play))
    assert outcome(quick, [*quick[:2], replace(extra, round=9), *quick[2:]], 0).better == 0


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
    claims = {contest(on_one_clock(*both)).claim for both in ((renamed, game(1)), (game(1), game(1)))}
    assert len(claims - {orders.claim}) == 2


def test_a_model_whose_orders_a_tactician_plays_is_said_to_read_them():
    for thought, reads in (("", False), ("charge 0.81 \u2014 attacking: taking aim", True)):
        both = [
            [
                replace(record, decision=replace(record.decision, thought=thought, raw="charge"))
                if isinstance(record, Play) and record.bot == 0
                else record
                for record in game(prompts=(orders, "win"))
            ]
            for orders in ("Rush", "Hide")
        ]
        assert ("tactician" in contest(on_one_clock(*both)).against) == reads


# Cards

READS = "SmolLM2 reads the orders, a tactician plays them, against the script sharpshooter, one game each, seed 999"
COMPARED = Contest(0, ("A", "B"), ("Get close and shoot him when he looks away, " * 2, "Never shoot"), "Which?", READS)


@pytest.mark.parametrize("size", [(1280, 720), (720, 720), (1080, 1080), (1080, 1920)])
def test_cards_say_all_in_the_picture_and_both_orders_in_one_size_of_type(size, monkeypatch):
    painter, texts = CardPainter(size, telephone=size == (1080, 1920)), note_texts(monkeypatch)
    monkeypatch.setattr(painter, "background", lambda: Noted(size))
    plates = (("loses 0 : 100", "10 shots, 3 hits", "12 turns shielded, 3 close up"),) * 2
    for paint in (
        lambda: versus_opening(painter, COMPARED),
        lambda: versus_closing(painter, COMPARED, Outcome(1, "Both lose, B does better", "by 4 turns", plates), "@me"),
    ):
        texts.clear()
        assert_laid_out(paint())
        orders = [each for each in texts if each.text in " ".join(COMPARED.told)]
        assert orders
        assert len({each.asked for each in orders}) == 1
        words = " ".join(texts.words)
        for said in (READS, *COMPARED.told) if "VS" in words else ("by 4 turns", *plates[0], "@me"):
            assert said.strip() in words


@pytest.mark.parametrize("width", [350, 485])
def test_a_result_over_its_arena_is_told_whole(width, monkeypatch):
    texts = note_texts(monkeypatch)
    said = ("loses to sharpshooter, 0 : 40", "4 of 4 shots hit, 1 in the side", "was hit 7 times, 2 in the side")
    plate = result_plate(CardPainter((1280, 720)), width, 0, "A", said)
    assert plate.get_height() <= width
    assert f"A {' '.join(said)}" in " ".join(texts.words)


def test_the_end_card_names_the_orders_that_won_where_there_is_room(monkeypatch):
    texts, plates = note_texts(monkeypatch), (("loses", "0 : 52"), ("wins", "28 : 0"))
    for size, told, said in (
        ((1280, 720), "\u201cRush him\u201d", "\u201cRush him\u201d wins"),
        ((1280, 720), "\u201cRush him and stay in his face, whatever he does\u201d", "B wins, A loses"),
        ((1280, 720), "no orders", "B wins, A loses"),
        ((720, 1280), "\u201cRush him\u201d", "B wins, A loses"),
    ):
        compared = Contest(0, ("A", "B"), ("\u201cHide\u201d", told), "Which orders do better?", "")
        for title, better in (("B wins, A loses", 1), ("No difference", None)):
            texts.clear()
            versus_closing(CardPainter(size), compared, Outcome(better, title, "", plates), "@me")
            assert texts.words[0] == (said if better else title)


# The command


def test_two_games_of_a_file_become_a_film(tmp_path):
    file, out = session(tmp_path), tmp_path / "v.mp4"
    small = ["--size", "256x144", "--fps", "4", "-o", str(out)]
    assert main(["versus", f"{file}#1", f"{file}#2", *small]) == 0
    words = out.with_suffix(".txt").read_text("utf-8")
    assert {"A: ", "B: "} <= {line[:3] for line in words.splitlines()}
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


def test_two_orders_are_played_first_under_one_seed(tmp_path, monkeypatch):
    made = []
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setattr("batllm_arcade.video.films.make_film", lambda job_of, plan: made.append(job_of(plan)) or 0)
    orders = ["--orders-a", "rush", "--orders-b", "camp", "--right-prompt", "hide", "--config", "couch"]
    players = ["--left", "scripted:turtle", "--right", "scripted:dancer", "--seed", "9"]
    assert main(["versus", *players, *orders, "-o", str(tmp_path / "v.mp4")]) == 0
    (film,) = made
    boards = [timeline.segments[-1].board for timeline in film.timelines]
    assert [board.given for board in boards] == [("rush", "hide"), ("camp", "hide")]
    assert {board.seed for board in boards} == {9}
    assert {"Turtle", "Dancer"} <= set(film.contest.against.split())


def test_a_game_in_which_nothing_was_played_is_refused(tmp_path):
    empty = [record for record in eventful() if not isinstance(record, Play)]
    with pytest.raises(UsageError, match="nothing was played"):
        job(read(written(empty[:3], tmp_path / "e.json")), second=1)
