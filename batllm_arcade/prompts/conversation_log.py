"""One bot's conversation in one game, as an array of messages that grows; and what each message says."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from batllm_arcade.brains.protocol import FAILED, PastPlay, PastTurn
from batllm_arcade.core.model import SEATS, Arena, Rules
from batllm_arcade.prompts.conversation import FINISH, PLAY, POST, Content, Message, message, tool
from batllm_arcade.prompts.payload import bot_figures, sensor_readings
from batllm_arcade.prompts.thoughts import split
from batllm_arcade.prompts.tool_calls import read_answer
from batllm_arcade.prompts.unwrap import json_object

RAW_LIMIT = 200
"""Characters of an invalid answer that the conversation keeps."""


def userid(seat: int) -> str:
    """Return the userid of a seat's player."""
    return f"<@{SEATS[seat]}>"


@dataclass(frozen=True, slots=True)
class RoundFacts:
    """What one bot's conversation needs to know about a round; `first` means that this bot acts first."""

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
        """Return the number of this round's turn, counted through the game."""
        return (self.round - 1) * self.rules.turns_per_round + turn


def failed(play: PastPlay) -> bool:
    """Return whether there was no answer, or none that counts."""
    return play.status in FAILED or (not play.status and play.cmd == "ERR" and not play.raw)


class Conversation:
    """One bot's array of messages in one game; timestamps (ISO 8601) are arguments."""

    def __init__(self) -> None:
        self.messages: list[Message] = []
        self._header = ""

    def begin(self, facts: RoundFacts, timestamp: str, turn: int = 1) -> None:
        """Begin a round: add the header if it is new, then the players' prompts."""
        if facts.header != self._header:
            self.header(facts, timestamp, turn)
        for seat in (facts.seat, 1 - facts.seat) if facts.shared else (facts.seat,):
            if facts.prompts[seat]:
                content = {"userid": userid(seat), "text": facts.prompts[seat]}
                self._add(facts.shared_turn(turn), timestamp, "user", content)

    def header(self, facts: RoundFacts, timestamp: str, turn: int) -> None:
        """Add the header, at the start or again before this turn of the round; an empty one is left out."""
        self._header = facts.header
        if facts.header:
            self._add(facts.shared_turn(turn) if self.messages else 0, timestamp, "system", facts.header)

    def state(self, facts: RoundFacts, timestamp: str, turn: int, arena: Arena, last: PastTurn | None) -> None:
        """Add the state the bot sees before it acts in this turn; `last` is the last finished turn of the round."""
        content = {"userid": userid(facts.seat), "text": state_text(facts, turn, arena, last)}
        self._add(facts.shared_turn(turn), timestamp, "user", content)

    def answer(self, facts: RoundFacts, timestamp: str, turn: int, contents: Sequence[Content]) -> None:
        """Add the bot's answer in this turn."""
        for content in contents:
            self._add(facts.shared_turn(turn), timestamp, "assistant", content)

    def no_answer(self, facts: RoundFacts, timestamp: str, turn: int, reason: str) -> None:
        """Add a user message saying that there was no answer: a failure is never put into the assistant's mouth."""
        content = {"userid": userid(facts.seat), "text": f"No answer ({reason}): nothing was done."}
        self._add(facts.shared_turn(turn), timestamp, "user", content)

    def finish(self, round_number: int, timestamp: str, turn: int = 0) -> None:
        """Close a round; `turn` is the shared turn it ended in, needed if this bot did not act in it."""
        if self.messages:
            content = tool(FINISH, f"Round {round_number} is over.")
            self._add(max(turn, self.messages[-1]["turn"]), timestamp, "assistant", content)

    def _add(self, turn: int, timestamp: str, role: str, content: str | Content) -> None:
        self.messages.append(message(len(self.messages), turn, timestamp, role, _clean(content)))


def _clean(content: str | Content) -> str | Content:
    if isinstance(content, str):
        return without_surrogates(content)
    return {key: without_surrogates(value) if isinstance(value, str) else value for key, value in content.items()}


def without_surrogates(text: str) -> str:
    """Return the text with lone surrogates replaced: a server refuses a whole conversation for one of them."""
    return re.sub("[\ud800-\udfff]", "\ufffd", text)


def contents(cmd: str, raw: str, say: str = "", thought: str = "", *, meant: bool = False) -> list[Content]:
    """Return an answer as the assistant's tool calls.

    `cmd` is the token that was played, `ERR` for none; `meant` if the brain chose to do nothing.
    """
    spoken = [tool(POST, thought, text=say)] if say else []
    seen, thought = _button_texts(raw, thought)
    if cmd == "ERR":
        if spoken:
            return spoken
        cmd = cmd if meant else (read_answer(raw).command or raw)[:RAW_LIMIT] or "ERR"
    return [*spoken, tool(PLAY, thought, command=cmd, **seen)]


def _button_texts(raw: str, thought: str) -> tuple[dict[str, str], str]:
    """Return the `observations` and the exact reasoning of a JSON-only response; nothing and `thought` for others."""
    reply = json_object(split(raw)[1]) if '"button_presses"' in raw else None
    if reply is None:
        return {}, thought
    seen, why = reply.get("observations"), reply.get("reasoning")
    return {"observations": seen} if isinstance(seen, str) else {}, why if isinstance(why, str) else thought


def past_contents(play: PastPlay) -> list[Content]:
    """Return the same for a play of a finished turn, with the reasoning that its exact text contains."""
    return contents(play.cmd, play.raw, play.say, read_answer(play.raw, back_step=1).reasoning)  # of any length


def state_text(facts: RoundFacts, turn: int, arena: Arena, last: PastTurn | None) -> str:
    """Return the state in one line that costs few tokens: counters, both bots, the last turn's commands."""
    rules, order = facts.rules, "first" if facts.first else "second"
    parts = [f"Round {facts.round} of {rules.total_rounds}, turn {turn} of {rules.turns_per_round}, you act {order}."]
    if facts.augmented:
        seen = sensor_readings(arena, facts.seat, rules, facts.decimals)
        seen.pop("ready", None)  # said with the charge
        bank = seen.pop("bank", None)
        words = [f"{key} {value}" for key, value in seen.items()]
        words += [f"off a wall turn {bank['turn']} strikes its {bank['part']}"] if isinstance(bank, dict) else []
        opponent = ", ".join((_bot(facts, arena, 1 - facts.seat), *words))
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
    commands = [f"you {_done(mine)}"] if mine else []
    if not theirs or not facts.shared:
        return [f"Last turn: {', '.join(commands)}."] if commands else []
    parts = [f"Last turn: {', '.join([*commands, f'opponent {_done(theirs)}'])}."]
    return [*parts, f'Opponent said: "{theirs.say}"'] if theirs.say else parts


def _done(play: PastPlay) -> str:
    """Return what a play was: ERR, which stands for every play without a command, only where an answer was wrong."""
    if play.cmd == "ERR" and play.status == "ok":
        return "only spoke" if play.say else "did nothing"
    return play.cmd
