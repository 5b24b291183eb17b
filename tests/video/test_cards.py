"""Cards: the first picture tells who was told what, the last one how it ended; both in type for a phone."""

from __future__ import annotations

import os
import re
from dataclasses import replace
from pathlib import Path

import pygame
import pytest
from fakes import aim, eventful, played
from films import frame_hash, session
from plays import COUCH, bot, game
from texts import note_texts

from batllm_arcade.analysis.tipping import TurningPoint
from batllm_arcade.brains.protocol import SeatInfo
from batllm_arcade.core.model import Rules
from batllm_arcade.history.reader import read
from batllm_arcade.match.records import GameEnded, GameStarted, Play, RoundStarted
from batllm_arcade.render.renderer import Renderer
from batllm_arcade.render.text import TextRenderer
from batllm_arcade.render.words.effect_words import EffectLabels
from batllm_arcade.video.draw import closing, fight_picture
from batllm_arcade.video.draw.card_painter import CardPainter
from batllm_arcade.video.draw.cards import Cards
from batllm_arcade.video.draw.closing import closing_picture
from batllm_arcade.video.draw.frame_renderer import FrameRenderer
from batllm_arcade.video.draw.opening import opening_picture
from batllm_arcade.video.draw.player_plates import PlayerPlates
from batllm_arcade.video.draw.poster import _FINER, fight_poster
from batllm_arcade.video.edit.cards import HOW_TO_PLAY, CardSide, end_card, opening_card, shorter
from batllm_arcade.video.edit.edit_list import Cut, EditList
from batllm_arcade.video.edit.fight_moment import fight_second
from batllm_arcade.video.edit.film_text import description
from batllm_arcade.video.edit.text import WHO_WINS, told_apart
from batllm_arcade.video.encode.formats import FORMATS, Shape
from batllm_arcade.video.film_plan import FilmPlan
from batllm_arcade.video.render_job import RenderJob
from batllm_arcade.view import theme
from batllm_arcade.view.look.effects import Effect
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
        "One AI model, two orders: who wins?",
        *ORDERS[0].split(),
        *ORDERS[1].split(),
    ):
        assert part in words
    assert "gguf" not in words
    assert min(size for text, size in drawn if text.strip()) >= 24 / 360


def test_the_reason_of_a_draw_is_not_broken_off_on_a_wide_end_card(drawn):
    timeline = Timeline.of(told(eventful()))
    card = replace(end_card(timeline, timeline.end), of="health", reason="a draw: both kept the same share of health")
    closing_picture(CardPainter(SHAPES["wide"]), card)
    assert "  a draw" in {text for text, _ in drawn}


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
    for words in (("“Run”", "“Keep"), ("SmolLM2 (left)", "SmolLM2 (right)")):
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


@pytest.mark.parametrize("shape", SHAPES)
def test_the_last_picture_has_the_result_both_orders_what_decided_it_and_how_to_play(tmp_path, drawn, shape):
    made = job(tmp_path, told(eventful(), names=("Ann", "Bob")), size=SHAPES[shape])
    made.frame_renderer().draw(made.edit_list.seconds - 0.01)
    words = " ".join(text for text, _ in drawn)
    wins = [r.result.winner for r in eventful() if isinstance(r, GameEnded)]
    for part in (f"{wins.count(0)} :", *ORDERS[0].split()[:2], *ORDERS[1].split()[:2], HOW_TO_PLAY, "Ann", "Bob"):
        assert part in words.replace("  ", " ")
    assert min(size for text, size in drawn if text.strip()) >= 24 / 360


LONGEST = (LONG, LONG)
ENDINGS = [
    ("Ann hit first and was never behind: four hits to none.", ORDERS),
    ("Both stayed in the other's line of fire: SmolLM2 (left) was hit nine times, SmolLM2 (right) seven.", ORDERS),
    ("SmolLM2 (left) had an empty gun twice when SmolLM2 (right) could be hit, SmolLM2 (right) once.", LONGEST),
]


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize(("decided", "orders"), ENDINGS)
def test_what_decided_a_game_is_told_to_its_end_in_every_shape(drawn, monkeypatch, shape, decided, orders):
    lines = []
    chart = closing.HealthChart
    monkeypatch.setattr(closing, "HealthChart", lambda *given, **named: lines.append(1) or chart(*given, **named))
    timeline = Timeline.of(told(eventful(), orders=orders))
    card = replace(end_card(timeline, timeline.end), decided=decided)
    closing_picture(CardPainter(SHAPES[shape], telephone=shape == "phone"), card)
    words = " ".join(text for text, _ in drawn).replace("  ", " ")
    assert any(sentence in words for sentence in shorter(decided))
    assert HOW_TO_PLAY in words
    assert lines or orders is LONGEST
    assert min(size for text, size in drawn if text.strip()) >= 24 / 360


