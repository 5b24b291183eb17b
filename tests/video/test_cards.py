"""Cards: the first picture tells who was told what, the last one how it ended; both in type for a phone."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pygame
import pytest
from fakes import aim, eventful, played
from films import frame_hash, session
from plays import COUCH, bot, game
from texts import note_texts

from batllm_arcade.brains.protocol import SeatInfo
from batllm_arcade.core.model import Rules
from batllm_arcade.history.reader import read
from batllm_arcade.match.records import GameEnded, GameStarted, Play, RoundStarted
from batllm_arcade.render.arena_words import EffectLabels
from batllm_arcade.render.renderer import Renderer
from batllm_arcade.video.draw import cards as closing
from batllm_arcade.video.draw import fight_picture
from batllm_arcade.video.draw.card_painter import CardPainter
from batllm_arcade.video.draw.cards import _FINER, Cards, closing_picture, fight_poster, opening_picture
from batllm_arcade.video.draw.frame_renderer import FrameRenderer
from batllm_arcade.video.edit.cards import END_S, OPENING_S, FilmCards, end_card, fight_second, new_words, opening_card
from batllm_arcade.video.edit.edit_list import Cut, EditList
from batllm_arcade.video.edit.text import WHO_WINS, told_apart
from batllm_arcade.video.encode.formats import FORMATS, Shape
from batllm_arcade.video.film_plan import FilmPlan
from batllm_arcade.video.render_job import RenderJob
from batllm_arcade.view.look.effects import Effect
from batllm_arcade.view.play_words import word_count
from batllm_arcade.view.timeline import Timeline

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
SHAPES = {"wide": (1280, 720), "tall": (720, 1280), "square": (720, 720), "gif": (800, 450), "phone": (1080, 1920)}
ORDERS = ("Keep to the wall and fire from afar", "Rush him and stay in his face, always")
LONG = "one two three " * 20
PLAIN = replace(COUCH, side_damage=1, back_damage=1, battery=0)


def told(records, orders=ORDERS, names=("SmolLM2", "SmolLM2"), brain="embedded:tactics,model=/home/me/secret.gguf",
         levels=("", "")):  # fmt: skip
    """The records with these names, orders and levels."""
    seats = tuple(
        SeatInfo(name, brain, "secret.gguf", {"level": level} if level else {})
        for name, level in zip(names, levels, strict=True)
    )
    found = []
    for record in records:
        if isinstance(record, GameStarted):
            record = replace(record, seats=seats)
        elif isinstance(record, RoundStarted):
            record = replace(record, prompts=orders)
        found.append(record)
    return found


@pytest.fixture
def drawn(monkeypatch):
    """The lines that cards are made of, each with the size of its type as a share of the film's shorter side."""
    found: list[tuple[str, float]] = []

    class Noting:
        def __init__(self, text, least):
            self._text, self._least = text, least

        def line(self, text, face, size, *rest):
            found.append((text, size / 720))
            return self._text.line(text, face, size, *rest)

        def fitted(self, text, face, size, color, width):
            image = self._text.fitted(text, face, size, color, width)
            found.append(
                (text, size * image.get_height() / self._text.line(text, face, size, color).get_height() / 720)
            )
            return image

        def __getattr__(self, name):
            return getattr(self._text, name)

    made = CardPainter.__init__

    def noting(self, size, **named):
        made(self, size, **named)
        self.text = Noting(self.text, 0)

    monkeypatch.setattr(CardPainter, "__init__", noting)
    return found


def job(folder: Path, records, **options) -> RenderJob:
    size = options.pop("size", (1280, 720))
    shape = Shape(FORMATS[".mp4"], size, 10, vertical=size == SHAPES["phone"])
    return RenderJob(read(session(folder, records)), FilmPlan(Path("a.mp4"), shape, **options))


