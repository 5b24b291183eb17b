"""The brain `ollama`: a model behind an Ollama server decides, asked through its `/api/chat`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from batllm_arcade import (
    BrainError,
    BrainKind,
    Decision,
    Live,
    ModelServer,
    Spec,
    UsageError,
    View,
    command_schema,
    hookimpl,
    payload_messages,
    think_block,
    unwrap,
)

BASE_URL = "http://127.0.0.1:11434"
SUGGESTED = "llama3.2"
NUM_CTX = 8192
LOAD_S = 300.0
NUM_PREDICT = 48  # a command in its JSON takes some fifteen tokens; models run on in white space
OPTIONS = ("model", "base_url", "num_ctx", "temperature", "keep_alive", "proxy")


@hookimpl
def batllm_brains() -> list[BrainKind]:
    """A model behind Ollama, local or anywhere else."""
    return [BrainKind("ollama", "a model behind an Ollama server", Ollama, missing=missing, prompted=True)]


def missing(spec: Spec) -> str:
    """What is missing to play now, in one sentence; "" if nothing is."""
    try:
        brain = Ollama(spec)
        brain.choose(brain.server.probe("/api/tags"))
    except (BrainError, UsageError) as error:
        return str(error)
    return ""


@dataclass(frozen=True)
class Reply:
    """A whole answer: its text, what the model thought before, and the server's last line."""

    text: str
    thinking: str
    last: Mapping[str, Any]


