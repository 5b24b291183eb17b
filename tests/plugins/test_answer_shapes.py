"""Answers as servers really send them: every one is a play, its thought is kept, and the official clients agree."""

from __future__ import annotations

import pytest
from answer_shapes import MARKED, SHAPES, TEXTS, THOUGHT, event, gemini_event, gemini_parts, message, whole
from asking import a_view
from fakes import PublishedTexts
from hypothesis import given
from hypothesis import strategies as st
from model_server import ScriptedServer, answer, endless, ndjson
from official_clients import genai, google_types, mistral_client, ollama_client, openai_client
from outages import skipping
from providers import (
    DONE,
    PROVIDERS,
    USAGE,
    candidate,
    chunk,
    claude_end,
    claude_start,
    claude_text,
    completion,
    gemini_body,
    line,
    sse,
)  # fmt: skip

from batllm_arcade import BrainError, Live, ModelRequest, Spec
from batllm_arcade.models.answers import separated
from batllm_arcade.prompts.conversation import compact

FORMS = {"token": {"reply": "token"}, "json": {"reply": "json"}, "tool": {"context": "conversation"}}
"""The options that ask for each reply form; Gemini and Mistral have no tool calls of their own."""
CASES = [
    pytest.param(shape, form, id=f"{name}, {form}")
    for name, shape in SHAPES.items()
    for form in shape.forms
    if form != "tool" or shape.brain in ("openai", "ollama")
]


def a_brain(name, url, form="token"):
    provider = PROVIDERS[name]
    brain = provider.make(Spec(name, "", {"base_url": url, "model": provider.model, **FORMS[form]}))
    skipping(brain.server)
    return brain


def decided(name, *script, form="token", live=None):
    with ScriptedServer(*script) as fake:
        return a_brain(name, fake.url, form).decide(a_view(live=live))


def refused(name, *script, form="token"):
    with ScriptedServer(*script) as fake, pytest.raises(BrainError) as caught:
        a_brain(name, fake.url, form).decide(a_view())
    return caught.value


@pytest.mark.parametrize(("shape", "form"), CASES)
def test_every_shape_of_an_answer_is_a_play_at_once(shape, form):
    decision = decided(shape.brain, shape.says(TEXTS[form]), form=form)
    assert (decision.command, decision.invalid) == ("B", "")
    assert shape.thought.strip() in decision.thought
    if shape.thought:
        assert THOUGHT.strip() not in decision.raw


@pytest.mark.parametrize("form", ["token", "json"])
@pytest.mark.parametrize("mark", MARKED)
@pytest.mark.parametrize("brain", PROVIDERS)
def test_a_thought_within_the_text_is_taken_off_and_kept(brain, mark, form):
    live, raw = PublishedTexts(), MARKED[mark] + TEXTS[form]
    decision = decided(brain, PROVIDERS[brain].said(raw), form=form, live=live)
    assert (decision.command, decision.invalid) == ("B", "")
    assert decision.raw == raw, "what was received is recorded as it came"
    assert THOUGHT.strip() in decision.thought
    assert live.texts[-1] == TEXTS[form]


@pytest.mark.parametrize("mark", MARKED)
@pytest.mark.parametrize("brain", ["openai", "ollama"])
def test_a_thought_before_a_tool_call_is_kept_beside_its_reasoning(brain, mark):
    decision = decided(brain, PROVIDERS[brain].said(MARKED[mark] + TEXTS["tool"]), form="tool")
    assert decision.command == "B"
    assert decision.thought == f"Lined up.\n\n{THOUGHT.strip()}"


@pytest.mark.parametrize("brain", PROVIDERS)
def test_a_thought_without_its_end_is_only_a_thought_and_kept_with_the_failure(brain):
    asked = 2 if brain == "ollama" else 1  # once more without `think: false`
    error = refused(brain, *[PROVIDERS[brain].said("<think>I fire: B")] * asked)
    assert "it only thought" in str(error)
    assert (error.raw, error.thought) == ("<think>I fire: B", "I fire: B")
    assert error.tokens["prompt"] == 487 * asked


@pytest.mark.parametrize(
    ("brain", "step"),
    [
        ("openai", sse(chunk({"reasoning": "Hm"}), chunk({"reasoning": "m."}), chunk({"content": "B"}, "stop"), DONE)),
        (
            "mistral",
            sse(
                chunk({"content": [{"type": "thinking", "thinking": [{"type": "text", "text": "Hm"}]}]}),
                chunk({"content": [{"type": "thinking", "thinking": "m."}]}), chunk({"content": "B"}, "stop"), DONE,
            ),
        ),
        (
            "gemini",
            gemini_parts([{"text": "Hm", "thought": True}], [{"text": "m.", "thought": True}], [{"text": "B"}]),
        ),
        ("ollama", ndjson(message(thinking="Hm"), message(thinking="m."), line("B"), line(done=True))),
    ],
)  # fmt: skip
def test_a_thought_grows_in_the_panel_until_the_answer_begins(brain, step):
    live = PublishedTexts()
    decision = decided(brain, step, live=live)
    assert list(dict.fromkeys(live.texts)) == ["Hm", "Hmm.", "B"]
    assert (decision.command, decision.thought) == ("B", "Hmm.")


