"""Outages, lists and addresses as the bundled brains meet them, with scripted servers."""

from __future__ import annotations

import json
import threading
from dataclasses import replace

import asking
import pytest
from fakes import Function, PublishedTexts, plays, swaps
from model_server import ScriptedServer, answer, closed_port, endless, hang_up, ndjson, reset
from outages import quick_brain as a_brain
from outages import skipping
from providers import PROVIDERS, gemini_error, line, mistral_error, reply, spoken

from batllm_arcade import BrainError, Decision, Spec
from batllm_arcade.brains.protocol import BrainKind, PastPlay, PastTurn, PayloadStyle
from batllm_arcade.cli.main import main
from batllm_arcade.core.model import Rules
from batllm_arcade.match import runner
from batllm_arcade.match.runner import MatchPlan
from batllm_arcade.models.presets import parse_address
from batllm_arcade.seats.table import Table


def a_view(turns=0, live=None, **style):
    past = [PastTurn(n, (PastPlay(0, "M", "M"), PastPlay(1, "S", "S")), asking.ARENA) for n in range(1, turns + 1)]
    live = live or PublishedTexts(30)
    return asking.a_view(2 * turns + 1, live=live, history=tuple(past), style=PayloadStyle(**style))


def prepared(name, url, **options):
    """The brain, and what it said while it got ready."""
    brain, said = a_brain(name, url, **options), []
    brain.prepare(said.append)
    return brain, said


def problem_of(name, url, **options):
    with pytest.raises(BrainError) as caught:
        prepared(name, url, **options)
    return str(caught.value)


def listed(name, *models):
    if name == "gemini":
        return answer({"name": f"models/{models[0]}"})
    return answer({"models": [{"name": each} for each in models]} if name == "ollama" else
                  {"data": [{"id": each} for each in models]})  # fmt: skip


def good(name):
    return PROVIDERS[name].said(reply() if name in ("gemini", "mistral") else "B")


# Outages in a play


@pytest.mark.parametrize("name", PROVIDERS)
@pytest.mark.parametrize("away_s", [1, 5, 20])
def test_an_outage_loses_no_play(name, away_s):
    live = PublishedTexts(30)
    with ScriptedServer(good(name)) as fake:
        brain = a_brain(name, f"http://127.0.0.1:{closed_port()}")
        waited, passing = [], brain.server.pause

        def pause(deadline, seconds):
            waited.append(seconds)
            passing(deadline, seconds)
            if sum(waited) >= away_s:
                brain.server.address = parse_address(fake.url)

        brain.server.pause = pause
        assert brain.decide(a_view(live=live)).command == "B"
    label = PROVIDERS[name].make.label
    assert live.texts[0].startswith(f"{label[0].upper()}{label[1:]} does not answer; asking again, ")


@pytest.mark.parametrize("name", PROVIDERS)
@pytest.mark.parametrize("status", [408, 409, 429, 500, 502, 503, 529])
def test_what_may_pass_is_repeated(name, status):
    provider, failures = PROVIDERS[name], 3 if status == 429 else 5
    with ScriptedServer(*[answer(provider.error("x"), status)] * failures, good(name)) as fake:
        assert a_brain(name, fake.url).decide(a_view()).command == "B"


def test_a_server_that_restarts_is_there_again_for_the_same_play():
    """No pause is skipped here: the server comes back after a part of a second."""
    port = closed_port()
    brain = PROVIDERS["openai"].make(Spec("openai", "", {"base_url": f"http://127.0.0.1:{port}", "model": "m"}))
    with ScriptedServer(spoken("B"), port=port, after_s=0.4) as fake:
        assert brain.decide(a_view(live=PublishedTexts(20))).command == "B"
    assert len(fake.requests) == 1


# A context that is too small


TOKENS = {"prompt": 487, "completion": 63}


def too_long(name):
    said = "prompt is longer than the context length" if name == "ollama" else "maximum context length is 99 tokens"
    return answer({"gemini": lambda: gemini_error(400, "INVALID_ARGUMENT", "The input token count (9) exceeds the"),
                   "mistral": lambda: mistral_error("Prompt is too large for model with 99 maximum context length")}
                  .get(name, lambda: PROVIDERS[name].error(said))(), 400)  # fmt: skip


