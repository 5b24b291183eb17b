"""The messages of the line protocol, version 1: what a bot is told, and what it may say; pure.

The JSON Schema of both is `assets/schemas/line-protocol.schema.json`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Union

from batllm_arcade.errors import quoted

PROTOCOL = 1
LINE_LIMIT = 64 * 1024
"""Bytes of the longest line, its end not counted."""


@dataclass(frozen=True, slots=True)
class Ready:
    """The bot can play; what it calls itself, its `version` and its `model`, "" for what it does not say."""

    name: str = ""
    version: str = ""
    model: str = ""


@dataclass(frozen=True, slots=True)
class BotAnswer:
    """A bot's `play`, the answer to the `decide` with this id; `values` is all that it said."""

    id: int
    command: str | None
    thought: str = ""
    say: str = ""
    values: Mapping[str, Any] = field(default_factory=dict, compare=False)


@dataclass(frozen=True, slots=True)
class PartialText:
    """What the bot thinks so far about the `decide` with this id."""

    id: int
    text: str


@dataclass(frozen=True, slots=True)
class Garbage:
    """Something that breaks the protocol; `problem` says what, after "garbage: "; `fatal`: it cannot go on."""

    problem: str
    fatal: bool = False


@dataclass(frozen=True, slots=True)
class LogLine:
    """A line that is no message, such as a bot's own print."""

    line: bytes


@dataclass(frozen=True, slots=True)
class OtherMessage:
    """A message of a type that is not the protocol's; our own host for Python bots has some."""

    type: str
    values: Mapping[str, Any] = field(compare=False)


BotMessage = Union[Ready, BotAnswer, PartialText, Garbage, LogLine, OtherMessage]


def read_line(line: bytes) -> BotMessage:
    """Return what a bot said with a line; never raise."""
    if not line.lstrip().startswith(b"{"):
        return LogLine(line) if _is_utf8(line) else Garbage("a line that is no UTF-8")
    try:
        values = json.loads(line)
    except UnicodeDecodeError:
        return Garbage("a line that is no UTF-8")
    except (ValueError, RecursionError):  # no JSON, an enormous number, nested without end
        return LogLine(line)
    kind = values.get("type")
    if kind == "play":
        return _answer(values)
    if kind == "partial":
        number, text = values.get("id"), values.get("text")
        good = type(number) is int and isinstance(text, str)
        return PartialText(number, text) if good else OtherMessage(kind, values)
    if kind == "ready":
        return _ready(values)
    return OtherMessage(kind if isinstance(kind, str) else "", values)


def _ready(values: Mapping[str, Any]) -> Ready | Garbage:
    version = values.get("protocol")
    if version is not None and (type(version) is not int or version != PROTOCOL):
        return Garbage(
            f"its ready names version {quoted(version)} of the line protocol, and this program speaks {PROTOCOL}"
        )
    return Ready(_text(values.get("name")), _text(values.get("version")), _text(values.get("model")))


def _answer(values: Mapping[str, Any]) -> BotAnswer | Garbage:
    number, command = values.get("id"), values.get("command")
    if type(number) is not int:
        return Garbage("a play without the number of its decide")
    if "command" not in values:
        others = [quoted(key) for key in values if key not in ("type", "id")]
        has = f"it has {', '.join(others[:5])}" if others else "null is to do nothing on purpose"
        return Garbage(f"a play with neither a command nor null as its 'command'; {has}")
    if command is not None and not isinstance(command, str):
        return Garbage("a play whose command is no text")
    thought, say = values.get("thought"), values.get("say")
    for name, text in (("thought", thought), ("say", say)):
        if text is not None and not isinstance(text, str):
            return Garbage(f"a play whose {name} is no text")
    return BotAnswer(number, command, thought or "", say or "", values)


def _text(value: object) -> str:
    return value[:300] if isinstance(value, str) else ""


def _is_utf8(line: bytes) -> bool:
    try:
        line.decode()
    except UnicodeDecodeError:
        return False
    return True


def write_line(kind: str, values: Mapping[str, Any], raw: Mapping[str, str] | None = None) -> bytes:
    """Return a message to a bot as a line; the values of `raw` are JSON already."""
    text = json.dumps({"type": kind, **values}, separators=(",", ":"))
    for key, value in (raw or {}).items():
        text = f'{text[:-1]},"{key}":{value}}}'
    return text.encode("ascii") + b"\n"
