"""Conversations as they grow: one bot's array in one game, and the dialogue a brain leads from its views."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from batllm_arcade.brains.protocol import Decision, PastPlay, PastTurn, View
from batllm_arcade.core.commands import parse
from batllm_arcade.core.model import SEATS, Arena, Rules
from batllm_arcade.core.rules import step
from batllm_arcade.prompts.conversation import (
    FINISH,
    PLAY,
    POST,
    Content,
    Message,
    Rendering,
    array,
    chat,
    message,
    tool,
)
from batllm_arcade.prompts.payload import bot_figures, sensor_readings
from batllm_arcade.prompts.tool_calls import ToolCallFormat, read_answer

RAW_LIMIT = 200
"""Characters of an answer that was no command which the conversation keeps."""

ROOM = 13_000
"""Characters sent at most: they fit a context of 8192 tokens at 1.8 a token, as small models read figures."""

EXACT_LIMIT = 2000
"""Characters of an answer that are shown again where it is shown as it was written."""

LATE = "it came too late, or there was none"


def userid(seat: int) -> str:
    """The user id of a seat's player."""
    return f"<@{SEATS[seat]}>"


@dataclass(frozen=True, slots=True)
class RoundFacts:
    """What one bot's conversation needs to know about a round; `first` is whether that bot acts first."""

    seat: int
    rules: Rules
    round: int
    first: bool
    augmented: bool
    shared: bool
    prompts: tuple[str, str]
    header: str
    decimals: int = 1

    def shared_turn(self, turn: int) -> int:
        """The turn of this round, counted through the game."""
        return (self.round - 1) * self.rules.turns_per_round + turn


class Conversation:
    """One bot's array of one game; whoever holds it says when things happened (ISO 8601)."""

    def __init__(self) -> None:
        self.messages: list[Message] = []
        self._header = ""

    def begin(self, facts: RoundFacts, timestamp: str, turn: int = 1) -> None:
        """A round is about to begin: the header where it is new, then the players' prompts."""
        if facts.header != self._header:
            self.header(facts, timestamp, turn)
        for seat in (facts.seat, 1 - facts.seat) if facts.shared else (facts.seat,):
            if facts.prompts[seat]:
                said = {"userid": userid(seat), "text": facts.prompts[seat]}
                self._add(facts.shared_turn(turn), timestamp, "user", said)

    def header(self, facts: RoundFacts, timestamp: str, turn: int) -> None:
        """The header, at the start or again before this turn of the round; nothing where there is none."""
        self._header = facts.header
        if facts.header:
            self._add(facts.shared_turn(turn) if self.messages else 0, timestamp, "system", facts.header)

    def state(self, facts: RoundFacts, timestamp: str, turn: int, arena: Arena, last: PastTurn | None) -> None:
        """What the bot is told before it acts in this turn; `last` is the last finished turn of the round."""
        said = {"userid": userid(facts.seat), "text": state_text(facts, turn, arena, last)}
        self._add(facts.shared_turn(turn), timestamp, "user", said)

    def answer(self, facts: RoundFacts, timestamp: str, turn: int, contents: Sequence[Content]) -> None:
        """What the bot answered in this turn."""
        for content in contents:
            self._add(facts.shared_turn(turn), timestamp, "assistant", content)

    def no_answer(self, facts: RoundFacts, timestamp: str, turn: int, reason: str) -> None:
        """That there was no answer: a failure is never shown as something the assistant said."""
        said = {"userid": userid(facts.seat), "text": f"No answer ({reason}): nothing was done."}
        self._add(facts.shared_turn(turn), timestamp, "user", said)

    def finish(self, round_number: int, timestamp: str, turn: int = 0) -> None:
        """The program closes a round; `turn` is the shared turn it ended in, where this bot did not act in that."""
        if self.messages:
            content = tool(FINISH, f"Round {round_number} is over.")
            self._add(max(turn, self.messages[-1]["turn"]), timestamp, "assistant", content)

    def _add(self, turn: int, timestamp: str, role: str, content: str | Content) -> None:
        if isinstance(content, str):
            content = _sound(content)
        else:
            content = {key: _sound(value) if isinstance(value, str) else value for key, value in content.items()}
        self.messages.append(message(len(self.messages), turn, timestamp, role, content))


def _sound(text: str) -> str:
    """The text without half characters: a server refuses a whole conversation for one of them."""
    return re.sub("[\ud800-\udfff]", "\ufffd", text)


