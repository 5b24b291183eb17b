"""Reading a session file or its journal into typed records; whatever a file holds, the error is one sentence."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from batllm_arcade.brains import Decision, SeatInfo
from batllm_arcade.core.model import Arena, BotState, Rules, RulesError, rules_from
from batllm_arcade.core.rules import Result
from batllm_arcade.errors import UsageError, quoted
from batllm_arcade.history import layout
from batllm_arcade.history.writer import journal_of
from batllm_arcade.records import Ended, Status, Why

LARGEST = 512 * 1024 * 1024
"""Bytes of the largest session file that is read."""

_T = TypeVar("_T")


class HistoryError(UsageError):
    """The file is no session this program can read; the sentence names the place."""


@dataclass(frozen=True, slots=True)
class PlayTape:
    """A play as recorded: what was said and done, and the states it claims."""

    number: int
    turn: int
    bot: int
    decision: Decision
    cmd: str
    status: Status
    reason: str
    latency_s: float
    timestamp: str
    pre_state: BotState
    post_state: BotState
    opponent_state: BotState


@dataclass(frozen=True, slots=True)
class SwapTape:
    number: int
    bot: int
    brain: str
    why: Why


@dataclass(frozen=True, slots=True)
class RoundTape:
    number: int
    prompts: tuple[str, str]
    augmented: bool
    independent: bool
    acting_order: tuple[int, int]
    arena: Arena
    system_headers: tuple[str, str]
    ended: Ended | None
    swaps: tuple[SwapTape, ...]
    plays: tuple[PlayTape, ...]


@dataclass(frozen=True, slots=True)
class GameTape:
    number: int
    total_rounds: int
    turns_per_round: int
    seed: int
    rules: Rules
    seats: tuple[SeatInfo, SeatInfo]
    arena: Arena
    rounds: tuple[RoundTape, ...]
    result: Result | None


@dataclass(frozen=True, slots=True)
class SessionTape:
    """A session as recorded; `end` is None for one that never ended."""

    program: str
    seed: int
    start: str
    end: str | None
    games: tuple[GameTape, ...]


def read(path: Path) -> SessionTape:
    """The session in a session file or journal; an unfinished session's journal is taken where it lies beside."""
    try:
        return _session(_Node(load(path), "the session"))
    except RecursionError:  # some Pythons read deeper nesting than they can show
        raise HistoryError(f"{path.name!r} is no session file: it is nested too deeply") from None


def load(path: Path) -> Any:
    """The session as plain JSON values, from a session file or from a journal; HistoryError otherwise."""
    journal = journal_of(path)
    if path.name.endswith(".journal") or (not os.path.exists(path) and os.path.exists(journal)):
        return _load_journal(path if path.name.endswith(".journal") else journal)
    values = _json(_text(path), path)
    unfinished = isinstance(values, dict) and values.get("session_end") is None
    return _load_journal(journal) if unfinished and os.path.exists(journal) else values


def _text(path: Path) -> str:
    try:
        with open(path, "rb") as file:  # not by its size alone: a device has none and no end either
            content = file.read(LARGEST + 1)
        if len(content) > LARGEST:
            raise HistoryError(f"{path.name!r} is larger than any session this program writes")
        return content.decode("utf-8")
    except OSError as error:
        raise HistoryError(f"{str(path)!r} cannot be read: {error.strerror}") from None
    except UnicodeDecodeError:
        raise HistoryError(f"{path.name!r} is no session file: it is not text") from None


def _json(text: str, path: Path) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise HistoryError(f"{path.name!r} is no session file, or was cut short: it is not valid JSON") from None


def _load_journal(path: Path) -> dict[str, Any]:
    session: dict[str, Any] = {}
    lines = _text(path).removesuffix("\n").split("\n")
    for number, line in enumerate(lines, 1):
        try:
            layout.add(session, json.loads(line))
        except (ValueError, KeyError, IndexError, TypeError, AttributeError, RecursionError):
            if number == len(lines) and number > 1:
                break  # the line the program was killed in
            raise HistoryError(f"{path.name!r} is no journal: line {number} continues nothing") from None
    if not session:
        raise HistoryError(f"{path.name!r} is an empty journal")
    return session


class _Node:
    """A JSON value and where it stands; every question it cannot answer is a HistoryError."""

    def __init__(self, value: Any, where: str) -> None:
        self.value, self.where = value, where

    def refuse(self, what: str) -> HistoryError:
        return HistoryError(f"{self.where} {what}")

    def __getitem__(self, key: str) -> _Node:
        if not isinstance(self.value, dict):
            raise self.refuse("is no object")
        if key not in self.value:
            raise self.refuse(f"has no {key!r}")
        return _Node(self.value[key], f"{key!r} of {self.where}")

    def get(self, key: str, default: Any) -> _Node:
        missing = isinstance(self.value, dict) and key not in self.value
        return _Node(default, f"{key!r} of {self.where}") if missing else self[key]

    def items(self, name: str) -> Iterator[_Node]:
        if not isinstance(self.value, list):
            raise self.refuse("is no list")
        for index, value in enumerate(self.value, 1):
            yield _Node(value, f"{name} {index} of {self.where.partition(' of ')[2] or self.where}")

    def pair(self, read: Callable[[_Node], _T]) -> tuple[_T, _T]:
        if not isinstance(self.value, list) or len(self.value) != 2:
            raise self.refuse("is no list of two, left first")
        left, right = (read(_Node(value, self.where)) for value in self.value)
        return left, right

    def text(self) -> str:
        if not isinstance(self.value, str):
            raise self.refuse(f"must be a text, not {quoted(self.value)}")
        return self.value

    def whole(self) -> int:
        if type(self.value) is not int or abs(self.value) >= 10**18:
            raise self.refuse(f"must be a whole number, not {quoted(self.value)}")
        return self.value

    def number(self) -> float:
        if type(self.value) not in (int, float) or not abs(self.value) <= 1e12:  # which no NaN is
            raise self.refuse(f"must be a number, not {quoted(self.value)}")
        number: float = self.value
        return number

    def bot(self) -> int:
        return int(self.one_of((0, 1)))

    def one_of(self, choices: tuple[Any, ...]) -> Any:
        if not any(type(self.value) is type(choice) and self.value == choice for choice in choices):
            raise self.refuse(f"must be one of {', '.join(map(str, choices))}, not {quoted(self.value)}")
        return self.value


