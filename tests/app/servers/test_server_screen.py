"""Adding a server in the window: found, set up, tried, kept; nothing of a key where it does not belong."""

from __future__ import annotations

import os
import threading
from dataclasses import replace
from pathlib import Path

import pygame
import pytest
from fake_network import FakeNetwork, ModelHost
from menus import finish, press, shell, text
from shells import draw

from batllm_arcade.app.input import sdl as clipboard
from batllm_arcade.app.menus.setup import SetupScreen
from batllm_arcade.app.servers.screen import ServerDraft, ServerScreen, offered
from batllm_arcade.app.services import server_work
from batllm_arcade.brains.protocol import BrainError, Spec
from batllm_arcade.models.api_keys import key_store
from batllm_arcade.plugin import manager
from batllm_arcade.session.live_session import SessionPlan
from batllm_arcade.session.trial_turn import TrialTurn
from batllm_arcade.settings.config import Config
from batllm_arcade.settings.store import SettingsFile

KEY = "sk-or-v1-5c1d7e90aabbccdd"
PLAN = SessionPlan(Config(), (Spec("keyboard"), Spec("keyboard")), seed=1)
OPENROUTER, LM_STUDIO = "https://openrouter.ai", "127.0.0.1:1234"


@pytest.fixture(autouse=True)
def network(monkeypatch):
    monkeypatch.delenv("OPENROUTER_API_KEY", raising=False)
    monkeypatch.setattr("batllm_arcade.models.api_keys.has_keyring", lambda: False)
    made = FakeNetwork(monkeypatch)
    made.servers[LM_STUDIO] = ModelHost("openai", ("qwen3", "gemma3"))
    made.servers["openrouter.ai"] = ModelHost("openai", ("openrouter/auto", "m/one"), key=KEY)
    return made


@pytest.fixture
def app():
    with shell(PLAN, manager.load()) as made:
        made.go.seats(PLAN)
        yield made
    key_store().forget(OPENROUTER)


def settle(app, now: float = 10.0) -> None:
    """Let what is asked on threads be answered, and shown."""
    for step in (0.0, 1.0, 2.0):
        app.update(now + step)
        for thread in ("availability", "looking for a keyring", "keeping a key", "trying a server", "pulling"):
            finish(thread)
        app.update(now + step)
        draw(app.screen, pygame.display.get_surface())


def added(app, title: str = "") -> ServerScreen:
    """The screen on which a server is added for the right seat."""
    app.screen.open_server(app.screen.cards[1], new=True)
    screen = app.screen
    assert isinstance(screen, ServerScreen)
    settle(app)
    if title:
        screen._choose(next(preset for preset in screen._known_servers.all if preset.title == title))
        settle(app, 20.0)
    return screen


def row(screen, label: str):
    found = next(each for each in screen._rows if getattr(each, "label", "") == label)
    screen.form.set_focus(found)
    return found


def type_into(app, label: str, words: str, now: float) -> None:
    row(app.screen, label)
    text(app, words)
    settle(app, now)


def use(app) -> None:
    press(app, pygame.K_RETURN, mod=pygame.KMOD_CTRL)


def kept_anywhere(secret: str) -> list[str]:
    """The files of the user's folders that hold a text."""
    folders = (os.environ["XDG_DATA_HOME"], os.environ.get("XDG_CONFIG_HOME", ""))
    files = [path for folder in folders if folder for path in Path(folder).rglob("*") if path.is_file()]
    return [path.name for path in files if secret.encode() in path.read_bytes()]


def test_the_server_that_runs_on_this_computer_is_found_and_used_with_two_presses(app):
    screen = added(app)
    assert screen.draft.preset.title == "LM Studio"
    assert (screen.state.problem, screen.state.model) == ("", "qwen3")
    use(app)
    assert isinstance(app.screen, SetupScreen)
    assert str(app.screen.cards[1].spec) == "openai:lmstudio"
    assert app.ui.settings.servers == ("openai:lmstudio",)
    assert app.screen.cards[1].spec in app.screen.cards[0].choices, "for the other seat, too"


def test_of_those_that_run_here_one_that_could_play_at_once_is_taken(app, network):
    network.servers["127.0.0.1:11434"] = ModelHost("ollama", ())
    assert added(app).draft.preset.title == "LM Studio"