NO_ROUTE = [("gemini", 404), ("gemini", 405), ("gemini", 501), ("mistral", 405), ("mistral", 501)]


@pytest.mark.parametrize(("brain", "status"), NO_ROUTE)
def test_a_server_without_a_route_for_streams_is_asked_once_more_and_then_never(brain, status):
    body = {"gemini": gemini_body(candidate("B")), "mistral": completion("B")}[brain]
    with ScriptedServer(answer({"detail": "no such route"}, status), answer(body), answer(body)) as fake:
        asked = a_brain(brain, fake.url)
        assert [asked.decide(a_view()).command for _ in range(2)] == ["B", "B"]
    streams = [request.json.get("stream", "stream" in request.path) for request in fake.requests]
    assert streams == [True, False, False]


def test_a_server_that_has_neither_route_is_asked_for_a_stream_again():
    with ScriptedServer(*[answer({}, 404)] * 2, PROVIDERS["gemini"].said("B")) as fake:
        asked = a_brain("gemini", fake.url)
        with pytest.raises(BrainError, match="does not speak as Gemini does"):
            asked.decide(a_view())
        assert asked.decide(a_view()).command == "B"


def test_a_stream_of_gemini_s_without_its_end_is_asked_for_again():
    half = sse(gemini_event([{"text": "C1"}]), gemini_event([{"text": "7"}], "FINISH_REASON_UNSPECIFIED"))
    assert "in the middle of its answer" in str(refused("gemini", endless(half)))
    assert decided("gemini", half, PROVIDERS["gemini"].said("B")).raw == "B"


@pytest.mark.parametrize(("brain", "status"), [("gemini", 400), ("gemini", 401), ("mistral", 404), ("mistral", 422)])
def test_what_is_refused_for_another_reason_is_not_asked_for_unstreamed(brain, status):
    with ScriptedServer(answer({"message": "no"}, status)) as fake, pytest.raises(BrainError):
        a_brain(brain, fake.url).decide(a_view())


