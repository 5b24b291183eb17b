"""Adaptations: what is changed in every request to a server that refused it as it was; pure."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from batllm_arcade.models.adapting.messages import without_system
from batllm_arcade.models.adapting.parameter_paths import CONTENT, Body, named, renamed, value_at, with_value, without
from batllm_arcade.models.adapting.schema_forms import FORMS, weakened

Kind = Literal["drop", "rename", "set", "replace", "schema", "system", "most", "room"]
LENGTHS = ("max_tokens", "max_completion_tokens", "num_predict", "maxOutputTokens", "max_output_tokens")
"""The names that servers have for the most tokens of an answer."""
MOST_ROOM = 4096
"""Tokens of thought that an answer may take beside its text."""


@dataclass(frozen=True, slots=True)
class Adaptation:
    """One change of every request to a server.

    `drop` leaves the parameter `name` out, `rename` calls it `value`, `set` gives it the JSON value `value`, `replace`
    the second of the two in `value` where it has the first; `schema` has the weaker form `value`; `system` puts the
    system message into the user's first one; `most` is the largest number of tokens asked for, `room` how many of
    thought an answer may take beside its text.
    """

    kind: Kind
    name: str = ""
    value: Any = None

    def json(self) -> dict[str, Any]:
        """Return it as JSON values: `{"drop": NAME}`, `{"set": [NAME, VALUE]}`, `{"room": 4096}`."""
        if self.kind == "drop":
            return {"drop": self.name}
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
        }[self.kind]


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
    if kind in ("rename", "set") and pair and (kind == "set" or isinstance(what[1], str)):
        return Adaptation(kind, what[0], what[1])
    if kind == "replace" and isinstance(what, list) and len(what) == 3 and isinstance(what[0], str):
        return Adaptation("replace", what[0], (what[1], what[2]))
    if type(what) is int and ((kind == "most" and what > 0) or (kind == "room" and 0 <= what <= MOST_ROOM)):
        return Adaptation(kind, "", what)
    if (kind == "schema" and what in FORMS) or (kind == "system" and what == "user"):
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
                body = without(body, path)
        case "rename":
            for path in named(body, by.name):
                body = renamed(body, path, str(by.value))
        case "set":
            body = _set(body, by.name, by.value)
        case "replace":
            for path in named(body, by.name):
                old, new = by.value
                if value_at(body, path) == old and type(value_at(body, path)) is type(old):
                    body = with_value(body, path, new)
        case "schema":
            body = weakened(body, str(by.value))
        case "system":
            body = without_system(body)
        case "most":
            for path in lengths(body):
                body = with_value(body, path, min(value_at(body, path), by.value))
        case "room":
            pass  # it is asked for when the request is made
    return body


def lengths(body: Body) -> list[str]:
    """Return the dotted names of the parameters that say how long an answer may be."""
    found = [path for name in LENGTHS for path in named(body, name)]
    return [path for path in found if type(value_at(body, path)) is int]


def _set(body: Body, name: str, value: Any) -> Body:
    if name == "stream" and value is False:  # which servers refuse beside `stream: false`
        body = without(body, "stream_options") if "stream_options" in body else body
    if name == "thinking" and not named(body, "thinking"):
        return body
    paths = named(body, name) or [name]
    for path in paths:
        body = with_value(body, path, value)
    return body
