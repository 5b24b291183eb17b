"""The brain `ollama` against a scripted server whose answers the official SDK accepts."""

from __future__ import annotations

import ast
import importlib.util
import json
import sys
from dataclasses import replace
from pathlib import Path
from random import Random

import batllm_arcade_plugins.ollama as plugin
import pytest
from batllm_arcade_plugins.ollama import Ollama, batllm_brains
from fakes import PublishedTexts
from model_server import (
    ScriptedServer,
    answer,
    closed_port,
    endless,
    flood,
    gzip_bomb,
    hang,
    hang_up,
    html,
    ndjson,
    not_utf8,
    reset,
    slow,
    streamed,
    truncated,
    until_closed,
)
from official_clients import ollama_client, ollama_types
from outages import skipping
from resources import HANGS_S

from batllm_arcade import BrainError, Cancelled, Live, Spec, UsageError, View, command_schema, payload_messages
from batllm_arcade.core.commands import Nothing, parse
from batllm_arcade.core.model import Arena, BotState, Rules
from batllm_arcade.models import http_client
from batllm_arcade.models.deadline import Deadline

ARENA = Arena(BotState(200, 500, 0, 100, True), BotState(800, 500, 180, 100, True))
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
    when = "2026-11-20T10:00:00.5Z"
    return {
        "name": name,
        "model": name,
        "modified_at": when,
        "size": 2_019_393_189,
        "digest": "a80c",
        "details": details,
    }


def tags(*models):
    return answer({"models": [model(name) for name in models]})


def a_view(deadline_s=90.0, **more):
    return View(
        seat=0, rules=Rules(), game=1, round=1, turn=1, number=1, acting_order=(0, 1), prompts=("Attack!", "Hide."),
        arena=ARENA, initial=ARENA, system_header="Answer one token.", rng=Random(7), live=Live(deadline_s), **more,
    )  # fmt: skip


def a_brain(url, **options):
    brain = Ollama(Spec("ollama", "", {"model": "llama3.2", "base_url": url, **options}))
    skipping(brain.server)
    return brain


def decide(*script, view=None, **options):
    with ScriptedServer(*script) as fake:
        return a_brain(fake.url, **options).decide(view or a_view())


def refusal(*script, view=None, **options):
    with ScriptedServer(*script) as fake, pytest.raises(BrainError) as caught:
        a_brain(fake.url, **options).decide(view or a_view())
    return caught.value


def preparing(*script, **options):
    with ScriptedServer(*script) as fake:
        brain, lines = a_brain(fake.url, **options), []
        brain.prepare(lines.append)
    return fake, brain, lines


# What is sent


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
    assert (system.role, user.role) == ("system", "user")
    assert json.loads(user.content)["schema"] == "batllm.v3.2"
    assert (sent["model"], sent["stream"], sent["think"], sent["keep_alive"]) == ("llama3.2", True, False, "10m")
    assert (sent["truncate"], sent["shift"]) == (False, False)
    assert sent["options"].pop("seed") >= 0
    assert sent["options"] == {"num_ctx": 4096, "num_predict": 48, "temperature": 0.5}
    assert sent["format"] == command_schema()


def test_without_augmentation_there_is_no_system_message():
    view = a_view()
    view = replace(view, style=replace(view.style, aug=False))
    with ScriptedServer(said("M")) as fake:
        a_brain(fake.url).decide(view)
    assert [message["role"] for message in fake.requests[0].json["messages"]] == ["user"]


def test_loading_and_every_play_of_both_bots_name_the_same_constants():
    with ScriptedServer(tags("llama3.2:latest"), answer(LOADED), said("M"), said("B"), said("B")) as fake:
        left, right = a_brain(fake.url), a_brain(fake.url)
        left.prepare(lambda line: None)
        left.decide(a_view())
        left.decide(replace(a_view(), turn=2))
        right.decide(replace(a_view(), seat=1))
    sent = [request.json for request in fake.requests[1:]]
    for name in ("model", "think", "truncate", "shift", "keep_alive"):
        assert len({json.dumps(request[name]) for request in sent}) == 1
    for request in sent:
        request["options"].pop("seed", None)
    assert all(request["options"] == sent[0]["options"] for request in sent)
    assert sent[0]["options"]["num_ctx"] == 8192
    assert sent[0]["messages"] == []
    assert ollama_types.ChatRequest.model_validate(sent[0]).messages == []


