"""The brain `gemini`: a model of Google's decides, asked through `generateContent`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any
from urllib.parse import quote

from batllm_arcade import BrainError, BrainKind, ModelBrain, ModelReply, ModelRequest, ReplyParts, Spec, hookimpl

ROLES = {"user": "user", "assistant": "model"}
LEVELS = {"auto": "low", "off": "minimal", "low": "low", "high": "high"}
"""How hard a model from Gemini 3 on is asked to think."""
BUDGETS = {"low": 1024, "high": 4096}
"""How many tokens of thought one of Gemini 2.5 is asked for; otherwise as few as it allows."""
ENDS = ("", "STOP", "MAX_TOKENS")
"""Reasons to finish that leave an answer; "" is that of gateways which give none."""
UNSPECIFIED = "FINISH_REASON_UNSPECIFIED"
NO_ROUTE = (404, 405, 501)
"""What gateways answer where Google's API has a route and they have none."""
QUESTION = {
    "contents": [{"role": "user", "parts": [{"text": "Answer with one letter."}]}],
    "generationConfig": {"maxOutputTokens": 1},
}
"""The shortest question: whether a model is there, of a gateway that has no other way to say so."""


@hookimpl
def batllm_brains() -> list[BrainKind]:
    """A model of Google's."""
    summary = "a model of Google's, over the network"
    return [Gemini.kind("gemini", summary)]


class Gemini(ModelBrain):
    """A Gemini model at one seat."""

    label, home = "Gemini", "https://generativelanguage.googleapis.com"
    hint, address_variable = "check the network and base_url", "GOOGLE_GEMINI_BASE_URL"
    key_variable, key_header = "GEMINI_API_KEY", "x-goog-api-key"
    suggested, reply, patterns, family = "gemini-2.5-flash", "json", False, "gemini"

    def __init__(self, spec: Spec) -> None:
        super().__init__(spec)
        self._thinking = _thinking(self.model, self.think)
        self.thinks = self._thinking != {"thinkingBudget": 0} if self._thinking else None
        self._most = 0  # tokens of an answer, 0 where the server does not say

    def catalogue(self) -> str:
        """Return the path of the model itself: it is known, or it is not."""
        return f"/v1beta/models/{quote(self.model.removeprefix('models/'), safe='')}"

    def listed(self) -> str:
        return "/v1beta/models?pageSize=1000"

    def names(self, listing: Mapping[str, Any]) -> list[str]:
        found = [each for each in self.entries(listing) if _writes(each) and self.can_chat(each)]
        return [self.name_of(each).removeprefix("models/") for each in found]

    def find(self, look: Callable[..., Mapping[str, Any]]) -> None:
        """Look the model up by its name, else in the list: gateways have not all of Google's routes."""
        if not self.model:
            raise self.server.failure("no model is named; name one, as in gemini:model=NAME", fatal=True)
        try:
            self.choose(look(self.catalogue()))
        except BrainError as error:
            if getattr(error, "status", None) not in NO_ROUTE or getattr(error, "fatal", False):
                raise
            listed = self.entries(look(self.listed()))
            entries = {self.name_of(each).removeprefix("models/"): each for each in listed}
            wanted = self.model.removeprefix("models/")
            if wanted not in entries:
                raise self.unknown(list(entries)) from None
            self.choose(entries[wanted])

    def question(self) -> tuple[str, Any]:
        """Return the shortest question; Google loads nothing, but a gateway may not say otherwise what it has."""
        return f"{self.catalogue()}:generateContent", QUESTION

    def choose(self, listing: Mapping[str, Any]) -> None:
        """Note what the model is; raise BrainError if it cannot answer questions."""
        if not _writes(listing):
            raise self.server.failure(f"{self.model} writes no text; set model to one that does", fatal=True)
        thinks, most = listing.get("thinking"), listing.get("outputTokenLimit")
        if thinks is False:
            self._thinking, self.thinks = {}, False
        elif thinks is True and not self._thinking:  # a name that does not say which generation it is
            self.thinks = True
        self._most = most if type(most) is int and most > 0 else 0

    def ask(self, request: ModelRequest) -> ModelReply:
        return self.streamed(lambda stream: self._answered(request, stream=stream))

    def _answered(self, request: ModelRequest, *, stream: bool) -> ModelReply:
        route = "streamGenerateContent?alt=sse" if stream else "generateContent"
        path, body = f"{self.catalogue()}:{route}", self._body(request)
        return self.server.stream(path, body, lambda lines: self._read(lines, request), live=request.live)

    def _body(self, request: ModelRequest) -> dict[str, Any]:
        longest = request.max_tokens
        body: dict[str, Any] = {
            "contents": [
                {"role": ROLES[message["role"]], "parts": [{"text": message["content"]}, *message.get("parts", ())]}
                for message in request.messages
                if message["role"] != "system"
            ],
            "generationConfig": {
                "temperature": self.temperature,
                "maxOutputTokens": min(longest, self._most or longest),
                "seed": request.seed,
                "responseMimeType": "application/json",
                "responseJsonSchema": request.schema,
                **self._thinking_config(),
            },
        }
        system = [m["content"] for m in request.messages if m["role"] == "system"]
        if system:
            body["systemInstruction"] = {"parts": [{"text": text} for text in system]}
        return body

    def pictured(self, message: Mapping[str, Any], picture: str) -> dict[str, Any]:
        return {**message, "parts": [{"inlineData": {"mimeType": "image/png", "data": picture}}]}

    def _thinking_config(self) -> dict[str, Any]:
        """Return how much it may think, and that it shows what it thinks: a model told not to think refuses that."""
        shown = {"includeThoughts": True} if self.thinks and self._thinking != {"thinkingBudget": 0} else {}
        return {"thinkingConfig": {**self._thinking, **shown}} if self._thinking or shown else {}

    def _read(self, lines: Iterator[str], request: ModelRequest) -> ModelReply | None:
        parts, events, blocked = ReplyParts(), self.server.events(lines), ""
        for answer in events:
            try:
                blocked = _add(parts, answer) or blocked
            except (TypeError, AttributeError):
                raise self.no_shape("Gemini") from None
            if answer.get("error"):
                raise self.gave_up(answer["error"], _reply(parts))
            request.publish(parts.text, parts.thought)
        if blocked:
            raise self.server.failure(f"{self.model} blocked the prompt ({blocked}); change the players' prompts")
        if not (parts.why or events.whole or parts.whole or (parts.usage and not parts.begun)):
            return None
        why, reply = parts.why, _reply(parts)
        if not parts.begun:
            raise self.failed(f"{self.model} gave no candidate for an answer; ask again, or use another model", reply)
        if why not in ENDS:  # there are some two dozen others, and more to come: none is an answer
            raise self.stopped(why, reply, "change the prompts or the model")
        if reply.thinking or (parts.usage or {}).get("thoughtsTokenCount") or (reply.cut and not reply.text):
            self.thinks = True  # whatever its name says: the next answer has room for that
        return self.said(reply)

    def explain(self, status: int, body: Any) -> BrainError | None:
        """Return the error for a wrong key, which Google hides in the details, and for an unknown model."""
        error = body.get("error") if isinstance(body, dict) else None
        error = error if isinstance(error, dict) else {}
        listed = error.get("details")
        details = [each for each in listed if isinstance(each, dict)] if isinstance(listed, list) else []
        if any(each.get("reason") == "API_KEY_INVALID" for each in details):
            return self.server.failure(f"{self.server.where} knows no such key; check {self.key_variable}", fatal=True)
        if unknown := super().explain(status, body):
            return unknown
        if status in NO_ROUTE:
            return self.server.failure(f"{self.server.where} does not speak as Gemini does ({status}); check base_url")
        return None