def contents(cmd: str, raw: str, say: str = "", thought: str = "", *, meant: bool = False) -> list[Content]:
    """An answer as the assistant's tool calls; `cmd` is the token that was played, `ERR` for none (or `meant` so)."""
    spoken = [tool(POST, thought, text=say)] if say else []
    if cmd == "ERR":
        if spoken:
            return spoken
        cmd = cmd if meant else (read_answer(raw).command or raw)[:RAW_LIMIT] or "ERR"
    return [*spoken, tool(PLAY, thought, command=cmd)]


def past_contents(play: PastPlay) -> list[Content]:
    """The same for a play of a finished turn; what it thought is known where its exact text tells."""
    return contents(play.cmd, play.raw, play.say, read_answer(play.raw).reasoning)


def state_text(facts: RoundFacts, turn: int, arena: Arena, last: PastTurn | None) -> str:
    """One line that a small model reads well and few tokens say: counters, both bots, the last turn's commands."""
    rules, order = facts.rules, "first" if facts.first else "second"
    parts = [f"Round {facts.round} of {rules.total_rounds}, turn {turn} of {rules.turns_per_round}, you act {order}."]
    if facts.augmented:
        seen = sensor_readings(arena, facts.seat, rules, facts.decimals)
        seen.pop("ready", None)  # said with the charge
        opponent = ", ".join((_bot(facts, arena, 1 - facts.seat), *(f"{key} {value}" for key, value in seen.items())))
        parts.append(f"You: {_bot(facts, arena, facts.seat)}. Opponent: {opponent}.")
    if last is not None:
        parts += _last_turn(facts, last)
    return " ".join(parts)


def _bot(facts: RoundFacts, arena: Arena, bot: int) -> str:
    figures = bot_figures(arena.bot(bot), facts.decimals)
    shield = "up" if figures.pop("shield") else "down"
    words = [*(f"{key} {value}" for key, value in figures.items()), f"shield {shield}"]
    if facts.rules.battery:
        charge = arena.bot(bot).charge
        words += [f"charge {charge}", "ready" if charge >= facts.rules.shot_charge else "not ready"]
    return ", ".join(words)


def _last_turn(facts: RoundFacts, last: PastTurn) -> list[str]:
    played = {play.bot: play for play in last.plays}
    mine, theirs = played.get(facts.seat), played.get(1 - facts.seat)
    done = [f"you {mine.cmd}"] if mine else []
    if not theirs or not facts.shared:
        return [f"Last turn: {', '.join(done)}."] if done else []
    told = [f"Last turn: {', '.join([*done, f'opponent {theirs.cmd}'])}."]
    return [*told, f'Opponent said: "{theirs.say}"'] if theirs.say else told


