"""The panels of a wide film: what is done in words, who is who, and what a script does in place of figures."""

from __future__ import annotations

from dataclasses import replace

import pygame
import pytest
from fakes import played

from batllm_arcade.brains.protocol import Decision, SeatInfo
from batllm_arcade.core.model import Rules
from batllm_arcade.match.records import GameStarted, Play
from batllm_arcade.render.renderer import Renderer
from batllm_arcade.render.text import TextRenderer
from batllm_arcade.settings import config
from batllm_arcade.view import theme
from batllm_arcade.view.play_text import doing
from batllm_arcade.view.timeline import Timeline

LOWERS = Decision("S0", "S0")
RULES = Rules(total_rounds=1, turns_per_round=1)
TWINS = SeatInfo("SmolLM2", "embedded", "SmolLM2.gguf"), SeatInfo("SmolLM2", "embedded", "SmolLM2.gguf")
SCRIPTS = SeatInfo("turtle", "scripted:turtle"), SeatInfo("strategist", "scripted:strategist", options={"depth": "1"})


@pytest.fixture
def drawn(monkeypatch) -> dict[str, float]:
    """Every text that is drawn and the largest size in which it is."""
    found: dict[str, float] = {}
    line = TextRenderer.line

    def noted(self, text, face, size, *rest):
        found[text] = max(found.get(text, 0), size)
        return line(self, text, face, size, *rest)

    monkeypatch.setattr(TextRenderer, "line", noted)
    return found


def shown(seats, film, size=(1280, 720), prompts=("", ""), at=-2, right=LOWERS, **board):
    records = played([Decision("C142.74", "C142.74")], [right], rules=RULES, prompts=prompts)
    timeline = Timeline.of(replace(each, seats=seats) if isinstance(each, GameStarted) else each for each in records)
    scene = timeline.at(timeline.segments[at].end - 0.01)
    scene = replace(scene, board=replace(scene.board, **board))
    Renderer(size, RULES, film=film).draw(pygame.Surface(size), scene)


def test_a_turn_is_told_in_words_without_its_command(drawn):
    shown(SCRIPTS, "plain")
    assert drawn["Turns right 143\u00b0"] >= 30
    assert not any("C142.74" in text or " ms" in text for text in drawn)


@pytest.mark.parametrize("film", ["plain", ""])
def test_nothing_is_said_of_plays_before_the_first_one_in_films(drawn, film):
    shown(SCRIPTS, film, at=1)
    said = {"no play yet", "DOES", "WHY", "THOUGHT", "SO FAR"} & drawn.keys()
    assert said == (set() if film else {"no play yet", "SO FAR"})
    assert not film or any("Raises its" in text for text in drawn)  # what it was told is there


def test_films_say_what_plays_where_that_is_not_its_name(drawn):
    shown((SeatInfo("SmolLM2", "embedded", "SmolLM2-135M-Instruct.Q4_1"), SCRIPTS[0]), "plain")
    assert min(drawn["SmolLM2-135M"], drawn["Script"]) >= 1.2 * drawn["WHY"]
    assert not {"scripted:turtle", "LEFT", "RIGHT"} & drawn.keys()


def test_a_level_stands_beside_what_plays_and_before_it_where_both_do_not_fit(drawn):
    seat = SeatInfo("SmolLM2", "embedded", "SmolLM2-135M-Instruct.Q4_1", {"level": "rookie"})
    shown((seat, replace(seat, name="Gemma", model="gemma3n", options={"level": "merciless"})), "plain")
    assert drawn.keys() >= {"level rookie", "gemma3n  merciless"}


@pytest.mark.parametrize(("game", "facts"), [(1, set()), (2, {"GAME 2"})])
def test_a_film_has_no_seed_and_no_number_of_its_only_game(drawn, game, facts):
    shown(SCRIPTS, "plain", game=game, seed=4401)
    assert {text for text in drawn if "4401" in text or "game" in text.lower()} == facts


def test_orders_are_as_large_as_thoughts_where_they_fit_and_whole_where_they_are_long(drawn):
    shown(TWINS, "plain", prompts=("Never stop attacking", "Keep your distance and shoot from afar"))
    assert drawn["Never stop"] == drawn["shoot from afar"] > 31  # both seats' in one size
    drawn.clear()
    shown(TWINS, "plain", prompts=("Never stop attacking", ""))
    assert drawn["Never stop"] == drawn["Turns towards"] > 36
    words = "Go round him, never let him see your back, and shoot only when you are fully loaded, else block"
    shown(TWINS, "plain", prompts=(words, ""))
    assert any(text.endswith("else block") for text in drawn)


def test_the_window_keeps_the_command_large(drawn):
    shown(SCRIPTS, "")
    assert drawn["C142.74"] >= 30


def test_a_script_has_words_and_no_figures(drawn):
    shown(SCRIPTS, "plain")
    words = " ".join(drawn)
    assert "Looks 1 move" in words
    assert "Raises its shield" in words
    assert "Turns" in words
    assert "Lowers the" in words
    assert not {"shots", "hits", "blocks", "fumbles"} & drawn.keys()


@pytest.mark.parametrize(("film", "size"), [("", (1280, 720)), ("plain", (1280, 720)), ("covered", (540, 960))])
def test_two_of_one_name_are_told_apart(drawn, film, size):
    shown(TWINS, film, size)
    assert {"SmolLM2 (blue)", "SmolLM2 (orange)"} <= drawn.keys()
    assert "SmolLM2" not in drawn


