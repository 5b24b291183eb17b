"""A model that cannot begin or loses its seat: try it again, another player, the built-in one; with one press."""

from __future__ import annotations

from dataclasses import replace

import pygame
import pytest
from menus import finish
from windows import VirtualClock, tap, until, walk

from batllm_arcade.app.application import App
from batllm_arcade.app.input.controls import PAD
from batllm_arcade.app.match.menu import CannotGoOn, LostSeat, SwapDialog
from batllm_arcade.app.match.screen import MatchScreen
from batllm_arcade.app.menus.setup import SetupScreen
from batllm_arcade.brains.protocol import BrainError, BrainKind, Decision, Spec
from batllm_arcade.core.model import Rules
from batllm_arcade.session.live_session import SessionPlan
from batllm_arcade.settings.config import Config

AWAY = "the server does not take connections; start it"


class Served:
    """A model behind a server that is there or not."""

    up = True

    def prepare(self, report):
        if not Served.up:
            raise BrainError(AWAY)

    def decide(self, view):
        if not Served.up:
            raise BrainError(AWAY)
        return Decision("M", "M")


@pytest.fixture(autouse=True)
def _off_screen(monkeypatch):
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    Served.up = True


@pytest.fixture
def served(plugins):
    plugins.kinds.pop("embedded", None)
    plugins.kinds["served"] = BrainKind("served", "a model", lambda spec: Served(), prompted=True)
    return plugins


@pytest.fixture
def plan(tmp_path):
    config = Config(rules=Rules(total_rounds=1, turns_per_round=12), header_template="$commands", deadline_s=5)
    seats = (Spec("scripted", "turtle"), Spec("served"))
    return SessionPlan(config, seats, seed=7, history=tmp_path / "match.json")


def shows(app: App, kind: type):
    """Wait for a dialog of this kind over the match; return it."""
    return until(lambda: isinstance(app.screen, MatchScreen) and isinstance(app.screen.menu.dialog, kind)
                 and app.screen.menu.dialog)  # fmt: skip


def going_on(app: App):
    """Wait for a match that nothing lies over; return it."""
    return until(lambda: isinstance(app.screen, MatchScreen) and not app.screen.menu.dialog
                 and app.screen.state.started and app.screen)  # fmt: skip


def walked(plan, plugins, steps, before=lambda: None) -> None:
    def first(app: App) -> None:
        before()
        app.go.start(plan)

    walk(App(plan, plugins, clock=VirtualClock()), first, steps)


def pad(button: str) -> None:
    """Press and release a button of a gamepad."""
    for pressed in (True, False):
        pygame.event.post(pygame.event.Event(PAD, button=button, pressed=pressed, place=0, repeat=False))


def names(match: MatchScreen) -> list[str]:
    return [seat.name for seat in map(match.state.table.seat, (0, 1))]


def entries(dialog) -> list[str]:
    return [entry.text for entry in dialog.form.widgets]


def loses_its_seat(app: App):
    """The match has begun and its model is gone; return the dialog about that, and the match."""
    match = yield from going_on(app)
    Served.up = False
    dialog = yield from shows(app, LostSeat)
    return match, dialog


def test_a_match_that_cannot_begin_is_tried_again(plan, served, quick):
    def steps(app):
        dialog = yield from shows(app, CannotGoOn)
        assert AWAY in dialog.words
        assert entries(dialog) == ["Try again", "Another player", "Sharpshooter plays instead", "Back"]
        Served.up = True
        tap(pygame.K_1)
        yield from going_on(app)

    Served.up = False
    walked(plan, served, steps)


def test_the_built_in_player_begins_in_its_place(plan, served, quick):
    def steps(app):
        yield from shows(app, CannotGoOn)
        tap(pygame.K_3)
        match = yield from going_on(app)
        assert names(match) == ["turtle", "sharpshooter"]

    Served.up = False
    walked(plan, served, steps, before=lambda: finish("availability"))


def test_another_player_is_chosen_at_the_seats(plan, served, quick):
    def steps(app):
        yield from shows(app, CannotGoOn)
        tap(pygame.K_2)
        yield from until(lambda: isinstance(app.screen, SetupScreen))

    Served.up = False
    walked(plan, served, steps)


def test_a_model_that_lost_its_seat_gets_it_back_at_once_when_it_is_asked_again(plan, served, quick):
    def steps(app):
        match, dialog = yield from loses_its_seat(app)
        assert dialog.title == "Right is out"
        assert AWAY[4:] in dialog.words
        assert match.state.clock.paused, "nobody falls while that is being decided"
        Served.up = True
        tap(pygame.K_1)
        yield from until(lambda: names(match)[1] == "served" and match.menu.dialog is None)

    walked(plan, served, steps)


def test_one_that_is_still_away_says_so_and_its_stand_in_plays_on(plan, served, quick):
    def steps(app):
        match, _ = yield from loses_its_seat(app)
        tap(pygame.K_1)
        (note,) = yield from until(lambda: [n for n in match.frame.notes if "still" in n.words])
        assert f"still cannot play: {AWAY}" in note.words

    walked(plan, served, steps)


def test_another_brain_is_given_the_seat_from_the_list_of_that_seat_with_one_press_of_x(plan, served, quick):
    def steps(app):
        yield from loses_its_seat(app)
        pad("x")
        assert (yield from shows(app, SwapDialog)).bot == 1

    walked(plan, served, steps)


def test_the_built_in_player_takes_the_seat_of_one_that_is_out_with_one_press_of_y(plan, served, quick):
    def steps(app):
        match, dialog = yield from loses_its_seat(app)
        pad("leftshoulder")
        yield from until(lambda: dialog.form.widgets[0].note_key == "A")
        assert [entry.note_key for entry in dialog.form.widgets] == ["A", "X", "Y", ""]
        pad("y")
        yield from until(lambda: names(match)[1] == "sharpshooter")

    walked(plan, served, steps)


def test_a_match_that_is_only_watched_goes_on_by_itself(plan, served, quick):
    def steps(app):
        match, dialog = yield from loses_its_seat(app)
        assert entries(dialog)[-1] == "Random plays on (9)"
        yield from until(lambda: match.menu.dialog is None and not match.state.clock.paused)

    walked(plan, served, steps)


def test_a_person_is_waited_for(plan, served, quick):
    """Who plays against a model that is out decides when it goes on."""

    def steps(app):
        match = yield from going_on(app)
        Served.up = False
        lost = lambda: isinstance(match.menu.dialog, LostSeat)  # noqa: E731
        yield from until(lost, lambda: match.person is None or tap(pygame.K_x))
        assert entries(match.menu.dialog)[-1] == "Random plays on"

    walked(replace(plan, seats=(Spec("keyboard"), Spec("served"))), served, steps)
