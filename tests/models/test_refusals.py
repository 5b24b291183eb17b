"""What is changed in a refused request: the words of real servers, and the change each of them asks for."""

from __future__ import annotations

import json

import pytest
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
THINKING = {**OPENAI, "reasoning_effort": "minimal"}
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


def error(message, param=None):
    return {"error": {"message": message, "type": "invalid_request_error", "param": param, "code": None}}


def drop(name):
    return Adaptation("drop", name)


def put(name, value):
    return Adaptation("set", name, value)


def instead(name, old, new):
    return Adaptation("replace", name, (old, new))


def schema(form):
    return Adaptation("schema", "", form)


RENAMED = Adaptation("rename", "max_tokens", "max_completion_tokens")
AS_USER = Adaptation("system", "", "user")
LEVEL_AT, BUDGET_AT = ("generationConfig.thinkingConfig." + name for name in ("thinkingLevel", "thinkingBudget"))
WORDS = {
    "1": (OPENAI, 400, error("Unsupported parameter: 'max_tokens' is not supported with this model. Use "
                             "'max_completion_tokens' instead."), RENAMED),
    "2": (OPENAI, 400, error("Unsupported value: 'temperature' does not support 0 with this model. Only the default "
                             "(1) value is supported."), drop("temperature")),
    "3": (THINKING, 400, error("Unsupported value: 'minimal' is not supported with the 'gpt-5.1' model. Supported "
                               "values are: 'none', 'low', 'medium', and 'high'.", "reasoning_effort"),
          instead("reasoning_effort", "minimal", "none")),
    "3 without its name": (THINKING, 400, error("Unsupported value: 'minimal' is not supported with the 'gpt-5.1' "
                           "model. Supported values are: 'none', 'low', 'medium', and 'high'."),
                           instead("reasoning_effort", "minimal", "none")),
    "4": (THINKING, 400, error("Unrecognized request argument supplied: reasoning_effort"), drop("reasoning_effort")),
    "5": ({**OPENAI, "reasoning": {"effort": "low"}}, 400, error("Unknown parameter: 'reasoning'."), drop("reasoning")),
    "6": (OPENAI, 400, error("Function tools with reasoning_effort are not supported for gpt-5.6-terra in "
                             "/v1/chat/completions. To use function tools, use /v1/responses or set reasoning_effort "
                             "to 'none'.", "reasoning_effort"), put("reasoning_effort", "none")),
    "7": (OPENAI, 400, error("Unsupported value: 'messages[0].role' does not support 'system' with this model.",
                             "messages[0].role"), AS_USER),
    "8": (OPENAI, 400, error("Your organization must be verified to stream this model. Please go to: "
                             "https://platform.openai.com/settings", "stream"), put("stream", False)),
    "9": (OPENAI, 400, error("Invalid schema for response_format 'my-schema': In context=('properties', 'myString'), "
                             "'pattern' is not permitted"), schema("plain")),
    "10": (OPENAI, 400, error("Invalid parameter: 'response_format' of type 'json_schema' is not supported with this "
                              "model. Learn more about supported models"), schema("object")),
    "11": (CLAUDE, 400, error("`temperature` is deprecated for this model."), drop("temperature")),
    "12": (CLAUDE, 400, error('"thinking.type.enabled" is not supported for this model. Use "thinking.type.adaptive" '
                              'and "output_config.effort" to control thinking behavior.'),
           put("thinking", {"type": "adaptive"})),
    "13": ({**CLAUDE, "thinking": {"type": "disabled"}}, 400,
           error('"thinking.type.disabled" is not supported for this model. Use "thinking.type.adaptive" and '
                 '"output_config.effort" to control thinking behavior.'), put("thinking", {"type": "adaptive"})),
    "14": (CLAUDE, 400, error("This model does not support the effort parameter."), drop("output_config.effort")),
    "15": (CLAUDE, 400, error("This model does not support assistant message prefill. The conversation must end with "
                              "a user message."), None),
    "16": (CLAUDE, 400, error("Thinking may not be enabled when tool_choice forces tool use."), drop("thinking")),
    "17": (CLAUDE, 404, error("Claude Fable 5 is not available. Please use Opus 4.8."), None),
    "18": (OPENAI, 400, error("This response_format type is unavailable now"), schema("object")),
    "19": (CLAUDE, 400, error("Thinking mode does not support this tool_choice"), drop("thinking")),
    "20": (OPENAI, 400, error("Failed to deserialize the JSON body into the target type: messages[0].role: unknown "
                              "variant `developer`, expected one of `system`, `user`, `assistant`, `tool` at line 1 "
                              "column 85"), None),
    "21": ({**OPENAI, "response_format": {"type": "json_object"}}, 400,
           error("Prompt must contain the word 'json' in some form to use 'response_format' of type 'json_object'"),
           schema("object")),
    "22": ({**OPENAI, "reasoning_effort": "low"}, 400, error("`reasoning_effort` must be one of `none` or `default`"),
           instead("reasoning_effort", "low", "default")),
    "23": ({**OPENAI, "store": True, "stop": "x"}, 400, error("property 'store' is unsupported, did you mean 'stop'?"),
           drop("store")),
    "24": (OPENAI, 400, error("This model does not support response format json_schema"), schema("object")),
    "25": (OPENAI, 400, error("invalid schema for response format: response_format/json_schema/next_step: minItems is "
                              "not supported"), schema("plain")),
    "26": ({**OPENAI, "reasoning_effort": "low"}, 400, {"code": "invalid-argument", "error": "Model "
           "grok-4.20-0309-reasoning does not support parameter reasoningEffort."}, drop("reasoning_effort")),
    "27": ({**OPENAI, "stop": "x"}, 400, error("Argument not supported on this model: stop"), drop("stop")),
    "28": (OPENAI, 400, error("Argument not supported: stream_options"), drop("stream_options")),
    "29": (OPENAI, 400, {"message": "Unsupported JSON schema fields: {'minItems', 'items'}", "type": "invalid_request_"
                         "error", "param": "response_format", "code": "wrong_api_format"}, schema("plain")),
    "30": ({**OPENAI, "store": True}, 422, error("body.store: property 'body.store' is unsupported"), drop("store")),
    "31": (OPENAI, 400, error("Extra inputs are not permitted, field: 'stream_options'"), drop("stream_options")),
    "32": ({**OPENAI, "max_completion_tokens": 48, "max_tokens": 48}, 422,
           {"detail": [{"type": "extra_forbidden", "loc": ["body", "max_completion_tokens"],
                        "msg": "Extra inputs are not permitted", "input": 8192}]}, drop("max_completion_tokens")),
    "32 alone": ({"messages": [USER], "max_completion_tokens": 48}, 422,
                 {"detail": [{"type": "extra_forbidden", "loc": ["body", "max_completion_tokens"],
                              "msg": "Extra inputs are not permitted", "input": 8192}]},
                 Adaptation("rename", "max_completion_tokens", "max_tokens")),
    "33": ({**OPENAI, "prompt_mode": "reasoning"}, 400, {"message": "Reasoning prompt mode is not enabled for this "
           "model", "code": "3051"}, drop("prompt_mode")),
    "34": (LEVEL, 400, error("Thinking level is not supported for this model."), drop(LEVEL_AT)),
    "35": ({**GEMINI, "generationConfig": {"thinkingConfig": {"thinkingBudget": 0, "thinkingLevel": "low"}}}, 400,
           error("You can only set only one of thinking budget and thinking level."), drop(BUDGET_AT)),
    "36": ({**GEMINI, "generationConfig": {"thinkingConfig": {"thinkingBudget": 52428}}}, 400,
           error("The thinking budget (52428) is invalid."), instead(BUDGET_AT, 52428, 24576)),
    "36 with a range": (GEMINI, 400, error("The thinking budget 0 is invalid. Please choose a value between 128 and "
                                           "32768."), instead(BUDGET_AT, 0, 128)),
    "37": (LEVEL, 400, error("'minimal' is not a supported thinking level for this model. Allowed values are: medium, "
                             "low, high."), instead(LEVEL_AT, "minimal", "low")),
    "38": (GEMINI, 400, error("Developer instruction is not enabled for models/gemma-3-27b-it"), AS_USER),
    "39": (OPENAI, 400, [error('Invalid JSON payload received. Unknown name "seed": Cannot find field.')],
           drop("seed")),
    "40": (GEMINI, 400, error("Request contains an invalid argument."), None),
    "41": ({**OPENAI, "reasoning_effort": "none"}, 400, error("Reasoning is mandatory for this endpoint and cannot be "
                                                              "disabled."), instead("reasoning_effort", "none", "low")),
    "42": (OPENAI, 404, error("No endpoints found that support tool use. To learn more about provider routing"), None),
    "43": (CLAUDE, 404, error("No endpoints found that support the provided 'tool_choice' value."),
           drop("tool_choice")),
    "44": (CLAUDE, 400, {"error": "Invalid tool_choice type: 'object'. Supported string values: none, auto, required"},
           drop("tool_choice")),
    "45": (CLAUDE, 400, {"object": "error", "message": '"auto" tool choice requires --enable-auto-tool-choice'},
           drop("tool_choice")),
    "46": (OPENAI, 400, {"object": "error", "message": "System role not supported", "code": 400}, AS_USER),
    "47": (OPENAI, 400, {"object": "error", "message": "The provided JSON schema contains features not supported by "
                         "xgrammar."}, schema("plain")),
    "48": ({**OPENAI, "reasoning_effort": "none"}, 400, {"object": "error", "message": [
           {"type": "literal_error", "loc": ("body", "reasoning_effort"), "msg": "Input should be 'low', 'medium' or "
            "'high'", "input": "none"}]}, instead("reasoning_effort", "none", "low")),
    "49": ({**OPENAI, "reasoning_effort": "x"}, 400, error('invalid reasoning value: "x" (must be "minimal", "low", '
           '"medium", "high", "xhigh", "ultra", "max", or "none")'), instead("reasoning_effort", "x", "medium")),
    "50": ({**OLLAMA, "think": "x"}, 400, {"error": 'invalid think value: "x" (must be "high", "medium", "low", "max", '
                                           'true, or false)'}, instead("think", "x", "medium")),
    "51": (OLLAMA, 400, {"error": "invalid JSON schema in format"}, schema("plain")),
}  # fmt: skip
MORE = {
    "no error but a sentence": (OPENAI, 400, "temperature is not supported", drop("temperature")),
    "JSON in a string": (OPENAI, 400, {"error": {"message": '{"error": {"message": "Unknown argument: seed"}}'}},
                         drop("seed")),
    "an option within": (OLLAMA, 400, {"error": 'option "temperature" is not supported'}, drop("options.temperature")),
    "Ollama cannot think": (OLLAMA, 400, {"error": '"m1" does not support thinking'}, drop("think")),
    "Ollama, an old form": (OLLAMA, 400, {"error": "json: cannot unmarshal object into Go struct field "
                                          "ChatRequest.format of type string"}, schema("object")),
    "JSON mode": (GEMINI, 400, error("JSON mode is not enabled for models/gemma-3-27b-it"), schema("none")),
    "too many states": (GEMINI, 400, error("The specified schema produces a constraint that has too many states for "
                                           "serving."), schema("object")),
    "thinking altogether": (GEMINI, 400, error("Thinking is not enabled for models/x"),
                            drop("generationConfig.thinkingConfig")),
    "an unknown object": (GEMINI, 400, error("Invalid JSON payload received. Unknown name \"thinkingConfig\" at "
                                             "'generation_config': Cannot find field."),
                          drop("generationConfig.thinkingConfig")),
    "object or text": ({**OPENAI, "response_format": {"type": "json_object"}}, 400,
                       {"error": "'response_format.type' must be 'json_schema' or 'text'"}, schema("none")),
    "a limit that is too large": ({**OPENAI, "max_tokens": 4144}, 400, error(
        "max_tokens is too large: 4144. This model supports at most 2048 completion tokens, whereas you provided "
        "4144.", "max_tokens"), Adaptation("most", "", 2048)),
    "a limit that is too small": ({**OPENAI, "max_tokens": 8}, 400, error(
        "Invalid 'max_tokens': integer below minimum value. Expected a value >= 16, but got 8 instead.",
        "max_tokens"), instead("max_tokens", 8, 16)),
    "a temperature that is too high": ({**OPENAI, "temperature": 1.8}, 400, error(
        "temperature must be less than or equal to 1.5"), instead("temperature", 1.8, 1.5)),
    "a context that is too small": ({**OPENAI, "max_tokens": 4144}, 400, error(
        "This model's maximum context length is 4096 tokens. However, you requested 5048 tokens (904 in the messages, "
        "4144 in the completion). Please reduce the length of the messages or completion."),
        Adaptation("most", "", 2072)),
    "a prompt that fills the context": ({**OPENAI, "max_tokens": 4144}, 400, error(
        "This model's maximum context length is 4096 tokens. However, you requested 8240 tokens (4090 in the messages, "
        "4144 in the completion)."), None),
    "a context without room to give": (OPENAI, 400, error("the request exceeds the available context size"), None),
    "another switch": ({**OPENAI, "stream": False}, 400, error("parameter.enable_thinking must be set to false for "
                       "non-streaming calls"), put("enable_thinking", False)),
    "a value, not another name": ({**OPENAI, "reasoning_effort": "none"}, 400, error(
        "reasoning_effort 'none' is not supported, use 'low' instead"), instead("reasoning_effort", "none", "low")),
    "a number, not another name": (OPENAI, 400, error("temperature 0.8 is not supported, use 1 instead"),
                                   drop("temperature")),
    "the name of what is asked": (OPENAI, 400, error("seed is not supported; use messages instead"), drop("seed")),
    "a number that must be set": (OPENAI, 400, error("temperature must be set to 1.0 for this model"),
                                  put("temperature", 1.0)),
    "a key": (OPENAI, 400, error("Incorrect API key provided"), None),
    "a model": (OPENAI, 404, error("The model 'seed' does not exist or you do not have access to it."), None),
    "what a model has not": (OPENAI, 400, error("This model does not take that: temperature is not available"),
                             drop("temperature")),
    "a name that ends like a parameter's": ({**OPENAI, "n": 1}, 400, error("It is wrong", "option"), None),
    "a server that failed": (OPENAI, 500, error("Unknown parameter: 'temperature'."), None),
    "a page": (OPENAI, 400, "<html><body>temperature is not supported</body></html>", None),
    "nothing": (OPENAI, 400, {}, None),
}  # fmt: skip


def told(body):
    return words_of(body if isinstance(body, str) else json.dumps(body))


@pytest.mark.parametrize("name", [*WORDS, *MORE])
def test_a_refusal_is_understood(name):
    body, status, answered, expected = (WORDS | MORE)[name]
    assert refusal(status, told(answered), body, (), 48) == expected


@pytest.mark.parametrize("name", [name for name, row in (WORDS | MORE).items() if row[3]])
def test_what_is_changed_is_changed_once_and_can_be_kept(name):
    body, status, answered, expected = (WORDS | MORE)[name]
    before = json.dumps(body)
    changed = adapt(body, [expected])
    assert json.dumps(changed) != before == json.dumps(body)
    assert adapt(changed, [expected]) == changed
    assert refusal(status, told(answered), body, [expected], 48) is None
    assert from_json(json.loads(json.dumps(expected.json()))) == expected


def test_what_is_refused_under_both_names_is_left_out():
    first = Adaptation("rename", "max_tokens", "max_completion_tokens")
    said = error("Unsupported parameter: max_completion_tokens")
    found = refusal(400, told(said), adapt(OPENAI, [first]), [first], 48)
    assert found == drop("max_completion_tokens")


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
