"""Cards: the first picture tells who was told what, the last one how it ended; both in type for a phone."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pygame
import pytest
from fakes import aim, eventful, played
from films import frame_hash, session
from plays import COUCH, bot, game
from texts import DrawnText, Noted, Texts, assert_laid_out

from batllm_arcade.brains.protocol import SeatInfo
from batllm_arcade.core.model import Rules
from batllm_arcade.history.reader import read
from batllm_arcade.match.records import GameEnded, GameStarted, Play, RoundStarted
from batllm_arcade.render.renderer import Renderer
from batllm_arcade.video.draw import cards as drawn_cards
from batllm_arcade.video.draw.cards import (
    CardPainter,
    Cards,
    closing_picture,
    fight_part,
    fight_picture,
    fight_poster,
    opening_picture,
)
from batllm_arcade.video.draw.frames import FrameRenderer
from batllm_arcade.video.edit.cards import END_S, OPENING_S, FilmCards, end_card, fight_second, new_words, opening_card
from batllm_arcade.video.edit.edit_list import Cut, EditList
from batllm_arcade.video.edit.text import WHO_WINS, told_apart
from batllm_arcade.video.encode.formats import FORMATS, Shape
from batllm_arcade.video.film_plan import FilmPlan
from batllm_arcade.video.render_job import RenderJob
from batllm_arcade.view.look.effects import Effect
from batllm_arcade.view.play_words import word_count
from batllm_arcade.view.timeline import Timeline

SHAPES = {"wide": (1280, 720), "tall": (720, 1280), "square": (720, 720), "gif": (800, 450), "phone": (1080, 1920)}
ORDERS = ("Keep to the wall and fire from afar", "Rush him and stay in his face, always")
LONG = "one two three " * 20
LEAST = 48  # the smallest type: 24 pixels on a screen of 360


def told(records, orders=ORDERS, names=("SmolLM2", "SmolLM2"), levels=("", "")):
    """The records with these names, orders and levels."""
    seats = tuple(
        SeatInfo(name, "embedded:tactics,model=/home/me/secret.gguf", "secret.gguf", {"level": level} if level else {})
        for name, level in zip(names, levels, strict=True)
    )
    return [
        replace(record, seats=seats)
        if isinstance(record, GameStarted)
        else replace(record, prompts=orders)
        if isinstance(record, RoundStarted)
        else record
        for record in records
    ]


@pytest.fixture
def texts(monkeypatch):
    """The lines that cards are made of, without those of arenas on them."""
    found, made = Texts(), CardPainter.__init__

    def noting(self, *given, **named):
        made(self, *given, **named)
        line = self.text.line

        def noted(text, face, size, color, *rest):
            found.append(DrawnText(text, size, size * self.scale, self.text.height(face, size), color))
            return line(text, face, size, color, *rest)

        monkeypatch.setattr(self.text, "line", noted)

    monkeypatch.setattr(CardPainter, "__init__", noting)
    return found


def painter_of(shape: str) -> CardPainter:
    return CardPainter(SHAPES[shape], telephone=shape == "phone")


def poster(timeline, shape="wide", title=""):
    return fight_poster(timeline, [(0.0, timeline.end)], title, SHAPES[shape], telephone=shape == "phone")


def job(folder: Path, records, **options) -> RenderJob:
    size = options.pop("size", (1280, 720))
    shape = Shape(FORMATS[".mp4"], size, 10, vertical=size == SHAPES["phone"])
    return RenderJob(read(session(folder, records)), FilmPlan(Path("a.mp4"), shape, **options))


@pytest.mark.parametrize("highlights", [False, True])
@pytest.mark.parametrize("shape", SHAPES)
def test_the_first_picture_of_every_film_has_both_names_and_both_orders_in_large_type(
    tmp_path, texts, shape, highlights
):
    made = job(tmp_path, told(eventful()), size=SHAPES[shape], highlights=highlights)
    made.frame_renderer().draw(0.0)
    words = " ".join(texts.words)
    assert all(part in words for part in ("SmolLM2 (blue)", "SmolLM2 (orange)", *" ".join(ORDERS).split()))
    assert "gguf" not in words
    assert ("Highlights of 2 games" in words) == highlights
    assert min(each.asked for each in texts if each.text.strip()) >= LEAST


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("orders", [ORDERS, (LONG, LONG), ("x", LONG), ("", "\u6253" * 60)])
def test_cards_say_all_of_their_rows_in_large_type_and_nothing_lies_over_anything(texts, monkeypatch, shape, orders):
    monkeypatch.setattr(CardPainter, "background", lambda self: Noted(SHAPES[shape]))
    records = [
        replace(record, rules=replace(record.rules, total_rounds=1)) if isinstance(record, GameStarted) else record
        for record in told_apart(told(game("A B", "B S1", "A B", "B S0", "A B"), orders, levels=("rookie", "")))
    ]
    timeline = Timeline.of(records)
    first, last = opening_card(timeline, 0.0, ""), end_card(timeline, 1e9, sign="@me  github.com/me")
    for paint, card in ((opening_picture, first), (closing_picture, last)):
        texts.clear()
        assert_laid_out(paint(painter_of(shape), card))
        words = " ".join(texts.words)
        for row in card.rows:
            for word in row.words.replace("\u201c", "").replace("\u201d", "").split()[:3]:
                assert word.strip("\u2026")[:9] in words, row
        assert min(each.asked for each in texts if each.text.strip()) >= LEAST
        rest = f"{first.claim} {' '.join(side.name for side in card.sides)} VS rookie"
        assert paint is closing_picture or len({each.asked for each in texts if each.text.strip() not in rest}) == 1
    assert new_words(last.rows, last.sides) <= 13
    assert last.seconds == END_S


def test_no_word_is_broken_that_fits_in_smaller_type(texts):
    opening_picture(painter_of("wide"), opening_card(Timeline.of(told(eventful(), ("be unpredictable", "x"))), 0.0, ""))
    assert "unpredictable" in " ".join(texts.words)


def test_a_card_is_complete_in_its_first_picture_and_stands_still(tmp_path):
    made = job(tmp_path, told(eventful()), size=(320, 180))
    renderer, seen = made.frame_renderer(), []
    for first, last in ((0.0, 1.0), (made.edit_list.ends, made.edit_list.seconds - 0.01)):
        renderer.draw(first)
        seen.append(frame_hash(renderer.surface))
        assert renderer.draw(last) == []
        assert frame_hash(renderer.surface) == seen[-1]
    assert seen[0] != seen[1]


@pytest.mark.parametrize("options", [{"cards": False}, {"fast": True}])
def test_without_cards_a_film_begins_and_ends_with_the_match(tmp_path, options):
    made = job(tmp_path, told(eventful()), **options)
    assert (made.edit_list.card, made.edit_list.end_card) == (0.0, 0.0)
    assert made.edit_list.cuts[-1].end == made.timeline.end


@pytest.mark.parametrize(("end_card", "health", "banner"), [(2.5, 12, False), (0.0, 12, True), (2.5, 100, True)])
def test_the_end_card_that_follows_a_knock_out_says_who_won_in_place_of_a_banner(end_card, health, banner):
    timeline = Timeline.of(game("A B", bots=(bot(200, 0), bot(800, 180, health=health))))
    over = next(segment for segment in timeline.segments if isinstance(segment.record, GameEnded))
    assert (over.record.result.reason == "knockout") == (health == 12)
    renderer = FrameRenderer((320, 180), timeline, EditList([Cut(0.0, timeline.end)], end_card=end_card))
    assert (renderer.scene(over.start + 0.2).banner is not None) == banner


def test_films_of_a_series_show_the_game_and_what_was_won_throughout(tmp_path):
    made = job(tmp_path, eventful())
    renderer = made.frame_renderer()
    scores = {renderer.scene(cut.start).board.score for cut in made.edit_list.cuts}
    assert {score[:6] for score in scores} == {"GAME 1", "GAME 2"}
    assert all(" : " in score for score in scores)


@pytest.mark.parametrize(
    ("plays", "bots"),
    [
        (("A B", "B M0"), (bot(400, 0), bot(600, 0, health=60))),  # in the back
        (("A B",), (bot(400, 0), bot(600, 180, health=12))),  # by knock-out
        (("A B", "B M0"), (bot(400, 0), bot(600, 180, True))),  # blocked
    ],
)
def test_below_the_words_of_a_telephones_cards_are_the_fight_and_the_health_lines(plays, bots):
    timeline = Timeline.of(game(*plays, bots=bots))
    painter, edit_list = painter_of("phone"), EditList([Cut(0.0, timeline.end)], 1.5, 2.5)
    shown = FilmCards(opening_card(timeline, 0.0, ""), end_card(timeline, timeline.end))
    cards, surface = Cards.of_match(painter, timeline, edit_list, shown), pygame.Surface(SHAPES["phone"])
    below = pygame.Rect(0, painter.area.bottom + 40, 1080, 1920 - painter.area.bottom - 60)
    for film_t, least in ((0.0, 20), (edit_list.ends, 4)):
        cards.draw(surface, film_t)
        assert len({tuple(surface.get_at((x, below.centery))[:3]) for x in range(0, 1080, 7)}) > least


# Posters


@pytest.fixture
def fights(monkeypatch):
    """The fights that are painted: where, of which scene, and how."""
    painted, paint = [], drawn_cards.paint_fight

    def noting(painter, target, rect, scene, **how):
        painted.append((rect, scene, how))
        paint(painter, target, rect, scene, **how)

    monkeypatch.setattr(drawn_cards, "paint_fight", noting)
    return painted


@pytest.mark.parametrize("shape", SHAPES)
def test_a_poster_has_the_claim_both_names_and_orders_alike_the_fight_and_the_game_s_name(
    tmp_path, texts, fights, shape
):
    larger = max(1, 1280 / max(SHAPES[shape]))
    made = job(tmp_path, told(eventful(), levels=("rookie", "")), size=SHAPES[shape], title="Told to run", cards=False)
    assert made.poster().get_size() == tuple(larger * side for side in SHAPES[shape])
    words = " ".join(texts.words)
    for part in ("SmolLM2", "(blue)", "(orange)", "rookie", "Told to run", "BATLLM", *" ".join(ORDERS).split()):
        assert part in words
    for begins in (("\u201cKeep", "\u201cRush"), ("SmolLM2",)):
        assert len({each.asked for each in texts if each.text.startswith(begins)}) == 1
    ((_, scene, _),) = fights
    assert "hit" in {effect.kind for effect in scene.effects}
    assert all(pose.alive for pose in scene.bots)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("orders", [ORDERS, (LONG, LONG), ("x", LONG)])
def test_nothing_on_a_poster_lies_over_anything(monkeypatch, shape, orders):
    monkeypatch.setattr(CardPainter, "background", lambda self: Noted(SHAPES[shape]))
    timeline = Timeline.of(told_apart(told(eventful(), orders)))
    assert_laid_out(fight_picture(painter_of(shape), opening_card(timeline, 0.0, ""), timeline.at(2.0)))


def test_orders_are_about_as_large_on_a_narrow_poster_as_names_of_two_rows(texts):
    orders = "Keep your distance and shoot it from as far away as you can all the time", "Chase it"
    poster(Timeline.of(told(eventful(), orders, ("SmolLM2 (orange)", "SmolLM2 (blue)"))), "phone")
    sizes = {each.text.split()[0]: each.asked for each in texts}
    assert sizes["\u201cKeep"] >= 0.85 * sizes["SmolLM2"]


def test_the_fight_is_as_high_on_a_poster_as_the_orders_leave_room(fights):
    for orders in ("Rush", "Keep to the wall and fire from afar, whatever it does, and never ever come close to it"):
        poster(Timeline.of(told(eventful(), (orders, orders))), "square")
    assert fights[0][0].height > 1.1 * fights[1][0].height


def test_the_fight_on_a_telephones_poster_is_as_wide_as_that_and_without_words(fights):
    timeline = Timeline.of(told(game("A B", "B M0"), ("Rush", "Hide")))
    poster(timeline, "phone")
    poster(timeline)
    (upright, _, without), (_, _, wide) = fights
    assert (without["words"], wide["words"]) == (False, True)
    assert (upright.left, upright.top, upright.width) == (0, 0, 2 * 1080)
    assert upright.height > 0.4 * 2 * 1920


def test_a_poster_has_no_number_of_what_a_hit_took_and_no_words_of_what_has_nothing_to_do_with_it(
    texts, fights, monkeypatch
):
    timeline = Timeline.of(game("A B", "B B", "A B"))
    scene = timeline.at(fight_second(timeline, [(0.0, timeline.end)]))
    passing = Effect("refused", scene.t, 2.0, (100, 100), 0.0, 0, 0.0, "rests to load")
    monkeypatch.setattr(Timeline, "at", lambda *given: replace(scene, effects=(*scene.effects, passing)))
    poster(timeline)
    assert "BATLLM " in texts.words
    assert not any(text.startswith(("-", "SIDE", "BACK")) for text in texts.words)
    kinds = {effect.kind for effect in fights[0][1].effects}
    assert kinds == {effect.kind for effect in scene.effects} - {"refused"}
    assert "hit" in kinds


def test_a_poster_shows_the_gravest_hit_of_bots_that_are_near_rather_than_a_little_graver_one_from_afar():
    far, near = (bot(100, 0), bot(900, 180)), (bot(450, 0), bot(650, 180))
    for bots, walks in ((far, 6), (near, 0)):
        timeline = Timeline.of(game("A B", *["A M", "B M"] * walks, "A B", bots=bots, rules=replace(COUCH, battery=0)))
        hits = [segment.flight[1] for segment in timeline.segments if segment.flight]
        shown = fight_second(timeline, [(0.0, timeline.end)])
        assert min(hits, key=lambda t: abs(t - shown)) == hits[-1 if walks else 0]


def part_of(bots, shape, covered):
    """The part of an arena with bots at these places, and what draws it."""
    scene = Timeline.of(eventful()).at(0.0)
    side, renderer = scene.board.rules.arena_width, Renderer((1280, 720), scene.board.rules, film="plain")
    poses = [replace(pose, x=side * x, y=side * y) for pose, (x, y) in zip(scene.bots, bots, strict=True)]
    return fight_part(replace(scene, bots=tuple(poses)), renderer, shape, covered), renderer


@pytest.mark.parametrize("covered", [0.0, 0.3])
@pytest.mark.parametrize("bots", [((0.1, 0.5), (0.9, 0.5)), ((0.1, 0.1), (0.9, 0.9)), ((0.5, 0.06), (0.5, 0.2))])
def test_both_bots_are_in_the_picture_of_a_fight(bots, covered):
    part, renderer = part_of(bots, 2.5, covered)
    arena = renderer.arena
    assert arena.contains(part)
    assert part.width == arena.width or part.width / part.height == pytest.approx(2.5, 0.01)
    for x, y in bots:
        assert part.collidepoint(arena.left + x * arena.width, arena.top + y * arena.height - 20)


@pytest.mark.parametrize(("top", "free"), [(0.4, True), (0.1, False)])
def test_bots_of_a_telephones_poster_are_below_what_is_covered_where_there_is_room_for_that(top, free):
    part, renderer = part_of(((0.4, top), (0.55, top)), 1.4, 0.33)
    side = renderer.rules.arena_width
    bars = renderer.arena.top + (top - 1.7 * renderer.rules.bot_radius / side) * renderer.arena.height
    assert (bars >= part.top + 0.33 * part.height) == free
    assert part.width / part.height == pytest.approx(1.4, 0.01)


# What cards say

MODEL = SeatInfo("a", "ollama", "llama")
SCRIPT = SeatInfo("turtle", "scripted:turtle")
PERSON = SeatInfo("Ann", "keyboard", human=True)
READING = "charge 0.81 \u00b7 camp 0.12 \u2014 attacking: taking aim"


def claim(*seats, orders=ORDERS, thought=""):
    """What a film of these players claims, and what it says of both."""
    records = [replace(record, seats=seats) if hasattr(record, "seats") else record for record in eventful()]
    records = [
        replace(record, prompts=orders)
        if isinstance(record, RoundStarted)
        else replace(record, decision=replace(record.decision, thought=thought))
        if isinstance(record, Play)
        else record
        for record in records
    ]
    card = opening_card(Timeline.of(told_apart(records)), 0.0, "")
    return card.claim, tuple(side.told for side in card.sides)


def test_a_claim_counts_the_orders_that_are_there_and_says_what_a_model_is_asked_for():
    other = replace(MODEL, name="b", model="flash")
    claims = [
        claim(*[MODEL] * 2)[0],
        claim(*[MODEL] * 2, orders=("Run", ""))[0],
        claim(*[MODEL] * 2, orders=("", ""))[0],
        claim(*[MODEL] * 2, thought=READING)[0],
        claim(MODEL, other)[0],
        claim(MODEL, SCRIPT)[0],
        claim(MODEL, SCRIPT, orders=(" ", "Attack"))[0],
        claim(PERSON, MODEL)[0],
    ]
    assert len(set(claims)) == len(claims)
    assert all(word_count(each) <= 8 for each in claims)
    assert claim(*[MODEL] * 2, orders=("", ""))[0] == claim(SCRIPT, SCRIPT)[0] == WHO_WINS
    assert claim(*[MODEL] * 2, orders=("Run", "Run"))[0] == WHO_WINS


def test_who_has_no_orders_is_not_called_by_what_plays_for_it():
    embedded = SeatInfo("SmolLM2", "embedded:tactics", "SmolLM2-135M")
    _, sides = claim(embedded, SCRIPT, orders=("", ""))
    assert "embedded" not in " ".join(sides)
    assert len({*sides, *claim(PERSON, embedded, orders=("Win", "Hide"))[1]}) == 4


def test_a_title_is_the_claim_and_stands_as_long_as_it_takes_to_read():
    timeline = Timeline.of(told(eventful()))
    assert opening_card(timeline, 0.0, "Never shoot").seconds == OPENING_S
    long = opening_card(timeline, 0.0, "One told to rush him and one told to camp, which of both wins this?")
    assert long.seconds == pytest.approx(0.3 * 15)


def test_counts_are_those_of_all_games_and_not_told_where_orders_changed():
    rules = Rules(total_rounds=1, turns_per_round=6, initial_shield=False)
    records = told(played(["B", aim, "B", "M", "M", "B"], ["S1", "S1", "S0", "S1", "M", "C3"], rules=rules))
    one = end_card(Timeline.of(records), 1e9).sides
    assert [side.counts[0] for side in one] == [3, 0]
    assert [side.counts[2] for side in one] == [0, 5]
    later = [replace(record, game=2) if hasattr(record, "game") else record for record in records]
    both = end_card(Timeline.of([*records, *later]), 1e9).sides
    assert [side.counts for side in both] == [tuple(2 * each for each in side.counts) for side in one]
    changed = [replace(each, prompts=("a", "b")) if isinstance(each, RoundStarted) else each for each in later]
    assert end_card(Timeline.of([*records, *changed]), 1e9).table == []
