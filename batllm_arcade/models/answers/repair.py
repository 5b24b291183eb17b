"""Asking once more after an answer that was refused."""

from __future__ import annotations

from batllm_arcade.models.answers.model_reply import ModelReply
from batllm_arcade.models.model_request import ModelRequest
from batllm_arcade.prompts.formats import InvalidReply, Messages

QUOTED = 2000
"""Characters of a refused answer that are sent back with the reason."""


def repair(messages: Messages, raw: str, problem: str) -> Messages:
    """Return the messages with the refused answer and the reason it was refused."""
    return [
        *messages,
        {"role": "assistant", "content": raw[:QUOTED]},
        {"role": "user", "content": f"Refused: {problem}. Answer again, with ONLY the JSON object."},
    ]


def why(problem: InvalidReply, request: ModelRequest, reply: ModelReply) -> str:
    """Return why an answer is refused, which for one that was cut off is its length."""
    return f"the answer is too long, it was cut off after {request.max_tokens} tokens" if reply.cut else str(problem)
