"""The base of every brain that asks a model server: messages, reply forms, the repair request, queued plays.

A provider says where its server is, how to choose a model and how to ask (`models/provider.py`); the rest is here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from batllm_arcade.brains.live import Cancelled
from batllm_arcade.brains.price import parse_price
from batllm_arcade.brains.protocol import BrainError, BrainKind, Decision, Spec, View
from batllm_arcade.errors import method_of, of_kind, place_of_code
from batllm_arcade.models.adapting.thinking_room import asked_with_room
from batllm_arcade.models.answers.model_reply import ModelReply, added, keep_in, no_command, separated, too_long
from batllm_arcade.models.answers.repair import repair, why
from batllm_arcade.models.dialogue_options import dialogue_of
from batllm_arcade.models.failures.context_room import ContextRoom
from batllm_arcade.models.finding import search
from batllm_arcade.models.finding.presets import names_of
from batllm_arcade.models.model_options import PREPARE_S
from batllm_arcade.models.model_request import ModelRequest
from batllm_arcade.models.play_queue import PlayQueue
from batllm_arcade.models.provider import ModelProvider
from batllm_arcade.models.server_error import ServerError
from batllm_arcade.prompts import thoughts
from batllm_arcade.prompts.buttons import ButtonFormat
from batllm_arcade.prompts.formats import InvalidReply, Messages, instructed, portable
from batllm_arcade.prompts.tool_calls import ToolCallFormat
from batllm_arcade.prompts.unwrap import is_json, unwrap


class ModelBrain(ModelProvider):
    """A model behind a server at one seat; a provider overrides `ask` and says where its server is."""

    def __init__(self, spec: Spec) -> None:
        super().__init__(spec)
        parse_price(spec.text("price"), f"price of {spec.name}")
        self._prepare_s = spec.number("prepare_s", PREPARE_S, least=0.01)
        self._room = ContextRoom()
        self._dialogue, self.form = dialogue_of(spec, self.reply, actions=not self.patterns)
        self._queue = PlayQueue()

    @classmethod
    def kind(cls, name: str, summary: str, **more: Any) -> BrainKind:
        """Return this brain as `batllm_brains` offers it; `more` are further fields of a BrainKind."""
        usual: dict[str, Any] = {
            "missing": cls.missing, "state": cls.state, "models": cls.models, "prompted": True, "prepare_s": PREPARE_S,
            "options": cls.declared(), "presets": names_of(cls.family) if cls.family else (),
        }  # fmt: skip
        return BrainKind(name, summary, cls, **{**usual, **more})

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
        reply = self.ask(request)
        if not isinstance(reply, ModelReply):
            raise self._wrong(of_kind(reply))
        if not isinstance(reply.text, str):
            raise self._wrong(f"one whose text is {of_kind(reply.text)}")
        return separated(reply, self.server.redact)

    def _wrong(self, returned: str) -> BrainError:
        place = place_of_code(method_of(self, "ask"))
        return BrainError(f"ask must return a ModelReply with a text, not {returned}{place}")

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