def test_the_seat_s_stream_gives_each_play_its_seed():
    def seeds():
        view = a_view()
        with ScriptedServer(said("M"), said("M")) as fake:
            brain = a_brain(fake.url)
            brain.decide(view)
            brain.decide(view)
        return [request.json["options"]["seed"] for request in fake.requests], view.rng.random()

    stream = Random(7)
    assert seeds() == ([stream.getrandbits(31), stream.getrandbits(31)], stream.random())


@pytest.mark.parametrize(("written", "sent"), [("-1", -1), ("0", 0), ("300", 300), ("1h30m", "1h30m")])
def test_keep_alive_is_seconds_or_a_duration(written, sent):
    with ScriptedServer(said("M")) as fake:
        a_brain(fake.url, keep_alive=written).decide(a_view())
    assert fake.requests[0].json["keep_alive"] == sent


# What comes back


@pytest.mark.parametrize("canned", [part("M"), END, LOADED, part("", "hm"), part(done=True, done_reason="length")])
def test_the_canned_answers_are_what_the_official_client_calls_a_chat_response(canned):
    ollama_client.ChatResponse.model_validate(canned)
    assert set(canned) <= set(ollama_client.ChatResponse.model_fields)


def test_the_official_client_reads_the_canned_answers():
    models = [model("llama3.2:latest"), model("bge", "bert")]
    assert [found.model for found in ollama_client.ListResponse.model_validate({"models": models}).models] == [
        "llama3.2:latest",
        "bge",
    ]
    with ScriptedServer(tags("llama3.2:latest"), said("C1", "7")) as fake:
        client = ollama_client.Client(host=fake.url, trust_env=False)
        assert client.list().models[0].model == "llama3.2:latest"
        parts = list(client.chat(model="llama3.2", messages=[{"role": "user", "content": "?"}], stream=True))
        client._client.close()
    assert "".join(each.message.content for each in parts) == "C17"


@pytest.mark.parametrize(
    ("texts", "command"),
    [
        (["M"], "M"),
        (["C1", "7"], "C17"),
        (['"C17"'], "C17"),
        (['{"cmd', '": "B"}'], "B"),
        (['{"cmd": "S0"}', "\n\n   "], "S0"),
        (["<think>Close.</think>\n", "A5"], "A5"),
    ],
)
def test_a_command_is_found_and_the_text_kept_as_it_came(texts, command):
    decision = decide(said(*texts))
    assert decision.command == command
    assert decision.raw == "".join(texts)
    assert decision.tokens == {"prompt": 487, "completion": 9}


@pytest.mark.parametrize(
    "text",
    [
        "Sure:\n```\nM\n```",
        "I would move: M",
        '{"cmd": "M"',
        '{"cmd": 5}',
        '{"thinking": "M"}',
        "M\nM",
        "[" * 900,
    ],
)
def test_text_that_is_no_command_stays_none(text):
    decision = decide(said(text))
    assert decision.raw == text
    assert isinstance(parse(decision.command), Nothing)
    assert parse(decision.command).reason


def test_an_answer_cut_by_num_predict_counts_if_it_is_whole():
    cut = part(done=True, done_reason="length")
    assert decide(ndjson(part('{"cmd": "M"}   '), cut)).command == "M"


def test_a_thought_is_shown_and_never_obeyed():
    assert decide(ndjson(part("", "B now"), part("M"), END)).thought == "B now"
    assert decide(said("<think>closer</think>M")).thought == "closer"
    error = refusal(ndjson(part("", "B"), END))
    assert str(error) == "llama3.2 gave no command, it only thought; use a model that answers at once"


@pytest.mark.parametrize("texts", [[], [""], [" \n\n"]])
def test_an_empty_answer_is_a_failure(texts):
    assert "its answer was empty" in str(refusal(said(*texts)))


def test_the_text_so_far_is_published_while_the_model_speaks():
    live = PublishedTexts()
    decide(ndjson(part("", "hm"), part("C1"), part("7"), END), view=replace(a_view(), live=live))
    assert live.texts == ["hm", "C1", "C17", "C17"]


def test_counts_a_server_leaves_out_are_left_out():
    bare = {**WHEN, "message": {"role": "assistant", "content": "M"}, "done": True}
    assert decide(ndjson(bare)).tokens is None
    assert decide(ndjson({**bare, "eval_count": 3, "prompt_eval_count": "many"})).tokens == {"completion": 3}


def test_an_answer_in_one_piece_will_do():
    assert decide(answer({**WHEN, "message": {"role": "assistant", "content": "M"}, "done": True})).command == "M"


# What goes wrong