@pytest.mark.parametrize(("shape", "least"), [("wide", 190), ("tall", 190), ("gif", 118), ("square", 72)])
def test_the_health_lines_are_high_and_have_their_ends_and_where_the_game_tipped(drawn, monkeypatch, shape, least):
    charts, chart = [], closing.HealthChart

    def noted(*given, **named):
        charts.append((given[3], named))
        return chart(*given, **named)

    monkeypatch.setattr(closing, "HealthChart", noted)
    timeline = Timeline.of(told(game("A M", "B S0", "A B", bots=(bot(200, 0), bot(800, 90, True)))))
    lowers, hits = (segment.record for segment in timeline.segments[2:4])
    card = end_card(timeline, timeline.end, [TurningPoint(lowers, hits, (0.5, 0.4))])
    closing_picture(CardPainter(SHAPES[shape]), card)
    (((_, high), named),) = charts
    assert high >= least
    assert named["tip"] == 2
    if shape != "square":
        assert {"100", "76"} <= {text for text, _ in drawn}
    assert "Turning point" in " ".join(text for text, _ in drawn)
    assert min(size for text, size in drawn if text.strip()) >= 24 / 360


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("orders", [("All out attack", ORDERS[1]), ("x", LONG)])
def test_both_orders_have_one_size_of_type_on_the_first_card(drawn, shape, orders):
    card = opening_card(Timeline.of(told(eventful(), orders=orders, names=("Ann", "Bob"))), 0.0, "")
    opening_picture(CardPainter(SHAPES[shape], telephone=shape == "phone"), card)
    rest = f"{card.claim} Ann Bob VS"
    assert len({size for text, size in drawn if text not in rest}) == 1


MIDDLING = ("Keep your back to the wall and your shield up, and fire when it turns", "Rush it, never wait for anything")


@pytest.mark.parametrize("shape", ["tall", "square", "phone"])
def test_orders_are_told_to_their_end_where_there_is_room(drawn, shape):
    timeline = Timeline.of(told(eventful(), orders=MIDDLING, names=("Ann", "Bob")))
    card = replace(end_card(timeline, timeline.end), decided="Ann hit first and was never behind: four hits to none.")
    closing_picture(CardPainter(SHAPES[shape], telephone=shape == "phone"), card)
    words = " ".join(" ".join(text for text, _ in drawn).split())
    for orders in MIDDLING:
        assert orders in words
    assert "Ann hit first and was never behind" in words


def test_what_decided_a_game_is_true_in_fewer_words():
    assert shorter("Both missed: Ann twice, Bob once.") == ("Both missed: Ann twice, Bob once.", "Both missed.")
    assert shorter("Last game: Ann hit twice, Bob once.")[1:] == ("Last game: Ann hit twice.",)
    assert shorter("Ann hit twice, Bob once; each time in the back.")[1:] == (
        "Ann hit twice, Bob once.",
        "Ann hit twice.",
    )
    assert shorter("Nobody hit anybody.") == ("Nobody hit anybody.",)


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


def test_a_title_is_the_claim():
    timeline = Timeline.of(told(eventful()))
    assert opening_card(timeline, 0.0, "Never shoot").claim == "Never shoot"
    assert opening_card(timeline, 0.0, "").claim == "One AI model, two orders: who wins?"
    alike = Timeline.of(told(eventful(), orders=("Rush him", "Rush him")))
    assert opening_card(alike, 0.0, "").claim == WHO_WINS


@pytest.mark.parametrize(
    ("left", "right", "claim"),
    [
        (SeatInfo("a", "ollama", "llama"), SeatInfo("b", "gemini", "flash"), "Two AI models: who wins?"),
        (
            SeatInfo("a", "ollama", "llama"),
            SeatInfo("turtle", "scripted:turtle"),
            "Will the AI do as it is told?",
        ),
        (SeatInfo("Ann", "keyboard", human=True), SeatInfo("b", "ollama", "x"), "Person against AI model"),
        (SeatInfo("turtle", "scripted:turtle"), SeatInfo("dancer", "scripted:dancer"), WHO_WINS),
    ],
)
def test_without_a_title_it_says_what_plays(left, right, claim):
    records = [
        replace(record, seats=(left, right)) if hasattr(record, "seats") else record for record in told(eventful())
    ]
    assert opening_card(Timeline.of(records), 0.0, "").claim == claim


def test_of_a_model_that_has_no_orders_it_is_not_asked_whether_it_keeps_to_them():
    seats = SeatInfo("a", "ollama", "llama"), SeatInfo("turtle", "scripted:turtle")
    records = [
        replace(record, seats=seats) if hasattr(record, "seats") else record
        for record in told(eventful(), orders=(" ", "Attack"))
    ]
    assert opening_card(Timeline.of(records), 0.0, "").claim == "AI model against script"


