"""The options of every brain that asks a model server."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from batllm_arcade.brains.kinds.option import Option
from batllm_arcade.models.adapting.options import TEMPERATURE, THINK
from batllm_arcade.prompts.conversation import RENDERINGS

PREPARE_S = 300.0
"""Seconds for finding and loading a model before a match, without the option `prepare_s`."""
OPTIONS = (
    Option("model", "text", "", "the model's name; without it the first in the server's list that can chat"),
    Option("base_url", "address", "", "where the server is: host, base, or a pasted endpoint"),
    Option("key_env", "variable", "", "the environment variable that holds this server's key", advanced=True),
    Option("think", "choice", "auto", "how much it thinks before it answers", THINK),
    Option(
        "max_tokens", "whole", "", "the longest answer in tokens, without what is thought before it", least=1,
        advanced=True,
    ),
    Option("temperature", "number", f"{TEMPERATURE:g}", "how freely it chooses its words", words=("none",)),
    Option("reply", "choice", "token", "what it answers: one command, or buttons as JSON", ("token", "json")),
    Option(
        "context", "choice", "payload", "what it is sent: this moment, or the game so far", ("payload", "conversation")
    ),
    Option(
        "rendering", "choice", RENDERINGS[0], "how a conversation is sent: as one JSON array, or as chat messages",
        tuple(RENDERINGS), advanced=True,
    ),
    Option("price", "price", "", "what a million tokens read and a million written cost", advanced=True),
    Option("proxy", "address", "", "an HTTP proxy; those of the environment are not used", advanced=True),
    Option(
        "prepare_s", "number", f"{PREPARE_S:g}", "seconds before a match in which its server may start and load it",
        least=0.01, advanced=True,
    ),
)  # fmt: skip


def options_with(defaults: Mapping[str, str], own: Iterable[Option | str]) -> tuple[Option, ...]:
    """Return these options with other defaults and a provider's own, which take the place of those called the same."""
    mine = {each.name: each for each in (Option(one) if isinstance(one, str) else one for one in own)}
    shared = [mine.pop(each.name, replace(each, default=defaults.get(each.name, each.default))) for each in OPTIONS]
    return (*shared, *mine.values())
