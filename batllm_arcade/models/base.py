"""The brain of a model behind a server."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime, timezone
from typing import Any, TypeVar

from batllm_arcade.brains.kinds import parse_price
from batllm_arcade.brains.live import Cancelled
from batllm_arcade.brains.protocol import BrainError, BrainKind, Decision, Spec, View
from batllm_arcade.core.rules import read_command
from batllm_arcade.errors import UsageError, method_of, of_kind, place_of_code
from batllm_arcade.models.adapter import BLIND
from batllm_arcade.models.answers import (
    QUOTED,
    ModelReply,
    ModelRequest,
    added,
    keep_in,
    separated,
    too_long,
)
from batllm_arcade.models.failures import ServerError
from batllm_arcade.models.presets import names_of
from batllm_arcade.models.provider import PREPARE_S, ModelProvider
from batllm_arcade.prompts.buttons import ButtonFormat
from batllm_arcade.prompts.conversation import RENDERINGS, ROOM, ConversationDialogue, ToolCallFormat
from batllm_arcade.prompts.formats import (
    Dialogue,
    InvalidReply,
    Messages,
    PayloadDialogue,
    ReplyFormat,
    TokenFormat,
    conforms,
    instructed,
    portable_schema,
)
from batllm_arcade.prompts.notes import NotesFormat
from batllm_arcade.prompts.payload import Shown, last_messages
from batllm_arcade.prompts.picture import PIXELS, legend, picture
from batllm_arcade.prompts.unwrap import is_json, joined_thoughts, json_object, unwrap

CHARACTERS = 2.5
"""Characters of a token in what models are sent, roughly: figures take more tokens than words."""
PIXELS_A_TOKEN = 256
"""Pixels of a token in pictures for the models that take the most for them; others make three times as much of one."""


class PlayQueue:
    """The later plays of one reply, for the bot's very next plays.

    A hit taken, a new round, and somebody else at the seat in between drop what is left.
    """

    def __init__(self) -> None:
        self._plays: deque[Decision] = deque()
        self._view: View | None = None
        self._number = 0  # of the seat's last play

    def fill(self, view: View, plays: list[Decision]) -> None:
        """Keep the plays that follow the one of this view; they replace what was left."""
        self._view, self._number = view, view.number
        self._plays = deque(replace(play, raw="", queued_from=view.number) for play in plays)

    def take(self, view: View) -> Decision | None:
        """Return the next of them, or None; what is left of a reply that came too late is dropped, too."""
        asked, last = self._view, self._number
        if asked is None or not self._plays:
            return None
        self._number = view.number
        health = asked.arena.bot(asked.seat).health
        same = (asked.game, asked.round) == (view.game, view.round) and health <= view.arena.bot(view.seat).health
        if not same or view.number != last + 2 or asked.live.cancelled:
            self._plays.clear()
            return None
        return self._plays.popleft()


_Choice = TypeVar("_Choice", bound=str)


def dialogue_of(
    spec: Spec, default: str = "token", replies: tuple[str, ...] = ("token", "json"), *, actions: bool = False
) -> tuple[Dialogue, ReplyFormat]:
    """Return how a match is put into messages and what answers look like, by `context`, `rendering` and `reply`.

    Raise UsageError if one of these options is wrong.

    `default` is the reply form without that option; where it is `token`, a conversation has its own. With
    `actions` commands are asked for as an action and an angle, for servers whose schemas know no patterns.
    """
    reply = _choice(spec, "reply", (default, *replies))
    given = "reply" in spec.options or reply != "token"
    rendering = _choice(spec, "rendering", RENDERINGS)
    form: ReplyFormat = ButtonFormat() if reply == "json" else TokenFormat(actions=actions)
    if _choice(spec, "context", ("payload", "conversation")) == "payload":
        return PayloadDialogue(form), form
    if not given:
        form = ToolCallFormat(actions=actions)
    as_written = "action" if actions and reply == "token" else reply
    return ConversationDialogue(now, rendering, as_written if given else "", form), form


def now() -> str:
    """Return the time, ISO 8601 in UTC, in whole seconds: a model has to read every digit."""
    return datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")


def _choice(spec: Spec, key: str, choices: tuple[_Choice, ...]) -> _Choice:
    value = spec.text(key, choices[0])
    for choice in choices:
        if choice == value:
            return choice
    raise UsageError(f"{key} of {spec.name} must be {' or '.join(sorted(set(choices)))}, not {value!r}")


class ModelBrain(ModelProvider):
    """A model behind a server at one seat; a provider overrides `ask` and says where its server is."""

    def __init__(self, spec: Spec) -> None:
        super().__init__(spec)
        parse_price(spec.text("price"), f"price of {spec.name}")
        self._prepare_s = spec.number("prepare_s", PREPARE_S, least=0.01)
        self._turns = 0  # finished turns that its prompts show: all, until a server refuses a prompt as too long
        self._dialogue, self.form = dialogue_of(spec, self.reply, actions=not self.patterns)
        self._view: Shown = _choice(spec, "view", ("figures", "picture", "both"))
        self._pixels = int(spec.number("picture_px", PIXELS))
        self.notes = int(spec.number("notes", 0))
        """How many words it notes after a round at most, 0 for none."""
        self._queue, self._loose = PlayQueue(), False  # whether its last answer had not the form that was asked for

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
        self._find_and_load(report, max(self._prepare_s - 1, self._prepare_s / 2))
        self._max_tokens(report, self.form)
        if self.shown != self._view:
            report(self.see_nothing())

    def foresee(self, view: View) -> str:
        """Return, with what to do, that requests of a round that begins so will outgrow its context; else ""."""
        if not self.context_size:
            return ""
        grows = isinstance(self._dialogue, PayloadDialogue)  # a conversation leaves its oldest turns out by itself
        last = last_messages(view, self.form.max_tokens // 3) if grows else []
        sent = sum(len(each["content"]) for each in last) or ROOM
        needed = int((sent + len(self.form.instructions(view))) / CHARACTERS) + (self._longest or self.form.max_tokens)
        needed += self._pixels**2 // PIXELS_A_TOKEN if self.shown != "figures" else 0
        if needed <= self.context_size:
            return ""
        todo = self.larger_context.format(tokens=2 ** needed.bit_length())
        return (
            f"{self.model} has room for {self.context_size:,} tokens, and by the end of a round about {needed:,} are "
            f"needed: set {todo} or payload.history_window, or its oldest turns will be left out"
        )

    def decide(self, view: View) -> Decision:
        """Return the play that was queued, or the model's answer for this one; raise BrainError or Cancelled."""
        decision = self._queue.take(view) or self._asked(view)
        self._dialogue.answered(view, decision)
        return decision

    def note(self, view: View) -> Decision:
        """Return what the model notes of a round that is over, as `raw`; raise BrainError or Cancelled."""
        form = NotesFormat(self.notes)
        _, reply = self._with_room(self._request(view, form, form.messages(view)))
        if view.live.cancelled:
            raise Cancelled
        self.server.limits.spent(sum((reply.tokens or {}).values()))
        if not reply.text:
            raise self.silent(reply)
        return replace(form.read(view, reply.text)[0], tokens=reply.tokens)

    def close(self) -> None:
        """End a request that is under way."""
        self.server.close()

    def _asked(self, view: View) -> Decision:
        began = time.monotonic()
        if view.turn == 1 and not self._turns and (note := self.foresee(view)):
            view.live.publish(note)
        request, reply, plays, problem = self._fitting(view)
        left_s = view.live.seconds_left()
        if problem and (left_s is None or left_s > time.monotonic() - began):  # else there is no time for another one
            reply, plays, problem = self._repaired(view, request, reply, problem)
        if view.live.cancelled:
            raise Cancelled
        self.server.limits.spent(sum((reply.tokens or {}).values()))
        self._answers, self._thoughts = self._answers + 1, self._thoughts + bool(reply.thinking.strip())
        if problem:
            plays = (Decision("", None, invalid=problem),)
        first, *later = plays
        self._queue.fill(view, later)
        thought = joined_thoughts(first.thought, reply.thinking)
        return replace(first, raw=reply.raw, thought=thought, tokens=reply.tokens)

    def _judged(self, view: View, request: ModelRequest, reply: ModelReply) -> tuple[tuple[Decision, ...], str]:
        """Return the plays in an answer, and what is wrong with it; settle what was tried to keep it to its form."""
        plays: tuple[Decision, ...] = ()
        try:
            plays = self.form.read(view, reply.text)
            problem = getattr(read_command(plays[0].command, view.rules), "reason", "")
        except InvalidReply as wrong:
            problem = str(wrong)
        if problem and reply.cut:
            problem = f"the answer is too long, it was cut off after {request.max_tokens} tokens"
        self._loose = bool(problem) and not (reply.cut or conforms(request.schema, reply.text))
        self._adapter.settle(worked=not self._loose)
        return plays, problem

    def _fitting(self, view: View) -> tuple[ModelRequest, ModelReply, tuple[Decision, ...], str]:
        """Return the request and its answer, read; where the server has no room for it, with the oldest turns left out.

        Where it is not the turns that take the room, it is asked once more with less room to think; where the answer
        has not the form asked for, or is none, while the model was told not to think, without that.
        """
        request, spent = self._request(view, self.form), ModelReply("")
        while True:
            try:
                reply = self._answer(request)
                reply = replace(reply, tokens=added(spent.tokens, reply.tokens))
                plays, problem = self._judged(view, request, reply)
                if not (self._loose and self._adapter.free()):
                    return request, reply, plays, problem
                spent = reply
            except ServerError as error:
                keep_in(error, spent)
                spent = replace(spent, tokens=error.tokens)
                if error.kind == "context":
                    messages = self._shorter(view, request.messages)
                    if messages != request.messages:
                        turns = "only the last turn is" if self._turns == 1 else f"the last {self._turns} turns are"
                        view.live.publish(f"the prompt was too long for {self.model}: {turns} sent from here on")
                        request = replace(request, messages=messages)
                    elif not self._adapter.squeeze():
                        raise
                elif error.kind == "eyes" and self.shown != "figures":
                    view.live.publish(self.see_nothing())
                    request = replace(request, messages=self._messages(view))
                elif not (error.kind == "empty" and self._adapter.free()):
                    raise
            request = replace(request, max_tokens=self._adapter.limit)  # it may have got room to think meanwhile

    def _shorter(self, view: View, messages: Messages) -> Messages:
        """Return the messages with half the turns, or fewer; the same if it is not they that take the room."""
        before = self._turns
        # A conversation shows those of earlier rounds, too.
        shown = before or view.style.history_window or (view.round - 1) * view.rules.turns_per_round + view.turn
        while shown > 1:
            self._turns = shown = shown // 2
            shorter = self._messages(view)
            if shorter != messages:
                return shorter
        self._turns = before
        return messages

    def _messages(self, view: View) -> Messages:
        form, style = self.form, view.style
        if self._turns:
            style = replace(style, history_window=min(self._turns, style.history_window or self._turns))
        told = self._dialogue.messages(replace(view, style=style), form.this_turn(view), self.shown)
        if self.shown == "figures":
            return instructed(told, form.instructions(view))
        about = legend(view, figures=self.shown == "both")
        *others, last = instructed(told, "\n\n".join(filter(None, (about, form.instructions(view)))))
        return [*others, self.pictured(last, picture(view, self._pixels))]

    @property
    def adapted(self) -> tuple[str, ...]:
        """What requests leave out, rename or add here; pictures only where the option `view` asks for them."""
        return tuple(each for each in super().adapted if self._view != "figures" or each != BLIND.told())

    @property
    def shown(self) -> Shown:
        """How the model is shown the arena: as the option `view` says, by figures once it is known to see nothing."""
        return "figures" if self._adapter.blind else self._view

    def see_nothing(self) -> str:
        """Send figures from now on to a model that takes no pictures; return the sentence that says so."""
        self._adapter.put_out()
        return f"{self.model} takes no pictures: it is sent figures, as with view=figures"

    def pictured(self, message: Mapping[str, Any], picture: str) -> dict[str, Any]:
        """Return a message with a picture, a PNG in base64, as its server takes it; here in OpenAI's way."""
        image = {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{picture}"}}
        return {**message, "content": [{"type": "text", "text": message["content"]}, image]}

    def _request(self, view: View, form: ReplyFormat, messages: Messages | None = None) -> ModelRequest:
        seed = view.rng.getrandbits(31)
        if not self.model:
            self._doubt(lambda path, body=None: self.server.fetch(path, body, live=view.live))
        longest = self._max_tokens(view.live.publish, form)
        messages = messages or self._messages(view)
        schema = form.schema(view) if self.patterns else portable_schema(form.schema(view))
        grammar = form.grammar(view) if self.patterns else ""
        return ModelRequest(messages, schema, grammar, longest, seed, view.live, self.server.redact)

    def _max_tokens(self, say: Callable[[str], None], form: ReplyFormat) -> int:
        longest = self._longest if form is self.form else 0
        return self._adapter.ready(longest or form.max_tokens, say, self.thinks)

    def _answer(self, request: ModelRequest) -> ModelReply:
        """Return the answer to a request without its thought; raise BrainError if it is empty or was cut off."""
        request, reply = self._with_room(request)
        thought = reply.thinking.strip()
        if not (reply.text or reply.cut or reply.refusal) and json_object(thought) is not None:
            # Some servers hold the thought to the answer's form.
            reply = replace(reply, text=thought, thinking="", raw=reply.thinking)
        if not reply.text:  # a thought in words is never read as a command
            raise self.silent(reply)
        if reply.cut and not isinstance(self.form, ButtonFormat) and not self._whole(reply.text):
            raise self.failed(too_long(self.model, request.max_tokens), reply)  # what is left of C170 may be C17
        return reply

    def _with_room(self, request: ModelRequest) -> tuple[ModelRequest, ModelReply]:
        """Return request and answer; where a thought has taken what was meant for the answer, those with more room."""
        first = self._separated(request)
        thought = bool(first.thinking)
        lost = thought and not self._whole(first.text) if first.text else thought or not first.raw  # not mere blanks
        if not (thought or (first.cut and lost)) or not self._adapter.give_room():
            return request, first
        if not (first.cut and lost):
            self._adapter.worked()
            return request, first
        longer = replace(request, max_tokens=self._adapter.limit)
        try:
            reply = self._separated(longer)
        except BrainError as error:
            keep_in(error, first)
            raise
        return longer, replace(reply, tokens=added(first.tokens, reply.tokens))

    def _separated(self, request: ModelRequest) -> ModelReply:
        """Return the answer without its thought; one cut off before its text where OpenAI makes an error of that."""
        try:
            reply = self.ask(request)
        except ServerError as error:
            if error.kind != "cut":
                raise
            return ModelReply("", error.thought, error.tokens, cut=True)
        text = getattr(reply, "text", None)
        if not isinstance(reply, ModelReply) or not isinstance(text, str):
            returned = f"one whose text is {of_kind(text)}" if isinstance(reply, ModelReply) else of_kind(reply)
            place = place_of_code(method_of(self, "ask"))
            raise BrainError(f"ask must return a ModelReply with a text, not {returned}{place}")
        return separated(reply, self.server.redact)

    def _whole(self, text: str) -> bool:
        """Return whether a text that was cut off can be read all the same, as the start of an object can."""
        return is_json(text) or (isinstance(self.form, ToolCallFormat) and unwrap(text).startswith("{"))

    def _repaired(
        self, view: View, request: ModelRequest, reply: ModelReply, problem: str
    ) -> tuple[ModelReply, tuple[Decision, ...], str]:
        """Return the answer to the same request with what was wrong, its plays, and what is wrong with it."""
        refused = {"role": "user", "content": f"Refused: {problem}. Answer again, with ONLY {self.form.only}."}
        messages = [*request.messages, {"role": "assistant", "content": reply.text[:QUOTED]}, refused]
        if self._loose:
            self._adapter.loosen(reply.text)
        again = replace(request, messages=messages, seed=view.rng.getrandbits(31))
        try:
            second = self._answer(again)
        except BrainError as error:
            if getattr(error, "kind", "") == "context":  # there is no room to say what was wrong
                return reply, (), problem
            keep_in(error, reply)
            raise
        second = replace(second, tokens=added(reply.tokens, second.tokens))
        return second, *self._judged(view, again, second)