def history_of(request, name):
    """The numbers of turns shown and left out in a payload."""
    body = request.json
    text = body["contents"][-1]["parts"][0]["text"] if name == "gemini" else body["messages"][-1]["content"]
    payload = json.loads(text if isinstance(text, str) else "".join(block["text"] for block in text))
    return len(payload["history"]), payload.get("history_omitted", 0)


@pytest.mark.parametrize("name", PROVIDERS)
def test_a_prompt_that_is_too_long_is_sent_without_its_oldest_turns_from_then_on(name):
    live = PublishedTexts(30)
    with ScriptedServer(too_long(name), too_long(name), good(name), good(name)) as fake:
        brain = a_brain(name, fake.url, reply="json" if name in ("gemini", "mistral") else "token")
        assert brain.decide(a_view(11, live)).command == "B"
        brain.decide(replace(a_view(12), number=99))
    assert [history_of(request, name) for request in fake.requests] == [(11, 0), (6, 5), (3, 8), (3, 9)]
    said = [text for text in live.texts if "too long" in text]
    assert said == [
        f"the prompt was too long for {PROVIDERS[name].model}: the last {turns} turns are sent from here on"
        for turns in (6, 3)
    ]


@pytest.mark.parametrize(("turns", "window", "shown"), [
    (11, 4, [4, 2]),  # a configured window is where it begins
    (3, 16, [3, 2]),  # one that shows no turn yet is narrowed until one is left out
])  # fmt: skip
def test_half_of_what_is_shown_is_left_out(turns, window, shown):
    with ScriptedServer(too_long("openai"), good("openai")) as fake:
        a_brain("openai", fake.url).decide(a_view(turns, history_window=window))
    assert [history_of(request, "openai")[0] for request in fake.requests] == shown


@pytest.mark.parametrize(("turns", "shown"), [(3, [3, 2, 1]), (1, [1]), (0, [0])])
def test_a_context_without_room_for_a_single_turn_is_told_and_nothing_is_sent_twice(turns, shown):
    with ScriptedServer(*[too_long("openai")] * len(shown)) as fake, pytest.raises(BrainError, match="set payload"):
        a_brain("openai", fake.url).decide(a_view(turns))
    assert [history_of(request, "openai")[0] for request in fake.requests] == shown


@pytest.mark.parametrize("rendering", ["array", "chat"])
def test_a_conversation_that_overflows_in_a_later_round_keeps_more_than_its_last_turn(rendering):
    with ScriptedServer(*[good("openai")] * 4, too_long("openai"), *[good("openai")] * 3) as fake:
        brain = a_brain("openai", fake.url, context="conversation", rendering=rendering, reply="token")
        for turn in range(4):
            brain.decide(a_view(turn))
        for turn in range(3):
            brain.decide(replace(a_view(turn), round=2, number=99))
    sizes = [len(request.body) for request in fake.requests]
    assert sizes[5] < sizes[4]
    assert sizes[5] < sizes[6] < sizes[7]


def test_a_reply_is_not_lost_where_there_is_no_room_to_ask_for_a_better_one():
    with ScriptedServer(spoken("hm"), too_long("openai")) as fake:
        decision = a_brain("openai", fake.url, reply="json").decide(a_view())
    assert (decision.raw, decision.command, dict(decision.tokens or {})) == ("hm", None, TOKENS)
    assert "not valid JSON" in decision.invalid


def test_an_outage_while_a_better_reply_is_asked_for_keeps_the_first_one():
    refused = answer({"error": {"message": "no"}}, 400)
    with ScriptedServer(spoken("<think>up</think>hm"), refused) as fake, pytest.raises(BrainError) as caught:
        a_brain("openai", fake.url, reply="json").decide(a_view())
    assert (caught.value.raw, caught.value.thought) == ("<think>up</think>hm", "up")
    assert caught.value.tokens == TOKENS


# Before the match


