"""The panels of films: what is done in words, who is who, how large it is, and nothing where telephones lay theirs."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pygame
import pytest
from charged import THOUGHT, charged_match
from fakes import played
from plays import bot, game, plays
from texts import note_texts

from batllm_arcade.brains.protocol import Decision, SeatInfo
from batllm_arcade.core.model import Rules
from batllm_arcade.match.records import GameStarted, RoundStarted
from batllm_arcade.render.arena_words import EffectLabels
from batllm_arcade.render.hud import upright
from batllm_arcade.render.hud.panels import ChargeRow
from batllm_arcade.render.renderer import Renderer
from batllm_arcade.settings import config
from batllm_arcade.video.draw.frames import film_scenes
from batllm_arcade.video.encode.formats import shape
from batllm_arcade.view import theme
from batllm_arcade.view.layout import safe_box
from batllm_arcade.view.play_text import doing, outcome
from batllm_arcade.view.play_words import play_words
from batllm_arcade.view.timeline import Timeline

LOWERS = Decision("S0", "S0")
RULES = Rules(total_rounds=1, turns_per_round=1)
TWINS = SeatInfo("SmolLM2", "embedded", "SmolLM2.gguf"), SeatInfo("SmolLM2", "embedded", "SmolLM2.gguf")
SCRIPTS = SeatInfo("turtle", "scripted:turtle"), SeatInfo("strategist", "scripted:strategist", options={"depth": "1"})
GGUF = SeatInfo("SmolLM2", "embedded", "SmolLM2-135M-Instruct.Q4_1")
LEVELS = (
    replace(GGUF, options={"level": "rookie"}),
    replace(GGUF, name="Gemma", model="gemma3n", options={"level": "merciless"}),
)
WIDE, PHONE, SQUARE = (1280, 720), (540, 960), (720, 720)
COUNTS = ("shots", "hits", "blocks", "fumbles")
LONG = "Go round him, never let him see your back, and shoot only when you are fully loaded, else block"
TIMELINE = Timeline.of(charged_match())
CHARGED = TIMELINE.segments[0].board.rules


@pytest.fixture
def texts(monkeypatch):
    """What is drawn from now on."""
    return note_texts(monkeypatch)


def draw(size, film, scene):
    Renderer(size, scene.board.rules, film=film).draw(pygame.Surface(size), scene)


def draw_play(seats, film, size=WIDE, prompts=("", ""), at=-2, right=LOWERS, **board):
    """Draw a film of the right one's play."""
    records = played([Decision("C142.74", "C142.74")], [right], rules=RULES, prompts=prompts)
    timeline = Timeline.of(replace(each, seats=seats) if isinstance(each, GameStarted) else each for each in records)
    scene = timeline.at(timeline.segments[at].end - 0.01)
    draw(size, film, replace(scene, board=replace(scene.board, **board)))


def answer(raw, thought="Waiting"):
    return {"right": Decision(raw, "S0", thought)}


