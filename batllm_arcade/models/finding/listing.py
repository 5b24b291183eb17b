"""What a server says that it has: the models in its list, and which of them can chat."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

_NO_CHAT_NAME = re.compile(
    r"embed|rerank|whisper|moderation|dall-e|stable-diffusion|flux|transcribe|guard"
    r"|(^|[/_:.-])(bge|e5|gte|tts|clip|sora|ocr|minilm|bert|realtime|(gpt-)?image|imagen|veo|babbage|davinci)([/_:.-]|[0-9]|$)",
    re.IGNORECASE,
)
_NO_CHAT_KIND = re.compile(r"embed|rerank|image|audio|speech|transcri|moderation|video", re.IGNORECASE)
_CHAT_ABLE = ("completion", "completions", "chat", "completion_chat", "chat_completion", "chat_completions")

LISTED = 100
"""Names of models that one sentence lists at most; it says how many more there are."""


def some_of(names: Sequence[str]) -> str:
    """Return the names of models as a sentence lists them."""
    more = f" and {len(names) - LISTED} more" if len(names) > LISTED else ""
    return f"{', '.join(names[:LISTED]) or 'none'}{more}"


def entries(listing: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the models in a list, each with its name under `id`, `name` or `model` as the server has it."""
    for key in ("data", "models"):
        found = listing.get(key)
        if isinstance(found, list):
            named = [{"id": each, "name": each} if isinstance(each, str) else each for each in found]
            return [each for each in named if isinstance(each, dict) and name_of(each)]
    return []


def name_of(entry: Mapping[str, Any]) -> str:
    """Return the name by which a model in a list is asked."""
    return next((entry[key] for key in ("id", "name", "model") if isinstance(entry.get(key), str)), "")


def can_chat(entry: Mapping[str, Any]) -> bool:
    """Return whether a model in a list can chat, by what it says of itself, else by its name."""
    for key in ("type", "kind", "task", "object_type"):
        if isinstance(entry.get(key), str) and _NO_CHAT_KIND.search(entry[key]):
            return False
    able = entry.get("capabilities")
    if isinstance(able, list) and able:
        return any(each in _CHAT_ABLE for each in able) or not any(_NO_CHAT_KIND.search(str(each)) for each in able)
    if isinstance(able, Mapping):
        said = [able[name] for name in _CHAT_ABLE if type(able.get(name)) is bool]
        if said:
            return any(said)
    written = entry.get("architecture")
    modalities = written.get("output_modalities") if isinstance(written, Mapping) else None
    if isinstance(modalities, list) and modalities:
        return "text" in modalities
    return not _NO_CHAT_NAME.search(name_of(entry))
