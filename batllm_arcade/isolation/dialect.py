"""The line protocol of bots: its messages and dialect."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Union

from batllm_arcade.brains.protocol import Decision, PayloadStyle, View
from batllm_arcade.core.model import DECIMALS, SEATS
from batllm_arcade.errors import quoted
from batllm_arcade.prompts.payload import bot_figures, payload_messages

# -- The messages of the line protocol, version 1: what a bot is told, and what it may say; pure

PROTOCOL = 1
LINE_LIMIT = 64 * 1024
"""Bytes of the longest line, its end not counted."""


@dataclass(frozen=True, slots=True)
class Ready:
    """The bot can play; what it calls itself, its `version` and its `model`, "" for what it does not say."""

    name: str = ""
    version: str = ""
    model: str = ""


@dataclass(frozen=True, slots=True)
class BotAnswer:
    """A bot's `play`, the answer to the `decide` with this id; `values` is all that it said."""

    id: int
    command: str | None
    thought: str = ""
    say: str = ""
    values: Mapping[str, Any] = field(default_factory=dict, compare=False)


@dataclass(frozen=True, slots=True)
class PartialText:
    """What the bot thinks so far about the `decide` with this id."""

    id: int
    text: str


@dataclass(frozen=True, slots=True)
class Garbage:
    """Something that breaks the protocol; `problem` says what, after "garbage: "; `fatal`: it cannot go on."""

    problem: str
    fatal: bool = False


@dataclass(frozen=True, slots=True)
class LogLine:
    """A line that is no message, such as a bot's own print."""

    line: bytes


@dataclass(frozen=True, slots=True)
class OtherMessage:
    """A message of a type that is not the protocol's; our own host for Python bots has some."""

    type: str
    values: Mapping[str, Any] = field(compare=False)


BotMessage = Union[Ready, BotAnswer, PartialText, Garbage, LogLine, OtherMessage]


def read_line(line: bytes) -> BotMessage:
    """Return what a bot said with a line; never raise."""
    if not line.lstrip().startswith(b"{"):
        return LogLine(line) if _is_utf8(line) else Garbage("a line that is no UTF-8")
    try:
        values = json.loads(line)
    except UnicodeDecodeError:
        return Garbage("a line that is no UTF-8")
    except (ValueError, RecursionError):  # no JSON, an enormous number, nested without end
        return LogLine(line)
    kind = values.get("type")
    if kind == "play":
        return _answer(values)
    if kind == "partial":
        number, text = values.get("id"), values.get("text")
        good = type(number) is int and isinstance(text, str)
        return PartialText(number, text) if good else OtherMessage(kind, values)
    if kind == "ready":
        return _ready(values)
    return OtherMessage(kind if isinstance(kind, str) else "", values)


def _ready(values: Mapping[str, Any]) -> Ready | Garbage:
    version = values.get("protocol")
    if version is not None and (type(version) is not int or version != PROTOCOL):
        return Garbage(
            f"its ready names version {quoted(version)} of the line protocol, and this program speaks {PROTOCOL}"
        )
    return Ready(_text(values.get("name")), _text(values.get("version")), _text(values.get("model")))


def _answer(values: Mapping[str, Any]) -> BotAnswer | Garbage:
    number, command = values.get("id"), values.get("command")
    if type(number) is not int:
        return Garbage("a play without the number of its decide")
    if "command" not in values:
        others = [quoted(key) for key in values if key not in ("type", "id")]
        has = f"it has {', '.join(others[:5])}" if others else "null is to do nothing on purpose"
        return Garbage(f"a play with neither a command nor null as its 'command'; {has}")
    if command is not None and not isinstance(command, str):
        return Garbage("a play whose command is no text")
    thought, say = values.get("thought"), values.get("say")
    for name, text in (("thought", thought), ("say", say)):
        if text is not None and not isinstance(text, str):
            return Garbage(f"a play whose {name} is no text")
    return BotAnswer(number, command, thought or "", say or "", values)


def _text(value: object) -> str:
    return value[:300] if isinstance(value, str) else ""


def _is_utf8(line: bytes) -> bool:
    try:
        line.decode()
    except UnicodeDecodeError:
        return False
    return True


