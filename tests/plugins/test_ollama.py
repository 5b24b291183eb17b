"""The brain `ollama` against a scripted server whose answers the official SDK accepts."""

from __future__ import annotations

import json
import threading
from dataclasses import replace

import pytest
from asking import a_view
from batllm_arcade_plugins import ollama
from batllm_arcade_plugins.ollama import Ollama
from batllm_arcade_plugins.openai import OpenAI
from model_server import ScriptedServer, answer, closed_port, endless, hang, html, ndjson, slow, streamed, until_closed
from official_clients import ollama_client, ollama_types
from outages import quick_brain

from batllm_arcade import BrainError, Cancelled, Live, PullProgress, Spec, UsageError, command_schema, payload_messages
from batllm_arcade.cli.main import main

WHEN = {"model": "llama3.2", "created_at": "2026-11-21T10:00:00.000000Z"}
COUNTS = {"total_duration": 9, "load_duration": 1, "prompt_eval_count": 487, "prompt_eval_duration": 5, "eval_count": 9}
LOADED = {**WHEN, "message": {"role": "assistant", "content": ""}, "done": True, "done_reason": "load"}


def part(text="", thinking=None, done=False, **more):
    message = {"role": "assistant", "content": text, **({"thinking": thinking} if thinking is not None else {})}
    end = {"done_reason": "stop", **COUNTS} if done else {}
    return {**WHEN, "message": message, "done": done, **end, **more}


END = part(done=True)


def said(*texts):
    return ndjson(*map(part, texts), END)


def model(name, family="llama"):
    details = {"parent_model": "", "format": "gguf", "family": family, "families": [family], "parameter_size": "3.2B"}
    size, when = 2_019_393_189, "2026-11-20T10:00:00.5Z"
    return {"name": name, "model": name, "modified_at": when, "size": size, "digest": "a80c", "details": details}


def tags(*names):
    return answer({"models": [model(name) for name in names]})


def a_brain(url, **options):
    return quick_brain("ollama", url, **{"model": "llama3.2", **options})


def decide(*script, view=None, **options):
    with ScriptedServer(*script) as fake:
        return a_brain(fake.url, **options).decide(view or a_view())


def refusal(*script, view=None, **options):
    with pytest.raises(BrainError) as caught:
        decide(*script, view=view, **options)
    return str(caught.value)


def test_a_request_is_what_the_official_client_calls_a_chat_request():
    view = a_view()
    with ScriptedServer(said("M")) as fake:
        a_brain(fake.url, num_ctx="4096", temperature="0.5", keep_alive="10m").decide(view)
    sent = fake.requests[0].json
    request = ollama_types.ChatRequest.model_validate(sent)
    assert (fake.requests[0].method, fake.requests[0].path) == ("POST", "/api/chat")
    assert set(sent) - set(ollama_types.ChatRequest.model_fields) == {"truncate", "shift"}  # newer than the client
    assert set(sent["options"]) <= set(ollama_client.Options.model_fields)
    ollama_client.Options.model_validate(sent["options"], strict=True)
    assert sent["messages"] == payload_messages(view)
    system, user = (ollama_client.Message.model_validate(message, strict=True) for message in request.messages)
    assert (system.role, user.role, json.loads(user.content)["schema"]) == ("system", "user", "batllm.v3.2")
    assert (sent["model"], sent["stream"], sent["think"], sent["keep_alive"]) == ("llama3.2", True, False, "10m")
    assert (sent["truncate"], sent["shift"]) == (False, False)
    assert sent["options"].pop("seed") >= 0
    assert sent["options"] == {"num_ctx": 4096, "num_predict": 48, "temperature": 0.5}
    assert sent["format"] == command_schema()


def test_loading_and_every_play_of_both_bots_name_the_same_constants():
    """Another `num_ctx` or `shift` makes the server load the model anew."""
    with ScriptedServer(tags("llama3.2:latest"), answer(LOADED), said("M"), said("B"), said("B")) as fake:
        left, right = a_brain(fake.url), a_brain(fake.url)
        left.prepare(lambda line: None)
        left.decide(a_view())
        left.decide(a_view(3))
        right.decide(a_view(seat=1))
    sent = [request.json for request in fake.requests[1:]]
    for request in sent:
        request["options"].pop("seed", None)
    for name in ("model", "think", "truncate", "shift", "keep_alive", "options"):
        assert len({json.dumps(request[name]) for request in sent}) == 1
    assert (sent[0]["options"]["num_ctx"], sent[0]["messages"]) == (8192, [])
    assert ollama_types.ChatRequest.model_validate(sent[0]).messages == []


@pytest.mark.parametrize(("written", "sent"), [("-1", -1), ("0", 0), ("300", 300), ("1h30m", "1h30m")])
def test_keep_alive_is_seconds_or_a_duration(written, sent):
    with ScriptedServer(said("M")) as fake:
        a_brain(fake.url, keep_alive=written).decide(a_view())
    assert fake.requests[0].json["keep_alive"] == sent


@pytest.mark.parametrize("canned", [part("M"), END, LOADED, part("", "hm"), part(done=True, done_reason="length")])
def test_the_canned_answers_are_what_the_official_client_calls_a_chat_response(canned):
    ollama_client.ChatResponse.model_validate(canned)
    assert set(canned) <= set(ollama_client.ChatResponse.model_fields)
    with ScriptedServer(tags("llama3.2:latest")) as fake:
        client = ollama_client.Client(host=fake.url, trust_env=False)
        assert client.list().models[0].model == "llama3.2:latest"
        client._client.close()


