"""The line protocol: as bots of any language speak it, and as our own host for Python bots does."""

from __future__ import annotations

import base64
import json
import struct
from codecs import BOM_UTF8
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from operator import attrgetter
from random import Random
from typing import Any, Union

from batllm_arcade.brains.live import Cancelled, Live
from batllm_arcade.brains.protocol import BrainError, Decision, Gamepad, PastPlay, PastTurn, PayloadStyle, Spec, View
from batllm_arcade.core.model import DECIMALS, SEATS, Arena, BotState, Rules
from batllm_arcade.core.streams import TAMPERED, resumed, state_of
from batllm_arcade.errors import quoted
from batllm_arcade.prompts.payload import bot_figures, payload_messages

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
    line = line.removeprefix(BOM_UTF8)  # which .NET writes before its first
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
        version = values.get("protocol")
        if version is not None and (type(version) is not int or version != PROTOCOL):
            return Garbage(
                f"its ready names version {quoted(version)} of the line protocol, and this program speaks {PROTOCOL}"
            )
        return Ready(_text(values.get("name")), _text(values.get("version")), _text(values.get("model")))
    return OtherMessage(kind if isinstance(kind, str) else "", values)


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


# -- What is written to a bot of any language

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


# -- Where a random stream stands, in short values for JSON

State = tuple[int, tuple[int, ...], Any]
MOST_WORDS = 2**17
"""Words that are counted at most: 65,536 draws of `random()`, and some milliseconds."""
_BLOCK = 624
"""Words that the Mersenne Twister makes at once; a state holds such a block and how many of it were drawn."""
_STATE = struct.Struct(f"<{_BLOCK + 1}I")


def named(stream: str) -> Any:
    """Return the state in which the stream of this name begins."""
    return Random(stream).getstate()


def drawn(known: State, state: State) -> int | None:
    """Return how many words were drawn from one state to the other, None if there is no knowing.

    Every method of `Random` draws whole words of 32 bits (`random()` two of them), whatever the method: so the states
    alone say how many there were.
    """
    (block, place), (wanted, end) = _parts(known), _parts(state)
    if block == wanted and place <= end:  # as after most plays
        return end - place
    stream, count = resumed(known), -place
    while block != wanted:
        count += _BLOCK
        if count > MOST_WORDS:
            return None
        stream.getrandbits(32 * (_BLOCK - place + 1))  # the rest of this block, and the first word of the next
        block, place = _parts(stream.getstate())
    count += end
    return count if 0 <= count <= MOST_WORDS else None


def _parts(state: State) -> tuple[tuple[int, ...], int]:
    return state[1][:-1], state[1][-1]


def pack(state: State, known: State) -> list[Any]:
    """Return a state as the number of words drawn since `known` and what `gauss` has kept.

    Where no drawing leads from one to the other (a bot has seeded it anew), all of the state stands for the number.
    """
    count = drawn(known, state)
    return [base64.b64encode(_STATE.pack(*state[1])).decode("ascii") if count is None else count, state[2]]


def unpack(packed: Any, known: State) -> Any:
    """Return the state that was packed with the same `known`; raise ValueError if it is none."""
    try:
        words, gauss = packed
        if gauss is not None and type(gauss) is not float:
            raise ValueError(gauss)
        if type(words) is int:
            if not 0 <= words <= MOST_WORDS:
                raise ValueError(words)
            return (3, _further(known, words), gauss)
        state = (3, _STATE.unpack(base64.b64decode(words, validate=True)), gauss)
        resumed(state)
    except (TypeError, OverflowError, struct.error) as error:
        raise ValueError(str(error)) from None
    return state


def _further(known: State, words: int) -> tuple[int, ...]:
    block, place = _parts(known)
    if place + words <= _BLOCK:
        return (*block, place + words)
    stream = resumed(known)
    stream.getrandbits(32 * words)
    return tuple(stream.getstate()[1])


# -- The line protocol of our own host for Python bots

