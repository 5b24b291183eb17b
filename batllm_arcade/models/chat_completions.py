"""The base of brains whose server answers as OpenAI's chat completions do, read as leniently as OpenAI's own client."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, ClassVar, TypeVar

from batllm_arcade.models.adaptation import RESPONSES
from batllm_arcade.models.answers import ModelReply, ModelRequest, ReplyParts, mapping, text_of
from batllm_arcade.models.base import ModelBrain
from batllm_arcade.models.failures import NO_ROUTE, ServerError
from batllm_arcade.models.provider import Look
from batllm_arcade.models.responses_api import PATH, Response

Answer = TypeVar("Answer")
ENDS = (
    "stop", "eos", "eos_token", "stop_sequence", "end_turn", "complete", "completed", "tool_calls", "tool_call",
    "tool_use", "function_call",
)  # fmt: skip
"""Reasons to finish that leave a whole answer; servers spell them differently, also in capitals."""
CUT = ("length", "model_length", "max_tokens", "max_length")
"""Reasons that leave one which is cut off."""
THOUGHTS = ("reasoning_content", "reasoning", "thinking", "reasoning_details")
"""Where servers put what the model thinks; some say the same in two places."""


class ChatCompletions(ModelBrain):
    """A model behind a server that answers as OpenAI does; a provider asks, and hands the answer's lines to `read`."""

    style: ClassVar[str] = "OpenAI"
    """Whose shape of answers it is, as in "does not answer as OpenAI does"."""

    def catalogue(self) -> str:
        """Return the path that lists the models it serves."""
        return "/v1/models"

    def question(self) -> tuple[str, Any]:
        """Return a question of four words, answered in one token."""
        ask = {"role": "user", "content": "Answer with one letter."}
        path = PATH if self._adapter.speaks(RESPONSES) else "/v1/chat/completions"
        return path, {"model": self.model, "messages": [ask], "max_tokens": 1}

    def _ask_shortly(self, look: Look) -> None:
        self._either(lambda: super(ChatCompletions, self)._ask_shortly(look))

    def asked(self, body: dict[str, Any], request: ModelRequest) -> ModelReply:
        """Return the answer to the body of a chat, streamed or not; raise BrainError.

        A model that its server has for the Responses API alone is asked through that, from then on.
        """

        def ask() -> ModelReply:
            new = self._adapter.speaks(RESPONSES)
            path, read = (PATH, self._read_response) if new else ("/v1/chat/completions", self.read)
            return self.server.stream(path, body, lambda lines: read(lines, request), live=request.live)

        return self._either(ask)

    def _either(self, ask: Callable[[], Answer]) -> Answer:
        try:
            return ask()
        except ServerError as error:
            elsewhere = error.kind == "route" or (error.status in NO_ROUTE and not error.kind)
            if not elsewhere or not self._adapter.turn_to(RESPONSES):
                raise
            try:
                return ask()
            except ServerError as other:
                if other.status not in NO_ROUTE:
                    raise
                self._adapter.turn_back(RESPONSES)
            raise error

    def _read_response(self, lines: Iterator[str], request: ModelRequest) -> ModelReply | None:
        response, events = Response(), self.server.events(lines)
        for event in events:
            try:
                response.add(event)
            except TypeError:
                raise self.no_shape(self.style) from None
            if response.error:
                raise self.gave_up(response.error, response.reply)
            request.publish(response.parts.text, response.parts.thought)
            if response.ended:
                break
        reply, why = response.reply, response.parts.why
        if not (response.ended or response.parts.whole):
            if events.whole:
                raise self.no_shape(self.style)
            return None
        if why not in ("", "completed") and not reply.cut:
            raise self.stopped(why, reply)
        return self.said(reply)

    def read(self, lines: Iterator[str], request: ModelRequest) -> ModelReply | None:
        """Publish an answer as it grows and return it, streamed or not; None if its end is missing.

        Raise BrainError for an answer of another shape and for one that the server ended itself.
        """
        parts, events = ReplyParts(), self.server.events(lines)
        for event in events:
            try:
                _add(parts, event)
            except TypeError:
                raise self.no_shape(self.style) from None
            if event.get("error"):
                raise self.gave_up(event["error"], _reply(parts))
            request.publish(parts.text, parts.thought)
        if not (parts.why or events.ended or events.whole or parts.whole):
            return None
        if not parts.begun:
            raise self.no_shape(self.style)
        reply, why = _reply(parts), parts.why.lower()
        if why and why not in ENDS and not reply.cut:
            raise self.stopped(parts.why, reply)
        return self.said(reply)


def _reply(parts: ReplyParts) -> ModelReply:
    usage = parts.usage or {}
    cut = parts.why.lower() in CUT
    return parts.reply(usage.get("prompt_tokens"), usage.get("completion_tokens"), cut=cut)


def _add(parts: ReplyParts, event: Mapping[str, Any]) -> None:
    """Add an event of a stream, or a whole answer; raise TypeError for one of another shape."""
    choices = event.get("choices") or []  # events about usage alone have none
    if not isinstance(choices, list):
        raise TypeError("choices are a list")
    parts.begun = parts.begun or event.get("choices", []) is None  # an answer in which nothing is, for once
    for choice in choices[:1]:
        parts.begun = True
        delta = mapping(choice).get("delta")
        parts.in_deltas = parts.in_deltas or bool(delta)
        # After deltas some send the whole message once more.
        said = mapping(delta or (None if parts.in_deltas else choice.get("message")) or {})
        parts.add_content(said.get("content"))
        parts.add_thought(*map(said.get, THOUGHTS))
        parts.refusal += text_of(said.get("refusal"))
        parts.add_calls(said.get("tool_calls"))
        parts.add_call(said.get("function_call"))
        parts.why = text_of(choice.get("finish_reason")) or parts.why
    usage = event.get("usage") or mapping(event.get("x_groq") or {}).get("usage")
    parts.usage = usage if isinstance(usage, Mapping) else parts.usage
