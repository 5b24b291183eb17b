"""The conversation format: its messages, what is wrong with an array of them, its console lines, its renderings."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta, timezone
from typing import Any, Literal, get_args

from batllm_arcade.errors import ArcadeError, quoted

Message = dict[str, Any]
"""One message: `index`, `turn`, `timestamp`, `role`, `content`, in this order."""
Content = dict[str, Any]
Rendering = Literal["array", "chat"]
Form = Literal["object", "token"]
"""How answers are shown as text: the assistant's content as JSON, or the bare token."""

FIELDS = ("index", "turn", "timestamp", "role", "content")
ROLES = ("system", "user", "assistant")
RENDERINGS: tuple[Rendering, ...] = get_args(Rendering)
PLAY, POST, FINISH = "playCommand", "postMessage", "finishRequest"

_TEXT_OF = {PLAY: "command", POST: "text"}
_TOOL_SIGNS = {POST: "💬", FINISH: "✅"}
_TIME = re.compile(
    r"(\d{4}-\d\d-\d\d)T(\d\d:\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?(?:Z|([+-])(\d\d)(?::?([0-5]\d))?)?", re.ASCII
)
_UNPRINTABLE = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


class ConversationError(ArcadeError):
    """What should be a conversation breaks its format; the sentence names the message and the field."""


def message(index: int, turn: int, timestamp: str, role: str, content: str | Content) -> Message:
    """A message, its fields in the document's order."""
    return {"index": index, "turn": turn, "timestamp": timestamp, "role": role, "content": content}


def tool(name: str, reasoning: str = "", **parameters: Any) -> Content:
    """An assistant's content: a tool call with its parameters, and its reasoning where there is one."""
    return {"toolCall": name, **parameters, **({"reasoning": reasoning} if reasoning else {})}


# ---------------------------------------------------------------------------------- validation


def validate(messages: object) -> None:
    """ConversationError with the first thing that is wrong with an array of messages."""
    for problem in problems(messages):
        raise ConversationError(problem)


def problems(messages: object) -> Iterator[str]:
    """All that is wrong with an array of messages, a sentence each."""
    if not isinstance(messages, list):
        yield f"a conversation is an array of messages, not {quoted(messages)}"
        return
    earlier: Message = {}
    for position, entry in enumerate(messages):
        where = f"message {position}"
        if not isinstance(entry, dict):
            yield f"{where} must be an object, not {quoted(entry)}"
            continue
        yield from _missing(where, entry)
        if entry.get("index", position) != position or type(entry.get("index", 0)) is not int:
            yield f"the index of {where} must be {position}, not {quoted(entry['index'])}: they count from 0 in order"
        yield from _turn(where, entry, earlier)
        yield from _timestamp(where, entry, earlier)
        yield from _content(where, entry)
        earlier = entry


def _missing(where: str, entry: Message) -> Iterator[str]:
    for field in FIELDS:
        if field not in entry:
            yield f"{where} has no {field!r}"
    for field in entry:
        if field not in FIELDS:
            yield f"{where} has a field {quoted(field)}; the fields are {', '.join(FIELDS)}"


def _turn(where: str, entry: Message, earlier: Message) -> Iterator[str]:
    if "turn" not in entry:
        return
    turn, before = entry["turn"], earlier.get("turn")
    if type(turn) is not int or turn < 0:
        yield f"the turn of {where} must be a whole number from 0 up, not {quoted(turn)}"
    elif type(before) is int and turn < before:
        yield f"the turn of {where} goes back from {before} to {turn}"


def _timestamp(where: str, entry: Message, earlier: Message) -> Iterator[str]:
    if "timestamp" not in entry:
        return
    now, before = moment(entry["timestamp"]), moment(earlier.get("timestamp"))
    if now is None:
        given = quoted(entry["timestamp"])
        yield f"the timestamp of {where} must be ISO 8601 such as 2025-04-04T12:33:00Z, not {given}"
    elif before is not None and now < before:
        yield f"the timestamp of {where} is earlier than that of the message before it"