def test_counts_a_server_leaves_out_are_left_out_and_an_answer_in_one_piece_will_do():
    bare = {**WHEN, "message": {"role": "assistant", "content": "M"}, "done": True}
    assert decide(ndjson(bare)).tokens is None
    assert decide(ndjson({**bare, "eval_count": 3, "prompt_eval_count": "many"})).tokens == {"completion": 3}
    assert decide(answer(bare)).command == "M"


# What goes wrong

AGAIN = {
    "no last line": (lambda: ndjson(part("M")), "in the middle of its answer"),
    "no last line, no length": (lambda: until_closed(json.dumps(part("M")).encode()), "in the middle of its answer"),
    "an error in a 200": (lambda: ndjson(part("M"), {"error": "CUDA error"}), "gave up: CUDA error"),
    "endless lines": (lambda: streamed(*[json.dumps(part("M" * 60_000)).encode() + b"\n"] * 20), "1 MiB"),
}
GONE = answer({"error": "model 'llama3.2' not found"}, 404)


@pytest.mark.parametrize("name", AGAIN)
def test_what_may_pass_is_asked_for_again_and_leaves_no_trace_in_the_answer(name):
    step, words = AGAIN[name]
    assert words in refusal(endless(step()))
    assert decide(step(), said("B")).raw == "B"


def test_a_prompt_that_was_cut_in_silence_is_noticed():
    long = replace(a_view(), prompts=("close in " * 1500, ""))
    cut = ndjson(part("M"), part(done=True, prompt_eval_count=1026))
    words = "read only 1026 tokens of the prompt; set num_ctx to 4096 or more"
    assert refusal(cut, view=long, num_ctx="2048").endswith(words)
    whole = ndjson(part("M"), part(done=True, prompt_eval_count=1900))
    assert decide(whole, view=long, num_ctx="2048").command == "M"


def test_preparing_loads_the_model_and_says_so():
    lines = []
    with ScriptedServer(tags("mistral:latest", "llama3.2:latest"), slow(0.3, answer(LOADED))) as fake:
        a_brain(fake.url).prepare(lines.append)
    assert [(each.method, each.path) for each in fake.requests] == [("GET", "/api/tags"), ("POST", "/api/chat")]
    assert lines[1].startswith("loading llama3.2")
    assert lines[-1] == "llama3.2 is loaded"


@pytest.mark.parametrize(("script", "options", "words"), [
    ([tags("a", "b:7b"), GONE], {}, "has no model 'llama3.2'; run `ollama pull llama3.2` (it has a, b:7b)"),
    ([tags()], {}, "has no model yet; run `ollama pull llama3.2`"),
    ([tags()], {"model": ""}, "has no model yet; run `ollama pull llama3.2`"),
    ([answer({"models": [7, {"name": 3}]})], {}, "has no model yet"),
    ([html(404), html(404)], {}, "is no Ollama"),
    ([html()], {}, "not JSON"),
    ([tags("llama3.2"), endless(answer({"error": "no system memory"}, 500))], {}, "memory"),
    ([tags("llama3.2"), answer({"error": "no room"})], {}, "gave up: no room"),
])  # fmt: skip
def test_what_keeps_it_from_starting_is_said_with_what_to_do(script, options, words):
    with ScriptedServer(*script) as fake, pytest.raises(BrainError) as caught:
        a_brain(fake.url, **options).prepare(lambda line: None)
    assert words in str(caught.value)


def test_a_missing_server_is_said_with_the_command_that_starts_it():
    url = f"http://127.0.0.1:{closed_port()}"
    said = f"Ollama at {url} does not take connections; start it with `ollama serve`"
    with pytest.raises(BrainError) as caught:
        a_brain(url).prepare(lambda line: None)
    assert str(caught.value) == Ollama.missing(Spec("ollama", "", {"base_url": url})) == said


@pytest.mark.parametrize("options", [{"modle": "x"}, {"num_ctx": "8"}, {"base_url": "localhost"}, {"proxy": "x"}])
def test_bad_options_are_refused_when_it_is_made(options):
    with pytest.raises(UsageError):
        Ollama(Spec("ollama", "", options))


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


def test_a_context_that_a_round_outgrows_is_told_before_the_match_begins(capsys, tmp_path):
    asked = []

    def step(to):
        if to.request.method == "GET":
            return tags("llama3.2:latest")(to)
        if to.request.json["messages"]:
            asked.append(capsys.readouterr().err)
        return (said("M") if to.request.json["messages"] else answer(LOADED))(to)

    with ScriptedServer(endless(step)) as fake:
        match = ["--right", "scripted:turtle", "--rounds", "1", "--history", str(tmp_path / "s.json")]
        main(["run", "--left", f"ollama:base_url={fake.url},num_ctx=1024", *match])
    assert "left: llama3.2:latest has room for 1,024 tokens" in asked[0]
    assert "set num_ctx=4096 or payload.history_window" in asked[0]


@pytest.mark.parametrize("entry", [{"max_model_len": 1024}, {"meta": {"n_ctx": 1024}}, {"context_length": 1024}])
def test_a_context_is_as_large_as_the_server_s_list_says(entry):
    brain = OpenAI(Spec("openai", "", {"model": "m"}))
    brain.find(lambda path, body=None: {"data": [{"id": "other", "max_model_len": 9}, {"id": "m", **entry}]})
    assert brain.context_size == 1024
    assert "a larger context at the server" in brain.foresee(a_view())
