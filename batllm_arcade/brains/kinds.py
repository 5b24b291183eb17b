"""What a kind of brain declares: its options, its price, whether it can play, what it fetches."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol, get_args

from batllm_arcade.errors import UsageError

OptionType = Literal["text", "number", "whole", "choice", "yes_no", "address", "variable", "price", "file"]
"""What a value is: the `address` of a server, a `variable` of the environment, a `price` per million tokens."""
TYPES: tuple[OptionType, ...] = get_args(OptionType)
YES_NO = ("yes", "no")
_CHECKED = ("number", "whole", "choice", "yes_no")


class HasOptions(Protocol):
    """A brain as it is written, such as a `Spec`."""

    @property
    def name(self) -> str: ...
    @property
    def options(self) -> Mapping[str, str]: ...


@dataclass(frozen=True, slots=True)
class Option:
    """An option of a brain."""

    name: str
    """What it is called, as in `name=value`."""
    type: OptionType = "text"
    """What its value is."""
    default: str = ""
    """Its value where none is given, as one would write it; "" for none."""
    sentence: str = ""
    """What it does."""
    choices: tuple[str, ...] = ()
    """What a `choice` is one of."""
    least: float = 0.0
    """The least that a `number`, or a `whole` one, can be."""
    most: float = 1e9
    """The most that it can be."""
    words: tuple[str, ...] = ()
    """Words that may stand in a number's place."""
    variants: tuple[str, ...] = ()
    """The variants of the brain that have it, () for all."""
    advanced: bool = False
    """Whether few people need it."""

    def __post_init__(self) -> None:
        if self.type not in TYPES:
            raise UsageError(f"the type of the option {self.name!r} must be {_listed(TYPES)}, not {self.type!r}")

    def problem(self, brain: str, text: str) -> str:
        """Return why the brain of this name cannot have this value, in one sentence; "" if it can."""
        if self.type not in _CHECKED or text in self.words or self._is_good(text):
            return ""
        return f"{self.name} of {brain} must be {self.values}, not {text!r}"

    @property
    def values(self) -> str:
        """What it may be, in words; "" for any text."""
        if self.type in ("choice", "yes_no"):
            return _listed(self._choices)
        if self.type in ("number", "whole"):
            most = f" to {self.most:g}" if self.most < 1e9 else " up"
            words = "".join(f" or {word}" for word in self.words)
            return f"a {'whole ' if self.type == 'whole' else ''}number from {self.least:g}{most}{words}"
        kinds = {"address": "a server's address", "variable": "the name of an environment variable", "file": "a file"}
        return kinds.get(self.type, "IN/OUT per million tokens" if self.type == "price" else "")

    def text(self, spec: HasOptions) -> str:
        """Return its value in a spec, else the default; raise UsageError if it is wrong."""
        value = spec.options.get(self.name, self.default)
        if self.name in spec.options and (problem := self.problem(spec.name, value)):
            raise UsageError(problem)
        return value

    def number(self, spec: HasOptions) -> float:
        """Return its value as a number; raise UsageError if it is none."""
        return float(self.text(spec))

    def whole(self, spec: HasOptions) -> int:
        """Return its value as a whole number; raise UsageError if it is none."""
        return int(float(self.text(spec)))

    @property
    def _choices(self) -> tuple[str, ...]:
        return YES_NO if self.type == "yes_no" else self.choices

    def _is_good(self, text: str) -> bool:
        if self.type in ("choice", "yes_no"):
            return (text.lower() if self.type == "yes_no" else text) in self._choices
        try:
            value = float(text)
        except ValueError:
            return False
        return self.least <= value <= self.most and (self.type == "number" or value == int(value))


def _listed(words: Sequence[str]) -> str:
    return f"one of {', '.join(words)}" if len(words) > 2 else " or ".join(words)


@dataclass(frozen=True, slots=True)
class PullProgress:
    """How far it is."""

    words: str
    """What the server is doing."""
    done: int = 0
    """The bytes that are there."""
    total: int = 0
    """The bytes that there will be, as far as that is known yet; 0 where it is not."""

    @property
    def share(self) -> float | None:
        """The part that is there, 0 to 1; None where it is not known."""
        return min(1.0, self.done / self.total) if self.total > 0 else None


Why = Literal["", "options", "missing", "down", "key", "wrong key", "model", "pay", "late", "other"]
"""What is wrong: an option, something that is not installed, a server that is not there, no key, a wrong one, a model
that is not there, money or a quota that is used up, a server that did not answer in time, anything else."""


@dataclass(frozen=True, slots=True)
class SeatState:
    """Whether a seat could play."""

    problem: str = ""
    """What is missing, in one sentence; "" if nothing is."""
    why: Why = ""
    """The cause of that."""
    model: str = ""
    """The model that would play, "" where that is not known."""
    models: tuple[str, ...] = ()
    """The models that its server lists, as far as it was asked."""
    variable: str = ""
    """The environment variable in which its key is looked for, "" for none."""

    @property
    def ready(self) -> bool:
        """Whether nothing is missing."""
        return not self.problem


_MILLION = 1_000_000


@dataclass(frozen=True, slots=True)
class Price:
    """The price of a million tokens that a model reads (`prompt`) and of a million that it writes (`completion`).

    Of those that it reads the `cached` ones cost a tenth, and those that were `stored` in a cache a quarter more.
    """

    read: float
    written: float

    def of(self, tokens: Mapping[str, int]) -> float:
        """Return what these tokens cost."""
        read = tokens.get("prompt", 0) - 0.9 * tokens.get("cached", 0) + 0.25 * tokens.get("stored", 0)
        return (read * self.read + tokens.get("completion", 0) * self.written) / _MILLION


def parse_price(text: str, option: str = "price") -> Price | None:
    """Return the price that `IN/OUT` means, None for ""; raise UsageError if it is none."""
    if not text:
        return None
    read, _, written = text.partition("/")
    try:
        price = Price(float(read), float(written))
    except ValueError:
        price = Price(-1, -1)
    if not (0 <= price.read <= 1e6 and 0 <= price.written <= 1e6):
        raise UsageError(f"{option} must be two numbers per million tokens, such as 0.15/0.60, not {text!r}")
    return price


def cost_of(options: Mapping[str, object], tokens: Mapping[str, int]) -> float | None:
    """Return what a brain's tokens cost by its recorded options, None without a price or tokens."""
    try:
        price = parse_price(str(options.get("price", "")))
    except UsageError:  # of a file that others wrote
        return None
    return price.of(tokens) if price and tokens else None


def money(amount: float) -> str:
    """Return an amount of dollars: `$0.31`, `$1,234.50`; two digits that count of one below ten cents."""
    places = 2 if amount >= 0.1 or amount <= 0 else min(12, 1 - math.floor(math.log10(amount)))
    text = f"{amount:,.{places}f}"
    return "$" + (text if places == 2 else text.rstrip("0"))
