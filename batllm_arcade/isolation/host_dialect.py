"""The line protocol as our own host for Python bots speaks it: a whole `View` there, a whole `Decision` back.

`plugin/bot_host.py` is the other end. What does not change from play to play is sent once.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, fields, replace
from operator import attrgetter
from random import Random
from typing import Any

from batllm_arcade.brains.live import Cancelled, Live
from batllm_arcade.brains.options import Gamepad, PayloadStyle
from batllm_arcade.brains.protocol import BrainError, Decision, PastPlay, PastTurn, Spec, View
from batllm_arcade.core.model import Arena, BotState, Rules
from batllm_arcade.core.streams import TAMPERED, resumed, state_of
from batllm_arcade.isolation import random_state
from batllm_arcade.isolation.dialect import Dialect
from batllm_arcade.isolation.messages import PROTOCOL, BotAnswer, OtherMessage, write_line

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
            values["rng"], self._stream = random_state.pack(state, random_state.named(view.stream)), state
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
                self._stream = random_state.unpack(values["rng"], self._stream)
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
            self._before = random_state.unpack(message["rng"], random_state.named(known["stream"]))
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
            values["rng"] = random_state.pack(state, self._before)
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
