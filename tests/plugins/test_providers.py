"""Gemini, Mistral and OpenAI-style servers: what is sent, what comes back, as the official types have it."""

from __future__ import annotations

import sys
from random import Random

import pytest
from asking import a_view
from batllm_arcade_plugins import gemini, mistral
from model_server import ScriptedServer, answer, drip_body, endless, hang
from official_clients import genai, google_types, mistral_client, mistral_models
from outages import quick_brain as a_brain
from providers import (
    CANARY,
    PROVIDERS,
    candidate,
    chunk,
    gemini_body,
    gemini_error,
    gemini_said,
    mistral_said,
    reply,
    spoken,
    sse,
)
from resources import HANGS_S

from batllm_arcade import (
    BrainError,
    Cancelled,
    Spec,
    command_grammar,
    command_schema,
    payload_messages,
)
from batllm_arcade.cli.main import main
from batllm_arcade.models.deadline import Deadline
from batllm_arcade.plugin import availability
from batllm_arcade.plugin.availability import missing as all_missing
from batllm_arcade.prompts import buttons
from batllm_arcade.prompts.buttons import ButtonFormat
from batllm_arcade.prompts.formats import instructed, portable_schema

GOOD = reply()


def asked(name, *script, view=None, **options):
    """The decision and the one request, or all of them."""
    with ScriptedServer(*script) as fake:
        decision = a_brain(name, fake.url, **options).decide(view or a_view())
    return decision, fake.requests[0] if len(script) == 1 else fake.requests


def refusal(name, *script, **options):
    with ScriptedServer(*script) as fake, pytest.raises(BrainError) as caught:
        a_brain(name, fake.url, **options).decide(a_view())
    return str(caught.value)


def text_of(view):
    system, user = instructed(payload_messages(view, ButtonFormat().this_turn(view)), ButtonFormat().instructions(view))
    return system["content"], user["content"]


SEED = Random(7).getrandbits(31)
SCHEMA = portable_schema(buttons.schema("battle"))

# Gemini


def test_gemini_is_asked_what_google_s_own_client_would_ask():
    view = a_view()
    decision, request = asked("gemini", gemini_said(GOOD[:9], GOOD[9:]), view=view)
    system, user = text_of(view)
    config = google_types.GenerateContentConfig(
        system_instruction=[system], temperature=0.8, max_output_tokens=800, seed=SEED,
        response_mime_type="application/json", response_json_schema=SCHEMA,
        thinking_config=google_types.ThinkingConfig(thinking_budget=0),
    )  # fmt: skip
    with ScriptedServer(gemini_said(GOOD[:9], GOOD[9:])) as fake:
        how = google_types.HttpOptions(base_url=fake.url, api_version="v1beta")
        client = genai.Client(api_key="x", http_options=how)
        contents = [google_types.Content(role="user", parts=[google_types.Part(text=user)])]
        parts = client.models.generate_content_stream(model="gemini-2.5-flash", contents=contents, config=config)
        theirs = "".join(part.text for part in parts)
        client.close()
    (expected,) = fake.requests
    assert request.path == expected.path == "/v1beta/models/gemini-2.5-flash:streamGenerateContent?alt=sse"
    assert request.headers["x-goog-api-key"] == CANARY
    ours, sdk_body = request.json, expected.json
    sdk_body["systemInstruction"].pop("role", None)
    both = [body["generationConfig"].pop("thinkingConfig") for body in (ours, sdk_body)]  # in either spelling
    assert len({google_types.ThinkingConfig.model_validate(each).model_dump_json() for each in both}) == 1
    assert ours == sdk_body
    google_types.GenerationConfig.model_validate(ours["generationConfig"])
    assert theirs == decision.raw == GOOD
    assert decision.command == "B"
    assert decision.tokens == {"prompt": 487, "completion": 63}


@pytest.mark.parametrize(
    ("model", "thinking"),
    [
        ("gemini-2.5-flash", {"thinkingBudget": 0}),
        ("gemini-2.5-flash-lite", {"thinkingBudget": 0}),
        ("gemini-2.5-pro", {"thinkingBudget": 128, "includeThoughts": True}),
        ("gemini-3-pro-preview", {"thinkingLevel": "low", "includeThoughts": True}),
        ("gemini-3.1-flash", {"thinkingLevel": "low", "includeThoughts": True}),
        ("gemini-2.0-flash", None),
        ("gemma-3-27b-it", None),
    ],
)
def test_gemini_thinks_as_little_as_each_generation_allows_and_shows_it(model, thinking):
    _, request = asked("gemini", answer(gemini_body(candidate(GOOD))), model=model)
    assert request.json["generationConfig"].get("thinkingConfig") == thinking
    if thinking:
        google_types.ThinkingConfig.model_validate(thinking)


