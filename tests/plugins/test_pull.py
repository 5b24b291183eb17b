"""Fetching a model through Ollama: how far it is, giving up, errors, going on."""

from __future__ import annotations

import threading

import pytest
from batllm_arcade_plugins import ollama
from model_server import ScriptedServer, answer, closed_port, hang, ndjson

from batllm_arcade import BrainError, Cancelled, Live, PullProgress, Spec

KIND = ollama.batllm_brains()[0]
LAYERS = (
    {"status": "pulling manifest"},
    {"status": "pulling aaa", "digest": "aaa", "total": 100},
    {"status": "pulling aaa", "digest": "aaa", "total": 100, "completed": 60},
    {"status": "pulling bbb", "digest": "bbb", "total": 300, "completed": 300},
    {"status": "pulling aaa", "digest": "aaa", "total": 100, "completed": 100},
    {"status": "verifying sha256 digest"},
    {"status": "success"},
)


def pulled(url, model="llama3.2", live=None, **options):
    told = []
    KIND.pull(Spec("ollama", "", {"base_url": url, **options}), model, live or Live(), told.append)
    return told


def test_its_layers_are_told_as_one_amount():
    with ScriptedServer(ndjson(*LAYERS)) as fake:
        told = pulled(fake.url, " qwen3:4b ")
    (request,) = fake.requests
    assert (request.path, request.json) == ("/api/pull", {"model": "qwen3:4b", "stream": True})
    assert [(each.done, each.total) for each in told] == [
        (0, 0), (0, 100), (60, 100), (360, 400), (400, 400), (400, 400), (400, 400)
    ]  # fmt: skip
    assert [each.share for each in told[:3]] == [None, 0.0, 0.6]
    assert told[-1] == PullProgress("success", 400, 400)


def test_what_broke_off_is_asked_for_again_and_goes_on():
    with ScriptedServer(ndjson(*LAYERS[:3]), ndjson(*LAYERS[3:])) as fake:
        assert pulled(fake.url)[-1].words == "success"
    assert len(fake.requests) == 2


@pytest.mark.parametrize(("step", "words"), [
    (ndjson(LAYERS[0], {"error": "pull model manifest: file does not exist"}), "could not fetch 'llama3.2': pull"),
    (answer({"error": "no space left on device"}, 500), "no space left on device"),
    (answer({"error": "unauthorized"}, 401), "does not let us in"),
    (answer("<html>", 404, content_type="text/html"), "is no Ollama"),
])  # fmt: skip
def test_what_goes_wrong_is_one_sentence(step, words, monkeypatch):
    monkeypatch.setattr("batllm_arcade.models.provider.PATIENCE", ollama_once())
    with ScriptedServer(step) as fake, pytest.raises(BrainError, match=words):
        pulled(fake.url)


def ollama_once():
    from batllm_arcade.models.failures import ONCE

    return ONCE


def test_a_server_that_is_not_there_and_a_model_without_a_name_are_told(monkeypatch):
    monkeypatch.setattr("batllm_arcade.models.provider.PATIENCE", ollama_once())
    with pytest.raises(BrainError, match="start it with `ollama serve`"):
        pulled(f"http://127.0.0.1:{closed_port()}")
    with pytest.raises(BrainError, match="no model is named"):
        pulled("http://127.0.0.1:1", "  ")


def test_it_is_given_up_at_once_and_the_server_is_hung_up_on():
    live, raised = Live(), []

    def work(url):
        try:
            pulled(url, live=live)
        except Cancelled as error:
            raised.append(error)

    with ScriptedServer(hang()) as fake:
        thread = threading.Thread(target=work, args=(fake.url,))
        thread.start()
        assert fake.asked.wait(10)
        live.cancel()
        thread.join(10)
        assert fake.hung_up.wait(10)
    assert len(raised) == 1


def test_models_to_fetch_are_offered_by_name_with_their_size():
    assert KIND.pullable[0] == "llama3.2"
    assert set(KIND.pull_sizes) == set(KIND.pullable)