def test_long_orders_are_cut_at_a_word_and_who_was_told_nothing_shows_its_brain():
    left, right = opening_card(Timeline.of(told(eventful(), orders=(LONG, ""))), 0.0, "").sides
    assert left.told.startswith("\u201cone two three one")
    assert left.told.endswith(("one\u2026\u201d", "two\u2026\u201d", "three\u2026\u201d"))
    assert 80 < len(left.told) <= 92
    assert right.told == "embedded tactics"


READING = "charge 0.81 \u00b7 camp 0.12 \u2014 attacking: taking aim"


@pytest.mark.parametrize(
    ("read", "claim"),
    [((0, 1), "One AI model reads two orders: who wins?"), ((0,), "One AI model, two orders: who wins?")],
)
def test_a_model_that_reads_orders_which_a_tactician_plays_is_said_to_do_that(read, claim):
    model = SeatInfo("SmolLM2", "embedded", "SmolLM2-135M"), SeatInfo("SmolLM2", "embedded", "SmolLM2-135M")
    records = [
        replace(record, seats=model)
        if isinstance(record, GameStarted)
        else replace(record, prompts=("Run", "Hide"))
        if isinstance(record, RoundStarted)
        else replace(record, decision=replace(record.decision, thought=READING, raw="charge"))
        if isinstance(record, Play) and record.bot in read
        else record
        for record in eventful()
    ]
    timeline = Timeline.of(told_apart(records))
    assert opening_card(timeline, 0.0, "").claim == claim
    words = description(timeline, EditList([Cut(0.0, timeline.end)]))
    says = [line for line in words.splitlines() if line.endswith(" reads its orders, a tactician plays them.")]
    assert len(says) == len(read)


def test_of_a_script_without_orders_the_card_and_the_films_text_tell_what_it_does():
    records = told(eventful(), orders=("", ""), names=("A", "B"), brain="scripted:strategist", levels=("rookie", ""))
    timeline = Timeline.of(records)
    left, _ = opening_card(timeline, 0.0, "").sides
    assert (left.told, left.told_at) == ("Script: looks 1 move ahead", "Script: looks 1 move ahead, level rookie")
    text = description(timeline, EditList([Cut(0.0, timeline.end)]))
    assert "A (scripted:strategist), left, was told nothing: it looks 1 move ahead." in text


def test_the_end_card_has_the_games_of_a_series_and_else_the_health():
    both = told(eventful(), names=("Ann", "Bob"))
    timeline = Timeline.of(both)
    wins = [r.result.winner for r in both if isinstance(r, GameEnded)]
    card = end_card(timeline, timeline.end)
    assert (card.score, card.of) == ((wins.count(0), wins.count(1)), "games")
    one = Timeline.of(both[: next(n for n, r in enumerate(both) if isinstance(r, GameEnded)) + 1])
    last = one.segments[-1].arena
    card = end_card(one, one.end)
    assert (card.score, card.of) == ((last.left.health, last.right.health), "health")
    assert card.decided.endswith(".")


def test_the_end_card_says_what_became_of_the_score_where_the_game_tipped():
    timeline = Timeline.of(game("A M", "B S0", "A B", bots=(bot(200, 0), bot(800, 90, True))))
    lowers, hits = (segment.record for segment in timeline.segments[2:4])
    card = end_card(timeline, timeline.end, [TurningPoint(lowers, hits, (0.5, 0.4))])
    whole, shorter, brief, short, shortest = card.turning
    assert card.tip == 2
    assert brief == "Turning point, round 1, turn 3: Bob lowers the shield and is hit in the side."
    assert short == "Turning point: Bob lowers the shield and is hit in the side."
    assert card.shortest == (shortest,) == ("Turning point in round 1, turns 2 and 3.",)
    assert shorter == "Turning point in round 1, turns 2 and 3: Bob lowers the shield and is hit in the side."
    assert whole == shorter.replace("side.", "side, 100:100 becomes 100:76.")
    answer = replace(hits, turn=lowers.turn)
    told = end_card(timeline, timeline.end, [TurningPoint(lowers, answer, (0.5, 0.4))]).turning[1]
    assert told == shorter.replace("turns 2 and 3", "turn 2")


def test_the_end_card_says_where_the_game_tipped_if_that_was_shown():
    timeline = Timeline.of(game("A M", "B S0", "A B", bots=(bot(200, 0, health=12), bot(800, 180, True, health=12))))
    lowers, hits = (segment.record for segment in timeline.segments[2:4])
    card = end_card(timeline, timeline.end, [TurningPoint(lowers, hits, (0.5, 0.0))])
    assert set(card.turning[:2]) == {
        "Decided by the last shot in round 1, turns 2 and 3: Bob lowers the shield and is knocked out."
    }
    assert card.sentences == (f"{card.decided} {card.turning[0]}", *card.turning[1:-1])
    card = end_card(timeline, timeline.end, [TurningPoint(hits, hits, (0.5, 0.9))])
    assert card.turning[1] == "Decided by the last shot in round 1, turn 3: Ann acts twice in a row and hits."
    begun = timeline.segments[2].start
    assert end_card(timeline, begun, [TurningPoint(lowers, hits, (0.5, 0.0))]).turning == ()
    series = Timeline.of(told(eventful(), names=("Ann", "Bob")))
    last = [segment.record for segment in series.segments if isinstance(segment.record, Play)][-1]
    assert end_card(series, series.end, [TurningPoint(last, last, (0.5, 0.0))]).turning == ()


