"""A match by mouse and by touch alone: posted events, off screen."""

from __future__ import annotations

from dataclasses import replace

import pygame
import pytest
from windows import VirtualClock, press, run_until, shown

from batllm_arcade.app.application import App
from batllm_arcade.app.kit.dialog import MenuDialog
from batllm_arcade.app.match.menu import SwapDialog
from batllm_arcade.app.match.results import ResultsDialog
from batllm_arcade.app.match.screen import MatchScreen
from batllm_arcade.app.menus.help import HelpScreen
from batllm_arcade.brains.protocol import Spec
from batllm_arcade.core.model import Rules
from batllm_arcade.match.records import Play
from batllm_arcade.session.live_session import SessionPlan
from batllm_arcade.settings.config import Config


@pytest.fixture(autouse=True)
def _off_screen(monkeypatch):
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")


@pytest.fixture
def plan(tmp_path):
    config = Config(rules=Rules(total_rounds=1, turns_per_round=8), header_template="$commands", deadline_s=5)
    return SessionPlan(config, (Spec("keyboard"), Spec("scripted", "turtle")), seed=7, history=tmp_path / "match.json")


def post(kind: int, pos, button: int = 1) -> None:
    more = {} if kind == pygame.MOUSEMOTION else {"button": button}
    place = tuple(map(round, pos))
    if kind == pygame.MOUSEMOTION:
        more = {"rel": (0, 0), "buttons": (0, 0, 0)}
    pygame.event.post(pygame.event.Event(kind, pos=place, touch=False, **more))


def click(pos, button: int = 1) -> None:
    post(pygame.MOUSEMOTION, pos)
    post(pygame.MOUSEBUTTONDOWN, pos, button)
    post(pygame.MOUSEBUTTONUP, pos, button)


def finger(kind: int, pos, number: int = 0) -> None:
    x, y = pos
    wide, high = pygame.display.get_window_size()
    pygame.event.post(pygame.event.Event(kind, finger_id=number, x=x / wide, y=y / high, dx=0, dy=0, touch_id=1))


def tap(pos) -> None:
    finger(pygame.FINGERDOWN, pos)
    finger(pygame.FINGERUP, pos)


class Hand:
    """Where things are on the screen of a match."""

    def __init__(self, match: MatchScreen) -> None:
        self.renderer, self.asked = match._renderer, match.person

    def button(self, name: str):
        return self.renderer._strip.places[name].center

    def ground(self, degrees: float = 40.0):
        arena = self.asked.view.arena
        me = arena.bot(self.asked.bot)
        vector = pygame.Vector2(1, 0).rotate(me.rot + degrees) * 1.2 * self.asked.view.rules.bot_radius
        return self.renderer._renderer.camera.point(me.x + vector.x, me.y + vector.y)

    def foe(self):
        foe = self.asked.view.arena.bot(1 - self.asked.bot)
        return self.renderer._renderer.camera.point(foe.x, foe.y)


def wheel() -> None:
    pygame.event.post(pygame.event.Event(pygame.MOUSEWHEEL, x=0, y=1, flipped=False, which=0))


def play(plan, plugins, moves) -> list[str]:
    """Play a match in which the person makes these moves, a turn each; return the commands that came of them."""
    app = App(plan, plugins, clock=VirtualClock())
    served: list[object] = []

    def drive(app: App) -> bool:
        match = app.screen
        if not isinstance(match, MatchScreen):
            return False
        asked = match.person
        if asked is not None and asked not in served and match._renderer._strip and match._renderer._strip.places:
            served.append(asked)
            moves[min(len(served), len(moves)) - 1](Hand(match))
        return isinstance(match.menu.dialog, ResultsDialog)

    run_until(app, lambda app: app.go.start(plan), drive)
    return [record.decision.raw for record in shown(app) if isinstance(record, Play) and record.bot == 0]


def double(hand: Hand) -> None:
    click(hand.ground())
    click(hand.ground())


def test_turns_steps_shots_and_the_shield_by_mouse(plan, plugins, quick):
    moves = [
        lambda hand: click(hand.ground(), button=3),
        lambda hand: click(hand.foe()),
        lambda hand: click(hand.foe()),
        lambda hand: wheel(),
        double,
        lambda hand: click(hand.button("shield")),
        lambda hand: click(hand.button("move")),
        lambda hand: click(hand.button("right")),
    ]
    made = play(plan, plugins, moves)
    assert made[0] == "S"
    assert made[1][0] in "AC"
    assert made[2:7] == ["B", "M", "M", "S", "M"]
    assert made[7] == "C1", "a click on it is a tap of its key"


