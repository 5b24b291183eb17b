"""What is changed in a refused request: the words of real servers, and the change each of them asks for."""

from __future__ import annotations

import json
from pathlib import Path

from approved import approve
from hypothesis import given
from hypothesis import strategies as st

from batllm_arcade import command_schema
from batllm_arcade.models.adaptation import Adaptation, adapt, from_json
from batllm_arcade.models.failures import words_of
from batllm_arcade.models.refused_parameters import refusal
from batllm_arcade.prompts import buttons
from batllm_arcade.prompts.formats import portable_schema

SYSTEM, USER = {"role": "system", "content": "Duel."}, {"role": "user", "content": "Go!"}
SCHEMA = command_schema()
FORM = {"type": "json_schema", "json_schema": {"name": "answer", "schema": SCHEMA}}
OPENAI = {
    "model": "m1", "messages": [SYSTEM, USER], "seed": 7, "stream": True, "stream_options": {"include_usage": True},
    "max_tokens": 48, "temperature": 0.8, "response_format": FORM,
}  # fmt: skip
GENERATION = {
    "temperature": 0.8, "maxOutputTokens": 800, "seed": 7, "responseMimeType": "application/json",
    "responseJsonSchema": portable_schema(buttons.schema("battle")), "thinkingConfig": {"thinkingBudget": 0},
}  # fmt: skip
GEMINI = {
    "contents": [{"role": "user", "parts": [{"text": "Go!"}]}], "generationConfig": GENERATION,
    "systemInstruction": {"parts": [{"text": "Duel."}]},
}  # fmt: skip
LEVEL = {**GEMINI, "generationConfig": {**GENERATION, "thinkingConfig": {"thinkingLevel": "minimal"}}}
OLLAMA = {
    "model": "m1", "messages": [SYSTEM, USER], "stream": True, "think": False, "format": SCHEMA,
    "options": {"num_ctx": 8192, "temperature": 0.8, "num_predict": 48, "seed": 7},
}  # fmt: skip
CLAUDE = {
    "model": "m1", "messages": [USER], "system": "Duel.", "max_tokens": 48, "temperature": 0.8,
    "thinking": {"type": "enabled", "budget_tokens": 1024}, "tool_choice": {"type": "any"},
    "output_config": {"effort": "low"},
}  # fmt: skip


BODIES = {"OPENAI": OPENAI, "GEMINI": GEMINI, "LEVEL": LEVEL, "OLLAMA": OLLAMA, "CLAUDE": CLAUDE, "": {}}
"""Requests of which the cases change some parameters."""


def told(body):
    return words_of(body if isinstance(body, str) else json.dumps(body))


def change(case):
    """What is changed in a request whose server answers with a status and a body, or a message and perhaps a name."""
    base, changes, status, answered = case
    if isinstance(answered, (str, tuple)):
        message, name = answered if isinstance(answered, tuple) else (answered, None)
        error = {"message": message, "type": "invalid_request_error", "param": name, "code": None}
        answered = {"error": error}
    said, body = told(answered["text"] if [*answered] == ["text"] else answered), {**BODIES[base], **changes}
    found, before = refusal(status, said, body, (), 48), json.dumps(body)
    if found is None:
        return "nothing"
    changed = adapt(body, [found])  # once, and it can be kept
    assert json.dumps(changed) != before == json.dumps(body)
    assert adapt(changed, [found]) == changed
    assert refusal(status, said, body, [found], 48) is None
    assert from_json(json.loads(json.dumps(found.json()))) == found
    return json.dumps(found.json())


def test_the_words_of_real_servers_are_understood():
    approve(Path(__file__).parent / "approved" / "refusals.txt", change)


def test_what_is_refused_under_both_names_is_left_out():
    first = Adaptation("rename", "max_tokens", "max_completion_tokens")
    said = told({"error": {"message": "Unsupported parameter: max_completion_tokens"}})
    renamed = adapt(OPENAI, [first])
    assert refusal(400, said, renamed, [first], 48) == Adaptation("drop", "max_completion_tokens")


ANY = st.recursive(
    st.none() | st.booleans() | st.floats(allow_nan=False) | st.text(max_size=20) | st.sampled_from([
        "temperature", "max_tokens", "system", "must be set to", "Use 'x' instead", "context length", "format", "low",
    ]),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(
        st.sampled_from(["error", "message", "detail", "loc", "param", "messages", "contents", "parts", "role", "think",
                         "options", "temperature", "max_tokens", "response_format", "systemInstruction", "content"]),
        inner, max_size=4,
    ),
    max_leaves=12,
)  # fmt: skip


@given(ANY, st.dictionaries(st.sampled_from([*OPENAI, *GEMINI, "think", "format"]), ANY) | st.just(OPENAI), ANY)
def test_whatever_a_server_says_and_a_provider_sends_is_no_error(answered, body, kept):
    found = refusal(400, told(answered), body, (), 48)
    if found is not None:
        assert adapt(body, [found]) != body
        assert from_json(found.json()) == found
    adaptation = from_json(kept)
    assert adapt(body, [] if adaptation is None else [adaptation]) is not None