def test_where_nothing_tipped_a_game_the_end_card_says_and_marks_when_the_winner_took_the_lead():
    rules = replace(COUCH, battery=0)
    past = game("B S1", "A M", "B C170", "A B", "B S1", "A B", "B S1", "A B", rules=rules)
    timeline = Timeline.of(past)
    card = end_card(timeline, timeline.end)
    assert (card.tip, card.ahead) == (4, "Ann led from round 1, turn 4 on.")
    assert card.sentences == tuple(f"{each}{led}" for led in (f" {card.ahead}", "") for each in shorter(card.decided))
    timeline = Timeline.of(game("A B", "B B", "A B", rules=rules))
    card = end_card(timeline, timeline.end)
    assert card.decided == "Ann hit first, in round 1, turn 1, and was never behind: two hits to one."
    assert (card.tip, card.ahead) == (1, "")
    timeline = Timeline.of(game("B B", "A B", "A B", rules=rules))
    card = end_card(timeline, timeline.end)
    assert card.decided == "Ann took the lead for good in round 1, turn 3: two hits to one."
    assert (card.tip, card.ahead) == (None, "")
    drawn = Timeline.of(game("A B", "B B", rules=rules))
    assert end_card(drawn, drawn.end).tip is None
    series = Timeline.of(told(eventful(), names=("Ann", "Bob")))
    card = end_card(series, series.end)
    assert (card.tip, card.ahead) == (None, "")


def test_a_film_that_stops_before_the_end_is_to_be_continued():
    timeline = Timeline.of(eventful()[:12])
    assert end_card(timeline, timeline.end).title == "To be continued"


BUSY = ["B", aim, "B", "M", "M", "B"], ["S1", "S1", "S0", "S1", "M", "C3"]


def ended(orders, **changed):
    """The end card of a game in which left fires three times and right raises its shield twice."""
    rules = Rules(total_rounds=1, turns_per_round=6, initial_shield=False, **changed)
    timeline = Timeline.of(told(played(*BUSY, rules=rules), orders))
    return end_card(timeline, timeline.end)


@pytest.mark.parametrize("shape", ["wide", "tall", "phone"])
def test_the_end_card_counts_what_both_did_below_what_they_were_told(drawn, shape):
    closing_picture(CardPainter(SHAPES[shape]), ended(("Win", "Hide")))
    said = [text for text, _ in drawn]
    for counts in ("none of 3 shots hit", "no shots, shielded twice"):
        assert any(each.startswith(counts) for each in said)


@pytest.mark.parametrize(
    ("orders", "broke"),
    [
        ("Hide behind your shield", True),
        ("Use your shield", True),
        ("Keep the shield up", True),
        ("Never use your shield", False),
        ("Keep your shield down", False),
        ("Put your shield away", False),
        ("Wait until he lowers his shield", False),
        ("Win", False),
    ],
)
def test_who_was_told_to_raise_its_shield_and_never_did_is_told_on_the_end_card(drawn, orders, broke):
    card = ended((orders, "Hide behind your shield"))
    assert card.sides[0].kept == ("never raised its shield" if broke else "")
    assert card.sides[1].kept == "shield up 5 of 6 turns"
    closing_picture(CardPainter(SHAPES["wide"]), card)
    assert ("never raised its shield" in {text for text, _ in drawn}) == broke


@pytest.mark.parametrize(
    ("followed", "tint"),
    [
        (1.0, theme.GOOD),
        (0.7, theme.GOOD),
        (0.5, theme.GOLD),
        (None, theme.GOLD),
        (0.3, theme.DANGER),
        (0.0, theme.DANGER),
    ],
)
def test_the_colour_says_how_far_a_player_kept_to_its_orders(followed, tint, monkeypatch):
    tints, line = {}, TextRenderer.line
    monkeypatch.setattr(
        TextRenderer, "line", lambda self, *given: tints.update({given[0]: given[3]}) or line(self, *given)
    )
    left, right = ended(("Win", "Hide")).sides
    card = replace(ended(("Win", "Hide")), sides=(replace(left, kept="it is told", followed=followed, plan=""), right))
    closing_picture(CardPainter(SHAPES["wide"]), card)
    assert tints["it is told"] == tint


def test_of_counts_that_do_not_all_fit_the_last_ones_are_left_out_first():
    left, right = ended(("Win", "Hide")).sides
    assert left.deeds == ("none of 3 shots hit",)
    assert right.deeds == ("no shots, shielded twice, 1 step", "no shots, shielded twice", "no shots")


