"""A seat's card judges the server that would play: its address, its model, its key, and no other one."""

from __future__ import annotations

from dataclasses import replace

import pygame
import pytest
from fake_network import FakeNetwork, ModelHost
from menus import finish, press, shell

from batllm_arcade.app.menus.seat_card import NotReadyDialog
from batllm_arcade.app.menus.setup import PromptsScreen
from batllm_arcade.app.services.brain_list import AvailabilityCache
from batllm_arcade.brains.protocol import Spec
from batllm_arcade.models.api_keys import key_store
from batllm_arcade.models.failures import too_slow
from batllm_arcade.plugin import manager
from batllm_arcade.session.live_session import SessionPlan
from batllm_arcade.settings.config import Config

GOOD, BAD = "good-key-5c1d7e90", "bad-key-5c1d7e91"
OWN = "10.9.8.7:9000"
HOSTS = {
    "ollama": ("127.0.0.1:11434", ""), "openai": ("127.0.0.1:8080", ""), "openai:lmstudio": ("127.0.0.1:1234", ""),
    "openai:openrouter": ("openrouter.ai", "OPENROUTER_API_KEY"),
    "anthropic": ("api.anthropic.com", "ANTHROPIC_API_KEY"),
    "gemini": ("generativelanguage.googleapis.com", "GEMINI_API_KEY"), "mistral": ("api.mistral.ai", "MISTRAL_API_KEY"),
}  # fmt: skip
"""Each brain's own server, and the variable that holds its key."""
SITUATIONS = ("up", "down", "no key", "wrong key", "no such model")
PLAN = SessionPlan(Config(), (Spec("keyboard"), Spec("keyboard")), seed=1)


@pytest.fixture
def network(monkeypatch):
    for _, variable in HOSTS.values():
        if variable:
            monkeypatch.delenv(variable, raising=False)
    return FakeNetwork(monkeypatch)


@pytest.fixture
def app():
    with shell(PLAN, manager.load()) as made:
        yield made


def card_of(app, spec: Spec):
    """The right seat's card, once it is known how that stands."""
    app.go.seats(replace(PLAN, seats=(Spec("keyboard"), spec)))
    app.screen.update(10.0)
    finish("availability")
    app.screen.update(20.0)
    return app.screen.cards[1]


@pytest.mark.parametrize("where", ["own server", "another address"])
@pytest.mark.parametrize("name", HOSTS)
def test_a_card_says_what_is_so_and_nothing_else(name, where, app, network, monkeypatch):
    brain, _, variant = name.partition(":")
    monkeypatch.setattr(AvailabilityCache, "look", lambda self: None)  # which asks all others, too
    host, variable = HOSTS[name]
    elsewhere = where == "another address"
    told = {}
    for case in SITUATIONS:
        app.services.availability._known.clear()
        network.servers.clear()
        network.requests.clear()
        if variable and case != "no key":
            monkeypatch.setenv(variable, BAD if case == "wrong key" else GOOD)
        elif variable:
            monkeypatch.delenv(variable)
        # A server on this computer or anywhere else is sent no provider's key; here it wants one in one case alone.
        wants = (variable and not elsewhere) or case == "wrong key"
        if case != "down":
            network.servers[OWN if elsewhere else host] = ModelHost(brain, key=GOOD if wants else "")
        # The right answer for the wrong server: its neighbour is always there, and open to everybody.
        network.servers[host if elsewhere else OWN] = ModelHost(brain, models=("zz", "m1"))
        options = {"model": "zz" if case == "no such model" else "m1"}
        card = card_of(app, Spec(brain, variant, {**options, **({"base_url": f"http://{OWN}"} if elsewhere else {})}))
        told[case] = card.why
        assert (card.problem == "") == (card.why == "")
        asked = {asked for asked, _ in network.requests}
        assert asked <= {OWN if elsewhere else host}, "another server than the one that would play"
        assert not (asked and case == "no key" and wants), "a missing key is told before anybody is asked"
        sent = [key for key in (GOOD, BAD) for _, headers in network.requests if key in str(headers)]
        assert not sent or (variable and not elsewhere), "a key went to a stranger"
    needs = bool(variable) and not elsewhere
    assert told == {
        "up": "", "down": "down", "no key": "key" if needs else "", "wrong key": "wrong key" if needs else "key",
        "no such model": "model",
    }  # fmt: skip


def test_a_missing_key_is_told_however_busy_the_computer_is(app, network, monkeypatch):
    def late(server, *_):
        raise too_slow(server.where, 1.2)

    monkeypatch.setattr("batllm_arcade.models.provider.probe", late)
    assert card_of(app, Spec("anthropic")).why == "key"


