"""One question to a model."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from batllm_arcade.brains.live import Live
from batllm_arcade.prompts import thoughts


@dataclass(frozen=True, slots=True)
class ModelRequest:
    """One question to a model: its messages, and the form its answer is to have.

    `schema` is the answer's JSON schema, `grammar` its GBNF (or ""), `max_tokens` what it takes at most, with what the
    model thinks before.
    """

    messages: list[dict[str, str]]
    schema: dict[str, Any]
    grammar: str
    max_tokens: int
    seed: int
    live: Live
    redact: Callable[[str], str] = str

    def publish(self, text: str, thought: str = "") -> None:
        """Show the partial answer, all that is there so far, without the server's key; until it begins, the thought."""
        self.live.keep_thought(self.redact(thought))
        self.live.publish(self.redact(thoughts.shown(text, thought)))
