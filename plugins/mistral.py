"""The brain `mistral`: a model of Mistral's decides, asked through its chat completions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from batllm_arcade import BrainKind, ChatCompletions, ModelReply, ModelRequest, hookimpl

EFFORTS = {"off": "none", "low": "low", "high": "high"}
"""How hard a model is asked to think."""


@hookimpl
def batllm_brains() -> list[BrainKind]:
    """A model of Mistral's."""
    summary = "a model of Mistral's, over the network"
    return [Mistral.kind("mistral", summary)]


class Mistral(ChatCompletions):
    """A Mistral model at one seat."""

    label, style, home = "Mistral", "Mistral", "https://api.mistral.ai"
    hint = "check the network and base_url"
    key_variable, family = "MISTRAL_API_KEY", "mistral"
    suggested, reply, patterns = "mistral-small-latest", "json", False
    lacking = " for this key; set model to another"

    def choose(self, listing: Mapping[str, Any]) -> None:
        """Raise BrainError if the model is not among them, by its name or another name of it."""
        names: list[str] = []
        for each in self.entries(listing):
            others = each.get("aliases")
            names += [self.name_of(each), *map(str, others if isinstance(others, list) else ())]
        if self.model not in names:
            raise self.unknown(names)

    def ask(self, request: ModelRequest) -> ModelReply:
        return self.streamed(lambda stream: self._answered(request, stream=stream))

    def _answered(self, request: ModelRequest, *, stream: bool) -> ModelReply:
        form = {"name": "answer", "schema": request.schema}
        body = {
            "model": self.model,
            "messages": request.messages,
            "temperature": self.temperature,
            "max_tokens": request.max_tokens,
            "random_seed": request.seed,  # `seed` would be refused
            "response_format": {"type": "json_schema", "json_schema": form},
            **({} if self.think == "auto" else {"reasoning_effort": EFFORTS[self.think]}),
            **({"stream": True} if stream else {}),
        }
        path = "/v1/chat/completions"
        return self.server.stream(path, body, lambda lines: self.read(lines, request), live=request.live)