@pytest.mark.parametrize("highlights", [False, True])
@pytest.mark.parametrize("shape", SHAPES)
def test_the_first_picture_of_every_film_has_both_names_and_both_orders_in_large_type(
    tmp_path, drawn, shape, highlights
):
    made = job(tmp_path, told(eventful()), size=SHAPES[shape], highlights=highlights)
    made.frame_renderer().draw(0.0)
    words = " ".join(text for text, _ in drawn)
    for part in (
        "SmolLM2 (blue)",
        "SmolLM2 (orange)",
        *ORDERS[0].split(),
        *ORDERS[1].split(),
    ):
        assert part in words
    assert "gguf" not in words
    assert min(size for text, size in drawn if text.strip()) >= 24 / 360


@pytest.mark.parametrize("shape", ["wide", "phone"])
def test_a_level_stands_on_both_cards_and_on_the_poster(tmp_path, drawn, shape):
    made = job(tmp_path, told(eventful(), levels=("rookie", "")), size=SHAPES[shape])
    renderer = made.frame_renderer()
    for picture in (lambda: renderer.draw(0.0), lambda: renderer.draw(made.edit_list.seconds - 0.01), made.poster):
        drawn.clear()
        picture()
        assert "rookie" in " ".join(text for text, _ in drawn)


@pytest.mark.parametrize("shape", ["wide", "square", "phone"])
def test_a_poster_has_the_claim_both_names_both_orders_and_the_fight(tmp_path, drawn, shape, monkeypatch):
    scenes, paint = [], fight_picture.paint_fight
    monkeypatch.setattr(
        fight_picture, "paint_fight", lambda *given, **how: scenes.append(given[-1]) or paint(*given, **how)
    )
    made = job(tmp_path, told(eventful()), size=SHAPES[shape], title="Told to run", cards=False)
    wide, high = SHAPES[shape]
    larger = max(1, 1280 / max(wide, high))
    assert made.poster().get_size() == (larger * wide, larger * high)
    words = " ".join(text for text, _ in drawn)
    for part in ("SmolLM2 (blue)", "SmolLM2 (orange)", "Told to run", *ORDERS[0].split(), *ORDERS[1].split()):
        assert part in words
    (scene,) = scenes
    assert "hit" in {effect.kind for effect in scene.effects}
    assert all(pose.alive for pose in scene.bots)


@pytest.mark.parametrize("shape", ["wide", "square", "phone"])
def test_a_poster_sets_both_players_in_one_type_and_from_one_height_on(drawn, shape, monkeypatch):
    stacks, stack = [], CardPainter.stack
    monkeypatch.setattr(CardPainter, "stack", staticmethod(lambda *given: stacks.append(given) or stack(*given)))
    timeline = Timeline.of(told(eventful(), orders=("Run", "Keep your shield up whenever he looks at you")))
    fight_poster(timeline, [], "", SHAPES[shape], telephone=shape == "phone")
    for words in (("“Run”", "“Keep"), ("SmolLM2 (blue)", "SmolLM2 (orange)")):
        assert len({size for text, size in drawn if text.startswith(words)}) == 1
    assert len({top for _, _, top, left, _ in stacks if left >= 0}) == 1


def test_orders_are_about_as_large_on_a_narrow_poster_as_names_of_two_rows(drawn):
    orders = "Keep your distance and shoot it from as far away as you can all the time", "Chase it"
    timeline = Timeline.of(told(eventful(), orders=orders, names=("SmolLM2 (orange)", "SmolLM2 (blue)")))
    fight_poster(timeline, [], "", SHAPES["phone"], telephone=True)
    sizes = {text.split()[0]: size for text, size in drawn}
    assert sizes["\u201cKeep"] >= 0.85 * sizes["SmolLM2"]


@pytest.mark.parametrize("shape", ["wide", "square", "phone"])
def test_a_poster_has_the_name_of_the_game_below_all_else(drawn, shape, monkeypatch):
    panels, panel = [], CardPainter.panel
    monkeypatch.setattr(CardPainter, "panel", lambda *given: panels.append(given[2]) or panel(*given))
    poster = fight_poster(Timeline.of(told(eventful())), [], "", SHAPES[shape], telephone=shape == "phone")
    (size,) = {size for text, size in drawn if text in ("BATLLM ", "ARCADE")}
    larger = tuple(_FINER * side for side in SHAPES[shape])
    painter = CardPainter(larger, telephone=shape == "phone")
    high = painter.text.height("title", round(720 * size / _FINER))
    assert all(rect.bottom <= painter.area.bottom - painter.px(24) - high for rect in panels)
    assert painter.background().get_rect().contains(panels[0].unionall(panels))
    assert poster.get_size() == SHAPES[shape]