@pytest.mark.parametrize("name", PROVIDERS)
def test_a_server_that_loads_its_model_is_waited_for_before_the_match(name):
    loading = [answer({"error": {"message": "Loading model", "code": 503}}, 503)] * 9
    shown = PROVIDERS[name].model
    with ScriptedServer(*loading, listed(name, shown), *loading, good(name)) as fake:
        _, said = prepared(name, fake.url)
    assert any("is busy or loading; asking again" in text for text in said)
    assert said[-1] == f"{shown} is loaded"


@pytest.mark.parametrize("name", ["openai", "mistral", "gemini"])
def test_a_server_nearby_loads_its_model_with_a_question_of_one_token(name):
    with ScriptedServer(listed(name, PROVIDERS[name].model), good(name), good(name)) as fake:
        brain, said = prepared(name, fake.url)
        brain.decide(a_view())
    asked = fake.requests[1]
    assert asked.json.get("max_tokens", asked.json.get("generationConfig", {}).get("maxOutputTokens")) == 1
    assert asked.path == fake.requests[2].path.replace("streamG", "g").partition("?")[0]
    assert len(asked.body) < 200
    assert "the first time this takes a while" in said[-2]


def test_a_server_that_refuses_how_it_is_asked_has_the_model():
    refusal = answer({"error": {"message": "no max_tokens here"}}, 400)
    with ScriptedServer(listed("openai", "m"), refusal, good("openai")) as fake:
        prepared("openai", fake.url, model="m")
    assert ["max_tokens" in request.json for request in fake.requests[1:]] == [True, False], "learnt before the match"


def test_a_server_that_breaks_off_while_it_loads_is_told():
    with ScriptedServer(listed("openai", "m"), endless(hang_up())) as fake:
        assert "hung up" in problem_of("openai", fake.url, model="m")


def test_llama_cpp_has_loaded_its_model_when_it_lists_it():
    with ScriptedServer(answer({"data": [{"id": "smol", "owned_by": "llamacpp"}]})) as fake:
        _, said = prepared("openai", fake.url)
    assert len(said) == 1


# Lists


@pytest.mark.parametrize("name", ["openai", "mistral", "ollama"])
def test_a_model_that_is_not_listed_is_noted_and_asked(name):
    with ScriptedServer(listed(name, "another"), good(name)) as fake:
        brain, said = prepared(name, fake.url, model="m1:nitro")
    assert brain.model == "m1:nitro"
    assert fake.requests[1].json["model"] == "m1:nitro"
    assert "does not list m1:nitro; it is asked all the same" in said[-1]


@pytest.mark.parametrize("name", ["openai", "mistral", "ollama"])
def test_one_that_the_server_itself_refuses_ends_before_the_start(name, tmp_path, capsys):
    provider = PROVIDERS[name]
    with ScriptedServer(listed(name, "another"), provider.unknown_model()) as fake:
        left = f"{name}:model=x,base_url={fake.url}"
        code = main(["run", "--left", left, "--right", "scripted:random", "--history", str(tmp_path / "x.json")])
    assert code == 2
    assert "has no model 'x'" in (said := capsys.readouterr().err.splitlines()[-1])
    assert "(it has another)" in said


NO_LIST = {
    "missing": answer({"detail": "Not Found"}, 404),
    "missing in HTML": answer(b"<h1>404</h1>", 404, content_type="text/html"),
    "forbidden": answer({"error": {"message": "this key may not list models"}}, 403),
    "for others": answer({"error": {"message": "no"}}, 401),
    "no route": answer({}, 405),
}


@pytest.mark.parametrize("name", ["openai", "mistral"])
@pytest.mark.parametrize("case", NO_LIST)
def test_a_list_that_is_not_there_is_noted_and_the_model_is_asked(name, case):
    with ScriptedServer(NO_LIST[case], good(name), good(name)) as fake:
        brain, said = prepared(name, fake.url)
        assert brain.decide(a_view()).command == "B"
    assert "does not list" in said[-1]


def test_where_there_is_no_list_a_model_has_to_be_named():
    with ScriptedServer(NO_LIST["missing"]) as fake:
        assert "or set model if it has no list of them" in problem_of("openai", fake.url, model="")


