"""Room to think: answers whose tokens went into a thought are asked for once more, with more of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from batllm_arcade.brains.protocol import BrainError
from batllm_arcade.models.adapting.adapter import Adapter
from batllm_arcade.models.answers.model_reply import ModelReply, added, keep_in
from batllm_arcade.models.model_request import ModelRequest
from batllm_arcade.models.server_error import ServerError


def asked_with_room(
    request: ModelRequest, ask: Callable[[ModelRequest], ModelReply], adapter: Adapter, readable: Callable[[str], bool]
) -> tuple[ModelRequest, ModelReply]:
    """Return request and answer; where a thought has taken what was meant for the answer, those with more room.

    `readable` says whether a text that was cut off can be read all the same. Raise what `ask` raises, with all tokens.
    """
    first = _asked(request, ask)
    short = _lacks_room(first, readable)
    if not (short or first.thinking) or not adapter.give_room():
        return request, first
    if not short:
        adapter.worked()
        return request, first
    longer = replace(request, max_tokens=adapter.limit)
    try:
        reply = _asked(longer, ask)
    except BrainError as error:
        keep_in(error, first)
        raise
    return longer, replace(reply, tokens=added(first.tokens, reply.tokens))


def _asked(request: ModelRequest, ask: Callable[[ModelRequest], ModelReply]) -> ModelReply:
    """Return the answer; one that was cut off before its text where a server makes an error of that, as OpenAI does."""
    try:
        return ask(request)
    except ServerError as error:
        if error.kind != "cut":
            raise
        return ModelReply("", error.thought, error.tokens, cut=True)


def _lacks_room(reply: ModelReply, readable: Callable[[str], bool]) -> bool:
    """Return whether an answer was cut off before its text, or within it after a thought."""
    if not reply.cut:
        return False
    if not reply.text:
        return bool(reply.thinking) or not reply.raw  # some models write blanks without end
    return bool(reply.thinking) and not readable(reply.text)