def _session(node: _Node) -> SessionTape:
    if not isinstance(node.value, dict) or "games" not in node.value:
        raise HistoryError("this is no session file: it has no 'games'")
    if node.value.get("schema") != layout.SCHEMA:
        schema = quoted(node.value.get("schema"))
        raise HistoryError(f"this session has the schema {schema}; a replay needs one with {layout.SCHEMA!r}")
    end = node.get("session_end", None)
    return SessionTape(
        program=node["program"].text(),
        seed=node["seed"].whole(),
        start=node["session_start"].text(),
        end=None if end.value is None else end.text(),
        games=tuple(_game(game) for game in node["games"].items("game")),
    )


def _game(node: _Node) -> GameTape:
    try:
        rules = rules_from(node["rules"].value if isinstance(node["rules"].value, dict) else {"rules": None})
    except RulesError as error:
        raise HistoryError(f"{node.where}: {error}") from None
    return GameTape(
        number=node["game_number"].whole(),
        total_rounds=node["total_rounds"].whole(),
        turns_per_round=node["turns_per_round"].whole(),
        seed=node["seed"].whole(),
        rules=rules,
        seats=node["seats"].pair(_seat),
        arena=_arena(node["initial_state"]),
        rounds=tuple(_round(entry, rules) for entry in node["rounds"].items("round")),
        result=_result(node["result"]) if "result" in node.value else None,
    )


def _seat(node: _Node) -> SeatInfo:
    options = node.get("options", {}).value
    if not isinstance(options, dict):
        raise node.refuse("has options that are no object")
    return SeatInfo(node["name"].text(), node["brain"].text(), node.get("model", "").text(), options)


def _result(node: _Node) -> Result:
    reason = node["reason"].one_of(("knockout", "points", "draw", "forfeit", "aborted"))
    return Result(node["winner"].one_of((0, 1, None)), reason)


def _state(node: _Node) -> BotState:
    shield = node["shield"].one_of((0, 1))
    x, y, rot, health = (node[key].number() for key in ("x", "y", "rot", "health"))
    return BotState(x, y, rot, health, bool(shield))


def _arena(node: _Node) -> Arena:
    left, right = node.pair(_state)
    return Arena(left, right)


def _round(node: _Node, rules: Rules) -> RoundTape:
    header = node.get("system_header", "")
    headers = header.pair(_Node.text) if isinstance(header.value, list) else (header.text(), header.text())
    order = node["acting_order"].pair(_Node.bot)
    if order[0] == order[1]:
        raise node.refuse("has an 'acting_order' in which a bot acts twice")
    plays = tuple(_play(play) for play in node["turns"].items("play"))
    if len(plays) > 2 * rules.turns_per_round:
        raise node.refuse(f"has {len(plays)} plays, more than its rules allow")
    return RoundTape(
        number=node["round_number"].whole(),
        prompts=node["prompts"].pair(_Node.text),
        augmented=bool(node["augmented"].one_of((True, False))),
        independent=bool(node["independent_llms"].one_of((True, False))),
        acting_order=order,
        arena=_arena(node["initial_state"]),
        system_headers=headers,
        ended=node.get("ended", None).one_of(("complete", "knockout", "abandoned", None)),
        swaps=tuple(_swap(swap) for swap in node.get("swaps", []).items("swap")),
        plays=plays,
    )


def _swap(node: _Node) -> SwapTape:
    why = node["why"].one_of(("fallback", "swap", "wheel"))
    return SwapTape(node["turn_number"].whole(), node["order"].bot(), node["brain"].text(), why)


def _play(node: _Node) -> PlayTape:
    cmd = node["cmd"].text()
    tokens, queued, raw_cut = (node.get(key, None) for key in ("tokens", "queued_from", "raw_cut"))
    decision = Decision(
        raw=node["llm_response"].text(),
        command=None if cmd == "ERR" else cmd,
        thought=node.get("thought", "").text(),
        say=node.get("say", "").text(),
        tokens={key: tokens[key].whole() for key in tokens.value} if isinstance(tokens.value, dict) else None,
        queued_from=None if queued.value is None else queued.whole(),
        raw_cut=None if raw_cut.value is None else raw_cut.whole(),
    )
    return PlayTape(
        number=node["turn_number"].whole(),
        turn=node["turn"].whole(),
        bot=node["order"].bot(),
        decision=decision,
        cmd=cmd,
        status=node["status"].one_of(("ok", "invalid", "timeout", "error", "forfeit")),
        reason=node.get("reason", "").text(),
        latency_s=node["latency_s"].number(),
        timestamp=node["timestamp"].text(),
        pre_state=_state(node["pre_state"]),
        post_state=_state(node["post_state"]),
        opponent_state=_state(node["opponent_state"]),
    )