def test_a_key_that_is_wrong_for_the_list_and_for_the_question_is_told_as_that():
    with ScriptedServer(NO_LIST["for others"], NO_LIST["for others"]) as fake:
        assert "check the key in OPENAI_API_KEY" in problem_of("openai", fake.url)


@pytest.mark.parametrize("listing", [[{"id": "m1"}, {"id": "m2"}], ["m1", "m2"], {"models": ["m1"]},
                                     {"data": ["m1"]}, {"object": "list", "data": [{"name": "m1"}]}])  # fmt: skip
def test_a_list_may_be_bare(listing):
    with ScriptedServer(answer(listing), good("openai")) as fake:
        assert prepared("openai", fake.url, model="")[0].model == "m1"


EMBEDDERS = [
    {"id": "text-embedding-3-small"}, {"id": "nomic-embed-text:latest"}, {"id": "BAAI/bge-m3"},
    {"id": "e5-large"}, {"id": "whisper-1"}, {"id": "tts-1-hd"}, {"id": "dall-e-3"}, {"id": "omni-moderation-latest"},
    {"id": "x1", "type": "embeddings"}, {"id": "x2", "type": "image"}, {"id": "x3", "capabilities": ["embedding"]},
    {"id": "x4", "capabilities": {"completion_chat": False}}, {"id": "x5", "kind": "reranker"},
    {"id": "x6", "architecture": {"output_modalities": ["image"]}},
]  # fmt: skip
CHATTERS = [
    {"id": "gpt-4o"}, {"id": "qwen3:4b", "capabilities": ["completion", "tools", "embedding"]},
    {"id": "x", "type": "llm"},
    {"id": "vlm", "type": "vlm"}, {"id": "y", "capabilities": {"completion_chat": True, "vision": True}},
    {"id": "z", "architecture": {"output_modalities": ["text", "image"]}}, {"id": "gemma-3", "object": "model"},
]  # fmt: skip


@pytest.mark.parametrize("chatter", CHATTERS, ids=lambda entry: entry["id"])
def test_without_a_model_the_first_that_can_chat_plays(chatter):
    with ScriptedServer(answer({"data": [*EMBEDDERS, chatter]}), good("openai")) as fake:
        assert prepared("openai", fake.url, model="")[0].model == chatter["id"]


def test_a_server_that_only_embeds_is_told_and_its_models_are_in_no_menu():
    with ScriptedServer(answer({"data": EMBEDDERS}), answer({"data": [*EMBEDDERS, CHATTERS[0]]})) as fake:
        assert "no model that can chat" in problem_of("openai", fake.url, model="")
        assert PROVIDERS["openai"].make.models(Spec("openai", "", {"base_url": fake.url})) == ["gpt-4o"]


def test_ollama_s_embedding_models_are_known_by_family_name_or_capability():
    tags = [{"name": "a", "details": {"family": "nomic-bert"}}, {"name": "mxbai-embed-large"},
            {"name": "b", "capabilities": ["embedding"]}, {"name": "chat"}]  # fmt: skip
    with ScriptedServer(answer({"models": tags}), ndjson(line(done=True))) as fake:
        assert prepared("ollama", fake.url, model="")[0].model == "chat"


# Addresses


@pytest.mark.parametrize(
    ("written", "paths"),
    [
        ("/api/paas/v4", ["/api/paas/v4/models", "/api/paas/v4/chat/completions"]),
        ("/v1beta/openai/", ["/v1beta/openai/models", "/v1beta/openai/chat/completions"]),
        ("/v1/chat/completions", ["/v1/models", "/v1/chat/completions"]),
        ("/x/chat/completions?api-version=1", ["/x/models?api-version=1", "/x/chat/completions?api-version=1"]),
    ],
)
def test_a_base_with_its_own_path_is_asked_as_it_stands(written, paths):
    with ScriptedServer(listed("openai", "local-model"), good("openai"), good("openai")) as fake:
        brain, _ = prepared("openai", fake.url + written)
        assert brain.decide(a_view()).command == "B"
    assert [request.path for request in fake.requests] == [*paths, paths[-1]]


