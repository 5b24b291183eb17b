"""One question to a model."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from batllm_arcade.brains.live import Live
from batllm_arcade.prompts import unwrap as thoughts


@dataclass(frozen=True, slots=True)
class ModelRequest:
    """One question to a model: its messages, and the form its answer is to have."""

    messages: list[dict[str, str]]
    """What the model is sent, each message with `role` (`system`, `user`, `assistant`) and `content`."""
    schema: dict[str, Any]
    """The JSON schema of the answer."""
    grammar: str
    """The answer's GBNF for llama.cpp, "" where there is none."""
    max_tokens: int
    """What the answer takes at most, with what the model thinks before."""
    seed: int
    """For servers that sample by one."""
    live: Live
    """To be handed to `server.fetch` or `server.stream`: it has the deadline and cancels."""
    redact: Callable[[str], str] = str
    """Returns a text without the server's key."""

    def publish(self, text: str, thought: str = "") -> None:
        """Show the partial answer, all that is there so far, without the server's key; until it begins, the thought."""
        self.live.keep_thought(self.redact(thought))
        self.live.publish(self.redact(thoughts.shown(text, thought)))
