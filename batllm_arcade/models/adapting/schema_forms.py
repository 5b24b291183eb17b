"""The JSON schema in a request, wherever a provider has it, and its weaker forms."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Literal

from batllm_arcade.models.adapting.messages import instructed_body
from batllm_arcade.models.adapting.parameter_paths import Body, is_schema, parameters, with_value, without
from batllm_arcade.prompts.formats import portable

Form = Literal["plain", "object", "none"]
FORMS: tuple[Form, ...] = ("plain", "object", "none")
"""From strong to weak: a schema without patterns and lengths, any JSON object, anything."""
ROOTS = ("response_format", "responseMimeType", "responseJsonSchema", "responseSchema", "format", "json_schema",
         "output_config.format", "text.format", "grammar", "guided_json", "structured_outputs")  # fmt: skip
"""Parameters that hold a model to a form."""


def schema_at(body: Body) -> str:
    """Return the dotted name of a request's schema, "" without one."""
    return next((path for path, value in parameters(body) if is_schema(value)), "")


def is_held(body: Body) -> bool:
    """Return whether a request holds the model to any form."""
    return bool(_roots(body))


def weakened(body: Body, form: str) -> dict[str, Any]:
    """Return the body with its schema in a weaker form; what the schema said is then told to the model in words."""
    path = schema_at(body)
    if form == "plain" and path:
        return with_value(body, path, portable(_schema(body, path)))
    if form == "object":
        return _instructed(_as_object(body, path), _schema(body, path) if path else {})
    for root in _roots(body) if form == "none" else ():
        body = without(body, root)
    return dict(body)


def is_plain(body: Body) -> bool:
    """Return whether the schema has neither patterns nor lengths."""
    path = schema_at(body)
    return not path or portable(_schema(body, path)) == _schema(body, path)


def _schema(body: Body, path: str) -> Mapping[str, Any]:
    found = dict(parameters(body)).get(path)
    return found if isinstance(found, Mapping) else {}


def _roots(body: Body) -> list[str]:
    names = [path for path, _ in parameters(body) if path in ROOTS or path.rpartition(".")[2] in ROOTS[:5]]
    path = schema_at(body)
    return [*names, *([path] if path and not any(path.startswith(name) for name in names) else [])]


def _as_object(body: Body, path: str) -> Body:
    """Return the body that asks for any JSON object, in this provider's words; without a way to, for anything."""
    if not path:
        return body
    if "response_format" in body:
        return {**body, "response_format": {"type": "json_object"}}
    if path == "format":
        return {**body, "format": "json"}
    for root in _roots(body):
        body = body if root.endswith("responseMimeType") else without(body, root)
    return body


def _instructed(body: Body, schema: Mapping[str, Any]) -> dict[str, Any]:
    """Return the body with the schema in words: servers that know only `json_object` also want the word JSON there."""
    said = json.dumps([body.get(name) for name in ("messages", "contents", "systemInstruction")])
    if not schema and "json" in said.lower():
        return dict(body)
    about = f" that this JSON schema describes: {json.dumps(schema, separators=(',', ':'))}" if schema else ""
    return instructed_body(body, f"Answer with one JSON object and nothing else{about or '.'}")
