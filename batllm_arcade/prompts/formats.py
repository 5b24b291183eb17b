"""The forms of an answer, and the grammar that holds a model to one."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol

from batllm_arcade.brains.protocol import Decision, View
from batllm_arcade.errors import ArcadeError
from batllm_arcade.prompts import payload, unwrap
from batllm_arcade.prompts.payload import Shown
from batllm_arcade.prompts.unwrap import ACTIONS, BACK, NOTHING, TURN


def pattern(free_move: bool = False, back_step: float = 0) -> str:
    """Return a regular expression (JSON schema dialect) of the commands; angles are whole degrees."""
    move = r"M(-?[0-9]{1,4})?" if free_move else r"M(-[0-9]{1,4})?" if back_step else "M"
    return rf"^([CA]([0-9]|[1-9][0-9]|[1-2][0-9][0-9]|3[0-5][0-9]|360)|{move}|S1|S0|S|B)$"


def command_schema(free_move: bool = False, back_step: float = 0) -> dict[str, Any]:
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


def command_grammar(free_move: bool = False, back_step: float = 0) -> str:
    """Return a GBNF grammar (llama.cpp) of one bare token."""
    sign = '"-"?' if free_move else '"-"' if back_step else ""
    move = f'"M" ({sign} [0-9] [0-9]? [0-9]? [0-9]?)?' if sign else '"M"'
    return (
        f'root ::= [CA] angle | {move} | "S1" | "S0" | "S" | "B"\n'
        'angle ::= [0-9] | [1-9] [0-9] | [12] [0-9] [0-9] | "3" [0-5] [0-9] | "360"\n'
    )


Messages = list[dict[str, Any]]
"""`{"role": "system" | "user" | "assistant", "content": TEXT}`, in order."""


def actions(back_step: int = 0) -> str:
    """Return what an action means, for instructions; by rules with a `back_step` there is one more."""
    back = f"step_back (M-{back_step}), " if back_step else ""
    return (
        "ACTION is turn (C and A: by D degrees, 1 to 180 clockwise or -1 to -180 anticlockwise), move (M), "
        f"{back}fire (B), shield_up (S1), shield_down (S0) or nothing; D is 0 where nothing turns."
    )


def action_instructions(back_step: int = 0) -> str:
    """Return how a token is written as an action."""
    return (
        'A token is written as one JSON object with nothing around it: {"action": ACTION, "degrees": D}\n'
        f"{actions(back_step)}"
    )


class InvalidReply(ArcadeError):
    """A model's text has not the form asked for; `str()` is one sentence that can be quoted to the model."""


class ReplyFormat:
    """The form of an answer: the instructions that ask for it, the schema that constrains it, its parser."""

    max_tokens: int
    """The most tokens such an answer takes."""
    only: ClassVar[str] = "the JSON object"
    """What an answer is to be and nothing else, as it is said when one is refused."""

    def instructions(self, view: View) -> str:
        """Return what to append to the system message, "" for nothing; the same for every play."""
        raise NotImplementedError

    def this_turn(self, view: View) -> str:
        """Return what is said about this very turn, "" for nothing; it ends the last message."""
        return ""

    def schema(self, view: View) -> dict[str, Any]:
        """Return the JSON schema of the answer, for servers that constrain the output."""
        raise NotImplementedError

    def grammar(self, view: View) -> str:
        """Return a GBNF grammar if it is tighter than the schema, else ""."""
        return ""

    def read(self, view: View, raw: str) -> tuple[Decision, ...]:
        """Return the play and those to queue after it, at least one; raise InvalidReply if the answer is invalid.

        The model is then asked once more, with the reason.
        """
        raise NotImplementedError


class Dialogue(Protocol):
    """What one bot's model is sent; one instance per brain, which may keep state."""

    @property
    def form(self) -> ReplyFormat:
        """Return the form of answers that is used unless the option `reply` names another."""
        ...

    def messages(self, view: View, this_turn: str = "", shown: Shown = "figures") -> Messages:
        """Return all messages to send for this play; repeated calls return the same.

        `this_turn`, what the form of the answers says about this very turn, comes after everything else, so
        that a server can reuse what it has read. Where a picture is `shown` it goes with the last message.
        """
        ...

    def answered(self, view: View, decision: Decision) -> None:
        """Take note of the brain's decision for this play, also a queued (`raw` "") or invalid one.

        Not called after a timeout or an error. The host may still drop a decision that came too late;
        `view.history` of a later play shows what was really played.
        """
        ...


