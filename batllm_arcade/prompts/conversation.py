"""The conversation with a model, and the tools it is offered."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

from batllm_arcade.brains.protocol import Decision, View
from batllm_arcade.errors import quoted
from batllm_arcade.prompts import formats as grammar
from batllm_arcade.prompts.formats import InvalidReply, actions
from batllm_arcade.prompts.unwrap import command, thought, token_of_action, unwrap

# -- The conversation format: its messages, how a console shows them, how a model is sent them

Message = dict[str, Any]
"""One message: `index`, `turn`, `timestamp`, `role`, `content`, in this order."""
Content = dict[str, Any]
"""What a user or the assistant says: `userid` and `text`, or a tool call."""
Rendering = Literal["array", "chat"]
"""How a conversation is sent: as one JSON array, or as messages with native roles."""
Form = Literal["object", "token"]
"""How the assistant's messages are written in a chat: the content as JSON, or the bare token."""

RENDERINGS: tuple[Rendering, ...] = get_args(Rendering)
PLAY, POST, FINISH = "playCommand", "postMessage", "finishRequest"

_TEXT_OF = {PLAY: "command", POST: "text"}
_TOOL_SIGNS = {POST: "💬", FINISH: "✅"}
_UNPRINTABLE = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


def message(index: int, turn: int, timestamp: str, role: str, content: str | Content) -> Message:
    """Return a message with its fields in the order of the format."""
    return {"index": index, "turn": turn, "timestamp": timestamp, "role": role, "content": content}


def tool(name: str, reasoning: str = "", **parameters: Any) -> Content:
    """Return an assistant's content: a tool call with its parameters, and its reasoning if there is one."""
    return {"toolCall": name, **parameters, **({"reasoning": reasoning} if reasoning else {})}


# ---------------------------------------------------------------------------------- console lines


def message_lines(entry: Mapping[str, Any]) -> list[str]:
    """Return the console lines of one message; control characters, which could take over a terminal, are escaped."""
    content = entry["content"]
    if entry["role"] == "system":
        return _printable(f"🧠 System: {content}").split("\n")
    who = f"👤 User {content['userid']}" if entry["role"] == "user" else "🤖 Assistant"
    head = [f"{who} [Turn {entry['turn']}]", f"🕐 {entry['timestamp']}"]
    body = [f"> {line}" for line in content["text"].split("\n")] if entry["role"] == "user" else _call(content)
    return [_printable(line) for line in (*head, *body)]


def _call(content: Mapping[str, Any]) -> list[str]:
    name = content["toolCall"]
    head = f"{_TOOL_SIGNS.get(name, '🔧')} {name}"
    if name == POST:
        shown = [f"{head}:", *f'   "{content["text"]}"'.replace("\n", "\n   ").split("\n")]
    elif name == FINISH:
        shown = [head]
    else:
        given = ", ".join(f"{key}: {_value(content[key])}" for key in content if key not in ("toolCall", "reasoning"))
        shown = [f"{head} ({given})" if given else head]
    reason = " ".join(str(content.get("reasoning", "")).split())
    return [*shown, f"   └─ Reason: {reason}"] if reason else shown


def _value(value: Any) -> str:
    return " ".join(value.split()) if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _printable(text: str) -> str:
    return _UNPRINTABLE.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


# ---------------------------------------------------------------------------------- renderings


def array(messages: Sequence[Message]) -> str:
    """Return the messages as compact JSON; appending a message changes nothing before the closing bracket."""
    return json.dumps(list(messages), ensure_ascii=False, separators=(",", ":"))


def chat(
    messages: Iterable[Message], own: str, form: Form = "object", exact: Mapping[int, str] | None = None
) -> list[dict[str, str]]:
    """Return the messages with native roles and contents as text.

    Texts of the user `own` are sent as they are, other users' with their userid in front. `exact` maps an
    index to the exact text the model wrote, which is then sent instead. Neighbours of one role are merged,
    because many models' templates require alternating roles. `finishRequest`, which the program writes, is
    left out: models would imitate it.
    """
    shown: list[dict[str, str]] = []

    def written(each: Message) -> str:
        return (exact or {}).get(each["index"]) or _written(each["content"], form)

    for each in messages:
        role, content = each["role"], each["content"]
        if role == "assistant" and content["toolCall"] == FINISH:
            continue
        text = content if role == "system" else _user_text(content, own) if role == "user" else written(each)
        if shown and shown[-1]["role"] == role:
            shown[-1]["content"] += f"\n{text}"
        else:
            shown.append({"role": role, "content": text})
    return shown


def _user_text(content: Content, own: str) -> str:
    text: str = content["text"]
    return text if content["userid"] == own else f"{content['userid']}: {text}"


def _written(content: Content, form: Form) -> str:
    if form == "token" and content["toolCall"] in _TEXT_OF:
        return str(content[_TEXT_OF[content["toolCall"]]])
    return compact(content)


def compact(content: Content) -> str:
    """Return a content as the model is asked to write it: JSON without spaces."""
    return json.dumps(content, ensure_ascii=False, separators=(",", ":"))


# -- A model's answer in a conversation, a tool call: its instructions, schema, grammar and parser

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
