"""The two seams of a model brain: how a match is told to a model, and the form its answer has."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from batllm_arcade.brains.protocol import Decision, View
from batllm_arcade.errors import ArcadeError
from batllm_arcade.prompts import grammar, payload, unwrap

Messages = list[dict[str, str]]
"""`{"role": "system" | "user" | "assistant", "content": TEXT}`, in order."""


class InvalidReply(ArcadeError):
    """A model's text is not what was asked for; one sentence that can be quoted to it."""


class ReplyFormat(Protocol):
    """The form of an answer: what asks for it, what constrains it, what reads it."""

    @property
    def max_tokens(self) -> int:
        """How many tokens such an answer takes at most."""
        ...

    def instructions(self, view: View) -> str:
        """What to append to the system message, "" for nothing."""
        ...

    def schema(self, view: View) -> dict[str, Any]:
        """The answer's JSON schema, for a server that can hold a model to one."""
        ...

    def grammar(self, view: View) -> str:
        """The same as GBNF where that is tighter than the schema, else ""."""
        ...

    def read(self, view: View, raw: str) -> tuple[Decision, ...]:
        """The play an answer means and the plays to queue behind it, at least one in all.

        InvalidReply where it means none; the model is then asked once more with the reason.
        """
        ...


class Dialogue(Protocol):
    """How one bot's match is told to its model; one instance per brain, which may remember."""

    @property
    def form(self) -> ReplyFormat:
        """The form answers have where the option `reply` names no other."""
        ...

    def messages(self, view: View) -> Messages:
        """All that the model is to know for this play; called again, it returns the same."""
        ...

    def answered(self, view: View, decision: Decision) -> None:
        """The brain's decision for this play, queued ones (`raw` "") and invalid ones included.

        Not called where there is none: after a timeout or an error. A decision that came too late may
        still be dropped by the host; `view.history` of a later play tells what really happened.
        """
        ...


@dataclass(frozen=True, slots=True)
class TokenFormat:
    """One command: the bare token, a JSON string or `{"cmd": TOKEN}`."""

    max_tokens: int = 48  # a command in its JSON takes some fifteen tokens; models run on in white space

    def instructions(self, view: View) -> str:
        """Nothing: the system header asks for a token already."""
        return ""

    def schema(self, view: View) -> dict[str, Any]:
        """That of `{"cmd": TOKEN}`."""
        return grammar.json_schema(view.rules.free_move)

    def grammar(self, view: View) -> str:
        """That of one bare token."""
        return grammar.gbnf(view.rules.free_move)

    def read(self, view: View, raw: str) -> tuple[Decision, ...]:
        """One play; text that is no command is left for the rules to refuse."""
        return (Decision(raw=raw, command=unwrap.unwrap(raw), thought=unwrap.thought(raw)),)


@dataclass(frozen=True, slots=True)
class PayloadDialogue:
    """Payload v3.2: stateless, every request tells everything."""

    form: ReplyFormat = TokenFormat()

    def messages(self, view: View) -> Messages:
        """The envelope: the system header, and the body as one user message."""
        return payload.messages(view)

    def answered(self, view: View, decision: Decision) -> None:
        """Nothing to remember."""


def instructed(messages: Messages, instructions: str) -> Messages:
    """The messages with the instructions at the end of the system message, which is put first if there is none."""
    if not instructions:
        return messages
    if messages and messages[0]["role"] == "system":
        first = {"role": "system", "content": f"{messages[0]['content']}\n\n{instructions}"}
        return [first, *messages[1:]]
    return [{"role": "system", "content": instructions}, *messages]


def without(schema: Mapping[str, Any], keywords: tuple[str, ...]) -> dict[str, Any]:
    """A JSON schema without these keywords at any depth; properties may be called like one."""
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


def portable(schema: Mapping[str, Any]) -> dict[str, Any]:
    """A JSON schema with only the keywords that every provider takes: texts without a pattern or a longest length.

    Gemini and strict modes refuse a request for a keyword they do not know. What a schema no longer
    says is checked when the answer is read.
    """
    return without(schema, ("pattern", "minLength", "maxLength", "additionalProperties", "$schema", "const"))
