"""The shape of a session file: its keys, its values with their places, and the records in them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import fields, replace
from typing import Any, TypeVar

from batllm_arcade.brains.protocol import SeatInfo, own_name
from batllm_arcade.core.model import CHARGES, Arena, BotState, Rules, plain
from batllm_arcade.core.rules import Result
from batllm_arcade.errors import UsageError, is_whole, quoted
from batllm_arcade.match.records import (
    ForkedFrom,
    ForkPoint,
    GameEnded,
    GameStarted,
    NotesWritten,
    Play,
    Record,
    RoundEnded,
    RoundStarted,
    SeatAdapted,
    SeatSwapped,
    SessionEnded,
    SessionStarted,
)
from batllm_arcade.match.series import Series

_T = TypeVar("_T")


class HistoryError(UsageError):
    """The file is not a session this program can read; the message names the place."""


def no_game(number: int, held: int) -> HistoryError:
    """Return the error of asking for a game that a session with so many does not hold."""
    return HistoryError(f"there is no game {number}; the session holds {held}")


class Node:
    """A JSON value and its place: a key, or a name and a number in a list; the root's label says what it is.

    Methods raise HistoryError if the value is missing or of the wrong type.
    """

    __slots__ = ("_label", "_parent", "value")

    def __init__(self, value: Any, label: str | tuple[str, int], parent: Node | None = None) -> None:
        self.value, self._label, self._parent = value, label, parent

    @property
    def where(self) -> str:
        """Return the path to the value, innermost part first; built only for errors."""
        if self._parent is None:
            return str(self._label)
        label = f"{self._label[0]} {self._label[1]}" if isinstance(self._label, tuple) else repr(self._label)
        return f"{label} of {self._parent.where}"

    def refuse(self, what: str) -> HistoryError:
        """Return the error that this value `what`, such as "is no list"."""
        return HistoryError(f"{self.where} {what}")

    def __getitem__(self, key: str) -> Node:
        if not isinstance(self.value, dict):
            raise self.refuse("is no object")
        if key not in self.value:
            raise self.refuse(f"has no {key!r}")
        return Node(self.value[key], key, self)

    def get(self, key: str, default: Any) -> Node:
        """Return the value under this key, or the default if it is missing."""
        if isinstance(self.value, dict) and key not in self.value:
            return Node(default, key, self)
        return self[key]

    def members(self) -> Iterator[tuple[str, Node]]:
        """Yield the keys of an object and their values."""
        if not isinstance(self.value, dict):
            raise self.refuse("is no object")
        for key, value in self.value.items():
            yield key, Node(value, key, self)

    def items(self, name: str) -> Iterator[Node]:
        """Yield the list's values, each named by this name and its number."""
        if not isinstance(self.value, list):
            raise self.refuse("is no list")
        for index, value in enumerate(self.value, 1):
            yield Node(value, (name, index), self._parent or self)

    def pair(self, read: Callable[[Node], _T]) -> tuple[_T, _T]:
        """Return the values of a list of two, left first."""
        if not isinstance(self.value, list) or len(self.value) != 2:
            raise self.refuse("is no list of two, left first")
        left, right = (read(Node(value, self._label, self._parent)) for value in self.value)
        return left, right

    def optional(self, read: Callable[[Node], _T]) -> _T | None:
        """Return what is read of the value, None if that is null."""
        return None if self.value is None else read(self)

    def texts(self) -> dict[str, str]:
        """Return the texts of an object, by their keys."""
        return {key: value.text() for key, value in self.members()}

    def text(self) -> str:
        """Return the value as a text."""
        if not isinstance(self.value, str):
            raise self.refuse(f"must be a text, not {quoted(self.value)}")
        return self.value

    def whole(self) -> int:
        """Return the value as a whole number."""
        if not is_whole(self.value):
            raise self.refuse(f"must be a whole number, not {quoted(self.value)}")
        return self.value

    def count(self, least: int = 0, most: int = 10**18) -> int:
        """Return the value as a whole number from `least` to `most`."""
        if not is_whole(self.value, least, most):
            raise self.refuse(f"must be a whole number from {least} to {most}, not {quoted(self.value)}")
        return self.value

    def number(self, least: float = -1e12) -> float:
        """Return the value as a number from `least` on; NaN is rejected."""
        if not is_number(self.value) or self.value < least:
            what = "a number" if least < 0 else f"a number from {least:g} up"
            raise self.refuse(f"must be {what}, not {quoted(self.value)}")
        number: float = self.value
        return number

    def bot(self) -> int:
        """Return the value as a bot's index."""
        return int(self.one_of((0, 1)))

    def one_of(self, choices: tuple[Any, ...]) -> Any:
        """Return the value if it is one of these and of the same type."""
        if not any(type(self.value) is type(choice) and self.value == choice for choice in choices):
            raise self.refuse(f"must be one of {', '.join(map(str, choices))}, not {quoted(self.value)}")
        return self.value


