"""The brain `gemini`: a model of Google's decides, asked through `generateContent`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from batllm_arcade import BrainError, BrainKind, ModelBrain, ModelReply, ModelRequest, hookimpl

ROLES = {"user": "user", "assistant": "model"}
ROOM = 4096
"""Tokens on top for a model that thinks before it answers: what it thinks counts, too."""


@hookimpl
def batllm_brains() -> list[BrainKind]:
    """A model of Google's."""
    summary = "a model of Google's, over the network"
    return [BrainKind("gemini", summary, Gemini, missing=missing, prompted=True, models=Gemini.models)]


class Gemini(ModelBrain):
    """A Gemini model at one seat."""

    label, home = "Gemini", "https://generativelanguage.googleapis.com"
    hint = "check the network and base_url"
    key_variable, key_header = "GEMINI_API_KEY", "x-goog-api-key"
    suggested, reply, patterns = "gemini-2.5-flash", "json", False

    def catalogue(self) -> str:
        """Return the path of the model itself: it is known, or it is not."""
        return f"/v1beta/models/{quote(self.model.removeprefix('models/'), safe='')}"

    def listed(self) -> str:
        """Return the path that lists all models at once."""
        return "/v1beta/models?pageSize=200"

    def names(self, listing: Mapping[str, Any]) -> list[str]:
        """Return those that write text."""
        models = listing.get("models")
        found = [each for each in models if isinstance(each, dict)] if isinstance(models, list) else []
        return [str(each.get("name")).removeprefix("models/") for each in found if _writes(each)]

    def choose(self, listing: Mapping[str, Any]) -> None:
        """Raise BrainError if the model cannot answer questions."""
        if not self.model:
            raise self.server.failure("no model is named; set model", fatal=True)
        if not _writes(listing):
            raise self.server.failure(f"{self.model} writes no text; set model to one that does", fatal=True)

    def ask(self, request: ModelRequest) -> ModelReply:
        """Return the first candidate's text; raise BrainError for a blocked, stopped or empty answer."""
        thinking = _thinking(self.model)
        body: dict[str, Any] = {
            "contents": [_content(m) for m in request.messages if m["role"] != "system"],
            "generationConfig": {
                "temperature": self.temperature,
                "maxOutputTokens": request.max_tokens + (0 if thinking == {"thinkingBudget": 0} else ROOM),
                "seed": request.seed,
                "responseMimeType": "application/json",
                "responseJsonSchema": request.schema,
                **({"thinkingConfig": thinking} if thinking else {}),
            },
        }
        system = [m["content"] for m in request.messages if m["role"] == "system"]
        if system:
            body["systemInstruction"] = {"parts": [{"text": text} for text in system]}
        answer = self.server.fetch(f"{self.catalogue()}:generateContent", body, live=request.live)
        try:
            return self._read(answer)
        except (KeyError, IndexError, TypeError, AttributeError):
            raise self.server.failure(f"{self.server.where} does not answer as Gemini does; check base_url") from None

    def _read(self, answer: dict[str, Any]) -> ModelReply:
        blocked = answer.get("promptFeedback", {}).get("blockReason")
        if blocked:
            raise self.server.failure(f"{self.model} blocked the prompt ({blocked}); change the players' prompts")
        if not answer.get("candidates"):
            raise self.server.failure(f"{self.model} gave no candidate for an answer; ask again, or use another model")
        candidate = answer["candidates"][0]
        why, parts = candidate.get("finishReason"), candidate.get("content", {}).get("parts", [])
        text = "".join([part["text"] for part in parts if "text" in part and not part.get("thought")])
        thought = "".join([part["text"] for part in parts if "text" in part and part.get("thought")])
        if why not in ("STOP", "MAX_TOKENS"):  # there are some two dozen, and more to come: none is an answer
            sentence = f"{self.model} stopped its answer ({why or 'without a reason'}); change the prompts or the model"
            raise self.server.failure(sentence, raw=text)
        if why == "MAX_TOKENS" and not text:
            raise self.server.failure(
                f"{self.model} spent all its tokens on thinking; use a model that answers at once"
            )
        return ModelReply(text, thought, _tokens(answer.get("usageMetadata", {})), why == "MAX_TOKENS")

    def explain(self, status: int, body: Any) -> BrainError | None:
        """Return the error for a wrong key, an unknown model, a quota: Google hides which in the details."""
        error = body.get("error") if isinstance(body, dict) else None
        error = error if isinstance(error, dict) else {}
        listed = error.get("details")
        details = [each for each in listed if isinstance(each, dict)] if isinstance(listed, list) else []
        if any(each.get("reason") == "API_KEY_INVALID" for each in details):
            return self.server.failure(f"{self.server.where} knows no such key; check {self.key_variable}", fatal=True)
        if status == 404:
            return self.server.failure(
                f"{self.server.where} has no model {self.model!r}; set model to another", fatal=True
            )
        if status == 429:
            return self._quota(details)
        return None

    def _quota(self, details: list[dict[str, Any]]) -> BrainError:
        violations = [each.get("violations") for each in details]
        ids = [
            str(one.get("quotaId"))
            for each in violations
            if isinstance(each, list)
            for one in each
            if isinstance(one, dict)
        ]
        if any("PerDay" in name for name in ids):
            return self.server.failure(f"today's quota for {self.model} is used up; use another model, or wait a day")
        delays = [re.fullmatch(r"([0-9]{1,6}(?:\.[0-9]+)?)s", str(each.get("retryDelay"))) for each in details]
        wait_s = next((float(found[1]) for found in delays if found), None)
        pause = f"for {wait_s:.0f} s" if wait_s else "for now"
        return self.server.failure(
            f"{self.server.where} takes no requests {pause} (429); wait, or use another model",
            again=True,
            wait_s=wait_s,
        )


missing = Gemini.missing


def _writes(model: Mapping[str, Any]) -> bool:
    methods = model.get("supportedGenerationMethods", ["generateContent"])
    return isinstance(methods, list) and "generateContent" in methods


def _content(message: Mapping[str, str]) -> dict[str, Any]:
    return {"role": ROLES[message["role"]], "parts": [{"text": message["content"]}]}


def _thinking(model: str) -> dict[str, Any]:
    """Return as little thinking as the model allows; each generation has its own word for that."""
    version = re.search(r"gemini-(\d+(?:\.\d+)?)", model)
    if version and float(version[1]) >= 3:
        return {"thinkingLevel": "low"}
    if version and version[1] == "2.5":
        return {"thinkingBudget": 128 if "pro" in model else 0}
    return {}


def _tokens(usage: Mapping[str, Any]) -> dict[str, int] | None:
    counts = {"prompt": usage.get("promptTokenCount"), "completion": usage.get("candidatesTokenCount")}
    found = {name: count for name, count in counts.items() if type(count) is int and count >= 0}
    if type(usage.get("thoughtsTokenCount")) is int and "completion" in found:
        found["completion"] += usage["thoughtsTokenCount"]
    return found or None
