"""What models are known to refuse or to ignore, and which think; of servers: assets/servers/presets.yaml."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from batllm_arcade.models.adapting.adaptation import MOST_ROOM, Adaptation

ROOM = Adaptation("room", "", MOST_ROOM)


def _left_out(*names: str) -> tuple[Adaptation, ...]:
    return tuple(Adaptation("drop", name) for name in names)


def _least(name: str, refused: object, least: object) -> Adaptation:
    return Adaptation("replace", name, (refused, least))


@dataclass(frozen=True, slots=True)
class KnownRefusal:
    """What holds for models whose name matches `model`."""

    adaptations: tuple[Adaptation, ...]
    model: str


KNOWN = (
    # Claude refuses sampling from Opus 4.7 on, gateways ignore it; Gemini 3 loops below its own temperature of 1.
    KnownRefusal(_left_out("temperature"), r"claude|gemini-(?:[3-9]|\d\d)"),
    # Some cannot be kept from thinking: asked for none, they get the least that they take.
    KnownRefusal((_least("reasoning_effort", "none", "minimal"),), r"gpt-5(?![.\d])"),
    KnownRefusal((_least("reasoning_effort", "none", "low"),), r"\bo[134]\b|gpt-6(?:-astra|\.)|grok-4\.[5-9]|gpt-oss"),
    KnownRefusal((_least("think", False, "low"),), r"gpt-oss"),
    KnownRefusal((_least("thinkingLevel", "minimal", "low"),), r"gemini-3(?:\.\d)?-pro|gemini-3\.[7-9]"),
    KnownRefusal(
        (ROOM,),
        r"gpt-oss|\bo[134]\b|gpt-[5-9]|deepseek-(?:r\d|reasoner|v4)|qwq|qwen-?3|magistral|glm-(?:4\.[5-9]|[5-9])"
        r"|grok-[4-9]|kimi-k2|minimax-m|nemotron|thinking|reason|gemini-(?:[3-9]|\d\d)|gemini-2\.5-pro"
        r"|claude-(?:(?:opus|sonnet|haiku)-(?:[5-9]|\d\d\b)|fable|mythos)",
    ),
)


def known_adaptations(
    model: str, asked: frozenset[str] = frozenset(), server: Sequence[Adaptation] = ()
) -> tuple[Adaptation, ...]:
    """Return what holds from the start for a model behind a server of which this is known.

    A parameter that was `asked` for stays.
    """
    found = list(server)
    for known in KNOWN:
        if re.search(known.model, model, re.IGNORECASE):
            found += [each for each in known.adaptations if each not in found]
    return tuple(each for each in found if not (each.kind == "drop" and each.name in asked))
