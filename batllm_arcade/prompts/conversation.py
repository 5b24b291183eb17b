"""The conversation format: its messages, how a console shows them, how a model is sent them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, get_args

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
