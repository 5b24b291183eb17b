"""What a person's panel says about their keys."""

from __future__ import annotations

import re
from types import SimpleNamespace

import pygame
import pytest

from batllm_arcade.app.input.controls import Controls
from batllm_arcade.app.input.key_labels import player_keys, reading_keys, seat_keys
from batllm_arcade.settings.user_settings import Settings, bound
from batllm_arcade.view.telegraph.lines import PlayerKeys

ALONE, BOTH = (True, False), (True, True)


def named(controls: Controls, seat: int = 0, humans: tuple[bool, bool] = ALONE) -> dict[str, str]:
    return {words: keys for keys, words in seat_keys(controls, seat, humans)}


def test_a_person_alone_is_told_both_sets_of_keys_and_two_players_their_own():
    controls = Controls(Settings())
    assert named(controls)["hold to aim"] == "\u2190 \u2192  A D"
    assert named(controls)["fire"] == "SPACE"
    assert named(controls)["aim slowly"] == "L SHIFT"
    assert named(controls, 0, BOTH)["hold to aim"] == "A D"
    assert named(controls, 1, BOTH)["fire"] == "ENTER"


def test_keys_bound_anew_are_those_that_are_told_and_unbound_ones_are_not():
    settings = bound(bound(Settings(), "left", "fire", ("f",)), "left", "fine", ())
    controls = Controls(settings)
    assert named(controls, 0, BOTH)["fire"] == "F"
    assert "aim slowly" not in named(controls, 0, BOTH)


def test_who_plays_with_a_gamepad_is_told_its_buttons_and_the_other_one_keys(monkeypatch):
    controls = Controls(Settings())
    controls.device = "pad"
    monkeypatch.setattr(controls, "has_pad", lambda seat, humans: seat == 1)
    assert named(controls, 1, BOTH)["fire"] == "A"
    assert named(controls, 1, BOTH)["hold to aim"] == "D-PAD \u2190\u2192"
    assert named(controls, 0, BOTH)["fire"] == "SPACE"


def test_a_step_back_is_named_only_where_the_rules_have_it_and_waiting_everywhere():
    for pointer in ("", "mouse", "touch"):
        controls = Controls(Settings())
        controls.pointer = pointer
        without, with_it = seat_keys(controls, 0, ALONE), seat_keys(controls, 0, ALONE, back=True)
        assert [row for row in with_it if row not in without] == [row for row in with_it if row[1] == "step back"]
        assert len(with_it) == len(without) + 1
        assert any("WAIT" in row or "wait" in row for row in without)


def test_a_gamepad_that_is_plugged_in_belongs_to_the_right_one_of_two_players(monkeypatch):
    controls = Controls(Settings())
    assert not controls.has_pad(1, BOTH)
    monkeypatch.setattr(controls.pads, "places", [4])
    monkeypatch.setattr(controls.pads, "_pads", {4: SimpleNamespace(name="pad")})
    assert (controls.has_pad(0, BOTH), controls.has_pad(1, BOTH)) == (False, True)


@pytest.mark.parametrize("pointer", ["mouse", "touch"])
def test_keys_are_named_in_no_sentence_to_who_points(pointer):
    controls = Controls(Settings())
    assert (controls.mention("wheel", "HAND BACK"), controls.mention("folder")) == ("F4", "F8")
    assert reading_keys(controls, "the other bot").endswith("ESC back")
    controls.pointer = pointer
    assert (controls.mention("wheel", "HAND BACK"), controls.mention("folder")) == ("HAND BACK", "")
    assert not re.search(r"\bESC\b|[\u2190\u2191\u2192\u2193]", reading_keys(controls, "the other bot"))


def test_reading_is_told_with_the_other_bot_only_where_there_is_one():
    controls = Controls(Settings())
    for controls.pointer in ("", "mouse"):
        assert "other bot" in reading_keys(controls, "the other bot")
        assert "other bot" not in reading_keys(controls, "")


def test_before_anything_was_pressed_keys_and_clicks_are_both_named_and_no_sentence_names_a_key():
    controls = Controls(Settings())
    assert seat_keys(controls, 0, ALONE)[0] == ("CLICK", "or these keys:")
    assert player_keys(controls, 0, ALONE) == PlayerKeys()
    controls.feed(pygame.event.Event(pygame.MOUSEMOTION, pos=(5, 5), rel=(1, 1), buttons=(0, 0, 0)), 1.0)
    assert not controls.used, "a mouse that was pushed aside is not used"
    controls.feed(pygame.event.Event(pygame.KEYDOWN, key=pygame.K_w, mod=0), 1.1)
    assert seat_keys(controls, 0, ALONE)[0][0] != "CLICK"
    assert player_keys(controls, 0, ALONE).fire == "SPACE"
    controls.feed(pygame.event.Event(pygame.MOUSEBUTTONDOWN, pos=(5, 5), button=1), 1.2)
    assert player_keys(controls, 0, ALONE).fire == "a click"