HOST_LINE = 1024 * 1024
"""Bytes of the longest line of our own host: an answer may hold 64 KiB of text, of which JSON makes more."""


FIRST = "bot"
"""Stands for the first brain that a file offers, whatever its name."""

_figures = attrgetter(*(each.name for each in fields(BotState)))
_past = attrgetter(*(each.name for each in fields(PastPlay)))
"""All fields of plain values as a tuple; `astuple` copies each of them, which takes ten times as long."""
_ANSWERED = tuple(each.name for each in fields(Decision))


class HostDialect(Dialect):
    """What is said to our own host about a brain of this spec."""

    line_limit = HOST_LINE

    def __init__(self, spec: Spec, prepare_s: float) -> None:
        self._spec, self._prepare_s = spec, prepare_s
        self.reset()

    def reset(self) -> None:
        """Forget what the process was told: another one is there."""
        super().reset()
        self._known: dict[str, Any] = {}
        self._turns: tuple[PastTurn, ...] = ()
        self._stream: Any = None

    def hello(self, seat: str, options: Mapping[str, str]) -> bytes:
        """Return the greeting, which names the brain and its variant."""
        values = {"protocol": PROTOCOL, "seat": self._spec.seat, "options": dict(options), "brain": self._spec.name}
        return write_line("hello", {**values, "variant": self._spec.variant, "prepare_s": self._prepare_s})

    def sit(self, seat: str) -> bool:
        """Speak for another seat from the next greeting on; our host makes another brain then, of what is loaded."""
        self._spec = replace(self._spec, seat=seat)
        self.reset()
        return True

    def problem(self, message: OtherMessage) -> str:
        """Return why the brain cannot play, if this says so."""
        reason = message.values.get("reason")
        return reason[:1000] or "it gave no reason" if message.type == "failed" and isinstance(reason, str) else ""

    def progress(self, message: OtherMessage) -> str:
        """Return a line of progress, if this is one."""
        text = message.values.get("text")
        return text[:300] if message.type == "progress" and isinstance(text, str) else ""

    def question(self, number: int, view: View, budget_ms: int | None) -> bytes:
        """Return the line that asks for a play."""
        values: dict[str, Any] = {"id": number, "budget_ms": budget_ms, "play": self._play(view)}
        steady = {
            "seat": view.seat, "rules": view.rules, "style": view.style, "stream": view.stream, "gamepad": view.gamepad,
            "prompts": view.prompts, "header": view.system_header, "game": view.game, "initial": view.initial,
            "round": view.round, "order": view.acting_order,
        }  # fmt: skip
        if changed := {key: value for key, value in steady.items() if _differs(self._known.get(key), value)}:
            values["setup"] = {key: _values(value) for key, value in changed.items()}
            self._known.update(changed)
        told = len(self._turns)
        if told and (len(view.history) < told or view.history[told - 1] is not self._turns[-1]):
            told = 0
        values["from"], values["turns"] = told, [_packed_turn(turn) for turn in view.history[told:]]
        self._turns = view.history
        state = state_of(view.rng)
        if state is not None and state != self._stream:
            values["rng"], self._stream = pack(state, named(view.stream)), state
        return write_line("decide", values)

    @staticmethod
    def _play(view: View) -> list[Any]:
        return [view.turn, view.number, _packed(view.arena)]

    def given_up(self) -> None:
        """Note that a question got no answer: where the brain has left its stream is not known."""
        self._stream = None

    def decision(self, answer: BotAnswer, view: View) -> Decision:
        """Return the brain's decision, with its stream where the brain has left it.

        Raise BrainError with the brain's own reason where there is none, Cancelled if it gave up.
        """
        values = answer.values
        if values.get("rng") is not None:
            try:
                self._stream = unpack(values["rng"], self._stream)
            except ValueError:
                self._stream = None
                raise BrainError(TAMPERED) from None
            view.rng.setstate(self._stream)
        if values.get("gave_up"):
            raise Cancelled
        raw = values.get("raw")
        if values.get("error") is not None:
            raise BrainError(str(values["error"])[:4000], raw=raw if isinstance(raw, str) else "")
        extra = {key: values.get(key) for key in ("tokens", "queued_from", "raw_cut")}
        invalid = values.get("invalid") or ""
        return Decision(
            raw if isinstance(raw, str) else "", answer.command, answer.thought, answer.say, **extra, invalid=invalid
        )

    def result(self, result: Mapping[str, Any]) -> bytes:
        """Return the line that tells how a game has ended, as a brain inside the program is told."""
        return write_line("result", {"result": dict(result)})


