"""OpenAI's Responses API, for models that are served in no other way: what is sent, and how its events are read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from batllm_arcade.models.answers import ModelReply, ReplyParts, mapping, text_of

PATH = "/v1/responses"
LEAST = 16
"""The fewest tokens that an answer may be allowed."""
_NAMES = {"messages": "input", "max_tokens": "max_output_tokens", "max_completion_tokens": "max_output_tokens"}
_UNKNOWN = ("seed", "stream_options", "reasoning_effort", "response_format")
"""What it has not, or has elsewhere."""


def as_response(body: Mapping[str, Any]) -> dict[str, Any]:
    """Return a request for a chat as the Responses API has it; summaries of the model's thoughts are asked for."""
    if "messages" not in body:
        return dict(body)
    found = {_NAMES.get(name, name): value for name, value in body.items() if name not in _UNKNOWN}
    found["input"] = [{**each, "content": _content(each["content"])} for each in body["messages"]]
    effort, form = body.get("reasoning_effort"), body.get("response_format") or {}
    if "max_output_tokens" in found:
        found["max_output_tokens"] = max(LEAST, found["max_output_tokens"])
    found["reasoning"] = {**({"effort": effort} if effort else {}), **({} if effort == "none" else {"summary": "auto"})}
    if form:
        found["text"] = {"format": {"type": form.get("type"), **form.get("json_schema", {})}}
    return {**found, "store": False}


def _content(content: Any) -> Any:
    """Return what a message holds; texts and pictures in a list have other names."""
    if not isinstance(content, list):
        return content
    return [
        {"type": "input_text", "text": each["text"]} if "text" in each
        else {"type": "input_image", "image_url": each["image_url"]["url"], "detail": "auto"}
        for each in content
    ]  # fmt: skip


class Response:
    """What has come of an answer; `ended` says that the server has said so, `error` is what it said went wrong."""

    def __init__(self) -> None:
        self.parts, self.ended = ReplyParts(), False
        self.error: Any = None
        self._cached: Any = 0
        self._asides: set[Any] = set()  # the places of what is said before the answer

    @property
    def reply(self) -> ModelReply:
        usage = self.parts.usage or {}
        reply = self.parts.reply(
            usage.get("input_tokens"), usage.get("output_tokens"), cut=self.parts.why == "max_output_tokens"
        )
        if not reply.tokens or type(self._cached) is not int or self._cached <= 0:
            return reply
        return replace(reply, tokens={**reply.tokens, "cached": self._cached})

    def add(self, event: Mapping[str, Any]) -> None:
        """Add an event of a stream, or a whole answer; raise TypeError for one of another shape."""
        kind, parts = text_of(event.get("type")), self.parts
        if kind == "error" or (event.get("error") and event.get("object") != "response"):
            self.error = event.get("error") or {name: event.get(name) for name in ("code", "message")}
        elif kind in ("response.completed", "response.incomplete", "response.failed"):
            self._end(mapping(event.get("response")))
        elif event.get("object") == "response":
            self._end(event)
        elif kind == "response.output_item.added" and mapping(event.get("item")).get("phase") == "commentary":
            self._asides.add(event.get("output_index"))
        elif kind == "response.reasoning_summary_part.added" and parts.thought:
            parts.thought += "\n\n"
        elif kind.endswith(".delta"):
            self._delta(kind.split(".")[1], event)
        parts.begun = parts.begun or kind.startswith("response.")

    def _delta(self, what: str, event: Mapping[str, Any]) -> None:
        delta = event.get("delta")
        if what in ("reasoning_summary_text", "reasoning_text") or event.get("output_index") in self._asides:
            self.parts.add_thought(delta)
        elif what == "output_text":
            self.parts.text += text_of(delta)
        elif what == "refusal":
            self.parts.refusal += text_of(delta)
        self.parts.in_deltas = True

    def _end(self, response: Mapping[str, Any]) -> None:
        parts, self.ended = self.parts, True
        details = mapping(response.get("incomplete_details") or {})
        parts.begun, self.error = True, response.get("error")
        parts.why = text_of(details.get("reason")) or text_of(response.get("status"))
        parts.usage = mapping(response.get("usage") or {})
        self._cached = mapping(parts.usage.get("input_tokens_details") or {}).get("cached_tokens")
        output = response.get("output")
        for item in output if isinstance(output, list) and not parts.in_deltas else ():
            if mapping(item).get("type") == "message" and item.get("phase") != "commentary":
                parts.add_content(item.get("content"))
            elif item.get("type") in ("reasoning", "message"):
                parts.add_thought(item.get("summary"), item.get("content"))
