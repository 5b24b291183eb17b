"""What a model brain is sent and how it answers, by its options `context`, `rendering` and `reply`."""

from __future__ import annotations

from datetime import datetime, timezone
from typing import TypeVar

from batllm_arcade.brains.protocol import Spec
from batllm_arcade.errors import UsageError
from batllm_arcade.prompts.buttons import ButtonFormat
from batllm_arcade.prompts.conversation import RENDERINGS
from batllm_arcade.prompts.conversation_dialogue import ConversationDialogue
from batllm_arcade.prompts.formats import Dialogue, PayloadDialogue, ReplyFormat, TokenFormat
from batllm_arcade.prompts.tool_calls import ToolCallFormat

_Choice = TypeVar("_Choice", bound=str)


def dialogue_of(
    spec: Spec, default: str = "token", replies: tuple[str, ...] = ("token", "json"), *, actions: bool = False
) -> tuple[Dialogue, ReplyFormat]:
    """Return how a match is put into messages and what answers look like, by `context`, `rendering` and `reply`.

    Raise UsageError if one of these options is wrong.

    `default` is the reply form without that option; where it is `token`, a conversation has its own. With
    `actions` commands are asked for as an action and an angle, for servers whose schemas know no patterns.
    """
    reply = _choice(spec, "reply", (default, *replies))
    given = "reply" in spec.options or reply != "token"
    rendering = _choice(spec, "rendering", RENDERINGS)
    form: ReplyFormat = ButtonFormat() if reply == "json" else TokenFormat(actions=actions)
    if _choice(spec, "context", ("payload", "conversation")) == "payload":
        return PayloadDialogue(form), form
    if not given:
        form = ToolCallFormat(actions=actions)
    as_written = "action" if actions and reply == "token" else reply
    return ConversationDialogue(now, rendering, as_written if given else "", form), form


def now() -> str:
    """Return the time, ISO 8601 in UTC, in whole seconds: a model has to read every digit."""
    return datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def _choice(spec: Spec, key: str, choices: tuple[_Choice, ...]) -> _Choice:
    """Return an option's word, the first choice without it; raise UsageError for any other."""
    value = spec.text(key, choices[0])
    for choice in choices:
        if choice == value:
            return choice
    raise UsageError(f"{key} of {spec.name} must be {' or '.join(sorted(set(choices)))}, not {value!r}")