def test_a_poster_has_no_number_of_what_a_hit_took(monkeypatch):
    timeline, texts = Timeline.of(game("A B", "B B", "A B")), note_texts(monkeypatch)
    fight_poster(timeline, [(0.0, timeline.end)], "", (320, 180))
    assert "BATLLM " in texts.words
    assert not any(text.startswith(("-", "SIDE", "BACK")) for text in texts.words)


@pytest.mark.parametrize("covered", [0.0, 0.3])
@pytest.mark.parametrize("bots", [((0.1, 0.5), (0.9, 0.5)), ((0.1, 0.1), (0.9, 0.9)), ((0.5, 0.06), (0.5, 0.2))])
def test_both_bots_are_in_the_picture_of_a_fight(bots, covered):
    scene = Timeline.of(eventful()).at(0.0)
    side = scene.board.rules.arena_width
    poses = [replace(pose, x=side * x, y=side * y) for pose, (x, y) in zip(scene.bots, bots, strict=True)]
    renderer = Renderer((1280, 720), scene.board.rules, film="plain")
    arena = renderer.arena
    part = fight_picture._shown(replace(scene, bots=tuple(poses)), renderer, 2.5, covered)
    assert arena.contains(part)
    assert part.width == arena.width or part.width / part.height == pytest.approx(2.5, 0.01)
    for x, y in bots:
        assert part.collidepoint(arena.left + x * arena.width, arena.top + y * arena.height - 20)


@pytest.mark.parametrize(("top", "free"), [(0.4, True), (0.1, False)])
def test_bots_of_a_telephones_poster_are_below_what_is_covered_where_there_is_room_for_that(top, free):
    scene = Timeline.of(eventful()).at(0.0)
    side = scene.board.rules.arena_width
    poses = [replace(pose, x=side * x, y=side * top) for pose, x in zip(scene.bots, (0.4, 0.55), strict=True)]
    renderer = Renderer((1280, 720), scene.board.rules, film="plain")
    part = fight_picture._shown(replace(scene, bots=tuple(poses)), renderer, 1.4, 0.33)
    bars = renderer.arena.top + (top - 1.7 * renderer.rules.bot_radius / side) * renderer.arena.height
    assert (bars >= part.top + 0.33 * part.height) == free
    assert part.width / part.height == pytest.approx(1.4, 0.01)


LONGEST = (LONG, LONG)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("orders", [("All out attack", ORDERS[1]), ("x", LONG)])
def test_both_orders_have_one_size_of_type_on_the_first_card(drawn, shape, orders):
    card = opening_card(Timeline.of(told(eventful(), orders=orders, names=("Ann", "Bob"))), 0.0, "")
    opening_picture(CardPainter(SHAPES[shape], telephone=shape == "phone"), card)
    rest = f"{card.claim} Ann Bob VS"
    assert len({size for text, size in drawn if text not in rest}) == 1


def test_a_card_is_complete_in_its_first_picture_and_stands_still(tmp_path):
    made = job(tmp_path, told(eventful()), size=(320, 180))
    renderer = made.frame_renderer()
    renderer.draw(0.0)
    first = frame_hash(renderer.surface)
    assert renderer.draw(1.0) == []
    assert frame_hash(renderer.surface) == first
    renderer.draw(made.edit_list.ends)
    last = frame_hash(renderer.surface)
    assert renderer.draw(made.edit_list.seconds - 0.01) == []
    assert frame_hash(renderer.surface) == last != first


@pytest.mark.parametrize("options", [{"cards": False}, {"fast": True}])
def test_without_cards_a_film_begins_and_ends_with_the_match(tmp_path, options):
    made = job(tmp_path, told(eventful()), **options)
    assert (made.edit_list.card, made.edit_list.end_card) == (0.0, 0.0)
    assert made.edit_list.cuts[-1].end == made.timeline.end


