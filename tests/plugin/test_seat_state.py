"""Whether a seat could play is judged by its own address, model and key: a table of all that can be wrong."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import pytest
from batllm_arcade_plugins import anthropic, gemini, mistral, ollama, openai
from model_server import ScriptedServer, answer, closed_port, endless

from batllm_arcade import BrainKind, Spec
from batllm_arcade.models import presets
from batllm_arcade.models.api_keys import key_store
from batllm_arcade.plugin.availability import judged, seat_state

MODULES = {"ollama": ollama, "openai": openai, "preset": openai, "anthropic": anthropic, "gemini": gemini,
           "mistral": mistral}  # fmt: skip
RIGHT, WRONG = "canary-right-key-1", "canary-wrong-key-2"
CASES = ("up", "down", "no key", "wrong key", "no such model")


def serving(name, model="m1"):
    """A server with one model that lets in who has the right key."""

    def step(to):
        sent = [
            value.removeprefix("Bearer ")
            for key, value in to.request.headers.items()
            if "key" in key or key[:4] == "auth"
        ]
        if sent != [RIGHT]:
            return answer({"error": {"message": "no valid api key", "type": "authentication_error"}}, 401)(to)
        path, here = to.request.path.partition("?")[0], (to.request.body or b"").decode() + to.request.path
        if name == "gemini":
            known = f"models/{model}" in path
            return answer(
                {"name": f"models/{model}"} if known else {"error": {"status": "NOT_FOUND"}}, 200 if known else 404
            )(to)
        if path.endswith(("/models", "/tags")):
            return answer({"models" if name == "ollama" else "data": [{"name": model, "id": model}]})(to)
        if path.endswith("/key"):
            return answer({})(to)
        error = {"ollama": "model not found"}.get(
            name, {"message": "no such model", "code": "model_not_found", "type": "not_found_error"}
        )
        return answer({"ok": True} if f'"{model}"' in here else {"error": error}, 200 if f'"{model}"' in here else 404)(
            to
        )

    return endless(step)


EXPECTED = {"up": "", "down": "down", "no key": "key", "wrong key": "wrong key", "no such model": "model"}
ENOUGH = {
    "down": "does not take connections",
    "no key": "key",
    "wrong key": "check the key in",
    "no such model": "has no model 'm9'",
}


@pytest.mark.parametrize(("name", "where", "case"), list(product(MODULES, ("default", "own address"), CASES)))
def test_a_seat_s_state_is_that_of_its_own_server(name, where, case, monkeypatch):
    """Another server of the same brain is always in the other state: up where this one is not, down where it is."""
    key_store.cache_clear()
    module = MODULES[name]
    kind = module.batllm_brains()[0]
    make = kind.make
    with (
        ScriptedServer(serving(name)) as server,
        ScriptedServer(serving(name, "m9" if case != "up" else "m1")) as another,
    ):
        this = f"http://127.0.0.1:{closed_port()}" if case == "down" else server.url
        other = f"http://127.0.0.1:{closed_port()}" if case == "up" else another.url
        home = this if where == "default" else other
        monkeypatch.setattr(make, "home", home)
        monkeypatch.setattr(make, "key_variable", "CANARY_HOME_KEY" if name not in ("preset", "openai") else "")
        if name == "openai":
            monkeypatch.setattr(make, "key_variable", "CANARY_HOME_KEY")
        if name == "preset":
            router = replace(
                presets.preset_named("openai", "openrouter"), base_url=home, key_variable="CANARY_HOME_KEY"
            )
            monkeypatch.setattr(presets, "_known", lambda: (router,))
        value = {"no key": "", "wrong key": WRONG}.get(case, RIGHT)
        variable = "CANARY_HOME_KEY" if where == "default" else "CANARY_OWN_KEY"
        elsewhere = "CANARY_OWN_KEY" if where == "default" else "CANARY_HOME_KEY"
        monkeypatch.setenv(variable, value)
        monkeypatch.setenv(elsewhere, RIGHT if case != "up" else WRONG)
        options = {"model": "m9" if case == "no such model" else "m1"}
        if where == "own address":
            options |= {"base_url": this, "key_env": variable}
        spec = Spec(kind.name, "openrouter" if name == "preset" else "", options)
        state = seat_state({kind.name: kind}, spec)
    assert (state.why, bool(state.problem)) == (EXPECTED[case], case != "up"), state
    assert ENOUGH.get(case, "") in state.problem
    assert RIGHT not in state.problem
    assert WRONG not in state.problem
    if case == "no key":
        assert variable in state.problem
    if case != "up":
        assert this in state.problem
    else:
        assert state.model == "m1"


def test_a_server_that_wants_a_key_though_none_is_named_says_which_option_names_one():
    kind = openai.batllm_brains()[0]
    with ScriptedServer(serving("openai")) as server:
        state = seat_state({"openai": kind}, Spec("openai", "", {"base_url": server.url, "model": "m1"}))
    assert state.why == "key"
    assert "key_env=" in state.problem


def test_a_wrong_option_is_told_before_anybody_is_asked():
    kind = openai.batllm_brains()[0]
    state = seat_state({"openai": kind}, Spec("openai", "", {"think": "hard"}))
    assert (state.why, state.problem) == ("options", "think of openai must be one of auto, off, low, high, not 'hard'")
    assert seat_state({}, Spec("nobody")).why == "options"


def test_a_plugin_that_only_has_missing_is_judged_by_it_and_may_raise():
    kinds = {
        "bare": BrainKind("bare", "", lambda spec: None),
        "says": BrainKind("says", "", lambda spec: None, missing=lambda spec: f"no {spec.text('what')}"),
        "breaks": BrainKind("breaks", "", lambda spec: None, missing=lambda spec: 1 / 0),
    }
    assert seat_state(kinds, Spec("bare")).ready
    assert seat_state(kinds, Spec("says", "", {"what": "engine"})).problem == "no engine"
    assert "it failed with" in seat_state(kinds, Spec("breaks")).problem


def test_what_changes_nothing_in_that_is_left_out_of_what_is_judged():
    one = Spec("openai", "groq", {"model": "a", "name": "Ann", "deadline_s": "5"})
    assert judged(one) == judged(replace(one, options={"model": "a", "temperature": "1"}))
    assert judged(one) != judged(replace(one, options={"model": "b"}))
    assert judged(one) != judged(replace(one, options={"model": "a", "base_url": "http://127.0.0.1:1"}))
