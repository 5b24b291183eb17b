"""Phones in the window: from the title to a fight of phone against phone, off screen, with pages that connect."""

from __future__ import annotations

import time

import pygame
import pytest
from menus import finish, press, shell
from served import Page

from batllm_arcade import Play, Spec
from batllm_arcade.app.match.screen import MatchScreen
from batllm_arcade.app.menus.phones import PhonesScreen
from batllm_arcade.plugin import manager
from batllm_arcade.serve.seat import open_server
from batllm_arcade.session.live_session import SessionPlan
from batllm_arcade.settings import config as configuration


@pytest.fixture
def app(tmp_path):
    plan = SessionPlan(
        configuration.load("couch"), (Spec("keyboard"), Spec("scripted", "turtle")), 5, history=tmp_path / "match.json"
    )
    with shell(plan, manager.load()) as made:
        made.go.title()
        finish("demo")
        yield made


def until(app, condition):
    ends = time.monotonic() + 90
    while not condition():
        assert time.monotonic() < ends
        app.update(time.monotonic())
        time.sleep(0.01)


def test_four_presses_in_the_window_and_one_on_each_phone_begin_a_fight(app):
    press(app, pygame.K_DOWN, pygame.K_RETURN, pygame.K_DOWN, pygame.K_RETURN)  # ENTER alone would open the network
    assert isinstance(app.screen, PhonesScreen)
    until(app, open_server)
    server = open_server()
    assert server._listening.getsockname()[0] == "127.0.0.1"
    pages = [Page(server), Page(server)]
    until(app, lambda: all(place.wanted == "seat" for place in server.lobby.places))
    for page, door in zip(pages, ("left", "right"), strict=True):
        page.join("seat", door, name=door.title())
    until(app, lambda: isinstance(app.screen, MatchScreen) and app.screen.state.started)
    assert [app.screen.state.table.seat(bot).name for bot in (0, 1)] == ["Left", "Right"]
    assert app.screen.state.humans == (False, False)  # no key of the window plays for them
    until(app, lambda: any(place.question for place in server.lobby.places))
    bot = next(bot for bot in (0, 1) if server.lobby.places[bot].question)
    pages[bot].say(play="wait", by=0, ask=server.lobby.places[bot].question.number)
    until(app, lambda: any(isinstance(record, Play) for record in app.screen.state.records))
    app.go.title()
    until(app, lambda: open_server() is None)
    assert all(page.closed() for page in pages)
