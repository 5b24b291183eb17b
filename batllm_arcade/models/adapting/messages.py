"""The messages of a request in the two shapes that servers take, `messages` and Gemini's `contents`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from batllm_arcade.models.adapting.parameter_paths import Body


def has_system(body: Body) -> bool:
    """Return whether a request has a system message, or Gemini's system instruction."""
    return bool(body.get("systemInstruction")) or any(_role(each) == "system" for each in _listed(body, "messages"))


def without_system(body: Body) -> dict[str, Any]:
    """Return the body with what its system messages say at the start of the first message of the user."""
    if body.get("systemInstruction"):
        texts = [str(part.get("text", "")) for part in body["systemInstruction"].get("parts", ())]
        rest = {name: value for name, value in body.items() if name != "systemInstruction"}
        return {**rest, "contents": _with_first(_listed(body, "contents"), "\n\n".join(texts))}
    messages = _listed(body, "messages")
    texts = [str(each["content"]) for each in messages if _role(each) == "system"]
    others = [each for each in messages if _role(each) != "system"]
    return {**body, "messages": _with_first(others, "\n\n".join(texts))} if texts else dict(body)


def instructed_body(body: Body, instruction: str) -> dict[str, Any]:
    """Return the body with an instruction at the end of its system message, else of the first message."""
    if isinstance(body.get("systemInstruction"), Mapping):
        parts = [*body["systemInstruction"].get("parts", ()), {"text": instruction}]
        return {**body, "systemInstruction": {**body["systemInstruction"], "parts": parts}}
    key = "contents" if "contents" in body else "messages"
    first, *rest = _listed(body, key) or [{"role": "user", "content": ""}]
    return {**body, key: [_joined(first, _text(first), instruction), *rest]}


def _listed(body: Body, key: str) -> list[Any]:
    found = body.get(key)
    return [each for each in found if isinstance(each, Mapping)] if isinstance(found, list) else []


def _role(message: Any) -> Any:
    return message.get("role")


def _text(message: Mapping[str, Any]) -> str:
    if "parts" in message:
        return "".join(str(part.get("text", "")) for part in message["parts"])
    return str(message.get("content", ""))


def _joined(message: Mapping[str, Any], *texts: str) -> dict[str, Any]:
    """Return a message that says these texts one below the other."""
    text = "\n\n".join(text for text in texts if text)
    return {**message, "parts": [{"text": text}]} if "parts" in message else {**message, "content": text}


def _with_first(messages: list[Any], text: str) -> list[Any]:
    """Return the messages with a text at the start of the first one, which must be the user's."""
    if messages and _role(messages[0]) == "user":
        return [_joined(messages[0], text, _text(messages[0])), *messages[1:]]
    gemini = bool(messages) and "parts" in messages[0]
    return [{"role": "user", "parts": [{"text": text}]} if gemini else {"role": "user", "content": text}, *messages]