def test_orders_that_a_row_has_room_for_are_not_broken_after_a_name():
    sides = CardSide("SmolLM2", "\u201cRush it and fire\u201d"), CardSide("Bob", "\u201cHide\u201d")
    painter = CardPainter(SHAPES["square"])
    plates = PlayerPlates(painter, sides, 470, 50, 1.0, 10, 10)
    assert plates._rows_of(sides[0], 3) == ["SmolLM2", "\u201cRush it and fire\u201d"]
    assert plates._rows_of(sides[1], 3) == ["Bob \u201cHide\u201d"]


def test_how_often_a_player_fired_besides_has_a_row_of_its_own_on_a_wide_card():
    kept = CardSide("Bob", "Rush it", did=("2 of 3 shots hit",), kept="7 of 9 steps led nearer", also="fired 3 times")
    for shape, rows in (("wide", [kept.kept, kept.also]), ("square", [kept.kept])):
        plates = PlayerPlates(
            CardPainter(SHAPES[shape]), (kept, kept), 1200 if shape == "wide" else 600, 50, 1.0, 10, 10
        )
        assert plates._did(kept) == rows
    roomy = PlayerPlates(CardPainter(SHAPES["wide"]), (kept, kept), 3000, 50, 1.0, 10, 10)
    assert roomy._did(kept) == [f"{kept.kept}, {kept.also}"]


@pytest.mark.parametrize("shape", SHAPES)
def test_players_of_one_name_are_told_apart_by_colour_alone_below_a_wide_title_and_on_narrow_cards(drawn, shape):
    timeline = Timeline.of(told_apart(told(game("A B", "B B", "A B", rules=replace(COUCH, battery=0)))))
    painter, card = CardPainter(SHAPES[shape], telephone=shape == "phone"), end_card(timeline, timeline.end)
    closing_picture(painter, card)
    words = " ".join(text for text, _ in drawn)
    assert ("SmolLM2" in words) == painter.wide
    assert "Blue hit first, in round 1, turn 1, and was never behind" in words
    assert ("Blue wins" in words) != painter.wide
    other = Timeline.of(told(game("A B"), names=("Ann", "SmolLM2")))
    drawn.clear()
    closing_picture(painter, end_card(other, other.end))
    assert "Ann" in " ".join(text for text, _ in drawn)


def test_how_often_a_player_fired_besides_is_told_where_there_is_room():
    side = CardSide("Bob", "Rush him and fire", did=("2 of 3 shots hit",), kept="7 of 9 steps led nearer", plan="rush")
    assert side.deeds == ("plan: rush, 7 of 9 steps led nearer", "7 of 9 steps led nearer")
    assert replace(side, also="fired once").deeds == (
        "plan: rush, 7 of 9 steps led nearer, fired once",
        "7 of 9 steps led nearer, fired once",
        *side.deeds,
    )


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


def test_of_a_series_it_is_told_first_what_befell_its_loser():
    behind = bot(200, 0), bot(800, 0)
    first, second = (game("A B", "A B", bots=behind, rules=PLAIN) for _ in (1, 2))
    later = [replace(record, game=2) for record in second]
    records = told([*first, *later], names=("Ann", "Bob"))
    card = end_card(Timeline.of(records), 1e9)
    assert (
        card.sentences[0]
        == "Bob was hit four times, all from behind; Ann never; Ann won both games: 100\u201376, 100\u201376."
    )
    assert card.sentences[1] == "Bob was hit four times, all from behind."


@pytest.mark.parametrize(
    ("answers", "plan"),
    [
        (("attack", "attack"), "\u201cattack\u201d"),
        (("attack", "shield", "attack"), "mostly \u201cattack\u201d"),
        (("attack", ""), "mostly \u201cattack\u201d"),
        ((), ""),
    ],
)
def test_the_end_card_tells_how_a_model_read_its_orders(answers, plan):
    timeline = Timeline.of(planned(answers))
    left, right = end_card(timeline, timeline.end).sides
    assert (left.plan, right.plan) == (plan, "")
    begins = f"plan: {plan}, " if plan else "no shots"
    assert left.deeds[0].startswith(begins)


def planned(answers):
    """The records of a game in which the left player's model answers with these plans, none of which is a shot."""
    rules = Rules(total_rounds=1, turns_per_round=max(1, len(answers)))
    records = told(played(["C1"] * rules.turns_per_round, ["C1"] * rules.turns_per_round, rules=rules), ("Hm", "Hm"))
    left = iter(answers)
    for record in records:
        if isinstance(record, Play) and record.bot == 0 and answers:
            thought = "attack 0.70 \u00b7 shield 0.20 \u2014 attacking: taking aim"
            record = replace(record, decision=replace(record.decision, raw=next(left), thought=thought))
        yield record


