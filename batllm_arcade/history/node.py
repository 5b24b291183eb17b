"""Nodes of a file, and states out of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from batllm_arcade.core.model import Arena, BotState
from batllm_arcade.core.rules import Result
from batllm_arcade.errors import UsageError, is_whole, quoted

# -- JSON values with their place in the file, so that an error names it in one line

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
    """Return a state key by key; raise HistoryError at the first that is wrong."""
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
