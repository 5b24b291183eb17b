"""The base of every brain that asks a model server: messages, reply forms, the repair request, queued plays.

A provider says where its server is, how to choose a model and how to ask; the rest is here.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from typing import Any, ClassVar

from batllm_arcade.brains.live import Cancelled
from batllm_arcade.brains.price import parse_price
from batllm_arcade.brains.protocol import BrainError, Decision, Spec, View
from batllm_arcade.errors import UsageError
from batllm_arcade.models.adapting.adapter import Adapter
from batllm_arcade.models.adapting.memory import Memory
from batllm_arcade.models.adapting.options import request_options
from batllm_arcade.models.adapting.thinking_room import asked_with_room
from batllm_arcade.models.answers.model_reply import ModelReply, added, keep_in, no_command, separated, too_long
from batllm_arcade.models.answers.repair import repair, why
from batllm_arcade.models.answers.streaming import Streaming
from batllm_arcade.models.dialogue_options import dialogue_of
from batllm_arcade.models.failures.context_room import ContextRoom
from batllm_arcade.models.finding import search
from batllm_arcade.models.finding.listing import can_chat, entries, name_of, some_of
from batllm_arcade.models.finding.probe import Look, probe, prober
from batllm_arcade.models.finding.search import NotListed
from batllm_arcade.models.http_client import ModelServer
from batllm_arcade.models.model_request import ModelRequest
from batllm_arcade.models.play_queue import PlayQueue
from batllm_arcade.models.server_error import ServerError
from batllm_arcade.prompts import thoughts
from batllm_arcade.prompts.buttons import ButtonFormat
from batllm_arcade.prompts.formats import InvalidReply, Messages, instructed, portable
from batllm_arcade.prompts.tool_calls import ToolCallFormat
from batllm_arcade.prompts.unwrap import is_json, unwrap

OPTIONS = (
    "model", "base_url", "context", "rendering", "reply", "temperature", "proxy", "price", "think", "max_tokens",
)  # fmt: skip
PREPARE_S = 300.0
"""Seconds for finding and loading a model before a match, without the option `prepare_s`."""


class ModelBrain(ABC):
    """A model behind a server at one seat; a provider overrides `ask`, `catalogue` and `choose`, perhaps `names`.

    `model` is the model's name, "" until one is chosen; `loaded` says that the server has it in memory, as far as its
    list tells.
    """

    loaded = False

    label: ClassVar[str]
    """What the server is called in sentences."""
    home: ClassVar[str]
    """The address without the option `base_url`."""
    hint: ClassVar[str] = "check base_url"
    """What to do if nobody answers."""
    key_variable: ClassVar[str] = ""
    key_header: ClassVar[str] = "Authorization"
    key_optional: ClassVar[bool] = False
    suggested: ClassVar[str] = ""
    """The model without the option `model`; "" takes the server's first."""
    reply: ClassVar[str] = "token"
    """The reply form without the option `reply`."""
    patterns: ClassVar[bool] = True
    """Whether the server's schemas know patterns and lengths; without them commands come as an action and an angle."""
    loads: ClassVar[bool] = False
    """Whether `question` does nothing but load the model, which is then done before every match."""
    options: ClassVar[tuple[str, ...]] = ()
    """The options beyond those of every model brain."""
    thinks: bool | None = None
    """Whether the model thinks before it answers, and so needs more tokens; None where that is not known."""

    def __init__(self, spec: Spec) -> None:
        spec.allow(*OPTIONS, *self.options)
        self.model = self.wanted = spec.text("model", self.suggested)
        asked = request_options(spec)
        self.temperature, self.think, self._longest = asked.temperature, asked.think, asked.max_tokens
        parse_price(spec.text("price"), f"price of {spec.name}")
        self._prepare_s = spec.number("prepare_s", PREPARE_S, least=0.01)
        self._room = ContextRoom()
        self._dialogue, self.form = dialogue_of(spec, self.reply, actions=not self.patterns)
        self._queue, self._streaming = PlayQueue(), Streaming()
        self.server = ModelServer(
            self.label, spec.text("base_url", self.home), hint=self.hint, key_variable=self.key_variable,
            key_header=self.key_header, key_optional=self.key_optional, proxy=spec.text("proxy"), explain=self.explain,
        )  # fmt: skip
        self.server.adapter = self._adapter = Adapter(
            self.server.base_url, self.server.where, Memory(), lambda: self.model, asked.adaptations, asked.asked
        )

    @property
    def adapted(self) -> tuple[str, ...]:
        """What requests to this server leave out, rename or add for this model."""
        return self._adapter.told

    @abstractmethod
    def ask(self, request: ModelRequest) -> ModelReply:
        """Return the model's whole answer; raise BrainError (`self.server.failure`) if there is none."""

    def streamed(self, ask: Callable[[bool], ModelReply]) -> ModelReply:
        """Return `ask(True)`, or `ask(False)` of a server without a route for streams (404, 405, 501); remember which.

        For `ask` of a provider whose servers may have none.
        """
        return self._streaming.ask(ask)

    @abstractmethod
    def catalogue(self) -> str:
        """Return the path that lists the models, or the wanted one."""

    @abstractmethod
    def choose(self, listing: Mapping[str, Any]) -> None:
        """Set `model`, given what is at `catalogue`; raise BrainError if the wanted one is missing."""

    def listed(self) -> str:
        """Return the path that lists all models, if that is not `catalogue`."""
        return self.catalogue()

    def names(self, listing: Mapping[str, Any]) -> list[str]:
        """Return the names of the models in what is at `listed`, for a menu; none if a provider does not list them."""
        return []

    def explain(self, status: int, body: Any) -> BrainError | None:
        """Return this provider's own sentence for an error, None for the usual one."""
        return None

    def find(self, look: Look) -> None:
        """Set `model`, given what `look(path)` and `look(path, body)` return; raise BrainError that says what is wrong.

        A provider that has to look in several places overrides this.
        """
        self.choose(look(self.catalogue()))

    def question(self) -> tuple[str, Any] | None:
        """Return path and body of the shortest question for `model`, None if there is none.

        It is asked before a match where the list does not hold the model, and where the model may have to be loaded.
        """
        return None

    entries, can_chat, name_of = staticmethod(entries), staticmethod(can_chat), staticmethod(name_of)
    """The models in a server's list; of each, whether it can chat (not one that embeds text or draws), and its name."""

    def failed(self, sentence: str, reply: ModelReply, *, again: bool = False) -> BrainError:
        """Return an error with what there is of an answer, to be recorded: its text or refusal, thought and tokens."""
        return self._keeping(self.server.failure(sentence, again=again), reply)

    def _keeping(self, error: BrainError, reply: ModelReply) -> BrainError:
        whole = separated(reply, self.server.redact)
        error.raw = self.server.redact(whole.raw if whole.raw.strip() else whole.refusal)
        error.thought, error.tokens = whole.thinking, whole.tokens
        return error

    def gave_up(self, error: Any, reply: ModelReply | None = None) -> BrainError:
        """Return the error for one that comes within an answer, whose status then says nothing any more.

        A number that it holds, as OpenRouter has it, is what the status would have been.
        """
        said, code = (error.get("message"), error.get("code")) if isinstance(error, Mapping) else (error, None)
        reply = reply or ModelReply("")
        refused = self.server.refusal(code, {"error": error}) if type(code) is int and 400 <= code < 500 else None
        if refused is not None and not refused.again:
            return self._keeping(refused, reply)
        return self.failed(f"{self.server.where} gave up: {said}; look at its log", reply, again=True)

    def unknown(self, names: Sequence[str], todo: str = "; set model to another") -> BrainError:
        """Return the error for a server that does not list the wanted model but those `names`."""
        sentence = f"{self.server.where} has no model {self.model!r}{todo} (it has {some_of(names)})"
        return NotListed(str(self.server.failure(sentence)), fatal=True)

    @classmethod
    def missing(cls, spec: Spec) -> str:
        """Return what is missing to play now, in one sentence; "" if nothing is."""
        try:
            with closing(cls(spec)) as brain:
                search.search(brain, prober(brain.server), quick=True)
        except (BrainError, UsageError) as error:
            return str(error)
        return ""

    @classmethod
    def models(cls, spec: Spec) -> list[str]:
        """Return the names that the option `model` may have; raise BrainError if the server does not say."""
        with closing(cls(spec)) as brain:
            return brain.names(probe(brain.server, brain.listed()))

    def prepare(self, report: Callable[[str], None]) -> None:
        """Find the model and have it loaded; raise BrainError that says what to start, to set or to name."""
        # A little less than the host allows, so that what the server said last is told.
        search.prepare(self, report, max(self._prepare_s - 1, self._prepare_s / 2))
        self._max_tokens(report)

    def decide(self, view: View) -> Decision:
        """Return the play that was queued, or the model's answer for this one; raise BrainError or Cancelled."""
        decision = self._queue.take(view) or self._asked(view)
        self._dialogue.answered(view, decision)
        return decision

    def close(self) -> None:
        """End a request that is under way."""
        self.server.close()

    def _asked(self, view: View) -> Decision:
        request, reply = self._fitting(view)
        try:
            plays = self.form.read(view, reply.text)
        except InvalidReply as problem:
            reply, plays = self._repaired(view, request, reply, why(problem, request, reply))
        if view.live.cancelled:
            raise Cancelled
        first, *later = plays
        self._queue.fill(view, later)
        thought = thoughts.joined(first.thought, reply.thinking)
        return replace(first, raw=reply.raw, thought=thought, tokens=reply.tokens)

    def _fitting(self, view: View) -> tuple[ModelRequest, ModelReply]:
        """Return the request and its answer; where the server has no room for it, with the oldest turns left out."""
        request, spent = self._request(view), ModelReply("")
        while True:
            try:
                reply = self._answer(request)
                return request, replace(reply, tokens=added(spent.tokens, reply.tokens))
            except ServerError as error:
                keep_in(error, spent)
                spent = replace(spent, tokens=error.tokens)
                shorter = self._shorter(view, request) if error.kind == "context" else None
                if shorter is None:
                    raise
                request = shorter

    def _shorter(self, view: View, request: ModelRequest) -> ModelRequest | None:
        """Return the request without the oldest turns, else to be asked with less room to think, else None."""
        request = replace(request, max_tokens=self._adapter.limit)  # it may have got room to think meanwhile
        messages = self._room.shortened(view, request.messages, self._messages)
        if messages is None:
            return request if self._adapter.squeeze() else None
        view.live.publish(self._room.note(self.model))
        return replace(request, messages=messages)

    def _messages(self, view: View) -> Messages:
        form = self.form
        messages = self._dialogue.messages(self._room.fitted(view), form.this_turn(view))
        return instructed(messages, form.instructions(view))

    def _request(self, view: View) -> ModelRequest:
        form, seed = self.form, view.rng.getrandbits(31)
        if not self.model:
            search.doubtful(self, lambda path, body=None: self.server.fetch(path, body, live=view.live))
        messages = self._messages(view)
        schema = form.schema(view) if self.patterns else portable(form.schema(view))
        grammar = form.grammar(view) if self.patterns else ""
        longest = self._max_tokens(view.live.publish)
        return ModelRequest(messages, schema, grammar, longest, seed, view.live, self.server.redact)

    def _max_tokens(self, say: Callable[[str], None]) -> int:
        """Return how many tokens an answer may take, what is thought before it included; `say` is told what changes."""
        return self._adapter.ready(self._longest or self.form.max_tokens, say, self.thinks)

    def _answer(self, request: ModelRequest) -> ModelReply:
        """Return the answer to a request without its thought; raise BrainError if it is empty or was cut off."""
        request, reply = asked_with_room(request, self._separated, self._adapter, self._whole)
        if not reply.text:  # a thought is never read as a command
            raise self.failed(no_command(self.model, reply), reply)
        if reply.cut and not isinstance(self.form, ButtonFormat) and not self._whole(reply.text):
            raise self.failed(too_long(self.model, request.max_tokens), reply)  # what is left of C170 may be C17
        return reply

    def _separated(self, request: ModelRequest) -> ModelReply:
        return separated(self.ask(request), self.server.redact)

    def _whole(self, text: str) -> bool:
        """Return whether a text that was cut off can be read all the same, as the start of an object can."""
        return is_json(text) or (isinstance(self.form, ToolCallFormat) and unwrap(text).startswith("{"))

    def _repaired(
        self, view: View, request: ModelRequest, reply: ModelReply, problem: str
    ) -> tuple[ModelReply, tuple[Decision, ...]]:
        """Return the second answer, asked for with the reason; a second invalid one is a play without a command."""
        again = replace(request, messages=repair(request.messages, reply.text, problem), seed=view.rng.getrandbits(31))
        try:
            second = self._answer(again)
        except BrainError as error:
            if getattr(error, "kind", "") == "context":  # there is no room to say what was wrong
                return reply, (Decision(reply.raw, None, invalid=problem),)
            keep_in(error, reply)
            raise
        second = replace(second, tokens=added(reply.tokens, second.tokens))
        try:
            return second, self.form.read(view, second.text)
        except InvalidReply as still:
            return second, (Decision(second.raw, None, invalid=why(still, again, second)),)