@pytest.mark.parametrize("size", [(800, 450), (1280, 720), (854, 480)])
@pytest.mark.parametrize("hits", ["20 of 22 shots hit", "none of 3 shots hit"])
def test_what_a_player_did_stays_within_its_plate(monkeypatch, size, hits):
    card = ended(("Fire", "Hide"))
    sides = tuple(replace(side, did=(hits, "no shield", "35 steps"), kept="") for side in card.sides)
    widths = []
    line = TextRenderer.line
    monkeypatch.setattr(
        TextRenderer, "line",
        lambda text, said, *rest: widths.append((said, line(text, said, *rest))) or widths[-1][1],
    )  # fmt: skip
    painter = CardPainter(size)
    closing_picture(painter, replace(card, sides=sides))
    plates = [surface.get_width() for said, surface in widths if said.startswith(hits)]
    assert len(plates) == 2
    assert max(plates) <= (size[0] - painter.px(60)) // 2 - painter.px(36)


@pytest.mark.parametrize(("shape", "others"), [("wide", True), ("square", False), ("phone", False)])
def test_how_a_player_kept_to_its_orders_comes_before_the_end_of_what_is_said(drawn, shape, others):
    card = ended(("Dodge all shots", "Hide"))
    left, right = card.sides
    turning = (
        "Turning point in round 1, turn 9: SmolLM2 (left) turns away and is hit in the side, 52:52 becomes 28:52.",
    )
    turning += ("Turning point: SmolLM2 (left) turns away and is hit in the side.", "Turning point in round 1, turn 9.")
    sides = replace(left, kept="dodged 0 of 6 shots"), right
    closing_picture(CardPainter(SHAPES[shape]), replace(card, sides=sides, turning=turning, tip=2))
    said = {text for text, _ in drawn}
    assert "dodged 0 of 6 shots" in said
    assert any(each.startswith("no shots") for each in said) == others


def test_long_orders_are_not_shortened_for_counts_nor_are_those_of_a_series_told(drawn):
    closing_picture(CardPainter(SHAPES["square"]), ended((LONG, LONG)))
    assert not any("shots" in text for text, _ in drawn)
    timeline = Timeline.of(told(eventful(), names=("Ann", "Bob")))
    assert end_card(timeline, timeline.end).sides[0].did == ()


@pytest.mark.parametrize(
    ("orders", "levels", "claim"),
    [
        (("Run", "Hide"), ("", ""), "One AI model, two orders: who wins?"),
        (("Run", "Run"), ("rookie", ""), "One AI model, two levels: who wins?"),
        (("Run", "Hide"), ("rookie", "merciless"), "Who wins?"),
        (("Run", "Run"), ("", ""), "Who wins?"),
    ],
)
def test_a_film_claims_one_model_with_two_orders_only_where_nothing_else_differs(orders, levels, claim):
    records = told_apart(told(eventful(), orders, levels=levels))
    assert opening_card(Timeline.of(records), 0.0, "").claim == claim


def test_the_end_card_of_a_series_tells_how_each_game_ended_and_has_the_health_lines_of_all(drawn):
    timeline = Timeline.of(told(eventful(), names=("Ann", "Bob")))
    card = end_card(timeline, timeline.end)
    ends = [segment.arena for segment in timeline.segments if isinstance(segment.record, GameEnded)]
    scores = [f"{arena.left.health:g}–{arena.right.health:g}" for arena in ends]
    assert card.decided == f"Game 2 decided it: {', '.join(scores)}."
    closing_picture(CardPainter(SHAPES["wide"]), card)
    assert {"GAME 1", "GAME 2"} & {text for text, _ in drawn}
    plays = [segment for segment in timeline.segments if isinstance(segment.record, Play)]
    assert len(card.figures.curve) == len(plays) + len(ends)
    assert card.first_game == 1


def test_the_end_card_of_many_games_has_the_health_lines_of_the_last_and_says_so(drawn):
    one = [record for record in told(eventful(), names=("Ann", "Bob")) if getattr(record, "game", 1) == 1]
    one = one[: next(number for number, record in enumerate(one) if isinstance(record, GameEnded)) + 1]
    records = [replace(record, game=n) if hasattr(record, "game") else record for n in range(1, 7) for record in one]
    card = end_card(Timeline.of(records), 1e9)
    assert not card.first_game
    closing_picture(CardPainter(SHAPES["wide"]), card)
    assert "GAME 6" in {text for text, _ in drawn}


