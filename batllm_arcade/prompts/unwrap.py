"""Extract the token from a model's exact text; wrappers are removed, prose is never searched."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from batllm_arcade.core.commands import canonical
from batllm_arcade.prompts import thoughts

ACTIONS = {"move": "M", "fire": "B", "shield_up": "S1", "shield_down": "S0"}
"""The token of each action that has no angle."""
TURN, BACK, NOTHING = "turn", "step_back", "nothing"
"""The other actions: a turn by `degrees`, a back step where the rules have one, and doing nothing."""

_LONGEST = 1000
"""Characters of a wrapped token at most; a longer text is not parsed."""
_FENCE = re.compile(r"```(?:[\w+-]*[ \t]*\r?\n|json\b)?((?:[^`]|`(?!``))*)```")
"""A code fence, with or without the name of a language, around everything."""


def unwrap(raw: str, back_step: int = 0) -> str:
    """Return the token in `raw`, without its thought, a code fence, JSON quotes, `{"cmd": ...}` or an action.

    `{"action": "turn", "degrees": -30}` is A30, `{"action": "step_back"}` the token of a `back_step` of that
    length. Any other text, and the action `nothing`, is returned unchanged, for the rules to refuse.
    """
    text, value = _parsed(raw)
    if isinstance(value, dict):
        value = value["cmd"] if "cmd" in value else _bare_action(value, back_step) or text
    return value if isinstance(value, str) else text


def command(raw: str, back_step: int = 0) -> str | None:
    """Return the command in `raw` as `unwrap` does, None for the action `nothing`."""
    value = _parsed(raw)[1]
    meant = isinstance(value, dict) and "cmd" not in value and _bare_action(value, back_step) == ""
    return None if meant else unwrap(raw, back_step)


def token_of_action(content: Mapping[str, Any], back_step: int = 0) -> str | None:
    """Return the token of `{"action": ..., "degrees": ...}`, "" for `nothing`, None if it is no such object.

    `degrees`, from -180 to 180 and positive clockwise, matters for a turn only. There is a step back only with the
    rules' `back_step`.
    """
    name = content.get("action")
    if name == TURN:
        return _turn(content.get("degrees"))
    if name == BACK:
        return f"M-{back_step}" if back_step else None
    return "" if name == NOTHING else ACTIONS.get(name) if isinstance(name, str) else None


def _bare_action(content: Mapping[str, Any], back_step: int) -> str | None:
    """Return the token of an action, None for a tool call, which has more than a token."""
    return None if "toolCall" in content else token_of_action(content, back_step)


def _turn(degrees: Any) -> str | None:
    if type(degrees) not in (int, float) or not -180 <= degrees <= 180:
        return None
    return f"{'A' if degrees < 0 else 'C'}{canonical(f'{abs(degrees):.9f}')}"


def thought(raw: str) -> str:
    """Return what the text marks as its thought, such as a leading `<think>` block; "" if there is none."""
    return thoughts.split(raw)[0]


def is_json(text: str) -> bool:
    """Return True if the text is one complete JSON value, apart from its thought."""
    try:
        json.loads(thoughts.split(text)[1])
    except (ValueError, RecursionError):
        return False
    return True


def json_object(text: str) -> dict[str, Any] | None:
    """Return the JSON object that a text is, None if it is none."""
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _parsed(raw: str) -> tuple[str, Any]:
    """Return the text without its thought and fence, and what it is as JSON: a string, an object or None."""
    text = _without_fence(thoughts.split(raw)[1])
    if len(text) > _LONGEST or text[:1] not in ('"', "{"):
        return text, None
    try:
        return text, json.loads(text)
    except (ValueError, RecursionError):
        return text, None


def _without_fence(text: str) -> str:
    fenced = _FENCE.fullmatch(text) if text.startswith("```") and text.endswith("```") else None
    return fenced[1].strip() if fenced else text
