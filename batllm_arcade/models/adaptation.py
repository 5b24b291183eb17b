"""What a request leaves out or says otherwise for one model."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from batllm_arcade.models.responses_api import as_response
from batllm_arcade.prompts.formats import portable_schema

Body = Mapping[str, Any]

CONTENT = ("model", "messages", "contents", "systemInstruction", "system", "prompt", "input")
"""What a request is about: never a parameter that could be left out."""
_MISSING = object()


def parameters(body: Body, inside: str = "") -> Iterator[tuple[str, Any]]:
    """Yield every parameter's dotted name and its value, those within another one after it; schemas stay whole."""
    for key, value in body.items():
        if inside or key not in CONTENT:
            yield f"{inside}{key}", value
            if isinstance(value, Mapping) and not is_schema(value):
                yield from parameters(value, f"{inside}{key}.")


def is_schema(value: object) -> bool:
    """Return whether a value is a JSON schema of an object."""
    return isinstance(value, Mapping) and ("properties" in value or "anyOf" in value)


def named(body: Body, name: str) -> list[str]:
    """Return the dotted names of the parameters that a name means: that one, or those of this name at any depth."""
    return [path for path, _ in parameters(body) if path == name or path.endswith(f".{name}")]


def value_at(body: Body, path: str, default: Any = None) -> Any:
    """Return a parameter's value, `default` if it is missing."""
    value: Any = body
    for key in path.split("."):
        value = value.get(key, _MISSING) if isinstance(value, Mapping) else _MISSING
        if value is _MISSING:
            return default
    return value


def with_value(body: Body, path: str, value: Any) -> dict[str, Any]:
    """Return the body with a parameter set; a new one comes last."""
    key, _, rest = path.partition(".")
    if not rest:
        return {**body, key: value}
    inner = body.get(key)
    return {**body, key: with_value(inner if isinstance(inner, Mapping) else {}, rest, value)}


def without(body: Body, path: str) -> dict[str, Any]:
    """Return the body without a parameter, and without what is empty then."""
    key, _, rest = path.partition(".")
    inner = body.get(key)
    if rest and isinstance(inner, Mapping):
        left = without(inner, rest)
        if left:
            return {**body, key: left}
    elif rest:
        return dict(body)
    return {name: value for name, value in body.items() if name != key}


def renamed(body: Body, path: str, name: str) -> dict[str, Any]:
    """Return the body with a parameter under another name, in the same place."""
    key, _, rest = path.partition(".")
    return {
        (other if other != key or rest else name): (
            renamed(value, rest, name) if other == key and rest and isinstance(value, Mapping) else value
        )
        for other, value in body.items()
    }


def spaced(name: str) -> str:
    """Return a name or a sentence as words in lower case, `thinkingLevel` and `thinking_level` alike."""
    return " ".join(re.sub(r"([a-z0-9])([A-Z])", r"\1 \2", re.sub(r"[^A-Za-z0-9]+", " ", name)).lower().split())


def has_system(body: Body) -> bool:
    """Return whether a request has a system message, or Gemini's system instruction."""
    return bool(body.get("systemInstruction")) or any(_role(each) == "system" for each in _listed(body, _chat(body)))


def without_system(body: Body) -> dict[str, Any]:
    """Return the body with what its system messages say at the start of the first message of the user."""
    if body.get("systemInstruction"):
        texts = [str(part.get("text", "")) for part in body["systemInstruction"].get("parts", ())]
        rest = {name: value for name, value in body.items() if name != "systemInstruction"}
        return {**rest, "contents": _with_first(_listed(body, "contents"), "\n\n".join(texts))}
    messages = _listed(body, _chat(body))
    texts = [str(each["content"]) for each in messages if _role(each) == "system"]
    others = [each for each in messages if _role(each) != "system"]
    return {**body, _chat(body): _with_first(others, "\n\n".join(texts))} if texts else dict(body)


def _chat(body: Body) -> str:
    return next((key for key in ("contents", "input") if key in body), "messages")


def instructed_body(body: Body, instruction: str) -> dict[str, Any]:
    """Return the body with an instruction at the end of its system message, else of the first message."""
    if isinstance(body.get("systemInstruction"), Mapping):
        parts = [*body["systemInstruction"].get("parts", ()), {"text": instruction}]
        return {**body, "systemInstruction": {**body["systemInstruction"], "parts": parts}}
    key = _chat(body)
    first, *rest = _listed(body, key) or [{"role": "user", "content": ""}]
    return {**body, key: [_joined(first, _text(first), instruction), *rest]}


