"""A model that cannot begin or loses its seat: try it again, another player, the built-in one; with one press."""

from __future__ import annotations

from dataclasses import replace

import pygame
import pytest
from menus import finish
from windows import VirtualClock, run_until, tap

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


def dialog_of(app: App):
    return app.screen.menu.dialog if isinstance(app.screen, MatchScreen) else None


def drive(plan, plugins, steps, *, before=lambda app: None):
    """Play, and do each step as soon as its condition holds; all have to be done."""
    app, todo = App(plan, plugins, clock=VirtualClock()), list(steps)

    def each(app: App) -> bool:
        if todo and todo[0][0](app):
            todo.pop(0)[1](app)
        return not todo

    def first(app: App) -> None:
        before(app)
        app.go.start(plan)

    run_until(app, first, each)
    return app


def began(app: App) -> bool:
    return isinstance(app.screen, MatchScreen) and app.screen.menu.dialog is None and app.screen.state.started


def shows(kind):
    return lambda app: isinstance(dialog_of(app), kind)


def pad(button: str) -> None:
    """Press and release a button of a gamepad."""
    for pressed in (True, False):
        pygame.event.post(pygame.event.Event(PAD, button=button, pressed=pressed, place=0, repeat=False))


def names(app: App) -> list[str]:
    return [seat.name for seat in map(app.screen.state.table.seat, (0, 1))]


def entries(app: App) -> list[str]:
    return [entry.text for entry in dialog_of(app).form.widgets]


def come_up(app: App) -> None:
    Served.up = True


def go_down(app: App) -> None:
    Served.up = False


def test_a_match_that_cannot_begin_is_tried_again(plan, served, quick):
    seen = []

    def again(app: App) -> None:
        seen.append((dialog_of(app).words, entries(app)))
        come_up(app)
        tap(pygame.K_1)

    go_down(None)
    drive(
        plan,
        served,
        [(shows(CannotGoOn), again), (began, come_up)],
    )
    assert AWAY in seen[0][0]
    assert seen[0][1] == ["Try again", "Another player", "Sharpshooter plays instead", "Back"]


def test_the_built_in_player_begins_in_its_place(plan, served, quick):
    go_down(None)
    played = []
    drive(
        plan, served,
        [(shows(CannotGoOn), lambda app: tap(pygame.K_3)), (began, lambda app: played.extend(names(app)))],
        before=lambda app: finish("availability"),
    )  # fmt: skip
    assert played == ["turtle", "sharpshooter"]


def test_another_player_is_chosen_at_the_seats(plan, served, quick):
    go_down(None)
    led = []
    at_the_seats = lambda app: isinstance(app.screen, SetupScreen)  # noqa: E731
    drive(plan, served, [(shows(CannotGoOn), lambda app: tap(pygame.K_2)), (at_the_seats, led.append)])
    assert led


LOSES = [(began, go_down)]


def test_a_model_that_lost_its_seat_gets_it_back_at_once_when_it_is_asked_again(plan, served, quick):
    told = []

    def again(app: App) -> None:
        told.append((dialog_of(app).title, dialog_of(app).words, app.screen.state.clock.paused))
        come_up(app)
        tap(pygame.K_1)

    steps = [
        *LOSES,
        (shows(LostSeat), again),
        (lambda app: names(app)[1] == "served" and dialog_of(app) is None, come_up),
    ]
    drive(plan, served, steps)
    assert told[0][0] == "Right is out"
    assert AWAY in told[0][1].lower() or AWAY[4:] in told[0][1]
    assert told[0][2], "nobody falls while that is being decided"


def test_one_that_is_still_away_says_so_and_its_stand_in_plays_on(plan, served, quick):
    said = []

    def note(app: App) -> None:
        said.extend(note.words for note in app.screen.notes.recent(app._clock.now()))

    failed = lambda app: bool(app.screen.notes.recent(app._clock.now()))  # noqa: E731
    drive(plan, served, [*LOSES, (shows(LostSeat), lambda app: tap(pygame.K_1)), (failed, note)])
    assert f"still cannot play: {AWAY}" in said[0]


def test_another_brain_is_given_the_seat_from_the_list_of_that_seat_with_one_press_of_x(plan, served, quick):
    swaps = []
    steps = [
        *LOSES,
        (shows(LostSeat), lambda app: pad("x")),
        (shows(SwapDialog), lambda app: swaps.append(dialog_of(app).bot)),
    ]
    drive(plan, served, steps)
    assert swaps == [1]


def test_the_built_in_player_takes_the_seat_of_one_that_is_out_with_one_press_of_y(plan, served, quick):
    took = lambda app: names(app)[1] == "sharpshooter"  # noqa: E731
    named = []

    def take(app: App) -> None:
        named.extend(entry.note_key for entry in dialog_of(app).form.widgets)
        pad("y")

    told = lambda app: shows(LostSeat)(app) and dialog_of(app).form.widgets[0].note_key == "A"  # noqa: E731
    steps = [(shows(LostSeat), lambda app: pad("leftshoulder")), (told, take), (took, come_up)]
    drive(plan, served, [*LOSES, *steps])
    assert named == ["A", "X", "Y", ""]


def test_a_match_that_is_only_watched_goes_on_by_itself(plan, served, quick):
    told = []
    steps = [
        *LOSES, (shows(LostSeat), lambda app: told.append(entries(app)[-1])),
        (lambda app: dialog_of(app) is None and not app.screen.state.clock.paused, come_up),
    ]  # fmt: skip
    drive(plan, served, steps)
    assert told == ["Random plays on (9)"]


def test_a_person_is_waited_for(plan, served, quick):
    """Who plays against a model that is out decides when it goes on."""
    app_plan = replace(plan, seats=(Spec("keyboard"), Spec("served")))
    counts = []

    def wait(app: App) -> None:
        counts.append(entries(app)[-1])
        come_up(app)

    def play(app: App) -> bool:
        if app.screen.person is not None:
            tap(pygame.K_x)
        return shows(LostSeat)(app)

    drive(app_plan, served, [*LOSES, (play, wait)])
    assert counts == ["Random plays on"]