def test_a_finger_does_what_the_mouse_does(plan, plugins, quick):
    def aim_and_let_go(hand: Hand) -> None:
        finger(pygame.FINGERDOWN, hand.ground(90))
        finger(pygame.FINGERMOTION, hand.ground(-40))
        finger(pygame.FINGERUP, hand.ground(-40))

    def twice(hand: Hand) -> None:
        tap(hand.ground())
        tap(hand.ground())

    plan = replace(plan, config=replace(plan.config, rules=Rules(total_rounds=1, turns_per_round=4)))
    moves = [aim_and_let_go, twice, lambda hand: tap(hand.button("shield")), lambda hand: tap(hand.foe())]
    made = play(plan, plugins, moves)
    assert made[0] in ("A38", "A39", "A40", "A41", "A42"), "a pixel is a degree here"
    assert made[1:3] == ["M", "S"]
    assert made[3][0] in "AC"


def test_everything_over_a_match_is_opened_and_closed_by_clicks_and_one_is_back_where_one_was(plan, plugins, quick):
    app = App(plan, plugins, clock=VirtualClock())
    corner, seen, waited = (34, 30), [], [0]

    def drive(app: App) -> bool:
        screen = app.screen
        waited[0] += 1
        if waited[0] % 8:  # a click's key comes with the next frame
            return False
        if isinstance(screen, HelpScreen):
            seen.append("help")
            click(corner)
        elif isinstance(screen, MatchScreen) and screen.person is not None and not seen:
            click(Hand(screen).button("help"))
        elif isinstance(screen, MatchScreen) and seen == ["help"]:
            assert screen.menu.dialog is None, "back in the match, not in the pause menu"
            assert not screen.state.clock.paused
            seen.append("match")
            click(Hand(screen).button("swap"))
        elif isinstance(screen, MatchScreen) and isinstance(screen.menu.dialog, SwapDialog):
            seen.append("swap")
            press(pygame.K_F3)  # the key that opens it closes it
        elif isinstance(screen, MatchScreen) and seen[-1:] == ["swap"] and screen.menu.dialog is None:
            click(corner)
            seen.append("pausing")
        elif isinstance(screen, MatchScreen) and isinstance(screen.menu.dialog, MenuDialog):
            seen.append("paused")
            click(corner)
        return seen[-1:] == ["paused"] and isinstance(screen, MatchScreen) and screen.menu.dialog is None

    run_until(app, lambda app: app.go.start(plan), drive)
    assert seen[:5] == ["help", "match", "swap", "pausing", "paused"]


def test_p_closes_what_it_opens_while_the_match_gets_ready_too(plan, plugins, quick):
    app = App(plan, plugins, clock=VirtualClock())
    seen: list[bool] = []

    def drive(app: App) -> bool:
        match = app.screen
        if isinstance(match, MatchScreen) and len(seen) < 3:
            paused = match.menu.dialog is not None
            if paused == bool(len(seen) % 2):
                seen.append(paused)
                press(pygame.K_p)
        return len(seen) == 3

    run_until(app, lambda app: app.go.start(plan), drive)
    assert seen == [False, True, False]


def test_pointing_at_a_button_shows_its_play_and_a_press_that_is_drawn_off_makes_none(plan, plugins, quick):
    app, seen = App(plan, plugins, clock=VirtualClock()), []

    def drive(app: App) -> bool:
        match = app.screen
        if not isinstance(match, MatchScreen) or match.person is None or not match._renderer._strip.places:
            return False
        hand, shown = Hand(match), match.frame.scene.telegraph
        seen.append((match.players.chosen, shown.chosen, match.mouse.touched.hovered))
        if len(seen) == 1:
            post(pygame.MOUSEMOTION, hand.button("move"))
        elif len(seen) == 3:
            post(pygame.MOUSEBUTTONDOWN, hand.button("move"))
        elif len(seen) == 5:
            post(pygame.MOUSEMOTION, hand.ground())
            post(pygame.MOUSEBUTTONUP, hand.ground())
        return len(seen) == 8

    run_until(app, lambda app: app.go.start(plan), drive)
    assert seen[0] == (None, "", "")
    assert seen[2] == (None, "move", "move")
    assert seen[4] == ("move", "move", "move")
    assert seen[7][0] is None
    assert not [record for record in shown(app) if isinstance(record, Play) and record.bot == 0]


def test_words_name_no_key_to_who_clicks_and_keys_again_to_who_presses_one(plan, plugins, quick):
    app, seen = App(plan, plugins, clock=VirtualClock()), []

    def drive(app: App) -> bool:
        match = app.screen
        if not isinstance(match, MatchScreen) or match.person is None or not match._renderer._strip.places:
            return False
        seen.append(({button.key for button in match.frame.buttons}, match.frame.scene.keys[0]))
        if len(seen) == 1:
            click(Hand(match).button("slower"))
        elif len(seen) == 4:
            press(pygame.K_LSHIFT)
        return len(seen) == 7

    run_until(app, lambda app: app.go.start(plan), drive)
    assert "W" in seen[0][0]
    assert "SPACE" in dict(seen[0][1])
    assert seen[3][0] == {"", "wheel", "click it", "r click"}
    assert [key for key, _ in seen[3][1]] == ["CLICK", "WHEEL", "R CLICK", "WAIT"]
    assert seen[0][1][0] == ("CLICK", "or these keys:"), "nobody has pressed anything yet"
    assert seen[6] == (seen[0][0], seen[0][1][1:])
