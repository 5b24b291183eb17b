"""Asking once more after an answer that was refused."""

from __future__ import annotations

from batllm_arcade.prompts.formats import Messages

QUOTED = 2000
"""Characters of a refused answer that are sent back with the reason."""


def repair(messages: Messages, raw: str, problem: str) -> Messages:
    """Return the messages with the refused answer and the reason it was refused."""
    return [
        *messages,
        {"role": "assistant", "content": raw[:QUOTED]},
        {"role": "user", "content": f"Refused: {problem}. Answer again, with ONLY the JSON object."},
    ]
