"""The menus look as they looked when somebody last judged them, and fit: long names, larger words, nobody ready."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import pygame
import pytest
from golden import assert_looks_like
from layout import SIZES, assert_fits
from menus import finish, give, press, shell
from shells import draw

from batllm_arcade.app.input.controls import PAD
from batllm_arcade.app.servers.screen import ServerDraft
from batllm_arcade.brains.kinds import SeatState
from batllm_arcade.brains.protocol import BrainKind, Spec
from batllm_arcade.plugin import manager
from batllm_arcade.session.live_session import SessionPlan
from batllm_arcade.session.trial_turn import TrialTurn
from batllm_arcade.settings import config as configuration
from batllm_arcade.settings import user_settings as settings

LONG = "Meta-Llama-3.1-405B-Instruct-Q4_K_M-very-long-name"
ORDERS = "Rush the enemy and shoot. Keep your shield up while you walk; when you are hurt, step aside.\n\nNever wait."


@pytest.fixture
def plugins():
    """The bundled brains, but with fixed states: pictures must not depend on what this machine has."""
    plugins = manager.load()
    missing = {
        "gemini": "Gemini needs a key; set the environment variable GEMINI_API_KEY",
        "ollama": "Ollama at http://127.0.0.1:11434 does not take connections; start it with `ollama serve`",
    }
    for name, kind in list(plugins.kinds.items()):
        state = _state(missing.get(name, ""), kind) if kind.state is not None else None
        plugins.kinds[name] = replace(kind, missing=lambda spec, name=name: missing.get(name, ""), state=state)
    return plugins


def _state(problem: str, kind: BrainKind):
    models = (LONG, "llama3.2:1b", "qwen2.5")
    return lambda spec: SeatState(problem, "down" if problem else "", spec.text("model"), models)


@pytest.fixture
def plan():
    config = replace(configuration.load("couch"), prompts=("", ORDERS))
    return SessionPlan(config, (Spec("keyboard"), Spec("embedded", "tactics")), seed=417)


def open_title(app, plan):
    app.go.title()
    finish("demo")
    app.screen.update(0.0)
    draw(app.screen, pygame.display.get_surface())


def open_seats(app, plan):
    app.go.seats(plan)
    finish("availability")


def open_servers(app, plan):
    seats = (Spec("ollama", "", {"model": LONG, "name": "Big Friendly Llama"}), Spec("gemini"))
    open_seats(app, replace(plan, seats=seats))
    app.screen.update(0.0)
    finish("availability")


def open_picker(app, plan):
    open_seats(app, plan)
    press(app, pygame.K_TAB, pygame.K_RETURN)


def open_server(app, plan):
    """A server that has been tried: all that there is to be said of it."""
    open_seats(app, plan)
    app.screen.open_server(app.screen.cards[1], new=False)
    app.screen.draft = ServerDraft.of(Spec("ollama", "", {"model": LONG, "base_url": "http://192.168.178.20:11434"}))
    app.screen._make_fields()
    app.screen.update(0.0)
    finish("availability")
    finish("looking for a keyring")
    app.screen.update(1.0)
    turn = TrialTurn(
        model=LONG, raw='{"cmd": "A30"}', command="A30", seconds=1.34, ready_s=4.2, cost=0.0021, say="Here I come!",
        tokens={"prompt": 1812, "completion": 231}, adapted=("room for 4096 tokens of thought",),
        thought="The other bot is to my left, some 30 degrees. I have to turn before I fire, and my gun is empty. " * 4,
    )  # fmt: skip
    app.screen.tryout.last = (str(app.screen.spec), SimpleNamespace(result=turn, problem="", failure="", progress=""))


def open_not_ready(app, plan):
    open_servers(app, plan)
    app.screen.update(0.0)
    press(app, pygame.K_RETURN)


def open_prompts(app, plan):
    app.go.prompts(plan)


def open_hidden(app, plan):
    app.ui.apply(settings.changed(app.ui.settings, "hide_prompts", True))
    app.go.prompts(replace(plan, seats=(Spec("embedded"), Spec("embedded"))))
    press(app, pygame.K_TAB, pygame.K_RETURN)


def open_settings(app, plan):
    app.go.title()
    app.ui.apply(settings.changed(app.ui.settings, "ui_scale", 1.2))
    app.ui.apply(settings.changed(app.ui.settings, "screen_shake", False))
    app.go.settings_screen()
    press(app, pygame.K_RETURN)


def open_keys(app, plan):
    app.go.title()
    app.go.settings_screen()
    for _ in range(3):
        press(app, pygame.K_DOWN)
    press(app, pygame.K_RETURN)


def open_help(app, plan):
    app.go.title()
    give(app, pygame.event.Event(PAD, button="dpup", pressed=True, place=0, repeat=False))
    app.go.help_screen()


OPEN = {
    "title": open_title, "seats": open_seats, "seats-servers": open_servers, "seats-picker": open_picker,
    "server": open_server, "not-ready": open_not_ready,
    "prompts": open_prompts, "prompts-hidden": open_hidden, "settings": open_settings, "settings-keys": open_keys,
    "help": open_help,
}  # fmt: skip


@pytest.mark.parametrize("scale", [1.0, 1.5])
@pytest.mark.parametrize("name", OPEN)
def test_a_menu_looks_as_it_was_judged_and_fits_into_windows_of_all_sizes(name, scale, plugins, plan):
    with shell(plan, plugins) as app:
        app.ui.apply(settings.changed(app.ui.settings, "ui_scale", scale))
        OPEN[name](app, plan)
        for size in SIZES:
            surface = assert_fits(app.screen, size)
            if size == SIZES[0] and scale == 1.0:
                assert_looks_like(f"menu-{name}", surface)