def test_a_server_is_found_by_typing_its_name(app):
    screen = added(app)
    press(app, pygame.K_RETURN)
    text(app, "nobody")
    assert screen.picker.items == []
    press(app, pygame.K_RETURN, pygame.K_DELETE)
    text(app, "open r")
    press(app, pygame.K_RETURN)
    assert screen.draft.preset.title == "OpenRouter"


def test_without_the_key_that_it_needs_no_turn_is_tried(app, network):
    screen = added(app, "OpenRouter")
    network.requests.clear()
    screen.test()
    assert "type or paste it" in screen.problem
    assert (screen.tryout.running, network.requests) == (None, [])


def test_a_turn_that_failed_is_told_until_its_server_stands_otherwise(app, network):
    network.servers[LM_STUDIO] = ModelHost("openai", ("qwen3",), key=KEY)
    screen = added(app, "LM Studio")
    assert row(screen, "Key").empty == "needed"
    screen.test()
    settle(app, 30.0)
    assert "401" in screen.tryout.problem(screen.spec)
    network.servers[LM_STUDIO] = ModelHost("openai", ("qwen3",))
    app.services.availability.check(screen.spec, again=True)
    settle(app, 40.0)
    assert (screen.state.problem, screen.tryout.problem(screen.spec)) == ("", "")


def test_leaving_changes_nothing(app):
    added(app, "OpenRouter")
    type_into(app, "Key", KEY, 30.0)
    assert key_store().kept(OPENROUTER).where == "run"
    press(app, pygame.K_ESCAPE)
    assert isinstance(app.screen, SetupScreen)
    assert app.ui.settings.servers == ()
    assert key_store().kept(OPENROUTER).where == ""
    assert str(app.screen.cards[1].spec) == "keyboard"


@pytest.mark.parametrize(("place", "files"), [("file", ["keys.json"]), ("run", [])])
def test_a_typed_key_opens_the_server_and_is_kept_where_the_person_wants_it(place, files, app):
    screen = added(app, "OpenRouter")
    assert screen.state.why == "key"
    type_into(app, "Key", KEY, 30.0)
    assert screen.state.problem == ""
    assert screen.services.availability.models(screen.spec) == ("openrouter/auto", "m/one")
    assert kept_anywhere(KEY) == [], "as long as it is only tried"
    keep = row(screen, "Keep it")
    assert keep.options == ("in a file", "for this run")
    if place == "run":
        keep.take("right")
    use(app)
    settle(app, 40.0)
    assert isinstance(app.screen, SetupScreen)
    assert key_store().kept(OPENROUTER).where == place
    assert kept_anywhere(KEY) == files
    assert app.screen.cards[1].problem == ""
    assert KEY not in str(app.ui.settings)


def test_a_wrong_key_is_said_and_a_pasted_one_mends_it(app, monkeypatch):
    screen = added(app, "OpenRouter")
    type_into(app, "Key", "sk-wrong-000000", 30.0)
    assert screen.state.why == "wrong key"
    monkeypatch.setattr(clipboard, "paste", lambda: KEY)
    press(app, pygame.K_v, mod=pygame.KMOD_CTRL)
    settle(app, 40.0)
    assert screen.state.problem == ""


def test_a_key_is_forgotten_with_the_server_it_was_typed_for(app, network):
    screen = added(app, "OpenRouter")
    type_into(app, "Key", KEY, 30.0)
    screen._choose(next(preset for preset in screen._known_servers.all if preset.title == "Groq"))
    settle(app, 40.0)
    assert key_store().kept(OPENROUTER).where == ""
    assert all(KEY not in str(headers) for host, headers in network.requests if host != "openrouter.ai")


def test_an_address_is_asked_when_it_rests_not_with_every_letter(app, network):
    network.servers["10.1.1.1:80"] = ModelHost("openai", ("far",))
    screen = added(app, "Another address")
    assert "type the server's address" in screen.state.problem
    row(screen, "Address")
    network.requests.clear()
    text(app, "http://10.1.1.1:80")
    settle(app, 50.0)
    assert {host for host, _ in network.requests} == {"10.1.1.1:80"}
    assert screen.state.model == "far"
    use(app)
    assert app.ui.settings.servers == ("openai:base_url=http://10.1.1.1:80",)


@pytest.mark.parametrize("address", ["http://[", "ftp://x", "http://user:pw@x", "\u00e9", "http://x:99999"])
def test_an_address_that_is_none_is_a_sentence(address, app):
    screen = added(app, "Another address")
    type_into(app, "Address", address, 50.0)
    assert screen.state.why == "options"
    for _ in range(2):
        use(app)
        assert app.screen is screen, "what can never play is not kept"
    assert "pw" not in screen.problem