@dataclass(frozen=True)
class TokenFormat(ReplyFormat):
    """One command: the bare token, a JSON string, `{"cmd": TOKEN}` or an action and an angle.

    With `actions` the last of these is asked for.
    """

    only: ClassVar[str] = "the command"
    max_tokens: int = 48  # a command in its JSON takes some fifteen tokens; models run on in white space
    actions: bool = False

    def instructions(self, view: View) -> str:
        # Else the system header asks for a token already.
        return action_instructions(view.rules.back_step) if self.actions else ""

    def schema(self, view: View) -> dict[str, Any]:
        return command_schema(view.rules.free_move, view.rules.back_step)

    def grammar(self, view: View) -> str:
        return command_grammar(view.rules.free_move, view.rules.back_step)

    def read(self, view: View, raw: str) -> tuple[Decision, ...]:
        # Text that is not a command is left for the rules to refuse.
        command = unwrap.command(raw, view.rules.back_step)
        return (Decision(raw=raw, command=command, thought=unwrap.reasoning_of(raw)),)


@dataclass(frozen=True, slots=True)
class PayloadDialogue:
    """Payload v3.2: stateless, every request contains everything."""

    form: ReplyFormat = TokenFormat()

    def messages(self, view: View, this_turn: str = "", shown: Shown = "figures") -> Messages:
        """Return the system header and the body as one user message, `this_turn` its last key."""
        return payload.payload_messages(view, this_turn, shown)

    def answered(self, view: View, decision: Decision) -> None:
        """Do nothing: payloads are stateless."""


def instructed(messages: Messages, instructions: str) -> Messages:
    """Return the messages with the instructions appended to the system message, which is added if missing."""
    if not instructions:
        return messages
    if messages and messages[0]["role"] == "system":
        first = {"role": "system", "content": f"{messages[0]['content']}\n\n{instructions}"}
        return [first, *messages[1:]]
    return [{"role": "system", "content": instructions}, *messages]


def conforms(schema: Mapping[str, Any], text: str) -> bool:
    """Return whether a text is one JSON object of a schema, as far as its keys, patterns and lists of values go."""
    value = unwrap.json_object(text)
    return value is not None and any(_fits(each, value) for each in schema.get("anyOf", [schema]))


def _fits(schema: Mapping[str, Any], value: Mapping[str, Any]) -> bool:
    parts = ((part, value[name]) for name, part in schema.get("properties", {}).items() if name in value)
    return all(name in value for name in schema.get("required", ())) and all(
        given in part.get("enum", [given]) and re.search(part.get("pattern", ""), str(given)) for part, given in parts
    )


def without(schema: Mapping[str, Any], keywords: tuple[str, ...]) -> dict[str, Any]:
    """Return a JSON schema without these keywords at any depth; properties of the same name stay."""
    kept: dict[str, Any] = {}
    for key, value in schema.items():
        if key in keywords:
            continue
        if key == "properties":
            kept[key] = {name: without(part, keywords) for name, part in value.items()}
        elif isinstance(value, list):  # the branches of an anyOf
            kept[key] = [without(part, keywords) if isinstance(part, Mapping) else part for part in value]
        else:
            kept[key] = without(value, keywords) if isinstance(value, Mapping) else value
    return kept


def portable_schema(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Return a JSON schema with only the keywords that every provider accepts.

    Gemini and strict modes refuse a request for a keyword they do not know. A command, which only a pattern
    can hold to its form, becomes an action and an angle (`unwrap` joins them). What else the schema no
    longer says (lengths) is checked when the answer is read.
    """
    unknown = ("pattern", "minLength", "maxLength", "additionalProperties", "$schema", "const")
    return without(_without_patterns(schema), unknown)


def _without_patterns(schema: Mapping[str, Any]) -> dict[str, Any]:
    changed = dict(schema)
    if "anyOf" in changed:
        changed["anyOf"] = [_without_patterns(part) for part in changed["anyOf"]]
    properties: Mapping[str, Any] = changed.get("properties", {})
    commands = [name for name, part in properties.items() if is_pattern(part.get("pattern"))]
    if commands:
        said = action_properties(properties[commands[0]]["pattern"])
        split = {name: said if name in commands else {name: part} for name, part in properties.items()}
        changed["properties"] = {name: part for parts in split.values() for name, part in parts.items()}
        required = changed.get("required", ())
        changed["required"] = [each for name in required for each in (said if name in commands else (name,))]
    return changed