class ConversationDialogue:
    """A brain's side of the conversation format: what it is sent for a view, and what became of its answer.

    `now()` gives the time, ISO 8601. `reply` is the form of the answers where it is not that of the
    format: in a chat a `token` is shown as such and anything else as it was written. The array only
    ever grows within a game, so that a server can reuse what it has read. Where it outgrows `ROOM` what
    is sent leaves out the oldest turns, many at once, for many plays; `payload.history_window` does so
    at every play.
    """

    def __init__(self, now: Callable[[], str], rendering: Rendering = "array", reply: str = "") -> None:
        self.rendering, self.form = rendering, ToolCallFormat()
        self._now, self._reply = now, reply
        self._conversation = Conversation()
        self._exact: dict[int, str] = {}
        self._at = (0, 0, 0)
        self._asked: View | None = None
        self._oldest = 0
        self._answered = self._claimed = 0
        """The last turn with an answer; and that turn while the match may yet have dropped it."""

    @property
    def array(self) -> list[Message]:
        """The conversation of the game so far."""
        return self._conversation.messages

    def messages(self, view: View) -> list[dict[str, str]]:
        """What to send for this view, contents as text; the same view may be asked for twice."""
        self._catch_up(view)
        now, window = self.array[-1]["turn"], view.style.history_window
        if window:
            return self._rendered(view, max(now - window, now - view.turn + 1))
        sent = self._rendered(view, self._oldest)
        if _length(sent) > ROOM:
            while _length(sent) > ROOM // 2 and self._oldest < now:
                self._oldest += 1
                sent = self._rendered(view, self._oldest)
        return sent

    def _rendered(self, view: View, oldest: int) -> list[dict[str, str]]:
        """The messages from a turn on, as they are sent."""
        own, shown = userid(view.seat), _within(self.array, view, oldest)
        if self.rendering == "chat":
            exact = self._exact if self._reply not in ("", "token") else {}
            return chat(shown, own, "token" if self._reply else "object", exact)
        sent = [{"role": "user", "content": array([{**each, "index": n} for n, each in enumerate(shown)])}]
        told = f"The user message is the conversation so far, a JSON array; you are the assistant of {own}."
        return [{"role": "system", "content": told}, *sent] if view.style.aug else sent

    def answered(self, view: View, decision: Decision) -> None:
        """Take down the brain's decision for this view, also one that was queued or invalid."""
        self._catch_up(view)
        cmd = "ERR" if decision.invalid else parse(decision.command, view.rules.free_move).token
        meant = decision.command is None and not decision.invalid
        said = contents(cmd, decision.raw, decision.say, decision.thought, meant=meant)
        self._conversation.answer(_facts(view), self._time(), view.turn, said)
        self._exact[len(self.array) - 1] = _sound(decision.raw[:EXACT_LIMIT])
        self._answered = view.turn
        self._claimed = 0 if cmd == "ERR" else view.turn

    def _time(self) -> str:
        now = self._now()
        before = str(self.array[-1]["timestamp"]) if self.array else now
        return max(now, before)  # a clock that was put back must not put messages out of order

    def _catch_up(self, view: View) -> None:
        facts, at = _facts(view), (view.game, view.round, view.turn)
        if at < self._at or view.game != self._at[0]:
            self._conversation, self._exact = Conversation(), {}
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
        """Say what became of the round's last question, of which no history tells any more, and that it is over."""
        last = self._asked
        dropped = last is not None and self._claimed == asked and last.live.cancelled
        if last is not None and (asked > self._answered or dropped):
            self._conversation.no_answer(_facts(last), self._time(), asked, LATE)
        self._conversation.finish(number, self._time())

    def _finished_turns(self, view: View, facts: RoundFacts, asked: int) -> None:
        """Take down this round's turns the model was not asked in: its buttons' later presses, another brain's."""
        for position, past in enumerate(view.history):
            earlier = view.history[:position]
            if past.turn > asked:
                arena = _arena_before(view, past, earlier)
                self._conversation.state(facts, self._time(), past.turn, arena, _last(earlier))
            if past.turn > self._answered or (past.turn == self._claimed and _failed(past, facts.seat)):
                self._take(facts, past)
                self._answered = past.turn
        self._claimed = 0

    def _take(self, facts: RoundFacts, past: PastTurn) -> None:
        for play in past.plays:
            if play.bot == facts.seat:
                if _failed(past, facts.seat):
                    self._conversation.no_answer(facts, self._time(), past.turn, LATE)
                else:
                    self._conversation.answer(facts, self._time(), past.turn, past_contents(play))


def _facts(view: View) -> RoundFacts:
    style = view.style
    return RoundFacts(
        view.seat, view.rules, view.round, view.acting_order[0] == view.seat, style.aug, style.mode == "shared",
        view.prompts, view.system_header, style.decimals,
    )  # fmt: skip


def _length(messages: list[dict[str, str]]) -> int:
    return sum(len(each["content"]) for each in messages)


def _failed(past: PastTurn, seat: int) -> bool:
    return any(play.bot == seat and play.cmd == "ERR" and not play.raw for play in past.plays)


def _last(history: Sequence[PastTurn]) -> PastTurn | None:
    return history[-1] if history else None


def _arena_before(view: View, past: PastTurn, earlier: Sequence[PastTurn]) -> Arena:
    """The state the seat saw in a finished turn, the other's play in it carried out if that came first."""
    arena = earlier[-1].after if earlier else view.initial
    for play in past.plays:
        if play.bot == view.seat:
            break
        arena, _ = step(arena, play.bot, parse(play.cmd, view.rules.free_move), view.rules)
    return arena


def _within(messages: list[Message], view: View, oldest: int) -> list[Message]:
    """The messages from a turn on, with the headers and this round's prompts."""
    begins = (view.round - 1) * view.rules.turns_per_round + 1
    prompts = [{"userid": userid(seat), "text": view.prompts[seat]} for seat in (0, 1)]
    return [
        each
        for each in messages
        if each["turn"] >= oldest or each["role"] == "system" or (each["turn"] == begins and each["content"] in prompts)
    ]