def test_what_cannot_play_is_named_before_it_is_kept(app, network):
    network.servers.clear()
    screen = added(app, "LM Studio")
    use(app)
    assert "does not take connections" in screen.state.problem
    assert "cannot play as it is" in screen.problem
    use(app)
    assert app.ui.settings.servers == ("openai:lmstudio",)


def test_models_are_searched_and_one_of_a_name_of_its_own_can_be_taken(app):
    screen = added(app)
    row(screen, "Model")
    press(app, pygame.K_RETURN)
    text(app, "gem")
    press(app, pygame.K_RETURN)
    assert screen.draft.model == "gemma3"
    row(screen, "Model")
    press(app, pygame.K_RETURN)
    text(app, "mine")
    press(app, pygame.K_RETURN)
    assert screen.draft.model == "mine"
    settle(app, 50.0)
    assert screen.state.why == "model"


class FakeTrial:
    """A turn that takes as long as the test wants."""

    made: FakeTrial

    def __init__(self, kinds, spec):
        FakeTrial.made, self.spec = self, spec
        self.go, self.cancelled = threading.Event(), False

    def play(self, report):
        report("looking for the server")
        self.go.wait(20)
        return TrialTurn(raw="A30", command="A30", seconds=0.5, tokens={"prompt": 10, "completion": 2})

    def cancel(self):
        self.cancelled = True
        self.go.set()


def test_a_test_shows_what_came_of_it_and_the_window_never_waits(app, monkeypatch):
    monkeypatch.setattr(server_work, "Trial", FakeTrial)
    screen = added(app)
    screen.form.set_focus(screen._test)
    press(app, pygame.K_RETURN)
    assert screen.tryout.running is not None
    app.update(20.0)
    assert screen._test.text == "STOP"
    assert screen.keys()[1][1] == "stop the test", "before what has no room in a narrow window"
    FakeTrial.made.go.set()
    settle(app, 30.0)
    assert screen.tryout.shown(screen.spec).result.command == "A30"
    screen._set_model("gemma3")
    assert screen.tryout.shown(screen.spec) is None, "it was another model's"


@pytest.mark.parametrize("by", ["the button", "escape", "a change"])
def test_a_test_is_given_up(by, app, monkeypatch):
    monkeypatch.setattr(server_work, "Trial", FakeTrial)
    screen = added(app)
    screen.form.set_focus(screen._test)
    press(app, pygame.K_RETURN)
    if by == "a change":
        screen._set_model("gemma3")
    else:
        press(app, pygame.K_RETURN if by == "the button" else pygame.K_ESCAPE)
    assert FakeTrial.made.cancelled
    assert screen.tryout.running is None
    assert app.screen is screen


def test_a_server_is_changed_and_removed_again(app):
    added(app)
    use(app)
    app.screen.open_server(app.screen.cards[1], new=False)
    settle(app, 60.0)
    screen = app.screen
    row(screen, "Called")
    text(app, "My PC")
    use(app)
    assert app.ui.settings.servers == ("openai:lmstudio,name=My PC",)
    app.screen.open_server(app.screen.cards[1], new=False)
    settle(app, 70.0)
    app.screen.form.set_focus(app.screen._remove)
    press(app, pygame.K_RETURN, pygame.K_DOWN, pygame.K_RETURN)
    assert isinstance(app.screen, SetupScreen)
    assert app.ui.settings.servers == ()


def test_servers_survive_a_restart_beside_what_a_newer_program_has_written(tmp_path):
    path = tmp_path / "settings.yaml"
    path.write_text("servers: ['openai:lmstudio', 'newer:thing,x=1']\nholograms: {depth: 3}\n")
    file = SettingsFile(path)
    with shell(PLAN, manager.load()) as app:
        app.ui._file, app.ui.settings = file, file.settings
        app.go.seats(PLAN)
        assert [str(spec) for spec in app.screen.cards[0].choices].count("openai:lmstudio") == 1
        assert file.save(replace(app.ui.settings, servers=("openai:groq", *app.ui.settings.servers))) == ""
    again = SettingsFile(path)
    assert again.settings.servers == ("openai:groq", "openai:lmstudio", "newer:thing,x=1")
    assert "holograms" in path.read_text()


# Pulling


