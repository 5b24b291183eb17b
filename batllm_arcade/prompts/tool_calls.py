"""A model's answer in a conversation, a tool call: its instructions, schema, grammar and parser."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from batllm_arcade.brains.protocol import Decision, View
from batllm_arcade.errors import quoted
from batllm_arcade.prompts import grammar
from batllm_arcade.prompts.conversation import FINISH, PLAY, POST
from batllm_arcade.prompts.formats import InvalidReply, actions
from batllm_arcade.prompts.unwrap import command, thought, token_of_action, unwrap

SAY_LIMIT = 300
"""Longest message said aloud, in characters; the rest is cut."""
REASON_LIMIT = 160
"""Longest reasoning or message that is asked for, in characters; longer ones are accepted."""

_INSTRUCTIONS = """\
A token is sent within a tool call. Answer with the content of the next assistant message, one JSON object and
nothing else, TEXT in words of your own:
{"toolCall":"playCommand",%s,"reasoning":TEXT} plays a command: %s
{"toolCall":"postMessage","text":TEXT,"reasoning":TEXT} says something aloud and does nothing else."""
# Forms, not figures: small models copy an example's.
INSTRUCTIONS = _INSTRUCTIONS % ('"command":TOKEN', "TOKEN is the token that suits this turn, in quotes.")


def action_instructions(back_step: int = 0) -> str:
    """Return the same where a command is an action and an angle."""
    return _INSTRUCTIONS % ('"action":ACTION,"degrees":D', actions(back_step))


@dataclass(frozen=True, slots=True)
class ToolCallReply:
    """A parsed answer: the command for the rules (None: do nothing), what is said aloud, the reasoning.

    `problem` says what is wrong with an answer that is neither a tool call nor a single word, else "".
    """

    command: str | None
    say: str = ""
    reasoning: str = ""
    problem: str = ""


def read_answer(raw: str, back_step: int = 0) -> ToolCallReply:
    """Parse the exact text of an answer: a tool call as a JSON object, or a wrapped token.

    Anything else is returned as the command, for the rules to refuse; a step back is one of the rules' `back_step`.
    """
    text = unwrap(raw, back_step)
    content = _object(text)
    if content is None:
        word = len(text.split()) == 1 and text[0] not in "{[`"
        stray = "" if word else "it is not a JSON object with a toolCall"
        return ToolCallReply(command(raw, back_step), reasoning=thought(raw), problem=stray)
    reasoning = content.get("reasoning")
    why = reasoning if isinstance(reasoning, str) else thought(raw)
    name = content["toolCall"]
    if name == PLAY and isinstance(content.get("command"), str):
        return ToolCallReply(content["command"], reasoning=why)
    if name == PLAY and (token := token_of_action(content, back_step)) is not None:
        return ToolCallReply(token or None, reasoning=why)
    if name == POST and isinstance(content.get("text"), str) and content["text"].strip():
        return ToolCallReply(None, content["text"].strip()[:SAY_LIMIT], why)
    return ToolCallReply(text, problem=_refusal(name))


def _refusal(name: str) -> str:
    if name in (PLAY, POST):
        return f"{name} has no {'command' if name == PLAY else 'text'}, which must be a text"
    if name == FINISH:
        return f"{FINISH} is written by the program; choose {PLAY} or {POST}"
    return f"there is no tool {quoted(name)}; choose {PLAY} or {POST}"


def _object(text: str) -> dict[str, Any] | None:
    if not text.startswith("{"):
        return None
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) and isinstance(value.get("toolCall"), str) else None


@dataclass(frozen=True, slots=True)
class ToolCallFormat:
    """One assistant's content as a JSON object; a bare command is accepted as well.

    With `actions` a command is asked for as an action and an angle.
    """

    max_tokens: int = 256
    actions: bool = False

    def instructions(self, view: View) -> str:
        """Return which tools there are, and how a call is written."""
        return action_instructions(view.rules.back_step) if self.actions else INSTRUCTIONS

    def this_turn(self, view: View) -> str:
        """Return "": every turn is asked for alike."""
        return ""

    def schema(self, view: View) -> dict[str, Any]:
        """Return the schema of either tool call."""
        return answer_schema(view.rules.free_move, view.rules.back_step)

    def grammar(self, view: View) -> str:
        """Return the grammar of either tool call, spelt as conversations show it."""
        return answer_gbnf(view.rules.free_move, view.rules.back_step)

    def read(self, view: View, raw: str) -> tuple[Decision, ...]:
        """Return one play; raise InvalidReply if the text is neither a tool call nor a single word."""
        reply = read_answer(raw, view.rules.back_step)
        if reply.problem:
            raise InvalidReply(reply.problem)
        return (Decision(raw, reply.command, thought=reply.reasoning, say=reply.say),)


def answer_schema(free_move: bool = False, back_step: float = 0) -> dict[str, Any]:
    """Return a JSON schema of an assistant's content."""
    words = {"type": "string", "maxLength": REASON_LIMIT}
    command = {"type": "string", "pattern": grammar.pattern(free_move, back_step)}
    # OpenAI requires a type at the root, although the alternatives have one.
    return {
        "type": "object",
        "anyOf": [_call_schema(PLAY, command=command, words=words), _call_schema(POST, text=words, words=words)],
    }


def _call_schema(name: str, words: dict[str, Any], **parameter: dict[str, Any]) -> dict[str, Any]:
    properties = {"toolCall": {"type": "string", "enum": [name]}, **parameter, "reasoning": words}
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}


def answer_gbnf(free_move: bool = False, back_step: float = 0) -> str:
    """Return a GBNF grammar (llama.cpp) of an assistant's content, spelt as conversations show it."""
    token, rest = grammar.gbnf(free_move, back_step).removeprefix("root ::= ").split("\n", 1)
    return (
        f'root ::= "{{\\"toolCall\\":\\"" (play | post) "\\"}}"\n'
        f'play ::= "{PLAY}\\",\\"command\\":\\"" token reason\n'
        f'post ::= "{POST}\\",\\"text\\":\\"" words reason\n'
        'reason ::= "\\",\\"reasoning\\":\\"" words\n'
        f'words ::= [^"\\\\\\x00-\\x1f\\x7f]{{1,{REASON_LIMIT}}}\n'
        f"token ::= {token}\n{rest}"
    )