WORDS = "I cannot help with fighting."
REFUSED = {
    "in pieces": ("openai", sse(chunk({"refusal": WORDS[:9]}), chunk({"refusal": WORDS[9:]}), chunk({}, "stop"), DONE)),
    "in chunks": (
        "openai", sse(chunk({"content": [{"type": "refusal", "refusal": WORDS}]}), chunk({}, "stop"), DONE),
    ),
    "not streamed": ("openai", whole("", content=None, refusal=WORDS)),
    "behind Mistral's route": ("mistral", whole("", content=None, refusal=WORDS)),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_the_words_of_a_refusal_are_said_and_kept(name):
    brain, step = REFUSED[name]
    error = refused(brain, step)
    assert f"refused to answer: {WORDS}; change the players' prompts" in str(error)
    assert error.raw == WORDS


STOPPED = {
    "openai": sse(chunk({"reasoning": "Hm."}), chunk({"content": "B"}), chunk({}, "content_filter", **USAGE), DONE),
    "mistral": sse(chunk({"content": "B", "reasoning": "Hm."}), chunk({}, "error", **USAGE), DONE),
    "gemini": gemini_parts([{"text": "Hm.", "thought": True}, {"text": "B"}], why="RECITATION"),
}
GAVE_UP = {
    "openai": sse(chunk({"reasoning": "Hm."}), chunk({"content": "B"}), event(error={"message": "slot"}, code=500)),
    "mistral": sse(chunk({"content": "B", "reasoning": "Hm."}), event(error="slot")),
    "gemini": sse(gemini_event([{"text": "Hm.", "thought": True}, {"text": "B"}]), event(error={"message": "slot"})),
}


@pytest.mark.parametrize("brain", STOPPED)
def test_an_answer_that_a_server_ends_itself_is_kept_with_its_thought_and_tokens(brain):
    error = refused(brain, STOPPED[brain])
    assert "stopped its answer" in str(error)
    assert (error.raw, error.thought, error.tokens) == ("B", "Hm.", {"prompt": 487, "completion": 63})


@pytest.mark.parametrize("brain", GAVE_UP)
def test_an_error_within_an_answer_is_asked_again_and_keeps_what_there_was(brain):
    error = refused(brain, endless(GAVE_UP[brain]))
    assert "gave up: slot; look at its log" in str(error)
    assert (error.raw, error.thought) == ("B", "Hm.")


@pytest.mark.parametrize("brain", PROVIDERS)
def test_an_answer_that_is_cut_off_is_kept_with_its_thought_and_tokens(brain):
    steps = {
        "openai": sse(chunk({"content": "<think>Hm.</think>C1"}), chunk({}, "LENGTH", **USAGE), DONE),
        "mistral": sse(chunk({"content": "<think>Hm.</think>C1"}), chunk({}, "model_length", **USAGE), DONE),
        "gemini": gemini_parts([{"text": "<think>Hm.</think>C1"}], why="max_tokens"),
        "ollama": ndjson(line("<think>Hm.</think>C1"), line(done=True, done_reason="LENGTH")),
        "anthropic": sse(claude_start(), claude_text("<think>Hm.</think>", "C1"), claude_end("max_tokens")),
    }
    error = refused(brain, steps[brain], steps[brain])  # once more, with room to think
    assert "was cut off after 4144 tokens" in str(error)
    assert (error.raw, error.thought) == ("<think>Hm.</think>C1", "Hm.")
    cached = {"cached": 14} if brain == "anthropic" else {}
    assert error.tokens == {"prompt": 974, "completion": 126, **cached}


@pytest.mark.parametrize(
    "step",
    [
        sse(event(choices=[{"delta": "B"}])),
        sse(event(choices=["B"])),
        sse(event(choices={"delta": {}})),
        sse(chunk({"content": {"text": "B"}})),
        sse(chunk({"content": [7]})),
        sse(chunk({"refusal": 7})),
        sse(chunk({"tool_calls": ["B"]})),
        sse(chunk({"tool_calls": [{"function": {"name": "x", "arguments": 7}}]})),
        sse(chunk({"content": "B"}), event(choices=7)),
        sse(event(usage={}), DONE),
        answer({"choices": []}),
    ],
)
def test_another_shape_is_told_as_such_at_once(step):
    assert "does not answer as OpenAI does; check base_url" in str(refused("openai", step))


PIECES = ["<think>", "</think>", "[THINK]", "B", " ", "\n", "<", "C1", "{", "\ufeff"]


@given(st.lists(st.sampled_from(PIECES), max_size=12))
def test_in_how_many_pieces_an_answer_comes_makes_no_difference(pieces):
    brain = a_brain("openai", "http://127.0.0.1:1")
    request = ModelRequest([], {}, "", 48, 1, Live())

    def read(texts):
        events = [*[chunk({"content": text}) for text in texts], chunk({}, "stop"), DONE]
        try:
            return separated(brain.read(iter(b"".join(events).decode().split("\n")), request), str)
        except BrainError as error:
            return str(error)

    assert read(pieces) == read("".join(pieces)) == read(["".join(pieces)])


@pytest.mark.parametrize("data", [b"data: {half\n\n", b"data: {half\n"])
def test_an_event_that_is_no_json_is_not_passed_over(data):
    assert "something that is not JSON" in str(refused("openai", sse(chunk({"content": "B"}), data, DONE)))


def read_by_the_official_client(name, url):
    """The text and the first call's arguments that the provider's own client makes of the stream."""
    asked = {"model": "m", "messages": [{"role": "user", "content": "?"}]}
    if name == "openai":
        with openai_client.OpenAI(base_url=f"{url}/v1", api_key="x", max_retries=0) as client:
            stream = client.chat.completions.create(**asked, stream=True)
            deltas = [each.choices[0].delta for each in stream if each.choices and each.choices[0].delta]
        calls = [call for each in deltas for call in each.tool_calls or () if not call.index]
        functions = [call.function for call in calls] + [each.function_call for each in deltas if each.function_call]
        return "".join(each.content or "" for each in deltas), "".join(each.arguments for each in functions)
    if name == "mistral":
        with mistral_client.Mistral(api_key="x", server_url=url) as client, client.chat.stream(**asked) as stream:
            deltas = [each.data.choices[0].delta for each in stream if each.data.choices]
        contents = [each.content if isinstance(each.content, list) else [each] for each in deltas]
        texts = [getattr(each, "text", getattr(each, "content", "")) or "" for parts in contents for each in parts]
        return "".join(texts), "".join(call.function.arguments for each in deltas for call in each.tool_calls or ())
    if name == "ollama":
        client = ollama_client.Client(host=url, trust_env=False)
        messages = [each.message for each in client.chat(**asked, stream=True)]
        client._client.close()
        calls = [compact(dict(call.function.arguments)) for each in messages for call in each.tool_calls or ()]
        return "".join(each.content or "" for each in messages), "".join(calls)
    client = genai.Client(api_key="x", http_options=google_types.HttpOptions(base_url=url, api_version="v1beta"))
    parts = list(client.models.generate_content_stream(model="m", contents="?"))
    client.close()
    calls = [compact(call.args) for part in parts for call in part.function_calls or ()]
    return "".join(part.text or "" for part in parts), "".join(calls)


@pytest.mark.parametrize(("shape", "form"), [case for case in CASES if case.values[0].sdk and case.values[1] == "json"])
def test_the_official_client_reads_the_same_text(shape, form):
    said = shape.says(TEXTS[form])
    with ScriptedServer(said) as fake:
        text, arguments = read_by_the_official_client(shape.brain, fake.url)
    assert decided(shape.brain, said, form=form).raw == (text or arguments)
