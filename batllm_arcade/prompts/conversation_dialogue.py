"""The conversation format as a brain uses it: what to send for a view, and what became of each answer."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from batllm_arcade.brains.protocol import Decision, PastTurn, View
from batllm_arcade.core.model import Arena
from batllm_arcade.core.rules import read_command, step
from batllm_arcade.prompts.conversation import Content, Message, Rendering, array, chat
from batllm_arcade.prompts.conversation_log import (
    Conversation,
    RoundFacts,
    contents,
    failed,
    past_contents,
    userid,
    without_surrogates,
)
from batllm_arcade.prompts.formats import ReplyFormat
from batllm_arcade.prompts.thoughts import split
from batllm_arcade.prompts.tool_calls import ToolCallFormat

ROOM = 13_000
"""Characters sent at most: they fit a context of 8192 tokens at 1.8 a token, as small models read figures."""

EXACT_LIMIT = 2000
"""Characters of an answer kept for sending it again exactly as the model wrote it, apart from its thought."""

REASONING_LIMIT = 400
"""Characters of the reasoning, or of the thought, that are sent again with an answer."""

LATE = "it came too late, or there was none"


class ConversationDialogue:
    """A brain's side of the conversation format: what is sent for a view, and what became of the answer.

    `now()` returns the time, ISO 8601. `reply` names the form of the answers if it is not a tool call: a chat
    shows a `token` as such and any other as the model wrote it. The array only grows within a game,
    so a server can reuse what it has read. Once it outgrows `ROOM`, the oldest turns are left out, many at
    once, so that this happens rarely; `payload.history_window` does so at every play.
    """

    def __init__(
        self, now: Callable[[], str], rendering: Rendering = "array", reply: str = "", form: ReplyFormat | None = None
    ) -> None:
        self.rendering: Rendering = rendering
        self.form: ReplyFormat = form or ToolCallFormat()
        self._now, self._reply = now, reply
        self._conversation = Conversation()
        self._exact: dict[int, str] = {}
        self._said: dict[int, str] = {}
        """By index: what was sent at the end of a state about its very turn."""
        self._at = (0, 0, 0)
        self._asked: View | None = None
        self._oldest = 0
        self._answered = self._claimed = 0
        """`_answered`: the last turn with an answer; `_claimed`: the same until the match has taken it, else 0."""

    @property
    def array(self) -> list[Message]:
        """Return the conversation of the game so far."""
        return self._conversation.messages

    def messages(self, view: View, this_turn: str = "") -> list[dict[str, str]]:
        """Return what to send for this view, contents as text; repeated calls return the same.

        The last message, the state, ends with `this_turn`, and keeps it when it is sent again with later plays, so
        that a server can reuse everything it has read. It is not part of the conversation itself (`array`).
        """
        self._catch_up(view)
        now, window = self.array[-1]["turn"], view.style.history_window
        if this_turn:
            self._said[self.array[-1]["index"]] = this_turn
        if window:
            return self._rendered(view, max(now - window, now - view.turn + 1))
        sent = self._rendered(view, self._oldest)
        if _length(sent) > ROOM:
            while _length(sent) > ROOM // 2 and self._oldest < now:
                self._oldest += 1
                sent = self._rendered(view, self._oldest)
        return sent

    def _rendered(self, view: View, oldest: int) -> list[dict[str, str]]:
        """Return the messages from turn `oldest` on, as they are sent."""
        own, said = userid(view.seat), self._said
        shown = [_with_text(each, said.get(each["index"], "")) for each in _within(self.array, view, oldest)]
        if self.rendering == "chat":
            exact = self._exact if self._reply not in ("", "token") else {}
            return chat(shown, own, "token" if self._reply else "object", exact)
        sent = [{"role": "user", "content": array([{**each, "index": n} for n, each in enumerate(shown)])}]
        intro = f"The user message is the conversation so far, a JSON array; you are the assistant of {own}."
        return [{"role": "system", "content": intro}, *sent] if view.style.aug else sent

    def answered(self, view: View, decision: Decision) -> None:
        """Add the brain's decision for this view, also one that was queued or invalid."""
        self._catch_up(view)
        cmd = "ERR" if decision.invalid else read_command(decision.command, view.rules).token
        meant = decision.command is None and not decision.invalid
        calls = contents(cmd, decision.raw, decision.say, decision.thought, meant=meant)
        self._conversation.answer(_facts(view), self._time(), view.turn, [_short(call) for call in calls])
        self._exact[len(self.array) - 1] = without_surrogates(split(decision.raw)[1][:EXACT_LIMIT])
        self._answered = view.turn
        self._claimed = 0 if cmd == "ERR" else view.turn

    def _time(self) -> str:
        now = self._now()
        before = str(self.array[-1]["timestamp"]) if self.array else now
        return max(now, before)  # timestamps must not go back when the clock is set back

    def _catch_up(self, view: View) -> None:
        facts, at = _facts(view), (view.game, view.round, view.turn)
        if at < self._at or view.game != self._at[0]:
            self._conversation, self._exact, self._said = Conversation(), {}, {}
            self._oldest = 0
            self._at = (view.game, 0, 0)
        _, number, asked = self._at
        if view.round != number:
            if number:
                self._close_round(number, asked)
            asked = self._answered = self._claimed = 0
            self._conversation.begin(facts, self._time())
        self._finished_turns(view, facts, asked)
        if asked < view.turn:
            self._conversation.state(facts, self._time(), view.turn, view.arena, _last(view.history))
        self._at, self._asked = at, view

    def _close_round(self, number: int, asked: int) -> None:
        """Close a round, first adding the failure of its last question, which no later history shows."""
        last = self._asked
        dropped = last is not None and self._claimed == asked and last.live.cancelled
        if last is not None and (asked > self._answered or dropped):
            self._conversation.no_answer(_facts(last), self._time(), asked, LATE)
        self._conversation.finish(number, self._time())

    def _finished_turns(self, view: View, facts: RoundFacts, asked: int) -> None:
        """Add this round's turns in which the model was not asked: queued button presses, another brain's plays."""
        for position, past in enumerate(view.history):
            earlier = view.history[:position]
            if past.turn > asked:
                arena = _arena_before(view, past, earlier)
                self._conversation.state(facts, self._time(), past.turn, arena, _last(earlier))
            if past.turn > self._answered or (past.turn == self._claimed and _failed(past, facts.seat)):
                self._add_answer(facts, past)
                self._answered = past.turn
        self._claimed = 0

    def _add_answer(self, facts: RoundFacts, past: PastTurn) -> None:
        for play in past.plays:
            if play.bot == facts.seat:
                if _failed(past, facts.seat):
                    self._conversation.no_answer(facts, self._time(), past.turn, LATE)
                else:
                    calls = [_short(call) for call in past_contents(play)]
                    self._conversation.answer(facts, self._time(), past.turn, calls)