def is_number(value: Any) -> bool:
    """Return whether a value can be a figure of a state; booleans and numbers beyond 1e12 cannot."""
    return type(value) in (int, float) and abs(value) <= 1e12


# -- Bots' states and results in a session file

_KEYS = ("x", "y", "rot", "health", "shield")
_MOST_CHARGE = 1_000_000


def state_of(node: Node) -> BotState:
    """Return the bot's state at this place of a file; raise HistoryError if it is none."""
    value = node.value
    if type(value) is dict and 5 <= len(value) <= 6:  # what nearly all states are, three to a play
        x, y, rot, health, up = map(value.get, _KEYS)
        charge = value.get("charge", 0)
        good = type(up) is int and 0 <= up <= 1 and type(charge) is int and 0 <= charge <= _MOST_CHARGE
        if good and is_number(x) and is_number(y) and is_number(rot) and is_number(health):
            return BotState(x, y, rot, health, up == 1, charge)  # type: ignore[arg-type]
    return _checked_state(node)


def _checked_state(node: Node) -> BotState:
    shield = node["shield"].one_of((0, 1))
    x, y, rot, health = (node[key].number() for key in ("x", "y", "rot", "health"))
    charge = node.get("charge", 0)
    if not 0 <= charge.whole() <= _MOST_CHARGE:
        raise charge.refuse(f"must be from 0 to {_MOST_CHARGE}, not {charge.value}")
    return BotState(x, y, rot, health, bool(shield), charge.whole())


def arena_of(node: Node) -> Arena:
    """Return both bots' states, a list with the left one first; raise HistoryError if it is none."""
    left, right = node.pair(state_of)
    return Arena(left, right)


def result_of(node: Node) -> Result:
    """Return how a game ended; raise HistoryError if this is no result."""
    reason = node["reason"].one_of(("knockout", "points", "draw", "forfeit", "aborted"))
    return Result(node["winner"].one_of((0, 1, None)), reason)


# -- The session file's keys

SCHEMA = "batllm_arcade.session.v1"

ORIGINAL = "batllm"
"""The brain of both bots in a session of the original game."""
STATES_ALONE = "batllm:states"
"""The same in one that tells its states alone, not what led to them."""

Entry = dict[str, Any]


def entry(record: Record, *, battery: bool = False) -> Entry:
    """Return the journal entry of a record: its values under the name of the level it belongs to.

    States hold their charge if the game has a `battery`, which only its first record tells.
    """
    match record:
        case SessionStarted():
            return {"session": session_head(record.program, record.timestamp, record.seed, record.series)}
        case GameStarted():
            return {"game": _game(record)}
        case RoundStarted():
            return {"round": _round(record, battery)}
        case SeatSwapped():
            return {"swap": _swap(record)}
        case SeatAdapted():
            return {"adapted": {"order": record.bot, "adapted": list(record.adapted)}}
        case Play():
            return {"play": _play(record, battery)}
        case RoundEnded():
            return {"round_end": record.ended}
        case NotesWritten():
            written = _filled(text=record.text, reason=record.reason, tokens=dict(record.tokens or {}))
            return {"notes": {"order": record.bot, **written}}
        case GameEnded():
            hints = {"hints": list(record.hints)} if any(record.hints) else {}
            return {"game_end": {"total_rounds": record.rounds, **hints, "result": _result(record.result)}}
        case SessionEnded():
            return {"session_end": record.timestamp, **_filled(secret=record.secret)}


def session_head(program: str, start: str, seed: int, series: Series | None = None) -> Entry:
    """Return the session's own keys as it starts; `start` is ISO 8601."""
    head: Entry = {"schema": SCHEMA, "program": program, "session_start": start, "session_end": None, "seed": seed}
    return {**head, **_series(series)}


def _series(series: Series | None) -> Entry:
    return {} if series is None else {"series": {"best_of": series.best_of}}


def _forked_from(origin: ForkedFrom | None) -> Entry:
    if origin is None:
        return {}
    return {
        "forked_from": {
            "session_start": origin.session_start,
            "game_number": origin.game,
            "round_number": origin.round,
            "turn": origin.turn,
            **({} if origin.ended else {"ended": False}),
            **_filled(program=origin.program, earlier=list(map(_fork_point, origin.earlier))),
        }
    }