def moment(timestamp: object) -> datetime | None:
    """The moment an ISO 8601 date and time names (UTC where it says no zone), None where it is none."""
    found = _TIME.fullmatch(timestamp) if isinstance(timestamp, str) else None
    if found is None:
        return None
    day, clock, seconds, fraction, sign, hours, minutes = found.groups()
    try:
        local = datetime.fromisoformat(f"{day}T{clock}:{seconds or '00'}.{(fraction or '')[:6]:0<6}")
        offset = timedelta(hours=int(hours or 0), minutes=int(minutes or 0))
        return local.replace(tzinfo=timezone(-offset if sign == "-" else offset))
    except ValueError:
        return None


def _content(where: str, entry: Message) -> Iterator[str]:
    if "role" not in entry:
        return
    role = entry["role"]
    if role not in ROLES:
        yield f"the role of {where} must be one of {', '.join(ROLES)}, not {quoted(role)}"
    elif "content" in entry:
        read = {"system": _system, "user": _user, "assistant": _assistant}[role]
        yield from read(where, entry["content"])


def _system(where: str, content: object) -> Iterator[str]:
    if not isinstance(content, str):
        yield f"the content of {where} must be a text, as its role is system, not {quoted(content)}"


def _user(where: str, content: object) -> Iterator[str]:
    if not isinstance(content, dict) or set(content) != {"userid", "text"}:
        yield f"the content of {where} must be an object of userid and text, as its role is user, not {quoted(content)}"
        return
    if not isinstance(content["userid"], str) or not re.fullmatch(r"<@[^<>@\s]+>", content["userid"]):
        yield f"the userid of {where} must be written like <@left>, not {quoted(content['userid'])}"
    if not isinstance(content["text"], str):
        yield f"the text of {where} must be a text, not {quoted(content['text'])}"


def _assistant(where: str, content: object) -> Iterator[str]:
    if not isinstance(content, dict) or "toolCall" not in content:
        given = quoted(content)
        yield f"the content of {where} must be an object with a toolCall, as its role is assistant, not {given}"
        return
    name = content["toolCall"]
    if not isinstance(name, str) or not name.strip():
        yield f"the toolCall of {where} must be the name of a tool, not {quoted(name)}"
        return
    if name in _TEXT_OF and not isinstance(content.get(_TEXT_OF[name]), str):
        yield f"the {name} of {where} must have {_TEXT_OF[name]!r}, a text"
    if not isinstance(content.get("reasoning", ""), str):
        yield f"the reasoning of {where} must be a text, not {quoted(content['reasoning'])}"


# ---------------------------------------------------------------------------------- console lines


def lines(messages: Iterable[Mapping[str, Any]]) -> list[str]:
    """The lines a console log shows for these messages, an empty one between two of them."""
    shown: list[str] = []
    for each in messages:
        shown += ["", *block(each)] if shown else block(each)
    return shown


def block(entry: Mapping[str, Any]) -> list[str]:
    """The lines of one message; control characters, which could take over a terminal, are spelt out."""
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
    """The very array as compact JSON; what one more message adds stands behind all that was there."""
    return json.dumps(list(messages), ensure_ascii=False, separators=(",", ":"))


def chat(
    messages: Iterable[Message], own: str, form: Form = "object", exact: Mapping[int, str] | None = None
) -> list[dict[str, str]]:
    """The messages under native roles, contents as text; `own` is the userid that needs no name in front.

    `exact` has the text a model really wrote, by index, where that is shown instead. Neighbours of the
    same role are one message, because many models' templates insist on turns. What the program wrote
    for the model (`finishRequest`) is left out: it would read as the model's own habit.
    """
    shown: list[dict[str, str]] = []

    def written(each: Message) -> str:
        return (exact or {}).get(each["index"]) or _written(each["content"], form)

    for each in messages:
        role, content = each["role"], each["content"]
        if role == "assistant" and content["toolCall"] == FINISH:
            continue
        text = content if role == "system" else _said(content, own) if role == "user" else written(each)
        if shown and shown[-1]["role"] == role:
            shown[-1]["content"] += f"\n{text}"
        else:
            shown.append({"role": role, "content": text})
    return shown


def _said(content: Content, own: str) -> str:
    text: str = content["text"]
    return text if content["userid"] == own else f"{content['userid']}: {text}"


def _written(content: Content, form: Form) -> str:
    if form == "token" and content["toolCall"] in _TEXT_OF:
        return str(content[_TEXT_OF[content["toolCall"]]])
    return compact(content)


def compact(content: Content) -> str:
    """A content as the model is to write it: JSON without spaces."""
    return json.dumps(content, ensure_ascii=False, separators=(",", ":"))
