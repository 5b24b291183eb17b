"""The brain `mistral`: a model of Mistral's decides, asked through its chat completions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from batllm_arcade import BrainError, BrainKind, ModelBrain, ModelReply, ModelRequest, hookimpl


@hookimpl
def batllm_brains() -> list[BrainKind]:
    """A model of Mistral's."""
    summary = "a model of Mistral's, over the network"
    return [
        BrainKind("mistral", summary, Mistral, missing=missing, prompted=True, models=Mistral.models, prepare_s=300.0)
    ]


class Mistral(ModelBrain):
    """A Mistral model at one seat."""

    label, home = "Mistral", "https://api.mistral.ai"
    hint = "check the network and base_url"
    key_variable = "MISTRAL_API_KEY"
    suggested, reply, patterns = "mistral-small-latest", "json", False

    def catalogue(self) -> str:
        """Return the path that lists the models this key may use."""
        return "/v1/models"

    def names(self, listing: Mapping[str, Any]) -> list[str]:
        """Return those that chat."""
        models = listing.get("data")
        found = [each for each in models if isinstance(each, dict)] if isinstance(models, list) else []
        return [str(each.get("id")) for each in found if _chats(each)]

    def choose(self, listing: Mapping[str, Any]) -> None:
        """Raise BrainError if the model is not among them, by its name or another name of it."""
        models = listing.get("data")
        names: list[str] = []
        for each in models if isinstance(models, list) else ():
            if isinstance(each, dict):
                others = each.get("aliases")
                names += [str(each.get("id")), *map(str, others if isinstance(others, list) else ())]
        if self.model not in names:
            raise self.unknown(names, " for this key; set model to another")

    def ask(self, request: ModelRequest) -> ModelReply:
        """Return the first choice's text."""
        form = {"name": "answer", "schema": request.schema}
        body = {
            "model": self.model,
            "messages": request.messages,
            "temperature": self.temperature,
            "max_tokens": request.max_tokens,
            "random_seed": request.seed,  # `seed` would be refused
            "response_format": {"type": "json_schema", "json_schema": form},
        }
        answer = self.server.fetch("/v1/chat/completions", body, live=request.live)
        try:
            return self._read(answer)
        except (KeyError, IndexError, TypeError, AttributeError):
            raise self.server.failure(f"{self.server.where} does not answer as Mistral does; check base_url") from None

    def _read(self, answer: dict[str, Any]) -> ModelReply:
        choice = answer["choices"][0]
        why, content = choice["finish_reason"], choice["message"]["content"]
        chunks: list[Any] = content if isinstance(content, list) else [{"type": "text", "text": content or ""}]
        text = "".join([chunk["text"] for chunk in chunks if chunk["type"] == "text"])
        thought = "".join(
            [part["text"] for chunk in chunks if chunk["type"] == "thinking" for part in chunk["thinking"]]
        )
        if why not in ("stop", "length", "model_length"):
            sentence = f"{self.model} stopped its answer ({why or 'without a reason'}); ask again, or use another model"
            raise self.server.failure(sentence, raw=text)
        return ModelReply(text, thought, _tokens(answer.get("usage")), why != "stop")

    def explain(self, status: int, body: Any) -> BrainError | None:
        """Return the error for an unknown model, which comes as a 400 or 404 with its name in the text."""
        said = str(body.get("message", "")) if isinstance(body, dict) else ""
        if status == 404 or (status == 400 and "invalid model" in said.lower()):
            sentence = f"{self.server.where} has no model {self.model!r} for this key; set model to another"
            return self.server.failure(f"{sentence} ({said})" if said else sentence, fatal=True)
        return None


missing = Mistral.missing


def _chats(model: Mapping[str, Any]) -> bool:
    able = model.get("capabilities")
    return not isinstance(able, dict) or able.get("completion_chat") is not False


def _tokens(usage: Any) -> dict[str, int] | None:
    usage = usage if isinstance(usage, dict) else {}
    counts = {"prompt": usage.get("prompt_tokens"), "completion": usage.get("completion_tokens")}
    return {name: count for name, count in counts.items() if type(count) is int and count >= 0} or None