def _writes(model: Mapping[str, Any]) -> bool:
    methods = model.get("supportedGenerationMethods", ["generateContent"])
    return isinstance(methods, list) and "generateContent" in methods


def _thinking(model: str, think: str) -> dict[str, Any]:
    """Return how much the model is to think, as little as it allows unless it is asked to; each generation has its own
    word for that."""
    version = re.search(r"gemini-(\d+(?:\.\d+)?)", model)
    if version and float(version[1]) >= 3:
        return {"thinkingLevel": LEVELS[think]}
    if version and version[1] == "2.5":
        return {"thinkingBudget": BUDGETS.get(think, 128 if "pro" in model else 0)}
    return {}


def _add(parts: ReplyParts, answer: Mapping[str, Any]) -> str:
    """Add a part of a stream, or a whole answer; return why the prompt was blocked, "" if it was not."""
    for candidate in (answer.get("candidates") or [])[:1]:
        parts.begun = True
        for part in (candidate.get("content") or {}).get("parts") or ():
            if part.get("thought"):
                parts.add_thought(part.get("text"))
            else:  # an answer may come in several parts, and as a call although no tool is offered
                parts.add_content(part.get("text"))
                parts.add_call(part.get("functionCall"))
        why = str(candidate.get("finishReason") or "").upper()
        parts.why = why if why not in ("", UNSPECIFIED) else parts.why
    parts.usage = answer.get("usageMetadata") or parts.usage
    return str((answer.get("promptFeedback") or {}).get("blockReason") or "")


def _reply(parts: ReplyParts) -> ModelReply:
    usage = parts.usage or {}
    completion, thoughts = usage.get("candidatesTokenCount"), usage.get("thoughtsTokenCount")
    if type(completion) is int and type(thoughts) is int and thoughts > 0:
        completion += thoughts
    return parts.reply(usage.get("promptTokenCount"), completion, cut=parts.why == "MAX_TOKENS")