PLANNED = "attack 0.76 \u00b7 charge 0.22 \u2014 attacking: closing in"
SAID = [
    # seats, film, size, what is special; what is said, what is not
    (SCRIPTS, "plain", WIDE, {}, ("Turns right 143\u00b0", "Looks 1 move", "Raises its shield", "Lowers the"),
     ("C142.74", " ms", *COUNTS, "scripted:", "LEFT", "RIGHT")),
    (SCRIPTS, "", WIDE, {}, ("C142.74", "WHY", "Lowers the shield", "hits"), ("SO FAR", "SEEN")),
    (SCRIPTS, "covered", PHONE, {}, ("Shield down", "Script: looks 1 move"), ("C142.74",)),
    (SCRIPTS, "plain", WIDE, {"at": 1}, ("Raises its",), ("no play yet", "DOES", "WHY", "THOUGHT", "SO FAR")),
    (SCRIPTS, "", WIDE, {"at": 1}, ("no play yet", "SO FAR"), ("DOES", "WHY", "THOUGHT")),
    (SCRIPTS, "plain", WIDE, {"game": 1, "seed": 4401}, (), ("4401", "GAME", "game")),
    (SCRIPTS, "plain", WIDE, {"game": 2, "seed": 4401}, ("GAME 2",), ("4401", "game")),
    (SCRIPTS, "plain", WIDE, answer("hide"), (), ("\u201c",)),
    (SCRIPTS, "plain", WIDE, {"right": Decision("S1", "S1")}, ("Shield stays up",), ()),
    (LEVELS, "plain", WIDE, {}, ("level rookie", "gemma3n  merciless"), ()),
    (LEVELS, "", WIDE, {}, ("rookie", "merciless"), ("embedded  rookie", "embedded  merciless")),
    *((TWINS, film, size, {}, ("SmolLM2 (blue)", "SmolLM2 (orange)", *seen), ("WHY",))
      for film, size, seen in (("", WIDE, ["SEEN"]), ("plain", WIDE, ["SEEN"]), ("covered", PHONE, []))),
    *((TWINS, film, WIDE, answer(raw), (), ("\u201c",)) for film in ("plain", "covered")
      for raw in ("S0", "I think that I should raise my shield now", "one\ntwo", "")),
    (TWINS, "plain", WIDE, answer("hold_fire", "hold_fire 0.76 \u2014 holding fire: strolling, shield down"),
     ("\u201chold fire\u201d",), ()),
    (TWINS, "plain", WIDE, answer("shield", "shield 0.76 \u2014 shielding: empty, lowering the shield to load"),
     ("PLAN", "Shield down"), ()),
    (TWINS, "", WIDE, {"right": Decision("attack", "S0", PLANNED)}, ("TACTICIAN", "no model asked"),
     ("RAW REPLY", "THOUGHT")),
    (TWINS, "", WIDE, answer('{"cmd": "s0"}'), ("THOUGHT",), ("RAW REPLY", "no model asked")),
    (TWINS, "", WIDE, answer("I wait: S0"), ("RAW REPLY",), ("no model asked",)),
    (TWINS, "plain", WIDE, {"prompts": (LONG, "")}, ("else block",), ()),
    (TWINS, "plain", WIDE, {"prompts": (LONG, LONG), **answer("S0", "Now I must wait behind my good shield")},
     ("else block", "good shield"), ()),
]  # fmt: skip


@pytest.mark.parametrize(("seats", "film", "size", "special", "said", "unsaid"), SAID)
def test_films_say_in_words_what_matters_and_nothing_else(texts, seats, film, size, special, said, unsaid):
    draw_play(seats, film, size, **special)
    drawn = " ".join(texts.words)
    assert [words for words in said if words not in drawn] == []
    assert [words for words in unsaid if words in drawn] == []
    assert not {"REPLY", *(["SmolLM2"] if seats is TWINS else [])} & {*texts.words}


def test_what_is_done_and_who_plays_is_large(texts):
    draw_play((GGUF, SCRIPTS[0]), "plain")
    sizes = texts.largest("asked")
    assert sizes["Turns right 143\u00b0"] >= 30
    assert min(sizes["SmolLM2-135M"], sizes["Script"]) >= 1.2 * sizes["WHY"]
    draw_play(SCRIPTS, "")
    assert texts.largest("asked")["turns right 143\u00b0"] >= 26


@pytest.mark.parametrize(("film", "size"), [("plain", WIDE), ("covered", PHONE), ("plain", SQUARE)])
def test_a_short_reply_is_as_large_as_what_is_thought_of_it(texts, film, size):
    draw_play(TWINS, film, size, right=Decision("attack", "M", PLANNED))
    assert texts.largest("asked")["\u201cattack\u201d"] >= (28 if size == WIDE else 42)
    assert any("Closing in" in text for text in texts.words)


@pytest.mark.parametrize(
    ("prompts", "first", "other", "least"),
    [
        (("Never stop attacking", "Keep your distance and shoot from afar"), "Never stop", "shoot from afar", 31),
        (("Never stop attacking", ""), "Never stop", "Turns towards", 36),
    ],
)
def test_orders_are_as_large_as_thoughts_where_they_fit(texts, prompts, first, other, least):
    draw_play(TWINS, "plain", prompts=prompts)
    sizes = texts.largest("asked")
    assert sizes[first] == sizes[other] > least


@pytest.mark.parametrize(
    ("prompts", "alike"), [(("Run", "Keep your shield up whenever he looks at you"), True), (("Run", ""), False)]
)
def test_both_orders_of_an_upright_film_have_one_size(texts, prompts, alike):
    draw_play((TWINS[0], TWINS[1] if alike else SCRIPTS[0]), "covered", PHONE, prompts=prompts)
    sizes = texts.largest("asked")
    other = next(size for text, size in sizes.items() if text.startswith(("\u201cKeep your", "Script:")))
    assert (sizes["\u201cRun\u201d"] == other) == alike