def test_a_base_of_which_nobody_knows_whether_it_has_a_version_is_asked_with_one_then_without():
    with ScriptedServer(NO_LIST["missing"], listed("openai", "local-model"), good("openai")) as fake:
        prepared("openai", f"{fake.url}/inference")
    assert [each.path for each in fake.requests] == [
        "/inference/v1/models", "/inference/models", "/inference/chat/completions",
    ]  # fmt: skip


# A whole match


class Outage:
    """A server that answers `B` to every question but those while it is `away`."""

    def __init__(self):
        self.away = threading.Event()
        self.answers, self.fails = spoken("B"), reset()

    def __call__(self, to):
        if self.away.is_set():
            return self.fails(to)
        if to.request.method == "GET":
            return listed("openai", "m")(to)
        return self.answers(to)


def test_a_server_that_was_away_for_a_round_plays_the_next():
    outage, made = Outage(), []

    def make(spec):
        made.append(PROVIDERS["openai"].make(spec))
        skipping(made[-1].server)
        return made[-1]

    with ScriptedServer(endless(outage)) as fake:
        kinds = {"openai": BrainKind("openai", "", make, prompted=True), **still()}
        spec = Spec("openai", "", {"base_url": fake.url, "model": "m", "deadline_s": "20"})
        table, records = Table(kinds, (spec, Spec("still")), fallback=Spec("still")), []
        for record in runner.play(MatchPlan(Rules(total_rounds=3, turns_per_round=5), 1), table):
            records.append(record)
            ours = [play for play in plays([record]) if play.bot == 0]
            for play in ours:
                if play.turn == 5:
                    outage.away.clear()
                elif (play.round, play.turn) == (1, 1):
                    outage.away.set()
        table.close()
    assert [(swap.round, swap.why) for swap in swaps(records)] == [(1, "fallback"), (2, "recovered")]
    mine = [play for play in plays(records) if play.bot == 0]
    assert [play.status for play in mine[:5]] == ["ok", "error", "error", "error", "ok"]
    assert [play.decision.raw for play in mine[5:]] == ["B"] * 10


def still():
    return {"still": BrainKind("still", "", lambda spec: Function(lambda view: Decision("S", "S")))}


def run(fake, tmp_path, *more, name="openai"):
    left = f"{name}:model=m,base_url={fake.url},deadline_s=1,price=1/2"
    return main(
        ["run", "--left", left, "--right", "scripted:turtle", "--rounds", "1", "--turns", "5", "--seed", "1",
         "--history", str(tmp_path / "x.json"), *more]
    )  # fmt: skip


def test_a_quiet_run_names_the_fallback_and_what_failed_and_exits_with_1(tmp_path, capsys):
    steps = listed("openai", "m"), good("openai"), endless(answer({"error": {"message": "bad option"}}, 400))
    with ScriptedServer(*steps) as fake:
        assert run(fake, tmp_path, "--quiet") == 1
    said = capsys.readouterr().err
    assert "left: openai failed, scripted:random plays on (the OpenAI-style server" in said
    assert "left: scripted:random played for openai to the end of game 1; it failed with: the OpenAI" in said


def test_a_run_tells_tokens_and_cost(tmp_path, capsys):
    with ScriptedServer(listed("openai", "m"), endless(good("openai"))) as fake:
        assert run(fake, tmp_path, "--json") == 0
    out, err = capsys.readouterr()
    game = json.loads(out)
    assert game["tokens"] == [{"prompt": 5 * 487, "completion": 5 * 63}, {}]
    assert game["cost"] == [pytest.approx((5 * 487 + 2 * 5 * 63) / 1e6), None]
    assert "tokens of left (openai): 2,435 read, 315 written, cost $0.0031" in err
    assert json.loads((tmp_path / "x.json").read_text())["games"][0]["seats"][0]["options"]["price"] == "1/2"


def test_a_price_that_is_none_is_refused_before_the_start(tmp_path, capsys):
    with ScriptedServer() as fake:
        left = f"openai:model=m,base_url={fake.url},price=cheap"
        assert main(["run", "--left", left, "--right", "scripted:random"]) == 2
    assert "price of openai must be two numbers" in capsys.readouterr().err