def test_what_players_did_is_counted_over_all_games_of_a_series_and_not_at_all_where_their_orders_changed():
    rules = Rules(total_rounds=1, turns_per_round=6, initial_shield=False)
    one = told(played(*BUSY, rules=rules), ("Fire at will", "Win"), ("Ann", "Bob"))
    card = end_card(Timeline.of(one), 1e9)
    later = [replace(record, game=2) if hasattr(record, "game") else record for record in one]
    both = end_card(Timeline.of([*one, *later]), 1e9)
    shots, turns = (int(number) for number in re.findall(r"\d+", card.sides[0].kept))
    assert both.sides[0].kept == f"fired in {2 * shots} of {2 * turns} turns"
    changed = [replace(r, prompts=("Attack", "Win")) if isinstance(r, RoundStarted) else r for r in later]
    assert end_card(Timeline.of([*one, *changed]), 1e9).sides[0].kept == ""


def test_how_orders_were_kept_comes_before_the_height_of_the_health_lines(drawn):
    card = ended(("Attack it all the time " * 4, "Win"))
    card = replace(card, decided="Ann hit first and was never behind: nine hits to six.")
    closing_picture(CardPainter(SHAPES["square"]), card)
    assert "fired in 3 of 6 turns" in {text for text, _ in drawn}


@pytest.mark.parametrize(
    ("health", "does", "charge", "said"),
    [
        (12, "B C10", 6, "turn 3: at 12:12 Ann fires first."),
        (12, "B C10", 1, "turn 3: at 12:12 Bob has to load and Ann fires."),
        (12, "B S0", 6, "turns 2 and 3: Bob lowers the shield and is knocked out."),
        (24, "B C10", 6, "turns 2 and 3: Bob turns to face its foe and is knocked out."),
    ],
)
def test_where_the_next_hit_wins_the_end_card_says_who_could_fire_and_fired_first(health, does, charge, said):
    bots = bot(200, 0, health=health), bot(800, 180, does == "B S0", health=12, charge=charge)
    timeline = Timeline.of(game("A M", does, "A B", bots=bots))
    loses, hits = (segment.record for segment in timeline.segments[2:4])
    assert hits.knocks_out
    card = end_card(timeline, timeline.end, [TurningPoint(loses, hits, (0.5, 0.0))])
    assert card.turning[0].endswith(said)


def test_of_a_last_shot_the_end_card_tells_whose_hits_were_worth_more():
    turns = "A B", "B B", "B C90", "A B", "B A90", "B B"
    bots = bot(200, 0, health=36), bot(800, 180, health=60)
    timeline = Timeline.of(game(*turns, "A B", "B B", "B B", bots=bots, rules=replace(COUCH, battery=0)))
    plays = [segment.record for segment in timeline.segments if isinstance(segment.record, Play)]
    last = TurningPoint(plays[-2], plays[-1], (0.5, 0.0))
    card = end_card(timeline, timeline.end, [last])
    assert not card.turning[0].startswith("Decided by the last shot:")  # who won hit more often
    even = game(*turns[:4], "B A90", "B B", bots=(bot(200, 0, health=100), bot(800, 180, health=36)),
                rules=replace(COUCH, battery=0))  # fmt: skip
    even = [*even[:-1], replace(even[-1], result=replace(even[-1].result, winner=0))]
    timeline = Timeline.of(even)
    plays = [segment.record for segment in timeline.segments if isinstance(segment.record, Play)]
    card = end_card(timeline, timeline.end, [TurningPoint(plays[2], plays[3], (0.5, 0.0))])
    assert plays[3].knocks_out
    assert card.sentences == (
        "Decided by the last shot in round 1, turns 3 and 4: both landed two hits, one of Ann's in the side.",
        "Decided by the last shot: both landed two hits, one of Ann's in the side.",
    )


def test_the_end_card_says_how_often_in_all_the_loser_was_hit_so():
    rules, bots = replace(COUCH, battery=0), (bot(200, 0), bot(800, 180))
    turns = "B C90", "A B", "B A90", "A S0"
    timeline = Timeline.of(game(*3 * turns, bots=bots, rules=rules))
    plays = [segment.record for segment in timeline.segments if isinstance(segment.record, Play)]
    card = end_card(timeline, timeline.end, [TurningPoint(plays[0], plays[1], (0.5, 0.2))])
    assert card.turning[0].endswith("Bob turns away and is hit in the side, one of three hits there.")
    once = end_card(Timeline.of(game(*2 * turns, bots=bots, rules=rules)), 1e9, card and [
        TurningPoint(plays[0], plays[1], (0.5, 0.2))])  # fmt: skip
    assert once.turning[0].endswith("in the side, 100:100 becomes 100:76.")


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


def test_what_a_last_shot_decided_is_gold_on_both_rows_that_it_takes(monkeypatch):
    tints, line = {}, TextRenderer.line
    monkeypatch.setattr(
        TextRenderer, "line", lambda self, *given: tints.update({given[0]: given[3]}) or line(self, *given)
    )
    laid = closing._Closing(CardPainter(SHAPES["wide"]), replace(ended(("Win", "Hide")), tip=2))
    tints.clear()
    laid._decided("Decided by the last shot in round 2: Bob turns away and is knocked out.", 460, 1e9)
    gold = " ".join(text for text, tint in tints.items() if tint == theme.GOLD)
    assert gold == "Decided by the last shot"
    assert len([text for text, tint in tints.items() if tint == theme.GOLD]) > 1