def _fork_point(point: ForkPoint) -> Entry:
    place = {"session_start": point.session_start, "round_number": point.round, "turn": point.turn}
    return {**place, **({} if point.ended else {"ended": False}), **_filled(program=point.program)}


def _game(record: GameStarted) -> Entry:
    return {
        "game_number": record.game,
        "total_rounds": 0,
        "turns_per_round": 2 * record.rules.turns_per_round,
        "seed": record.seed,
        **({} if record.drawn else {"drawn": False}),
        **_series(record.series),
        **_forked_from(record.forked_from),
        "rules": rules(record.rules),
        "seats": [seat(each) for each in record.seats],
        "initial_state": states(record.arena, battery=bool(record.rules.battery)),
        **({"notes": list(record.notes)} if any(record.notes) else {}),
    }


def seat(info: SeatInfo) -> Entry:
    """Return who sits at a seat as the files hold it."""
    return _filled(
        name=info.recorded_name, brain=info.brain, model=info.model, options=dict(info.options),
        adapted=list(info.adapted), isolation=info.isolation, view=info.view,
    )  # fmt: skip


def rules(given: Rules) -> Entry:
    """Return the rules' figures by name; a pair of equal figures as one number."""
    figures = {field.name: getattr(given, field.name) for field in fields(Rules)}
    for name in _unused(given):
        del figures[name]
    for name in ("bullet_damage", "initial_health"):
        left, right = figures[name]
        figures[name] = left if left == right else [left, right]
    return {name: value if isinstance(value, (bool, list)) else plain(value) for name, value in figures.items()}


def _unused(rules: Rules) -> Iterator[str]:
    """Yield the figures of optional rules that are off: a file without them is read with their defaults."""
    if not rules.battery:
        yield from ("battery", *CHARGES)
    yield from (name for name in ("side_damage", "back_damage") if getattr(rules, name) == 1)
    if not rules.ricochet:
        yield from ("ricochet", "bounce_cap")
    optional = ("back_step", "turn_limit", "bump_push", "bump_turn", "start_spread", "second_charge")
    yield from (name for name in optional if not getattr(rules, name))


def _round(record: RoundStarted, battery: bool) -> Entry:
    left, right = record.system_headers
    return {
        "round_number": record.round,
        "prompts": list(record.prompts),
        "augmented": record.augmented,
        "independent_llms": record.independent or record.apart,
        **({"mode": "shared"} if record.apart and not record.independent else {}),
        "acting_order": list(record.acting_order),
        "initial_state": states(record.arena, battery=battery),
        **_filled(system_header=left if left == right else [left, right]),
    }


def _swap(record: SeatSwapped) -> Entry:
    new = record.seat
    named = seat(replace(new, name="" if new.recorded_name == own_name(new.brain) else new.name))
    return {
        "turn_number": record.number,
        "order": record.bot,
        "brain": named.pop("brain"),
        "why": record.why,
        **named,
        **({} if record.prompt is None else {"prompt": record.prompt}),
    }


def _play(record: Play, battery: bool) -> Entry:
    decision = record.decision
    return {
        "turn_number": record.number,
        "order": record.bot,
        "llm_response": decision.raw,
        "pre_state": state(record.before.bot(record.bot), battery=battery),
        "post_state": state(record.after.bot(record.bot), battery=battery),
        "opponent_state": state(record.after.bot(1 - record.bot), battery=battery),
        "turn": record.turn,
        "cmd": record.command.token,
        "status": record.status,
        **_filled(reason=record.reason),
        "timestamp": record.timestamp,
        "latency_s": round(record.latency_s, 3),
        **_filled(
            tokens=dict(decision.tokens or {}),
            thought=decision.thought,
            say=decision.say,
            queued_from=decision.queued_from,
            raw_cut=decision.raw_cut,
        ),
    }


def state(bot: BotState, *, battery: bool = False) -> dict[str, float]:
    """Return a bot's state as the files hold it: whole numbers without a point, `shield` 0 or 1.

    It holds its charge if the game has a `battery`.
    """
    figures = {
        "x": plain(bot.x),
        "y": plain(bot.y),
        "rot": plain(bot.rot),
        "shield": int(bot.shield),
        "health": plain(bot.health),
    }
    return {**figures, "charge": bot.charge} if battery else figures


def states(arena: Arena, *, battery: bool = False) -> list[dict[str, float]]:
    """Return both bots' states, left first."""
    return [state(arena.left, battery=battery), state(arena.right, battery=battery)]


def _result(result: Result) -> Entry:
    return {"winner": result.winner, "reason": result.reason}


def _filled(**values: Any) -> Entry:
    return {key: value for key, value in values.items() if value not in (None, "", {}, [])}