def test_upright_films_tell_what_is_done_in_words(drawn):
    shown(SCRIPTS, "covered", (540, 960))
    assert {"Turns right 143\u00b0", "Shield down"} & drawn.keys()
    assert not any("C142.74" in text for text in drawn)
    assert "Script: looks 1 move" in " ".join(drawn)


def test_the_window_has_what_a_play_is_for_above_the_counts(drawn):
    shown(SCRIPTS, "")
    assert {"WHY", "Lowers the shield", "shots", "hits", "blocks", "fumbles"} <= drawn.keys()
    assert "SO FAR" not in drawn


@pytest.mark.parametrize("film", ["", "plain"])
def test_what_a_model_had_in_mind_is_not_told_for_it(drawn, film):
    shown(TWINS, film)
    assert "SEEN" in drawn
    assert "WHY" not in drawn


@pytest.mark.parametrize(("film", "size"), [("plain", (1280, 720)), ("covered", (540, 960)), ("plain", (720, 720))])
def test_films_show_a_short_reply_as_large_as_what_is_thought_of_it(drawn, film, size):
    answered = Decision("attack", "M", "attack 0.76 \u00b7 charge 0.22 \u2014 attacking: closing in")
    shown(TWINS, film, size, right=answered)
    assert drawn["\u201cattack\u201d"] >= (28 if size[0] > 720 else 42)
    assert any("Closing in" in text for text in drawn)


@pytest.mark.parametrize("raw", ["S0", "I think that I should raise my shield now", "one\ntwo", ""])
@pytest.mark.parametrize("film", ["plain", "covered"])
def test_replies_that_are_long_or_only_the_command_do_not_stand_above_thoughts(drawn, film, raw):
    shown(TWINS, film, right=Decision(raw, "S0", "Waiting"))
    assert "REPLY" not in drawn
    assert not any("\u201c" in text for text in drawn)


def test_a_script_has_no_reply(drawn):
    shown(SCRIPTS, "plain", right=Decision("hide", "S0", "Waiting"))
    assert "REPLY" not in drawn
    assert not any("\u201c" in text for text in drawn)


def test_a_plan_is_told_in_words(drawn):
    shown(
        TWINS, "plain", right=Decision("hold_fire", "S0", "hold_fire 0.76 \u2014 holding fire: strolling, shield down")
    )
    assert "\u201chold fire\u201d" in drawn


def test_what_the_embedded_model_answers_is_named_a_plan(drawn):
    shown(
        TWINS,
        "plain",
        right=Decision("shield", "S0", "shield 0.76 \u2014 shielding: empty, lowering the shield to load"),
    )
    assert "PLAN" in drawn
    assert "Shield down" in " ".join(drawn)


def test_a_shield_that_is_down_already_waits(drawn):
    shown(SCRIPTS, "plain", right=Decision("S1", "S1"))
    assert "Shield stays up" in drawn
    drawn.clear()
    lowered = replace(RULES, initial_shield=False)
    play = next(record for record in played([LOWERS], [LOWERS], rules=lowered) if isinstance(record, Play))
    assert doing(play) == "Waits"


@pytest.mark.parametrize(("turn", "color"), [(1, theme.TEXT), (2, theme.DIM)])
def test_words_of_an_earlier_turn_are_dim(monkeypatch, turn, color):
    found, line = {}, TextRenderer.line

    def noted(self, text, face, size, tint, *rest):
        found[text] = tint
        return line(self, text, face, size, tint, *rest)

    monkeypatch.setattr(TextRenderer, "line", noted)
    shown(SCRIPTS, "plain", turn=turn)
    assert next(tint for text, tint in found.items() if text.startswith("Lowers the")) == color
    assert (found["Shield down"] == theme.DIM) == (turn == 2)


def test_the_charge_of_a_film_is_named_and_has_no_figure(drawn):
    rules = replace(config.load("couch").rules, total_rounds=1, turns_per_round=1)
    timeline = Timeline.of(played([Decision("M", "M")], [Decision("M", "M")], rules=rules))
    Renderer((1280, 720), rules, film="plain").draw(pygame.Surface((1280, 720)), timeline.at(timeline.end))
    assert drawn["GUN"] == drawn["no shield"] >= 20
    assert not any("/9" in text for text in drawn)


@pytest.mark.parametrize(("charge", "words"), [(9, "Shield up"), (0, "Tries the shield")])
def test_who_has_no_charge_for_its_shield_tries_it(charge, words):
    rules = replace(config.load("couch").rules, total_rounds=1, turns_per_round=1, initial_charge=charge)
    play = next(each for each in played([Decision("S1", "S1")], [LOWERS], rules=rules) if isinstance(each, Play))
    assert doing(play) == words


def test_a_thought_of_three_rows_is_whole_beside_long_orders(drawn):
    words = "Go round him, never let him see your back, and shoot only when you are fully loaded, else block"
    shown(TWINS, "plain", prompts=(words, words), right=Decision("S0", "S0", "Now I must wait behind my good shield"))
    assert any(text.endswith("shield") for text in drawn)


@pytest.mark.parametrize(
    ("prompts", "alike"), [(("Run", "Keep your shield up whenever he looks at you"), True), (("Run", ""), False)]
)
def test_both_orders_of_an_upright_film_have_one_size(drawn, prompts, alike):
    shown((TWINS[0], SCRIPTS[0]), "covered", (540, 960), prompts=prompts)
    other = next(size for text, size in drawn.items() if text.startswith(("\u201cKeep your", "Script:")))
    assert (drawn["\u201cRun\u201d"] == other) == alike