class ViewReader:
    """The other end: makes views of the lines that ask for a play, and the lines of the answers."""

    def __init__(self) -> None:
        self._known: dict[str, Any] = {}
        self._turns: tuple[PastTurn, ...] = ()
        self._before: Any = Random(0).getstate()  # the stream's state, as it is before the play

    def view(self, message: Mapping[str, Any], live: Live) -> View:
        """Return the view that a `decide` asks for."""
        self._known.update(message.get("setup", {}))
        known, (turn, number, arena) = self._known, message["play"]
        for key, made in (("rules", _rules), ("style", PayloadStyle), ("gamepad", Gamepad)):
            if isinstance(known[key], dict):
                known[key] = made(**known[key])
        self._turns = (*self._turns[: message["from"]], *map(_turn, message["turns"]))
        if "rng" in message:
            self._before = unpack(message["rng"], named(known["stream"]))
        stream = resumed(self._before)  # anew for every play: the brain may break what it is given
        prompts, order = known["prompts"], known["order"]
        return View(
            seat=known["seat"], rules=known["rules"], game=known["game"], round=known["round"], turn=turn,
            number=number, acting_order=(order[0], order[1]), prompts=(prompts[0], prompts[1]), arena=_arena(arena),
            initial=_arena(known["initial"]), history=self._turns, system_header=known["header"], style=known["style"],
            gamepad=known["gamepad"], rng=stream, stream=known["stream"], live=live,
        )  # fmt: skip

    def answer(self, number: int, view: View, decision: Decision | None, problem: str) -> dict[str, Any]:
        """Return the values of the line that answers: a decision, or why there is none."""
        values: dict[str, Any] = {"id": number, "command": None}
        if problem:
            values |= {"error": problem, "raw": decision.raw if decision is not None else ""}
        elif decision is None:
            values["gave_up"] = True
        else:
            given = ((key, getattr(decision, key)) for key in _ANSWERED)
            values |= {key: value for key, value in given if value not in (None, "")}
        state = state_of(view.rng)
        if state is None:
            values |= {"rng": False} if not problem and decision is not None else {}
        elif state != self._before:
            values["rng"] = pack(state, self._before)
            self._before = state
        return values


def _differs(known: Any, value: Any) -> bool:
    return known is not value and known != value  # the same object mostly, which takes no comparing of its fields


def _values(value: Any) -> Any:
    if isinstance(value, Arena):
        return _packed(value)
    return asdict(value) if isinstance(value, (Rules, PayloadStyle, Gamepad)) else value


def _rules(bullet_damage: list[float], initial_health: list[float], **figures: Any) -> Rules:
    damage, health = (bullet_damage[0], bullet_damage[1]), (initial_health[0], initial_health[1])
    return Rules(bullet_damage=damage, initial_health=health, **figures)


def _packed(arena: Arena) -> list[Any]:
    return [_figures(arena.left), _figures(arena.right)]


def _arena(packed: Any) -> Arena:
    left, right = packed
    return Arena(BotState(*left), BotState(*right))


def _packed_turn(turn: PastTurn) -> list[Any]:
    return [turn.turn, [_past(play) for play in turn.plays], _packed(turn.after)]


def _turn(packed: Any) -> PastTurn:
    turn, plays, after = packed
    return PastTurn(turn, tuple(PastPlay(*play) for play in plays), _arena(after))
