"""The brain `ollama`: a model behind an Ollama server decides, asked through its `/api/chat`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any

from batllm_arcade import (
    BrainError,
    BrainKind,
    Live,
    ModelBrain,
    ModelReply,
    ModelRequest,
    Option,
    PullProgress,
    ReplyParts,
    Spec,
    hookimpl,
    pull_model,
)

SUGGESTED = "llama3.2"
NUM_CTX = Option(
    "num_ctx", "whole", "8192", "tokens of context; a larger one takes more memory, another one loads the model anew",
    least=256,
)  # fmt: skip
KEEP_ALIVE = Option(
    "keep_alive", "text", "30m", "how long the model stays in memory after a play; -1 for ever", advanced=True
)
PULL_SIZES = {
    "llama3.2": "2.0 GB", "llama3.2:1b": "1.3 GB", "qwen3:4b": "2.5 GB", "qwen3:1.7b": "1.4 GB", "gemma3:4b": "3.3 GB",
    "phi4-mini": "2.5 GB", "mistral": "4.4 GB", "gpt-oss:20b": "14 GB",
}  # fmt: skip
"""Models that answer well enough and that most computers can run, the first one first; and what there is to fetch."""


@hookimpl
def batllm_brains() -> list[BrainKind]:
    """A model behind Ollama, local or anywhere else."""
    summary = "a model behind an Ollama server"
    return [
        Ollama.kind("ollama", summary, max_parallel=1, pull=pull, pullable=tuple(PULL_SIZES), pull_sizes=PULL_SIZES)
    ]


class Ollama(ModelBrain):
    """A model behind Ollama at one seat; `model` is its name, "" until one is chosen."""

    label, home, hint = "Ollama", "http://127.0.0.1:11434", "start it with `ollama serve`"
    address_variable = "OLLAMA_HOST"
    family, loads, lacking = "ollama", True, "; run `ollama pull {model}`"
    options, larger_context = (NUM_CTX, KEEP_ALIVE), "num_ctx={tokens}"

    def __init__(self, spec: Spec) -> None:
        super().__init__(spec)
        self._keep_alive = _keep_alive(KEEP_ALIVE.text(spec))
        # The same for every request and both bots: another num_ctx or shift makes the server load the model anew.
        self._num_ctx = self.context_size = NUM_CTX.whole(spec)

    def catalogue(self) -> str:
        return "/api/tags"

    def question(self) -> tuple[str, Any]:
        """Return a request without messages, with which Ollama only loads the model."""
        # Not left to the first play: its deadline would abort a slow load again and again.
        return "/api/chat", {**self._body([], num_predict=self.form.max_tokens), "stream": False}

    def names(self, listing: Mapping[str, Any]) -> list[str]:
        # Lists of older servers say no more than the family of a model.
        families = ((each, each.get("details")) for each in self.entries(listing) if self.can_chat(each))
        return [
            self.name_of(each)
            for each, details in families
            if "bert" not in str(details.get("family") if isinstance(details, dict) else "")
        ]

    def choose(self, listing: Mapping[str, Any]) -> None:
        """Set the wanted model, or the first that can chat, among what is installed (`/api/tags`)."""
        installed = self.names(listing)
        if not installed:
            raise self.no_model(f"{self.server.where} has no model yet; run `ollama pull {self.wanted or SUGGESTED}`")
        if not self.wanted:
            self.model = installed[0]
        elif self.wanted not in installed and f"{self.wanted}:latest" not in installed:
            raise self.unknown(installed)

    def find(self, look: Callable[..., Mapping[str, Any]]) -> None:
        """Look the model up among what is installed, and whether it sees: older servers ignore pictures in silence."""
        super().find(look)
        able = None
        with suppress(BrainError):  # what else speaks as Ollama does may not know the route
            able = look("/api/show", {"model": self.model}).get("capabilities") if self.shown != "figures" else None
        if isinstance(able, list) and "vision" not in able:
            self.see_nothing()

    def ask(self, request: ModelRequest) -> ModelReply:
        """Return the answer, streamed from `/api/chat`; raise BrainError if its end is late or its prompt was cut."""
        body = self._body(request.messages, num_predict=request.max_tokens, seed=request.seed)
        body["format"] = request.schema
        return self.server.stream("/api/chat", body, lambda lines: self._read(lines, request), live=request.live)

    def pictured(self, message: Mapping[str, Any], picture: str) -> dict[str, Any]:
        return {**message, "images": [picture]}

    def _body(self, messages: list[dict[str, Any]], **options: int) -> dict[str, Any]:
        return {
            "model": self.model,
            "messages": messages,
            "stream": True,
            "think": self.think if self.think in ("low", "high") else False,  # left out, a model that can think does
            "truncate": False,  # too long a prompt is to be an error, not cut in silence
            "shift": False,
            "keep_alive": self._keep_alive,
            "options": {"num_ctx": self._num_ctx, "temperature": self.temperature, **options},
        }

    def _read(self, lines: Iterator[str], request: ModelRequest) -> ModelReply | None:
        parts, last = ReplyParts(), {"done": False}
        for last in self.server.json_lines(lines):
            if last.get("error"):
                raise self.gave_up(last["error"])
            try:
                _add(parts, last)
            except (TypeError, AttributeError):
                raise self.no_shape("Ollama") from None
            request.publish(parts.text, parts.thought)
            if last.get("done") is True:
                break
        if not (last.get("done", True) or parts.whole):  # a line that does not say is a whole answer
            return None
        self._check_prompt(last, request)
        cut = str(last.get("done_reason")).lower() == "length"
        return self.said(parts.reply(last.get("prompt_eval_count"), last.get("eval_count"), cut=cut))

    def _check_prompt(self, last: Mapping[str, Any], request: ModelRequest) -> None:
        """Raise BrainError if the model has seen only part of the prompt."""
        read, half = last.get("prompt_eval_count"), self._num_ctx / 2
        sent = sum(len(message["content"]) for message in request.messages)
        # Servers that know no `truncate` cut to half the context; a payload has two to four characters a token.
        if isinstance(read, int) and abs(read - half) <= half / 16 and sent > 4.2 * read:
            raise self.server.failure(
                f"{self.server.where} read only {read} tokens of the prompt; set num_ctx to {int(4 * half)} or more"
            )

    def explain(self, status: int, body: Any) -> BrainError | None:
        """Return the errors that a player can mend; a 404 without a text does not come from Ollama."""
        if unknown := super().explain(status, body):
            return unknown
        if status == 404:
            return self.server.failure(f"{self.server.where} is no Ollama; check base_url", fatal=True)
        if isinstance(body, dict) and "context length" in str(body.get("error", "")):
            room = 2 * self._num_ctx
            return self.server.failure(f"the prompt is longer than num_ctx; shorten it, or set num_ctx to {room}")
        return None


def pull(spec: Spec, model: str, live: Live, progress: Callable[[PullProgress], None]) -> None:
    """Have the server fetch a model by name, which it goes on with where it was given up before.

    Raise BrainError if it cannot, Cancelled when it is no longer wanted.
    """
    if not model.strip():
        raise BrainError("no model is named; write one such as llama3.2")
    rest = {key: text for key, text in spec.options.items() if key != "model"}
    brain = Ollama(replace(spec, options={**rest, "model": model.strip()}))
    try:
        pull_model(brain.server, "/api/pull", model.strip(), live, progress)
    finally:
        brain.close()


def _keep_alive(text: str) -> float | str:
    """Return a number as seconds (negative: for ever), anything else as a duration such as `30m`."""
    return float(text) if re.fullmatch(r"-?[0-9]{1,9}", text) else text


def _add(parts: ReplyParts, line: Mapping[str, Any]) -> None:
    """Add a line of an answer; raise TypeError or AttributeError for one of another shape."""
    message = line.get("message", {} if parts.begun else None)  # the last line of some has none
    parts.text += message.get("content") or ""
    parts.add_thought(message.get("thinking"))
    parts.add_calls(message.get("tool_calls"))
    parts.begun = True