@pytest.mark.parametrize(("turn", "color"), [(1, theme.TEXT), (2, theme.DIM)])
def test_words_of_an_earlier_turn_are_dim(texts, turn, color):
    draw_play(SCRIPTS, "plain", turn=turn)
    colors = {each.text: each.color for each in texts}
    assert next(tint for text, tint in colors.items() if text.startswith("Lowers the")) == color
    assert (colors["Shield down"] == theme.DIM) == (turn == 2)


def test_the_charge_of_a_film_is_named_and_has_no_figure(texts):
    rules = replace(config.load("couch").rules, total_rounds=1, turns_per_round=1)
    timeline = Timeline.of(played([Decision("M", "M")], [Decision("M", "M")], rules=rules))
    draw(WIDE, "plain", timeline.at(timeline.end))
    sizes = texts.largest("asked")
    assert sizes["GUN"] == sizes["no shield"] >= 20
    assert not any("/9" in text for text in texts.words)


@pytest.mark.parametrize(
    ("charge", "shield", "command", "words"),
    [(9, True, "S1", "Shield stays up"), (9, False, "S1", "Shield up"), (0, False, "S1", "Tries the shield"),
     (9, False, "S0", "Waits")],
)  # fmt: skip
def test_who_has_no_charge_for_its_shield_tries_it_and_who_keeps_it_down_waits(charge, shield, command, words):
    rules = replace(
        config.load("couch").rules, total_rounds=1, turns_per_round=1, initial_charge=charge, initial_shield=shield
    )
    assert doing(plays(played([Decision(command, command)], [LOWERS], rules=rules))[0]) == words


# Films that are not wide, or seen small


@pytest.mark.parametrize(
    ("name", "size", "vertical", "kind"),
    [
        ("a.gif", None, False, "small"),
        ("a.webp", None, False, "small"),
        ("a.gif", (400, 700), True, "covered"),
        ("a.mp4", (800, 450), False, "plain"),
    ],
)
def test_films_of_formats_without_sound_are_seen_small(name, size, vertical, kind):
    assert shape(Path(name), size, None, vertical=vertical).film == kind


@pytest.mark.parametrize("score", ["", "MOMENT 12"])
def test_orders_and_the_clock_of_a_small_film_are_whole_and_large(texts, score):
    scene = TIMELINE.at(TIMELINE.segments[-2].start + 0.1)
    draw((800, 450), "small", replace(scene, board=replace(scene.board, score=score)))
    large = " ".join(text for text, high in texts.largest("height").items() if high >= 24)  # of 450 pixels
    assert all(word in large for orders in scene.board.prompts for word in orders.split())
    clock = (
        f"R{scene.board.round} T{scene.board.turn}" if score else f"ROUND {scene.board.round}   TURN {scene.board.turn}"
    )
    assert f"{clock}   {score}".strip() in texts.words
    assert not any(text.endswith("\u2026") for text in texts.words)


def test_what_a_hit_led_to_is_rather_told_without_its_part_than_cut(texts, monkeypatch):
    words = "a ×2 grazing hit in the side!"
    monkeypatch.setattr(upright, "led", lambda *_, known: (words, (255, 255, 255)))
    for size, film, told in (((800, 450), "small", "a ×2 grazing hit"), ((1080, 1080), "plain", words)):
        texts.clear()
        draw(size, film, TIMELINE.at(TIMELINE.segments[-2].end - 0.01))
        assert [text for text in texts.words if text.startswith("a ×2")] == [told]


def test_orders_and_what_the_acting_bot_thinks_are_drawn_large(texts):
    segment = next(
        s for s in TIMELINE.segments if s.record in plays(charged_match()) and s.record.decision.thought == THOUGHT
    )
    draw((1080, 1920), "covered", TIMELINE.at(segment.end - 0.01))
    assert {"\u201cattack\u201d", "BATLLM ", "ARCADE"} <= {*texts.words}
    large = " ".join(text for text, high in texts.largest("height").items() if high >= 42)  # 14 where 360 are wide
    assert all(word in large for word in play_words(segment.record).split())


@pytest.mark.parametrize("size", [WIDE, (800, 450), (1440, 1080), (720, 1280), (1080, 1080), (1080, 1350)])
def test_thoughts_have_14_pixels_where_the_shorter_side_of_a_film_is_shown_with_360(texts, size):
    wordy = "Unpredictable manoeuvres, approaching carefully behind shielding armour, notwithstanding."
    records = charged_match()
    for play in plays(records):
        records[records.index(play)] = replace(play, decision=replace(play.decision, thought=wordy))
    timeline = Timeline.of(records)
    draw(size, "plain", timeline.at(timeline.segments[-2].end - 0.01))
    sizes = [size for text, size in texts.largest("size").items() if any(word in text for word in wordy.split())]
    assert min(sizes) >= 14 / 360 * min(size) - 0.5
    assert {"attack"} <= {text.strip("\u201c\u201d") for text in texts.words}


