"""The commands as constraints on a model's output: a regular expression, JSON schemas, a GBNF grammar."""

from __future__ import annotations

from typing import Any

from batllm_arcade.prompts.unwrap import ACTIONS, BACK, NOTHING, TURN


def pattern(free_move: bool = False, back_step: float = 0) -> str:
    """Return a regular expression (JSON schema dialect) of the commands; angles are whole degrees."""
    move = r"M(-?[0-9]{1,4})?" if free_move else r"M(-[0-9]{1,4})?" if back_step else "M"
    return rf"^([CA]([0-9]|[1-9][0-9]|[1-2][0-9][0-9]|3[0-5][0-9]|360)|{move}|S1|S0|S|B)$"


def json_schema(free_move: bool = False, back_step: float = 0) -> dict[str, Any]:
    """Return a JSON schema of `{"cmd": TOKEN}`."""
    return {
        "type": "object",
        "properties": {"cmd": {"type": "string", "pattern": pattern(free_move, back_step)}},
        "required": ["cmd"],
    }


def is_pattern(text: object) -> bool:
    """Return whether a schema's `pattern` is that of the commands."""
    return text in (pattern(), pattern(free_move=True), pattern(back_step=1))


def action_properties(command_pattern: str) -> dict[str, Any]:
    """Return the properties that say a command without its pattern: `action`, one of a few words, and `degrees`."""
    back = [BACK] if command_pattern == pattern(back_step=1) else []
    return {
        "action": {"type": "string", "enum": [TURN, *ACTIONS, *back, NOTHING]},
        "degrees": {"type": "integer", "minimum": -180, "maximum": 180},
    }


def gbnf(free_move: bool = False, back_step: float = 0) -> str:
    """Return a GBNF grammar (llama.cpp) of one bare token."""
    sign = '"-"?' if free_move else '"-"' if back_step else ""
    move = f'"M" ({sign} [0-9] [0-9]? [0-9]? [0-9]?)?' if sign else '"M"'
    return (
        f'root ::= [CA] angle | {move} | "S1" | "S0" | "S" | "B"\n'
        'angle ::= [0-9] | [1-9] [0-9] | [12] [0-9] [0-9] | "3" [0-5] [0-9] | "360"\n'
    )