SOON = {"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "0.05s"}


def quota(period):
    name = f"GenerateRequestsPer{period}PerProjectPerModel-FreeTier"
    return {"@type": "type.googleapis.com/google.rpc.QuotaFailure", "violations": [{"quotaId": name}]}


def exhausted(*details):
    return answer(gemini_error(429, "RESOURCE_EXHAUSTED", "You exceeded your current quota", *details), 429)


def test_gemini_s_delay_in_the_body_is_waited_for():
    decision, requests = asked("gemini", exhausted(quota("Minute"), SOON), answer(gemini_body(candidate(GOOD))))
    assert (decision.command, len(requests)) == ("B", 2)


# Gemini behind gateways

NO_SUCH_ROUTE = answer({"detail": "Not Found"}, 404)  # litellm
GEMINI_PATHS = ["/v1beta/models/smol", "/v1beta/models?pageSize=1000", "/v1beta/models/smol:generateContent"]


def gemini_missing(*script, model="smol", asked=GEMINI_PATHS):
    with ScriptedServer(*script) as fake:
        problem = gemini.Gemini.missing(Spec("gemini", "", {"base_url": fake.url, "model": model}))
    assert [request.path for request in fake.requests] == asked[: len(script)]
    return problem


def test_a_gateway_without_the_model_s_route_is_asked_for_its_list():
    listed = {"models": [{"name": "models/other"}, {"name": "models/smol"}]}
    assert gemini_missing(NO_SUCH_ROUTE, answer(listed)) == ""
    assert gemini_missing(answer({}, 405), answer({"models": [{"name": "smol"}]})) == ""
    assert gemini_missing(answer({}, 405), answer({"data": [{"id": "smol"}]})) == ""
    unknown = PROVIDERS["gemini"].unknown_model()
    problem = gemini_missing(NO_SUCH_ROUTE, answer({"models": [{"name": "models/a"}, {"name": "models/b"}]}), unknown)
    assert "has no model 'smol'; set model to another (it has a, b)" in problem
    # One that Google itself does not know is asked once; a missing route does not blame the model.
    gone = answer(gemini_error(404, "NOT_FOUND", "models/smol is not found for API version v1beta"), 404)
    assert "has no model 'smol'" in gemini_missing(gone, gone, asked=GEMINI_PATHS[::2])
    assert "has no model" not in refusal("gemini", NO_SUCH_ROUTE, NO_SUCH_ROUTE)


NO_MODEL = answer(gemini_error(404, "NOT_FOUND", "models/smol is not found"), 404)
BAD_NAME = answer({"error": {"message": "Invalid model name passed in model=smol", "code": "400"}}, 400)
NO_KEY = answer({"error": {"message": "Authentication Error, no api key passed in"}}, 400)


@pytest.mark.parametrize(("listed", "answered", "says"), [
    (NO_SUCH_ROUTE, answer(gemini_body(candidate("B"))), ""),
    (answer({"detail": "not for this key"}, 403), answer(gemini_body({"finishReason": "MAX_TOKENS"})), ""),
    (NO_SUCH_ROUTE, answer({"error": {"code": 429, "message": "slow down"}}, 429), ""),
    (NO_SUCH_ROUTE, NO_SUCH_ROUTE, "does not speak as Gemini does (404); check base_url"),
    (NO_SUCH_ROUTE, NO_MODEL, "has no model 'smol'"),
    (NO_SUCH_ROUTE, BAD_NAME, "Invalid model"),
    (NO_SUCH_ROUTE, NO_KEY, "key_env=GEMINI_API_KEY"),
])  # fmt: skip
def test_a_gateway_without_a_list_is_asked_a_short_question_and_told_as_it_refuses(listed, answered, says):
    problem = gemini_missing(NO_SUCH_ROUTE, listed, answered)
    assert says in problem
    assert says or not problem


def longest(request):
    return request.json["generationConfig"]["maxOutputTokens"]


@pytest.mark.parametrize(
    ("model", "about", "most"),
    [
        ("smol", {}, 800),
        ("gemini-2.0-flash", {}, 800),
        ("gemini-2.5-flash", {"thinking": True}, 800),  # told not to think
        ("gemini-2.5-pro", {"thinking": True}, 4896),
        ("gemini-2.5-pro", {"thinking": False}, 800),
        ("gemini-3-pro-preview", {}, 4896),
        ("gemini-flash-latest", {"thinking": True}, 4896),
        ("gemini-3-pro-preview", {"outputTokenLimit": 1024}, 1024),
        ("smol", {"thinking": "yes", "outputTokenLimit": "many"}, 800),
    ],
)
def test_gemini_s_longest_answer_follows_what_the_model_is(model, about, most):
    good = answer(gemini_body(candidate(GOOD)))
    with ScriptedServer(answer({"name": model, **about}), good, good) as fake:
        brain = a_brain("gemini", fake.url, model=model)
        brain.prepare(lambda line: None)
        brain.decide(a_view())
    assert longest(fake.requests[2]) == most


@pytest.mark.parametrize("name", PROVIDERS)
def test_a_runaway_is_cut_at_the_deadline_and_the_next_play_does_not_queue_behind_it(name):
    text = GOOD if name in ("gemini", "mistral") else "B"
    with ScriptedServer(drip_body(), PROVIDERS[name].said(text)) as fake:
        brain = a_brain(name, fake.url)
        with pytest.raises(Cancelled):
            brain.decide(a_view(deadline_s=0.2))
        assert brain.decide(a_view()).command == "B"
        assert fake.hung_up.wait(HANGS_S), "the server is told that nobody listens any more"
    first, second = fake.requests
    assert first.client != second.client


# Mistral


def test_mistral_is_asked_what_its_own_client_would_ask():
    view = a_view()
    decision, request = asked("mistral", mistral_said(GOOD[:9], GOOD[9:]), view=view)
    system, user = text_of(view)
    with (
        ScriptedServer(mistral_said(GOOD[:9], GOOD[9:])) as fake,
        mistral_client.Mistral(api_key="x", server_url=fake.url) as client,
        client.chat.stream(
            model="mistral-small-latest", temperature=0.8, max_tokens=800, random_seed=SEED,
            messages=[{"role": "system", "content": system}, {"role": "user", "content": user}],
            response_format={"type": "json_schema", "json_schema": {"name": "answer", "schema": SCHEMA}},
        ) as theirs,
    ):  # fmt: skip
        text = "".join(part.data.choices[0].delta.content for part in theirs)
    (expected,) = fake.requests
    assert request.path == expected.path == "/v1/chat/completions"
    assert request.headers["authorization"] == f"Bearer {CANARY}"
    expected_body = {name: value for name, value in expected.json.items() if value not in (None, False)}
    assert request.json == expected_body
    assert set(request.json) <= set(mistral_models.ChatCompletionRequest.model_fields)
    mistral_models.ChatCompletionRequest.model_validate(request.json)
    assert text == decision.raw == GOOD
    assert (decision.command, decision.tokens) == ("B", {"prompt": 487, "completion": 63})


# OpenAI-style servers


def test_an_openai_style_server_is_asked_for_a_stream_in_the_answer_s_form():
    view = a_view()
    decision, request = asked("openai", spoken('{"cmd": ', '"C17"}'), view=view)
    assert (decision.raw, decision.command) == ('{"cmd": "C17"}', "C17")
    assert decision.tokens == {"prompt": 487, "completion": 63}
    assert request.headers["authorization"] == f"Bearer {CANARY}"
    for options, there in (({"form": "none"}, set()), ({"form": "grammar"}, {"grammar"}),
                           ({"form": "grammar", "reply": "json"}, {"response_format"})):  # fmt: skip
        _, other = asked("openai", spoken(GOOD if "reply" in options else "M"), **options)
        assert {"grammar", "response_format"} & set(other.json) == there
    assert request.json == {
        "model": "local-model", "messages": payload_messages(view), "seed": SEED, "temperature": 0.8, "max_tokens": 48,
        "stream": True, "stream_options": {"include_usage": True},
        "response_format": {"type": "json_schema", "json_schema": {"name": "answer", "schema": command_schema()}},
    }  # fmt: skip


def listing(*names, owner="someone"):
    return answer({"object": "list", "data": [{"id": name, "object": "model", "owned_by": owner} for name in names]})


def test_llama_cpp_gets_the_grammar_and_serves_its_model_under_any_name():
    with ScriptedServer(listing("a.gguf", owner="llamacpp"), spoken("M")) as fake:
        brain = a_brain("openai", fake.url)
        brain.prepare(lambda line: None)
        assert brain.decide(a_view()).command == "M"
    sent = fake.requests[1].json
    assert (sent["grammar"], sent["model"]) == (command_grammar(), "local-model")
    assert "response_format" not in sent
    assert sent["chat_template_kwargs"] == {"enable_thinking": False}


@pytest.mark.parametrize(
    ("step", "words"),
    [
        (sse(chunk({"content": "M"}), b'data: {"error": {"message": "out of memory"}}\n\n'), "gave up: out of memory"),
        (sse(chunk({"content": "M"}), b'error: {"error": "slot"}\n\n'), "gave up: slot"),
        (sse(chunk({"content": "M"})), "in the middle of its answer"),
        (sse(chunk({"content": "M"}), b'data: {"cho'), "in the middle of its answer"),
        (sse(chunk({"content": "M"}), chunk({}, "stop"), whole=False), "hung up"),
    ],
)
def test_a_stream_that_breaks_is_asked_for_again(step, words):
    assert words in refusal("openai", endless(step))
    with ScriptedServer(step, spoken("B")) as fake:
        assert a_brain("openai", fake.url).decide(a_view()).raw == "B"


# Too many requests


def too_many(seconds):
    return answer({"error": {"message": "slow down"}}, 429, headers=(f"Retry-After: {seconds}",))


class Clock:
    """Makes a brain's pauses take no time, and counts them against the deadline all the same."""

    def __init__(self, brain, monkeypatch):
        self.pauses, self.ahead = [], 0.0
        left = Deadline.left
        monkeypatch.setattr(Deadline, "left", lambda deadline: max(0.0, left(deadline) - self.ahead))
        brain.server.pause = self.pause

    def pause(self, deadline, seconds):
        self.pauses.append(seconds)
        self.ahead += seconds


@pytest.mark.parametrize("name", PROVIDERS)
def test_a_pause_the_server_asks_for_is_waited_for_if_there_is_time(name, monkeypatch):
    text = GOOD if name in ("gemini", "mistral") else "B"
    with ScriptedServer(too_many(8), PROVIDERS[name].said(text)) as fake:
        brain = a_brain(name, fake.url)
        clock = Clock(brain, monkeypatch)
        assert brain.decide(a_view(deadline_s=20)).command == "B"
    assert [8 <= each <= 8.1 for each in clock.pauses] == [True]


@pytest.mark.parametrize("name", PROVIDERS)
@pytest.mark.parametrize(
    ("asked", "deadline_s", "pauses"),
    [(10, 20, 1), (10, 30.1, 2), (19, 19.15, 0), (21, 20, 0)],  # after a pause of 19 s there is no time for an answer
)
def test_a_server_that_takes_no_requests_is_told_so_and_not_as_a_timeout(name, asked, deadline_s, pauses, monkeypatch):
    with ScriptedServer(*[too_many(asked)] * (1 + pauses)) as fake:
        brain = a_brain(name, fake.url)
        clock = Clock(brain, monkeypatch)
        with pytest.raises(BrainError, match=f"takes no requests for {asked} s \\(429"):
            brain.decide(a_view(deadline_s=deadline_s))
    assert len(clock.pauses) == pauses


# Starting


def known(name):
    """The step with which a server tells of the provider's model."""
    if name == "gemini":
        return answer({"name": "models/gemini-2.5-flash", "supportedGenerationMethods": ["generateContent"]})
    if name == "ollama":
        return answer({"models": [{"name": "llama3.2:latest"}]})
    return listing(PROVIDERS[name].model)


@pytest.mark.parametrize("name", PROVIDERS)
def test_a_brain_that_could_play_misses_nothing(name):
    provider = PROVIDERS[name]
    with ScriptedServer(known(name)) as fake:
        assert provider.make.missing(Spec(name, "", {"base_url": fake.url, "model": provider.model})) == ""
    path = {
        "gemini": "/v1beta/models/gemini-2.5-flash", "ollama": "/api/tags", "anthropic": "/v1/models?limit=1000"
    }.get(name, "/v1/models")  # fmt: skip
    assert [(request.method, request.path) for request in fake.requests] == [("GET", path)]


@pytest.mark.parametrize("name", PROVIDERS)
def test_a_model_that_is_not_there_is_missing_by_its_name(name):
    steps = {
        "gemini": answer(gemini_error(404, "NOT_FOUND", "not found"), 404),
        "ollama": answer({"models": [{"name": "qwen3:4b"}]}),
    }
    provider = PROVIDERS[name]
    refused = [provider.unknown_model()] * {"anthropic": 2}.get(name, 1)
    with ScriptedServer(steps.get(name, listing("another")), *refused) as fake:
        problem = provider.make.missing(Spec(name, "", {"base_url": fake.url, "model": provider.model}))
    assert f"has no model {provider.model!r}" in problem


@pytest.mark.parametrize("name", ["mistral", "openai", "ollama", "gemini"])
def test_all_models_a_server_has_are_named_where_the_wanted_one_is_missing(name):
    names = [f"model-{number}" for number in range(39)]
    entries = [{"name": each} for each in names]
    script = {
        "ollama": [answer({"models": entries})],
        "gemini": [NO_SUCH_ROUTE, answer({"models": entries})],
    }.get(name, [listing(*names)])
    with ScriptedServer(*script, PROVIDERS[name].unknown_model()) as fake:
        problem = PROVIDERS[name].make.missing(Spec(name, "", {"base_url": fake.url, "model": "model-399"}))
    assert f"(it has {', '.join(names)})" in problem


def test_of_hundreds_of_models_it_says_how_many_more_there_are(tmp_path, capsys):
    names = [f"a-model-with-a-rather-long-name-{number}" for number in range(250)]
    with ScriptedServer(listing(*names), PROVIDERS["openai"].unknown_model()) as fake:
        left = f"openai:model=x,base_url={fake.url}"
        assert main(["run", "--left", left, "--right", "scripted:random", "--history", str(tmp_path / "x.json")]) == 2
    assert capsys.readouterr().err.rstrip().endswith(f"{names[99]} and 150 more)")


def test_aliases_of_a_model_are_names_of_it():
    data = [{"id": "mistral-small-2509", "aliases": ["mistral-small-latest"]}, "nonsense", {"id": 7, "aliases": 7}]
    with ScriptedServer(answer({"data": data})) as fake:
        assert mistral.Mistral.missing(Spec("mistral", "", {"base_url": fake.url})) == ""


def test_a_model_that_only_embeds_is_refused():
    with ScriptedServer(answer({"supportedGenerationMethods": ["embedContent"]})) as fake:
        problem = gemini.Gemini.missing(Spec("gemini", "", {"base_url": fake.url, "model": "models/text-embedding"}))
    assert "writes no text" in problem
    assert fake.requests[0].path == "/v1beta/models/text-embedding"


def test_all_are_asked_at_once(monkeypatch):
    with ScriptedServer(hang(), hang(), hang(), hang()) as fake:
        kinds = {}
        for name in ("gemini", "mistral", "openai", "ollama"):

            def slow(spec, make=PROVIDERS[name].make):
                return make.missing(Spec(spec.name, "", {"base_url": fake.url}))

            kinds[name] = type("Kind", (), {"name": name, "missing": staticmethod(slow)})
        monkeypatch.setattr(availability, "PATIENCE_S", 4.0)  # asked one after the other they take 4.8
        found = all_missing(kinds)
    assert len(found) == 4
    assert all("did not answer within 1.2 s" in problem for _, problem in found)


@pytest.mark.parametrize("name", PROVIDERS)
def test_a_run_that_could_not_start_exits_with_2_and_one_sentence(name, tmp_path, capsys):
    provider = PROVIDERS[name]
    with ScriptedServer(endless(answer(provider.error("no"), 401))) as fake:
        left = f"{name}:model={provider.model},base_url={fake.url}"
        code = main(["run", "--left", left, "--right", "scripted:random", "--history", str(tmp_path / "x.json")])
    out, err = capsys.readouterr()
    assert (code, out) == (2, "")
    assert "does not let us in (401: no)" in err.splitlines()[-1]
    assert f"key_env={'NAME' if name == 'openai' else provider.key}" in err.splitlines()[-1]
    assert CANARY not in err
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", PROVIDERS)
def test_the_hook_offers_one_kind_that_listens_to_prompts(name):
    make = PROVIDERS[name].make
    (kind,) = sys.modules[make.__module__].batllm_brains()
    assert (kind.name, kind.make, kind.prompted, kind.human) == (name, make, True, False)


@pytest.mark.parametrize(("prompt", "completion", "thoughts", "counted"), [
    (487, 60, -100, {"prompt": 487, "completion": 60}),  # not subtracted
    (0, 0, 0, None),  # a gateway that counts nothing
])  # fmt: skip
def test_what_cannot_be_a_count_is_none(prompt, completion, thoughts, counted):
    body = gemini_body(candidate(GOOD))
    counts = {"promptTokenCount": prompt, "candidatesTokenCount": completion, "thoughtsTokenCount": thoughts}
    decision, _ = asked("gemini", answer({**body, "usageMetadata": counts}))
    assert decision.tokens == counted
