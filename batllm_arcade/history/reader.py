"""Read a session file or its journal into typed records; reject invalid files with a one-line error."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from batllm_arcade.brains.protocol import Decision, SeatInfo
from batllm_arcade.core.model import Arena, BotState, Rules, RulesError, rules_from
from batllm_arcade.core.rules import Result
from batllm_arcade.errors import quoted
from batllm_arcade.history import original_import
from batllm_arcade.history import schema as history_schema
from batllm_arcade.history.loader import Loaded, load_journal, load_with_source
from batllm_arcade.history.node import HistoryError, Node, arena_of, no_game, result_of, state_of
from batllm_arcade.history.paths import is_journal
from batllm_arcade.match.records import Ended, ForkedFrom, ForkPoint, Status, Why
from batllm_arcade.match.series import LENGTHS, Series


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
    seat: SeatInfo
    why: Why
    prompt: str | None = None


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
    drawn: bool
    rules: Rules
    seats: tuple[SeatInfo, SeatInfo]
    arena: Arena
    rounds: tuple[RoundTape, ...]
    result: Result | None
    series: Series | None = None
    forked_from: ForkedFrom | None = None
    hints: tuple[int, int] = (0, 0)

    @property
    def stream(self) -> int:
        """Return the number of the game in the names of its random streams: of a fork that of its origin."""
        return self.number if self.forked_from is None else self.forked_from.game


@dataclass(frozen=True, slots=True)
class SessionTape:
    """A session as recorded; `end` is None for one that never ended, `journal` the journal it was read from.

    `bad_line` is the line of the journal up to which it was read, where that is damaged; else 0.
    """

    program: str
    seed: int
    start: str
    end: str | None
    games: tuple[GameTape, ...]
    journal: Path | None = field(default=None, compare=False)
    series: Series | None = None
    bad_line: int = field(default=0, compare=False)
    secret: str = ""
    """What the streams of its seats were keyed with, in hex; "" without bots of files, or without an end."""

    def game(self, number: int) -> GameTape:
        """Return a game, counted from 1; raise HistoryError if there is none of this number."""
        if not 1 <= number <= len(self.games):
            raise no_game(number, len(self.games))
        return self.games[number - 1]


def read(path: Path) -> SessionTape:
    """Return the session in a session file, a journal or a page; raise HistoryError if it is none.

    Without the file its journal is read, and named in `journal`. A saved session of the original game is
    converted.
    """
    return read_with_values(path)[0]


def read_with_values(path: Path) -> tuple[SessionTape, Any]:
    """Return the session as `read` does, and the plain JSON values it was read from."""
    try:
        loaded = load_with_source(path)
        if is_journal(loaded.source):
            return _journal(loaded)
        values = loaded.values
        values = original_import.convert(values).session if original_import.is_original(values) else values
        return session_of(values), values
    except RecursionError:  # some Pythons read deeper nesting than they can show
        raise HistoryError(f"{path.name!r} is no session file: it is nested too deeply") from None


def _journal(loaded: Loaded) -> tuple[SessionTape, Any]:
    """Return the session in a journal, up to the first line that has something wrong in it."""
    good, bad_line = 0, loaded.bad_line
    try:
        session = session_of(loaded.values)
    except HistoryError:
        good, bad_line = 1, loaded.lines  # a line by which it is no session stays one in all that is longer
        session_of(load_journal(loaded.source, good).values)
        while bad_line - good > 1:
            middle = (good + bad_line) // 2
            try:
                session_of(load_journal(loaded.source, middle).values)
                good = middle
            except HistoryError:
                bad_line = middle
        loaded = load_journal(loaded.source, good)
        session = session_of(loaded.values)
    return replace(session, journal=loaded.source, bad_line=bad_line), loaded.values


def session_of(values: Any) -> SessionTape:
    """Return the session in plain JSON values; raise HistoryError naming what is wrong in them."""
    return _session(Node(values, "the session"))


def _session(node: Node) -> SessionTape:
    if not isinstance(node.value, dict) or "games" not in node.value:
        raise HistoryError("this is no session file: it has no 'games'")
    if node.value.get("schema") != history_schema.SCHEMA:
        schema = quoted(node.value.get("schema"))
        raise HistoryError(f"this session has the schema {schema}; a replay needs one with {history_schema.SCHEMA!r}")
    end = node["session_end"]
    return SessionTape(
        program=node["program"].text(),
        seed=node["seed"].whole(),
        start=node["session_start"].text(),
        end=None if end.value is None else end.text(),
        games=tuple(_game(game) for game in node["games"].items("game")),
        series=_series(node),
        secret=_secret(node),
    )


def _secret(node: Node) -> str:
    if "secret" not in node.value:
        return ""
    secret = node["secret"].text()
    if not re.fullmatch("[0-9a-f]{64}", secret):
        raise node["secret"].refuse("must be 64 digits of a number in hex")
    return secret


def _series(node: Node) -> Series | None:
    """Return the series of a session, or the one that begins with a game."""
    if "series" not in node.value:
        return None
    best_of = node["series"]["best_of"]
    if best_of.value is not None and (type(best_of.value) is not int or best_of.value not in LENGTHS):
        raise best_of.refuse("must be 1, 3, 5, 7 or null")
    return Series(best_of.value)


def _game(node: Node) -> GameTape:
    try:
        rules = rules_from(node["rules"].value if isinstance(node["rules"].value, dict) else {"rules": None})
    except RulesError as error:
        raise HistoryError(f"{node.where}: {error}") from None
    return GameTape(
        number=node["game_number"].whole(),
        total_rounds=node["total_rounds"].whole(),
        turns_per_round=node["turns_per_round"].whole(),
        seed=node["seed"].whole(),
        drawn=bool(node.get("drawn", True).one_of((True, False))),
        rules=rules,
        seats=node["seats"].pair(_seat),
        arena=_start(node["initial_state"], rules),
        rounds=tuple(_round(entry, rules) for entry in node["rounds"].items("round")),
        result=result_of(node["result"]) if "result" in node.value else None,
        series=_series(node),
        forked_from=_forked_from(node["forked_from"]) if "forked_from" in node.value else None,
        hints=node["hints"].pair(Node.whole) if "hints" in node.value else (0, 0),
    )


def _forked_from(node: Node) -> ForkedFrom:
    game, number, turn = (node[key].whole() for key in ("game_number", "round_number", "turn"))
    earlier = tuple(_fork_point(point) for point in node.get("earlier", []).items("fork"))
    start, played_by, ended = node["session_start"].text(), node.get("program", "").text(), _ended(node)
    return ForkedFrom(start, game, number, turn, played_by, earlier, ended)


def _fork_point(node: Node) -> ForkPoint:
    number, turn = node["round_number"].whole(), node["turn"].whole()
    return ForkPoint(node["session_start"].text(), number, turn, node.get("program", "").text(), _ended(node))


def _ended(node: Node) -> bool:
    return bool(node.get("ended", True).one_of((True, False)))


def _start(node: Node, rules: Rules) -> Arena:
    """Return where a game starts; raise HistoryError for a bot far outside, which could not be drawn."""
    arena = arena_of(node)
    for bot in (arena.left, arena.right):
        if not (abs(bot.x) <= 2 * rules.arena_width and abs(bot.y) <= 2 * rules.arena_height):
            raise node.refuse("has a bot far outside the arena")
    return arena


def _seat(node: Node, name: str | None = None) -> SeatInfo:
    options = node.get("options", {}).value
    if not isinstance(options, dict):
        raise node.refuse("has options that are no object")
    named = node["name"] if name is None else node.get("name", name)
    adapted = tuple(each.text() for each in node.get("adapted", []).items("change"))
    isolation = node.get("isolation", "").one_of(("sandbox", "process", "none", ""))
    return SeatInfo(
        named.text(), node["brain"].text(), node.get("model", "").text(), options, adapted=adapted, isolation=isolation
    )


def _round(node: Node, rules: Rules) -> RoundTape:
    header = node.get("system_header", "")
    headers = header.pair(Node.text) if isinstance(header.value, list) else (header.text(), header.text())
    order = node["acting_order"].pair(Node.bot)
    if order[0] == order[1]:
        raise node.refuse("has an 'acting_order' in which a bot acts twice")
    plays = tuple(_play(play) for play in node["turns"].items("play"))
    if len(plays) > 2 * rules.turns_per_round:
        raise node.refuse(f"has {len(plays)} plays, more than its rules allow")
    return RoundTape(
        number=node["round_number"].whole(),
        prompts=node["prompts"].pair(Node.text),
        augmented=bool(node["augmented"].one_of((True, False))),
        independent=bool(node["independent_llms"].one_of((True, False))),
        acting_order=order,
        arena=arena_of(node["initial_state"]),
        system_headers=headers,
        ended=node.get("ended", None).one_of(("complete", "knockout", "abandoned", None)),
        swaps=tuple(_swap(swap) for swap in node.get("swaps", []).items("swap")),
        plays=plays,
    )


def _swap(node: Node) -> SwapTape:
    why = node["why"].one_of(("fallback", "recovered", "swap", "wheel", "fork"))
    seat = _seat(node, history_schema.default_name(node["brain"].text()))
    prompt = node["prompt"].text() if "prompt" in node.value else None
    return SwapTape(node["turn_number"].whole(), node["order"].bot(), seat, why, prompt)


def _play(node: Node) -> PlayTape:
    cmd = node["cmd"].text()
    tokens, queued, raw_cut = (node.get(key, None) for key in ("tokens", "queued_from", "raw_cut"))
    decision = Decision(
        raw=node["llm_response"].text(),
        command=None if cmd == "ERR" else cmd,
        thought=node.get("thought", "").text(),
        say=node.get("say", "").text(),
        tokens=None if tokens.value is None else {key: count.whole() for key, count in tokens.members()},
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
        pre_state=state_of(node["pre_state"]),
        post_state=state_of(node["post_state"]),
        opponent_state=state_of(node["opponent_state"]),
    )