AGAIN = {
    "hang up": (hang_up, "hung up"),
    "reset": (reset, "hung up"),
    "truncated": (lambda: truncated(part("M")), "hung up"),
    "cut off": (lambda: ndjson(part("M"), whole=False), "hung up"),
    "no last line": (lambda: ndjson(part("M")), "in the middle of its answer"),
    "no last line, no length": (lambda: until_closed(json.dumps(part("M")).encode()), "in the middle of its answer"),
    "500": (lambda: answer({"error": "llama runner process has terminated"}, 500), "runner process has terminated"),
    "503": (lambda: answer({"error": "server busy, please try again."}, 503), "server busy"),
    "429": (lambda: answer({"error": "too many"}, 429), "too many"),
    "an error in a 200": (lambda: ndjson(part("M"), {"error": "CUDA error"}), "gave up: CUDA error"),
    "50 MB": (flood, "1 MiB"),
    "gzip bomb": (gzip_bomb, "1 MiB"),
    "endless lines": (lambda: streamed(*[json.dumps(part("M" * 60_000)).encode() + b"\n"] * 20), "1 MiB"),
}
ONCE = {
    "401": (lambda: answer({}, 401), "does not let us in"),
    "unknown model": (lambda: answer({"error": "model 'llama3.2' not found"}, 404), "run `ollama pull llama3.2`"),
    "no Ollama": (lambda: html(404), "is no Ollama; check base_url"),
    "HTML": (html, "not JSON"),
    "not UTF-8": (not_utf8, "not UTF-8"),
    "too long a prompt": (
        lambda: answer(
            {"error": "the prompt is longer than the context length currently available to the model; x"}, 400
        ),
        "set num_ctx to 16384",
    ),
    "no message": (lambda: ndjson({"response": "M", "done": True}), "does not answer as Ollama does"),
    "content is no text": (
        lambda: ndjson({"message": {"content": ["M"]}, "done": True}),
        "does not answer as Ollama does",
    ),
    "message is no object": (lambda: ndjson({"message": "M", "done": True}), "does not answer as Ollama does"),
    "a list": (lambda: ndjson(["M"]), "not JSON"),
    "prose around it": (lambda: streamed(b"Sure! M\n"), "not JSON"),
}


@pytest.mark.parametrize("name", AGAIN)
def test_what_may_pass_is_asked_three_times_and_never_taken_for_an_answer(name):
    step, words = AGAIN[name]
    assert words in str(refusal(endless(step())))


@pytest.mark.parametrize("name", AGAIN)
def test_what_has_passed_leaves_no_trace_in_the_answer(name):
    assert decide(AGAIN[name][0](), said("B")).raw == "B"


@pytest.mark.parametrize("name", ONCE)
def test_what_will_not_change_is_asked_once(name):
    step, words = ONCE[name]
    assert words in str(refusal(step()))


def test_a_deadline_drops_what_has_come_so_far(monkeypatch):
    made = []
    monkeypatch.setattr(http_client, "Deadline", lambda limit_s: made.append(Deadline(limit_s)) or made[-1])
    with ScriptedServer(ndjson(part("M"), part("M"), END, pause=HANGS_S)) as fake:
        live = Live(10 * HANGS_S, published=lambda text: made[0].stop("late"))
        with pytest.raises(Cancelled):
            a_brain(fake.url).decide(replace(a_view(), live=live))
        assert live.text == "M"
        assert fake.hung_up.wait(HANGS_S)


def test_closing_the_brain_ends_its_request():
    with ScriptedServer(hang()) as fake:
        brain = a_brain(fake.url)
        fake.when_asked(brain.close)
        with pytest.raises(Cancelled):
            brain.decide(a_view(deadline_s=60))


def test_a_prompt_that_was_cut_in_silence_is_noticed():
    long = replace(a_view(), prompts=("close in " * 1500, ""))
    error = refusal(ndjson(part("M"), part(done=True, prompt_eval_count=1026)), view=long, num_ctx="2048")
    assert str(error).endswith("read only 1026 tokens of the prompt; set num_ctx to 4096 or more")
    whole = ndjson(part("M"), part(done=True, prompt_eval_count=1900))
    assert decide(whole, view=long, num_ctx="2048").command == "M"


# Starting


def test_preparing_loads_the_model_and_says_so():
    fake, brain, lines = preparing(tags("mistral:latest", "llama3.2:latest"), slow(0.3, answer(LOADED)))
    assert [(request.method, request.path) for request in fake.requests] == [
        ("GET", "/api/tags"),
        ("POST", "/api/chat"),
    ]
    assert brain.model == "llama3.2"
    assert lines[1].startswith("loading llama3.2")
    assert lines[-1] == "llama3.2 is loaded"