def _listed(body: Body, key: str) -> list[Any]:
    found = body.get(key)
    return [each for each in found if isinstance(each, Mapping)] if isinstance(found, list) else []


def _role(message: Any) -> Any:
    return message.get("role")


def _text(message: Mapping[str, Any]) -> str:
    if "parts" in message:
        return "".join(str(part.get("text", "")) for part in message["parts"])
    content = message.get("content", "")
    return content if isinstance(content, str) else "".join(each.get("text", "") for each in content)


def _joined(message: Mapping[str, Any], *texts: str) -> dict[str, Any]:
    blocks = message.get("content")
    kind = next((each["type"] for each in blocks if "text" in each), "text") if isinstance(blocks, list) else "text"
    if isinstance(blocks, list) and texts[0] == _text(message):  # marked for a cache, which ends where a text changes
        return {**message, "content": [*blocks, *({"type": kind, "text": f"\n\n{each}"} for each in texts[1:])]}
    text = "\n\n".join(text for text in texts if text)
    pictures = [each for each in message.get("parts", blocks if isinstance(blocks, list) else ()) if "text" not in each]
    if "parts" in message:
        return {**message, "parts": [{"text": text}, *pictures]}
    return {**message, "content": [{"type": kind, "text": text}, *pictures] if pictures else text}


def _with_first(messages: list[Any], text: str) -> list[Any]:
    """Return the messages with a text at the start of the first one, which must be the user's."""
    if messages and _role(messages[0]) == "user":
        return [_joined(messages[0], text, _text(messages[0])), *messages[1:]]
    gemini = bool(messages) and "parts" in messages[0]
    return [{"role": "user", "parts": [{"text": text}]} if gemini else {"role": "user", "content": text}, *messages]


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
        return with_value(body, path, portable_schema(_schema(body, path)))
    if form == "object":
        return _instructed(_as_object(body, path) if path else body, _schema(body, path) if path else {})
    for root in _roots(body) if form == "none" else ():
        body = without(body, root)
    return dict(body)


def is_plain(body: Body) -> bool:
    """Return whether the schema has neither patterns nor lengths."""
    path = schema_at(body)
    return not path or portable_schema(_schema(body, path)) == _schema(body, path)


def _schema(body: Body, path: str) -> Mapping[str, Any]:
    found = dict(parameters(body)).get(path)
    return found if isinstance(found, Mapping) else {}


def _roots(body: Body) -> list[str]:
    names = [path for path, _ in parameters(body) if path in ROOTS or path.rpartition(".")[2] in ROOTS[:5]]
    path = schema_at(body)
    return [*names, *([path] if path and not any(path.startswith(name) for name in names) else [])]


def _as_object(body: Body, path: str) -> Body:
    """Return the body that asks for any JSON object, in this provider's words; without a way to, for anything."""
    if "response_format" in body:
        return {**body, "response_format": {"type": "json_object"}}
    if path == "format":
        return {**body, "format": "json"}
    if path == "text.format.schema":
        return with_value(body, "text.format", {"type": "json_object"})
    for root in _roots(body):
        body = body if root.endswith("responseMimeType") else without(body, root)
    return body


def _instructed(body: Body, schema: Mapping[str, Any]) -> dict[str, Any]:
    """Return the body with the schema in words: servers that know only `json_object` also want the word JSON there."""
    said = json.dumps([body.get(name) for name in (_chat(body), "systemInstruction")])
    if not schema and "json" in said.lower():
        return dict(body)
    about = f" that this JSON schema describes: {json.dumps(schema, separators=(',', ':'))}" if schema else ""
    return instructed_body(body, f"Answer with one JSON object and nothing else{about or '.'}")


Kind = Literal["drop", "rename", "set", "replace", "schema", "system", "most", "room", "api"]
LENGTHS = ("max_tokens", "max_completion_tokens", "num_predict", "maxOutputTokens", "max_output_tokens")
"""The names that servers have for the most tokens of an answer."""
MOST_ROOM = 4096
"""Tokens of thought that an answer may take beside its text."""