def write_line(kind: str, values: Mapping[str, Any], raw: Mapping[str, str] | None = None) -> bytes:
    """Return a message to a bot as a line; the values of `raw` are JSON already."""
    text = json.dumps({"type": kind, **values}, separators=(",", ":"))
    for key, value in (raw or {}).items():
        text = f'{text[:-1]},"{key}":{value}}}'
    return text.encode("ascii") + b"\n"


# -- What is written to a bot of any language, and how its answers are read: the line protocol's

STYLE = PayloadStyle(decimals=DECIMALS, arena_const=True, sensors=True)
"""How a play is told to a bot: the payload's body, augmented, at full precision, with sensors, in the match's mode."""

MOST_TURNS = 200
"""Finished turns that are told at most; some hundred fill a line."""
LONGEST_PROMPT = 4000
"""Characters of a prompt that are told where the whole does not fit into a line."""


class Dialect:
    """The line protocol; one per brain, `reset` when its process is started."""

    line_limit = LINE_LIMIT

    def reset(self) -> None:
        """Forget what the process was told: another one is there."""
        self._game = 0

    def hello(self, seat: str, options: Mapping[str, str]) -> bytes:
        """Return the greeting, which is answered with `ready`."""
        return write_line("hello", {"protocol": PROTOCOL, "seat": seat, "options": dict(options)})

    def problem(self, message: OtherMessage) -> str:
        """Return why the bot cannot play if this message says so, else ""."""
        return ""

    def progress(self, message: OtherMessage) -> str:
        """Return what the bot says it is doing until it is ready, "" for any other message."""
        return ""

    def question(self, number: int, view: View, budget_ms: int | None) -> bytes:
        """Return the lines that ask for a play: a new game's first, where it is one."""
        lines = b""
        if view.game != self._game:
            self._game = view.game
            lines = self._new_game(view)
        return lines + self._decide(number, view, budget_ms)

    def _new_game(self, view: View) -> bytes:
        charged = view.rules.battery > 0
        mine, theirs = (bot_figures(view.initial.bot(bot), DECIMALS, charged) for bot in (view.seat, 1 - view.seat))
        start = {"self": mine, "opp": theirs}
        return write_line(
            "game", {"game": view.game, "seed": view.stream, "rules": asdict(view.rules), "initial_state": start}
        )

    def _decide(self, number: int, view: View, budget_ms: int | None) -> bytes:
        shown, prompts = min(len(view.history), MOST_TURNS), view.prompts
        while True:
            style = replace(STYLE, mode=view.style.mode, history_window=shown)
            body = payload_messages(replace(view, style=style, prompts=prompts))[-1]["content"]
            line = write_line("decide", {"id": number, "budget_ms": budget_ms}, {"view": body})
            excess = len(line) - self.line_limit - 1
            if excess <= 0:
                return line
            if shown <= 1:  # only prompts of tens of thousands of characters get here
                prompts = (prompts[0][:LONGEST_PROMPT], prompts[1][:LONGEST_PROMPT])
            # The oldest turns are left out, which `history_omitted` says.
            shown = max(1, shown - 1 - excess * shown // len(line)) if shown else 0

    def given_up(self) -> None:
        """Note that a question got no answer."""

    def decision(self, answer: BotAnswer, view: View) -> Decision:
        """Return what a bot's answer means; raise BrainError if it is an error."""
        return Decision(answer.command or "", answer.command, answer.thought, answer.say)

    def sit(self, seat: str) -> bool:
        """Speak for another seat from now on; return False where the process would have to be started for it."""
        return False

    def result(self, result: Mapping[str, Any]) -> bytes:
        """Return the line that tells how a game has ended; the next play is of another, whatever its number."""
        self._game = 0
        winner = result.get("winner")
        outcome = "draw" if winner is None else "won" if winner == result.get("bot") else "lost"
        told = {"game": result.get("game"), "winner": winner, "reason": result.get("reason"), "outcome": outcome}
        return write_line("result", {"result": told})


def seat_name(seat: str) -> str:
    """Return the seat as a bot is told it: the left one where none is known (a check without a match)."""
    return seat or SEATS[0]