def test_without_a_name_the_first_model_that_can_chat_is_taken():
    listed = answer({"models": [model("bge-m3:latest", "bert"), model("qwen3:4b"), model("llama3.2")]})
    _, brain, _ = preparing(listed, answer(LOADED), model="")
    assert brain.model == "qwen3:4b"


def test_a_brain_that_was_not_prepared_finds_its_model_itself():
    with ScriptedServer(tags("qwen3:4b"), said("M"), said("B")) as fake:
        brain = a_brain(fake.url, model="")
        brain.decide(a_view())
        brain.decide(a_view())
    assert [request.json["model"] for request in fake.requests[1:]] == ["qwen3:4b"] * 2


GONE = answer({"error": "model 'llama3.2' not found"}, 404)


@pytest.mark.parametrize(
    ("script", "options", "words"),
    [
        ([tags("a", "b:7b"), GONE], {}, "has no model 'llama3.2'; run `ollama pull llama3.2` (it has a, b:7b)"),
        ([tags()], {}, "has no model yet; run `ollama pull llama3.2`"),
        ([tags()], {"model": ""}, "has no model yet; run `ollama pull llama3.2`"),
        ([answer({"models": [7, {"name": 3}]})], {}, "has no model yet"),
        ([html(404), html(404)], {}, "is no Ollama"),
        ([html()], {}, "not JSON"),
        ([tags("llama3.2"), endless(answer({"error": "no system memory"}, 500))], {}, "memory"),
        ([tags("llama3.2"), answer({"error": "no room"})], {}, "gave up: no room"),
    ],
)  # fmt: skip
def test_what_keeps_it_from_starting_is_said_with_what_to_do(script, options, words):
    with ScriptedServer(*script) as fake, pytest.raises(BrainError) as caught:
        a_brain(fake.url, **options).prepare(lambda line: None)
    assert words in str(caught.value)


def test_an_unknown_model_is_told_apart_from_what_may_pass():
    with ScriptedServer(tags("qwen3:4b"), GONE) as fake, pytest.raises(BrainError) as caught:
        a_brain(fake.url).prepare(lambda line: None)
    assert caught.value.fatal


def test_a_missing_server_is_said_with_the_command_that_starts_it():
    url = f"http://127.0.0.1:{closed_port()}"
    with pytest.raises(BrainError) as caught:
        a_brain(url).prepare(lambda line: None)
    assert str(caught.value) == f"Ollama at {url} does not take connections; start it with `ollama serve`"
    assert Ollama.missing(Spec("ollama", "", {"base_url": url})) == str(caught.value)


def test_missing_says_nothing_when_it_could_play():
    with ScriptedServer(tags("llama3.2:latest"), tags("qwen3:4b"), GONE) as fake:
        assert Ollama.missing(Spec("ollama", "", {"base_url": fake.url, "model": "llama3.2"})) == ""
        assert "ollama pull llama3.2" in Ollama.missing(Spec("ollama", "", {"base_url": fake.url, "model": "llama3.2"}))


def test_missing_does_not_wait_for_a_server_that_hangs():
    with ScriptedServer(hang()) as fake:
        assert "did not answer within 1.2 s" in Ollama.missing(Spec("ollama", "", {"base_url": fake.url}))
        assert fake.hung_up.wait(HANGS_S), "it was the server that hung up"


@pytest.mark.parametrize(
    "options",
    [
        {"modle": "x"},
        {"num_ctx": "lots"},
        {"num_ctx": "8"},
        {"base_url": "localhost"},
        {"temperature": "-1"},
        {"proxy": "x"},
    ],
)
def test_bad_options_are_refused_when_it_is_made(options):
    with pytest.raises(UsageError):
        Ollama(Spec("ollama", "", options))


# As a plugin


def test_the_hook_offers_one_kind_that_listens_to_prompts():
    (kind,) = batllm_brains()
    assert (kind.name, kind.make, kind.prompted, kind.human) == ("ollama", Ollama, True, False)


def test_the_file_alone_is_a_plugin_that_uses_public_names_only():
    path = Path(plugin.__file__)
    spec = importlib.util.spec_from_file_location("dropped_in", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules["dropped_in"] = module
    try:
        spec.loader.exec_module(module)
    finally:
        del sys.modules["dropped_in"]
    assert module.batllm_brains()[0].name == "ollama"
    imported = [
        node for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, (ast.Import, ast.ImportFrom))
    ]
    modules = {getattr(node, "module", None) or node.names[0].name for node in imported}
    assert {name for name in modules if name.startswith("batllm")} == {"batllm_arcade"}
