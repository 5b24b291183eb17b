"""A model's whole answer, its text without the thought in it, and why there is no text."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from batllm_arcade.brains.protocol import BrainError
from batllm_arcade.models.server_text import clean
from batllm_arcade.prompts import thoughts


@dataclass(frozen=True, slots=True)
class ModelReply:
    """A model's whole answer."""

    text: str
    """What it wrote."""
    thinking: str = ""
    """What it thought apart from the text."""
    tokens: Mapping[str, int] | None = None
    """What it read and wrote (`prompt`, `completion`), None where the server does not count."""
    cut: bool = False
    """Whether it ran into `max_tokens`."""
    refusal: str = ""
    """Its words where it refused to answer."""
    raw: str = ""
    """The exact text received, "" if that is `text`."""


def separated(reply: ModelReply, redact: Callable[[str], str]) -> ModelReply:
    """Return the answer with what `text` marks as its thought moved to `thinking`, the exact text in `raw`, no key.

    A key that is quoted whole never gets past the server's lines; one that comes in pieces is only seen here.
    """
    inside, text = thoughts.split(redact(reply.text))
    thinking, refusal = thoughts.joined(redact(reply.thinking), inside), redact(reply.refusal).strip()
    return replace(reply, text=text, thinking=thinking, refusal=refusal, raw=redact(reply.raw or reply.text))


def no_command(model: str, reply: ModelReply) -> str:
    """Return the sentence for an answer without a text."""
    if reply.refusal:
        return f"{model} refused to answer: {clean(reply.refusal, 200)}; change the players' prompts, or the model"
    if reply.cut and (reply.thinking or not reply.raw):  # some models write blanks without end
        return f"{model} spent all its tokens on thinking; set think=off or think=low, or use a model that thinks less"
    why = "it only thought" if reply.thinking else "its answer was empty"
    return f"{model} gave no command, {why}; use a model that answers at once"


def too_long(model: str, most: int) -> str:
    """Return the sentence for an answer that was cut off after `most` tokens and cannot be read."""
    return f"{model} wrote too much, it was cut off after {most} tokens; use a model that keeps to the form"


def keep_in(error: BrainError, first: ModelReply) -> None:
    """Note in the error of a second request what there was of the first one's answer: its text, thought and tokens."""
    error.raw, error.thought = error.raw or first.raw, thoughts.joined(first.thinking, error.thought)
    error.tokens = added(first.tokens, error.tokens)


def added(first: Mapping[str, int] | None, second: Mapping[str, int] | None) -> Mapping[str, int] | None:
    """Return the tokens of two answers together, None if neither counts them."""
    counts = dict(first or {})
    for name, count in (second or {}).items():
        counts[name] = counts.get(name, 0) + count
    return counts or None