@pytest.mark.parametrize(("size", "film"), [((1080, 1920), "covered"), ((1080, 1080), "plain")])
def test_what_a_play_led_to_can_be_read_as_well_as_a_thought_and_both_guns_have_their_shots(
    texts, size, film, monkeypatch
):
    shown, paint = list[int](), ChargeRow.paint

    def noted(self, surface, area, rules, charge, *, alarm):
        shown.append(charge)
        assert surface.get_rect().contains(area)
        return paint(self, surface, area, rules, charge, alarm=alarm)

    monkeypatch.setattr(ChargeRow, "paint", noted)
    played = [segment for segment in TIMELINE.segments if segment.record in plays(charged_match())]
    known = {outcome(segment.record, CHARGED)[0]: segment for segment in played}
    assert any(len(words) > 20 for words in known)
    for words, segment in known.items():
        texts.clear()
        shown.clear()
        scene = TIMELINE.at(segment.end - 0.01)
        draw(size, film, scene)
        assert not words or texts.largest("size")[words] >= (42 if len(words) <= 22 else 35)
        assert shown == [pose.charge for pose in scene.bots if pose.alive]
    shown.clear()
    draw(size, film, replace(scene, board=replace(scene.board, rules=replace(CHARGED, battery=0))))
    assert not shown


def test_before_the_first_play_nothing_is_black():
    renderer, surface = Renderer((540, 540), CHARGED, film="plain"), pygame.Surface((540, 540))
    renderer.draw(surface, TIMELINE.at(0.0))
    assert surface.get_at(pygame.Rect(renderer.layout.words).center)[:3] != (0, 0, 0)


def test_long_orders_are_cut_at_a_word(texts):
    long = " ".join(f"word{number}" for number in range(90))
    timeline = Timeline.of(
        replace(record, prompts=(long, "hide")) if isinstance(record, RoundStarted) else record
        for record in charged_match()
    )
    draw((1080, 1920), "covered", timeline.at(timeline.end / 2))
    (last,) = (text for text in texts.words if text.endswith("\u2026") and text.startswith("word"))
    assert all(word in long.split() for word in last.removesuffix("\u2026").split())


def uncovered(size):
    """The part of a picture that no application covers: they leave its left edge free."""
    left, top, wide, high = safe_box(size)
    return pygame.Rect(0, top, left + wide, high)


def test_around_what_telephones_leave_free_nothing_ever_changes():
    size = PHONE
    renderer, surface, around = Renderer(size, CHARGED, film="covered"), pygame.Surface(size), set()
    for number in range(12):
        renderer.draw(surface, TIMELINE.at(TIMELINE.end * number / 11))
        for painted in (uncovered(size), renderer.arena):
            surface.fill((0, 0, 0), painted.inflate(20, 20))  # and the arena's wall
        around.add(surface.get_view("2").raw)
    assert len(around) == 1


TOP = replace(bot(500, 0), y=60.0), replace(bot(900, 180), y=60.0)


@pytest.mark.parametrize("bots", [TOP, (bot(700, 0), bot(940, 0))])
def test_words_in_the_arena_are_where_telephones_lay_nothing_over_it(bots, monkeypatch):
    size, said, pictures, moments = (540, 960), 0, [], 30
    timeline = Timeline.of(game("A B", "B B", "A B", "B S1", bots=bots))
    scene_at = film_scenes(timeline, fast=False)
    for drawn in (True, False):
        if not drawn:
            monkeypatch.setattr(EffectLabels, "_draw_words", lambda *given: None)
        renderer = Renderer(size, timeline.segments[0].board.rules, film="covered")
        for number in range(moments):
            surface = pygame.Surface(size)
            renderer.draw(surface, replace(scene_at(timeline.end * number / moments), banner=None))
            pictures.append(pygame.surfarray.array2d(surface))
    for one, other in zip(pictures[:moments], pictures[moments:], strict=True):
        across, down = np.nonzero(one != other)
        if len(across):
            said += 1
            words = pygame.Rect(across.min(), down.min(), np.ptp(across) + 1, np.ptp(down) + 1)
            assert uncovered(size).contains(words)
    assert said > 5