class Puller:
    """An Ollama that pulls as far as the test wants."""

    def __init__(self, network: FakeNetwork) -> None:
        self.network, self.go, self.live = network, threading.Event(), None

    def __call__(self, spec, model, live, progress):
        self.live = live
        progress(server_work.PullProgress("pulling 74701a8c35f6", 10**9, 2 * 10**9))
        self.go.wait(20)
        if live.cancelled:
            raise server_work.Cancelled
        self.network.servers["127.0.0.1:11434"] = ModelHost("ollama", ("llama3.2:latest",))


@pytest.fixture
def pull(app, network):
    network.servers["127.0.0.1:11434"] = ModelHost("ollama", ())
    puller = Puller(network)
    kinds = app.services.plugins.kinds
    kinds["ollama"] = replace(kinds["ollama"], pull=puller)
    yield puller
    puller.go.set()


def pull_row(app):
    return next((each for each in app.screen.cards[1].widgets if type(each).__name__ == "PullRow"), None)


def ollama_card(app) -> None:
    app.go.seats(replace(PLAN, seats=(Spec("keyboard"), Spec("ollama", "", {"model": "llama3.2"}))))
    settle_card(app, 10.0)


def settle_card(app, now: float) -> None:
    app.update(now)
    finish("availability")
    app.update(now + 1)
    draw(app.screen, pygame.display.get_surface())


def test_a_model_is_pulled_from_the_card_and_then_plays(app, pull):
    ollama_card(app)
    assert app.screen.cards[1].why == "model"
    app.screen.form.set_focus(pull_row(app))
    press(app, pygame.K_RETURN)
    while not pull_row(app).pull.share:
        threading.Event().wait(0.001)
    assert pull_row(app).words == ("Stop pulling", "50 %  1.0 of 2.0 GB")
    pull.go.set()
    finish("pulling")
    app.update(20.0)
    settle_card(app, 21.0)
    assert app.screen.cards[1].problem == ""
    assert pull_row(app) is None


def test_a_pull_goes_on_on_other_screens_and_can_be_given_up(app, pull):
    ollama_card(app)
    app.screen.form.set_focus(pull_row(app))
    press(app, pygame.K_RETURN)
    app.go.title()
    ollama_card(app)
    assert pull_row(app).pulling
    app.screen.form.set_focus(pull_row(app))
    press(app, pygame.K_RETURN)
    assert pull.live.cancelled
    assert pull_row(app).words[0] == "Go on pulling"


def test_why_a_model_could_not_be_pulled_is_read_whole(app, pull):
    def fails(*_):
        raise BrainError("Ollama at http://127.0.0.1:11434 could not fetch 'llama3.2': no room on the disk")

    kinds = app.services.plugins.kinds
    kinds["ollama"] = replace(kinds["ollama"], pull=fails)
    ollama_card(app)
    pull_row(app).do()
    finish("pulling")
    assert pull_row(app).words == ("Pull again", "no room on the disk")
    assert pull_row(app).hint.startswith("Ollama at http://127.0.0.1:11434 could not fetch")


def test_models_that_could_be_pulled_are_offered_by_name(app, pull):
    ollama_card(app)
    app.screen.form.set_focus(next(each for each in app.screen.cards[1].widgets if each.label == "Model"))
    press(app, pygame.K_RETURN)
    offered_names = {item.text: item.more for item in app.screen.picker.items}
    assert offered_names["qwen3:4b"].startswith("not pulled yet, ")


# What is offered


def test_each_provider_is_offered_once_those_on_this_computer_first():
    found = offered(("ollama", "openai", "gemini", "mistral", "anthropic"))
    titles = [preset.title for preset in found]
    assert titles[0] == "Ollama"
    assert titles[-1] == "Another address"
    assert len(titles) == len(set(titles))
    assert not [title for title in titles if "(" in title]
    local = [preset.local for preset in found]
    assert local == sorted(local, reverse=True)


@pytest.mark.parametrize(
    "spec",
    ["ollama", "openai:lmstudio,model=m", "ollama:base_url=http://10.1.1.1:11434,model=x,name=Far", "gemini:think=low",
     "openai:base_url=http://10.1.1.1:8000", "openai:azure,base_url=https://r.openai.azure.com/openai/v1"],
)  # fmt: skip
def test_a_server_that_is_set_up_stays_as_it_is(spec):
    assert ServerDraft.of(Spec.parse(spec)).spec == Spec.parse(spec)