def _short(call: Content) -> Content:
    """Return a tool call with the beginning of its reasoning: a model's whole thought would push the match out."""
    reasoning = call.get("reasoning", "")
    return call if len(reasoning) <= REASONING_LIMIT else {**call, "reasoning": f"{reasoning[:REASONING_LIMIT]}..."}


def _facts(view: View) -> RoundFacts:
    style = view.style
    return RoundFacts(
        view.seat, view.rules, view.round, view.acting_order[0] == view.seat, style.aug, style.mode == "shared",
        view.prompts, view.system_header, style.decimals,
    )  # fmt: skip


def _with_text(state: Message, this_turn: str) -> Message:
    """Return the message with the state and what was said about its very turn ("" for nothing)."""
    if not this_turn:
        return state
    content = state["content"]
    return {**state, "content": {**content, "text": f"{content['text']} THIS TURN: {this_turn}"}}


def _length(messages: list[dict[str, str]]) -> int:
    return sum(len(each["content"]) for each in messages)


def _failed(past: PastTurn, seat: int) -> bool:
    return any(play.bot == seat and failed(play) for play in past.plays)


def _last(history: Sequence[PastTurn]) -> PastTurn | None:
    return history[-1] if history else None


def _arena_before(view: View, past: PastTurn, earlier: Sequence[PastTurn]) -> Arena:
    """Return the state the seat saw in a finished turn: the other's play is included if it came first."""
    arena = earlier[-1].after if earlier else view.initial
    for play in past.plays:
        if play.bot == view.seat:
            break
        arena, _ = step(arena, play.bot, read_command(play.cmd, view.rules), view.rules)
    return arena


def _within(messages: list[Message], view: View, oldest: int) -> list[Message]:
    """Return the messages from turn `oldest` on, with the headers and this round's prompts."""
    begins = (view.round - 1) * view.rules.turns_per_round + 1
    prompts = [{"userid": userid(seat), "text": view.prompts[seat]} for seat in (0, 1)]
    return [
        each
        for each in messages
        if each["turn"] >= oldest or each["role"] == "system" or (each["turn"] == begins and each["content"] in prompts)
    ]
