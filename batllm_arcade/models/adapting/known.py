"""What servers and models are known to refuse or to ignore, and which models think: it is not asked for at all."""

from __future__ import annotations

import re
from dataclasses import dataclass

from batllm_arcade.models.adapting.adaptation import MOST_ROOM, Adaptation

ROOM = Adaptation("room", "", MOST_ROOM)


def _left_out(*names: str) -> tuple[Adaptation, ...]:
    return tuple(Adaptation("drop", name) for name in names)


def _least(name: str, refused: object, least: object) -> Adaptation:
    return Adaptation("replace", name, (refused, least))


@dataclass(frozen=True, slots=True)
class KnownRefusal:
    """What holds at addresses that contain `host`, for models whose name matches `model` ("": for all)."""

    adaptations: tuple[Adaptation, ...]
    host: str = ""
    model: str = ""


_OBJECT = Adaptation("schema", "", "object")
KNOWN = (
    # Its newer models refuse max_tokens and every temperature but 1, and think before they answer.
    KnownRefusal(
        (Adaptation("rename", "max_tokens", "max_completion_tokens"), *_left_out("temperature"), ROOM),
        host="//api.openai.com",
    ),
    KnownRefusal((Adaptation("schema", "", "none"), *_left_out("seed")), host="//api.anthropic.com"),
    KnownRefusal((_OBJECT, *_left_out("seed")), host="//api.deepseek.com"),
    KnownRefusal((_OBJECT, *_left_out("stream_options")), host="//api.z.ai"),
    KnownRefusal(_left_out("seed"), host="//generativelanguage.googleapis.com/v1beta/openai"),
    # Claude refuses sampling from Opus 4.7 on, gateways ignore it; Gemini 3 loops below its own temperature of 1.
    KnownRefusal(_left_out("temperature"), model=r"claude|gemini-(?:[3-9]|\d\d)"),
    # Some cannot be kept from thinking: asked for none, they get the least that they take.
    KnownRefusal((_least("reasoning_effort", "none", "minimal"),), model=r"gpt-5(?![.\d])"),
    KnownRefusal(
        (_least("reasoning_effort", "none", "low"),), model=r"\bo[134]\b|gpt-6(?:-astra|\.)|grok-4\.[5-9]|gpt-oss"
    ),
    KnownRefusal((_least("think", False, "low"),), model=r"gpt-oss"),
    KnownRefusal((_least("thinkingLevel", "minimal", "low"),), model=r"gemini-3(?:\.\d)?-pro|gemini-3\.[7-9]"),
    KnownRefusal(
        (ROOM,),
        model=r"gpt-oss|\bo[134]\b|gpt-[5-9]|deepseek-(?:r\d|reasoner|v4)|qwq|qwen-?3|magistral|glm-(?:4\.[5-9]|[5-9])"
        r"|grok-[4-9]|kimi-k2|minimax-m|nemotron|thinking|reason|gemini-(?:[3-9]|\d\d)|gemini-2\.5-pro",
    ),
)


def known_adaptations(address: str, model: str, asked: frozenset[str] = frozenset()) -> tuple[Adaptation, ...]:
    """Return what holds from the start for a model behind an address; a parameter that was `asked` for stays."""
    found: list[Adaptation] = []
    for known in KNOWN:
        if known.host in f"{address}/" and re.search(known.model, model, re.IGNORECASE):
            found += [each for each in known.adaptations if each not in found]
    return tuple(each for each in found if not (each.kind == "drop" and each.name in asked))
