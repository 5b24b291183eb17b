"""A match by mouse and by touch alone: posted events, off screen."""

from __future__ import annotations

from dataclasses import replace

import pygame
import pytest
from windows import VirtualClock, play, press, records, until, walk

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
    more = {"button": button} if kind != pygame.MOUSEMOTION else {"rel": (0, 0), "buttons": (0, 0, 0)}
    pygame.event.post(pygame.event.Event(kind, pos=tuple(map(round, pos)), touch=False, **more))


def click(pos, button: int = 1) -> None:
    post(pygame.MOUSEMOTION, pos)
    post(pygame.MOUSEBUTTONDOWN, pos, button)
    post(pygame.MOUSEBUTTONUP, pos, button)


def finger(kind: int, pos, number: int = 0) -> None:
    (x, y), (wide, high) = pos, pygame.display.get_window_size()
    pygame.event.post(pygame.event.Event(kind, finger_id=number, x=x / wide, y=y / high, dx=0, dy=0, touch_id=1))


def tap(pos) -> None:
    finger(pygame.FINGERDOWN, pos)
    finger(pygame.FINGERUP, pos)


def wheel() -> None:
    pygame.event.post(pygame.event.Event(pygame.MOUSEWHEEL, x=0, y=1, flipped=False, which=0))


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


def my_turn(match, *done):
    """Wait for a turn of the person that is none of those done; return where things are then."""
    laid_out = lambda: match._renderer._strip and match._renderer._strip.places  # noqa: E731
    yield from until(lambda: match.person not in (None, *done) and laid_out())
    return Hand(match)


def moved(plan, plugins, *moves) -> list[str]:
    """Play a match in which the person makes these moves, a turn each; return the commands that came of them."""
    made = []

    def steps(match):
        done = []
        for move in moves:
            hand = yield from my_turn(match, *done)
            done.append(hand.asked)
            move(hand)
        yield from until(lambda: isinstance(match.menu.dialog, ResultsDialog))
        made.extend(play.decision.raw for play in records(match, Play) if play.bot == 0)

    play(plan, plugins, steps)
    return made


def twice(click, hand: Hand) -> None:
    click(hand.ground())
    click(hand.ground())


def test_turns_steps_shots_and_the_shield_by_mouse(plan, plugins, quick):
    made = moved(
        plan, plugins,
        lambda hand: click(hand.ground(), button=3), lambda hand: click(hand.foe()), lambda hand: click(hand.foe()),
        lambda hand: wheel(), lambda hand: twice(click, hand), lambda hand: click(hand.button("shield")),
        lambda hand: click(hand.button("move")), lambda hand: click(hand.button("right")),
    )  # fmt: skip
    assert made[0] == "S"
    assert made[1][0] in "AC"
    assert made[2:7] == ["B", "M", "M", "S", "M"]
    assert made[7] == "C1", "a click on it is a tap of its key"


def test_a_finger_does_what_the_mouse_does(plan, plugins, quick):
    def aim_and_let_go(hand: Hand) -> None:
        finger(pygame.FINGERDOWN, hand.ground(90))
        finger(pygame.FINGERMOTION, hand.ground(-40))
        finger(pygame.FINGERUP, hand.ground(-40))

    plan = replace(plan, config=replace(plan.config, rules=Rules(total_rounds=1, turns_per_round=4)))
    made = moved(
        plan, plugins, aim_and_let_go, lambda hand: twice(tap, hand), lambda hand: tap(hand.button("shield")),
        lambda hand: tap(hand.foe()),
    )  # fmt: skip
    assert made[0] in ("A38", "A39", "A40", "A41", "A42"), "a pixel is a degree here"
    assert made[1:3] == ["M", "S"]
    assert made[3][0] in "AC"


def test_everything_over_a_match_is_opened_and_closed_by_clicks_and_one_is_back_where_one_was(plan, plugins, quick):
    corner = (34, 30)

    def steps(match):
        go, shows = match.menu.go, lambda kind: lambda: isinstance(match.menu.dialog, kind)
        hand = yield from my_turn(match)
        click(hand.button("help"))
        yield from until(lambda: isinstance(go.screen, HelpScreen))
        yield
        click(corner)
        yield from until(lambda: go.screen is match)
        assert match.menu.dialog is None, "back in the match, not in the pause menu"
        assert not match.state.clock.paused
        click(hand.button("swap"))
        yield from until(shows(SwapDialog))
        press(pygame.K_F3)  # the key that opens it closes it
        yield from until(lambda: match.menu.dialog is None)
        click(corner)
        yield from until(shows(MenuDialog))
        yield
        click(corner)
        yield from until(lambda: match.menu.dialog is None)

    play(plan, plugins, steps)


def test_p_closes_what_it_opens_while_the_match_gets_ready_too(plan, plugins, quick):
    def steps(app):
        match = yield from until(lambda: isinstance(app.screen, MatchScreen) and app.screen)
        for opened in (True, False):
            press(pygame.K_p)
            yield from until(lambda opened=opened: (match.menu.dialog is not None) == opened)

    walk(App(plan, plugins, clock=VirtualClock()), lambda app: app.go.start(plan), steps)


def test_pointing_at_a_button_shows_its_play_and_a_press_that_is_drawn_off_makes_none(plan, plugins, quick):
    def steps(match):
        hand = yield from my_turn(match)
        seen = lambda: (match.players.chosen, match.frame.scene.telegraph.chosen, match.mouse.touched.hovered)  # noqa: E731
        assert seen() == (None, "", "")
        post(pygame.MOUSEMOTION, hand.button("move"))
        yield from until(lambda: seen() == (None, "move", "move"))
        post(pygame.MOUSEBUTTONDOWN, hand.button("move"))
        yield from until(lambda: seen() == ("move", "move", "move"))
        post(pygame.MOUSEMOTION, hand.ground())
        post(pygame.MOUSEBUTTONUP, hand.ground())
        yield from until(lambda: match.players.chosen is None)
        yield
        assert match.person is hand.asked

    play(plan, plugins, steps)


def test_words_name_no_key_to_who_clicks_and_keys_again_to_who_presses_one(plan, plugins, quick):
    def steps(match):
        seen = lambda: ({button.key for button in match.frame.buttons}, match.frame.scene.keys[0])  # noqa: E731
        hand = yield from my_turn(match)
        buttons, keys = seen()
        assert "W" in buttons
        assert "SPACE" in dict(keys)
        assert keys[0] == ("CLICK", "or these keys:"), "nobody has pressed anything yet"
        click(hand.button("slower"))
        yield from until(lambda: seen()[0] == {"", "wheel", "click it", "r click"})
        assert [key for key, _ in seen()[1]] == ["CLICK", "WHEEL", "R CLICK", "WAIT"]
        press(pygame.K_LSHIFT)
        yield from until(lambda: seen() == (buttons, keys[1:]))

    play(plan, plugins, steps)
