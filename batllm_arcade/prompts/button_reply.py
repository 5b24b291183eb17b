"""Read a JSON-only response: the five criteria it must meet, each with an error of its own."""

from __future__ import annotations

import json
import re
from collections import Counter
from typing import TYPE_CHECKING, Any, NoReturn

from batllm_arcade.brains.options import BUTTONS
from batllm_arcade.errors import quoted
from batllm_arcade.prompts import thoughts
from batllm_arcade.prompts.formats import InvalidReply

if TYPE_CHECKING:
    from batllm_arcade.prompts.button_schema import ButtonReply


class NotJson(InvalidReply):
    """Criterion 1: the response is not valid JSON."""


class WrongField(InvalidReply):
    """Criterion 2: a required field is missing, or a field has a wrong value."""


class WrongButton(InvalidReply):
    """Criterion 3: button_presses is not a list of one to three of the eight buttons."""


class TooLong(InvalidReply):
    """Criterion 4: a text is longer than its limit."""


class ExtraText(InvalidReply):
    """Criterion 5: the response is not the JSON object alone."""


class Prohibited(ExtraText):
    """Criterion 5, within the texts: markdown, role play or narrative where facts are asked for."""


def read(raw: str) -> ButtonReply:
    """Return the response in a model's text, whose thought is no part of it; raise the first criterion's error."""
    reply = _validated(_object(thoughts.split(raw)[1]))
    for field in ("reasoning", "observations"):
        _check_style(field, getattr(reply, field))
    return reply


_PROHIBITED = {
    "markdown, such as **bold**, *italic* or a code block": re.compile(
        r"```|(?<![\w*])(\*{1,3})(?=\S)[^*\n]*[^*\s]\1(?![\w*])|(?<![\w_])__(?=\S)[^_\n]+__(?![\w_])"
    ),
    "role play": re.compile(
        # Only whoever gives itself a name or a role: "I'm 12 degrees off" and "I am aligned" are facts.
        r"\bI(?:'m|\u2019m| am) "
        r"(?:[A-Z][a-z]+\b|(?:the|an?|your) (?:\w+ )*(?:bot|robot|fighter|warrior|gladiator|hero)\b)"
    ),
    "narrative": re.compile(r"^\s*(?:Let me|Let(?:'|\u2019)s|Here(?:'|\u2019)s my|Time to \w+ the)\b"),
}


def _check_style(field: str, text: str) -> None:
    for what, found in _PROHIBITED.items():
        if found.search(text):
            raise Prohibited(f"{field} must be plain facts without {what}")


def _object(text: str) -> dict[str, Any]:
    try:
        value = json.loads(text, object_pairs_hook=_unique, parse_constant=_no_number)
    except NotJson:
        raise
    except RecursionError:
        raise NotJson("the response is nested too deeply to be valid JSON") from None
    except ValueError as error:
        if _contains_json(text):
            raise ExtraText("the response must contain ONLY the JSON object: no text or code fence around it") from None
        position = f" ({error.msg}, character {error.pos + 1})" if isinstance(error, json.JSONDecodeError) else ""
        raise NotJson(f"the response is not valid JSON{position}") from None
    if not isinstance(value, dict):
        raise ExtraText(f"the response must be a JSON object, not {_kind(value)}")
    return value


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) < len(pairs):
        twice = Counter(name for name, _ in pairs).most_common(1)[0][0]
        raise NotJson(f"the response is not valid JSON: {quoted(twice)} occurs twice")
    return value


def _no_number(word: str) -> NoReturn:
    raise NotJson(f"the response is not valid JSON: {word} is not a JSON number")


def _contains_json(text: str) -> bool:
    """Return True if the text contains a JSON object, or begins with what usually surrounds one."""
    if text.startswith("```"):
        return True
    decoder = json.JSONDecoder()
    for start in [found.start() for found in re.finditer(r"\{", text[:4000])][:20]:
        try:
            if isinstance(decoder.raw_decode(text, start)[0], dict):
                return True
        except (ValueError, RecursionError):
            continue
    return False


def _kind(value: Any) -> str:
    kinds = {list: "a list", str: "a string", bool: "true or false", type(None): "null"}
    return kinds.get(type(value), "a number")


def _validated(value: dict[str, Any]) -> ButtonReply:
    from pydantic import ValidationError

    from batllm_arcade.prompts.button_schema import ButtonReply

    try:
        return ButtonReply.model_validate(value)
    except ValidationError as error:
        problems = [_problem(each["type"], each["loc"], each["input"]) for each in error.errors(include_url=False)]
        criteria = (WrongField, WrongButton, TooLong)
        raise min(problems, key=lambda problem: criteria.index(type(problem))) from None


def _problem(kind: str, path: tuple[int | str, ...], value: Any) -> WrongField | WrongButton | TooLong:
    field = str(path[0])
    if kind == "missing":
        return WrongField(f"the required field {field} is missing")
    if field == "button_presses":
        return WrongButton(_button_problem(kind, value))
    if kind == "string_too_long":
        limit = 200 if field == "reasoning" else 300
        return TooLong(f"{field} must have at most {limit} characters, not {len(value)}")
    return WrongField(f"{field} must be {_MUST[field]}, not {_as_json(value)}")


def _as_json(value: Any) -> str:
    """Return a value as quoted in a sentence, spelt as the model wrote it: `null`, `true`."""
    return json.dumps(value) if value is None or isinstance(value, bool) else quoted(value)


_MUST = {
    "reasoning": "a text",
    "observations": "a text",
    "context_detected": "exactly one of battle, navigation, menu, unknown",
    "confidence": "high, medium or low, or left out",
    "turn_degrees": "a number above 0, at most 360, or left out",
}


def _button_problem(kind: str, value: Any) -> str:
    if kind in ("too_short", "too_long"):
        return f"button_presses must hold 1 to 3 buttons, not {len(value)}"
    if kind == "list_type":
        return f"button_presses must be a list of 1 to 3 buttons, not {_as_json(value)}"
    return f"{_as_json(value)} is not a button; the buttons are {', '.join(BUTTONS)}"