def test_no_word_is_broken_that_fits_in_smaller_type(tmp_path, drawn):
    job(tmp_path, told(eventful(), orders=("be unpredictable", "x"))).frame_renderer().draw(0.0)
    assert "unpredictable" in " ".join(text for text, _ in drawn)


def test_the_fight_is_as_high_on_a_poster_as_the_orders_leave_room(monkeypatch):
    places, painted = [], fight_picture.paint_fight

    def noting(painter, target, rect, scene, **how):
        places.append(rect.height)
        painted(painter, target, rect, scene, **how)

    monkeypatch.setattr(fight_picture, "paint_fight", noting)
    for orders in ("Rush", "Keep to the wall and fire from afar, whatever it does, and never ever come close to it"):
        timeline = Timeline.of(told(eventful(), orders=(orders, orders)))
        fight_poster(timeline, [(0.0, timeline.end)], "", (720, 720), telephone=False)
    assert places[0] > 1.1 * places[1]


def test_a_poster_shows_the_gravest_hit_of_bots_that_are_near_rather_than_a_little_graver_one_from_afar():
    far, near = (bot(100, 0), bot(900, 180)), (bot(450, 0), bot(650, 180))
    for bots, walks in ((far, 6), (near, 0)):
        timeline = Timeline.of(game("A B", *["A M", "B M"] * walks, "A B", bots=bots, rules=replace(COUCH, battery=0)))
        hits = [segment.flight[1] for segment in timeline.segments if segment.flight]
        shown = fight_second(timeline, [(0.0, timeline.end)])
        assert min(hits, key=lambda t: abs(t - shown)) == hits[-1 if walks else 0]


def test_highlights_of_a_series_say_of_how_many_games_they_are(tmp_path, drawn):
    made = job(tmp_path, told(eventful()))
    for highlights in (True, False):
        drawn.clear()
        RenderJob(read(tmp_path / "match.json"), replace(made.plan, highlights=highlights)).frame_renderer().draw(0.0)
        assert ("Highlights of 2 games" in {text for text, _ in drawn}) == highlights


@pytest.mark.parametrize(("end_card", "health", "banner"), [(2.5, 12, False), (0.0, 12, True), (2.5, 100, True)])
def test_the_end_card_that_follows_a_knock_out_says_who_won_in_place_of_a_banner(end_card, health, banner):
    timeline = Timeline.of(game("A B", bots=(bot(200, 0), bot(800, 180, health=health))))
    over = next(segment for segment in timeline.segments if isinstance(segment.record, GameEnded))
    assert (over.record.result.reason == "knockout") == (health == 12)
    film = EditList([Cut(0.0, timeline.end)], end_card=end_card)
    renderer = FrameRenderer((320, 180), timeline, film)
    assert (renderer.scene(over.start + 0.2).banner is not None) == banner


def test_films_of_a_series_show_the_game_and_what_was_won_throughout(tmp_path):
    job = RenderJob(read(session(tmp_path)), FilmPlan(tmp_path / "a.mp4", Shape(FORMATS[".mp4"], (320, 180), 10)))
    renderer = job.frame_renderer()
    scores = {renderer.scene(cut.start).board.score for cut in job.edit_list.cuts}
    assert {score[:6] for score in scores} == {"GAME 1", "GAME 2"}
    assert all(" : " in score for score in scores)


def test_a_poster_has_no_words_of_what_has_nothing_to_do_with_the_fight(monkeypatch):
    shown, timeline = [], Timeline.of(told(eventful()))
    monkeypatch.setattr(
        fight_picture,
        "fight_picture",
        lambda painter, card, scene: shown.append(scene) or painter.background(),
    )
    scene = timeline.at(fight_second(timeline, [(0.0, timeline.end)]))
    passing = Effect("refused", scene.t, 2.0, (100, 100), 0.0, 0, 0.0, "rests to load")
    monkeypatch.setattr(Timeline, "at", lambda *given: replace(scene, effects=(*scene.effects, passing)))
    fight_poster(timeline, [(0.0, timeline.end)], "", (1280, 720))
    assert {effect.kind for effect in shown[0].effects} == {effect.kind for effect in scene.effects} - {"refused"}
    assert "hit" in {effect.kind for effect in shown[0].effects}