def test_a_card_is_set_closer_for_health_lines_that_can_be_read(monkeypatch):
    sizes, chart = [], closing.HealthChart
    monkeypatch.setattr(
        closing, "HealthChart", lambda *given, **named: sizes.append(given[3]) or chart(*given, **named)
    )
    left, right = ended(("Charge it and never stop firing.", "Win")).sides
    left = replace(left, kept="3 of 5 steps led nearer", plan="")
    right = replace(right, told="Script: raises its shield when threatened, creeps up, fires", kept="", plan="")
    did = "SmolLM2 turns away and is knocked out"
    last, where = "Decided by the last shot", "Decided by the last shot in round 2, turn 3"
    words = f"{where}: {did}.", f"{where}: {did}.", f"{last}: {did}.", f"{where}."
    why = "SmolLM2 had an empty gun eleven times when turtle could be hit, turtle twice."
    card = replace(ended(("Win", "Win")), sides=(left, right), decided=why, turning=words, tip=2)
    closing_picture(CardPainter(SHAPES["wide"]), card)
    assert sizes[0][1] >= 100


def test_a_card_whose_orders_leave_no_room_for_the_health_lines_is_set_closer(monkeypatch):
    sizes, chart = [], closing.HealthChart
    monkeypatch.setattr(
        closing, "HealthChart", lambda *given, **named: sizes.append(given[3]) or chart(*given, **named)
    )
    long = "Hold your shield up towards him and only shoot when he has lowered his shield, never before"
    card = ended((long, "Win"))
    closing_picture(CardPainter(SHAPES["wide"]), replace(card, decided="It was decided by nothing that fits here."))
    assert sizes


def test_health_lines_that_would_be_too_flat_get_the_room_of_what_was_done():
    timeline = Timeline.of(game("A M", "B S0", "A B", bots=(bot(200, 0), bot(800, 90, True))))
    lowers, hits = (segment.record for segment in timeline.segments[2:4])
    card = end_card(timeline, timeline.end, [TurningPoint(lowers, hits, (0.5, 0.4))])
    long = "Hide behind your shield, and do not shoot before his is down"
    sides = tuple(replace(side, name="SmolLM2 (blue)", told=f"\u201c{long}\u201d") for side in card.sides)
    unexpected = ", which nobody who had watched the game until then expected."
    told = tuple(each.removesuffix(".") + unexpected for each in card.turning[:3])
    card = replace(card, sides=sides, turning=(*told, card.turning[-1]))
    laid = closing._Closing(CardPainter(SHAPES["wide"]), card)
    found = laid._arrangement(laid._area.height - 110)
    assert (found.lines, found.decided) == (5, card.turning[-1])
    assert found.chart >= 100


def test_health_lines_are_high_beside_what_is_said_where_counts_are_told(monkeypatch):
    sizes, chart = [], closing.HealthChart
    monkeypatch.setattr(
        closing, "HealthChart", lambda *given, **named: sizes.append(given[3]) or chart(*given, **named)
    )
    card = replace(ended(("Attack", "Hide")), decided="Ann hit first and was never behind: nine hits to six.")
    closing_picture(CardPainter(SHAPES["wide"]), card)
    ((width, high),) = sizes
    assert high >= 300
    assert width < 0.6 * SHAPES["wide"][0]


@pytest.mark.parametrize(
    ("plays", "bots"),
    [
        (("A B", "B M0"), (bot(400, 0), bot(600, 0, health=60))),  # in the back
        (("A B",), (bot(400, 0), bot(600, 180, health=12))),  # by knock-out
        (("A B", "B M0"), (bot(400, 0), bot(600, 180, True))),  # blocked
    ],
)
def test_both_cards_of_a_telephones_film_show_the_fight_without_words_below_their_own(plays, bots, monkeypatch):
    timeline = Timeline.of(game(*plays, bots=bots))
    painter, said = CardPainter(SHAPES["phone"], telephone=True), []
    edit_list = EditList([Cut(0.0, timeline.end)], 1.5, 2.5)
    cards = Cards.of_match(painter, timeline, edit_list, "")
    surface = pygame.Surface(SHAPES["phone"])
    with monkeypatch.context() as patched:
        patched.setattr(EffectLabels, "_draw_words", lambda *given: said.append(given[2]))
        below = pygame.Rect(0, painter.area.bottom + 40, 1080, 1920 - painter.area.bottom - 60)
        for film_t, part in ((0.0, "opening"), (edit_list.ends, "closing")):
            cards.draw(surface, film_t)
            shown = {tuple(surface.get_at((x, below.centery))[:3]) for x in range(0, 1080, 7)}
            assert len(shown) > 20, part
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
