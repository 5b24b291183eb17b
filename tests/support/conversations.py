"""Conversations in tests: what a valid array is, and its console lines."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from batllm_arcade.prompts.conversation import Message, message_lines

CONTENT = {"system": str, "user": dict, "assistant": dict}


def assert_valid(messages: Sequence[Message]) -> None:
    """Assert that an array holds what docs/conversation.md promises of every conversation."""
    assert [each["index"] for each in messages] == list(range(len(messages)))
    for each in messages:
        assert list(each) == ["index", "turn", "timestamp", "role", "content"]
        assert type(each["turn"]) is int
        assert type(each["content"]) is CONTENT[each["role"]]
        _assert_content(each["role"], each["content"])
    for earlier, later in pairwise(messages):
        assert earlier["turn"] <= later["turn"]
        assert earlier["timestamp"] <= later["timestamp"]


def _assert_content(role: str, content: Any) -> None:
    if role == "user":
        assert list(content) in (["userid", "text"], ["userid", "text", "notes"])
        assert content["userid"] in ("<@left>", "<@right>")
    if role == "assistant":
        parameter = {"playCommand": "command", "postMessage": "text", "finishRequest": "reasoning"}
        assert isinstance(content[parameter[content["toolCall"]]], str)
        assert isinstance(content.get("reasoning", ""), str)


def console_lines(messages: Sequence[Message]) -> list[str]:
    """The lines a console shows for these messages, an empty one between two of them."""
    shown: list[str] = []
    for each in messages:
        shown += ["", *message_lines(each)] if shown else message_lines(each)
    return shown