@pytest.mark.parametrize(
    ("plays", "bots"),
    [
        (("A B", "B M0"), (bot(400, 0), bot(600, 0, health=60))),  # in the back
        (("A B",), (bot(400, 0), bot(600, 180, health=12))),  # by knock-out
        (("A B", "B M0"), (bot(400, 0), bot(600, 180, True))),  # blocked
    ],
)
def test_below_the_words_of_a_telephones_cards_are_the_fight_and_the_health_lines(plays, bots, monkeypatch):
    timeline = Timeline.of(game(*plays, bots=bots))
    painter, said = CardPainter(SHAPES["phone"], telephone=True), []
    edit_list = EditList([Cut(0.0, timeline.end)], 1.5, 2.5)
    shown = FilmCards(opening_card(timeline, 0.0, ""), end_card(timeline, timeline.end))
    cards = Cards.of_match(painter, timeline, edit_list, shown)
    surface = pygame.Surface(SHAPES["phone"])
    with monkeypatch.context() as patched:
        patched.setattr(EffectLabels, "_draw_words", lambda *given: said.append(given[2]))
        below = pygame.Rect(0, painter.area.bottom + 40, 1080, 1920 - painter.area.bottom - 60)
        for film_t, part in ((0.0, "opening"), (edit_list.ends, "closing")):
            cards.draw(surface, film_t)
            shown = {tuple(surface.get_at((x, below.centery))[:3]) for x in range(0, 1080, 7)}
            assert len(shown) > (20 if part == "opening" else 4), part
    assert said == []
    wide = CardPainter(SHAPES["wide"])
    before = wide.background()
    fight_picture.paint_below(wide, before, timeline.at(0.0))
    assert before.get_buffer().raw == wide.background().get_buffer().raw


def test_the_fight_on_a_telephones_poster_is_as_wide_as_that_and_without_words(monkeypatch):
    given, painted = [], fight_picture.paint_fight

    def noting(painter, target, rect, scene, *, words=True, covered=0.0):
        given.append((rect, words))
        painted(painter, target, rect, scene, words=words, covered=covered)

    monkeypatch.setattr(fight_picture, "paint_fight", noting)
    timeline = Timeline.of(told(game("A B", "B M0"), orders=("Rush", "Hide")))
    fight_poster(timeline, [(0.0, timeline.end)], "", (540, 960), telephone=True)
    fight_poster(timeline, [(0.0, timeline.end)], "", (960, 540))
    (upright, without), (_, words) = given
    assert (without, words) == (False, True)
    assert (upright.left, upright.top, upright.width) == (0, 0, 2 * 540)
    assert upright.height > 0.4 * 2 * 960


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
    _, told = claim(embedded, SCRIPT, orders=("", ""))
    assert "embedded" not in " ".join(told)
    assert len({*told, *claim(PERSON, embedded, orders=("Win", "Hide"))[1]}) == 4


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


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("orders", [ORDERS, (LONG, LONG), ("", "\u6253" * 60)])
def test_an_end_card_says_all_of_its_rows_in_large_type_and_has_room_for_its_figures(drawn, shape, orders):
    records = [
        replace(record, rules=replace(record.rules, total_rounds=1)) if isinstance(record, GameStarted) else record
        for record in told_apart(told(game("A B", "B S1", "A B", "B S0", "A B"), orders))
    ]
    painter = CardPainter(SHAPES[shape], telephone=shape == "phone")
    card = end_card(Timeline.of(records), 1e9, sign="@me  github.com/me")
    closing_picture(painter, card)
    words = " ".join(text for text, _ in drawn)
    for row in card.rows:
        for word in row.words.replace("\u201c", "").replace("\u201d", "").split()[:3]:
            assert word.strip("\u2026")[:9] in words, row
    assert min(size for text, size in drawn if text.strip()) >= 24 / 360
    assert closing._arranged(painter, card, 1)[1]
    assert new_words(card.rows, card.sides) <= 13
    assert card.seconds == END_S
