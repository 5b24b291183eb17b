"""The brain `anthropic`: a Claude model decides, asked through the Messages API, which other servers speak, too.

llama.cpp's own server, Ollama, LM Studio, OpenRouter and DeepSeek: known ones by their name (`anthropic:lmstudio`), any
other by its `base_url`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import quote

from batllm_arcade import (
    BrainError,
    BrainKind,
    MessagesAPI,
    ModelReply,
    ModelRequest,
    Option,
    Spec,
    closed_schema,
    hookimpl,
)

FORM = Option(
    "form", "choice", "schema", "what holds it to the answer's form: structured outputs, a tool that it calls, nothing",
    ("schema", "tool", "none"), advanced=True,
)  # fmt: skip
TEMPERATURE = Option(
    "temperature", "number", "none", "how freely it chooses its words; newer Claude models refuse it", words=("none",),
    advanced=True,
)  # fmt: skip
TOOL = "answer"
BUDGETS = {"low": 1024, "high": 3072}
"""Tokens of thought for models that take a budget; the room to think is a little more."""
BUDGETED = re.compile(r"claude-3|claude-(?:opus|sonnet|haiku)-4(?:-[015]\b|-\d{8}|$)|^(?!.*claude)")
"""Models that are given a budget: Claude up to 4.5, and what other servers have."""
NO_ROUTE = (404, 405, 501)


@hookimpl
def batllm_brains() -> list[BrainKind]:
    """A Claude model, or another one behind a server that speaks the Messages API."""
    summary = "a Claude model, or any behind a server that speaks Anthropic's Messages API"
    return [Anthropic.kind("anthropic", summary)]


class Anthropic(MessagesAPI):
    """A model behind a server that speaks the Messages API at one seat."""

    label, home, family = "Anthropic", "https://api.anthropic.com", "anthropic"
    hint, address_variable = "check the network and base_url", "ANTHROPIC_BASE_URL"
    key_variable, key_header = "ANTHROPIC_API_KEY", "x-api-key"
    suggested = "claude-haiku-4-5"
    options = (TEMPERATURE, FORM)

    def __init__(self, spec: Spec) -> None:
        super().__init__(spec)
        self._form, self._sampled = FORM.text(spec), TEMPERATURE.text(spec) != "none"
        if self.preset is None and self.server.base_url != self.home and not spec.text("model"):
            self.model = self.wanted = ""  # another server has other models
        self._types: Mapping[str, bool] = {}  # ways to think that the model takes or refuses, as far as it is known

    def find(self, look: Callable[..., Mapping[str, Any]]) -> None:
        """Look the model up in the list, else by its name, which may be another one of a model in the list."""
        listing = look(self.listed())
        entries = {self.name_of(each): each for each in self.entries(listing)}
        if not self.wanted or self.wanted in entries:
            self.choose(listing)
            self._note(entries[self.model])
            return
        try:
            self._note(look(f"/v1/models/{quote(self.wanted, safe='')}"))
        except BrainError as error:
            if getattr(error, "status", None) not in NO_ROUTE:
                raise
            raise self.unknown(self.names(listing)) from None

    def _note(self, entry: Mapping[str, Any]) -> None:
        thinking = (entry.get("capabilities") or {}).get("thinking") or {}
        types = thinking.get("types") or {}
        self._types = {name: each.get("supported") is True for name, each in types.items() if isinstance(each, Mapping)}
        if thinking.get("supported") is False:
            self.thinks = False
        elif self._types.get("disabled") is False:
            self.thinks = True

    def ask(self, request: ModelRequest) -> ModelReply:
        return self.marked(
            lambda spoken: self.streamed(lambda stream: self._answered(request, spoken, stream=stream)), request
        )

    def _answered(self, request: ModelRequest, spoken: Mapping[str, Any], *, stream: bool) -> ModelReply:
        body = {
            "model": self.model,
            "max_tokens": request.max_tokens,
            **spoken,
            **({"temperature": self.temperature} if self._sampled else {}),
            **self._thought(),
            **({"stream": True} if stream else {}),
        }
        body = self._held(body, request.schema)
        return self.server.stream("/v1/messages", body, lambda lines: self.read(lines, request), live=request.live)

    def _held(self, body: dict[str, Any], schema: Mapping[str, Any]) -> dict[str, Any]:
        if self._form == "schema":
            form = {"type": "json_schema", "schema": closed_schema(schema)}
            return {**body, "output_config": {**body.get("output_config", {}), "format": form}}
        if self._form == "tool":
            tool = {"name": TOOL, "description": "Gives your answer.", "input_schema": {"type": "object", **schema}}
            thinks = body.get("thinking", {}).get("type") not in (None, "disabled")  # who thinks cannot be forced
            choice = {"type": "auto"} if thinks else {"type": "tool", "name": TOOL}
            return {**body, "tools": [tool], "tool_choice": choice}
        return body

    def _thought(self) -> dict[str, Any]:
        """Return how much the model is to think, and that it shows what it thinks."""
        always = self._types.get("disabled") is False
        if self.think == "auto" and not always:
            return {}
        if self.think == "off" and not always:
            return {"thinking": {"type": "disabled"}}
        if self.think == "off" and self._types.get("between_tools"):
            return {"thinking": {"type": "between_tools"}}
        hard = "high" if self.think == "high" else "low"
        if not self._types.get("adaptive", not BUDGETED.search(self.model)):
            return {"thinking": {"type": "enabled", "budget_tokens": BUDGETS[hard]}}
        effort = {} if self.think == "auto" else {"output_config": {"effort": hard}}
        return {"thinking": {"type": "adaptive", "display": "summarized"}, **effort}
