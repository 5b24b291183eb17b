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
from batllm_arcade.app.servers.screen import ServerScreen
from batllm_arcade.brains.kinds import SeatState
from batllm_arcade.brains.protocol import BrainError, BrainKind, Decision, Spec
from batllm_arcade.core.model import Rules
from batllm_arcade.history.reader import read
from batllm_arcade.history.verification import verify
from batllm_arcade.session.live_session import SessionPlan
from batllm_arcade.settings.config import Config

AWAY = "the server does not take connections; start it"


class Served:
    """A model behind a server that is there or not."""

    up, why = True, "other"

    def prepare(self, report):
        self._ask()

    def decide(self, view):
        self._ask()
        return Decision("M", "M")

    def _ask(self):
        if not Served.up:
            error = BrainError(AWAY)
            error.why = Served.why
            raise error


@pytest.fixture(autouse=True)
def _off_screen(monkeypatch):
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    Served.up, Served.why = True, "other"


@pytest.fixture
def served(plugins):
    plugins.kinds.pop("embedded", None)
    plugins.kinds["served"] = BrainKind(
        "served", "a model", lambda spec: Served(), prompted=True, models=lambda spec: [],
        state=lambda spec: SeatState("", ""),
    )  # fmt: skip
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
        assert names(match) == ["Turtle", "Sharpshooter"]

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
        assert dialog.title == "Orange is out"
        assert AWAY[4:] in dialog.words
        assert match.state.clock.paused, "nobody falls while that is being decided"
        Served.up = True
        tap(pygame.K_1)
        yield from until(lambda: names(match)[1] == "served" and match.menu.dialog is None)

    walked(plan, served, steps)


def test_one_that_still_cannot_play_is_asked_about_again_with_the_way_to_what_it_lacks(plan, served, quick):
    def steps(app):
        match, dialog = yield from loses_its_seat(app)
        Served.why = "key"
        tap(pygame.K_1)
        yield from until(lambda: isinstance(match.menu.dialog, LostSeat) and match.menu.dialog is not dialog)
        assert entries(match.menu.dialog)[:2] == ["Type a key", "Try again"]

    walked(plan, served, steps)


@pytest.mark.parametrize(
    ("key", "player", "swapped"),
    [
        (pygame.K_1, "served", []),
        (pygame.K_3, "Sharpshooter", ["swap"]),
        (pygame.K_4, "Random", ["fallback"]),
    ],
)
def test_the_match_waits_for_a_server_that_is_gone_and_no_play_is_lost_unless_a_person_wants_that(
    key, player, swapped, plan, served, quick
):
    Served.why = "down"

    def steps(app):
        match, _ = yield from loses_its_seat(app)
        assert names(match) == ["Turtle", "served"]
        Served.up = key == pygame.K_1
        tap(key)
        yield from until(lambda: match.state.over)
        assert names(match)[1] == player

    walked(plan, served, steps)
    (game,) = read(plan.history).games
    swaps = [swap.why for each in game.rounds for swap in each.swaps]
    failed = [play.status for each in game.rounds for play in each.plays if play.status == "error"]
    assert (swaps, len(failed)) == (swapped, 3 * (player == "Random"))
    assert list(verify(read(plan.history))) == []


@pytest.mark.parametrize(("why", "first"), [("wrong key", "Type a key"), ("model", "Choose a model")])
def test_what_a_server_lacks_is_set_up_with_one_press(why, first, plan, served, quick):
    Served.why = why

    def steps(app):
        _, dialog = yield from loses_its_seat(app)
        assert entries(dialog)[:2] == [first, "Try again"]
        tap(pygame.K_1)
        yield from until(lambda: isinstance(app.screen, ServerScreen))
        tap(pygame.K_ESCAPE)
        yield from shows(app, LostSeat)

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
        yield from until(lambda: names(match)[1] == "Sharpshooter")

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
