"""The brain `openai`: a model behind any server that speaks OpenAI's chat completions.

llama.cpp's own server, LM Studio, vLLM, OpenRouter, OpenAI itself and many more: known ones by their name
(`openai:openrouter`), any other by its `base_url`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from batllm_arcade import BrainError, BrainKind, ChatCompletions, ModelReply, ModelRequest, Option, Spec, hookimpl

FORM = Option(
    "form", "choice", "auto", "what holds it to the answer's form; auto: a grammar for llama.cpp, else a schema",
    ("auto", "schema", "grammar", "none"), advanced=True,
)  # fmt: skip
EFFORTS = {"off": "none", "low": "low", "high": "high"}
"""How hard a model is asked to think; `off` becomes the least that it allows."""


@hookimpl
def batllm_brains() -> list[BrainKind]:
    """A model behind any OpenAI-style server."""
    summary = "a model behind any OpenAI-style server"
    return [OpenAI.kind("openai", summary, titles={"": "OpenAI"})]


class OpenAI(ChatCompletions):
    """A model behind an OpenAI-style server at one seat."""

    label, home, address_variable = "the OpenAI-style server", "http://127.0.0.1:8080", "OPENAI_BASE_URL"
    hint = "start it (llama.cpp: `llama-server -m MODEL.gguf`), or check base_url"
    family, options = "openai", (FORM,)

    def __init__(self, spec: Spec) -> None:
        super().__init__(spec)
        self._form = FORM.text(spec)
        self._llama = False

    def choose(self, listing: Mapping[str, Any]) -> None:
        """Set the wanted model, or the first that can chat; llama.cpp serves the one it has under any name."""
        models = self.entries(listing)
        self._llama = bool(models) and models[0].get("owned_by") == "llamacpp"
        self.loaded = self._llama and "status" not in models[0]
        if self.wanted and self._llama:
            self.model = self.wanted
        else:
            super().choose(listing)

    def ask(self, request: ModelRequest) -> ModelReply:
        body = {
            "model": self.model,
            "messages": request.messages,
            "seed": request.seed,
            "stream": True,
            "stream_options": {"include_usage": True},
            "max_tokens": request.max_tokens,
            "temperature": self.temperature,
            **self._constraint(request),
            **self._thinking(),
        }
        return self.asked(body, request)

    def _thinking(self) -> dict[str, Any]:
        if self._llama:
            return {"chat_template_kwargs": {"enable_thinking": self.think in ("low", "high")}, "cache_prompt": True}
        if self.preset is not None and self.think in self.preset.think:
            return dict(self.preset.think[self.think])
        if self.think == "off" and self.model.startswith(("deepseek", "glm")):  # which know no effort below low
            return {"thinking": {"type": "disabled"}}
        return {} if self.think == "auto" else {"reasoning_effort": EFFORTS[self.think]}

    def _constraint(self, request: ModelRequest) -> dict[str, Any]:
        """Return what holds the model to the answer's form; `json_object` alone is refused by LM Studio."""
        if self._form == "none":
            return {}
        if request.grammar and (self._form == "grammar" or (self._form == "auto" and self._llama)):
            return {"grammar": request.grammar}
        form = {"name": "answer", "schema": request.schema}
        return {"response_format": {"type": "json_schema", "json_schema": form}}

    def explain(self, status: int, body: Any) -> BrainError | None:
        """Return the error for a prompt that is too long, where llama.cpp says by how much, and for a missing model."""
        error = body.get("error") if isinstance(body, dict) else None
        if isinstance(error, dict) and error.get("type") == "exceed_context_size_error":
            sent, room = error.get("n_prompt_tokens"), error.get("n_ctx")
            return self.server.failure(
                f"the prompt takes {sent} tokens and {self.server.where} has room for {room}; "
                "set payload.history_window, or start it with a larger context"
            )
        return super().explain(status, body)