@dataclass(frozen=True, slots=True)
class Adaptation:
    """One change of every request to a server.

    `drop` leaves the parameter `name` out (with a `value`, only where it has that), `rename` calls it `value`, `set`
    gives it the JSON value `value`, `replace` the second of the two in `value` where it has the first; `schema` has
    the weaker form `value`; `system` puts the system message into the user's first one; `most` is the largest number
    of tokens asked for, `room` how many of thought an answer may take beside its text; `api` puts a chat as another
    API has it, of which there is one.
    """

    kind: Kind
    name: str = ""
    value: Any = None

    def json(self) -> dict[str, Any]:
        """Return it as JSON values: `{"drop": NAME}`, `{"set": [NAME, VALUE]}`, `{"room": 4096}`."""
        if self.kind == "drop":
            return {"drop": self.name if self.value is None else [self.name, self.value]}
        if self.kind == "replace":
            return {"replace": [self.name, *self.value]}
        return {self.kind: [self.name, self.value] if self.name else self.value}

    def told(self) -> str:
        """Return what is changed, in a few words."""
        name, value = self.name, self.value
        if self.kind == "set" and name == "stream" and value is False:
            return "not streamed"
        return {
            "drop": f"{name} left out",
            "rename": f"{name} sent as {value}",
            "set": f"{name} set to {_plain(value)}",
            "replace": f"{name} {_plain(value[1])} for {_plain(value[0])}" if isinstance(value, tuple) else "",
            "schema": {"plain": "schema without patterns and lengths", "object": "json_object for the schema"}.get(
                str(value), "no schema"
            ),
            "system": "system message sent as the user's",
            "most": f"at most {value} tokens",
            "room": f"room for {value} tokens of thought",
            "api": "asked through the Responses API",
        }[self.kind]


RESPONSES = Adaptation("api", "", "responses")


def _plain(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def from_json(value: Any) -> Adaptation | None:
    """Return the adaptation in a JSON value as `json` makes it, None for anything else."""
    if not isinstance(value, Mapping) or len(value) != 1:
        return None
    ((kind, what),) = value.items()
    name = what[0] if isinstance(what, list) and what else what
    if isinstance(name, str) and (not name or name in CONTENT):
        return None
    pair = isinstance(what, list) and len(what) == 2 and isinstance(what[0], str)
    if kind == "drop" and isinstance(what, str):
        return Adaptation("drop", what)
    if kind in ("drop", "rename", "set") and pair and (kind != "rename" or isinstance(what[1], str)):
        return Adaptation(kind, what[0], what[1])
    if kind == "replace" and isinstance(what, list) and len(what) == 3 and isinstance(what[0], str):
        return Adaptation("replace", what[0], (what[1], what[2]))
    if type(what) is int and ((kind == "most" and what > 0) or (kind == "room" and 0 <= what <= MOST_ROOM)):
        return Adaptation(kind, "", what)
    if (kind == "schema" and what in FORMS) or (kind == "system" and what == "user") or value == RESPONSES.json():
        return Adaptation(kind, "", what)
    return None


def adapt(body: Body, adaptations: Iterable[Adaptation]) -> Body:
    """Return the body with these changes, one after the other; those that change nothing in it leave it as it is."""
    for adaptation in adaptations:
        body = _changed(body, adaptation)
    return body


def _changed(body: Body, by: Adaptation) -> Body:
    match by.kind:
        case "drop":
            for path in named(body, by.name):
                if by.value is None or _equal(value_at(body, path), by.value):
                    body = without(body, path)
        case "rename":
            for path in named(body, by.name):
                body = renamed(body, path, str(by.value))
        case "set":
            body = _set(body, by.name, by.value)
        case "replace":
            for path in named(body, by.name):
                old, new = by.value
                if _equal(value_at(body, path), old):
                    body = with_value(body, path, new)
        case "schema":
            body = weakened(body, str(by.value))
        case "system":
            body = without_system(body)
        case "most":
            for path in lengths(body):
                body = with_value(body, path, min(value_at(body, path), by.value))
        case "api":
            body = as_response(body)
        case "room":
            pass  # it is asked for when the request is made
    return body


def _equal(value: Any, other: Any) -> bool:
    return bool(value == other and type(value) is type(other))  # 0 is not False


def lengths(body: Body) -> list[str]:
    """Return the dotted names of the parameters that say how long an answer may be."""
    return [path for name in LENGTHS for path in named(body, name) if type(value_at(body, path)) is int]


def _set(body: Body, name: str, value: Any) -> Body:
    if name == "stream" and value is False:  # which servers refuse beside `stream: false`
        body = without(body, "stream_options") if "stream_options" in body else body
    if name == "thinking" and not named(body, "thinking"):
        return body
    paths = named(body, name) or [name]
    for path in paths:
        body = with_value(body, path, value)
    return body