def test_a_key_kept_for_an_address_counts_there_and_nowhere_else(app, network):
    network.servers[OWN] = ModelHost("openai", key=GOOD)
    network.servers["10.9.8.7:9001"] = ModelHost("openai", key=GOOD)
    store = key_store()
    here, there = (Spec("openai", "", {"model": "m1", "base_url": f"https://10.9.8.7:{port}"}) for port in (9000, 9001))
    try:
        store.keep("https://10.9.8.7:9000", BAD, "run")
        assert card_of(app, here).why == "wrong key"
        store.keep("https://10.9.8.7:9000", GOOD, "run")
        app.services.availability.check(here, again=True)
        finish("availability")
        assert card_of(app, here).problem == ""
        assert card_of(app, there).why == "key"
    finally:
        store.forget("https://10.9.8.7:9000")


def test_a_server_that_comes_up_is_noticed_and_one_that_is_down_is_asked_again(app, network, monkeypatch):
    spec = Spec("openai", "lmstudio", {"model": "m1"})
    card = card_of(app, spec)
    assert card.why == "down"
    network.servers["127.0.0.1:1234"] = ModelHost("openai")
    before = len(network.requests)
    app.screen.update(21.0)
    finish("availability")
    assert len(network.requests) == before, "not in every frame"
    monkeypatch.setattr("batllm_arcade.app.services.brain_list.SOON_S", -1.0)
    app.services.availability.check(spec, again=True)
    finish("availability")
    assert card.problem == ""


# What can be done about it, with one press


def not_ready(app, spec: Spec) -> NotReadyDialog:
    card_of(app, spec)
    app.ui.apply(replace(app.ui.settings, played=True))
    press(app, pygame.K_RETURN)
    assert isinstance(app.screen, NotReadyDialog)
    return app.screen


def ways(dialog: NotReadyDialog) -> list[str]:
    return [entry.text for entry in dialog.form.widgets]


LM_STUDIO = Spec("openai", "lmstudio", {"model": "m1"})


def test_the_list_of_players_says_in_one_line_that_a_key_is_missing_and_where_it_is_typed(app, network):
    card_of(app, Spec("gemini")).pick_brain()
    said = {item.text: item.more for item in app.screen.picker.items}
    assert said["Gemini"] == "Not ready: it needs a key; type it in the row Server"
    assert "check the address" in not_ready(app, LM_STUDIO).words


def test_a_server_that_is_down_can_be_tried_again_and_the_way_goes_on_by_itself(app, network):
    dialog = not_ready(app, LM_STUDIO)
    assert "LM Studio at http://127.0.0.1:1234 does not take connections" in dialog.words
    press(app, pygame.K_1)
    assert isinstance(app.screen, NotReadyDialog)
    finish("availability")
    app.update(30.0)
    assert "does not take connections" in app.screen.words
    network.servers["127.0.0.1:1234"] = ModelHost("openai")
    press(app, pygame.K_RETURN)  # it has the focus
    finish("availability")
    app.update(31.0)
    assert isinstance(app.screen, PromptsScreen)


def test_the_built_in_player_takes_the_seat_with_one_press(app, network):
    dialog = not_ready(app, LM_STUDIO)
    number = next(n for n, text in enumerate(ways(dialog)) if text.endswith("plays instead"))
    press(app, pygame.K_1 + number)
    assert not isinstance(app.screen, NotReadyDialog)
    assert app.go._plan.seats[1].name in ("embedded", "scripted")


def test_another_player_is_chosen_from_the_list(app, network):
    dialog = not_ready(app, LM_STUDIO)
    press(app, pygame.K_1 + ways(dialog).index("Another player"))
    assert app.screen.picker is not None
    assert app.screen.form.focus is app.screen.cards[1].widgets[0]


def test_who_wants_to_fight_all_the_same_may(app, network):
    dialog = not_ready(app, LM_STUDIO)
    press(app, pygame.K_1 + ways(dialog).index("Fight all the same"))
    assert isinstance(app.screen, PromptsScreen)


@pytest.mark.parametrize(
    ("spec", "first"),
    [
        (LM_STUDIO, "Try again"),
        (Spec("mistral"), "Type a key"),
        (Spec("ollama", "", {"model": "zz"}), "Choose a model"),
    ],
)
def test_what_is_likeliest_to_help_comes_first(spec, first, app, network):
    network.servers["127.0.0.1:11434"] = ModelHost("ollama")
    assert ways(not_ready(app, spec))[0] == first