class Ollama:
    """A model behind Ollama at one seat; `model` is its name, "" until one is chosen."""

    def __init__(self, spec: Spec) -> None:
        spec.allow(*OPTIONS)
        self.model = self._wanted = spec.text("model")
        self._keep_alive = _keep_alive(spec.text("keep_alive", "30m"))
        # The same for every request and both bots: another num_ctx or shift makes the server load the model anew.
        self._options = {
            "num_ctx": int(spec.number("num_ctx", NUM_CTX, least=256)),
            "num_predict": NUM_PREDICT,
            "temperature": spec.number("temperature", 0.8),
        }
        self.server = ModelServer(
            "Ollama", spec.text("base_url", BASE_URL), hint="start it with `ollama serve`", proxy=spec.text("proxy"),
            explain=self._explain,
        )  # fmt: skip

    def prepare(self, report: Callable[[str], None]) -> None:
        """Find the model and load it; BrainError says what to start or to pull."""
        report(f"looking for {self.server.where}")
        self.choose(self.server.fetch("/api/tags", limit_s=10.0))
        report(f"loading {self.model} into Ollama, the first time this takes a while")
        # Without messages Ollama only loads. A play's own deadline would abort a slow load again and again.
        self._no_error(self.server.fetch("/api/chat", {**self._request([]), "stream": False}, limit_s=LOAD_S))
        report(f"{self.model} is loaded")

    def decide(self, view: View) -> Decision:
        """The model's command for this play, from payload v3.2."""
        request = self._request(payload_messages(view), seed=view.rng.getrandbits(31))
        if not self.model:
            self.choose(self.server.fetch("/api/tags", live=view.live))
            request["model"] = self.model
        request["format"] = command_schema(view.rules.free_move)
        reply = self.server.stream("/api/chat", request, lambda lines: self._read(lines, view.live), live=view.live)
        self._check(reply, request)
        return Decision(
            raw=reply.text, command=unwrap(reply.text), thought=reply.thinking.strip() or think_block(reply.text),
            tokens=_tokens(reply.last),
        )  # fmt: skip

    def close(self) -> None:
        """End a request that is under way."""
        self.server.close()

    def choose(self, tags: Mapping[str, Any]) -> None:
        """Settle on the wanted model, or the first that can chat, among what is installed (`/api/tags`)."""
        installed = _names(tags)
        if not installed:
            pull = self._wanted or SUGGESTED
            raise self.server.failure(f"{self.server.where} has no model yet; run `ollama pull {pull}`", fatal=True)
        if not self._wanted:
            self.model = installed[0]
        elif self._wanted not in installed and f"{self._wanted}:latest" not in installed:
            raise self._unknown(f"it has {', '.join(installed[:8])}")

    def _request(self, messages: list[dict[str, str]], **options: int) -> dict[str, Any]:
        return {
            "model": self.model,
            "messages": messages,
            "stream": True,
            "think": False,  # left out, a model that can think does, and may answer nothing within num_predict
            "truncate": False,  # too long a prompt is to be an error, not cut in silence
            "shift": False,
            "keep_alive": self._keep_alive,
            "options": {**self._options, **options},
        }

    def _read(self, lines: Iterator[str], live: Live) -> Reply | None:
        """The answer as it grows, line by line; None if its last line is missing."""
        text = thinking = ""
        for part in self.server.json_lines(lines):
            self._no_error(part)
            text += self._said(part, "content")
            thinking += self._said(part, "thinking")
            live.publish(text or thinking)
            if part.get("done") is True:
                return Reply(text, thinking, part)
        return None

    def _no_error(self, part: Mapping[str, Any]) -> None:
        if part.get("error"):  # once an answer has begun its status says nothing any more
            raise self.server.failure(f"{self.server.where} gave up: {part['error']}; look at its log", again=True)

    def _said(self, part: Mapping[str, Any], key: str) -> str:
        message = part.get("message")
        said = message.get(key) or "" if isinstance(message, dict) else None
        if not isinstance(said, str):
            raise self.server.failure(f"{self.server.where} does not answer as Ollama does; check base_url")
        return said

    def _check(self, reply: Reply, request: Mapping[str, Any]) -> None:
        """BrainError where a complete answer is none all the same."""
        if not reply.text.strip():  # a thought is never read as a command
            why = "it only thought" if reply.thinking else "its answer was empty"
            raise self.server.failure(f"{self.model} gave no command, {why}; use a model that answers at once")
        read, half = reply.last.get("prompt_eval_count"), self._options["num_ctx"] / 2
        sent = sum(len(message["content"]) for message in request["messages"])
        # Servers that know no `truncate` cut to half the context; a payload has two to four characters a token.
        if isinstance(read, int) and abs(read - half) <= half / 16 and sent > 4.2 * read:
            raise self.server.failure(
                f"{self.server.where} read only {read} tokens of the prompt; set num_ctx to {int(4 * half)} or more"
            )

    def _explain(self, status: int, body: Any) -> BrainError | None:
        """Errors that a player can mend; a 404 without a text is no Ollama at all."""
        said = str(body.get("error", "")) if isinstance(body, dict) else ""
        if status == 404 and "model" in said:
            return self._unknown("see `ollama list` for what it has")
        if status == 404:
            return self.server.failure(f"{self.server.where} is no Ollama; check base_url", fatal=True)
        if "context length" in said:
            room = int(2 * self._options["num_ctx"])
            return self.server.failure(f"the prompt is longer than num_ctx; shorten it, or set num_ctx to {room}")
        return None

    def _unknown(self, instead: str) -> BrainError:
        name = self.model
        return self.server.failure(
            f"{self.server.where} has no model {name!r}; run `ollama pull {name}` ({instead})", fatal=True
        )


def _names(tags: Mapping[str, Any]) -> list[str]:
    """The installed models, those that only embed text left out."""
    models = tags.get("models")
    names = []
    for model in models if isinstance(models, list) else ():
        details = model.get("details") if isinstance(model, dict) else None
        family = str(details.get("family")) if isinstance(details, dict) else ""
        if isinstance(model, dict) and isinstance(model.get("name"), str) and "bert" not in family:
            names.append(model["name"])
    return names


def _keep_alive(text: str) -> float | str:
    """A number is seconds (negative: for ever), anything else a duration such as `30m`."""
    return float(text) if re.fullmatch(r"-?[0-9]{1,9}", text) else text


def _tokens(last: Mapping[str, Any]) -> dict[str, int] | None:
    """What the model read and wrote; Ollama leaves out what is zero."""
    counts = {"prompt": last.get("prompt_eval_count"), "completion": last.get("eval_count")}
    found = {name: count for name, count in counts.items() if type(count) is int and count >= 0}
    return found or None
